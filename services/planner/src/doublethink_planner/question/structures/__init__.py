"""The sentence structures that are recognised, tried in order.

Every structure is a function of the sentence without its periods: it gives an `Asked`, or None where the
sentence is built otherwise. What none of them recognises is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.aggregate import aggregate, aggregate_over_time
from doublethink_planner.question.structures.asked import Asked
from doublethink_planner.question.structures.change import (
    change,
    compound_growth,
    growth,
    reported_change,
)
from doublethink_planner.question.structures.combined_parts import combined_parts
from doublethink_planner.question.structures.definition import definition
from doublethink_planner.question.structures.direct import direct, noun_phrase
from doublethink_planner.question.structures.pair import comparison, ratio
from doublethink_planner.question.structures.points import points

__all__ = ["Asked", "understand_structure"]

_ASKING: Final = re.compile(
    r"(?:what|which|how|who|when|where|why|by|did|does|do|is|are|was|were|has|have|had|give|show|find)\b",
    re.IGNORECASE,
)
Structure = Callable[[str, MemoWords], Asked | None]


def understand_structure(
    sentence: str, words: MemoWords, *, has_period: bool, several_periods: bool
) -> Asked:
    """The first structure that fits. Raises NotUnderstood where none does.

    `has_period` admits key words without a verb ("Acme net sales", beside "fiscal 2023"); `several_periods`
    an aggregate over time.
    """
    asked = _by_structures(sentence, words, several_periods=several_periods)
    if asked is None and sentence.strip() and not _ASKING.match(sentence):
        # Key words: what they name is asked for.
        first = sentence.split()[0]
        named = (
            sentence[0].lower() + sentence[1:] if words.is_plain(first) and first[1:].islower() else sentence
        )
        try:
            asked = _by_structures(f"what was the {named}", words, several_periods=several_periods)
        except NotUnderstood:
            asked = None
        if asked is None and sentence[:1].isupper():
            asked = noun_phrase(sentence, sentence, words)
    if asked is None:
        raise NotUnderstood("the sentence has no structure that is known")
    return asked


def _by_structures(sentence: str, words: MemoWords, *, several_periods: bool) -> Asked | None:
    for structure in _STRUCTURES:
        if structure is aggregate_over_time and not several_periods:
            continue
        asked = structure(sentence, words)
        if asked is not None and structure is reported_change and several_periods:
            raise NotUnderstood("a change that is reported, between two periods")
        if asked is not None:
            return asked
    return None


_STRUCTURES: Final[tuple[Structure, ...]] = (
    definition,
    points,
    compound_growth,
    reported_change,
    ratio,
    growth,
    change,
    comparison,
    combined_parts,
    aggregate,
    aggregate_over_time,
    direct,
)
