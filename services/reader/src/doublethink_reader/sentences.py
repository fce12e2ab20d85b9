"""Claims from sentences that hold words of the query and a figure."""

import re
from collections.abc import Iterator
from typing import Final

from doublethink_figures import Ambiguous, Bound, Flag, bind, direction, find_figures, find_periods, modality

from .blocks import Text
from .claims import Claim
from .query import Query, stems

MAX_SENTENCE: Final = 2_000
_END: Final = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")
_SHORT: Final = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Inc|Corp|Co|Ltd|No|Nos|vs|St|Jr|Sr|U\.S|U\.K|approx|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept|Sep|Oct|Nov|Dec)|\b[A-Z])\.$"
)
_SCALES: Final = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def sentence_claims(page_id: str, line: Text, query: Query) -> Iterator[tuple[float, Claim]]:
    """Claims of a line with their scores."""
    for start, text in _sentences(line.text):
        common = stems(text) & query.words
        if (
            len(common) < min(2, len(query.words))
            or not any(c.isdigit() for c in text)
            or len(text) > MAX_SENTENCE
        ):
            continue
        offset = line.offset + len(line.text[:start].encode())
        mentions = find_periods(text)
        for figure in find_figures(text):
            if figure.ambiguous or figure.unit is None or figure.bound not in (Bound.EXACT, Bound.ABOUT):
                continue
            if query.unit_class is not None and figure.unit.unit_class is not query.unit_class:
                continue
            bound = bind(text, figure, mentions)
            if isinstance(bound, Ambiguous):
                continue
            flags = modality(text, figure.span) | (
                {Flag.ABOUT} if figure.bound is Bound.ABOUT else frozenset()
            )
            yield (
                1.5 * len(common),
                Claim(
                    page_id=page_id,
                    quote=text,
                    headings=(),
                    offset=offset,
                    value=f"{figure.value / figure.scale:f}",
                    scale=_SCALES.get(figure.scale.adjusted(), "") if figure.scale != 1 else "",
                    unit=str(figure.unit),
                    period=bound.span.of(text) if bound is not None else "",
                    direction=direction(text, figure.span),
                    flags=frozenset(flags),
                ),
            )


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in _END.finditer(text):
        if _SHORT.search(text[: match.start()].rstrip('"”’)')):
            continue
        yield start, text[start : match.start()]
        start = match.end()
    yield start, text[start:]
