"""A reader that claims every figure of a page, rightly read: the worst that an honest reader can offer."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from doublethink_figures import Period, PeriodKind, UnitClass
from doublethink_figures.period import Part
from doublethink_validator.errors import NotProven
from doublethink_validator.examination import Material, Verdict, examine
from doublethink_validator.pagetext import Table
from doublethink_validator.proof import Claim
from doublethink_validator.reading import Reading
from doublethink_validator.survey import Examined


@cache
def claims_of(text: str) -> tuple[Claim, ...]:
    """A claim for each cell, each figure of a sentence that has one reading, and each fixed form."""
    from doublethink_validator.clauses import sentences

    examined = Examined("pag_" + "a" * 26, text)
    found: list[Reading] = []
    for table in examined.layouts.values():
        for row in table.rows:
            for cell in row.values():
                try:
                    found.append(examined.read_cell(table, row, cell))
                except NotProven:
                    continue
    for block in examined.page.blocks:
        if not isinstance(block, Table):
            for sentence in sentences(block):
                found += [reading for _, reading in examined.read_sentence(sentence)]
    found += [special.reading for special in examined.specials]
    return tuple(_claim(text, reading) for reading in found)


def _claim(text: str, reading: Reading) -> Claim:
    stated = reading.stated
    return Claim(
        quote=reading.quote.of(text),
        heading_quotes=(),
        quote_offset=-1,
        value=f"({-stated:,f})" if stated < 0 else f"{stated:,f}",
        scale=f"{reading.scale:f}" if reading.scale != 1 else None,
        unit=str(reading.unit),
        period=_label(reading.period),
        direction=reading.direction,
        flags=reading.flags,
    )


_LENGTHS = {
    Part.THREE_MONTHS: "three months ended",
    Part.SIX_MONTHS: "six months ended",
    Part.NINE_MONTHS: "nine months ended",
    Part.TWELVE_MONTHS: "twelve months ended",
    Part.YEAR: "fiscal year ended",
    Part.THIRTEEN_WEEKS: "13 weeks ended",
    Part.TWENTY_SIX_WEEKS: "26 weeks ended",
    Part.THIRTY_NINE_WEEKS: "39 weeks ended",
}
_NUMBERED = {Part.Q1: "first", Part.Q2: "second", Part.Q3: "third", Part.Q4: "fourth"}


def _label(period: Period | None) -> str:
    """The label of the kinds of period that the test pages use."""
    if period is None:
        return ""
    year = f"fiscal {period.year}" if period.kind is PeriodKind.FISCAL else str(period.year)
    if period.end is not None:
        day = f"{period.end:%B} {period.end.day}, {period.end.year}"
        return day if period.kind is PeriodKind.INSTANT else f"{_LENGTHS[period.part]} {day}"
    return f"{_NUMBERED[period.part]} quarter of {year}" if period.part in _NUMBERED else year


def found(query: str, text: str, unit_class: UnitClass | None, title: str = "") -> Decimal | None:
    """The value that is found on a page of which an honest reader claims everything; None for no answer.

    `title` is what the search result calls the page.
    """
    page = Material("pag_" + "a" * 26, text, False, claims_of(text), title)
    result = examine(query, None, unit_class, [page])
    assert (result.verdict is Verdict.FOUND) is bool(result.proven)
    return result.proven[0].reading.value if result.proven else None
