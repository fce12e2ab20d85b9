"""The claims that are proven on a page, as a reader would make them, and the company that a page is about."""

from __future__ import annotations

from collections.abc import Iterator

from doublethink_figures import Period, PeriodKind
from doublethink_figures.period import Part
from doublethink_validator.errors import NotProven
from doublethink_validator.pagetext import Line
from doublethink_validator.proof import Claim, prove
from doublethink_validator.reading import Reading, Source
from doublethink_validator.survey import Examined

_LENGTHS = {
    Part.THREE_MONTHS: "three months ended",
    Part.SIX_MONTHS: "six months ended",
    Part.NINE_MONTHS: "nine months ended",
    Part.TWELVE_MONTHS: "twelve months ended",
    Part.YEAR: "fiscal year ended",
}
_NUMBERED = {Part.Q1: "first", Part.Q2: "second", Part.Q3: "third", Part.Q4: "fourth"}


def proven_claims(examined: Examined) -> Iterator[tuple[Claim, Reading]]:
    """Each claim that is proven as it stands, with what it rests on, in page order."""
    for reading in sorted(_readings(examined), key=lambda r: r.figure.start):
        label = label_of(reading.period)
        if label is None:
            continue
        claim = _claim(examined.page.text, reading, label)
        try:
            prove(examined, claim)
        except NotProven:
            continue
        yield claim, reading


def _readings(examined: Examined) -> Iterator[Reading]:
    for table in examined.layouts.values():
        for row in table.rows:
            for cell in row.values():
                try:
                    yield examined.read_cell(table, row, cell)
                except NotProven:
                    continue
    for block in examined.page.blocks:
        if isinstance(block, Line):
            for sentence in examined.sentences(block):
                yield from (reading for _, reading in examined.read_sentence(sentence))


def _claim(text: str, reading: Reading, label: str) -> Claim:
    stated = reading.stated
    return Claim(
        quote=reading.quote.of(text),
        heading_quotes=(),
        quote_offset=-1,
        value=f"({-stated:,f})" if stated < 0 else f"{stated:,f}",
        scale=f"{reading.scale:f}" if reading.scale != 1 else None,
        unit=str(reading.unit),
        period=label,
        direction=reading.direction,
        flags=reading.flags,
    )


def label_of(period: Period | None) -> str | None:
    """What a reader would call the period; None for one that has no plain name, "" for none."""
    if period is None:
        return ""
    if period.end is not None:
        day = f"{period.end:%B} {period.end.day}, {period.end.year}"
        if period.kind is PeriodKind.INSTANT:
            return day
        return f"{_LENGTHS[period.part]} {day}" if period.part in _LENGTHS else None
    year = f"fiscal {period.year}" if period.kind is PeriodKind.FISCAL else str(period.year)
    if period.part in _NUMBERED:
        return f"{_NUMBERED[period.part]} quarter of {year}"
    return year if period.part is Part.YEAR else None


def query_of(company: str, reading: Reading) -> str | None:
    """A query for a cell by its own label; None for what is not a cell of a row with a label and a period."""
    label = label_of(reading.period)
    if reading.source is not Source.TABLE or not label or not reading.label.strip():
        return None
    return f"{company} {reading.label.rpartition(' – ')[2].strip().rstrip(':')} {label}"


def company_of(examined: Examined) -> str | None:
    """The first of the names that the page gives itself, as words of a query."""
    names = examined.identity.names
    return " ".join(names[0].stems) if names else None
