"""Differences of percentages, asked for in percentage points."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import CHANGE_NOUN, MORE, Asked
from doublethink_planner.question.structures.change import change
from doublethink_planner.question.structures.pair import comparison

_POINTS: Final = r"percentage[- ]points?"
_TAIL: Final = re.compile(
    rf",? \(?(?:expressed |stated |measured |given )?(?:in|as) (?:terms of )?{_POINTS}\)?$", re.IGNORECASE
)
_FRONT: Final = re.compile(rf"^in (?:terms of )?{_POINTS},? (?=what|how|by)", re.IGNORECASE)
_AS_PLAIN: Final = (
    (re.compile(rf"^(?:by )?how many {_POINTS} (?={MORE}\b)", re.IGNORECASE), "how much "),
    (
        re.compile(rf"^(?:by )?how many {_POINTS} (?=(?:did|has|have|was|were)\b)", re.IGNORECASE),
        "by how much ",
    ),
    (re.compile(rf"\b{_POINTS} (?={CHANGE_NOUN}\b)", re.IGNORECASE), ""),
    (re.compile(rf"(?<=difference) in {_POINTS} (?=between\b|in\b)", re.IGNORECASE), " "),
)


def points(sentence: str, words: MemoWords) -> Asked | None:
    """The difference of two percentages. Raises NotUnderstood or Unaskable."""
    plain = _FRONT.sub("", _TAIL.sub("", sentence))
    for pattern, replacement in _AS_PLAIN:
        plain = pattern.sub(replacement, plain)
    if plain == sentence:
        return None
    asked = change(plain, words) or comparison(plain, words)
    if asked is None or asked.operation != figures.OPERATION_KIND_DIFFERENCE:
        raise NotUnderstood("percentage points of something else than a difference")
    return replace(asked, points=True)
