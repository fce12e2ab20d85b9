"""Characters that nobody sees, and white space.

What is stripped is counted by kind, so that a page that hid something says so.
"""

import re
from collections import Counter

# U+2007 as a table's continuation mark; `fold` makes it impossible in any other place.
CONTINUATION = "\u2007"

_KINDS = {
    "zero_width": (
        "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f"
        "\u3164\ufeff\uffa0\ufff9-\ufffc"
    ),
    "bidi": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "variation": "\ufe00-\ufe0f\U000e0100-\U000e01ef",
    "tag": "\U000e0000-\U000e007f",
    "private_use": "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd",
    "control": "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f",
}
KINDS = frozenset(_KINDS)
"""Of invisible characters, as they are counted."""
_CLASSES = {kind: re.compile(f"[{members}]") for kind, members in _KINDS.items()}
_ANY = re.compile("[" + "".join(_KINDS.values()) + "]")
_OTHER_SPACE = str.maketrans(dict.fromkeys("\u200b\u2028\u2029", " "))


def without(text: str, opening: str, closing: str) -> str:
    """`text` without what stands between `opening` and `closing`, both included; unclosed, to its end."""
    parts: list[str] = []
    position = 0
    while (start := text.find(opening, position)) >= 0:
        parts.append(text[position:start])
        end = text.find(closing, start + len(opening))
        if end < 0:
            return "".join(parts)
        position = end + len(closing)
    return "".join(parts) + text[position:]


def fold(text: str, stripped: Counter[str]) -> str:
    """`text` without invisible characters, every run of white space one space; counts into `stripped`."""
    if not text.isascii() or not text.isprintable():
        for kind, members in _CLASSES.items() if _ANY.search(text) else ():
            found = len(members.findall(text))
            if found:
                stripped[kind] += found
        text = _ANY.sub("", text.translate(_OTHER_SPACE))
    return " ".join(text.split())
