"""What a page says of which quarter of which fiscal year closes on which day.

Three ways, each in the page's own words: a sentence that names the quarter and its closing day together; a
headline or running footer that names the quarter of the report whose cover names its closing day; and
amounts, where sentences that speak of a quarter by its label give figures that the statements show in the
column of one closing day alone.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from doublethink_figures import Part, Period, PeriodKind, find_periods

from .pagetext import Line, Page
from .reading import Reading, agree
from .words import content

_MONTHS: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE: Final = rf"(?:{_MONTHS}) [0-3]?[0-9], (?:19|20)[0-9]{{2}}"
_QUARTERS: Final = {Part.Q1: 1, Part.Q2: 2, Part.Q3: 3, Part.Q4: 4}
_ORDINAL: Final = r"(?:first|second|third|fourth)"
_YEAR: Final = r"(?:19|20)[0-9]{2}"
_QUARTER_LABEL: Final = (
    rf"(?:{_ORDINAL} (?:fiscal )?quarter(?: of|,)? fiscal (?:year )?{_YEAR}"
    rf"|fiscal (?:year )?{_YEAR} {_ORDINAL} quarter|Q[1-4] (?:of )?(?:fiscal|FY) ?(?:year )?{_YEAR}"
    rf"|fiscal Q[1-4] {_YEAR})"
)
QUARTER_SAID: Final = re.compile(rf"\b{_QUARTER_LABEL}", re.IGNORECASE)
"""A text that names a quarter of a fiscal year."""
_LABEL_THEN_DAY: Final = re.compile(
    rf"({_QUARTER_LABEL}),? (?:\(?(?:which|that|the quarter|the period|the 1[34] weeks) )?"
    rf"(?:ended|ending|ends)(?: on)? ({DATE})",
    re.IGNORECASE,
)
_DAY_THEN_LABEL: Final = re.compile(
    rf"\b(?:quarter|three months|1[34][ -]weeks?|(?:thir|four)teen weeks)(?: period| fiscal quarter)? "
    rf"(?:ended|ending)(?: on)? ({DATE}),? ?\(?(?:or |the |our |[“\"'])*(?:the )?({_QUARTER_LABEL})",
    re.IGNORECASE,
)
_COVER: Final = re.compile(
    rf"\bfor the (?:fiscal )?(?:quarterly period|quarter) ended:? ({DATE})", re.IGNORECASE
)
_OPENING: Final = re.compile(
    rf"\b(?:quarter|three months|1[34][ -]weeks?|(?:thir|four)teen weeks)(?: period| fiscal quarter)? "
    rf"ended(?: on)? ({DATE})",
    re.IGNORECASE,
)
_OF_THE_REPORT: Final = re.compile(
    r"\bform 10-Q\b|\b(?:results|reports?|announces?|earnings|net income|highlights)\b", re.IGNORECASE
)
_MAX_HEADING_WORDS: Final = 24
_OPENING_BLOCKS: Final = 30
_LEAST_VOTES: Final = 2
_LEAST_DIGITS: Final = 2
_MOST_COMPARED: Final = 1_000_000
"""Figures of sentences times rows of tables: beyond that amounts make no ties."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A quarter's label and its closing day."""

    year: int
    quarter: int
    closing: date


def stated_ties(page: Page) -> Iterator[Tie]:
    """Sentences with label and day together, and the report's own label with its cover's day."""
    text = page.text.replace("\u00a0", " ")
    for pattern, label, day in ((_LABEL_THEN_DAY, 1, 2), (_DAY_THEN_LABEL, 2, 1)):
        for match in pattern.finditer(text):
            tie = _tie(match.group(label), match.group(day))
            if tie is not None:
                yield tie
    closing = _reported_day(page)
    if closing is not None:
        for year, quarter in _reported_labels(page):
            yield Tie(year, quarter, closing)


def _tie(label: str, day: str) -> Tie | None:
    named = [m.period for m in find_periods(label)]
    closing = [m.period.end for m in find_periods(day)]
    if len(named) != 1 or len(closing) != 1 or closing[0] is None:
        return None
    quarter = _QUARTERS.get(named[0].part)
    if quarter is None or named[0].year is None or named[0].straddles:
        return None
    return Tie(named[0].year, quarter, closing[0])


def _reported_day(page: Page) -> date | None:
    """The closing day of the quarter that the page reports on: its cover's, or the latest of its opening."""
    opening = [b.text for b in page.blocks[:_OPENING_BLOCKS] if isinstance(b, Line)]
    covers = _days(_COVER, opening)
    if covers:
        return covers.pop() if len(covers) == 1 else None
    days = _days(_OPENING, opening)
    return max(days) if days else None


def _days(pattern: re.Pattern[str], texts: Iterable[str]) -> set[date]:
    found = {m.group(1) for text in texts for m in pattern.finditer(text.replace("\u00a0", " "))}
    return {end for day in found for m in find_periods(day) if (end := m.period.end) is not None}


def _reported_labels(page: Page) -> set[tuple[int, int]]:
    """The quarters that headlines of the opening and running footers call the report's own; all of them."""
    found: set[tuple[int, int]] = set()
    lines = [page.title, *(b for b in page.blocks if isinstance(b, Line))]
    for index, line in enumerate(lines):
        early = index <= _OPENING_BLOCKS
        footer = re.search(r"\bform 10-Q\b", line.text, re.IGNORECASE) is not None
        if len(line.text.split()) > _MAX_HEADING_WORDS or line.text.rstrip().endswith((".", ";", ",")):
            continue
        if not (footer or (early and _OF_THE_REPORT.search(line.text))):
            continue
        named = [m.period for m in find_periods(line.text)]
        for period in named:
            quarter = _QUARTERS.get(period.part)
            if quarter is None or period.year is None or period.end is not None:
                continue
            if period.kind is not PeriodKind.CALENDAR and not period.straddles:
                found.add((period.year, quarter))
    return found if len(found) == 1 else set()


def amount_ties(said: Iterable[tuple[str, Reading]], shown: Iterable[tuple[str, Reading]]) -> tuple[Tie, ...]:
    """The ties that figures make: `said` are sentences up to a figure with its reading under a quarter's
    label, `shown` row labels with their readings under closing days. Fewer than two figures make none.
    """
    rows: dict[str, list[Reading]] = {}
    for label, reading in shown:
        if reading.period is not None and reading.period.end is not None and _is_quarter(reading.period):
            rows.setdefault(label, []).append(reading)
    stems_of = {label: set(content(label)) for label in rows}
    votes: dict[Tie, set[str]] = {}
    for number, (before, reading) in enumerate(said, 1):
        if number * len(rows) > _MOST_COMPARED:
            return ()
        period = reading.period
        if period is None or period.year is None or period.end is not None or reading.flags:
            continue
        quarter = _QUARTERS.get(period.part)
        if quarter is None or period.kind is not PeriodKind.FISCAL or period.straddles:
            continue
        if len(str(reading.stated.copy_abs()).replace(".", "").strip("0")) < _LEAST_DIGITS:
            continue
        spoken = set(content(before))
        for label, cells in rows.items():
            stems = stems_of[label]
            if not stems or not stems <= spoken:
                continue
            ends = {c.period.end for c in cells if c.period is not None}
            agreeing = {c.period.end for c in cells if c.period is not None and agree(c, reading)}
            if len(agreeing) == 1 and len(ends) > 1:
                closing = agreeing.pop()
                assert closing is not None  # noqa: S101 - only dated rows were kept
                votes.setdefault(Tie(period.year, quarter, closing), set()).add(str(reading.stated))
    figures = {figure for stated in votes.values() for figure in stated}
    return tuple(votes) if len(figures) >= _LEAST_VOTES else ()


def _is_quarter(period: Period) -> bool:
    return period.part.months == 3
