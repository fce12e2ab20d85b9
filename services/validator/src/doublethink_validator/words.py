"""Words as they are compared: lower case, without possessives, plurals folded, a few fixed expressions made
one.

The equivalences are few, and each is one that financial reporting itself treats as the same line. Revenue and
net sales are not among them: companies report both, and they differ.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublethink_figures import Span


def listed(text: str) -> frozenset[str]:
    """The words of a list that is written out as text."""
    return frozenset(text.split())


_WORD: Final = re.compile(r"[^\W_]+(?:[&'’][^\W_]+|(?<=[^\W\d_])\.[^\W\d_]+|(?<=[0-9])[.,][0-9]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s?$")

STOP: Final = listed(
    """
    a an the of in for on at by to from with and or its their his her our is are was were be been
    did do does how much many what which who when give tell me show find state stated according
    report reported reports please that this these those as it has have had under into than there
    about amount figure number total consolidated overall company respectively
    """
)
"""Words that neither name a thing nor tell two things apart."""

CORPORATE: Final = listed(
    """
    inc incorporated corp corporation co company companies plc ltd limited llc lp llp nv sa ag se
    spa ab asa oyj kgaa gmbh holding holdings group trust bancorp
    """
)
"""Legal forms at the end of a company's name."""

ACCOUNTING: Final = listed(
    """
    net sale revenue income loss earning profit margin gross operat expense cost asset liability
    equity cash flow invest financ activity share per basic diluted weighted average outstanding
    stock common shareholder current noncurrent non other comprehensive tax before after provision
    interest debt term long short total sell general administrative research development
    depreciation amortization payable receivable inventory prepaid accrued and statement balance
    sheet condensed consolidated unaudited audited used in computing shareholders continuing data
    selected financial highlight summary result item amount attributable dollar comput abstract
    noninterest adjustment reconcile reconciliation reconciling supplemental disclosure commitment contingency other
    value information detail note continued
    """
)
"""Vocabulary of statements: as a heading over a row it names the statement's part, not another thing."""

CHANGE: Final = listed(
    """
    change growth grow grew increase increas decrease decreas decline declin rise rose fall fell
    drop variance versus vs
    """
)
"""A figure under, or asked for with, one of these is a difference and not a level."""

_STEMS: Final = {
    "operations": "operat",
    "operation": "operat",
    "operating": "operat",
    "investing": "invest",
    "investments": "investment",
    "financing": "financ",
    "stockholders": "shareholder",
    "stockholder": "shareholder",
    "shareowners": "shareholder",
    "selling": "sell",
    "increased": "increas",
    "increase": "increas",
    "increases": "increas",
    "decreased": "decreas",
    "decrease": "decreas",
    "decreases": "decreas",
    "declined": "declin",
    "decline": "declin",
    "changes": "change",
    "changed": "change",
    "ratified": "ratification",
    "ratify": "ratification",
    "repurchased": "repurchase",
    "repurchases": "repurchase",
    "opened": "open",
    "news": "news",
    "series": "series",
    "basis": "basis",
    "gaap": "gaap",
    "analysis": "analysis",
    "us": "us",
    "people": "people",
    "costs": "cost",
    "taxes": "tax",
    "boxes": "box",
    "businesses": "business",
    "losses": "loss",
    "classes": "class",
    "leases": "lease",
    "purchases": "purchase",
    "expenses": "expense",
    "licenses": "license",
    "rsus": "rsu",
    "psus": "psu",
}

_PHRASES: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    (("eps",), ("earning", "per", "share")),
    (("r&d",), ("research", "development")),
    (("sg&a",), ("sell", "general", "administrative")),
    (("research", "development", "expense"), ("research", "development")),
    (("sell", "general", "administrative", "expense"), ("sell", "general", "administrative")),
    (("non", "current"), ("noncurrent",)),
    (("cash", "dividend"), ("dividend",)),
    (("dividend", "dividend", "equivalent"), ("dividend",)),
    (("effective", "income", "tax", "rate"), ("effective", "tax", "rate")),
    (("net", "cash", "flow"), ("net", "cash")),
    (("net", "cash", "provided", "operat", "activity"), ("operat", "cash", "flow")),
    (("net", "cash", "generated", "operat", "activity"), ("operat", "cash", "flow")),
    (("net", "cash", "operat", "activity"), ("operat", "cash", "flow")),
    (("cash", "provided", "operat", "activity"), ("operat", "cash", "flow")),
    (("cash", "generated", "operat", "activity"), ("operat", "cash", "flow")),
    (("cash", "flow", "operat", "activity"), ("operat", "cash", "flow")),
    (("cash", "flow", "operat"), ("operat", "cash", "flow")),
    (("cash", "provided", "operat"), ("operat", "cash", "flow")),
    (("capex",), ("capital", "expenditure")),
    (("net", "earning"), ("net", "income")),
    (("net", "profit"), ("net", "income")),
    (("net", "income", "per", "share"), ("earning", "per", "share")),
    (("provision", "income", "tax"), ("income", "tax", "expense")),
    (("income", "tax", "provision"), ("income", "tax", "expense")),
    (("workforce",), ("employee",)),
    (("headcount",), ("employee",)),
    (("earning", "before", "income", "tax", "expense"), ("income", "before", "income", "tax", "expense")),
)
"""Expressions (stop words left out) that name the same line of a report."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word's stem and its place in the text; `capital` tells whether it begins with a capital or is a
    numeral.
    """

    stem: str
    span: Span
    capital: bool


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The form under which a word is compared."""
    plain = _POSSESSIVE.sub("", word).casefold().replace(".", "")
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    known = _STEMS.get(plain)
    if known is not None:
        return known
    if len(plain) > 4 and plain.endswith("ies"):
        return plain[:-3] + "y"
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
        return plain[:-1]
    return plain


@lru_cache(maxsize=32_768)
def words(text: str) -> tuple[Word, ...]:
    """The words of `text`, stop words included, fixed expressions not yet made one."""
    return tuple(
        Word(stem(match.group()), Span(match.start(), match.end()), not match.group()[0].islower())
        for match in _WORD.finditer(text)
    )


@lru_cache(maxsize=16_384)
def content(text: str) -> tuple[str, ...]:
    """The stems of the words that tell things apart, in order, with fixed expressions made one."""
    return canonical(tuple(word.stem for word in words(text) if word.stem not in STOP))


def canonical(stems: tuple[str, ...]) -> tuple[str, ...]:
    """`stems` with fixed expressions in their one form."""
    out = list(stems)
    present = set(out)
    for phrase, form in _PHRASES:
        if not present.issuperset(phrase):
            continue
        at = 0
        while at + len(phrase) <= len(out):
            if tuple(out[at : at + len(phrase)]) == phrase:
                out[at : at + len(phrase)] = form
                at += len(form)
            else:
                at += 1
        present = set(out)
    return tuple(out)


@lru_cache(maxsize=1_024)
def parts_of(forms: frozenset[str]) -> frozenset[str]:
    """The words of the fixed expressions whose one form is made of `forms`."""
    return frozenset(w for phrase, form in _PHRASES if forms.issuperset(form) for w in phrase)
