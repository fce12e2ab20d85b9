"""Text from pages as one line that reads in the order it has, and addresses that lead to the web and nowhere else."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

MAX_QUOTE: Final = 400
"""Characters of a quote that are shown; its place in the page is given for the rest."""
_ADDRESS: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_KEPT: Final = "/:?#[]@!$&'()*+,;=%-._~"
_SPACES: Final = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")


def one_line(text: str, most: int = MAX_QUOTE) -> str:
    """`text` in one line of at most `most` characters; what cannot be seen is shown as its number.

    Bidirectional controls would show a quote in another order than it has (Unicode Annex 9), and a number in it as
    another number.
    """
    folded = _SPACES.sub(" ", text).strip()
    shown = "".join(sign if sign.isprintable() else f"‹U+{ord(sign):04X}›" for sign in folded)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def address(url: str) -> str:
    """A web address in ASCII without a sign that could end a link, or "" for anything but http and https."""
    return quote(url, safe=_KEPT) if _ADDRESS.match(url) else ""
