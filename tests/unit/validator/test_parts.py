"""The parts of the proof: fold, page texts and their offsets, whom a page is about, fiscal calendars, answers."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from doublethink.figures.v1 import figures_pb2 as pb
from doublethink_figures import Match, Measure, Part, Period, PeriodKind, Span, Unit, UnitClass
from doublethink_validator.errors import NotProven, QueryNotUnderstood
from doublethink_validator.fiscal import fiscal_calendar
from doublethink_validator.fold import fold
from doublethink_validator.identity import identify
from doublethink_validator.pagetext import Page, Table
from doublethink_validator.prose import amount, for_reading
from doublethink_validator.subject import understand
from doublethink_validator.wire import decimal_in, decimal_out, period_in, period_out, unit_in, unit_out
from hypothesis import given, settings
from hypothesis import strategies as st

_TEXT = st.text(alphabet=st.sampled_from(list("ab1 \t\n\u00a0\u00adﬁ—“”é😀")), max_size=40)


@settings(max_examples=150, deadline=None)
@given(_TEXT, st.data())
def test_a_copy_is_found_where_it_stands(text: str, data: st.DataObject) -> None:
    """Any stretch of a text that is not white space alone is found in it, and a place found folds to the same."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    piece = text[start:end]
    found = fold(text).find(piece)
    if fold(piece).text.strip():
        assert found or len(fold(text).text.split(fold(piece).text.strip())) > 16
    for place in found:
        assert fold(place.of(text)).text.strip() == fold(piece).text.strip()


def test_the_fold_forgives_print_and_nothing_else() -> None:
    """White space, quotes, dashes, ligatures, soft hyphens; not case, not a letter."""
    folded = fold("The \u201cﬁrst\u201d quarter\u2014net\u00ad sales of\u00a0$5")
    assert folded.find('The "first"  quarter-net sales of $5')
    assert not folded.find('the "first"')
    assert not folded.find("net sale of")
    assert not folded.find("")


@settings(max_examples=100, deadline=None)
@given(_TEXT, st.data())
def test_offsets_are_those_of_the_encoded_text(text: str, data: st.DataObject) -> None:
    """For any span of any text the bytes at its offsets are the span's characters."""
    page = Page(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = page.octets(Span(start, end))
    assert text.encode()[first:last].decode() == text[start:end]


def test_cells_cover_the_columns_they_span() -> None:
    """A continuation belongs to the cell before it; places are characters of the page."""
    text = "Title\n\n\tThree Months\t\u2007\tSix Months\nSales\t1\t2\t3\n\nEnd\n"
    page = Page(text)
    table = page.blocks[0]
    assert isinstance(table, Table)
    heading = table.rows[0].cells[1]
    assert (heading.text, heading.column, heading.width) == ("Three Months", 1, 2)
    assert [c.span.of(text) for c in table.rows[1].cells] == ["Sales", "1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "query", "known"),
    [
        ("Nestlé - Wikipedia\n\nText.\n", ("nestle", "revenue"), True),
        (
            "x\n\nTHE HOME DEPOT, INC.\n\n(Exact name of registrant as specified in its charter)\n",
            ("home", "depot"),
            True,
        ),
        ("x\n\nGameStop Corp. (“GameStop,” “we,” or the “Company”) is a retailer.\n", ("gamestop",), True),
        ("x\n\nAlcoa Corporation and subsidiaries\n", ("alcoa",), True),
        ("x\n\nTHE BUCKLE, INC. REPORTS NET INCOME\n", ("buckle",), True),
        ("x\n\nWe sell to Brenner Flow, Inc. and others.\n", ("brenner", "flow"), False),
        ("x\n\nApple Hospitality REIT, Inc.\n", ("apple", "revenue"), False),
        ("Net sales\n\nNet sales, Inc.\n", ("net", "sale"), False),
    ],
)
def test_a_page_is_about_whom_it_names_itself(text: str, query: tuple[str, ...], known: bool) -> None:
    """Title, registrant's line, heading, headline, defined short form; never a mere mention or half a name."""
    assert (identify(Page(text)).name_in(query) is not None) is known


def _label(year: int, part: Part = Part.YEAR, kind: PeriodKind = PeriodKind.FISCAL) -> Period:
    return Period(kind, year, part)


def _months(part: Part, end: date) -> Period:
    return Period(PeriodKind.TRAILING, None, part, end)


def test_a_defined_fiscal_year_places_its_quarters() -> None:
    """From "fiscal 2023 ... ending January 28, 2024" follow its quarters and those of the years beside it."""
    calendar = fiscal_calendar(
        Page("T\n\nfiscal 2023\tFiscal year ending January 28, 2024\n\nThree months ended.\n")
    )
    second = _label(2023, Part.Q2)
    assert calendar.is_wanted(_months(Part.THREE_MONTHS, date(2023, 7, 30)), second) is Match.EXACT
    assert calendar.is_wanted(_months(Part.THREE_MONTHS, date(2022, 7, 31)), second) is Match.NO
    assert calendar.is_wanted(_months(Part.SIX_MONTHS, date(2023, 7, 30)), second) is Match.NO
    assert (
        calendar.is_wanted(_months(Part.THREE_MONTHS, date(2022, 7, 31)), _label(2022, Part.Q2))
        is Match.EXACT
    )


def test_nothing_said_is_nothing_known() -> None:
    """Without a statement of the page a fiscal quarter stays ambiguous, and so do contradicting statements."""
    silent = fiscal_calendar(Page("T\n\nThree months ended July 30, 2023.\n"))
    stated = _months(Part.THREE_MONTHS, date(2023, 7, 30))
    assert silent.is_wanted(stated, _label(2023, Part.Q2)) is Match.AMBIGUOUS
    torn = fiscal_calendar(
        Page(
            "T\n\nyear ended January 28, 2024 (“fiscal 2023”)\n\nyear ended January 29, 2023 (“fiscal 2023”)\n"
        )
    )
    assert torn.is_wanted(stated, _label(2023, Part.Q2)) is Match.AMBIGUOUS


def test_the_calendar_year_needs_a_december_closing() -> None:
    """The second quarter of 2018 is that of June 30 where the page's years end in December, and open elsewhere."""
    stated = _months(Part.THREE_MONTHS, date(2018, 6, 30))
    wanted = _label(2018, Part.Q2, PeriodKind.UNSPECIFIED_YEAR)
    december = fiscal_calendar(Page("T\n\nfor the year ended December 31, 2017\n"))
    september = fiscal_calendar(Page("T\n\nfor the year ended September 29, 2017\n"))
    assert december.is_wanted(stated, wanted) is Match.EXACT
    assert september.is_wanted(stated, wanted) is not Match.EXACT


@pytest.mark.parametrize(
    "text",
    ["", "2024", "net sales of the quarter", "the of and", "net sales fiscal 2023 fiscal 2024", "word " * 80],
)
def test_a_query_that_names_nothing_or_too_much_is_not_understood(text: str) -> None:
    """No word, a period that cannot be read, two periods, or no end of words."""
    with pytest.raises(QueryNotUnderstood):
        understand(text, None, UnitClass.CURRENCY)


def test_words_of_a_query_are_kept_apart_from_its_period() -> None:
    """Third-party stays a word; the third quarter is a period; current liabilities are not the current quarter."""
    subject = understand("Alcoa third-party current liabilities third quarter of 2018", None, None)
    assert subject.stems == ("alcoa", "third", "party", "current", "liability")


@settings(max_examples=150, deadline=None)
@given(st.integers(-(10**12) + 1, 10**12 - 1), st.integers(-6, 9))
def test_decimals_cross_the_wire_unchanged(mantissa: int, exponent: int) -> None:
    """Twelve significant digits and a moderate exponent come back as they went."""
    value = Decimal(mantissa).scaleb(exponent)
    assert decimal_in(decimal_out(value)) == value


def test_a_value_of_thirteen_digits_is_refused() -> None:
    """More than the contract holds is not rounded."""
    with pytest.raises(NotProven):
        decimal_out(Decimal("1234567890123"))


@pytest.mark.parametrize(
    "unit", [Unit(Measure.EUR), Unit(Measure.UNKNOWN_DOLLAR), Unit(Measure.USD, Measure.SHARE)]
)
def test_units_cross_the_wire_unchanged(unit: Unit) -> None:
    """Currencies, the dollar of no country, and amounts per another."""
    assert unit_in(unit_out(unit)) == unit


def test_a_currency_the_contract_lacks_is_refused() -> None:
    """A unit that cannot be said is no fact."""
    with pytest.raises(NotProven):
        unit_out(Unit(Measure.UAH))


def test_periods_cross_the_wire() -> None:
    """Year, part and end come back; weeks become the months that they stand for; half a period is refused."""
    period = Period(PeriodKind.TRAILING, None, Part.THIRTEEN_WEEKS, date(2024, 11, 2))
    message = period_out(period)
    assert message is not None
    assert period_in(message) == Period(PeriodKind.TRAILING, None, Part.THREE_MONTHS, date(2024, 11, 2))
    with pytest.raises(ValueError, match="kind and a part"):
        period_in(pb.Period(year=2024))


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("42916000000", Unit(Measure.UNKNOWN_DOLLAR), "$42.916 billion"),
        ("-2800000", Unit(Measure.USD), "-US$2.8 million"),
        ("972318000", Unit(Measure.EUR), "€972.318 million"),
        ("250000", Unit(Measure.CHF), "CHF 250,000"),
        ("4.65", Unit(Measure.UNKNOWN_DOLLAR, Measure.SHARE), "$4.65 per share"),
        ("-2.0", Unit(Measure.PERCENT), "-2%"),
        ("281090975", Unit(Measure.COUNT), "281,090,975"),
        ("25", Unit(Measure.BASIS_POINTS), "25 basis points"),
    ],
)
def test_amounts_are_written_without_loss(value: str, unit: Unit, text: str) -> None:
    """Sign, currency, groups and scale, with every digit of the value."""
    assert amount(Decimal(value), unit) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("-2.00036536399", Unit(Measure.PERCENT), "-2%"),
        ("24.4278902775", Unit(Measure.PERCENT), "24.43%"),
        ("0.0123456", Unit(Measure.MULTIPLE), "0.0123x"),
        ("1.23456789012", Unit(Measure.MULTIPLE), "1.23x"),
        ("43254.3333333", Unit(Measure.USD), "US$43,254.33"),
        ("42916000000", Unit(Measure.USD), "US$42.916 billion"),
    ],
)
def test_calculated_values_are_rounded_for_people(value: str, unit: Unit, text: str) -> None:
    """Two decimals, or three significant digits of what is smaller than one; amounts to the hundredth."""
    assert amount(for_reading(Decimal(value), unit), unit) == text
