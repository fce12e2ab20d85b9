"""SearchService: the planner's only way to the web."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final, cast

from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import search_pb2
from doublethink_ledger import BodyValue
from doublethink_rpc import Call

from doublethink_gate.egress.exchange import Receive
from doublethink_gate.egress.outbound import Admitted, Method, Outbound, Received
from doublethink_gate.egress.payloads import search_text
from doublethink_gate.egress.retrying import retrying
from doublethink_gate.errors import Held, IdRefused, Malformed
from doublethink_gate.ids import IdType, from_bytes, mint, to_uuid
from doublethink_gate.ledger.payload import MAX_PAYLOAD_BYTES
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.approval import follow_up, held_payload
from doublethink_gate.services.authority import authorise
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.material import Query, Result
from doublethink_gate.sources import RawResponse, SourceResult, TooLarge
from doublethink_gate.sources.model import Prepare

MAX_RESULTS: Final = 20


@dataclass(frozen=True, slots=True)
class _Found:
    """A query, its results, and how many more were left out, since nobody could fetch them."""

    query: str
    results: list[Result]
    dropped: int


class SearchService:
    """The handler of `doublethink.gate.v1.SearchService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def Search(self, request: search_pb2.SearchRequest, call: Call) -> search_pb2.SearchResponse:
        """Check a query, write it down, send it; answer with its id and how many results there are of each
        class, or with a hold where a person may let it go.

        Raises CapabilityRefused, SessionClosed, Malformed for an empty query, and what `Exchange.run` raises.
        """
        runtime = self._runtime
        now_us = runtime.clock()
        grant = await authorise(runtime.store, call, now_us)
        if not request.query.strip():
            raise Malformed
        live = await runtime.registry.live(grant.session, now_us)
        try:
            found = await self._asked(live, self._outbound(request.query), call)
            wider = runtime.source.without_recency()
            if wider is not None and not found.results and not found.dropped:
                # Once more on the same source, without the bound on age: a search like any other.
                found = await self._asked(live, self._outbound(request.query, wider), call)
        except Held as held:
            return search_pb2.SearchResponse(hold_id=self._hold_id(held))
        return search_pb2.SearchResponse(query_id=found.query, counts=_counts(found.results))

    async def Release(self, request: search_pb2.ReleaseRequest, call: Call) -> search_pb2.ReleaseResponse:
        """Send what was held, if a person has approved it; answer with the hold while nobody has decided.

        It is asked of the source once: what was let go is not let go again for a source that asks to wait.
        Raises Held where its time is up, it was let go already, or its bytes cannot be made again; Blocked where it
        was rejected, or the checks refuse it by now; and as `Search` does.
        """
        runtime = self._runtime
        now_us = runtime.clock()
        grant = await authorise(runtime.store, call, now_us)
        live = await runtime.registry.live(grant.session, now_us)
        await follow_up(runtime, live)
        hold = live.holds.get(to_uuid(IdType.HELD, request.hold_id))
        if hold.method != Method.SEARCH:
            raise IdRefused
        if hold.is_waiting(now_us, runtime.policy.approval.seconds):
            return search_pb2.ReleaseResponse(hold_id=request.hold_id)
        hold.require_approval(now_us)
        payload = await held_payload(runtime, hold)
        outbound = replace(self._held(payload), hold=hold)
        try:
            found = await runtime.exchange.run(
                live, outbound, runtime.source.send, self._receiver(live), call
            )
        except Held as held:
            return search_pb2.ReleaseResponse(hold_id=self._hold_id(held))
        return search_pb2.ReleaseResponse(query_id=found.query, counts=_counts(found.results))

    async def _asked(self, live: LiveSession, outbound: Outbound, call: Call) -> _Found:
        """Make one search, again where the source asks to wait. Raises what `Exchange.run` raises."""
        runtime = self._runtime
        return await retrying(
            lambda: runtime.exchange.run(live, outbound, runtime.source.send, self._receiver(live), call),
            call,
            runtime.limits.source_attempts,
            runtime.limits,
        )

    def _held(self, payload: bytes) -> Outbound:
        """The search whose bytes a person saw. Raises Held for a gate with another source, which makes others."""
        source = self._runtime.source
        for prepare in (source.prepare_search, source.without_recency()):
            outbound = None if prepare is None else self._outbound(search_text(payload), prepare)
            if outbound is not None and outbound.prepared.canonical() == payload:
                return outbound
        raise Held

    def _hold_id(self, held: Held) -> str:
        """The id under which a person may let a search go. Raises Held where nobody may."""
        if held.row_id is None or self._runtime.policy.approval.seconds == 0:
            raise held
        return from_bytes(IdType.HELD, held.row_id.bytes)

    def _outbound(self, query: str, prepare: Prepare | None = None) -> Outbound:
        prepare = prepare or self._runtime.source.prepare_search
        return Outbound(
            method=Method.SEARCH,
            prepared=prepare(query, MAX_RESULTS),
            text=query,
            rebuild=lambda text: prepare(text, MAX_RESULTS),
        )

    def _receiver(self, live: LiveSession) -> Receive[_Found]:
        runtime = self._runtime

        async def receive(admitted: Admitted, response: RawResponse, _: uuid.UUID) -> tuple[_Found, Received]:
            asked = admitted.outbound
            answer = await runtime.source.answer(asked.text, asked.prepared, response)
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
            return _Found(query.id, results, answer.dropped), Received(keys, response.body)

        return receive


def _result(rank: int, found: SourceResult) -> Result:
    return Result(
        id=mint(IdType.RESULT),
        rank=rank,
        source_class=found.source_class.name.lower(),
        url=found.url,
        title=found.title.replace("\0", ""),
        snippet=found.snippet,
    )


def _counts(results: list[Result]) -> list[search_pb2.ClassCount]:
    counts = Counter(source_class_number(result.source_class) for result in results)
    return [search_pb2.ClassCount(source_class=number, results=counts[number]) for number in sorted(counts)]


def source_class_number(name: str) -> figures_pb2.SourceClass:
    """Return the wire's number of a stored class name."""
    return cast("figures_pb2.SourceClass", figures_pb2.SourceClass.Value(f"SOURCE_CLASS_{name.upper()}"))
