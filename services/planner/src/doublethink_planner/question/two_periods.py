"""The last reading of a question that names two periods: what is done with them is told by its words, and what is left
between those words has to be one noun phrase, of a company and its figure.

"By how much is Acme's net income in Q2 2018 above that of Q2 2017", "in going from fiscal 2022 to fiscal 2023, by how
much did Acme's cash fall": wherever its parts stand. A question with more than one phrase left is not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from .errors import NotUnderstood
from .lexicon import listed
from .memo_words import MemoWords
from .structures import Asked
from .subjects import has_figure_noun, single_company, split_subject

_RISES: Final = r"(?:increas|decreas|declin|improv|expand|shrink|narrow|widen|deteriorat|climb)\w*"
_MOVES: Final = (
    rf"(?:chang(?:e[sd]?|ing)|{_RISES}|gr[eo]w(?:n|ing|s|th)?|ris(?:e|es|en|ing)|rose|fall(?:s|en|ing)?|fell|drop(?:s|ped)?"
    r"|mov(?:e[sd]?|ing|ement)|swing|swung|shift|jump(?:ed)?|slip(?:ped)?|add(?:ed)?|lose|shed|gain(?:ed)?|reduction|uptick"
    r"|go(?:ne|ing)?(?: up| down| from)?|went(?: up| down)?|come down|came down|up or down)"
)
_ABOVE: Final = (
    r"(?:more|higher|larger|bigger|greater|above|exceed(?:s|ed|ing)?|surpass(?:ed)?|minus|over and above)"
)
_BELOW: Final = r"(?:less|lower|smaller|fewer|below|short of)"
_APART: Final = r"(?:differ(?:s|ed|ence|ent)?|delta|gap|variance)"
_PERCENT: Final = re.compile(
    r"\bpercent(?:age)?\b(?! points?)|%|\bgrowth\b|\brate\b(?= (?:did|has|of growth))", re.IGNORECASE
)
_POINTS: Final = re.compile(r"\bpercentage[- ]points?\b|\bbasis points\b", re.IGNORECASE)
_COMPOUND: Final = re.compile(r"\bcagr\b|\bcompound(?:ed)? annual\b", re.IGNORECASE)
_LESS: Final = re.compile(r"⟦0⟧,? less (?=(?:its|their|that|those|the|for|in|⟦1⟧))", re.IGNORECASE)
_NOT_HERE: Final = re.compile(
    r"\b(?:ratio(?! of .*⟦0⟧.* to .*⟦1⟧)|times(?! (?:as )?(?:large|high|big|much|great)\b)|multiple|share of"
    r"|proportion|percent(?:age)? of|median|why|who|when|reasons?|expect\w*|forecast"
    r"|weighted|net (?:increase|decrease|change)|average (?!of\b)|(?:first|second|third|fourth|each|every|all)"
    r" (?:quarter|half)|comparable|same-store|like-for-like|organic|currency)\b",
    re.IGNORECASE,
)
"""Words of other operations, and of figures that are changes themselves."""
_WHICH: Final = re.compile(rf"\b(?:which|what)\b.*\b(?:{_ABOVE}|{_BELOW})\b.*⟦\d⟧ or\b", re.IGNORECASE)
_FUNCTION: Final = (
    r"⟦\d+⟧|[,:;()]|\bbasis points\b|\b(?:by |to |in )?how (?:much|many|far|large|big)\b|\b(?:by |from |to "
    r"|at )?(?:what|which)(?:'s)?\b"
    rf"|percent(?:age)?(?:[- ](?:points?|terms))?|%|\b{_MOVES}\b|\b{_ABOVE}\b|\b{_BELOW}\b|\b{_APART}\b|\b{_RISES}\b"
    r"|\b(?:report|post|record|generate|earn|book|spend|spent|invest|pay|make|made)(?:ed|s)?\b"
    r"|\b(?:did|does|do|was|were|is|are|has|have|had|been|being)\b"
    r"|\b(?:compar(?:e[sd]?|ing|ison)|versus|vs\.?|against|relative|than|subtract(?:ing)?|between|since|during|when"
    r"|expressed|measured|i\.e\.|respectively|times|as (?:large|high|big|much|great)|together|combined|cagr"
    r"|compound(?:ed)? annual(?: growth)?(?: rate)?)(?!\w)"
    r"|\b(?:the )?(?:average|mean|sum|total|ratio) of\b|\b(?:add|come|amount)(?:s|ed)? (?:up )?to(?: together)?\b"
)
_CUT: Final = re.compile(_FUNCTION, re.IGNORECASE)
_EDGE: Final = listed(
    """
    the a an of in for at on to and or as that those it its their by with from into up down dollar dollars absolute rate
    same year amount value level figure size using same terms ended quarter both over overall us going compared
    sequential one euros euro
    """
)


@dataclass(frozen=True, slots=True)
class _Done:
    operation: figures.OperationKind
    in_order: bool = False
    reversed_order: bool = False
    points: bool = False


def over_two_periods(marked: str, words: MemoWords) -> Asked:
    """What is asked of the one subject in a sentence whose two periods stand as "⟦0⟧" and "⟦1⟧".

    An operation of UNSPECIFIED asks for both figures. Raises NotUnderstood or Unaskable.
    """
    marked = _LESS.sub("⟦0⟧ minus ", marked)
    if _NOT_HERE.search(marked):
        raise NotUnderstood("another operation than one over two periods")
    done = _done(marked)
    subject = split_subject(_phrase(marked, words), words)
    if not has_figure_noun(subject.metric):
        raise NotUnderstood("the metric names no figure")
    return Asked(
        (subject,),
        done.operation,
        over_time=True,
        reversed_order=done.reversed_order,
        points=done.points,
        lead="than" if done.in_order else "",
        subtracted=done.in_order and re.search(r"\bsubtract|\bminus\b", marked, re.IGNORECASE) is not None,
    )


def _done(marked: str) -> _Done:
    """What the sentence's words do with the two figures."""
    above, below = _has(_ABOVE, marked), _has(_BELOW, marked)
    if _COMPOUND.search(marked):
        return _Done(figures.OPERATION_KIND_CAGR)
    if re.search(r"\bratio of\b|\btimes\b", marked, re.IGNORECASE):
        return _Done(figures.OPERATION_KIND_RATIO)
    if _WHICH.search(marked):
        return _Done(figures.OPERATION_KIND_MAX if above else figures.OPERATION_KIND_MIN)
    if re.search(r"\b(?:average|mean) of\b", marked, re.IGNORECASE):
        return _Done(figures.OPERATION_KIND_MEAN)
    if re.search(
        r"\b(?:sum|total) of\b|\b(?:add|come|amount)(?:s|ed)? (?:up )?to\b|\b(?:together|combined)\b",
        marked,
        re.I,
    ):
        return _Done(figures.OPERATION_KIND_SUM)
    moved = _has(_MOVES, marked) or _has(_APART, marked)
    if not (moved or above or below or re.search(r"\bsubtract", marked, re.IGNORECASE)):
        return _Done(figures.OPERATION_KIND_UNSPECIFIED)
    points = _POINTS.search(marked) is not None
    if _PERCENT.search(marked) and not points:
        return _Done(figures.OPERATION_KIND_GROWTH, in_order=above or below)
    if re.search(r"\bsubtract", marked, re.IGNORECASE):
        return _Done(figures.OPERATION_KIND_DIFFERENCE, in_order=True, reversed_order=True)
    ordered = (above or below) and not moved
    return _Done(
        figures.OPERATION_KIND_DIFFERENCE, in_order=ordered, reversed_order=ordered and below, points=points
    )


def _phrase(marked: str, words: MemoWords) -> str:
    """The one noun phrase between the words that do something. Raises NotUnderstood."""
    left: list[str] = []
    for piece in _CUT.split(marked):
        tokens = piece.split()
        while tokens and tokens[0].lower() in _EDGE:
            tokens.pop(0)
        while tokens and tokens[-1].lower() in _EDGE:
            tokens.pop()
        if tokens:
            left.append(" ".join(tokens))
    kept = [
        piece
        for at, piece in enumerate(left)
        if not any(
            whole.lower().endswith(piece.lower()) for whole in (*left[:at], *left[at + 1 :]) if whole != piece
        )
    ]
    distinct = list(dict.fromkeys(kept))
    if len(distinct) == 2 and re.search(r"(?:'s|s')$", distinct[0]) and distinct[1][:1].islower():
        # "Acme's ⟦0⟧ net income": the period stood between the two.
        distinct = [" ".join(distinct)]
    if len(distinct) == 2:
        distinct = _owned(distinct[0], distinct[1], words)
    if len(distinct) != 1:
        raise NotUnderstood("two periods, and not one phrase beside them")
    return distinct[0]


def _owned(first: str, second: str, words: MemoWords) -> list[str]:
    """ "revenue" and "Acme" as "Acme's revenue"."""
    for metric, company in ((first, second), (second, first)):
        if not has_figure_noun(metric) or has_figure_noun(company) or re.search(r"'| of (?=[A-Z])", metric):
            continue
        if " and " not in company and "," not in company:
            try:
                return [f"{single_company(company, words)}'s {metric}"]
            except NotUnderstood:
                continue
    return [first, second]


def _has(pattern: str, text: str) -> bool:
    return re.search(rf"\b{pattern}\b", text, re.IGNORECASE) is not None
