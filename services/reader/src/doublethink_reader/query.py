"""The words of a query and how well a label answers to them. Generous on purpose: the validator decides."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublethink_figures import Period, UnitClass, find_periods


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD: Final = re.compile(r"[a-z0-9]+(?:&[a-z0-9]+)*")
_IDLE: Final = _listed(
    """
    a an the of in for on at by to from with and or its was were is are be did do does how much many
    what which who when total consolidated company inc corp million billion thousand reported report
    quarter quarterly fiscal year ended ending months weeks three six nine twelve second first third
    fourth period amount
    """
)
_SAME: Final = {
    "eps": ("earning", "per", "share"),
    "r&d": ("research", "development"),
    "sg&a": ("selling", "general", "administrative"),
    "capex": ("capital", "expenditure"),
    "stockholder": ("shareholder",),
    "operation": ("operat",),
    "operating": ("operat",),
    "income": ("income", "earning"),
    "earning": ("earning", "income"),
    "profit": ("profit", "income", "earning"),
    "tax": ("tax", "taxe"),
    "expense": ("expense", "provision"),
    "provision": ("provision", "expense"),
}


@dataclass(frozen=True, slots=True)
class Query:
    """An approved query: its words, the class of unit that is wanted, and the period, each None if not
    said.
    """

    words: frozenset[str]
    unit_class: UnitClass | None
    period: Period | None


def understand(text: str, unit_class: UnitClass | None, period: Period | None) -> Query:
    """The query of a text with the typed class and period that came with it."""
    text = re.sub(r"\b((?:\w+)[- ](?:weeks?|months?)) fiscal (period|quarter|year)\b", r"\1 \2", text)
    mentions = find_periods(text)
    named = {mention.period for mention in mentions}
    rest = list(text)
    for mention in mentions:
        rest[mention.span.start : mention.span.end] = " " * (mention.span.end - mention.span.start)
    return Query(stems("".join(rest)), unit_class, period or (named.pop() if len(named) == 1 else None))


@lru_cache(maxsize=32_768)
def stems(text: str) -> frozenset[str]:
    """The words of a text as they are compared: lower case, singular, idle ones left out, a few expanded."""
    found: set[str] = set()
    for word in _WORD.findall(re.sub(r"['’]s\b", "", text.casefold())):
        if word in _IDLE:
            continue
        plain = (
            word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")) else word
        )
        found.update(_SAME.get(plain, (plain,)))
    return frozenset(found)


def score(query: Query, label: str, context: str) -> float:
    """How well a row answers.

    Words in common count for it, other words of its label against it, most of all a label that has no others.
    """
    own, around = stems(label), stems(context)
    common = own & query.words
    if not common and not around & query.words:
        return 0.0
    other = len(own - query.words)
    points = 2.0 * len(common) + 1.0 * len((around & query.words) - common) - 0.5 * min(other, 6)
    return points + (2.0 if common and not other else 0.0)
