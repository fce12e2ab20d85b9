"""The market value on a cover: "The aggregate market value of the common stock held by non-affiliates as of June 30,
2022 was approximately $2,628,553,000".

A fixed form of annual reports: one such sentence, its one day, and the amount right behind the verb.
"""

import re
from collections.abc import Iterator
from typing import Final

from doublethink_figures import Bound, Context, Direction, Flag, Part, PeriodKind, find_figures, find_periods
from doublethink_figures.units import CURRENCIES

from .clauses import sentences
from .identity import FIRST_BLOCKS
from .pagetext import Page, Table
from .reading import Reading, Source
from .special import Special
from .words import listed

_SENTENCE: Final = re.compile(
    r"\baggregate market value of (?:the )?.{0,200}\bheld by non-?affiliates\b", re.IGNORECASE | re.DOTALL
)
_VERB: Final = re.compile(r"\b(?:was|is|of)(?:,? (?P<about>approximately|about))?\s*$", re.IGNORECASE)
_LEAST: Final = 100_000
_MAY: Final = listed(
    """
    aggregate market value common stock share voting nonvoting non equity held affiliate nonaffiliate registrant
    issuer ordinary capital
    """
)


def market_values(page: Page) -> Iterator[Special]:
    """The one such statement of the page's first lines."""
    found = [
        s
        for block in page.blocks[: 3 * FIRST_BLOCKS]
        if not isinstance(block, Table)
        for s in sentences(block)
    ]
    stating = [s for s in found if _SENTENCE.search(s.text)]
    if len(stating) != 1:
        return
    sentence = stating[0]
    days = [
        m
        for m in find_periods(sentence.text)
        if m.period.kind is PeriodKind.INSTANT and m.period.part is Part.DAY and m.period.end is not None
    ]
    if len({m.period for m in days}) != 1:
        return
    amounts = [
        f
        for f in find_figures(sentence.text, context=Context(decimal_convention=page.convention))
        if f.unit is not None and f.unit.measure in CURRENCIES and f.unit.per is None and not f.ambiguous
        and f.value >= _LEAST
    ]  # fmt: skip
    if len(amounts) != 1 or amounts[0].unit is None or amounts[0].bound not in (Bound.EXACT, Bound.ABOUT):
        return
    figure, unit = amounts[0], amounts[0].unit
    verb = _VERB.search(sentence.text[: figure.number_span.start].rstrip("$ US"))
    if verb is None:
        return
    about = figure.bound is Bound.ABOUT or verb["about"] is not None
    reading = Reading(
        source=Source.PROSE,
        stated=figure.value / figure.scale,
        scale=figure.scale,
        unit=unit,
        period=days[0].period,
        direction=Direction.NONE,
        flags=frozenset({Flag.ABOUT}) if about else frozenset(),
        label="aggregate market value held by non-affiliates",
        figure=figure.span.shifted(sentence.start),
        quote=type(figure.span)(sentence.start, sentence.start + len(sentence.text)),
        period_span=days[0].span.shifted(sentence.start),
        scale_span=None,
    )
    needs = (
        frozenset({"market"}),
        frozenset({"value"}),
        frozenset({"aggregate", "affiliate", "nonaffiliate"}),
    )
    yield Special(reading, needs, _MAY)
