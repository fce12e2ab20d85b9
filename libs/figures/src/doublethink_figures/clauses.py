"""Splitting prose into sentences and clauses.

A clause ends where another statement begins: at a semicolon, a long dash, a comparison ("up from", "compared
with"), a contrast ("while", "but"). Plain commas and "and" do not end one; `attachment` decides about those.
"""

import re
from collections.abc import Iterator
from typing import Final

from .folding import fold, words_only
from .span import Span

_SENTENCE_END: Final = re.compile(r"[.!?][\"')\]]*(?=[ ]+[\"'(\[]?[A-Z0-9$€£])|[\n\t]+")
_ABBREVIATED: Final = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|LLC|L\.P|plc|No|Nos|vs|approx|ca|Mr|Mrs|Ms|Dr|St|Jr|Sr|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept?|Oct"
    r"|Nov|Dec|Mio|Mrd|mio|mrd|e\.g|i\.e|U\.S|U\.K|U\.N|a\.m|p\.m|Fig|Rs|incl|excl|est|avg|Tsd|bzw)|\b[A-Z]"
    r"|\b(?:[Zz]um|[Aa]m|[Pp]er|[Bb]is|vom|seit|des|dem|im) [0-3]?[0-9])\Z"
)
_BREAK: Final = re.compile(
    r";|—|[ ]-[ ]|,? (?:while|whereas|although|though|but|however)(?= )"
    r"|,? (?:up|down|an increase|a decrease|an improvement|a decline) from(?= )"
    r"|,? (?:as )?compared (?:to|with)(?= )|,? (?:versus|vs\.?|as against)(?= )|,? in comparison (?:to"
    r"|with)(?= )",
    re.IGNORECASE,
)


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of `text`; cells and lines end a sentence too. White space between belongs to none."""
    return tuple(
        _trimmed(text, span) for span in _cut(fold_words(text)) if text[span.start : span.end].strip()
    )


def clauses(text: str) -> tuple[Span, ...]:
    """The clauses of `text`, in order; together they cover it but for white space."""
    folded = fold_words(text)
    found = []
    for sentence in _cut(folded):
        start = sentence.start
        for match in _BREAK.finditer(folded, sentence.start, sentence.end):
            if match.start() > start:
                found.append(Span(start, match.start()))
                start = match.start()
        found.append(Span(start, sentence.end))
    return tuple(_trimmed(text, span) for span in found if text[span.start : span.end].strip())


def fold_words(text: str) -> str:
    """`text` folded, grouping spaces as plain ones."""
    return words_only(fold(text))


def enclosing(spans: tuple[Span, ...], inner: Span) -> Span | None:
    """The span of `spans` that holds `inner` completely, or None."""
    return next((span for span in spans if span.contains(inner)), None)


def _cut(folded: str) -> Iterator[Span]:
    start = 0
    for match in _SENTENCE_END.finditer(folded):
        if match.group()[0] == "." and _ABBREVIATED.search(
            folded[max(0, match.start() - 12) : match.start()]
        ):
            continue
        yield Span(start, match.end())
        start = match.end()
    yield Span(start, len(folded))


def _trimmed(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
