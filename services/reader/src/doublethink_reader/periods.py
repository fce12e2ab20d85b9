"""The periods that a table's cell may be of: what its headings, sections, label and captions say of time.

Several are offered where the page leaves it open, the likeliest first.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublethink_figures import Part, Period, PeriodKind

from .blocks import Cell, Text
from .grids import Entry
from .numbers import is_number, without_marks
from .period_labels import joined, label_of, named, names_time, speaks_of_time

MAX_PERIODS: Final = 4
_MAX_CAPTIONS: Final = 10
_MAX_CAPTION: Final = 1_500
_HEADING_WORDS: Final = 16
_UNAUDITED: Final = re.compile(r"\s*\((?:un)?audited\)", re.IGNORECASE)
_INNER_MARKS: Final = re.compile(r"\s*(?:\([0-9a-zA-Z]{1,2}\)|\[[0-9a-zA-Z]{1,2}\]|[⁰¹²³⁴-⁹⁽⁾*†]+)")
_VOTES: Final = re.compile(
    r"^(?:number of )?(?:votes?|shares)(?: voted| cast)? (?=for$|against$|withheld$|abstain)"
)
_HELD: Final = re.compile(r"\bheld\b|\bon\b")


@dataclass(frozen=True, slots=True)
class Said:
    """A period, None for none, its label as a claim gives it, and the rows or lines that say it."""

    period: Period | None
    text: str
    quotes: tuple[str, ...]


def periods_of(entry: Entry, cell: Cell) -> tuple[Said, ...]:
    """The periods that a cell may be of, at most `MAX_PERIODS`, the likeliest first."""
    found: dict[Period | None, Said] = {}
    for period, text, quotes in _candidates(entry, cell):
        if period not in found:
            label = label_of(period, text) if period is not None else ""
            if label is not None:
                found[period] = Said(period, label, quotes)
        if len(found) >= MAX_PERIODS:
            break
    return tuple(found.values())


def _candidates(entry: Entry, cell: Cell) -> Iterator[tuple[Period | None, str, tuple[str, ...]]]:
    if not is_number(cell.text):
        yield from ((m.period, m.span.of(cell.text), ()) for m in named(cell.text))
    speaking: list[str] = []
    rows: list[str] = []
    for row in entry.headings:
        over = [c.text for c in row.over(cell) if names_time(c.text)]
        speaking += [_plain(t) for t in over]
        rows += [row.line] if over else []
    quotes = tuple(rows)
    sections = [_plain(s) for s in entry.sections if named(s)]
    captions = _captions(entry)
    for parts in ([*sections[-1:], *speaking], speaking, sections[-1:], speaking[-1:]):
        if not parts:
            continue
        period = joined(" ".join(parts))
        if period is None or _is_open(period):
            for text in captions:
                yield from ((p, t, quotes) for p, t in _completed(text, parts, period))
        if period is not None:
            yield period, " ".join(parts), quotes
        else:
            yield from ((p, t, quotes) for p, t in _beside(entry, cell, parts))
    yield from ((m.period, m.span.of(entry.label), ()) for m in reversed(named(_plain(entry.label))[-2:]))
    for text in captions:
        for mention in named(text):
            if not (mention.period.kind is PeriodKind.UNSPECIFIED_YEAR and mention.period.part is Part.YEAR):
                yield mention.period, mention.span.of(text), ()
    if _is_vote(entry):
        yield from _meeting_days(entry.grid.above)
    yield None, "", ()


@lru_cache(maxsize=32_768)
def _plain(text: str) -> str:
    return without_marks(_INNER_MARKS.sub("", _UNAUDITED.sub("", text)))


def _captions(entry: Entry) -> list[str]:
    """What may complete a column's date: the corner, rows over the whole table, the lines above."""
    texts = [row.label for row in entry.headings if row.label]
    texts += entry.captions
    texts += [c.text for row in entry.headings for c in row.cells if c.column and c.width > 2]
    for line in entry.grid.above[: min(_MAX_CAPTIONS, max(1, entry.grid.near))]:
        texts.append(_plain(line.text[-_MAX_CAPTION:]))
        if len(line.text.split()) > _HEADING_WORDS:
            break
    return list(dict.fromkeys(texts))


def _is_open(period: Period) -> bool:
    """A date or year alone: a caption may say that it ends something."""
    return period.kind is PeriodKind.INSTANT or (
        period.kind is PeriodKind.UNSPECIFIED_YEAR and period.part is Part.YEAR
    )


def _completed(caption: str, parts: Sequence[str], own: Period | None) -> Iterator[tuple[Period, str]]:
    """The periods that a date, year or length makes with a caption such as "For the nine months ended"."""
    if not speaks_of_time(caption):
        return
    for mention in named(caption):
        period = mention.period
        if own is None or period.part.months is None:
            continue
        same_end = own.end is not None and own.end == period.end
        same_year = own.year is not None and own.year in (
            period.year,
            period.end.year if period.end else None,
        )
        if same_end or same_year:
            yield period, mention.span.of(caption)
    text = f"{caption} {' '.join(parts)}"
    together = joined(text)
    if together is not None and together != own:
        yield together, text


def _beside(entry: Entry, cell: Cell, parts: Sequence[str]) -> Iterator[tuple[Period, str]]:
    """A column such as "Change" under "Three Months Ended": the periods of the columns beside it."""
    groups = [c for row in entry.headings for c in row.over(cell) if names_time(c.text)]
    for row in entry.headings if groups else ():
        for other in row.over(groups[-1]):
            text = " ".join([*parts, _plain(other.text)])
            period = joined(text) if named(other.text) else None
            if period is not None:
                yield period, text


def _is_vote(entry: Entry) -> bool:
    heads = {_VOTES.sub("", c.text.casefold().strip()) for row in entry.headings for c in row.cells}
    return "for" in heads and bool(heads & {"against", "withheld", "abstain", "abstentions", "withhold"})


def _meeting_days(above: Sequence[Text]) -> Iterator[tuple[Period, str, tuple[str, ...]]]:
    """The days of the meeting that lines above a table of votes give, nearest first."""
    for line in above:
        if "meeting" in line.text.casefold() and _HELD.search(line.text):
            for mention in named(line.text):
                if mention.period.kind is PeriodKind.INSTANT:
                    yield mention.period, mention.span.of(line.text), ()
