"""The back end without a model: what it claims of rows and sentences, and its bounds."""

from __future__ import annotations

import pytest
from doublethink_figures import Flag, UnitClass, find_periods
from doublethink_reader.claims import MAX_CLAIMS_PER_PAGE, Claim
from doublethink_reader.extractive import extract
from doublethink_reader.query import understand
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.pagetexts import BALANCE, INCOME, SPANNED

PAGE_ID = "pag_" + "a" * 26


def _claims(text: str, query: str, unit_class: UnitClass | None = UnitClass.CURRENCY) -> tuple[Claim, ...]:
    return extract(PAGE_ID, text, understand(query, unit_class, None))


def test_a_row_is_claimed_with_its_headings() -> None:
    """Quote, place, value, scale, unit and period as the page has them; the headings as they stand there."""
    text = INCOME.text()
    first = _claims(text, "Halvorsen Pumps net sales three months ended June 30, 2024")[0]
    assert first.quote == "Net sales\t$ 1,204.5\t$ 1,100.2\t$ 2,310.0\t$ 2,150.4"
    assert text.encode()[first.offset :].decode().startswith(first.quote)
    assert (first.value, first.scale, first.unit) == ("1,204.5", "million", "$")
    assert first.period == "Three Months Ended June 30, 2024"
    assert all(heading in text for heading in first.headings)
    assert first.headings[-1] == "(in millions, except per share data)"


@pytest.mark.parametrize("other", ["June 30, 2023", "Six Months Ended"])
def test_columns_of_other_periods_come_later(other: str) -> None:
    """A column that cannot be the wanted period stands behind the one that is."""
    claims = _claims(INCOME.text(), "Halvorsen Pumps net sales three months ended June 30, 2024")
    wanted = next(i for i, c in enumerate(claims) if c.period == "Three Months Ended June 30, 2024")
    assert all(i > wanted for i, c in enumerate(claims) if other in c.period)
    assert any(other in c.period for c in claims)


def test_brackets_stay_with_a_negative_number() -> None:
    """The value keeps the brackets that make it negative."""
    claims = _claims(INCOME.text(), "Halvorsen Pumps net loss three months ended June 30, 2024")
    assert claims[0].value == "(9.8)"


def test_a_small_loss_in_brackets_is_no_footnote() -> None:
    """A row of losses below a hundred stays a row of values, and the headings over it stay in force."""
    text = INCOME.text().replace(
        "Gross profit\t400.4\t368.3\t765.4\t717.6", "Other loss\t(41)\t(2)\t(74)\t(5)"
    )
    claims = _claims(text, "Halvorsen Pumps other loss three months ended June 30, 2024")
    assert claims[0].value == "(41)"
    assert claims[0].period == "Three Months Ended June 30, 2024"
    after = _claims(text, "Halvorsen Pumps net loss three months ended June 30, 2024")
    assert after[0].period == "Three Months Ended June 30, 2024"


def test_the_unit_follows_the_class_that_is_wanted() -> None:
    """Percent for percent, per share for per share, and no scale with either."""
    page = INCOME.text()
    margin = _claims(page, "gross margin percentage three months ended June 30, 2024", UnitClass.PERCENT)[0]
    assert (margin.value, margin.unit, margin.scale) == ("33.2", "percent", "")
    share = _claims(
        page, "diluted earnings per share three months ended June 30, 2024", UnitClass.CURRENCY_PER
    )[0]
    assert (share.value, share.unit, share.scale) == ("(0.12)", "$_per_share", "")


def test_a_date_alone_is_the_period_of_a_balance() -> None:
    """The column's date, without a length in front."""
    first = _claims(BALANCE.text(), "Halvorsen Pumps total assets June 30, 2024")[0]
    assert (first.value, first.scale, first.period) == ("976,270", "thousand", "June 30, 2024")


def test_a_sentence_is_claimed_with_its_period() -> None:
    """A sentence of the query's words: the figure, its scale and the period that is bound to it."""
    text = "Halvorsen\n\nNet sales for fiscal 2024 were $42.9 million, compared to $44.3 million for fiscal 2023.\n"
    claims = _claims(text, "Halvorsen net sales fiscal 2024")
    assert {(c.value, c.scale, c.unit, c.period) for c in claims} == {
        ("42.9", "million", "$", "fiscal 2024"),
        ("44.3", "million", "$", "fiscal 2023"),
    }


def test_flags_of_label_and_heading_are_carried() -> None:
    """An adjusted row is claimed as adjusted."""
    text = INCOME.text().replace("Gross profit", "Adjusted gross profit")
    first = _claims(text, "adjusted gross profit three months ended June 30, 2024")[0]
    assert first.flags == frozenset({Flag.NON_GAAP})


def test_a_page_without_the_words_gives_nothing() -> None:
    """No row or sentence in common: no claim."""
    assert _claims(BALANCE.text(), "Brenner headcount", UnitClass.COUNT) == ()


def test_claims_are_bounded() -> None:
    """A page of a thousand fitting rows gives the bound and no more."""
    rows = "\n".join(f"Net sales {n}\t$ {n},000.5\t$ {n},100.5\t$ {n},200.5" for n in range(1, 999))
    text = f"T\n\n(in millions)\n\n\t2024\t2023\t2022\n{rows}\n"
    assert len(_claims(text, "net sales")) == MAX_CLAIMS_PER_PAGE


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["", "Net sales", "$ 1,204.5", "(3)", "2024", SPANNED, "50%", "Three Months Ended", "—", "x"]
            ),
            min_size=1,
            max_size=5,
        ),
        max_size=12,
    )
)
def test_any_table_is_read_without_a_fault(rows: list[list[str]]) -> None:
    """Whatever stands in its cells: claims come out whose quotes stand in the page at their offsets."""
    text = "Net sales\n\n" + "\n".join("\t".join(row) for row in rows)
    for claim in _claims(text, "net sales 2024", None):
        assert text.encode()[claim.offset :].decode().startswith(claim.quote)


def test_the_query_gives_its_period_when_none_is_typed() -> None:
    """The one period of the text stands in for a typed one."""
    text = "net sales fiscal 2024"
    assert understand(text, None, None).period == find_periods(text)[0].period
    assert understand("net sales fiscal 2024 fiscal 2023", None, None).period is None
