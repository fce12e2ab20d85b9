"""Folding for parsing only: every character becomes exactly one, so offsets into the text stay true.

Spaces of all kinds become U+0020 or, where they group digits in print, U+00A0. Dashes become "-", except the
long dash, which separates clauses. Quotes become "'". Decimal digits of every script and full-width signs
become ASCII. Superscript digits stay as they are: next to a number they are footnote marks, and NFKC would
turn "1,234²" into 12342.
"""

import unicodedata
from typing import Final

GROUP_SPACE: Final = "\u00a0"
"""What no-break, thin and narrow spaces fold to: they join the digits of one number."""

_FIXED: Final = {
    "\u00a0": GROUP_SPACE,
    "\u2009": GROUP_SPACE,
    "\u202f": GROUP_SPACE,
    "\u2007": GROUP_SPACE,
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2013": "-",
    "\u2212": "-",
    "\ufe63": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u2032": "'",
    "\uff07": "'",
    "\uff0c": ",",
    "\uff0e": ".",
    "\u066b": ".",
    "\u066c": ",",
    "\u066a": "%",
    "\uff05": "%",
    "\ufe6a": "%",
    "\uff04": "$",
    "\ufe69": "$",
    "\uffe1": "£",
    "\uffe5": "¥",
    "\uff08": "(",
    "\uff09": ")",
    "\uff0d": "-",
    "\uff0b": "+",
    "\uff0f": "/",
    "\u2044": "/",
    "\u3000": " ",
}


class _Table(dict[int, str]):
    """A translation table that works each character out once."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = _FIXED.get(character)
        if folded is None:
            if code < 0x80:
                folded = character
            elif (digit := unicodedata.decimal(character, -1)) >= 0:
                folded = str(digit)
            elif unicodedata.category(character) == "Zs":
                folded = " "
            else:
                folded = character
        self[code] = folded
        return folded


_TABLE: Final = _Table()


def fold(text: str) -> str:
    """`text` folded for parsing, of the same length."""
    return text if text.isascii() else text.translate(_TABLE)


def lowered(folded: str) -> str:
    """A folded text in small letters, of the same length: one letter has two for its small form, and keeps its own."""
    small = folded.lower()
    if len(small) == len(folded):
        return small
    return "".join(low if len(low := character.lower()) == 1 else character for character in folded)


def words_only(folded: str) -> str:
    """A folded text in which grouping spaces are plain ones, for patterns made of words."""
    return folded.replace(GROUP_SPACE, " ")
