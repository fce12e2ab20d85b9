"""The validator over real connections, with a gate and a reader of the test's own making."""

from __future__ import annotations

import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import record_pb2
from doublethink.validator.v1 import composition_pb2, examination_pb2
from doublethink_rpc import RpcError
from sim.validator import PAGE, READER_CAPABILITY, FakeGate, claim, page, page_id, stage
from sim.wire import CAPABILITY


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
    """The gate sees the session's capability, the reader the one for this query alone, the query first,
    then pages.
    """
    async with stage(FakeGate(), lambda: [claim()]) as on:
        await on.examine()
    assert on.gate.capabilities == [CAPABILITY]
    assert on.reader.capabilities == [READER_CAPABILITY]
    assert on.reader.given == [FakeGate().text, page_id(0)]


async def test_pages_without_a_claim_are_not_found() -> None:
    """A reader that says nothing over pages that hold nothing to the query: not found, and nothing is
    recorded.
    """
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


OTHER = page(1, PAGE.replace("$ 1,204.5", "$ 1,204.9"))
CONTRADICTING = [
    claim(),
    claim(page_id=page_id(1), quote=claim().quote.replace("1,204.5", "1,204.9"), value="1,204.9"),
]


async def test_pages_that_contradict_each_other_prove_nothing() -> None:
    """Two pages with two amounts for one thing: cannot check, and the planner gets no number and no id. What stands
    against each other is recorded as such.
    """
    async with stage(FakeGate(pages=[page(), OTHER]), lambda: CONTRADICTING) as on:
        answer = await on.examine()
    assert answer == examination_pb2.ExamineResponse(verdict=figures.VERDICT_CANNOT_CHECK)
    assert [fact.page_id for fact in on.gate.recorded.values()] == [page_id(0), page_id(1)]
    assert all(fact.rival for fact in on.gate.recorded.values())


async def test_what_stands_against_each_other_is_shown_one_by_one() -> None:
    """Each with its own quote, link, period, time and hash, whether anything was answered or not; asked again in the
    same words, they are one group.
    """
    async with stage(FakeGate(pages=[page(), OTHER]), lambda: CONTRADICTING) as on:
        await on.examine()
        await on.examine()
        answer = await on.compose(composition_pb2.ComposeRequest())
    assert len(on.gate.recorded) == 4
    assert [(r.group, r.figure.shown) for r in answer.rivals] == [
        (1, "$1.2045 billion"),
        (1, "$1.2049 billion"),
    ]
    for rival, stored in zip(answer.rivals, on.gate.pages, strict=True):
        shown = rival.figure
        octets = stored.text.encode()
        assert shown.url == stored.url
        assert shown.period == "Three Months Ended June 30, 2024"
        assert shown.fetched_at_us == stored.fetched_at_us
        assert (shown.page_sha256, shown.raw_sha256) == (stored.text_sha256, stored.raw_sha256)
        assert all(quote.text.encode() == octets[quote.start : quote.end] for quote in shown.quotes)
    assert not answer.figures
    assert "$1.2045 billion" in answer.text
    assert "$1.2049 billion" in answer.text


async def test_a_figure_that_was_not_chosen_enters_no_plan() -> None:
    """Whoever names a rival as a fact of a plan is refused: it is in no answer and in no calculation."""
    async with stage(FakeGate(pages=[page(), OTHER]), lambda: CONTRADICTING) as on:
        await on.examine()
        (first, second) = on.gate.recorded
        for request in (
            composition_pb2.ComposeRequest(fact_ids=[first]),
            composition_pb2.ComposeRequest(
                operations=[
                    composition_pb2.ComposeOperation(
                        kind=figures.OPERATION_KIND_MEAN, fact_ids=[first, second]
                    )
                ]
            ),
        ):
            with pytest.raises(RpcError) as refused:
                await on.compose(request)
            assert refused.value.code == ErrorCode.ERROR_CODE_ID_REFUSED


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
