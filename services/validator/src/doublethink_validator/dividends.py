"""Dividends that a board declares: "declared a quarterly cash dividend of $0.22 per share".

A fixed form: the verb, the kinds of the dividend, the amount, "per share". The kinds are words that a query may
have; "special", "preferred" and the like are words that it must have.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from doublethink_figures import Direction, Measure, Span, Unit

from .clauses import Sentence, sentences
from .pagetext import Page, Table
from .reading import Reading, Source
from .special import Special
from .words import listed, words

_DECLARED: Final = re.compile(
    r"\b(?:declared|approved|authorized|declares)(?: the payment of)?(?: (?:an?|its|the|our))?"
    r"(?P<kinds>(?: (?:regular|quarterly|cash|annual|semi-annual|monthly|special|increased|first|second|third|fourth"
    r"|quarter|interim|final|common|stock|preferred)){0,5})"
    r" dividend of (?P<figure>(?:US)?\$(?P<number>[0-9]{1,3}\.[0-9]{2,6})) per "
    r"(?:(?P<of>common|ordinary|preferred|class [ab]) )?share\b(?P<after>[^.;]{0,80})",
    re.IGNORECASE,
)
_PLAIN: Final = listed("dividend per share declared common cash regular quarterly quarter stock board")
_TELLING: Final = listed("special preferred annual monthly interim final")


def declared(page: Page) -> Iterator[Special]:
    """The dividends per share that sentences of the page say were declared."""
    for block in page.blocks:
        if isinstance(block, Table) or "dividend" not in block.text:
            continue
        for sentence in sentences(block):
            for match in _DECLARED.finditer(sentence.text):
                if "preferred" in f"{match['after']} {match['of']}".casefold() or re.search(
                    r"\bnot\b|n’t\b", sentence.text[: match.start()]
                ):
                    continue
                yield _special(sentence, match)


def _special(sentence: Sentence, match: re.Match[str]) -> Special:
    kinds = {w.stem for w in words(match["kinds"])}
    dollar = Measure.USD if match["figure"].upper().startswith("US") else Measure.UNKNOWN_DOLLAR
    reading = Reading(
        source=Source.PROSE,
        stated=Decimal(match["number"]),
        scale=Decimal(1),
        unit=Unit(dollar, Measure.SHARE),
        period=None,
        direction=Direction.NONE,
        flags=frozenset(),
        label=match.group()[:120].strip(),
        figure=Span(sentence.start + match.start("figure"), sentence.start + match.end("figure")),
        quote=Span(sentence.start, sentence.start + len(sentence.text)),
        period_span=None,
        scale_span=None,
    )
    needs = [frozenset({"dividend"}), *(frozenset({kind}) for kind in kinds & _TELLING)]
    return Special(reading, tuple(needs), _PLAIN | kinds)
