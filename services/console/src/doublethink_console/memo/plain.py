"""Text from pages as one line that reads in the order it has, and addresses that lead to the web and nowhere else."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

MAX_QUOTE: Final = 400
"""Characters of a quote that are shown; its place in the page is given for the rest."""
_ADDRESS: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_KEPT: Final = "/:?#[]@!$&'()*+,;=%-._~"
_BLANK: Final = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Marks and letters that show nothing (Default_Ignorable_Code_Point in Unicode, and the empty braille pattern)."""
_SPACES: Final = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")


def seen(text: str) -> str:
    """`text` in which nothing hides: what is no visible sign and no plain space stands as its number."""
    return "".join(
        sign if sign.isprintable() and not _BLANK.match(sign) else f"‹U+{ord(sign):04X}›" for sign in text
    )


def one_line(text: str, most: int = MAX_QUOTE) -> str:
    """`text` in one line of at most `most` characters; what cannot be seen is shown as its number.

    Bidirectional controls would show a quote in another order than it has (Unicode Annex 9), and a number in it as
    another number.
    """
    shown = seen(_SPACES.sub(" ", text).strip())
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def address(url: str) -> str:
    """A web address in ASCII without a sign that could end a link, or "" for anything but http and https."""
    return quote(url, safe=_KEPT) if _ADDRESS.match(url) else ""
