"""Which period a figure in prose belongs to.

Figures and periods of one sentence are cut into segments, at comparisons, contrasts and, where each side has
a pair of its own, at commas and "and". In a segment a figure takes the one period there; several take turns
(figure, period, figure, period); anything else is `Ambiguous`. A year that is only compared with ("up 12%
from 2023"), and the day of an announcement ("On May 2, 2024, it reported"), is nobody's period.
"respectively" pairs in order if the counts agree. Tables are not for this module: a figure behind a tab gets
None.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from .clauses import enclosing, fold_words, sentences
from .figure import Ambiguous, Figure
from .one_reading import find_figures
from .period import PeriodKind, PeriodMention
from .span import Span
from .units import Measure

_RESPECTIVELY: Final = re.compile(r"\brespectively\b", re.IGNORECASE)
_RELATIVE: Final = re.compile(
    r"\b(?:(?:prior|previous|preceding|last|same|comparable|corresponding|next"
    r"|following)[- ](?:\w+[- ])?(?:year|quarter|period|month|half|months)"
    r"|(?:a |one )?year(?:s)?[- ](?:ago|earlier|before)|(?:the )?year before|prior-year|a quarter (?:ago"
    r"|earlier))\b",
    re.IGNORECASE,
)
_BASE: Final = re.compile(
    r"\b(?:from|over|versus|vs\.?|compared (?:with|to)|relative to|against|than|than in|since|until|before"
    r"|after|prior to|from that of|on)(?: the| in| those of| that of)*[ ]\Z",
    re.IGNORECASE,
)
_ANNOUNCED: Final = re.compile(
    r"\A,? (?:(?:\w+[., ]+){0,6})(?:announced|reported|issued|released|filed|published|said|disclosed"
    r"|entered|completed|closed|signed)\b",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"\b(?:dated|filed|issued|due|maturing|expiring|effective|through|until|by|after|before)[ ](?:on )?\Z",
    re.IGNORECASE,
)
_MADE_KNOWN: Final = re.compile(
    r"\b(?:report|statement|release|study|article)s? (?:released|published|filed|issued|dated) (?:on|in) \Z",
    re.IGNORECASE,
)
_CUT: Final = re.compile(
    r";|—|, (?=(?:up|down|an? (?:increase|decrease|improvement|decline|rise|drop|gain)|representing"
    r"|growth of) )"
    r"|,? (?:while|whereas|although|though|but|however)(?= )|,? (?:as )?compared (?:to|with)(?= )"
    r"|,? (?:versus|vs\.?|as against)(?= )"
    r"|,? (?:up|down|an? (?:increase|decrease|improvement|decline|rise|drop)(?: of [^,;]{1,24})?) from(?= )"
    r"|(?<=[a-z0-9%])[,]? from(?= (?:a |an |about |approximately )*(?:[A-Z]{0,3}[$€£¥(]|[0-9]))",
    re.IGNORECASE,
)
_NEW_STATEMENT: Final = re.compile(
    r";|—|, \Z|,? (?:while|whereas|although|though|but|however)", re.IGNORECASE
)
_REACHED: Final = re.compile(r",? to (?:about |approximately |around |nearly )?\Z", re.IGNORECASE)
_AND: Final = re.compile(r",? and(?= )|,(?= )", re.IGNORECASE)
_RATES: Final = frozenset(
    {Measure.PERCENT, Measure.PERCENTAGE_POINTS, Measure.BASIS_POINTS, Measure.MULTIPLE}
)


@dataclass(frozen=True, slots=True)
class _Segment:
    span: Span
    comparison: bool


def bind(text: str, figure: Figure, periods: Sequence[PeriodMention]) -> PeriodMention | Ambiguous | None:
    """The one period of `periods` (from `find_periods(text)`) that `figure` (from `find_figures(text)`)
    belongs to.

    `Ambiguous` where two are possible, None where the sentence names none for it.
    """
    sentence = enclosing(sentences(text), figure.span)
    if sentence is None:
        return None
    folded = fold_words(text)
    line_start = folded.rfind("\n", 0, figure.span.start) + 1
    line_end = folded.find("\n", figure.span.end)
    if "\t" in folded[line_start : len(folded) if line_end < 0 else line_end]:
        return None
    mentions = [m for m in periods if sentence.contains(m.span) and not _announcement(folded, m)]
    figures = [span.shifted(sentence.start) for span in _places(text[sentence.start : sentence.end])]
    if _RESPECTIVELY.search(folded, sentence.start, sentence.end):
        return _respectively(folded, figure, figures, mentions)
    segments = _segments(folded, sentence, figures, mentions)
    return _in_segments(folded, figure, figures, mentions, segments)


@lru_cache(maxsize=64)
def _places(sentence: str) -> tuple[Span, ...]:
    """Where the figures of a sentence stand: asked again for each of them."""
    return tuple(f.span for f in find_figures(sentence))


def _announcement(folded: str, mention: PeriodMention) -> bool:
    """A day on which something was said or done, not a day or time that figures are of."""
    if _MADE_KNOWN.search(folded[max(0, mention.span.start - 24) : mention.span.start]):
        return True
    if mention.period.kind is not PeriodKind.INSTANT:
        return False
    if _DATED.search(folded[max(0, mention.span.start - 24) : mention.span.start]):
        return True
    said_on = folded[mention.span.start : mention.span.start + 3].lower() == "on "
    return said_on and _ANNOUNCED.match(folded[mention.span.end : mention.span.end + 120]) is not None


def _respectively(
    folded: str, figure: Figure, figures: Sequence[Span], mentions: Sequence[PeriodMention]
) -> PeriodMention | Ambiguous | None:
    if not mentions:
        return None
    if len({m.span for m in mentions}) != len(mentions) or len(figures) != len(mentions) or len(figures) < 2:
        return Ambiguous(len(mentions))
    in_order = sorted(figures)
    if figure.span not in in_order:
        return Ambiguous(len(mentions))
    return sorted(mentions, key=lambda m: m.span)[in_order.index(figure.span)]


def _segments(
    folded: str, sentence: Span, figures: Sequence[Span], mentions: Sequence[PeriodMention]
) -> list[_Segment]:
    """The sentence cut at comparisons, then at "and" and commas wherever both sides have a figure and a
    period.
    """
    cuts = [(sentence.start, False)]
    for match in _CUT.finditer(folded, sentence.start, sentence.end):
        if match.start() > sentence.start and not any(
            m.span.start < match.end() < m.span.end for m in mentions
        ):
            comparing = _NEW_STATEMENT.match(match.group()) is None
            cuts.append((match.start(), comparing))
    edges = [*cuts, (sentence.end, False)]
    segments: list[_Segment] = []
    for (start, comparison), (end, _) in pairwise(edges):
        segments += _split_pairs(folded, Span(start, end), comparison, figures, mentions)
    return segments


def _split_pairs(
    folded: str, span: Span, comparison: bool, figures: Sequence[Span], mentions: Sequence[PeriodMention]
) -> list[_Segment]:
    parts: list[_Segment] = []
    start = span.start
    for match in _AND.finditer(folded, span.start, span.end):
        left, right = Span(start, match.start()), Span(match.end(), span.end)
        if match.start() <= start:
            continue
        if all(
            any(side.contains(f) for f in figures) and any(side.contains(m.span) for m in mentions)
            for side in (left, right)
        ):
            parts.append(_Segment(left, comparison if not parts else False))
            start = match.start()
    parts.append(_Segment(Span(start, span.end), comparison if not parts else False))
    return parts


def _in_segments(
    folded: str,
    figure: Figure,
    figures: Sequence[Span],
    mentions: Sequence[PeriodMention],
    segments: Sequence[_Segment],
) -> PeriodMention | Ambiguous | None:
    index = next((i for i, s in enumerate(segments) if s.span.contains(figure.span)), None)
    if index is None:
        return Ambiguous(len(mentions)) if mentions else None
    segment = segments[index]
    own = [m for m in mentions if segment.span.contains(m.span) and not _base_of(folded, m, figure, segment)]
    if own:
        return _among(folded, figure, [f for f in figures if segment.span.contains(f)], own)
    if _RELATIVE.search(folded, segment.span.start, segment.span.end):
        return None
    if segment.comparison and not _is_change(folded, figure, segment):
        return None
    return _inherited(folded, index, mentions, segments)


def _base_of(folded: str, mention: PeriodMention, figure: Figure, segment: _Segment) -> bool:
    """Whether the period is only what the figure is compared with ("12% from 2023")."""
    if mention.span.start < figure.span.start:
        return False
    before = folded[max(segment.span.start, mention.span.start - 24) : mention.span.start]
    return _BASE.search(before) is not None


def _is_change(folded: str, figure: Figure, segment: _Segment) -> bool:
    """Whether a figure in a comparison is the change itself ("up 12%") rather than the old value."""
    rate = figure.unit is not None and figure.unit.measure in _RATES
    lead = folded[segment.span.start : figure.span.start]
    return rate and re.search(r"\bfrom\b", lead, re.IGNORECASE) is None


def _among(
    folded: str, figure: Figure, figures: Sequence[Span], own: Sequence[PeriodMention]
) -> PeriodMention | Ambiguous | None:
    """The period of `figure` among those of its segment."""
    if len({m.period for m in own}) == 1:
        if len(figures) == 1 or _leads_or_ends(folded, figures, own[0]):
            return own[0]
        return Ambiguous(1)
    order = sorted([(f.start, "f") for f in figures] + [(m.span.start, "p") for m in own])
    shape = "".join(kind for _, kind in order)
    by_position = sorted(own, key=lambda m: m.span)
    in_order = sorted(figures)
    if figure.span in in_order and re.fullmatch(r"(?:fp)+|(?:pf)+", shape):
        return by_position[in_order.index(figure.span)]
    return Ambiguous(len(own))


def _leads_or_ends(folded: str, figures: Sequence[Span], mention: PeriodMention) -> bool:
    """A period before all figures of a segment, or behind all, is that of each; so in "rose 5% in 2024 to
    $4bn".
    """
    later = [f for f in figures if f.start >= mention.span.end]
    earlier = [f for f in figures if f.end <= mention.span.start]
    if not later or not earlier:
        return True
    return len(later) == 1 and _REACHED.fullmatch(folded, mention.span.end, later[0].start) is not None


def _inherited(
    folded: str, index: int, mentions: Sequence[PeriodMention], segments: Sequence[_Segment]
) -> PeriodMention | Ambiguous | None:
    """The period of the statement that a segment without one belongs to: the nearest earlier one that names
    any.
    """
    for segment in reversed(segments[:index]):
        if segment.comparison:
            continue
        found = [m for m in mentions if segment.span.contains(m.span)]
        if found:
            return found[0] if len({m.period for m in found}) == 1 else Ambiguous(len(found))
        if _RELATIVE.search(folded, segment.span.start, segment.span.end):
            return None
    return None
