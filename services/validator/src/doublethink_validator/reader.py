"""The reader as the validator calls it: pages in, claims out, bounded, and believed in nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

from doublethink.gate.v1 import page_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink_rpc import Peer

from .proof import Claim
from .wire import direction_in, flags_in

READ: Final = "doublethink.reader.v1.ReadingService/Read"
MAX_CLAIMS: Final = 1_024
"""Claims taken from one answer; the call ends there."""


class Reader(Protocol):
    """What the validator needs of the reader. Raises `RpcError`."""

    async def read(
        self,
        query: reading_pb2.ReadQuery,
        pages: Sequence[page_pb2.Page],
        capability: bytes,
        deadline_s: float,
    ) -> dict[str, list[Claim]]:
        """The claims by page id. Claims about pages that were not handed over are left out."""


class ReaderPeer:
    """The reader behind a checked connection."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def read(
        self,
        query: reading_pb2.ReadQuery,
        pages: Sequence[page_pb2.Page],
        capability: bytes,
        deadline_s: float,
    ) -> dict[str, list[Claim]]:
        """The claims by page id. Claims about pages that were not handed over are left out."""
        claims: dict[str, list[Claim]] = {page.page_id: [] for page in pages}
        taken = 0
        stream = self._peer.converse(
            READ,
            _requests(query, pages),
            reading_pb2.ReadResponse,
            capability=capability,
            deadline_s=deadline_s,
        )
        async for response in stream:
            taken += 1
            if response.claim.page_id in claims:
                claims[response.claim.page_id].append(to_claim(response.claim))
            if taken >= MAX_CLAIMS:
                break
        return claims


async def _requests(
    query: reading_pb2.ReadQuery, pages: Sequence[page_pb2.Page]
) -> AsyncIterator[reading_pb2.ReadRequest]:
    yield reading_pb2.ReadRequest(query=query)
    for page in pages:
        yield reading_pb2.ReadRequest(page=reading_pb2.ReadPage(page_id=page.page_id, text=page.text))


def to_claim(message: reading_pb2.Claim) -> Claim:
    """A claim as the library reads it."""
    return Claim(
        quote=message.quote,
        heading_quotes=tuple(message.heading_quotes),
        quote_offset=message.quote_offset,
        value=message.value,
        scale=message.scale or None,
        unit=message.unit,
        period=message.period,
        direction=direction_in(message.direction),
        flags=flags_in(list(message.flags)),
    )
