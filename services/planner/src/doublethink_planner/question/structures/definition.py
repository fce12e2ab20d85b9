"""Figures whose calculation the question states: "operating margin (operating income divided by revenue)".

What is looked up are the two metrics of the definition; the defined word only says whether a quotient is a percentage.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question import lexicon
from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import ASK_BE, THE, Asked, full
from doublethink_planner.question.structures.direct import direct
from doublethink_planner.question.structures.pair import two_of
from doublethink_planner.question.subjects import Subject, clean_metric, has_figure_noun, split_subject
from doublethink_planner.question.unit_class import unit_class

_DIFFERENCE: Final = figures.OPERATION_KIND_DIFFERENCE
_SUM: Final = figures.OPERATION_KIND_SUM
_SHARE: Final = figures.OPERATION_KIND_SHARE
_RATIO: Final = figures.OPERATION_KIND_RATIO

_OPERATORS: Final = (
    (r"minus|less|[-−]", _DIFFERENCE),
    (r"plus|\+", _SUM),
    (r"divided by|over|/|÷", _RATIO),
    (r"(?:expressed )?as an? (?:percentage|percent|share|proportion) of", _SHARE),
)
_ANY_OPERATOR: Final = re.compile(
    r" (?:" + "|".join(f"(?:{words})" for words, _ in _OPERATORS) + r"|times|multiplied by|[*×x]) ",
    re.IGNORECASE,
)
_IN_WORDS: Final = (
    (r"(?:the )?sum of (?P<a>.+?) and (?P<b>.+)", _SUM),
    (r"(?:the )?difference between (?P<a>.+?) and (?P<b>.+)", _DIFFERENCE),
    (r"(?:the )?ratio of (?P<a>.+?) to (?P<b>.+)", _RATIO),
)
_SAYS_SO: Final = (
    r"(?:(?:which is |that is |is |being )?(?:defined|calculated|computed|measured|determined|derived)"
    r"(?: here)? (?:as|by(?: taking)?)|i\.e\.,?|that is,?|meaning|equal to|=)"
)
_BRACKETS: Final = re.compile(
    rf"^(?P<head>[^()]+?),? ?\((?:{_SAYS_SO} )?(?P<what>[^()]+)\)(?P<tail>[^()]*)$", re.I
)
_BEHIND: Final = re.compile(rf"^(?P<head>.+?),? (?:{_SAYS_SO}) (?P<what>.+)$", re.IGNORECASE)
_BARE: Final = re.compile(
    r"^(?P<head>(?:What|what) .+? (?:working capital|free cash flow|net debt|gross profit|margin|ratio|rate"
    r"|coverage)(?: (?:of|at) [A-Z][^,]*)?), (?P<what>[^,]+)$"
)
"""Without a word that says so, only behind what is always calculated."""
_IN_FRONT: Final = re.compile(
    r"^(?:using|taking|as|based on) (?P<what>[^,]+ (?:minus|less|plus|divided by|/) [^,]+), (?P<rest>what .+)$",
    re.IGNORECASE,
)
_FROM: Final = re.compile(
    r"^(?P<head>.+?),? (?:calculated|computed|determined|derived) (?:from|using) (?P<a>.+?) and (?P<b>.+)$",
    re.IGNORECASE,
)
_KNOWN: Final = (
    (r"effective (?:income )?tax rate$", r"tax", r"before (?:\w+ ){0,3}tax", _SHARE),
    (r"working capital$", r"assets$", r"liabilities$", _DIFFERENCE),
    (r"current ratio$", r"assets$", r"liabilities$", _RATIO),
    (r"margin$", r"(?:income|profit|ebitda)$", r"(?:sales|revenues?)$", _SHARE),
    (r"gross profit$", r"(?:sales|revenues?)$", r"cost of ", _DIFFERENCE),
    (r"free cash flow$", r"operating|operations", r"capital expenditures?$|capex$|equipment$", _DIFFERENCE),
)
"""What "computed from A and B" means where the names of all three leave one reading."""
_TIMES_HUNDRED: Final = re.compile(r",? ?(?:[*×x]|times|multiplied by) ?100(?: ?%| percent)?$", re.IGNORECASE)
_AVERAGE: Final = re.compile(r"(?<!weighted[ -])\baverage (?!\w* ?shares)", re.IGNORECASE)
"""The mean of two balances, which no page need have."""
_PERCENTAGE: Final = re.compile(r"\b(?:margin|rate|percentage|percent|share|return|yield)\b|%", re.IGNORECASE)
_NO_PERCENTAGE: Final = re.compile(r"\bper[- ](?:\w+ )?share\b|\bturnover\b|\ba share\b", re.IGNORECASE)


def definition(sentence: str, words: MemoWords) -> Asked | None:
    """The operation over the definition's two metrics. Raises NotUnderstood or Unaskable."""
    front = _IN_FRONT.match(sentence)
    if front:
        sentence = f"{front['rest']} ({front['what']})"
    using = _FROM.match(sentence)
    if using:
        return _known(using, words)
    for form in (_BRACKETS, _BEHIND, _BARE):
        found = form.match(sentence)
        if found is None:
            continue
        parts = _parts(found["what"])
        if parts is None:
            if form is _BEHIND or _ANY_OPERATOR.search(f" {found['what']} "):
                raise NotUnderstood("a definition that is not one operation over two figures")
            continue
        first, second, operation = parts
        tail = found.groupdict().get("tail") or ""
        company, defined = _defined(f"{found['head']}{tail}".strip(" ,"), words)
        if operation == _RATIO and _is_percentage(defined):
            operation = _SHARE
        return _asked(first, second, operation, company, words)
    return _calculation(sentence, words)


def _calculation(sentence: str, words: MemoWords) -> Asked | None:
    """ "What were Acme's current assets minus current liabilities". "Less" is left: it stands in names of lines."""
    found = full(rf"{ASK_BE}{THE}(?P<what>.+ (?:minus|plus|divided by) .+)", sentence)
    if found is None:
        return None
    parts = _parts(found["what"])
    if parts is None or not has_figure_noun(parts[0]) or not has_figure_noun(parts[1]):
        raise NotUnderstood("a calculation that is not one operation over two figures")
    return two_of(*parts, words)


def _parts(what: str) -> tuple[str, str, figures.OperationKind] | None:
    what = _TIMES_HUNDRED.sub("", what.strip(" ,"))
    if _several(what) or _AVERAGE.search(what):
        return None
    if len(_ANY_OPERATOR.findall(what)) == 1:
        for operators, operation in _OPERATORS:
            found = full(rf"(?P<a>.+?) (?:{operators}) (?P<b>.+)", what)
            if found:
                return found["a"], found["b"], operation
    if not _ANY_OPERATOR.search(what):
        for pattern, operation in _IN_WORDS:
            found = full(pattern, what)
            if found and " and " not in found["a"] and " and " not in found["b"]:
                return found["a"], found["b"], operation
    return None


def _several(what: str) -> bool:
    """Whether an operand may be a list of figures."""
    lowered = what.lower()
    for compound in sorted(lexicon.COMPOUND_METRICS, key=len, reverse=True):
        lowered = lowered.replace(compound, " ")
    words_first = re.match(r"(?:the )?(?:sum of|difference between) ", lowered)
    return "," in lowered or lowered.count(" and ") > (1 if words_first else 0)


def _defined(sentence: str, words: MemoWords) -> tuple[str, str]:
    """Company (empty where only the definition names it) and the defined word of the sentence without it."""
    try:
        asked = direct(sentence, words)
    except NotUnderstood:
        asked = None
    if asked is not None:
        if len(asked.subjects) != 1:
            raise NotUnderstood("a definition for several figures")
        return asked.subjects[0].company, asked.subjects[0].metric
    found = full(rf"{ASK_BE}{THE}(?P<np>.+)", sentence)
    if found is None:
        raise NotUnderstood("a definition in a sentence that has no structure that is known")
    try:
        subject = split_subject(found["np"], words)
    except NotUnderstood:
        return "", clean_metric(found["np"], words)
    return subject.company, subject.metric


def _is_percentage(defined: str) -> bool:
    if _NO_PERCENTAGE.search(defined):
        return False
    return _PERCENTAGE.search(defined) is not None or unit_class(defined) == figures.UNIT_CLASS_PERCENT


def _asked(
    first: str, second: str, operation: figures.OperationKind, company: str, words: MemoWords
) -> Asked:
    if not company:
        return two_of(first, second, operation, words)
    subjects = []
    for metric in (first, second):
        metric = re.sub(rf"^{re.escape(company)}(?:'s|') ", "", metric)
        subjects.append(Subject(company, clean_metric(metric, words)))
    if any(not has_figure_noun(subject.metric) for subject in subjects):
        raise NotUnderstood("a definition over something that is no figure")
    if subjects[0].metric.casefold() == subjects[1].metric.casefold():
        raise NotUnderstood("a definition over one figure")
    return Asked(tuple(subjects), operation)


def _known(using: re.Match[str], words: MemoWords) -> Asked:
    company, defined = _defined(using["head"].strip(" ,"), words)
    for name, first, second, operation in _KNOWN:
        if not company or not re.search(name, defined, re.IGNORECASE):
            continue
        for a, b in ((using["a"], using["b"]), (using["b"], using["a"])):
            a, b = a.strip(" ,"), b.strip(" ,")
            clear = (
                re.search(first, a, re.I) and re.search(second, b, re.I) and not re.search(second, a, re.I)
            )
            if clear and " and " not in a + b:
                return _asked(a, b, operation, company, words)
    raise NotUnderstood("a calculation from two figures that is not said")
