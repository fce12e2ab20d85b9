"""Reads one cell of a table: number, unit, scale, period, flags. One reading, or `NotProven`."""

import re
from bisect import bisect_left
from decimal import Decimal
from functools import lru_cache
from typing import Final

from doublethink_figures import (
    Context,
    Direction,
    Figure,
    Flag,
    Measure,
    Span,
    Unit,
    UnitClass,
    find_figures,
    find_periods,
)
from doublethink_figures.figure import Bound
from doublethink_figures.units import CURRENCIES, PERCENT

from .columns import Dated, dated
from .errors import NotProven, Reason
from .layout import DataRow, Layout, is_blank, is_number, vote_head, without_periods
from .modality import flags_of
from .pagetext import Cell, Page
from .reading import Reading, Source
from .scales import Statement, over, statement
from .words import words

_PER_SHARE: Final = re.compile(
    r"\bper[ -](?:(?:diluted|basic|common|ordinary|class [ab]|american depositary|and) )*(?:share|ADS)\b"
    r"|\bEPS\b",
    re.IGNORECASE,
)
_PER_OTHER: Final = re.compile(
    r"\bper[ -](?!cent)(?:\w+ ){0,2}?(?P<noun>metric tonn?e?|tonne|barrel|bbl|employee|customer|unit)\b",
    re.IGNORECASE,
)
_PER_WHATEVER: Final = re.compile(
    r"\bper[ -](?!cent)\w+|\b(?:selling|realized|average|exercise|purchase) prices?\b|\baverage (?:customer )?ticket\b",
    re.IGNORECASE,
)
_PRICED: Final = re.compile(
    r"\b(?:average|exercise|purchase|selling|realized|closing|strike) price\b"
    r"|\bper (?:RSU|PSU|unit|option|award|warrant|store)\b",
    re.IGNORECASE,
)
_CENTS: Final = 2
_PER_NOUNS: Final = {
    "tonne": Measure.TONNE,
    "metric ton": Measure.TONNE,
    "metric tonne": Measure.TONNE,
    "barrel": Measure.BARREL,
    "bbl": Measure.BARREL,
    "employee": Measure.EMPLOYEE,
    "customer": Measure.CUSTOMER,
    "unit": Measure.UNIT,
}
_SHARE_COUNT: Final = re.compile(
    r"\(in (?:thousands of |millions of )?shares\)|\bnumber of (?:\w+ ){0,2}shares\b|\bshares (?:used"
    r"|outstanding|issued|authorized|repurchased|granted)\b"
    r"|\baverage (?:number of )?(?:\w+ ){0,2}shares\b|^(?:basic"
    r"|diluted)(?: weighted[ -]average)? (?:\w+ ){0,2}shares\b|^shares$",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"\b(?:number of|employees|associates|headcount|stores|restaurants|customers?|transactions"
    r"|subscribers|members|votes|units|locations"
    r"|broker non-votes|population|passengers|vehicles|deliveries)\b",
    re.IGNORECASE,
)
_ONE_BY_ONE: Final = re.compile(
    r"\bnumber of\b|\b(?:stores|restaurants|locations|branches|employees|associates|headcount)\b",
    re.IGNORECASE,
)
"""What nobody counts in millions."""
_CAST: Final = re.compile(r"for|against|abstain|abstentions|withheld|withhold", re.IGNORECASE)
"""What a column of votes is called. In a label "for" is a word like any other."""
_UNITLESS: Final = re.compile(
    r"\b(?:ratio|rate|turnover|times|days|years?|months|age|square (?:foot|feet|metres|meters)|tons?"
    r"|tonnes|barrels?|ounces|megawatts?|mwh?|gwh"
    r"|kmt|mt|capacity|volume|production|shipments|utilization|margin|yield|percent|percentage|points?"
    r"|beds|headcount|rank|no\.)\b",
    re.IGNORECASE,
)
_PHYSICAL: Final = re.compile(
    r"\b(?:kd?mt|(?:metric |dry )?(?:tons|tonnes)|barrels|ounces|[mg]wh|megawatts?|square (?:feet|metres|meters))\b",
    re.IGNORECASE,
)
"""What says that a number is one of things, however many digits it has, where nothing says that it is money."""
_SO_MANY: Final = r"(?:one|two|three|four|five|six|nine|ten|twelve|[0-9]{1,3})"
_TIME_OF_MONEY: Final = re.compile(
    r"\b(?:within|after|over|(?:more|less|greater|longer) than|of|beginning of|end of|during|for|next"
    r"|(?:due|payable|maturing) in) (?:the )?(?:next |first )?"
    rf"{_SO_MANY}?(?: ?(?:to|through|and|[-–]) ?{_SO_MANY})? ?(?:years?|months?|days?)(?: or (?:less|more))?\b"
    rf"|\b{_SO_MANY} (?:years?|months?|days?) or (?:less|more)\b"
    r"|\b[0-9]{1,3}(?: ?(?:to|through|[-–]) ?[0-9]{1,3}| or more|\+)? days?(?: or more)?"
    r" (?:past due|overdue|delinquent)"
    r"|\bexchange rates?\b|\b(?:prior|current|previous) years?\b",
    re.IGNORECASE,
)
"""Time and rates that only describe an amount: "debt due within one year", "90 days past due"."""
_MEASURED_TIME: Final = re.compile(
    r"\b(?:average|weighted|remaining|(?<!long.)(?<!short.)terms?|life|lives|number)\b", re.IGNORECASE
)
_PERCENT: Final = re.compile(r"%|\bper ?cent(?:age)?\b", re.IGNORECASE)
_FULL: Final = re.compile(r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+)(?P<cents>\.[0-9]{2})?(?![0-9])")
_LEAST_DIGITS, _PAY_DIGITS, _MANY_DIGITS = 4, 5, 10
_PAY: Final = re.compile(
    r"\b(?:salary|salaries|bonus|retainer|severance|compensation|fees?)(?![a-z])", re.IGNORECASE
)
_WHOLE_YEAR: Final = re.compile(
    r"\b(?:for the|full|fiscal) years?\b|\byears? (?:ended|ending)\b|\b12 months\b", re.IGNORECASE
)
_REFERENCE: Final = re.compile(r"\[[0-9a-z]{1,3}\]")
_MAY_SCALE: Final = re.compile(r"\(|\bin (?:thousand|million|billion)s\b", re.IGNORECASE)
"""What a label has that says its own scale: "(in thousands)", or "Net charge-offs In millions"."""
_ARROWS: Final = re.compile(r"[▲▼△▽↑↓();,:\s]|\b(?:in|as of)\b")


def read_cell(page: Page, table: Layout, row: DataRow, cell: Cell) -> Reading:
    """The one reading of `cell`. Raises `NotProven`."""
    figure = _figure(page, cell)
    own = (
        statement(row.label.text, row.label.span)
        if row.label is not None and _MAY_SCALE.search(row.label.text)
        else None
    )
    said = own if own is not None and (own.money is not None) else over(page, table, row, cell)
    unit = _unit(page, table, row, cell, figure, said)
    scale, scale_span = _scale(table, row, cell, figure, unit, said, own)
    period = _period(table, row, cell, figure)
    return Reading(
        source=Source.TABLE,
        stated=figure.value / figure.scale if figure.stated_scale else figure.value,
        scale=scale,
        unit=unit,
        period=period.period,
        direction=Direction.NONE,
        flags=_flags(table, row, cell, figure),
        label=_label(row, cell),
        figure=cell.span,
        quote=row.row.span,
        period_span=period.span,
        scale_span=scale_span,
        event=period.event,
        annual=any(_WHOLE_YEAR.search(c.text) for cells in row.over(cell) for c in cells),
    )


def _figure(page: Page, cell: Cell) -> Figure:
    """The cell's one figure. A cell of words holds one only in the form "US$391.0 billion (2024)"."""
    text = _REFERENCE.sub(lambda m: " " * len(m.group()), cell.text)
    figures = find_figures(text, context=Context(table_cell=True, decimal_convention=page.convention))
    if len(figures) != 1 or figures[0].ambiguous or figures[0].bound is not Bound.EXACT:
        raise NotProven(Reason.VALUE_AMBIGUOUS)
    if not is_number(cell.text):
        rest = without_periods(text[: figures[0].span.start] + " " + text[figures[0].span.end :])
        if _ARROWS.sub("", rest).strip():
            raise NotProven(Reason.VALUE_AMBIGUOUS)
    return figures[0]


def _period(table: Layout, row: DataRow, cell: Cell, figure: Figure) -> Dated:
    """The period over the cell, or the one that the cell itself gives beside its figure."""
    own = () if is_number(cell.text) else find_periods(cell.text)
    if not own:
        return dated(table, row, cell)
    over = [c for cells in row.over(cell) for c in cells] + list(row.sections)
    outer = dated(table, row, cell).period if any(find_periods(c.text) for c in over) else None
    if len({m.period for m in own}) > 1 or (outer is not None and outer != own[0].period):
        raise NotProven(Reason.PERIOD_AMBIGUOUS)
    return Dated(own[0].period, own[0].span.shifted(cell.span.start))


def _texts(row: DataRow, cell: Cell) -> tuple[str, list[str]]:
    """The row's label, and the texts of the headings over the cell."""
    label = row.label.text if row.label is not None else ""
    return label, [c.text for cells in row.over(cell) for c in cells]


def _unit(
    page: Page, table: Layout, row: DataRow, cell: Cell, figure: Figure, said: Statement | None
) -> Unit:
    label, columns = _texts(row, cell)
    stated = figure.unit
    if stated is not None and stated.unit_class not in (UnitClass.CURRENCY, UnitClass.COUNT):
        return stated
    in_percent = (
        any(_PERCENT.search(c) for c in columns)
        or _PERCENT.search(label) is not None
        or _percent_column(table, row, cell)
    )
    _check_alone(table, row, cell, in_percent)
    has_currency = stated is not None and stated.unit_class is UnitClass.CURRENCY
    if in_percent:
        if has_currency or any(
            re.search(r"\b(?:bps|basis points|pts|points)\b", t, re.IGNORECASE) for t in [label, *columns]
        ):
            raise NotProven(Reason.UNIT_UNKNOWN)
        return PERCENT
    nearest = row.sections[-1].text if row.sections else ""
    count_of_shares = _is_share_count(label, nearest, columns)
    if count_of_shares:
        if has_currency:
            raise NotProven(Reason.UNIT_UNKNOWN)
        return Unit(Measure.COUNT)
    if _is_per_share(label, nearest, columns):
        return Unit(_currency(table, row, cell, stated, said).measure, Measure.SHARE)
    per = _PER_OTHER.search(label)
    if per is not None and per["noun"].casefold() in _PER_NOUNS:
        return Unit(_currency(table, row, cell, stated, said).measure, _PER_NOUNS[per["noun"].casefold()])
    if not has_currency and (
        _COUNTED.search(label)
        or any(
            _COUNTED.fullmatch(c.strip()) or _CAST.fullmatch(vote_head(c)) or _says_number([c])
            for c in columns
        )
    ):
        if re.search(
            r"\b(?:receivables?|payables?|revenues?|sales|deposits|cost|expense)\b", label, re.IGNORECASE
        ):
            return _currency(table, row, cell, stated, said)
        if any(
            _sign(c) is not None
            for c in (_column(table, row, cell) if _says_number(columns) else row.values())
        ):
            raise NotProven(Reason.UNIT_UNKNOWN)
        return Unit(Measure.COUNT)
    if not has_currency and not _row_has_currency(row):
        mixed = row.heads.once(
            ("percents", table.block, cell.column),
            lambda: any("%" in c.text for c in _column(table, row, cell)),
        )
        measured = label if _MEASURED_TIME.search(label) else _TIME_OF_MONEY.sub(" ", label)
        unitless = _UNITLESS.search(measured) is not None and "," not in cell.text
        unitless = unitless or _PHYSICAL.search(label) is not None
        if unitless or (mixed and (said is None or said.money is None)):
            raise NotProven(Reason.UNIT_UNKNOWN)
    return _currency(table, row, cell, stated, said)


def _says_number(columns: list[str]) -> bool:
    """Whether a column's own heading calls it one of numbers of things."""
    return any(re.match(r"\W*(?:total )?number of\b", c, re.IGNORECASE) for c in columns)


def _column(table: Layout, row: DataRow, cell: Cell) -> list[Cell]:
    """The cells of the very column, under the same headings."""
    return table.columns(row).get(cell.column, [])


def _percent_column(table: Layout, row: DataRow, cell: Cell) -> bool:
    """Whether the column is one of percentages of which only the first shows the sign.

    A sign further down is its own row's: a margin among amounts says nothing of the amounts.
    """

    def shown() -> bool:
        numbers = [c for c in _column(table, row, cell) if is_number(c.text)]
        return bool(numbers) and "%" in numbers[0].text and not any(_sign(c) for c in numbers)

    return row.heads.once(("percent column", table.block, cell.column), shown)


def _check_alone(table: Layout, row: DataRow, cell: Cell, in_percent: bool) -> None:
    """Raises `NotProven` where another cell of the row stands under the same headings: nobody can tell the
    two apart.

    An amount and its percentage may share a heading: their signs tell them apart.
    """
    for other in table.under_same(row, cell):
        other_percent = "%" in other.text or _percent_column(table, row, other)
        if other_percent is in_percent:
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)


def _is_share_count(label: str, section: str, columns: list[str]) -> bool:
    if _SHARE_COUNT.search(label) or any(_SHARE_COUNT.search(c) for c in columns):
        return True
    return (
        bool(_SHARE_COUNT.search(section))
        and not _PER_SHARE.search(label)
        and re.match(r"\s*(?:basic|diluted)\b", label, re.IGNORECASE) is not None
    )


def _is_per_share(label: str, section: str, columns: list[str]) -> bool:
    if _PER_SHARE.search(label) or any(_PER_SHARE.search(c) for c in columns):
        return True
    short = re.match(r"\s*(?:basic|diluted)\b[^a-z]*(?:and diluted)?\W*$", label, re.IGNORECASE) is not None
    return short and _PER_SHARE.search(section) is not None


def _row_has_currency(row: DataRow) -> bool:
    return any(_sign_of(text) is not None for text in row.shown)


def _sign(cell: Cell) -> Unit | None:
    """The currency that a cell itself shows."""
    return _sign_of(cell.text)


@lru_cache(maxsize=16_384)
def _sign_of(text: str) -> Unit | None:
    if not re.search(r"[^\d\s().,%—–-]", text) or not is_number(text):
        return None
    for figure in find_figures(text, context=Context(table_cell=True, decimal_convention="en")):
        if figure.unit is not None and figure.unit.measure in CURRENCIES:
            return figure.unit
    return None


def _currency(table: Layout, row: DataRow, cell: Cell, stated: Unit | None, said: Statement | None) -> Unit:
    """The currency of a cell: its own sign, the statement over it, or the one sign that the table shows."""
    named = said.unit if said is not None else None
    if named is not None and named.measure is Measure.COUNT and stated is not None:
        named = None  # a statement on share counts says nothing of what shows its own currency
    if named is not None and (named.measure not in CURRENCIES or named.per is not None):
        raise NotProven(Reason.UNIT_UNKNOWN)
    own = Unit(stated.measure) if stated is not None and stated.measure in CURRENCIES else None
    if own is None:
        signs = table.once("signs", lambda: _signs(table))
        shown = {Unit(u.measure) for c, u in signs if _overlaps(c, cell)}
        if not shown:
            shown = {Unit(u.measure) for _, u in signs}
        if len(shown) > 1:
            raise NotProven(Reason.UNIT_UNKNOWN)
        own = shown.pop() if shown else None
    if own is None:
        if named is None:
            raise NotProven(Reason.UNIT_UNKNOWN)
        return named
    if named is None or named == own:
        return own
    dollars = {Measure.UNKNOWN_DOLLAR}
    if own.measure in dollars and named.measure in (
        Measure.USD,
        Measure.CAD,
        Measure.AUD,
        Measure.HKD,
        Measure.SGD,
        Measure.NZD,
    ):
        return named
    if named.measure in dollars:
        return own
    raise NotProven(Reason.UNIT_UNKNOWN)


def _signs(table: Layout) -> tuple[tuple[Cell, Unit], ...]:
    """The currencies that a table's cells themselves show, one cell for each stretch of columns and currency."""
    found = {(c.column, c.width, u): c for r in table.rows for c in r.values() if (u := _sign(c)) is not None}
    return tuple((c, unit) for (_, _, unit), c in found.items())


def _overlaps(one: Cell, other: Cell) -> bool:
    return one.column < other.column + other.width and other.column < one.column + one.width


def _scale(
    table: Layout,
    row: DataRow,
    cell: Cell,
    figure: Figure,
    unit: Unit,
    said: Statement | None,
    own: Statement | None,
) -> tuple[Decimal, Span | None]:
    one = Decimal(1)
    if figure.stated_scale:
        return figure.scale, figure.scale_span.shifted(cell.span.start) if figure.scale_span else None
    if unit.unit_class is UnitClass.COUNT:
        factor, span = _count_scale(row, cell, said, own)
        if factor == one and figure.value != figure.value.to_integral_value():
            raise NotProven(Reason.SCALE_UNKNOWN)  # nobody counts half a share
        return factor, span
    if unit.unit_class is not UnitClass.CURRENCY:
        if unit.per not in (None, Measure.SHARE) and not _is_excepted(row, said):
            raise NotProven(Reason.SCALE_UNKNOWN)
        return one, None
    if _is_price(row, cell) and _is_printed_whole(table, row, cell, said):
        return one, None
    if said is None and _is_in_full(table, row, cell):
        return one, None
    if said is None or said.money is None:
        raise NotProven(Reason.SCALE_UNKNOWN)
    label = row.label.text.casefold() if row.label is not None else ""
    if _is_price(row, cell):  # a price is seldom in the millions of its table
        raise NotProven(Reason.SCALE_UNKNOWN)
    if any(words and all(w in label for w in words.split()) for words in said.excepts):
        raise NotProven(Reason.SCALE_UNKNOWN)
    if _odd_decimals(table, cell):
        raise NotProven(Reason.SCALE_UNKNOWN)
    return said.money, said.span


def _is_in_full(table: Layout, row: DataRow, cell: Cell) -> bool:
    """Whether an amount over which nobody states a scale is one in full by its form alone.

    In currency and cents, "$643,020.00"; of so many digits that in thousands no company would have it; or somebody's
    pay, where the whole column is printed to the dollar.
    """
    match = _FULL.search(cell.text)
    if match is None or _sign(cell) is None:
        return False
    digits = len(match["whole"].replace(",", ""))
    if match["cents"] is not None and digits >= _LEAST_DIGITS:
        return True
    label, columns = _texts(row, cell)
    of_pay = any(_PAY.search(text) for text in (label, *columns))
    return digits >= _MANY_DIGITS or (of_pay and digits >= _PAY_DIGITS)


def _is_price(row: DataRow, cell: Cell) -> bool:
    """Whether a cell is an amount for one thing: by its label, or by its column's own heading."""
    label, columns = _texts(row, cell)
    return _PER_WHATEVER.search(label) is not None or any(_PRICED.search(c) for c in columns)


def _is_printed_whole(table: Layout, row: DataRow, cell: Cell, said: Statement | None) -> bool:
    """Whether a price stands in full: in currency and cents, under no scale or among amounts without cents."""
    priced = any(_PRICED.search(c) for c in _texts(row, cell)[1])
    beside = _column(table, row, cell) if priced else row.values()
    if _decimals(cell.text) != _CENTS or not any(_sign(c) for c in beside):
        return False
    return said is None or said.money is None or _odd_decimals(table, cell)


def _is_excepted(row: DataRow, said: Statement | None) -> bool:
    """Whether the scale does not hold for a row: none is stated, or it leaves out what the label names, as
    "in millions, except average realized prices" does.
    """
    if said is None or said.money is None or row.label is None:
        return said is None
    stems = {w.stem for w in words(row.label.text)}
    return any(phrase <= stems for phrase in said.leaves_out)


def _count_scale(
    row: DataRow, cell: Cell, said: Statement | None, own: Statement | None
) -> tuple[Decimal, Span | None]:
    label, columns = _texts(row, cell)
    nearest = row.sections[-1].text if row.sections else ""
    if own is not None and own.money is not None:
        return own.money, own.span
    if said is None or (said.money is None and said.shares is None):
        return Decimal(1), None
    shares = _is_share_count(label, nearest, columns)
    if shares and said.shares is not None:
        return said.shares, said.span
    of_column = any(c.span.contains(said.span) for cells in row.over(cell) for c in cells)
    if of_column and said.counts is not None:
        return said.counts, said.span
    if not shares and said.money_only and _decimals(cell.text) == 0 and _ONE_BY_ONE.search(label):
        return Decimal(1), None
    raise NotProven(Reason.SCALE_UNKNOWN)


def _decimals(text: str) -> int:
    match = re.search(r"\.([0-9]+)", text)
    return len(match.group(1)) if match else 0


def _odd_decimals(table: Layout, cell: Cell) -> bool:
    """Whether a cell prints more decimals than nearly all other amounts of its table: a price among
    millions.
    """
    mine = _decimals(cell.text)
    if mine < 2:
        return False
    counted = table.once("decimals", lambda: _amount_decimals(table))
    places, others = counted
    if cell.span not in places:
        return bool(others) and others[len(others) // 2] < mine
    middle = (len(others) - 1) // 2  # of the others without this one
    return len(others) > 1 and others[middle + (middle >= bisect_left(others, mine))] < mine


def _amount_decimals(table: Layout) -> tuple[frozenset[Span], tuple[int, ...]]:
    """The places of a table's amounts, figures per share left out, and how many decimals each prints, in order."""
    amounts = [
        c
        for r in table.rows
        if r.label is not None and not _PER_SHARE.search(r.label.text)
        for c in r.values()
        if is_number(c.text) and "%" not in c.text
    ]
    return frozenset(c.span for c in amounts), tuple(sorted(_decimals(c.text) for c in amounts))


def _flags(table: Layout, row: DataRow, cell: Cell, figure: Figure) -> frozenset[Flag]:
    label, columns = _texts(row, cell)
    texts = [label, *columns, *(c.text for c in row.sections), *(c.text for c in table.captions)]
    texts += [line.text for line in table.zone.headings]
    flags = frozenset().union(*(flags_of(t) for t in texts))
    return flags | ({Flag.ABOUT} if figure.bound is Bound.ABOUT else frozenset())


def _label(row: DataRow, cell: Cell) -> str:
    """What the page calls the figure: the row under its section, or the column where the row is a period."""
    label, columns = _texts(row, cell)
    label = label.strip()
    if not label or not without_periods(label).strip(" ,:."):
        return columns[-1].strip() if columns else label
    parts = [c.text.strip().rstrip(":") for c in row.sections[-1:] if not is_blank(c.text)]
    return " – ".join([*parts, label])
