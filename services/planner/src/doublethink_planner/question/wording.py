"""How reports word what people ask for, for the second query: "share buybacks" are "repurchases of common stock".

Only where both say the same thing. Total revenue and net sales do not: a company may report both. Of a part
("Services revenue") there is only one of them.
"""

from __future__ import annotations

import re
from typing import Final

from .lexicon import listed

_PERSON: Final = r"(?-i:[A-Z][\w'-]+(?: [A-Z]\.?)? [A-Z][\w'-]+)"
_REWORDED: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), to)
    for pattern, to in (
        # What is reported is GAAP where nothing else is said.
        (r"(?<!non-)(?<!non )\bGAAP (?:basis )?(?=\w)", ""),
        # Pay: the post stays, since a person may have held others.
        (r"(?<!annual )(?<!annualized )\b(?=(?:base salary|cash retainer)\b)", "annual "),
        # Votes.
        (rf"\bvotes (?:did |does )?({_PERSON}(?: Jr\.?)?) (?:receive|get|obtain|win)(?: (?:for|in favou?r))?\b",
         r"votes for \1"),
        (r"\bvotes (?:were |was )?(?:cast )?in favou?r of\b", "votes for"),
        (r"\bvotes (?:were |was )?cast (?=for\b|against\b)", "votes "),
        (r"\b(?:ratifying|ratify|to ratify) (?:the (?:appointment|selection|engagement) of )?", "ratification of "),
        (r"\b(ratification of .+?) as .*?(?:auditors?|accounting firm)\b", r"\1"),
        # Lines of statements.
        (r"\b(?:share|stock) (?:repurchases?|buybacks?)$", "repurchases of common stock"),
        (r"\bcarrying (?:amount|value) of (?=(?:[A-Z]\S* )?(?:goodwill|inventor|property))", ""),
        (r"\b(goodwill|inventor(?:y|ies)) (?:balance|carrying (?:amount|value))$", r"\1"),
        (r"\b(debt|commercial paper|notes|borrowings|loans) outstanding$", r"\1"),
        (r"^(?:cash )?dividends to (?:its |their )?(?:share|stock)holders paid$", "dividends paid"),
        (r"^cash(?: balances?| position| on hand)?$", "cash and cash equivalents"),
        (r"\bnumber of (?=(?:diluted|basic) shares\b)", ""),
        (r"^weighted[- ]average (diluted|basic) shares(?: outstanding)?$",
         r"weighted average shares outstanding \1"),
        (r"(\bshares\b.*) used(?: (?:in|for) .*)?$", r"\1"),
        (r"\b(?:people|persons)\b(?=.*\b(?:employ|work)\b)", "employees"),
        (r"\b(?:buy|bought) back\b", "repurchased"),
        (r"\b((?:same|comparable|like-for-like|organic)\b(?!.* growth).*) percentage$", r"\1 growth percentage"),
    )
)  # fmt: skip
_PART_OF_SALES: Final = re.compile(
    r"^(?!(?:how|what|which)\b)(?P<part>.+?) (?P<noun>revenues?|net sales|sales)$", re.IGNORECASE
)
_NOT_A_PART: Final = listed(
    """
    total net gross operating deferred other unearned segment consolidated quarterly annual overall recurring organic
    product service comparable same-store store cost of adjusted interest non-interest noninterest premium fee
    pro forma of on to in for as per from by the percent percentage rate ratio
    """
)


def as_reported(text: str) -> str:
    """A metric, or a sentence that asks for one, in the words of a report; as it is where none are known."""
    for pattern, to in _REWORDED:
        text = pattern.sub(to, text)
    part = _PART_OF_SALES.match(text)
    if part and not set(part["part"].lower().split()) & _NOT_A_PART:
        text = f"{part['part']} {'net sales' if part['noun'].lower().startswith('revenue') else 'revenue'}"
    return " ".join(text.split())
