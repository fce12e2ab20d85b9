"""How much work one payload may cost, counted in units that do not depend on the machine or its load.

A unit stands for one character of plain text looked at by all decoders, or put into streams, once; what costs
more is charged more, in proportion as measured. Time itself is not counted: the same payload is refused
everywhere or nowhere, so that two replicas never disagree.

The meter is a context variable, because some fifty decoders and the streams and look-ups behind them would
otherwise each have to hand it on. Without one in place nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from doublethink_fingerprint.errors import WorkSpent

ODD_CHAR: Final = 16
"""A character of a run that is no plain word: most decoders only look at these."""
ODD_RUN: Final = 24
"""A run that is no plain word, however short, beside its characters."""
FOREIGN_CHAR: Final = 4
"""A character of a text that is not all ASCII, for the streams; twice that for the decoders."""
CHUNK: Final = 40
"""A stretch that was decoded, beside its characters."""
MATCH: Final = 40
"""A token or figure of a payload that is one of the pack's, and is judged."""
NEAR_WORD: Final = 100
"""A long and uncommon word that is looked up with each of its letters left out."""
CANDIDATE: Final = 3
"""A window that may be one of the pack's, and is hashed."""
FIGURE_CHAR: Final = 25
"""A character that is read as a number in every way it could be meant."""
DAY_CHAR: Final = 8
"""A character that is read as a day in every way it could be meant."""

_LEFT: ContextVar[list[int] | None] = ContextVar("doublethink_work_left", default=None)


@contextmanager
def bounded_work(units: int) -> Iterator[None]:
    """Let what happens inside cost at most `units`, whatever is around it; then `spend` raises WorkSpent."""
    token = _LEFT.set([units])
    try:
        yield
    finally:
        _LEFT.reset(token)


def spend(units: int) -> None:
    """Count work that is about to be done. Raises WorkSpent where it is more than is left."""
    left = _LEFT.get()
    if left is None:
        return
    left[0] -= units
    if left[0] < 0:
        raise WorkSpent
