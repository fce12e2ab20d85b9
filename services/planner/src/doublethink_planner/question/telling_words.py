"""Which words of a question go into the query of the last resort: those of company and metric, and no others."""

from __future__ import annotations

import re
from typing import Final

from . import lexicon
from .lexicon import listed

_DOES: Final = re.compile(r"\b(?:did|does|do|has|have|had|was|were)\b", re.IGNORECASE)
_DONE: Final = {
    "open": "opened",
    "close": "closed",
    "sell": "sold",
    "repurchase": "repurchased",
    "issue": "issued",
    "grant": "granted",
    "ship": "shipped",
    "produce": "produced",
    "deliver": "delivered",
    "repay": "repaid",
    "borrow": "borrowed",
    "own": "owned",
    "use": "used",
    "redeem": "redeemed",
    "hire": "hired",
    "add": "added",
    "acquire": "acquired",
    "settle": "settlement",
}
"""Verbs that say what is counted, in the form that a report has them."""
_KEPT_BEFORE: Final = {
    "pay": r"ratio|gap|equity|package|mix",
    "authorized": r"(?:preferred|common|ordinary|share|stock|capital)",
    "grant": r"date|dates",
    "book": r"value|to\b",
    "record": r"date|high|low",
    "offer": r"price",
    "list": r"price",
    "repurchase": r"(?:program|programme|plan|authorization)",
}
"""Words of a verb's form that are part of a name, by what follows them."""
_PAID: Final = re.compile(r"\b(?:cash|dividends?|distributions?)\b(?!.*\bper\b)", re.IGNORECASE)

EMPTY: Final = listed(
    """
    what which how much many did does do was were is are has have had been be being will would may might can must
    the a an its their his her this that these those it they there there's according given shown amount amounted
    figure number total reported company size in at by to from with under as between into about within upon during
    through while also so for on of and or i we you me need owning aside
    """
)
"""Words that say nothing of what is asked. Without them a second query is tried; the first keeps some."""

SOFT: Final = frozenset(["amount", "figure", "number", "total"])
_KEPT_INSIDE: Final = frozenset(["of", "and", "for", "on", "&"])
"""Kept between two words of the query, since names hold them: "Bank of America"."""
_VERB: Final = re.compile(
    r"(?:report|record|post|generat|earn|recogni[sz]|book|disclos|employ|hold|held|incur|carr|carri"
    r"|spen[dt]|pa[iy]|receiv|achiev|bear|bore|agree|giv|gave|set|expect|anticipat|forecast|provid|contribut"
    r"|com|came|cost"
    r"|deliver|declar|show|shown|stand|stood|cast|transferr|charg|rais|invest|reali[sz]|owe|offer|authori[sz]|enter|lay"
    r"|laid|off|settl|vot|ow|list|mak|made|get|got|tak|took|entitl|requir|apply|appli|commit|announc|complet"
    r"|acquir|work"
    r"|gav|bring|brought|serv|classifi|remain|ask|need|find|found)"
    r"(?:e|ed|es|s|d|ies|y|red|ing)?",
)
"""Verbs between a company and its figure. Nouns of the same form ("share repurchases") are not among them."""
_NOUNS_OF_THAT_FORM: Final = listed(
    """
    costs cost charge charges offering offerings earnings shows commitment holding holdings settlement provided used
    votes vote voting carrying reporting investing acquired acquiring casting bearing lists orders works paid remaining
    """
)
_SMALL: Final = listed(
    """
    a an the in on by for from to of as at with its their his her under that which and or
    over during per against into available
    """
)
_WORD: Final = re.compile(r"[^\s,;:()\"]+")
_ASIDE: Final = re.compile(
    r"^how (?:large|big|high|long|old)\b|\bin connection with\b|\bassociated with\b"
    r"|\brelated to\b",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(
    r"(?<=\w) (?:segment|division|business unit|business segment)s?\b"
    r"|(?<=\w) business\b(?= (?:bring|generate|report|make|post|earn|contribute|deliver)\w*\b)"
)


def said_words(rest: str, done: frozenset[str] = frozenset()) -> list[str]:
    """The sentence's words without those that are neither company nor metric.

    `done` are participles that stay: of what will be laid off, without them something else would be asked.
    """
    counted = re.match(
        r"(?:how (?:much|many)|what (?:amount|number))\b", rest, re.IGNORECASE
    ) and _DOES.search(rest)
    before = ""
    rest = _ASIDE.sub(" ", rest)
    said: list[str] = []
    for word in (word.strip(".'\u2019") for word in _WORD.findall(_PARTS.sub("", rest))):
        word = re.sub(r"'s$", "", word) if word.lower() not in lexicon.NAMES_WITH_S else word
        if not word:
            continue
        if word in done or re.match(_KEPT_BEFORE.get(word, r"(?!)"), rest.partition(f"{word} ")[2]):
            said.append(word)
        elif word in _DONE and (before != "to" or word in ("acquire", "settle")):
            if counted:
                said.append(_DONE[word])
        elif word in ("pay", "paid") and _PAID.search(rest):
            said.append("paid")
        elif word not in _NOUNS_OF_THAT_FORM and _VERB.fullmatch(word):
            if _describes(word, rest):
                said.append(word)
        else:
            said.append(word)
        before = word
    return said


def _describes(word: str, rest: str) -> bool:
    """Whether a participle belongs to the noun behind it: "invested capital", "earned premiums"."""
    following = re.match(r"[a-z]+", rest.partition(f" {word} ")[2])
    if following is None or following[0] in _SMALL or re.search(r"\b(?:has|have|had)\b", rest):
        return False
    return word.endswith("ed")


def carries(word: str) -> bool:
    return word.lower() in _KEPT_INSIDE or word.lower() not in EMPTY


def joined(public: list[str], telling: list[str]) -> str:
    """The words of the first query, without small words that stand at an end or beside each other."""
    kept: list[str] = []
    for word in public:
        small = word.lower() in _KEPT_INSIDE
        if small and (not kept or kept[-1].lower() in _KEPT_INSIDE):
            continue
        kept.append(word)
    while kept and kept[-1].lower() in _KEPT_INSIDE:
        kept.pop()
    return " ".join(kept or telling)
