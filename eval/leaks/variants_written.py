"""Ways to write the claimed classes that a third person found open, who had not seen the decoders; encoders of our own.

They hold the kinds, not that person's encoders: notations of code points and bytes, two signs whatever they are, markup
within a word, other keyboards, codes with what belongs beside them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import unicodedata
from collections.abc import Callable

from eval.leaks.attempt import Attempt, LeakClass, body, carried
from eval.leaks.case import Case

_MORSE = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_SIGNS = dict(zip("abcdefghijklmnopqrstuvwxyz", _MORSE.split(" "), strict=True))
_DVORAK = str.maketrans("qwertyuiopasdfghjklzxcvbnm", "',.pyfgcrlaoeuidhtn;qjkxbm")
_ENDINGS = {
    "a": "data", "b": "club", "c": "basic", "d": "road", "e": "price", "f": "half", "g": "growth ring", "h": "cash",
    "i": "taxi", "j": "haj", "k": "book", "l": "steel", "m": "system", "n": "margin", "o": "ratio", "p": "group",
    "q": "faq", "r": "order", "s": "sales", "t": "profit", "u": "menu", "v": "rev", "w": "flow", "x": "tax",
    "y": "energy", "z": "quartz",
}  # fmt: skip


def _of(*ways: Callable[[str], str]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to write a name, in a query, or in a body of text or JSON."""

    def make(case: Case, source: random.Random) -> Attempt:
        text = source.choice(ways)(source.choice([case.code, case.person]))
        place = source.randrange(3)
        if place == 0:
            return body(f"Notes of the week.\n\nSee {text} below.\n", "text/plain")
        if place == 1:
            return body(json.dumps({"items": ["pumps", text]}), "application/json")
        return carried(text, source)

    return make


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.lower()))


def _two(text: str, zero: str, one: str) -> str:
    return " ".join(f"{ord(c) - 97:05b}".replace("0", zero).replace("1", one) for c in _letters(text))


def _tapped(text: str, short: str, long: str) -> str:
    return " ".join(_SIGNS[c].replace(".", short).replace("-", long) for c in _letters(text))


def _cut(text: str, size: int, shape: str) -> str:
    return "".join(shape.format(text[at : at + size]) for at in range(0, len(text), size))


def _hash_in_groups(case: Case, source: random.Random) -> Attempt:
    digits = hashlib.new(source.choice(["sha1", "sha256"]), case.code.encode()).hexdigest()
    size, between = source.choice([(2, ":"), (8, " "), (4, "-")])
    return carried(between.join(digits[at : at + size] for at in range(0, len(digits), size)), source)


def _lines(case: Case, source: random.Random) -> Attempt:
    """Last letters of lines, or first letters of headings."""
    if source.random() < 0.5:
        return body("\n".join(f"more about {_ENDINGS[c]}" for c in _letters(case.code)), "text/plain")
    return body(
        "\n\n".join(f"## {c.upper()}ections\n\nNothing new was said." for c in _letters(case.code)),
        "text/markdown",
    )


VARIANTS_WRITTEN: tuple[LeakClass, ...] = (
    LeakClass(
        4,
        "sections of XML and commands of TeX",
        "Y",
        _of(lambda t: _cut(t, 3, "<![CDATA[{}]]>"), lambda t: _cut(t, 4, r"\emph{{{}}}")),
    ),
    LeakClass(29, "base 32 of names with marks", "Y", _of(lambda t: _b32(f"{t} Müller-d'Évry"))),
    LeakClass(
        34,
        "bytes in the notation of a language",
        "Y",
        _of(
            lambda t: " ".join(f"&H{b:02X}" for b in t.encode()),
            lambda t: ", ".join(f"16#{b:02X}#" for b in t.encode()),
            lambda t: " ".join(f"x'{b:02x}'" for b in t.encode()),
        ),
    ),
    LeakClass(
        42,
        "names of characters and of glyphs",
        "Y",
        _of(
            lambda t: "; ".join(f"U+{ord(c):04X} {unicodedata.name(c)}" for c in t),
            lambda t: ", ".join(unicodedata.name(c).lower() for c in t),
            lambda t: " ".join(f"uni{ord(c):04X}" for c in t),
        ),
    ),
    LeakClass(
        56,
        "Bacon in any two signs",
        "Y",
        _of(lambda t: _two(t, "x", "o"), lambda t: _two(t, "B", "A"), lambda t: _two(t, "○", "●")),
    ),
    LeakClass(58, "typed on Dvorak's keyboard", "Y", _of(lambda t: t.lower().translate(_DVORAK))),
    LeakClass(
        61,
        "morse in any two signs",
        "Y",
        _of(lambda t: _tapped(t, "⚪", "➖"), lambda t: _tapped(t, "e", "t"), lambda t: _tapped(t, "S", "L")),
    ),
    LeakClass(64, "ends of lines and headings", "Y", _lines),
    LeakClass(100, "hash in groups", "Y", _hash_in_groups),
)


def _b32(text: str) -> str:
    return base64.b32encode(text.encode()).decode()
