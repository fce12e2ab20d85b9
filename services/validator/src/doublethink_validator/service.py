"""The two services of the validator: examine for the planner, compose for the console."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import page_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink.validator.v1 import composition_pb2, examination_pb2
from doublethink_figures.errors import OperationRefused
from doublethink_rpc import Call, RpcError, log
from doublethink_rpc.failpoint import reach

from .composition import compose
from .errors import NotProven, RecordContradicted
from .examination import Examination, Material, Proven, Verdict, examine
from .facts import to_fact
from .failpoints import Point
from .gate import Fetched, Gate
from .proof import Claim
from .reader import Reader
from .wire import period_in, unit_class_in

_VERDICTS: Final = {
    Verdict.FOUND: figures_pb2.VERDICT_FOUND,
    Verdict.NOT_FOUND: figures_pb2.VERDICT_NOT_FOUND,
    Verdict.CANNOT_CHECK: figures_pb2.VERDICT_CANNOT_CHECK,
}
_MAX_READ_CHARS: Final = 1_000_000
"""Of one page. Long filings stay well below; a hostile page must not use up the time of the honest ones."""
_MARGIN_S: Final = 5.0
"""Kept back of the caller's time, for proving and recording."""


@dataclass(frozen=True, slots=True)
class ExaminationService:
    """`ExaminationService.Examine`. result_titles: see config.Examination."""

    gate: Gate
    reader: Reader
    result_titles: bool = False

    async def Examine(
        self, request: examination_pb2.ExamineRequest, call: Call
    ) -> examination_pb2.ExamineResponse:
        """Whether the query's pages prove a figure. Raises `RpcError`."""
        capability = _capability(call)
        try:
            period = period_in(request.period) if request.HasField("period") else None
        except ValueError:
            raise RpcError(ErrorCode.ERROR_CODE_MALFORMED) from None
        fetched = await self._fetch(request, capability, call)
        await reach(Point.AFTER_PAGES)
        claims = await self._read(request, fetched, call)
        materials = [
            _material(page, claims.get(page.page_id, []), titled=self.result_titles) for page in fetched.pages
        ]
        result = await asyncio.to_thread(
            examine,
            fetched.query.text,
            period,
            unit_class_in(request.unit_class),
            materials,
            unread=fetched.failed,
        )
        response = await self._record(request.query_id, result, capability)
        log().info(
            "examined",
            query_id=request.query_id,
            verdict=result.verdict,
            pages=len(materials),
            claims=sum(len(m.claims) for m in materials),
            kept=len(response.observations),
        )
        return response

    async def _fetch(self, request: examination_pb2.ExamineRequest, capability: bytes, call: Call) -> Fetched:
        fetched = await self.gate.fetch(
            page_pb2.FetchPagesRequest(
                query_id=request.query_id, source_class=request.source_class, pages=request.pages
            ),
            capability,
            max(0.0, call.remaining() - _MARGIN_S),
        )
        if fetched is None:
            raise RpcError(ErrorCode.ERROR_CODE_MALFORMED)
        for page in fetched.pages:
            if hashlib.sha256(page.text.encode()).digest() != page.text_sha256:
                raise RpcError(ErrorCode.ERROR_CODE_PAGE_UNREADABLE)
        return fetched

    async def _read(
        self, request: examination_pb2.ExamineRequest, fetched: Fetched, call: Call
    ) -> dict[str, list[Claim]]:
        """The reader's claims. The empty page is not handed over: the contract has no form for it."""
        pages = [page for page in fetched.pages if page.text]
        if not pages:
            return {}
        query = reading_pb2.ReadQuery(
            query_id=request.query_id, text=fetched.query.text, unit_class=request.unit_class
        )
        if request.HasField("period"):
            query.period.CopyFrom(request.period)
        return await self.reader.read(
            query, pages, fetched.query.reader_capability, max(0.0, call.remaining() - _MARGIN_S)
        )

    async def _record(
        self, query_id: str, result: Examination, capability: bytes
    ) -> examination_pb2.ExamineResponse:
        """The answer; its facts are recorded before it is given."""
        response = examination_pb2.ExamineResponse(verdict=_VERDICTS[result.verdict])
        for proven in result.proven:
            try:
                fact = to_fact(query_id, proven)
            except NotProven:
                log().warning("fact_not_recordable", query_id=query_id)
                continue
            observation = response.observations.add(value=fact.value, unit=fact.unit)
            if fact.HasField("period"):
                observation.period.CopyFrom(fact.period)
            await reach(Point.BEFORE_RECORD)
            observation.fact_id = await self.gate.record(fact, capability)
            await reach(Point.AFTER_RECORD)
        if result.proven and not response.observations:
            response.verdict = figures_pb2.VERDICT_CANNOT_CHECK
        await self._record_rivals(query_id, result.rivals, capability)
        return response

    async def _record_rivals(self, query_id: str, rivals: Sequence[Proven], capability: bytes) -> None:
        """Record what stands against each other, for the answer alone: the planner learns nothing of it."""
        try:
            for rival in rivals:
                fact = to_fact(query_id, rival)
                fact.rival = True
                await self.gate.record(fact, capability)
        except NotProven:
            log().warning("fact_not_recordable", query_id=query_id)
        except RpcError as error:
            if error.code != ErrorCode.ERROR_CODE_BUDGET_EXHAUSTED:
                raise
            log().warning("rivals_not_recorded", query_id=query_id)


@dataclass(frozen=True, slots=True)
class CompositionService:
    """`CompositionService.Compose`."""

    gate: Gate

    async def Compose(
        self, request: composition_pb2.ComposeRequest, call: Call
    ) -> composition_pb2.ComposeResponse:
        """The answer of a plan: every figure re-checked against its stored page. Raises `RpcError`."""
        capability = _capability(call)
        fact_ids = list(
            dict.fromkeys([*request.fact_ids, *(i for o in request.operations for i in o.fact_ids)])
        )
        facts = await self.gate.facts(fact_ids, capability)
        rivals = {fact_id: fact for fact_id, fact in facts.items() if fact.rival}
        # A figure that was not chosen is in no plan.
        if set(facts) - set(rivals) != set(fact_ids):
            raise RpcError(ErrorCode.ERROR_CODE_ID_REFUSED)
        pages = {
            page_id: await self.gate.page(page_id, capability)
            for page_id in dict.fromkeys(fact.page_id for fact in facts.values())
        }
        try:
            return await asyncio.to_thread(compose, request, facts, pages)
        except RecordContradicted:
            log().error("record_contradicted", facts=len(facts))
            raise RpcError(ErrorCode.ERROR_CODE_PAGE_UNREADABLE) from None
        except OperationRefused:
            raise RpcError(ErrorCode.ERROR_CODE_OPERATION_REFUSED) from None


def _material(page: page_pb2.Page, claims: Sequence[Claim], *, titled: bool) -> Material:
    """A page with its claims, read up to a bound: what lies behind it counts as not read."""
    text, cut = page.text, page.cut
    if len(text) > _MAX_READ_CHARS:
        text, cut = text[: text.rfind("\n", 0, _MAX_READ_CHARS) + 1], True
    return Material(page.page_id, text, cut, claims, page.result_title if titled else "")


def _capability(call: Call) -> bytes:
    if call.capability is None:
        raise RpcError(ErrorCode.ERROR_CODE_CAPABILITY_REFUSED)
    return call.capability
