"""Yes-or-no questions that plainly hold one figure: "Did Acme's net income exceed $5 million in fiscal 2023?"

The figure itself is the answer. The number that it is held against never enters a query: a page need not have it,
and it may be one of the memo's.
"""

from __future__ import annotations

import re
from typing import Final

from .errors import NotUnderstood
from .structures.asked import NEUTRAL

_OPENS: Final = re.compile(
    r"^(?:is it (?:true|correct|right|the case) that|was it the case that|did|does|do|was|were|is|are|has|have|had)\b",
    re.IGNORECASE,
)
_THAT: Final = re.compile(
    r"^is it (?:true|correct|right|the case) that |^was it the case that ", re.IGNORECASE
)
_QUANTITY: Final = (
    r"(?:(?:us|a|c|hk)?[$€£¥] ?\d[\d.,]*(?: ?(?:thousand|million|billion|trillion|bn|mn|m|k)\b)?"
    r"|\d[\d.,]* ?(?:%|percent\b|per cent\b|basis points\b|bps\b|thousand\b|million\b|billion\b|trillion\b|bn\b)"
    r"(?: (?:dollars|euros|pounds|shares))?)"
)
_BARE: Final = r"\d[\d.,]*"
_AGAINST: Final = (
    r"(?:(?:exceed|surpass|top|reach|beat|equal|hit|stand at|amount to|come to|be|was|were|is|are|remain"
    r"|stay)(?:e?s|ed)? )?"
    r"(?:(?:above|below|over|under|beyond|at least|at most|more than|less than|fewer than|greater than|higher than"
    r"|lower than|larger than|smaller than|no (?:more|less|fewer) than|not (?:more|less) than|about|around"
    r"|approximately"
    r"|roughly|nearly|almost|exactly|equal to|as (?:high|low|much|many) as|up to) )*"
)
_HELD_AGAINST: Final = re.compile(
    rf",? ?(?:\bof )?{_AGAINST}(?<![\w.,$€£¥]){_QUANTITY}(?! ?\w*-)", re.IGNORECASE
)
_HELD_BARE: Final = re.compile(
    r"\b(?:(?:exceed|surpass|top|reach|equal)(?:e?s|ed)? (?:over )?|(?:above|below|over|under|at least|at most"
    r"|more than"
    rf"|less than|fewer than|greater than|about|around|approximately|exactly) ){_BARE}(?= "
    rf"|$)(?! (?:\w+ )?(?:months|weeks|days))",
    re.IGNORECASE,
)
_DID: Final = re.compile(
    rf"^(?i:did|does|do|has|have|had) (?P<co>[A-Z].*?) (?:{NEUTRAL}|reported|recorded|had|pay|paid|declared|spent|book)"
    r"(?: (?:a|an|any|the|its|their))? (?P<rest>.+)$"
)
_DID_BE: Final = re.compile(r"^(?:did|does|do|has|have|had|was|were|is|are) (?P<rest>.+)$", re.IGNORECASE)
_VERB_LEFT: Final = re.compile(
    r" (?:exceed|surpass|top|reach|beat|equal|amount|come|stand|was|were|is|are)$", re.IGNORECASE
)


def is_claim(sentence: str) -> bool:
    """Whether a sentence asks for yes or no."""
    return _OPENS.match(sentence) is not None


def figure_of_claim(sentence: str) -> str:
    """The sentence that asks for the figure which the yes-or-no question holds against something.

    Raises NotUnderstood where it holds nothing against a number and says of no company that it reported a thing.
    """
    held = _HELD_BARE.sub(" ", _HELD_AGAINST.sub(" ", sentence))
    held = " ".join(held.split())
    claimed = _THAT.sub("", held)
    if claimed != held:
        return f"what was {_VERB_LEFT.sub('', claimed)}"
    did = _DID.match(held)
    if did:
        return f"what was {did['co']}'s {did['rest']}"
    be = _DID_BE.match(held)
    if be is None or held == sentence:
        raise NotUnderstood("a yes-or-no question without a figure")
    return f"what was {_VERB_LEFT.sub('', be['rest'])}"
