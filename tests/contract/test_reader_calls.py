"""The reader over real connections: both back ends, the order of messages, and what a model's bad answers
become.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import completion_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink_reader.claims import MAX_CLAIMS
from doublethink_reader.service import BackEnd, Extractive, Model, ReadingService
from doublethink_rpc import Call, Peer, RpcError
from sim.pagetexts import INCOME
from sim.wire import CAPABILITY, bench, serving

QUERY_ID = "qry_" + "a" * 26
PAGE_ID = "pag_" + "a" * 26
QUERY = "Halvorsen Pumps net sales three months ended June 30, 2024"


@dataclass
class FakeGate:
    """A gate whose model answers with one text, or with an error; `of_page` says otherwise for some pages."""

    answer: str = '{"claims": []}'
    error: int | None = None
    of_page: dict[str, str | int] = field(default_factory=dict)
    asked: list[tuple[completion_pb2.CompleteRequest, bytes | None]] = field(default_factory=list)

    async def Complete(  # noqa: N802 - the contract's name
        self, request: completion_pb2.CompleteRequest, call: Call
    ) -> completion_pb2.CompleteResponse:
        self.asked.append((request, call.capability))
        (page,) = request.page_ids
        said = self.of_page.get(page, self.answer if self.error is None else self.error)
        if isinstance(said, int):
            raise RpcError(said)
        return completion_pb2.CompleteResponse(completion=said)


def _query(**changes: Any) -> reading_pb2.ReadRequest:
    values: dict[str, Any] = {
        "query_id": QUERY_ID,
        "text": QUERY,
        "unit_class": figures.UNIT_CLASS_CURRENCY,
    } | changes
    return reading_pb2.ReadRequest(query=reading_pb2.ReadQuery(**values))


def _page(page_id: str = PAGE_ID, text: str | None = None) -> reading_pb2.ReadRequest:
    return reading_pb2.ReadRequest(page=reading_pb2.ReadPage(page_id=page_id, text=text or INCOME.text()))


def _claiming(value: str, times: int = 1) -> str:
    """A model's answer with one claim, so many times."""
    said = {
        "page": 1,
        "quote": "Invented.",
        "heading_quotes": [],
        "value": value,
        "scale": "",
        "unit": "$",
        "period": "",
        "direction": "none",
        "flags": [],
    }
    return json.dumps({"claims": [said] * times})


@asynccontextmanager
async def _reader(back_end: BackEnd) -> AsyncIterator[Peer]:
    async with bench() as on:
        service = reading_pb2.DESCRIPTOR.services_by_name["ReadingService"]
        async with serving(on, [(service, ReadingService(back_end))], role="reader"):
            peer = on.peer("validator", "reader")
            try:
                yield peer
            finally:
                await peer.close()


@asynccontextmanager
async def _model(gate: FakeGate) -> AsyncIterator[Peer]:
    async with AsyncExitStack() as stack:
        on = await stack.enter_async_context(bench())
        service = completion_pb2.DESCRIPTOR.services_by_name["CompletionService"]
        await stack.enter_async_context(serving(on, [(service, gate)]))
        to_gate = on.peer("reader")
        stack.push_async_callback(to_gate.close)
        yield await stack.enter_async_context(_reader(Model(to_gate)))


async def _read(peer: Peer, requests: Sequence[reading_pb2.ReadRequest]) -> list[reading_pb2.Claim]:
    async def sending() -> AsyncIterator[reading_pb2.ReadRequest]:
        for request in requests:
            yield request

    answers = peer.converse(
        "doublethink.reader.v1.ReadingService/Read",
        sending(),
        reading_pb2.ReadResponse,
        capability=CAPABILITY,
    )
    return [answer.claim async for answer in answers]


async def test_the_extractive_back_end_claims_what_the_page_says() -> None:
    """A query and a page in; the row's claim first, with its quote and place."""
    async with _reader(Extractive()) as peer:
        claims = await _read(peer, [_query(), _page()])
    assert claims[0].value == "1,204.5"
    assert claims[0].page_id == PAGE_ID
    assert INCOME.text().encode()[claims[0].quote_offset :].decode().startswith(claims[0].quote)


@pytest.mark.parametrize(
    "requests",
    [
        [],
        [_page()],
        [_page(), _query()],
        [_query(), _query()],
        [_query(), _page(), _page()],
        [_query(), *(_page("pag_" + letter * 26) for letter in "abcdefghi")],
        [_query(period=figures.Period(kind=figures.PERIOD_KIND_FISCAL)), _page()],
    ],
    ids=["nothing", "no query", "query late", "query twice", "page twice", "nine pages", "half a period"],
)
async def test_a_stream_out_of_order_is_malformed(requests: list[reading_pb2.ReadRequest]) -> None:
    """The query comes first and once, each page once, at most eight."""
    async with _reader(Extractive()) as peer:
        with pytest.raises(RpcError) as refused:
            await _read(peer, requests)
    assert refused.value.code == ErrorCode.ERROR_CODE_MALFORMED


async def test_the_model_is_asked_by_reference_under_the_querys_capability() -> None:
    """The gate gets template, query id and page ids, and no text; the capability is the one that was
    presented.
    """
    gate = FakeGate()
    async with _model(gate) as peer:
        assert await _read(peer, [_query(), _page()]) == []
    ((request, capability),) = gate.asked
    assert capability == CAPABILITY
    assert request == completion_pb2.CompleteRequest(
        template=completion_pb2.TEMPLATE_EXTRACT_CLAIMS, query_id=QUERY_ID, page_ids=[PAGE_ID]
    )


async def test_the_models_claims_are_passed_on() -> None:
    """Invented quotes too: whether they stand on the page is the validator's question. A flood is cut."""
    async with _model(FakeGate(_claiming("1", MAX_CLAIMS + 9))) as peer:
        claims = await _read(peer, [_query(), _page()])
    assert len(claims) == MAX_CLAIMS
    assert {claim.quote for claim in claims} == {"Invented."}


PAGES = ["pag_" + letter * 26 for letter in "abcd"]


async def test_each_page_is_a_request_of_its_own() -> None:
    """Whatever one page says, the model answers about another without having seen it; claims keep the pages' order."""
    gate = FakeGate(of_page={page: _claiming(str(rank)) for rank, page in enumerate(PAGES)})
    async with _model(gate) as peer:
        claims = await _read(peer, [_query(), *map(_page, PAGES)])
    assert sorted(page for request, _ in gate.asked for page in request.page_ids) == PAGES
    assert [(claim.page_id, claim.value) for claim in claims] == [
        (page, str(rank)) for rank, page in enumerate(PAGES)
    ]


async def test_a_flood_about_one_page_leaves_room_for_the_others() -> None:
    """The bound of all claims is shared out among the pages."""
    gate = FakeGate(of_page={PAGES[0]: _claiming("0", MAX_CLAIMS + 9)}, answer=_claiming("1"))
    async with _model(gate) as peer:
        claims = await _read(peer, [_query(), *map(_page, PAGES)])
    assert [claim.page_id for claim in claims if claim.page_id != PAGES[0]] == PAGES[1:]
    assert len(claims) == MAX_CLAIMS // 4 + 3


@pytest.mark.parametrize(
    "said", [ErrorCode.ERROR_CODE_MODEL_ANSWER_REFUSED, "I will not.", '{"claims": [{}]}']
)
async def test_a_page_that_the_model_cannot_answer_about_is_left_out_alone(said: str | int) -> None:
    """A page that makes the model decline or talk takes no claim of another page along."""
    gate = FakeGate(of_page={PAGES[1]: said}, answer=_claiming("7"))
    async with _model(gate) as peer:
        claims = await _read(peer, [_query(), *map(_page, PAGES)])
    assert [claim.page_id for claim in claims] == [PAGES[0], *PAGES[2:]]


@pytest.mark.parametrize(
    "code", [ErrorCode.ERROR_CODE_MODEL_UNAVAILABLE, ErrorCode.ERROR_CODE_BUDGET_EXHAUSTED]
)
async def test_what_is_about_more_than_a_page_ends_the_reading(code: int) -> None:
    """A vendor that is away or a budget that is used up is the call's own end, whatever else was answered."""
    gate = FakeGate(of_page={PAGES[1]: code}, answer=_claiming("7"))
    async with _model(gate) as peer:
        with pytest.raises(RpcError) as refused:
            await _read(peer, [_query(), *map(_page, PAGES)])
    assert refused.value.code == code


@pytest.mark.parametrize(
    "answer", ["I will not.", '{"claims": [{"page": 1', '{"claims": [{"page": 2}]}', "null"]
)
async def test_a_bad_answer_is_refused(answer: str) -> None:
    """What is not the promised JSON gives no claim but the one error for it."""
    async with _model(FakeGate(answer)) as peer:
        with pytest.raises(RpcError) as refused:
            await _read(peer, [_query(), _page()])
    assert refused.value.code == ErrorCode.ERROR_CODE_MODEL_ANSWER_REFUSED


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.ERROR_CODE_MODEL_UNAVAILABLE,
        ErrorCode.ERROR_CODE_BLOCKED,
        ErrorCode.ERROR_CODE_BUDGET_EXHAUSTED,
    ],
)
async def test_the_gates_refusal_reaches_the_caller(code: int) -> None:
    """A blocked, unpaid or absent model is the same error to the validator."""
    async with _model(FakeGate(error=code)) as peer:
        with pytest.raises(RpcError) as refused:
            await _read(peer, [_query(), _page()])
    assert refused.value.code == code
