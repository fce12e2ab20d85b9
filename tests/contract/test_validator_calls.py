"""The validator over real connections, with a gate and a reader of the test's own making."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
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
                for i in request.fact_ids
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
        request = examination_pb2.ExamineRequest(
            **({"query_id": QUERY_ID, "unit_class": figures.UNIT_CLASS_CURRENCY, "pages": 4} | changes)
        )
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


async def test_a_true_claim_is_found_and_recorded_before_it_is_returned() -> None:
    """The observation is the page's figure, and the gate holds a fact under its id, with exact spans."""
    async with stage(FakeGate(), lambda: [claim()]) as on:
        answer = await on.examine()
    assert answer.verdict == figures.VERDICT_FOUND
    observation = answer.observations[0]
    assert (observation.value.mantissa, observation.value.exponent) == (12045, 5)
    assert observation.unit.measure == figures.MEASURE_UNKNOWN_DOLLAR
    assert observation.period.part == figures.PERIOD_PART_THREE_MONTHS
    fact = on.gate.recorded[observation.fact_id]
    octets = PAGE.encode()
    assert octets[fact.spans[0].start : fact.spans[0].end].decode().startswith("Net sales\t$ 1,204.5")
    assert fact.label == "Net sales"


async def test_each_peer_gets_its_own_capability_and_nothing_more() -> None:
    """The gate sees the session's capability, the reader the one for this query alone, the query first, then pages."""
    async with stage(FakeGate(), lambda: [claim()]) as on:
        await on.examine()
    assert on.gate.capabilities == [CAPABILITY]
    assert on.reader.capabilities == [READER_CAPABILITY]
    assert on.reader.given == [FakeGate().text, page_id(0)]


async def test_pages_without_a_claim_are_not_found() -> None:
    """A reader that says nothing over pages that hold nothing to the query: not found, and nothing is recorded."""
    gate = FakeGate(pages=[page(text="Halvorsen Pumps, Inc.\n\nNothing to see.\n")])
    async with stage(gate, lambda: []) as on:
        answer = await on.examine()
    assert answer.verdict == figures.VERDICT_NOT_FOUND
    assert not answer.observations
    assert not on.gate.recorded


async def test_a_page_that_could_not_be_read_leaves_it_open() -> None:
    """Where a page is missing, absence cannot be said: cannot check."""
    gate = FakeGate(pages=[], failed=1)
    async with stage(gate, lambda: []) as on:
        assert (await on.examine()).verdict == figures.VERDICT_CANNOT_CHECK


async def test_pages_that_contradict_each_other_prove_nothing() -> None:
    """Two pages with two amounts for one thing: cannot check, and nothing is recorded."""
    other = page(1, PAGE.replace("$ 1,204.5", "$ 1,204.9"))
    claims = [
        claim(),
        claim(page_id=page_id(1), quote=claim().quote.replace("1,204.5", "1,204.9"), value="1,204.9"),
    ]
    async with stage(FakeGate(pages=[page(), other]), lambda: claims) as on:
        answer = await on.examine()
    assert answer.verdict == figures.VERDICT_CANNOT_CHECK
    assert not on.gate.recorded


async def test_pages_that_agree_give_an_observation_each_in_rank_order() -> None:
    """Equal amounts on two pages: two observations, the first page's first."""
    gate = FakeGate(pages=[page(0), page(1)])
    async with stage(gate, lambda: [claim(page_id=page_id(1)), claim()]) as on:
        answer = await on.examine()
    pages = [on.gate.recorded[o.fact_id].page_id for o in answer.observations]
    assert pages == [page_id(0), page_id(1)]


async def test_the_wanted_period_decides() -> None:
    """A typed period of another quarter than the query's is a contradiction: cannot check."""
    typed = figures.Period(
        kind=figures.PERIOD_KIND_TRAILING,
        part=figures.PERIOD_PART_THREE_MONTHS,
        end=figures.Date(year=2023, month=6, day=30),
    )
    async with stage(FakeGate(), lambda: [claim()]) as on:
        answer = await on.examine(period=typed)
    assert answer.verdict == figures.VERDICT_CANNOT_CHECK


async def test_a_page_that_is_not_its_hash_is_refused() -> None:
    """A page whose text does not have the stated hash ends the examination with an error."""
    forged = page()
    forged.text_sha256 = b"\0" * 32
    async with stage(FakeGate(pages=[forged]), lambda: [claim()]) as on:
        with pytest.raises(RpcError) as refused:
            await on.examine()
    assert refused.value.code == ErrorCode.ERROR_CODE_PAGE_UNREADABLE


async def test_an_answer_is_composed_from_recorded_facts() -> None:
    """Value, quote, link, hash and time stand in the answer; a difference is calculated in code."""
    gate = FakeGate(text="Halvorsen Pumps net sales")
    async with stage(gate, lambda: [claim()]) as on:
        for text, said in (
            ("Halvorsen Pumps net sales three months ended June 30, 2024", claim()),
            (
                "Halvorsen Pumps net sales three months ended June 30, 2023",
                claim(value="1,100.2", period="Three Months Ended June 30, 2023"),
            ),
        ):
            on.gate.text = text
            on.reader.claims = lambda said=said: [said]  # type: ignore[misc]  # bound in this turn of the loop
            assert (await on.examine()).verdict == figures.VERDICT_FOUND
        first, second = on.gate.recorded
        answer = await on.compose(
            composition_pb2.ComposeRequest(
                fact_ids=[first],
                operations=[
                    composition_pb2.ComposeOperation(
                        kind=figures.OPERATION_KIND_GROWTH, fact_ids=[second, first]
                    )
                ],
            )
        )
    assert [f.fact_id for f in answer.figures] == [first, second]
    assert answer.figures[0].period == "Three Months Ended June 30, 2024"
    assert answer.figures[0].quotes[0].text == claim().quote
    assert answer.derived[0].unit.measure == figures.MEASURE_PERCENT
    for piece in (
        "$1.2045 billion",
        "https://example.com/0",
        answer.figures[0].page_sha256.hex(),
        "2023-11-14",
    ):
        assert piece in answer.text
    assert "(1,204,500,000 − 1,100,200,000) / 1,100,200,000 × 100" in answer.derived[0].formula


async def test_an_operation_over_unlike_things_is_refused() -> None:
    """A sum of dollars and dollars per share: OPERATION_REFUSED."""
    async with stage(FakeGate(), lambda: [claim()]) as on:
        await on.examine()
        (first,) = on.gate.recorded
        other = record_pb2.Fact()
        other.CopyFrom(on.gate.recorded[first])
        other.unit.per = figures.MEASURE_SHARE
        on.gate.recorded["fct_" + "z" * 26] = other
        with pytest.raises(RpcError) as refused:
            await on.compose(
                composition_pb2.ComposeRequest(
                    operations=[
                        composition_pb2.ComposeOperation(
                            kind=figures.OPERATION_KIND_SUM, fact_ids=[first, "fct_" + "z" * 26]
                        )
                    ]
                )
            )
    assert refused.value.code == ErrorCode.ERROR_CODE_OPERATION_REFUSED


async def test_a_fact_of_another_session_is_refused() -> None:
    """An id that the gate does not give out for this session: ID_REFUSED."""
    async with stage(FakeGate(), lambda: [claim()]) as on:
        with pytest.raises(RpcError) as refused:
            await on.compose(composition_pb2.ComposeRequest(fact_ids=["fct_" + "z" * 26]))
    assert refused.value.code == ErrorCode.ERROR_CODE_ID_REFUSED
