"""Claims from sentences that hold words of the query and a figure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log10
from typing import Final

from doublethink_figures import (
    Ambiguous,
    Bound,
    Context,
    Figure,
    Flag,
    PeriodMention,
    bind,
    direction,
    find_figures,
    find_periods,
    modality,
)

from .blocks import Text
from .claims import Claim
from .numbers import scale_word
from .period_labels import label_of
from .query import Query, stems

MAX_SENTENCE: Final = 2_000
_END: Final = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")
_FIGURE: Final = re.compile(
    r"[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|half|dozen)\b",
    re.IGNORECASE,
)
_SHORT: Final = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Inc|Corp|Co|Ltd|No|Nos|vs|St|Jr|Sr|U\.S|U\.K|approx|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept|Sep|Oct|Nov|Dec|Mrd|Mio|Tsd|ca|bzw)|\b[A-Z]|\b(?:zum|am|per|bis|vom|seit|des|dem|im) [0-3]?[0-9])\.$"
)
_SHORT_REACH: Final = 32


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, the byte offset where it starts, and the words it has of the query."""

    text: str
    offset: int
    common: frozenset[str]


def likely(line: Text, query: Query) -> Iterator[Sentence]:
    """The sentences of a line that hold a number and a word of the query."""
    if not _FIGURE.search(line.text) or not stems(line.text) & query.words:
        return
    offset, counted = line.offset, 0
    for start, text in _sentences(line.text):
        offset += len(line.text[counted:start].encode())
        counted = start
        if len(text) <= MAX_SENTENCE and _FIGURE.search(text):
            common = stems(text) & query.words
            if common:
                yield Sentence(text, offset, common)


def scored(sentences: Sequence[Sentence]) -> Iterator[tuple[float, Sentence]]:
    """The sentences with their points: the fewer of them have a word of the query, the more it counts."""
    uses = Counter(word for sentence in sentences for word in sentence.common)
    for sentence in sentences:
        points = sum(1 + log10(len(sentences) / uses[word]) for word in sentence.common)
        # Of sentences with the same words the shorter says them more plainly.
        yield points - len(sentence.text) / MAX_SENTENCE, sentence


def sentence_claims(page_id: str, sentence: Sentence) -> Iterator[Claim]:
    """A claim for each figure of a sentence that has one reading."""
    for figure, period in _figures(sentence.text):
        flags = modality(sentence.text, figure.span)
        yield Claim(
            page_id=page_id,
            quote=sentence.text,
            headings=(),
            offset=sentence.offset,
            value=f"{figure.value / figure.scale:f}",
            scale=scale_word(figure.scale.adjusted()),
            unit=str(figure.unit),
            period=period,
            direction=direction(sentence.text, figure.span),
            flags=flags | ({Flag.ABOUT} if figure.bound is Bound.ABOUT else frozenset()),
        )


@lru_cache(maxsize=4_096)
def _figures(text: str) -> tuple[tuple[Figure, str], ...]:
    """The figures of a sentence, each with the label of the period that is bound to it, empty for none;
    where two may be, with each.
    """
    found: list[tuple[Figure, str]] = []
    mentions = find_periods(text)
    for figure in find_figures(text, context=Context(decimal_convention="en")):
        if figure.ambiguous or figure.unit is None or figure.bound not in (Bound.EXACT, Bound.ABOUT):
            continue
        bound = bind(text, figure, mentions)
        near = _nearest(figure, mentions) if isinstance(bound, Ambiguous) else [bound]
        for mention in near:
            period = label_of(mention.period, mention.span.of(text)) if mention is not None else ""
            if period is not None:
                found.append((figure, period))
    return tuple(found)


def _nearest(figure: Figure, mentions: Sequence[PeriodMention]) -> list[PeriodMention]:
    """The period named last before a figure, and the one named next after it."""
    before = [m for m in mentions if m.span.end <= figure.span.start]
    after = [m for m in mentions if m.span.start >= figure.span.end]
    return [*before[-1:], *after[:1]]


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in _END.finditer(text):
        # The last few characters decide: to look at all that went before would take quadratic time.
        if _SHORT.search(text[max(0, match.start() - _SHORT_REACH) : match.start()].rstrip('"”’)')):
            continue
        yield start, text[start : match.start()]
        start = match.end()
    yield start, text[start:]
