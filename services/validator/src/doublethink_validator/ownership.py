"""The cover page of an ownership report (Schedules 13D and 13G): what each reporting person holds.

The form is the one of 17 CFR 240.13d-101 and -102: numbered rows, the person's name first, then the powers to
vote and dispose, the aggregate amount and the percent of class. A value stands behind its row's title or in
the next cell.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

from doublethink_figures import Direction, Measure, Part, Period, PeriodKind, Span, Unit, find_periods
from doublethink_figures.units import PERCENT

from .pagetext import Page, Table
from .reading import Reading, Source
from .special import Special
from .words import CORPORATE, STOP, listed, words

_PERSON: Final = re.compile(
    r"names? of reporting persons?\b\.?(?:\s*\(?(?:S\.S\. or )?I\.R\.S\.? identification nos?\.?[^)]*\)?)?"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_HELD: Final = (
    "owned own ownership held hold holding stake beneficial beneficially aggregate share stock common class"
)
_ROWS: Final = (
    (
        re.compile(
            r"percent of class represented by amount in row \(?[0-9]{1,2}\)?(?P<rest>.*)",
            re.IGNORECASE | re.DOTALL,
        ),
        (listed("class owned own ownership held stake beneficial beneficially"),),
    ),
    (
        re.compile(
            r"aggregate amount beneficially owned by each reporting person(?P<rest>.*)",
            re.IGNORECASE | re.DOTALL,
        ),
        (listed("owned own ownership held beneficial beneficially"),),
    ),
    *(
        (
            re.compile(rf"{how} {what} power(?P<rest>.*)", re.IGNORECASE | re.DOTALL),
            (frozenset({how}), frozenset({what})),
        )
        for how in ("sole", "shared")
        for what in ("voting", "dispositive")
    ),
)
_PERCENT: Final = re.compile(r"\s*(?P<number>[0-9]{1,3}(?:\.[0-9]{1,4})?) ?%\s*(?:\([^()]{0,40}\)|[*†]+)*\s*")
_COUNT: Final = re.compile(
    r"\s*(?P<number>[0-9]{1,3}(?:,[0-9]{3})+)(?: shares)?\s*(?:\([^()]{0,40}\)|[*†]+)*\s*"
)
_EVENT: Final = re.compile(r"\(date of event which requires filing", re.IGNORECASE)
_MAX_NAME_WORDS: Final = 12


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line or cell with text; `quote` is the line or row it stands in."""

    text: str
    span: Span
    quote: Span


def holdings(page: Page) -> tuple[Special, ...]:
    """What the cover pages of an ownership report say of each reporting person."""
    if not re.search(r"\breporting persons?\b", page.text, re.IGNORECASE):
        return ()
    pieces = list(_pieces(page))
    event = _event(pieces)
    found: list[tuple[frozenset[str], Reading, tuple[frozenset[str], ...]]] = []
    person: frozenset[str] = frozenset()
    for index, piece in enumerate(pieces):
        following = pieces[index + 1] if index + 1 < len(pieces) else None
        named = _PERSON.match(piece.text)
        if named is not None:
            name = named["rest"].strip() or (following.text if following is not None else "")
            person = _stems(name)
            continue
        for title, needs in _ROWS:
            match = title.match(piece.text)
            if match is None or not person:
                continue
            reading = _value(piece, match, following, event)
            if reading is not None:
                found.append((person, reading, needs))
    persons = {p for p, _, _ in found}
    return tuple(_special(person, reading, needs, persons) for person, reading, needs in found)


def _special(
    person: frozenset[str], reading: Reading, needs: tuple[frozenset[str], ...], persons: set[frozenset[str]]
) -> Special:
    may = listed(_HELD) | person | {w for need in needs for w in need} | {"power", "reporting", "person"}
    return Special(reading, needs if len(persons) == 1 else (*needs, person), may)


def _pieces(page: Page) -> Iterator[_Piece]:
    for block in page.blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    if cell.text.strip():
                        yield _Piece(cell.text, cell.span, row.span)
        else:
            yield _Piece(block.text, block.span, block.span)


def _stems(name: str) -> frozenset[str]:
    found = words(name)
    if not 1 <= len(found) <= _MAX_NAME_WORDS:
        return frozenset()
    return frozenset(w.stem for w in found) - STOP - CORPORATE


def _event(pieces: Sequence[_Piece]) -> tuple[Period, Span] | None:
    """The day of the event that requires the filing: the line above its caption."""
    for before, piece in pairwise(pieces):
        if not _EVENT.match(piece.text):
            continue
        days = [m for m in find_periods(before.text) if m.period.part is Part.DAY]
        if len(days) == 1 and days[0].period.kind is PeriodKind.INSTANT:
            return days[0].period, before.span
    return None


def _value(
    piece: _Piece, title: re.Match[str], following: _Piece | None, event: tuple[Period, Span] | None
) -> Reading | None:
    text, start, quote = title["rest"], piece.span.start + title.start("rest"), piece.quote
    if not text.strip() and following is not None:
        text, start = following.text, following.span.start
        quote = Span(piece.quote.start, following.quote.end)
    shape = _PERCENT if title.re is _ROWS[0][0] else _COUNT
    match = shape.fullmatch(text)
    if match is None:
        return None
    end = match.end("number") + (1 if shape is _PERCENT and text[match.end("number")] == "%" else 0)
    return Reading(
        source=Source.PROSE,
        stated=Decimal(match["number"].replace(",", "")),
        scale=Decimal(1),
        unit=PERCENT if shape is _PERCENT else Unit(Measure.COUNT),
        period=event[0] if event is not None else None,
        direction=Direction.NONE,
        flags=frozenset(),
        label=piece.text[: title.start("rest")].strip() or piece.text.strip(),
        figure=Span(start + match.start("number"), start + end),
        quote=quote,
        period_span=event[1] if event is not None else None,
        scale_span=None,
    )
