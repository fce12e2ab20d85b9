"""Words that bound a figure ("about", "at least", "up to"), and ranges made of two figures."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from .figure import Bound, Figure
from .span import Span
from .units import CURRENCIES, Unit

_ABOUT: Final = re.compile(
    r"(?:\b(?:about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca?\.|some|close to"
    r"|an estimated|estimated"
    r"|just (?:over|under|above|below|shy of)|slightly (?:over|under|above|below|more than|less than)"
    r"|in the region of"
    r"|in the range of|or so|near)|[~≈∼])[ \u00a0]?(?:a |an )?\Z",
    re.IGNORECASE,
)
_AT_LEAST: Final = re.compile(
    r"(?:\b(?:more than|over|at least|exceed(?:s|ed|ing)?|in excess of|above|no less than|not less than"
    r"|no fewer than"
    r"|not fewer than|a minimum of|minimum of|upwards of|greater than|topped|topping|surpass(?:es|ed|ing)"
    r"|well over)|[>≥])"
    r"[ \u00a0]?(?:a |an )?\Z",
    re.IGNORECASE,
)
_AT_MOST: Final = re.compile(
    r"(?:\b(?:up to|at most|no more than|not more than|less than|fewer than|under|below|a maximum of"
    r"|maximum of|as much as"
    r"|as many as|not to exceed|not exceed(?:ing)?|no greater than|not greater than|(?:capped|limited) (?:at|to))"
    r"|[<≤])[ \u00a0]?(?:a |an )?\Z",
    re.IGNORECASE,
)
# A denied bound is the other one. These are looked for first, since each ends in the words of the one that it denies.
_DENIED: Final = r"\b(?:no|not|never|(?:is|was|are|were|does|did|do)n't)(?: \w+)?[ \u00a0]"
_ABOUT_IT: Final = r"(?: (?:about|approximately|around|roughly))?[ \u00a0]?(?:a |an )?\Z"
_NOT_BELOW: Final = re.compile(
    _DENIED + r"(?:(?:less|fewer|lower|smaller) than|below|under|short of)" + _ABOUT_IT, re.IGNORECASE
)
_NOT_ABOVE: Final = re.compile(
    _DENIED
    + r"(?:(?:more|greater|higher|larger) than|over|above|in excess of|exceed(?:s|ed|ing)?|top(?:ped)?|surpass(?:ed)?)"
    + _ABOUT_IT,
    re.IGNORECASE,
)
_OR_MORE: Final = re.compile(
    r"\+(?![0-9A-Za-z])|,?[ \u00a0]or (?:more|above|higher|greater|over)\b", re.IGNORECASE
)
_OR_LESS: Final = re.compile(r",?[ \u00a0]or (?:less|fewer|below|lower|under)\b", re.IGNORECASE)
_OR_SO: Final = re.compile(r"[ \u00a0]or so\b", re.IGNORECASE)
_REACH: Final = 32
_SENTENCE: Final = 200
"""How far back a verb of change is looked for."""

_HYPHEN: Final = re.compile(r"[ \u00a0]?[-—][ \u00a0]?\Z")
_TO: Final = re.compile(r",?[ \u00a0]to[ \u00a0](?:about |approximately |around |roughly )?\Z", re.IGNORECASE)
_AND: Final = re.compile(r"[ \u00a0](?:and|to|-)[ \u00a0](?:about |approximately |around )?\Z", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"\b(?:between|range of)[ \u00a0](?:about |approximately |around )?\Z", re.IGNORECASE
)
_FROM: Final = re.compile(r"\bfrom[ \u00a0](?:about |approximately |around |roughly )?\Z", re.IGNORECASE)
_RANGING: Final = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|varied|var(?:y|ies|ying)|anywhere)[ \u00a0]from[ \u00a0]\Z", re.IGNORECASE
)
_CHANGED: Final = re.compile(
    r"\b(?:increased|decreased|rose|risen|fell|fallen|grew|grown|declined|dropped|up|down|climbed|jumped"
    r"|improved|expanded"
    r"|contracted|went|moved|shrank|slid|gained|lost|raised|lowered|reduced|cut|widened|narrowed|surged"
    r"|soared|slipped"
    r"|advanced|swung|doubled|revised|changed|increasing|decreasing|rising|falling|growing"
    r"|declining)\b[^.;]*\Z",
    re.IGNORECASE,
)
_MAY_CHANGE: Final = re.compile(
    r"\b(?:increase|decrease|rise|fall|grow|decline|drop|climb|improve|expand|growth|reduce|lower|raise"
    r"|change)s?\b[^.;]*\Z",
    re.IGNORECASE,
)


def with_bound(folded: str, figure: Figure) -> Figure:
    """`figure` with the bound that the words directly before or after it give."""
    before = folded[max(0, figure.span.start - _REACH) : figure.span.start]
    after_less = _OR_LESS.match(folded, figure.span.end)
    after_more = _OR_MORE.match(folded, figure.span.end)
    if _NOT_BELOW.search(before):
        bound = Bound.AT_LEAST
    elif _NOT_ABOVE.search(before) or _AT_MOST.search(before) or after_less:
        bound = Bound.AT_MOST
    elif (_AT_LEAST.search(before) and not _ABOUT.search(before)) or after_more:
        bound = Bound.AT_LEAST
    elif _ABOUT.search(before) or _OR_SO.match(folded, figure.span.end):
        bound = Bound.ABOUT
    else:
        return figure
    return replace(figure, bound=bound)


def join_ranges(folded: str, figures: Sequence[Figure]) -> list[Figure]:
    """Neighbours that form a range become one figure; other pairs that may be one become ambiguous."""
    joined: list[Figure] = []
    for figure in figures:
        previous = joined[-1] if joined else None
        pair = None if previous is None else _pair(folded, previous, figure)
        if pair is None:
            joined.append(figure)
        else:
            joined[-1:] = pair
    return joined


def _pair(folded: str, first: Figure, second: Figure) -> list[Figure] | None:
    if first.bound is Bound.RANGE or second.span.start < first.span.end:
        return None
    if second.span.start - first.span.end > _REACH:
        return None
    gap = folded[first.span.end : second.span.start]
    before = folded[max(0, first.span.start - _SENTENCE) : first.span.start]
    sentence = before[max(before.rfind(". "), before.rfind("\n"), before.rfind("\t")) + 1 :]
    if _HYPHEN.fullmatch(gap):
        return _range(first, second)  # nothing where it does not rise ("7-3"): a score, a reference
    if _BETWEEN.search(before) and _AND.fullmatch(gap):
        return _range(first, second)
    if not _TO.fullmatch(gap):
        return None
    if _RANGING.search(before):
        return _range(first, second)
    if _CHANGED.search(sentence):
        return _separate(first, second)
    if _MAY_CHANGE.search(sentence) or _FROM.search(before):
        return _either(first, second)
    return _range(first, second)


def _same_unit(first: Figure, second: Figure) -> Unit | bool | None:
    """The unit both ends share (the first may leave it to the second, a currency to the first); False if
    none.
    """
    if first.unit == second.unit or first.unit is None:
        return second.unit
    if second.unit is None and first.unit.measure in CURRENCIES:
        return first.unit
    if second.unit is not None and first.unit.measure is second.unit.measure and first.unit.per is None:
        return second.unit
    return False


def _inherited(first: Figure, second: Figure) -> Decimal:
    """The factor that the first end takes from the second's scale."""
    return (
        second.scale
        if second.stated_scale and not first.stated_scale and first.scale in (Decimal(1), second.scale)
        else Decimal(1)
    )


def _range(first: Figure, second: Figure) -> list[Figure] | None:
    unit = _same_unit(first, second)
    if unit is False or first.ambiguous or second.ambiguous:
        return None if unit is False else _either(first, second)
    factor = _inherited(first, second) if first.scale == 1 else Decimal(1)
    low, high = first.low * factor, second.high
    if not low < high:
        return []
    return [
        Figure(
            span=Span(first.span.start, second.span.end),
            number_span=Span(first.number_span.start, second.number_span.end),
            low=low,
            high=high,
            bound=Bound.RANGE,
            unit=None if unit is True else unit,
            scale=second.scale,
            scale_span=second.scale_span,
            stated_scale=second.stated_scale,
        )
    ]


def _separate(first: Figure, second: Figure) -> list[Figure]:
    """Two values of a change. "rose from $3 to $4 billion": the first may or may not be billions."""
    factor = _inherited(first, second)
    if factor == 1 or first.ambiguous or _same_unit(first, second) is False or first.scale != 1:
        return [first, second]
    values = (first.low * factor, first.low)
    return [replace(first, low=min(values), high=max(values), ambiguous=values), second]


def _either(first: Figure, second: Figure) -> list[Figure] | None:
    """A range, or a change between two values: not to be told apart, so neither value is certain."""
    if _same_unit(first, second) is False:
        return None
    factor = _inherited(first, second) if first.scale == 1 else Decimal(1)
    values = tuple(
        dict.fromkeys(
            (*(v * factor for v in first.ambiguous or (first.low,)), *(second.ambiguous or (second.high,)))
        )
    )
    if len(values) < 2:
        return None
    return [
        Figure(
            span=Span(first.span.start, second.span.end),
            number_span=Span(first.number_span.start, second.number_span.end),
            low=min(values),
            high=max(values),
            bound=Bound.RANGE,
            unit=second.unit,
            scale=second.scale,
            scale_span=second.scale_span,
            stated_scale=second.stated_scale,
            ambiguous=values,
        )
    ]
