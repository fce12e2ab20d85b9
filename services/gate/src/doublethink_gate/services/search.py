"""SearchService: the planner's only way to the web."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from typing import Final, cast

from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import search_pb2
from doublethink_ledger import BodyValue
from doublethink_rpc import Call

from doublethink_gate.egress.outbound import Admitted, Method, Outbound, Received
from doublethink_gate.egress.retrying import retrying
from doublethink_gate.errors import Malformed
from doublethink_gate.ids import IdType, from_bytes, mint
from doublethink_gate.ledger.payload import MAX_PAYLOAD_BYTES
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.sessions.material import Query, Result
from doublethink_gate.sources import RawResponse, SourceResult, TooLarge

MAX_RESULTS: Final = 20


class SearchService:
    """The handler of `doublethink.gate.v1.SearchService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def Search(self, request: search_pb2.SearchRequest, call: Call) -> search_pb2.SearchResponse:
        """Check a query, write it down, send it; answer with its id and how many results there are of each
        class.

        Raises CapabilityRefused, SessionClosed, Malformed for an empty query, and what `Exchange.run` raises.
        """
        runtime = self._runtime
        now_us = runtime.clock()
        grant = await authorise(runtime.store, call, now_us)
        if not request.query.strip():
            raise Malformed
        live = await runtime.registry.live(grant.session, now_us)
        outbound = Outbound(
            method=Method.SEARCH,
            prepared=runtime.source.prepare_search(request.query, MAX_RESULTS),
            text=request.query,
            rebuild=lambda text: runtime.source.prepare_search(text, MAX_RESULTS),
        )

        async def receive(
            admitted: Admitted, response: RawResponse, _: uuid.UUID
        ) -> tuple[search_pb2.SearchResponse, Received]:
            answer = runtime.source.read_search(admitted.outbound.prepared, response)
            if len(response.body) > MAX_PAYLOAD_BYTES:
                raise TooLarge(MAX_PAYLOAD_BYTES)
            query = Query(from_bytes(IdType.QUERY, admitted.row_id.bytes), admitted.row_id, admitted.n)
            results = [_result(rank, found) for rank, found in enumerate(answer.results, start=1)]
            # Before the outcome row, so that whoever reads that row finds what it speaks of.
            await runtime.material.insert_query(live.id, query, admitted.at_us, results)
            keys: dict[str, BodyValue] = {
                "results": len(results),
                "response": hashlib.sha256(response.body).hexdigest(),
            }
            if answer.credits is not None:
                keys["credits"] = answer.credits
            received = Received(keys, response.body)
            return _response(query.id, results), received

        return await retrying(
            lambda: runtime.exchange.run(live, outbound, runtime.source.send, receive, call),
            call,
            runtime.limits.source_attempts,
            runtime.limits,
        )


def _result(rank: int, found: SourceResult) -> Result:
    return Result(
        id=mint(IdType.RESULT),
        rank=rank,
        source_class=found.source_class.name.lower(),
        url=found.url,
        title=found.title.replace("\0", ""),
        snippet=found.snippet,
    )


def _response(query_id: str, results: list[Result]) -> search_pb2.SearchResponse:
    counts = Counter(source_class_number(result.source_class) for result in results)
    return search_pb2.SearchResponse(
        query_id=query_id,
        counts=[
            search_pb2.ClassCount(source_class=number, results=counts[number]) for number in sorted(counts)
        ],
    )


def source_class_number(name: str) -> figures_pb2.SourceClass:
    """Return the wire's number of a stored class name."""
    return cast("figures_pb2.SourceClass", figures_pb2.SourceClass.Value(f"SOURCE_CLASS_{name.upper()}"))
