"""I7: every number in an answer rests on one to four exact spans of one stored page, each byte-exact by
offset.
"""

from __future__ import annotations

import hashlib

import pytest
from doublethink.gate.v1 import page_pb2, record_pb2
from doublethink.validator.v1 import composition_pb2
from doublethink_figures import UnitClass
from doublethink_validator.composition import compose
from doublethink_validator.errors import RecordContradicted
from doublethink_validator.examination import Material, Proven, Verdict, examine
from doublethink_validator.facts import to_fact
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.honest import claims_of
from sim.pagetexts import BALANCE, INCOME, statements

QUERY_ID = "qry_" + "a" * 26
PAGE_ID = "pag_" + "a" * 26
FACT_ID = "fct_" + "a" * 26
# Characters of one to four bytes before, between and after the figures, so that bytes and characters differ.
WIDE = "Zürich – €1 ﬁve 😀 \u00a0日本\n\n"


def _page(text: str) -> page_pb2.Page:
    return page_pb2.Page(
        page_id=PAGE_ID,
        url="https://example.com/",
        text=text,
        raw_sha256=hashlib.sha256(b"raw").digest(),
        text_sha256=hashlib.sha256(text.encode()).digest(),
        fetched_at_us=1,
        extractor="page-text/1",
    )


def _proven(text: str, query: str, unit_class: UnitClass = UnitClass.CURRENCY) -> tuple[Proven, ...]:
    result = examine(query, None, unit_class, [Material(PAGE_ID, text, False, claims_of(text))])
    assert result.verdict is Verdict.FOUND
    return result.proven


def _fact(text: str, query: str) -> record_pb2.Fact:
    return to_fact(QUERY_ID, _proven(text, query)[0])


def _wide(text: str) -> str:
    title, rest = text.split("\n", 1)
    return f"{title}\n\n{WIDE}{rest.lstrip()}\n\n{WIDE}"


NET_SALES = "Halvorsen Pumps net sales three months ended June 30, 2024"


def test_every_recorded_span_is_byte_exact() -> None:
    """Figure, period, scale and subject: each span cuts whole characters out of the page, and they say
    what they are of.
    """
    text = _wide(INCOME.text())
    fact = _fact(text, NET_SALES)
    octets = text.encode()
    spans = {span.role: octets[span.start : span.end].decode("utf-8") for span in fact.spans}
    assert 1 <= len(fact.spans) <= 4
    assert fact.spans[0].role == record_pb2.SPAN_ROLE_FIGURE
    assert spans[record_pb2.SPAN_ROLE_FIGURE] == "Net sales\t$ 1,204.5\t$ 1,100.2\t$ 2,310.0\t$ 2,150.4"
    assert spans[record_pb2.SPAN_ROLE_PERIOD].startswith("Three Months Ended")
    assert spans[record_pb2.SPAN_ROLE_PERIOD].endswith("June 30, 2024")
    assert spans[record_pb2.SPAN_ROLE_SCALE] == INCOME.scale
    assert "halvorsen pumps" in spans[record_pb2.SPAN_ROLE_SUBJECT].casefold()


@pytest.mark.parametrize("seed", range(2))
def test_spans_are_exact_on_pages_of_every_form(seed: int) -> None:
    """Whatever is found on a page of statements, its spans decode, and the figure's own holds the printed
    digits.
    """
    for statement in statements(seed):
        text = _wide(statement.text())
        octets = text.encode()
        for proven in _proven(
            text, f"Halvorsen Pumps {statement.lines[0].label} {' '.join(statement.columns[0])}"
        ):
            fact = to_fact(QUERY_ID, proven)
            for span in fact.spans:
                assert octets[span.start : span.end].decode("utf-8")
            own = octets[fact.spans[0].start : fact.spans[0].end].decode("utf-8")
            assert statement.lines[0].values[0] in own


def test_the_answer_quotes_the_page_and_nothing_else() -> None:
    """Each quote of an answer is the page's bytes from start to end, and the hash is the page's."""
    text = _wide(BALANCE.text())
    fact = _fact(text, "Halvorsen Pumps total assets as of June 30, 2024")
    answer = compose(
        composition_pb2.ComposeRequest(fact_ids=[FACT_ID]), {FACT_ID: fact}, {PAGE_ID: _page(text)}
    )
    octets = text.encode()
    for quote in answer.figures[0].quotes:
        assert quote.text.encode() == octets[quote.start : quote.end]
    assert answer.figures[0].page_sha256 == hashlib.sha256(octets).digest()


def test_another_text_under_the_same_id_is_refused() -> None:
    """A page whose text is not what its hash says composes nothing."""
    text = INCOME.text()
    page = _page(text)
    page.text = text.replace("1,204.5", "1,204.6")
    with pytest.raises(RecordContradicted):
        compose(
            composition_pb2.ComposeRequest(fact_ids=[FACT_ID]),
            {FACT_ID: _fact(text, NET_SALES)},
            {PAGE_ID: page},
        )


@settings(max_examples=60, deadline=None)
@given(shift=st.integers(-400, 400), which=st.integers(0, 3), stretch=st.integers(-20, 20))
def test_a_moved_span_is_refused_or_still_holds_the_digits(shift: int, which: int, stretch: int) -> None:
    """A record whose spans were moved gives no answer, unless what it now quotes still holds the figure's
    digits.
    """
    text = _wide(INCOME.text())
    fact = _fact(text, NET_SALES)
    span = fact.spans[which % len(fact.spans)]
    span.start = max(0, span.start + shift)
    span.end = max(1, span.end + shift + stretch)
    try:
        answer = compose(
            composition_pb2.ComposeRequest(fact_ids=[FACT_ID]), {FACT_ID: fact}, {PAGE_ID: _page(text)}
        )
    except RecordContradicted:
        return
    octets = text.encode()
    for quote in answer.figures[0].quotes:
        assert quote.text.encode() == octets[quote.start : quote.end]
    assert "1,204.5" in answer.figures[0].quotes[0].text


def test_a_value_that_is_not_in_its_quote_is_refused() -> None:
    """A record with another value than its quote holds composes nothing."""
    text = INCOME.text()
    fact = _fact(text, NET_SALES)
    fact.value.mantissa += 1
    with pytest.raises(RecordContradicted):
        compose(composition_pb2.ComposeRequest(fact_ids=[FACT_ID]), {FACT_ID: fact}, {PAGE_ID: _page(text)})
