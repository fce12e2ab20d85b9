"""The one reading of figures in prose and in cells."""

from decimal import Decimal

import pytest
from doublethink_figures import Bound, Context, Figure, Measure, Unit, find_figures
from doublethink_figures.errors import NotOneValue


def only(text: str, context: Context | None = None) -> Figure:
    """The single figure of `text`."""
    found = find_figures(text, context=context)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$4.2 billion", "4200000000", "$"),
        ("US$4.2bn", "4200000000", "USD"),
        ("U.S. $ 5 million", "5000000", "USD"),
        ("4.2bn EUR", "4200000000", "EUR"),
        ("EUR 4.2 bn", "4200000000", "EUR"),
        ("€17.5m", "17500000", "EUR"),
        ("£2.3m", "2300000", "GBP"),
        ("HK$ 3.2bn", "3200000000", "HKD"),
        ("$5 million CAD", "5000000", "CAD"),
        ("5 million Canadian dollars", "5000000", "CAD"),
        ("SEK 12.5 billion", "12500000000", "SEK"),
        ("7.1 trillion yen", "7100000000000", "JPY"),
        ("₹1,23,456 crore", "1234560000000", "INR"),
        ("$ 42,916", "42916", "$"),
        ("$5mm", "5000000", "$"),
        ("$5-million", "5000000", "$"),
        ("3 thousand million euros", "3000000000", "EUR"),
        ("4,2 Mrd. Euro", "4200000000", "EUR"),
        ("41.5%", "41.5", "percent"),
        ("2.5 per cent", "2.5", "percent"),
        ("2.5 percentage points", "2.5", "percentage_points"),
        ("3pp", "3", "percentage_points"),
        ("25 bps", "25", "basis_points"),
        ("25 basis points", "25", "basis_points"),
        ("10x", "10", "multiple"),
        ("3.5-fold", "3.5", "multiple"),
        ("$2.30 per share", "2.30", "$_per_share"),
        ("US$61 a barrel", "61", "USD_per_barrel"),
        ("$.35 per diluted share", "0.35", "$_per_share"),
        ("35 cents per share", "0.35", "$_per_share"),
        ("25.3p", "0.253", "GBP"),
        ("£2.3m per year", "2300000", "GBP_per_year"),
        ("five million euros", "5000000", "EUR"),
        ("one and a half billion dollars", "1500000000", "$"),
        ("four point two percent", "4.2", "percent"),
        ("half a million dollars", "500000", "$"),
        ("3½ percent", "3.5", "percent"),
        ("3 ½ percent", "3.5", "percent"),
        ("3 1/2 percent", "3.5", "percent"),
        ("１２.５％", "12.5", "percent"),
    ],
)
def test_a_figure_has_value_and_unit(text: str, value: str, unit: str) -> None:
    """Currency before or after, glued or apart, scale and unit words, words for numbers."""
    figure = only(text)
    assert figure.value == Decimal(value)
    assert str(figure.unit) == unit
    assert figure.span.of(text) == text


@pytest.mark.parametrize(
    ("text", "value", "number"),
    [
        ("1,234,000 employees", 1_234_000, "1,234,000"),
        ("5 million shares", 5_000_000, "5 million"),
        ("500 new stores", 500, "500"),
        ("two banks and six branches", 6, "six"),
    ],
)
def test_a_noun_makes_a_count(text: str, value: int, number: str) -> None:
    """The noun gives the unit and stays outside the figure."""
    figure = only(text)
    assert (figure.value, str(figure.unit), figure.span.of(text)) == (Decimal(value), "count", number)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("revenue fell to -5.2%", "-5.2"),
        ("−3%", "-3"),
        ("minus 3%", "-3"),
        ("$(1,234.5)", "-1234.5"),
        ("tax of (1.8)%", "-1.8"),
        ("-$5 million", "-5000000"),
        ("$-5 million", "-5000000"),
    ],
)
def test_a_negative_figure(text: str, value: str) -> None:
    """Minus signs, and parentheses that hold the number alone."""
    assert only(text).value == Decimal(value)


@pytest.mark.parametrize("text", ["10-12", "FY-12 plan", "pages 3—4"])
def test_a_dash_between_is_no_minus(text: str) -> None:
    """A dash between two numbers or behind a letter makes nothing negative."""
    assert all(figure.low >= 0 for figure in find_figures(text))


def test_parentheses_in_prose_may_only_be_parentheses() -> None:
    """ "($1,234.5)" in prose is both, in a cell it is negative."""
    assert set(only("($1,234.5)").ambiguous) == {Decimal("1234.5"), Decimal("-1234.5")}
    cell = only("($1,234.5)", Context(table_cell=True))
    assert cell.value == Decimal("-1234.5")
    assert cell.negative_parentheses


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("(1,234)", "-1234"),
        ("$ (1,234)", "-1234"),
        ("(12.5)%", "-12.5"),
        ("(12.5%)", "-12.5"),
        ("1,234-", "-1234"),
        ("(2)", "-2"),
        ("1,234 (2)", "1234"),
    ],
)
def test_a_cell(cell: str, value: str) -> None:
    """Accounting signs count in cells; a small number in parentheses behind a number is a mark."""
    assert only(cell, Context(table_cell=True, decimal_convention="en")).value == Decimal(value)


def test_every_cell_of_a_row_is_read() -> None:
    """A row with tabs is table-like as a whole."""
    row = "Net sales\t$ 42,916\t$ (43,792)\t(2.0)%"
    values = [figure.value for figure in find_figures(row, context=Context(decimal_convention="en"))]
    assert values == [Decimal(42916), Decimal(-43792), Decimal("-2.0")]


def test_credit_and_debit_leave_the_sign_open() -> None:
    """CR and DR mean opposite signs in different books."""
    assert only("100.50 CR", Context(table_cell=True)).ambiguous


@pytest.mark.parametrize(
    "text", ["1,234(2) units sold", "1,234¹ units", "1,234[3] units", "1,234* units", "1,234(a) units"]
)
def test_a_footnote_mark_is_no_digit(text: str) -> None:
    """Marks behind a number neither change it nor become figures."""
    figure = only(text, Context(decimal_convention="en"))
    assert figure.value == Decimal(1234)
    assert figure.span.of(text) == "1,234"


def test_a_lone_separator_is_settled_only_by_evidence() -> None:
    """Another number, the language, the page's convention or an English currency; nothing else."""
    assert only("€1,234 million").ambiguous
    assert not find_figures("€1,234 million, after 3.5%")[0].ambiguous
    assert only("€1,234 million", Context(decimal_convention="en")).value == Decimal(1_234_000_000)
    assert only("€1,234 million", Context(decimal_convention="de")).value == Decimal("1234000")
    assert only("$1,234").value == Decimal(1234)
    assert only("the total of the plan was 1,234 tonnes").value == Decimal(1234)
    assert only("the total of the plan was 1.234 tonnes").ambiguous


def test_conflicting_evidence_settles_nothing() -> None:
    """A quote that writes 4,2 on a page said to be English leaves both values."""
    figures = find_figures("4,2 and 1.234 units", context=Context(decimal_convention="en"))
    assert figures[-1].ambiguous


def test_a_letter_is_a_scale_only_beside_money() -> None:
    """ "5m users" may be five million or, elsewhere, five metres."""
    assert only("5m users").ambiguous == (Decimal(5), Decimal(5_000_000))
    assert only("€5m").value == Decimal(5_000_000)
    assert only("5mm wide").ambiguous


def test_billion_follows_the_language() -> None:
    """A German or French billion is a million millions."""
    assert only("3 Billion Euro", Context(decimal_convention="de")).value == Decimal(3) * 10**12
    assert only("$3 billion").value == Decimal(3) * 10**9


def test_a_bare_dollar_takes_the_pages_currency() -> None:
    """Only a page that says which dollar turns "$" into a currency."""
    assert only("$5.1").unit == Unit(Measure.UNKNOWN_DOLLAR)
    assert only("$5.1", Context(dollar=Measure.USD)).unit == Unit(Measure.USD)
    assert only("$5.1", Context(heading_unit=Unit(Measure.CAD))).unit == Unit(Measure.CAD)
    assert only("TT$5.1").unit is None


def test_a_yen_sign_alone_names_no_currency() -> None:
    """¥ is yen and yuan; the heading decides."""
    assert only("¥45.1 trillion").unit is None
    assert only("¥45.1", Context(heading_unit=Unit(Measure.JPY))).unit == Unit(Measure.JPY)


def test_two_currencies_at_one_number_name_none() -> None:
    """ "€5 USD" contradicts itself."""
    assert only("€5 USD").unit is None


def test_a_headings_scale_is_for_amounts_that_state_none() -> None:
    """Own scales, percentages and amounts per share keep their own size."""
    context = Context(
        table_cell=True,
        heading_scale=Decimal(1_000_000),
        heading_unit=Unit(Measure.USD),
        decimal_convention="en",
    )
    amount = only("42,916", context)
    assert (amount.value, amount.unit, amount.stated_scale) == (
        Decimal(42_916_000_000),
        Unit(Measure.USD),
        False,
    )
    assert only("$1.2 billion", context).value == Decimal(1_200_000_000)
    assert only("12.5%", context).value == Decimal("12.5")
    assert only("$2.30 per share", context).value == Decimal("2.30")


def test_a_scale_in_the_text_is_marked_as_stated() -> None:
    """The span of the scale can be quoted."""
    text = "about $4.2 billion"
    figure = only(text)
    assert figure.stated_scale
    assert figure.scale == Decimal(10**9)
    assert figure.scale_span is not None
    assert figure.scale_span.of(text) == "billion"


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about $5 million", Bound.ABOUT),
        ("nearly 5.5%", Bound.ABOUT),
        ("~5.5%", Bound.ABOUT),
        ("more than 1.5 million users", Bound.AT_LEAST),
        ("at least 3.5%", Bound.AT_LEAST),
        ("500+ stores", Bound.AT_LEAST),
        ("3.5% or more", Bound.AT_LEAST),
        ("up to 500 employees", Bound.AT_MOST),
        ("less than 1.5%", Bound.AT_MOST),
        ("no more than 1.5%", Bound.AT_MOST),
        ("it was 3.5%", Bound.EXACT),
    ],
)
def test_words_bound_a_figure(text: str, bound: Bound) -> None:
    """Bounds come from the words directly beside the figure."""
    assert only(text).bound is bound


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("3.5–4.0 billion euros", "3500000000", "4000000000"),
        ("between $3 and $4 billion", "3000000000", "4000000000"),
        ("$3 to $4 billion", "3000000000", "4000000000"),
        ("$1.2bn-$1.5bn", "1200000000", "1500000000"),
        ("20% - 25%", "20", "25"),
        ("5-7%", "5", "7"),
        ("ranging from 5% to 7%", "5", "7"),
    ],
)
def test_a_range_is_one_figure_without_one_value(text: str, low: str, high: str) -> None:
    """Both ends get scale and unit, and a point value is refused."""
    figure = only(text)
    assert (figure.bound, figure.low, figure.high) == (Bound.RANGE, Decimal(low), Decimal(high))
    with pytest.raises(NotOneValue):
        _ = figure.value


def test_a_change_from_one_value_to_another_is_no_range() -> None:
    """ "rose from A to B" has two values."""
    figures = find_figures("rose from $3 billion to $4 billion")
    assert [figure.value for figure in figures] == [Decimal(3) * 10**9, Decimal(4) * 10**9]


def test_the_first_of_two_values_may_or_may_not_share_the_scale() -> None:
    """ "rose from $3 to $4 billion" leaves the first open, the second not."""
    first, second = find_figures("rose from $3 to $4 billion")
    assert set(first.ambiguous) == {Decimal(3), Decimal(3) * 10**9}
    assert second.value == Decimal(4) * 10**9


@pytest.mark.parametrize("text", ["expects revenue to increase 3% to 5%", "from $3 to $4 billion"])
def test_a_range_or_a_change_is_ambiguous(text: str) -> None:
    """What may be either proves neither end."""
    assert all(figure.ambiguous for figure in find_figures(text))


@pytest.mark.parametrize(
    "text", ["three to five million dollars", "2000-2500 employees", "1950 to 2100 units"]
)
def test_the_end_of_a_range_is_never_a_point(text: str) -> None:
    """Where the beginning cannot be read as a number, the end is not left over as an exact value."""
    assert all(figure.bound is Bound.RANGE for figure in find_figures(text))


def test_what_an_amount_per_share_is_compared_with_is_one_too() -> None:
    """The unit carries over a comparison, not into the next statement."""
    text = "Diluted EPS was $4.65, compared to $5.05 a year ago. Revenue was $5.10."
    units = [str(figure.unit) for figure in find_figures(text)]
    assert units == ["$_per_share", "$_per_share", "$"]


def test_plain_spaces_group_digits_only_in_some_languages() -> None:
    """ "12 345" is one number in French and may be two in English."""
    assert only("12 345 euros").ambiguous
    assert only("12 345 euros", Context(decimal_convention="fr")).value == Decimal(12345)
    assert only("12\u00a0345 euros").value == Decimal(12345)


def test_a_text_without_end_is_refused() -> None:
    """The bound on the text is explicit."""
    with pytest.raises(ValueError, match="at most"):
        find_figures("1" * 1_000_001)
