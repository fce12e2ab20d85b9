"""Counts of shares outstanding on a cover: "As of July 21, 2023, 304,709,812 shares of common stock were
outstanding".

A sentence counts only if it has one day, one such number, and no word beyond the vocabulary of such a
statement: whatever else is said may make it another count.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from doublethink_figures import (
    Direction,
    Flag,
    Measure,
    Part,
    PeriodKind,
    PeriodMention,
    Span,
    Unit,
    find_periods,
)

from .clauses import Sentence, sentences
from .pagetext import Page, Table
from .reading import Reading, Source
from .special import Special
from .words import CORPORATE, STOP, listed, words

_NUMBER: Final = re.compile(r"(?<![\d.,$€£-])[0-9]{1,3}(?:,[0-9]{3})+(?![\d,]|\.[0-9]|[-%])")
_CLASS: Final = re.compile(r"\b(?:class|series) ([A-Z]|[IVX]+)\b", re.IGNORECASE)
_VOCABULARY: Final = (
    listed(
        """
        share common stock ordinary capital outstanding issued par value per registrant issuer number class
        series voting nonvoting non each latest practicable date indicate there approximately close business
        without no nominal
        """
    )
    | STOP
    | CORPORATE
)
_ASKED: Final = listed("share common stock ordinary outstanding issued class series count")
_ABOUT: Final = re.compile(r"\b(?:approximately|about)\b", re.IGNORECASE)
_MOST_ROWS: Final = 8


def shares_outstanding(page: Page, known: frozenset[str]) -> tuple[Special, ...]:
    """The page's statements of shares outstanding. `known`: the words of the company's own names."""
    found = [
        *(
            (sentence.text, reading)
            for block in page.blocks
            if not isinstance(block, Table) and "outstanding" in block.text.casefold()
            for sentence in sentences(block)
            if (reading := _of_sentence(sentence, known)) is not None
        ),
        *_of_tables(page, known),
    ]
    classes = {name.group(1).casefold() for text, _ in found for name in _CLASS.finditer(text)}
    return tuple(_special(text, reading, classes) for text, reading in found)


def _special(text: str, reading: Reading, classes: set[str]) -> Special:
    needs = [frozenset({"outstanding", "count"}), frozenset({"share", "stock"})]
    mine = {name.group(1).casefold() for name in _CLASS.finditer(text)}
    if len(classes) > 1 or (classes and not mine):
        needs.append(frozenset(mine))  # a page with several classes: the query says which
    return Special(reading, tuple(needs), _ASKED | mine)


def _is_foreign(text: str, known: frozenset[str]) -> bool:
    masked = _CLASS.sub(" ", text)
    for mention in reversed(find_periods(masked)):
        masked = masked[: mention.span.start] + " " + masked[mention.span.end :]
    return any(
        w.stem not in _VOCABULARY and w.stem not in known and not re.fullmatch(r"[0-9.,]+", w.stem)
        for w in words(masked)
    )


def _day(text: str) -> PeriodMention | None:
    days = [
        m for m in find_periods(text) if m.period.kind is PeriodKind.INSTANT and m.period.part is Part.DAY
    ]
    return days[0] if len(days) == 1 else None


def _of_sentence(sentence: Sentence, known: frozenset[str]) -> Reading | None:
    text = sentence.text
    day = _day(text)
    numbers = [m for m in _NUMBER.finditer(text) if day is None or not day.span.contains(Span(*m.span()))]
    stems = {w.stem for w in words(text)}
    if day is None or len(numbers) != 1 or not {"outstanding", "share"} <= stems or _is_foreign(text, known):
        return None
    place = Span(sentence.start + numbers[0].start(), sentence.start + numbers[0].end())
    whole = Span(sentence.start, sentence.start + len(text))
    return _reading(text, numbers[0].group(), place, whole, day, day.span.shifted(sentence.start))


def _of_tables(page: Page, known: frozenset[str]) -> Iterator[tuple[str, Reading]]:
    """Tables such as "Class | Outstanding at July 21, 2023"."""
    for table in page.blocks:
        if not isinstance(table, Table) or not 2 <= len(table.rows) <= _MOST_ROWS:
            continue
        heads = [c for c in table.rows[0].filled if "outstanding" in c.text.casefold()]
        day = _day(heads[0].text) if len(heads) == 1 else None
        if day is None:
            continue
        for row in table.rows[1:]:
            for cell in row.filled if row.label is not None else ():
                match = _NUMBER.fullmatch(cell.text.strip())
                label = row.label.text if row.label is not None else ""
                stems = {w.stem for w in words(label)}
                if match is None or not heads[0].covers(cell.column) or not {"share", "stock"} & stems:
                    continue
                if not _is_foreign(f"{label} {heads[0].text}", known):
                    yield label, _reading(label, match.group(), cell.span, row.span, day, heads[0].span)


def _reading(
    text: str, number: str, figure: Span, quote: Span, day: PeriodMention, period_span: Span
) -> Reading:
    return Reading(
        source=Source.PROSE,
        stated=Decimal(number.replace(",", "")),
        scale=Decimal(1),
        unit=Unit(Measure.COUNT),
        period=day.period,
        direction=Direction.NONE,
        flags=frozenset({Flag.ABOUT}) if _ABOUT.search(text) else frozenset(),
        label=text.strip(),
        figure=figure,
        quote=quote,
        period_span=period_span,
        scale_span=None,
    )
