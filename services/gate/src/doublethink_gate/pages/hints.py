"""What a page says, and what its numbers show, of its language and of how it writes numbers.

A hint is no proof: who reads a number decides by the number and its sentence. It tells a reader what to expect of
"1.234", which no single number tells.
"""

import re
from dataclasses import dataclass

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3}")
# Numbers that can be read in one way only: both signs, or one sign twice, or a sign before one or two digits.
_UNAMBIGUOUS = (
    r"(?<![\d.,])\d{{1,3}}(?:{thousands}\d{{3}})+{decimal}\d"
    r"|(?<![\d.,])\d{{1,3}}(?:{thousands}\d{{3}}){{2,}}(?![\d,.]*\d)"
    r"|(?<![\d.,])\d{{1,9}}{decimal}\d{{1,2}}(?![\d.,])"
)
_POINT = re.compile(_UNAMBIGUOUS.format(thousands=",", decimal=r"\."))
_COMMA = re.compile(_UNAMBIGUOUS.format(thousands=r"\.", decimal=","))
_LOOKED_AT = 200_000
_CLEAR = 5  # times as many of one kind as of the other


@dataclass(frozen=True, slots=True)
class Hints:
    """language: what the page declares, as a BCP 47 tag in lower case, or "". decimal: the sign before the decimals of
    its numbers, "." or ",", or "" where they do not tell.
    """

    language: str = ""
    decimal: str = ""


NO_HINTS = Hints()


def declared_language(value: str | None) -> str:
    """A lang attribute as a tag in lower case; "" for one that is none."""
    text = (value or "").strip()[:40]
    return text.replace("_", "-").lower() if _LANGUAGE.fullmatch(text) else ""


def decimal_sign(text: str) -> str:
    """The sign before decimals, told from the first part of a text."""
    head = text[:_LOOKED_AT]
    point, comma = len(_POINT.findall(head)), len(_COMMA.findall(head))
    if point > _CLEAR * comma:
        return "."
    return "," if comma > _CLEAR * point else ""
