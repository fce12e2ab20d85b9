"""Whether the peers can be reached, as the console sees it: a connection, not a judgement of their work."""

from __future__ import annotations

import asyncio
from typing import Final

from doublethink_console.config import Config

_SECONDS: Final = 1.0


class PeerHealth:
    """Tries the peers' addresses."""

    def __init__(self, config: Config) -> None:
        peers = config.peers
        self._targets = {"gate": peers.gate, "planner": peers.planner, "validator": peers.validator}

    async def all(self) -> dict[str, str]:
        """ "reachable" or "unreachable" for each peer."""
        names = list(self._targets)
        answers = await asyncio.gather(*(_answers(self._targets[name]) for name in names))
        return {name: "reachable" if up else "unreachable" for name, up in zip(names, answers, strict=True)}


async def _answers(target: str) -> bool:
    try:
        async with asyncio.timeout(_SECONDS):
            if target.startswith("unix:"):
                _, writer = await asyncio.open_unix_connection(target.removeprefix("unix:"))
            else:
                host, _, port = target.rpartition(":")
                _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, ValueError, TimeoutError):
        return False
    writer.close()
    return True
