"""What a publication place does.

Every note lies under the log's name, its origin, as a name of its own that is written once. What a place answers is
not believed: notes are signed, and whoever reads them checks that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol
from urllib.parse import quote

MAX_NOTE_BYTES: Final = 65_536
SIZE_DIGITS: Final = 19
"""2^63-1 has as many decimal digits."""

STATEMENT: Final = "recovery.note"


class Place(Protocol):
    """One place. Every method may raise PlaceAway.

    name: of the closed set folder-1, ..., store-1, ...; it labels metrics. where: the path or address, for people.
    egress: `host:port` of what is called over a network, None if nothing is.
    """

    name: str
    where: str
    egress: str | None

    async def newest(self, origin: str) -> bytes | None:
        """Return the note of the largest size that lies here for a log, None if there is none."""
        ...

    async def notes(self, origin: str, limit: int) -> Sequence[bytes]:
        """Return the notes of the `limit` largest sizes, from the largest down."""
        ...

    async def put(self, origin: str, size: int, note: bytes) -> None:
        """Put a checkpoint's note; once it returns, the note is durable. The same bytes again are no change.

        Raises PlaceConflict where other bytes lie there; they stay.
        """
        ...

    async def put_statement(self, origin: str, note: bytes) -> None:
        """Put the signed statement that opens an origin after a recovery; as `put`."""
        ...

    async def close(self) -> None:
        """Let connections go."""
        ...


def folder_name(origin: str) -> str:
    """Return the one path segment that stands for an origin: `log-` and the origin, percent-encoded (RFC 3986)."""
    return "log-" + quote(origin, safe="")
