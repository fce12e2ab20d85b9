"""Whether an answer is made of the question's words, and which of them it leaves over.

Both directions are needed. A word that is not in the question is invented or comes from somewhere else. A word that
is left over and dropped ("excluding", "segment", "adjusted") would make a right figure of the wrong thing.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink_planner.question.lexicon import listed

from .answer import Answer, Operation
from .errors import Ungrounded

_TOKEN: Final = re.compile(r"[^\W_](?:[\w&.,'/+%$-]*[\w%])?|[%$€£]")
_POSSESSIVE: Final = re.compile(r"['\u2019]s?$")

_FRAME: Final = listed(
    """
    a an the of in on at to for by from with as and or its their it they this that these those there
    what which where how much many was were is are be been did do does has have had will would can could
    please tell me us give show find look up out say state name i we you want need know like
    company firm business figure figures amount value level number according exactly during over
    report reported reports disclose disclosed discloses post posted posts record recorded records shown shows
    generate generated earn earned book booked stand stood come came land landed reach reached
    dollar dollars euro euros money million millions billion billions thousand thousands
    """
)
"""Words that ask, join, or name the unit of an amount, and say nothing of what is asked for."""

_CHANGE: Final = """
    change changed increase increased decrease decreased grow grew rise rose fall fell decline declined move moved
    between than compared
    """
_CUES: Final[dict[Operation, frozenset[str]]] = {
    Operation.CHANGE: listed(f"{_CHANGE} difference more less higher lower"),
    Operation.PERCENT_CHANGE: listed(f"{_CHANGE} growth percent percentage % rate year-over-year"),
    Operation.SUM: listed("sum together combined total taken altogether add added both plus"),
    Operation.AVERAGE: listed("average mean"),
    Operation.MEDIAN: listed("median"),
    Operation.LOWEST: listed("lowest least smallest minimum"),
    Operation.HIGHEST: listed("highest most largest greatest maximum"),
}
"""Words of which one must be in the question before an operation is believed, and which it then accounts for."""

_PERCENT: Final = frozenset({"percent", "percentage", "%", "rate", "growth"})


def ground(answer: Answer, question: str) -> str:
    """Refuse an answer that adds a word to the question; return the words of the question that it leaves over.

    They are to stand in every query, where the validator must find them: an answer that drops "excluding" then proves
    nothing instead of something else. Raises Ungrounded.
    """
    words = _words(question)
    asked = set(words)
    used: set[str] = set()
    for figure in answer.figures:
        if not figure.company.strip() or not figure.metric.strip():
            raise Ungrounded("a figure without company or metric")
        for part in (figure.company, figure.metric, figure.period):
            used.update(_words(part))
    if used - asked:
        raise Ungrounded("a word that is not in the question")
    _check_alike(answer)
    accounted = used | _FRAME
    if answer.operation is not Operation.NONE:
        cues = _CUES[answer.operation] & asked
        if not cues:
            raise Ungrounded("an operation that the question does not ask for")
        accounted |= cues
    elif len(answer.figures) > 1:
        raise Ungrounded("several figures and nothing to do with them")
    if answer.operation is Operation.CHANGE and _PERCENT & asked - used:
        raise Ungrounded("a change that the question wants in percent")
    if answer.operation is Operation.PERCENT_CHANGE and not _PERCENT & asked:
        raise Ungrounded("a change that the question does not want in percent")
    return " ".join(spelled for word, spelled in words.items() if word not in accounted)


def _check_alike(answer: Answer) -> None:
    """Several figures differ in company or period, never in what they are.

    A word that stands in one metric and not in the other ("segment", "adjusted") may have been meant for both.
    """
    if len({frozenset(_words(figure.metric)) for figure in answer.figures}) > 1:
        raise Ungrounded("figures of different kinds")
    if len({bool(figure.period.strip()) for figure in answer.figures}) > 1:
        raise Ungrounded("a figure with a period beside one without")


def _words(text: str) -> dict[str, str]:
    """The words of a text in order, folded, each with its first spelling."""
    words: dict[str, str] = {}
    for spelled in _TOKEN.findall(text.replace("\u2019", "'")):
        bare = _POSSESSIVE.sub("", spelled).rstrip(".,'-/")
        words.setdefault(bare.casefold(), bare)
    return words
