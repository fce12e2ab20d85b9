"""The period of a table's cell: its column's headings, its section rows, its own label, or the caption
above.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublethink_figures import Period, PeriodKind, Span, find_periods, join_period
from doublethink_figures.period import Part

from .changes import compared, is_change
from .errors import NotProven, Reason
from .layout import DataRow, Layout
from .pagetext import Cell, Line

_DURATION_SAID: Final = re.compile(
    r"\b(?:months?|weeks?|years?|quarters?|half|halves|periods?)\b[ -]*(?:ended|ending)"
    r"|\byear[ -]to[ -]date\b|\bfor the (?:fiscal )?(?:years?|quarters?|periods?)\b"
    r"|\b(?:three|six|nine|twelve|[369]|12|thirteen|thirty-nine"
    r"|twenty-six)[ -](?:and [a-z]+-?[a-z]*[ -])?(?:month|week)s?\b",
    re.IGNORECASE,
)

_DAY_SAID: Final = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.? [0-3]?[0-9]\b"
    r"|\b[0-3]?[0-9]\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
"""A day without its year: the row below says the year."""

_DAY_ALONE: Final = re.compile(
    r"(?:(?:as )?(?:of|at) )?(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r" [0-3]?[0-9],?",
    re.IGNORECASE,
)
_OF_MOMENTS: Final = re.compile(
    r"^(?:\w+ ){0,4}(?:balance sheets?|statements? of financial (?:position|condition))\b[^.;:]{0,40}$",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[a-z0-9)][.!?])\s+(?=[A-Z])")
_MATURITY: Final = re.compile(r"\b(?:due|matur\w*|expir\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dated:
    """A cell's period and the stretch of the page that says it; `period` None where nothing over the cell
    says one.
    """

    period: Period | None
    span: Span | None
    event: bool = False
    """The period is the day on which what is counted happened."""


def dated(table: Layout, row: DataRow, cell: Cell) -> Dated:
    """The period of `cell`.

    Raises `NotProven` with PERIOD_AMBIGUOUS where headings name two, or where a caption leaves it open
    which one.
    """
    over = row.over(cell)
    if any(is_change(c.text) for cells in over for c in cells):
        return _of_change(table, row, cell)
    parts: list[Cell] = []
    for cells in over:
        speaking = [c for c in cells if _speaks_of_time(c.text)]
        if len(speaking) > 1:
            raise NotProven(Reason.PERIOD_AMBIGUOUS)
        parts += speaking
    sections = [c for c in row.sections if find_periods(c.text)]
    own = _own_period(row)
    if own is not None:
        if not parts and not sections:
            return own
        column = join_period([c.text for c in [*sections, *parts]])
        if column is not None and own.period is not None and column != own.period:
            raise NotProven(Reason.PERIOD_AMBIGUOUS)
    if not parts and not sections:
        return _from_caption(table)
    period = _joined([*sections[-1:], *parts])
    if period is not None and is_bare_year(period) and len(parts) == 1 and not sections:
        period = _with_corner_day(row, parts[0]) or period
    if period is None:
        return Dated(_with_caption(table, row, parts), _span(parts))
    if _length_open(period):
        period = _caption_length(table, row, period, parts)
    return Dated(period, _span(parts or sections[-1:]))


def _with_corner_day(row: DataRow, year: Cell) -> Period | None:
    """The day that the corner of the very heading row gives to its years: "June 30," before "2024" and "2023"."""
    for heading in row.headings:
        corner = heading.label
        if (
            year in heading.cells
            and corner is not None
            and corner is not year
            and _DAY_ALONE.fullmatch(corner.text.strip())
        ):
            return join_period([_plain(corner.text), _plain(year.text)])
    return None


def _of_change(table: Layout, row: DataRow, cell: Cell) -> Dated:
    """The period of a change: that of the later of the two columns that it compares.

    Raises `NotProven` where it is open which two these are, or where the row itself or its section names a period.
    """
    if _own_period(row) is not None or any(find_periods(c.text) for c in row.sections):
        raise NotProven(Reason.PERIOD_AMBIGUOUS)

    key = (id(row.headings), cell.column)  # the rows of the table keep their headings
    if key not in table.changes:

        def of(place: Cell) -> Period | None:
            try:
                return dated(table, row, place).period
            except NotProven:
                return None

        pair = compared(row, cell, of)
        table.changes[key] = None if pair is None else Dated(pair[1], dated(table, row, pair[0]).span)
    found = table.changes[key]
    if not isinstance(found, Dated):
        raise NotProven(Reason.PERIOD_AMBIGUOUS)
    return found


def _speaks_of_time(text: str) -> bool:
    return (
        bool(find_periods(text))
        or _DURATION_SAID.search(text) is not None
        or _DAY_SAID.search(text) is not None
        or re.search(r"\b(?:ended|ending)\b", text) is not None
    )


def _joined(parts: Sequence[Cell]) -> Period | None:
    texts = [_plain(c.text) for c in parts]
    return join_period(texts) or (join_period([texts[-1]]) if len(texts) > 1 and _same(texts) else None)


def _same(texts: Sequence[str]) -> bool:
    return all(not find_periods(t) and not _DURATION_SAID.search(t) for t in texts[:-1])


def _plain(text: str) -> str:
    """A heading without its marks: "February 3, 2024 (1)"."""
    return re.sub(
        r"\s*(?:\([0-9a-zA-Z]{1,2}\)|\[[0-9a-zA-Z]{1,2}\]|\((?:un)?audited\)|[⁰¹²³⁴-⁹⁽⁾*]+)",
        "",
        text,
        flags=re.IGNORECASE,
    ).strip()


def _length_open(period: Period) -> bool:
    """A bare date or year: whether it is a moment or the end of something, a caption may say."""
    return (period.kind is PeriodKind.INSTANT and period.part is Part.DAY) or is_bare_year(period)


def is_bare_year(period: Period) -> bool:
    """A year number alone. Outside a column it may be the year of anything: "the 2024 annual meeting"."""
    return period.kind is PeriodKind.UNSPECIFIED_YEAR and period.part is Part.YEAR


def _captions(table: Layout, row: DataRow) -> list[str]:
    texts = [c.text for c in row.corner()]
    texts += [c.text for r in row.headings if (c := r.label) is not None]
    texts += [c.text for c in table.captions]
    texts += [line.text for line in table.zone.headings]
    if table.zone.paragraph is not None:
        texts.append(_SENTENCE_END.split(table.zone.paragraph.text)[-1])  # what leads to the table
    return texts


def _governing(table: Layout) -> list[str]:
    """The headings above the paragraph over a table, nearest first."""
    return [line.text for line in (table.zone.governing, *table.zone.above) if line is not None]


def _caption_length(table: Layout, row: DataRow, period: Period, parts: Sequence[Cell]) -> Period:
    """The period of a bare date or year under a caption such as "For the nine months ended".

    Under the title of a balance sheet a date is a moment, whatever a caption says besides.
    """
    titles = [*_captions(table, row), *_governing(table)]
    if period.kind is PeriodKind.INSTANT and any(_OF_MOMENTS.search(text) for text in titles):
        return period
    for text in _captions(table, row):
        if not _DURATION_SAID.search(text):
            continue
        named = {m.period for m in find_periods(text) if m.period.part.months is not None}
        if period.kind is PeriodKind.INSTANT:
            fitting = {p for p in named if p.end == period.end}
        else:
            fitting = {p for p in named if period.year in (p.year, p.end.year if p.end else None)}
        if len(fitting) == 1 and len({p.part for p in named}) == 1:
            return fitting.pop()
        joined = join_period([_plain(text), *(_plain(c.text) for c in parts)])
        if joined is not None and not named:
            return joined
        return _governed_length(table, named, parts)
    return period


def _governed_length(table: Layout, named: set[Period], parts: Sequence[Cell]) -> Period:
    """The period where a paragraph names lengths of several kinds and a heading above it says which one holds.

    Raises `NotProven` where none does.
    """
    for text in _governing(table):
        if _DURATION_SAID.search(text):
            joined = join_period([_plain(text), *(_plain(c.text) for c in parts)])
            if joined is not None and not find_periods(text) and joined.part in {p.part for p in named}:
                return joined
            break
    raise NotProven(Reason.PERIOD_AMBIGUOUS)


def _with_caption(table: Layout, row: DataRow, parts: Sequence[Cell]) -> Period:
    """The period of a column that says a length without a date, or a date that its caption completes."""
    for text in _captions(table, row):
        joined = join_period([_plain(text), *(_plain(c.text) for c in parts)])
        if joined is not None:
            return joined
        if find_periods(text) or _DURATION_SAID.search(text):
            break
    raise NotProven(Reason.PERIOD_AMBIGUOUS)


def _from_caption(table: Layout) -> Dated:
    """The one period that the nearest caption names, for a table whose columns name none."""
    places: list[tuple[str, Span]] = [(c.text, c.span) for c in table.captions]
    places += [(line.text, line.span) for line in table.zone.headings]
    if table.zone.paragraph is not None:
        places.append((table.zone.paragraph.text, table.zone.paragraph.span))
    for text, span in places:
        mentions = [m for m in find_periods(text) if not is_bare_year(m.period)]
        if not mentions:
            continue
        if len({m.period for m in mentions}) > 1:
            raise NotProven(Reason.PERIOD_AMBIGUOUS)
        return Dated(mentions[0].period, mentions[0].span.shifted(span.start))
    if table.meeting is not None:
        return Dated(table.meeting.period, table.meeting.span, event=True)
    return Dated(None, None)


def _own_period(row: DataRow) -> Dated | None:
    """A period that is the row's label, or that the label ends in: "2022", "Balance at July 29, 2023"."""
    if row.label is None:
        return None
    text = _plain(row.label.text)
    mentions = find_periods(text)
    if len(mentions) != 1 or _MATURITY.search(text):
        return None
    mention = mentions[0]
    whole = not text[: mention.span.start].strip(" ,:") and not text[mention.span.end :].strip(" ,:.")
    dated_end = mention.period.end is not None and not text[mention.span.end :].strip(" ,:.")
    if whole or dated_end:
        return Dated(mention.period, row.label.span)
    return None


def _span(cells: Sequence[Cell | Line]) -> Span | None:
    if not cells:
        return None
    return Span(min(c.span.start for c in cells), max(c.span.end for c in cells))
