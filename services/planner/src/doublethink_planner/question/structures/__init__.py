"""The sentence structures that are recognised, tried in order.

Every structure is a function of the sentence without its periods: it gives an `Asked`, or None where the
sentence is built otherwise. What none of them recognises is not understood.
"""

from __future__ import annotations

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

Structure = Callable[[str, MemoWords], Asked | None]


def understand_structure(
    sentence: str, words: MemoWords, *, has_period: bool, several_periods: bool
) -> Asked:
    """The first structure that fits. Raises NotUnderstood where none does.

    `has_period` admits key words without a verb ("Acme net sales", beside "fiscal 2023"); `several_periods`
    an aggregate over time.
    """
    for structure in _STRUCTURES:
        if structure is aggregate_over_time and not several_periods:
            continue
        asked = structure(sentence, words)
        if asked is not None and structure is reported_change and several_periods:
            raise NotUnderstood("a change that is reported, between two periods")
        if asked is not None:
            return asked
    if has_period and sentence[:1].isupper():
        return noun_phrase(sentence, sentence, words)
    raise NotUnderstood("the sentence has no structure that is known")


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
