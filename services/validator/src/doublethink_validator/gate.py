"""The gate as the validator calls it: pages and records, under the capability that the caller presented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from doublethink.gate.v1 import page_pb2, record_pb2
from doublethink_rpc import Peer

FETCH: Final = "doublethink.gate.v1.PageService/FetchPages"
GET_PAGE: Final = "doublethink.gate.v1.PageService/GetPage"
RECORD: Final = "doublethink.gate.v1.RecordService/RecordFact"
GET_FACTS: Final = "doublethink.gate.v1.RecordService/GetFacts"
MAX_PAGES: Final = 8


@dataclass(frozen=True, slots=True)
class Fetched:
    """An approved query with its pages in rank order, and how many could not be had."""

    query: page_pb2.ApprovedQuery
    pages: tuple[page_pb2.Page, ...]
    failed: int


class Gate(Protocol):
    """What the validator needs of the gate. Every method raises `RpcError`."""

    async def fetch(
        self, request: page_pb2.FetchPagesRequest, capability: bytes, deadline_s: float
    ) -> Fetched | None:
        """The query and its pages; None if the stream did not begin with the query."""

    async def page(self, page_id: str, capability: bytes) -> page_pb2.Page:
        """A stored page of the session."""

    async def record(self, fact: record_pb2.Fact, capability: bytes) -> str:
        """Records a fact; its id."""

    async def facts(self, fact_ids: Sequence[str], capability: bytes) -> dict[str, record_pb2.Fact]:
        """Recorded facts of the session by id, and its rivals besides."""


class GatePeer:
    """The gate behind a checked connection."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def fetch(
        self, request: page_pb2.FetchPagesRequest, capability: bytes, deadline_s: float
    ) -> Fetched | None:
        """The query and its pages; None if the stream did not begin with the query."""
        query: page_pb2.ApprovedQuery | None = None
        pages: list[page_pb2.Page] = []
        failed = 0
        stream = self._peer.stream(
            FETCH, request, page_pb2.FetchPagesResponse, capability=capability, deadline_s=deadline_s
        )
        async for response in stream:
            kind = response.WhichOneof("item")
            if kind == "query":
                if query is not None or response.query.query_id != request.query_id:
                    return None
                query = response.query
            elif query is None:
                return None
            elif kind == "page" and len(pages) < MAX_PAGES:
                pages.append(response.page)
            else:
                failed += 1
        return Fetched(query, tuple(pages), failed) if query is not None else None

    async def page(self, page_id: str, capability: bytes) -> page_pb2.Page:
        """A stored page of the session."""
        response = await self._peer.call(
            GET_PAGE,
            page_pb2.GetPageRequest(page_id=page_id),
            page_pb2.GetPageResponse,
            capability=capability,
        )
        return response.page

    async def record(self, fact: record_pb2.Fact, capability: bytes) -> str:
        """Records a fact; its id."""
        response = await self._peer.call(
            RECORD,
            record_pb2.RecordFactRequest(fact=fact),
            record_pb2.RecordFactResponse,
            capability=capability,
        )
        return response.fact_id

    async def facts(self, fact_ids: Sequence[str], capability: bytes) -> dict[str, record_pb2.Fact]:
        """Recorded facts of the session by id, and its rivals besides."""
        response = await self._peer.call(
            GET_FACTS,
            record_pb2.GetFactsRequest(fact_ids=list(fact_ids), rivals=True),
            record_pb2.GetFactsResponse,
            capability=capability,
        )
        return {recorded.fact_id: recorded.fact for recorded in response.facts}
