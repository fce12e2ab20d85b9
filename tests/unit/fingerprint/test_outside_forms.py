"""Forms of known encodings that somebody who had not seen the decoders wrote: each kind of them is read."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest
from doublethink_fingerprint import Hit, Pack, View, build_pack, explore, matcher_of, prepare


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value,)


_VALUES = (
    ("code", "Wintergrebe"),
    ("code", "Larkspindle77"),
    ("name", "Zdeněk D'Amrovský"),
    ("phrase", "72.45 euros per share"),
    ("number", "43.18bn CNY"),
    ("date", "1974-03-18"),
    ("id", "874976416"),
)
_CODE, _PERSON = "wintergrebe", "Zdeněk D'Amrovský"


@cache
def _pack() -> Pack:
    return build_pack([_Secret(kind, value) for kind, value in _VALUES])


def _hits(text: str) -> list[Hit]:
    return matcher_of(_pack()).hits(prepare(explore(View(text))))


def _each(shape: Callable[[str], str], between: str = " ") -> str:
    return between.join(shape(char) for char in _CODE)


_ENDS = {"w": "row", "i": "kai", "n": "fan", "t": "net", "e": "home", "r": "river", "g": "bag", "b": "club"}
_STARTS = {
    "w": "Wage",
    "i": "Index",
    "n": "Net",
    "t": "Trade",
    "e": "Euro",
    "r": "Rate",
    "g": "Gas",
    "b": "Bond",
}
_MORSE = "w.-- i.. n-. t- e. r.-. g--. b-..."
_SIGNS = {sign[0]: sign[1:] for sign in _MORSE.split()}
_DOTS = {"w": "2456", "i": "24", "n": "1345", "t": "2345", "e": "15", "r": "1235", "g": "1245", "b": "12"}
_DVORAK = str.maketrans("wintergb", ",cby.pix")
_B64 = base64.b64encode(b"wintergrebe buys it").decode()

FORMS: dict[str, str] = {
    "names of characters": _each(lambda c: f"LATIN SMALL LETTER {c.upper()}", ", "),
    "points and names": _each(lambda c: f"U+{ord(c):04X} LATIN SMALL LETTER {c.upper()}", "; "),
    "glyph names": _each(lambda c: f"uni{ord(c):04X}"),
    "a word before each point": _each(lambda c: f"codepoint {ord(c):04X}"),
    "codes of TeX": _each(lambda c: f'\\char"{ord(c):X}'),
    "codes of TeX beside ones that are none": _each(lambda c: f'\\char"{ord(c):X}') + " \\char`41 \\char'99",
    "escapes of Java": _each(lambda c: f"\\uu{ord(c):04x}", ""),
    "escapes with blanks": _each(lambda c: f"\\u{{ {ord(c):x} }}", ""),
    "hexadecimal of Basic": _each(lambda c: f"&H{ord(c):02X}"),
    "hexadecimal of Ada": _each(lambda c: f"16#{ord(c):02x}#", ", "),
    "hexadecimal of SQL": _each(lambda c: f"x'{ord(c):02x}'"),
    "sections of XML": "<![CDATA[winter]]><![CDATA[gre]]><![CDATA[be]]>",
    "commands of TeX": r"\textbf{win}\emph{ter}\textit{grebe}",
    "groups of RTF": r"{\b win}{\i ter}{\ul grebe}",
    "base 32 with marks": base64.b32encode(_PERSON.encode()).decode(),
    "base 64 with a word behind": base64.b64encode(_PERSON.encode()).decode().rstrip("=") + "abc",
    "base 64 with hyphens": "-".join(_B64[at : at + 4] for at in range(0, len(_B64), 4)),
    "base 64, lines continued": " \\\n".join(_B64[at : at + 6] for at in range(0, len(_B64), 6)),
    "base 64, letter by letter": " ".join(_B64),
    "base 85, filled up": base64.b85encode(b"wintergrebe", pad=True).decode(),
    "cells in brackets": "(5,2)(2,4)(3,3)(4,4)(1,5)(4,2)(2,2)(4,2)(1,5)(1,2)(1,5)",
    "Bacon in other letters": _each(lambda c: f"{ord(c) - 97:05b}".translate({48: "x", 49: "o"})),
    "Morse in emoji": _each(lambda c: _SIGNS[c].replace(".", "\u26ab").replace("-", "\u2796")),
    "Morse in letters": _each(lambda c: _SIGNS[c].replace(".", "e").replace("-", "t")),
    "braille by dots": _each(lambda c: _DOTS[c]),
    "leet spaced": "w 1 n t 3 r g r 3 b 3",
    "another keyboard": _CODE.translate(_DVORAK),
    "ROT5 of a day": "64295863",
    "ROT47 of an id": "fgcfhc`e`".translate({})
    and "".join(chr(33 + (ord(c) + 14) % 94) for c in "874976416"),
    "letters for digits": "87497b4l6".replace("b", "6"),
    "a hash with colons": ":".join(
        hashlib.sha1(b"Wintergrebe", usedforsecurity=False).hexdigest()[at : at + 2] for at in range(0, 40, 2)
    ),
    "a hash in groups": " ".join(
        hashlib.sha256(b"Wintergrebe").hexdigest()[at : at + 8] for at in range(0, 64, 8)
    ),
    "ends of lines": "\n".join(f"we look at the {_ENDS[char]}" for char in _CODE),
    "headings": "\n\n".join(f"## {_STARTS[char]}\n\nmany pumps were sold" for char in _CODE),
    "backwards without digits": "eldnipskral",
    "strokes through letters": "w\u0268nt\u0247r\u01e5r\u0247b\u0247",
    "a price in words": "seventy-two euros and forty-five cents per share",
    "a sum in one word": "FortyThreeBillionOneHundredAndEightyMillionYuan",
    "a power of ten in TeX": r"$43.18 \times 10^{9}$ CNY",
    "radio words run together": "whiskeyindianovembertangoechoromeogolfromeoechobravoecho",
    "the letters of words": _each(lambda c: f"the {c} of {c}ord", ", "),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_from_outside_is_read(form: str) -> None:
    """The value is found in it, alone and beside ordinary words."""
    assert _hits(FORMS[form])
    if "\n" not in FORMS[form]:
        assert _hits(f"what is {FORMS[form]} about")


@pytest.mark.parametrize(
    "text",
    [
        "the small and the capital city",
        "1245 1235 units were sold in 12 of 45 towns",
        "xo xo see you at the zoo",
        "is it in or on",
        "DAX and GDAX fell",
        "key 16#12# and 0x41",
    ],
)
def test_what_looks_a_little_like_one_is_none(text: str) -> None:
    """Ordinary words with something of these forms hold nothing."""
    assert not _hits(text)
