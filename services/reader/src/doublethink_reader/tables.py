"""Claims from tables: rows that answer to the query's words, each cell with the headings over it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublethink_figures import (
    Flag,
    Match,
    Period,
    PeriodKind,
    PeriodMention,
    UnitClass,
    find_periods,
    heading_scale,
    join_period,
    period_matches,
)

from .blocks import Grid, Row, Text
from .claims import Claim
from .query import Query, score

MAX_ROWS: Final = 40
_MAX_CAPTIONS: Final = 8
_SHORT_HEADING_WORDS: Final = 4
_NUMBER: Final = re.compile(
    r"^(?P<sign>[^\d().,%a-z-]{0,4})\s?(?P<body>[-(−]?\s?[$€£¥]?\s?[0-9][0-9,]*(?:\.[0-9]+)?\s?\)?)\s?(?P<percent>%?\)?%?)$"
)
_MARKS: Final = re.compile(
    r"(?<=[0-9A-Za-z%)])\s*(?:\([0-9a-zA-Z]{1,2}\)|\[[0-9a-zA-Z]{1,2}\]|[⁰¹²³⁴-⁹⁽⁾*]+)$"
)
_YEAR: Final = re.compile(r"^(?:19|20)[0-9]{2}$")
_TIME: Final = re.compile(
    r"\b(?:ended|ending|months?|weeks?|quarters?|years?|half|as of|at"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? [0-3]?[0-9])\b",
    re.IGNORECASE,
)
_SCALE: Final = re.compile(
    r"\b(?:in|of)\s+(?:\w+\s+of\s+)?(?P<word>thousand|million|billion)s?\b|\b(?P<bare>thousand|million"
    r"|billion)s\b",
    re.IGNORECASE,
)
_SHARES_IN: Final = re.compile(r"shares[^.]{0,30}?\bin (?P<word>thousand|million|billion)s?\b", re.IGNORECASE)
_MONEY_IN: Final = re.compile(
    r"(?:[$€£]|dollars|USD) in (?P<word>thousand|million|billion)s?\b", re.IGNORECASE
)
_SIGNS: Final = {
    "US$": "USD",
    "$": "$",
    "€": "EUR",
    "£": "GBP",
    "C$": "CAD",
    "A$": "AUD",
    "HK$": "HKD",
    "CHF": "CHF",
    "EUR": "EUR",
    "USD": "USD",
    "GBP": "GBP",
    "¥": "JPY",
}
_PER_SHARE: Final = re.compile(r"\bper[ -](?:\w+ ){0,2}(?:share|ADS)\b|\bEPS\b", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"\bshares\b|\bnumber of\b|employees|stores|customer|transactions|votes?|units|subscribers|\bfor\b"
    r"|against|abstain|withheld",
    re.IGNORECASE,
)
FLAG_WORDS: Final = (
    (
        Flag.GUIDANCE,
        re.compile(
            r"\b(?:guidance|outlook|forecasts?|targets?|targeted|projected|projections?|expected"
            r"|budget(?:ed)?|estimated)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Flag.NON_GAAP,
        re.compile(
            r"\bnon[ -]?(?:GAAP|IFRS)\b|\badjusted\b|\bconstant[ -]currency\b|\bunderlying\b|\borganic\b"
            r"|\bnormali[sz]ed\b|\bEBITDA\b",
            re.IGNORECASE,
        ),
    ),
    (Flag.PRO_FORMA, re.compile(r"\bpro[ -]forma\b", re.IGNORECASE)),
    (Flag.RESTATED, re.compile(r"\b(?:restated|recast|revised)\b", re.IGNORECASE)),
    (Flag.HYPOTHETICAL, re.compile(r"\bhypothetical\b|\billustrative\b|\bas if\b", re.IGNORECASE)),
)


@lru_cache(maxsize=16_384)
def _named(text: str) -> tuple[PeriodMention, ...]:
    return find_periods(text)


@lru_cache(maxsize=16_384)
def _joined(text: str) -> Period | None:
    return join_period([text])


@dataclass(frozen=True, slots=True)
class _Seen:
    """A row with values, the heading rows over it and the section rows before it."""

    row: Row
    headings: tuple[Row, ...]
    sections: tuple[str, ...]


def table_claims(page_id: str, grid: Grid, query: Query) -> Iterator[tuple[float, Claim]]:
    """Claims of a table with their scores, best rows first."""
    ranked: list[tuple[float, _Seen]] = []
    for seen in _rows(grid):
        headings = " ".join(c for row in seen.headings for c in row.cells)
        points = score(
            query, seen.row.cells[0], " ".join((*seen.sections, headings, *(t.text for t in grid.above[:3])))
        )
        if points > 0:
            ranked.append((points, seen))
    ranked.sort(key=lambda pair: -pair[0])
    for points, seen in ranked[:MAX_ROWS]:
        for claim in _claims(page_id, grid, seen, query):
            yield points + _closeness(claim.period, query.period), claim


def _rows(grid: Grid) -> Iterator[_Seen]:
    headings = list(_inherited(grid))
    sections: list[str] = []
    fresh = not headings
    for row in grid.rows:
        values = [c for c in dict.fromkeys(row.cells[1:]) if c and c != row.cells[0]]
        if not values and row.cells[0] and not _is_value(row.cells[0]):
            sections = (
                [*sections[-2:], row.cells[0]] if fresh or row.cells[0].endswith(":") else [row.cells[0]]
            )
            continue
        if not any(_is_value(c) for c in row.cells):
            if not fresh:
                headings = []
            headings.append(row)
            fresh = True
            continue
        fresh = False
        yield _Seen(row, tuple(headings), tuple(sections))


def _inherited(grid: Grid) -> tuple[Row, ...]:
    """The heading rows of a table of the same width directly before one that has none of its own."""
    if not grid.before or len(grid.before[0].cells) != len(grid.rows[0].cells):
        return ()
    rows = list(_rows(Grid(grid.before, grid.above)))
    return rows[-1].headings if rows else ()


def _is_value(cell: str) -> bool:
    plain = _MARKS.sub("", cell)
    return _NUMBER.match(plain) is not None and _YEAR.match(plain) is None


def _claims(page_id: str, grid: Grid, seen: _Seen, query: Query) -> Iterator[Claim]:
    label = "" if _is_value(seen.row.cells[0]) else seen.row.cells[0]
    for column, cell in enumerate(seen.row.cells):
        if (
            (column == 0 and label)
            or (column and cell == seen.row.cells[column - 1] and column > 1)
            or not _is_value(cell)
        ):
            continue
        over = [row.cells[column] for row in seen.headings if column < len(row.cells) and row.cells[column]]
        periods, quotes = _period(over, seen, label, grid, column)
        if not _plausible(periods, query.period):
            continue
        flags = frozenset(
            flag
            for flag, pattern in FLAG_WORDS
            if any(pattern.search(t) for t in (label, *over, *seen.sections, *_captions(grid)))
        )
        for value, scale, unit, scale_quote in _readings(cell, label, over, seen, grid, query):
            yield Claim(
                page_id=page_id,
                quote=seen.row.line,
                headings=tuple(q for q in (*quotes, scale_quote) if q),
                offset=seen.row.offset,
                value=value,
                scale=scale,
                unit=unit,
                period=periods,
                flags=flags,
            )


def _captions(grid: Grid) -> list[str]:
    """Short lines directly over the table."""
    texts = []
    for line in grid.above[:_MAX_CAPTIONS]:
        if len(line.text.split()) > 16:
            break
        texts.append(line.text)
    return texts


def _period(
    over: Sequence[str], seen: _Seen, label: str, grid: Grid, column: int
) -> tuple[str, tuple[str, ...]]:
    """The period's label, heading and date put together, and the rows it was taken from."""
    speaking = [_MARKS.sub("", t) for t in over if _named(t) or _TIME.search(t)]
    rows = tuple(
        r.line
        for r in seen.headings
        if column < len(r.cells)
        and r.cells[column] in over
        and (_named(r.cells[column]) or _TIME.search(r.cells[column]))
    )
    section = [s for s in seen.sections if _named(s)][-1:]
    if speaking or section:
        joined = " ".join([*section, *speaking])
        if _joined(joined) is not None and not _bare(_joined(joined)):
            return joined, rows
        for text in [
            *(r.cells[0] for r in seen.headings),
            *_captions(grid),
            *(t.text for t in grid.above[:1]),
        ]:
            found = _completed(text, speaking)
            if found is not None:
                return found, rows
        return joined, rows
    own = _named(label)
    if len(own) == 1:
        return label[own[0].span.start : own[0].span.end], ()
    if _is_vote(seen):
        return _meeting_day(grid)
    for line in [*_captions(grid), *(t.text for t in grid.above[:1])]:
        named = [m for m in _named(line) if m.period.kind is not PeriodKind.UNSPECIFIED_YEAR]
        if named:
            return line[named[0].span.start : named[0].span.end], (line,)
    return "", ()


def _is_vote(seen: _Seen) -> bool:
    heads = {c.casefold() for row in seen.headings for c in row.cells}
    return "for" in heads and bool(heads & {"against", "withheld", "abstain", "abstentions", "withhold"})


def _meeting_day(grid: Grid) -> tuple[str, tuple[str, ...]]:
    """The day of the meeting, from the nearest line that says when it was held."""
    for line in grid.above:
        if re.search(r"\bmeeting\b", line.text, re.IGNORECASE) and re.search(r"\b(?:held|on)\b", line.text):
            days = [m for m in _named(line.text) if m.period.kind is PeriodKind.INSTANT]
            if days:
                return line.text[days[0].span.start : days[0].span.end], ()
    return "", ()


def _bare(period: Period | None) -> bool:
    return period is not None and period.kind in (PeriodKind.INSTANT, PeriodKind.UNSPECIFIED_YEAR)


def _completed(caption: str, speaking: Sequence[str]) -> str | None:
    """A date or year under "Nine months ended", with the caption's words in front."""
    if not _TIME.search(caption) or not speaking:
        return None
    own = _joined(" ".join(speaking))
    for mention in _named(caption):
        if own is not None and mention.period.end is not None and own.end == mention.period.end:
            return caption[mention.span.start : mention.span.end]
        if (
            own is not None
            and own.year is not None
            and own.year in (mention.period.year, mention.period.end.year if mention.period.end else None)
        ):
            return caption[mention.span.start : mention.span.end]
    joined = f"{caption} {' '.join(speaking)}"
    return joined if _joined(joined) is not None and len(joined.encode()) <= 200 else None


def _closeness(label: str, wanted: Period | None) -> float:
    """A bonus for a cell whose period is, or may well be, the wanted one."""
    stated = _joined(label) if label else None
    if wanted is None or stated is None:
        return 0.0
    if period_matches(stated, wanted) is Match.EXACT:
        return 3.0
    return 1.5 if wanted.end is not None and stated.end == wanted.end else 0.5


def _plausible(label: str, wanted: Period | None) -> bool:
    """Whether a period may be the wanted one; what cannot be compared may."""
    if wanted is None or not label:
        return True
    stated = _joined(label)
    if stated is None or period_matches(stated, wanted) is not Match.NO:
        return True
    return stated.kind is PeriodKind.INSTANT and wanted.end in (None, stated.end)


def _readings(
    cell: str, label: str, over: Sequence[str], seen: _Seen, grid: Grid, query: Query
) -> Iterator[tuple[str, str, str, str]]:
    """(value, scale, unit, quote of the scale's heading): each way the cell may be meant."""
    match = _NUMBER.match(_MARKS.sub("", cell))
    if match is None:
        return
    percent = "%" in cell or any("%" in t or "percent" in t.casefold() for t in (label, *over))
    value = re.sub(r"[^0-9.,()−-]", "", match["body"])
    value = value if value.count("(") == value.count(")") else value.strip("()").join("()")
    wanted = query.unit_class
    if percent and wanted in (None, UnitClass.PERCENT):
        yield value, "", "percent", ""
        return
    scale, scale_quote = _scale(label, over, seen, grid)
    currency = _currency(cell, seen, grid)
    if _PER_SHARE.search(" ".join((label, *seen.sections[-1:], *over))) and wanted in (
        None,
        UnitClass.CURRENCY_PER,
    ):
        for unit in currency:
            yield value, "", f"{unit}_per_share", ""
    if wanted is UnitClass.COUNT or (
        wanted is None and _COUNT.search(" ".join((label, *seen.sections[-1:], *over)))
    ):
        for factor in dict.fromkeys((_shares_scale(seen, grid), scale, "")):
            yield value, factor, "count", scale_quote if factor else ""
    if wanted in (None, UnitClass.CURRENCY):
        for unit in currency:
            yield value, scale, unit, scale_quote


def _scale_places(label: str, over: Sequence[str], seen: _Seen, grid: Grid) -> Iterator[tuple[str, str]]:
    yield label, ""
    for text in reversed(over):
        yield text, text
    for row in reversed(seen.headings):
        yield row.cells[0], row.cells[0]
    for section in seen.sections[:1]:
        yield section, section
    for line in grid.above:
        yield line.text, line.text


def _scale(label: str, over: Sequence[str], seen: _Seen, grid: Grid) -> tuple[str, str]:
    for text, quote in _scale_places(label, over, seen, grid):
        match = _MONEY_IN.search(text) or _SCALE.search(text)
        if match is not None and (len(text.split()) <= 30 or text.rstrip(" :.").endswith(")")):
            word = next(g for g in match.groups() if g)
            return word.casefold(), quote if len(quote) <= 600 else ""
        # "EUR million", "MEUR", "£m": a short heading that is nothing but currency and scale.
        short = heading_scale(text) if text and len(text.split()) <= _SHORT_HEADING_WORDS else None
        if short is not None:
            return format(short.scale, "f"), quote
    return "", ""


def _shares_scale(seen: _Seen, grid: Grid) -> str:
    for text, _quote in _scale_places("", (), seen, grid):
        match = _SHARES_IN.search(text)
        if match is not None:
            return match["word"].casefold()
    return ""


def _currency(cell: str, seen: _Seen, grid: Grid) -> tuple[str, ...]:
    """The units that the cell may be in: its own sign's, its row's, the table's."""
    named = " ".join(
        (*(c for row in seen.headings for c in row.cells), *seen.sections, *(t.text for t in grid.above[:6]))
    )
    said: list[str] = []
    if re.search(r"\bUSD\b|US\$|U\.?S\.? dollars?", named, re.IGNORECASE):
        said.append("USD")
    if re.search(r"\beuros?\b|\bEUR\b|€", named, re.IGNORECASE):
        said.append("EUR")
    for text in (cell, seen.row.line, *(row.line for row in grid.rows)):
        for sign in sorted(_SIGNS, key=len, reverse=True):
            if sign in text:
                return tuple(dict.fromkeys((*said, _SIGNS[sign])))
    return tuple(said) or ("$",)


__all__ = ["FLAG_WORDS", "Text", "table_claims"]
