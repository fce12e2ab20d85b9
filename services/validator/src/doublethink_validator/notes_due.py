"""The rate in the name of a note or bond: "1.750% Notes due 2030"."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from doublethink_figures import Direction, Span
from doublethink_figures.units import PERCENT

from .pagetext import Page, Table
from .reading import Reading, Source
from .special import Special
from .words import listed, words

_MONTH: Final = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_NAME: Final = re.compile(
    r"(?<![\d.,-])(?P<rate>[0-9]{1,2}(?:\.[0-9]{1,4})?)% (?P<kind>(?:[A-Za-z-]+ ){0,5}?"
    r"(?:Notes?|Bonds?|Debentures?|Debt Securities))(?: \([^()]{0,40}\))?,? (?:that |which )?"
    rf"(?:due|matur(?:e|es|ing)|scheduled to mature)(?: (?:in|on))? (?:{_MONTH} )?(?:[0-3]?[0-9], )?"
    r"(?P<year>20[0-9]{2})\b",
    re.IGNORECASE,
)
_ASKED: Final = listed("interest rate coupon due percent percentage annual annum per stated fixed")
_KINDS: Final = listed("note bond debenture security debt")
_VAGUE: Final = listed("floating variable")


def note_rates(page: Page) -> Iterator[Special]:
    """The named notes of a page with their rates; a query has to name kind, year and rate."""
    for block in page.blocks:
        places = (
            [(c.text, c.span) for row in block.rows for c in row.cells]
            if isinstance(block, Table)
            else [(block.text, block.span)]
        )
        for text, span in places:
            if "%" not in text:
                continue
            for match in _NAME.finditer(text):
                kind = frozenset(w.stem for w in words(match["kind"]))
                if kind & _VAGUE:
                    continue
                yield Special(
                    _reading(text, span, match),
                    (kind & _KINDS, frozenset({match["year"]}), frozenset({"interest", "rate", "coupon"})),
                    _ASKED | kind | {match["year"]},
                )


def _reading(text: str, span: Span, match: re.Match[str]) -> Reading:
    start = span.start + match.start("rate")
    return Reading(
        source=Source.PROSE,
        stated=Decimal(match["rate"]),
        scale=Decimal(1),
        unit=PERCENT,
        period=None,
        direction=Direction.NONE,
        flags=frozenset(),
        label=match.group(),
        figure=Span(start, start + len(match["rate"]) + 1),
        quote=Span(span.start + match.start(), span.start + match.end()),
        period_span=None,
        scale_span=None,
    )
