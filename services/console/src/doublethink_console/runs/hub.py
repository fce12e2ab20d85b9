"""Waking those who watch. What there is to see is read from the database; this only says when to look."""

from __future__ import annotations

import asyncio
from typing import Final

_LOOK_ANYWAY_S: Final = 1.0
"""Another console may have written: nobody waits longer than this for its news."""


class Hub:
    """One condition for all watchers of this process."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self.stopping = False

    def stop(self) -> None:
        """This process ends: whoever watches should go."""
        self.stopping = True
        self.news()

    def news(self) -> None:
        """Something was written."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self) -> None:
        """Return at the next news, or after a second."""
        try:
            await asyncio.wait_for(self._changed.wait(), _LOOK_ANYWAY_S)
        except TimeoutError:
            return
