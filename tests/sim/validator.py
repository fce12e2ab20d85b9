"""A validator between a gate and a reader of the test's own making, over real connections."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import page_pb2, record_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink.validator.v1 import composition_pb2, examination_pb2
from doublethink_rpc import Call, Peer, RpcError
from doublethink_validator.gate import GatePeer
from doublethink_validator.reader import ReaderPeer
from doublethink_validator.service import CompositionService, ExaminationService
from sim.wire import CAPABILITY, Bench, bench, serving

QUERY_ID = "qry_" + "a" * 26
READER_CAPABILITY = b"r" * 32
PAGE = (
    "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n"
    "(in millions, except per share data)\n\n"
    "\tThree Months Ended\t\u2007\tSix Months Ended\t\u2007\n"
    "\tJune 30, 2024\tJune 30, 2023\tJune 30, 2024\tJune 30, 2023\n"
    "Net sales\t$ 1,204.5\t$ 1,100.2\t$ 2,310.0\t$ 2,150.4\n"
    "Net loss\t$ (12.5)\t$ 40.1\t$ (3.0)\t$ 77.7\n"
    "Diluted earnings per share\t$ (0.12)\t$ 0.40\t$ (0.03)\t$ 0.77\n"
)


def page_id(number: int) -> str:
    """The id of the page of that number."""
    return "pag_" + "abcdefgh"[number] * 26


def page(number: int = 0, text: str = PAGE) -> page_pb2.Page:
    """A stored page."""
    return page_pb2.Page(
        page_id=page_id(number),
        url=f"https://example.com/{number}",
        text=text,
        raw_sha256=hashlib.sha256(b"raw").digest(),
        text_sha256=hashlib.sha256(text.encode()).digest(),
        fetched_at_us=1_700_000_000_000_000,
        source_class=figures.SOURCE_CLASS_COMPANY,
        extractor="page-text/1",
    )


def claim(**changes: Any) -> reading_pb2.Claim:
    """The true claim about net sales, with changes."""
    values: dict[str, Any] = {
        "page_id": page_id(0),
        "quote": "Net sales\t$ 1,204.5\t$ 1,100.2\t$ 2,310.0\t$ 2,150.4",
        "heading_quotes": ["(in millions, except per share data)"],
        "quote_offset": -1,
        "value": "1,204.5",
        "scale": "million",
        "unit": "$",
        "period": "Three Months Ended June 30, 2024",
        "direction": figures.DIRECTION_NONE,
    }
    return reading_pb2.Claim(**(values | changes))


@dataclass
class FakeGate:
    """A gate in memory. It keeps what was recorded and what it was shown."""

    text: str = "Halvorsen Pumps net sales three months ended June 30, 2024"
    pages: Sequence[page_pb2.Page] = field(default_factory=lambda: [page()])
    failed: int = 0
    recorded: dict[str, record_pb2.Fact] = field(default_factory=dict)
    capabilities: list[bytes | None] = field(default_factory=list)

    async def FetchPages(  # noqa: N802 - the contract's name
        self, request: page_pb2.FetchPagesRequest, call: Call
    ) -> AsyncIterator[page_pb2.FetchPagesResponse]:
        self.capabilities.append(call.capability)
        yield page_pb2.FetchPagesResponse(
            query=page_pb2.ApprovedQuery(
                query_id=request.query_id, text=self.text, reader_capability=READER_CAPABILITY
            )
        )
        for number in range(self.failed):
            yield page_pb2.FetchPagesResponse(
                failed=page_pb2.FailedPage(outcome=page_pb2.PAGE_OUTCOME_FETCH_FAILED, rank=number + 1)
            )
        for stored in self.pages:
            yield page_pb2.FetchPagesResponse(page=stored)

    async def GetPage(self, request: page_pb2.GetPageRequest, call: Call) -> page_pb2.GetPageResponse:  # noqa: N802 - the contract's name
        for stored in self.pages:
            if stored.page_id == request.page_id:
                return page_pb2.GetPageResponse(page=stored)
        raise RpcError(ErrorCode.ERROR_CODE_ID_REFUSED)

    async def RecordFact(  # noqa: N802 - the contract's name
        self, request: record_pb2.RecordFactRequest, call: Call
    ) -> record_pb2.RecordFactResponse:
        fact_id = "fct_" + "abcdefgh"[len(self.recorded)] * 26
        self.recorded[fact_id] = request.fact
        return record_pb2.RecordFactResponse(fact_id=fact_id)

    async def GetFacts(  # noqa: N802 - the contract's name
        self, request: record_pb2.GetFactsRequest, call: Call
    ) -> record_pb2.GetFactsResponse:
        return record_pb2.GetFactsResponse(
            facts=[
                record_pb2.RecordedFact(fact_id=i, fact=self.recorded[i])
                for i in [
                    *request.fact_ids,
                    *(k for k, v in self.recorded.items() if v.rival and request.rivals),
                ]
                if i in self.recorded
            ]
        )


@dataclass
class FakeReader:
    """A reader that says what a test wants it to say, whatever it is given."""

    claims: Callable[[], Sequence[reading_pb2.Claim]]
    capabilities: list[bytes | None] = field(default_factory=list)
    given: list[str] = field(default_factory=list)

    async def Read(  # noqa: N802 - the contract's name
        self, requests: AsyncIterator[reading_pb2.ReadRequest], call: Call
    ) -> AsyncIterator[reading_pb2.ReadResponse]:
        self.capabilities.append(call.capability)
        async for request in requests:
            kind = request.WhichOneof("item")
            self.given.append(request.query.text if kind == "query" else request.page.page_id)
        for said in self.claims():
            yield reading_pb2.ReadResponse(claim=said)


@dataclass
class Stage:
    """A validator between a fake gate and a fake reader, and the peers that call it."""

    gate: FakeGate
    reader: FakeReader
    planner: Peer
    console: Peer

    async def examine(self, **changes: Any) -> examination_pb2.ExamineResponse:
        """One examination, as the planner asks for it."""
        wanted: dict[str, Any] = {
            "query_id": QUERY_ID,
            "unit_class": figures.UNIT_CLASS_CURRENCY,
            "pages": 4,
        }
        request = examination_pb2.ExamineRequest(**(wanted | changes))
        return await self.planner.call(
            "doublethink.validator.v1.ExaminationService/Examine",
            request,
            examination_pb2.ExamineResponse,
            capability=CAPABILITY,
        )

    async def compose(self, request: composition_pb2.ComposeRequest) -> composition_pb2.ComposeResponse:
        """One composition, as the console asks for it."""
        return await self.console.call(
            "doublethink.validator.v1.CompositionService/Compose",
            request,
            composition_pb2.ComposeResponse,
            capability=CAPABILITY,
        )


@asynccontextmanager
async def stage(gate: FakeGate, claims: Callable[[], Sequence[reading_pb2.Claim]]) -> AsyncIterator[Stage]:
    """A running validator with its two peers."""
    reader = FakeReader(claims)
    async with AsyncExitStack() as stack:
        gate_bench = await stack.enter_async_context(bench())
        reader_bench = await stack.enter_async_context(bench())
        own_bench = await stack.enter_async_context(bench())
        await stack.enter_async_context(
            serving(
                gate_bench,
                [
                    (page_pb2.DESCRIPTOR.services_by_name["PageService"], gate),
                    (record_pb2.DESCRIPTOR.services_by_name["RecordService"], gate),
                ],
            )
        )
        await stack.enter_async_context(
            serving(
                reader_bench,
                [(reading_pb2.DESCRIPTOR.services_by_name["ReadingService"], reader)],
                role="reader",
            )
        )
        to_gate = gate_bench.peer("validator")
        to_reader = Peer(reader_bench.target, "reader", reader_bench.tls("validator"), "validator")
        await stack.enter_async_context(
            serving(
                own_bench,
                [
                    (
                        examination_pb2.DESCRIPTOR.services_by_name["ExaminationService"],
                        ExaminationService(GatePeer(to_gate), ReaderPeer(to_reader)),
                    ),
                    (
                        composition_pb2.DESCRIPTOR.services_by_name["CompositionService"],
                        CompositionService(GatePeer(to_gate)),
                    ),
                ],
                role="validator",
            )
        )
        made = Stage(gate, reader, _peer(own_bench, "planner"), _peer(own_bench, "console"))
        try:
            yield made
        finally:
            for peer in (made.planner, made.console, to_gate, to_reader):
                await peer.close()


def _peer(on: Bench, own_role: str) -> Peer:
    return on.peer(own_role, "validator")
