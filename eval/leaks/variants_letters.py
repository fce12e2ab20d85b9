"""Other encoders of the classes of letters and of calls: other marks, spellings, signs, words and sizes.

Written apart from `classes_letters.py` and `classes_sessions.py` as well as from the product's decoders.
"""

from __future__ import annotations

import base64
import random
import unicodedata
from collections.abc import Callable

from eval.leaks import octets, scripts
from eval.leaks.attempt import Attempt, LeakClass, carried, query
from eval.leaks.case import Case

_OTHER_LOOKS = str.maketrans("aceghijlnopqsuvwxyz", "ɑϲеɡһіјӏոорԛѕսᴠѡхуᴢ")

_LEET = {
    "a": "4@^",
    "b": "8",
    "e": "3\u20ac",
    "g": "69",
    "i": "!1",
    "l": "1",
    "o": "0",
    "s": "5$",
    "t": "7+",
    "z": "2",
}

_FIRST_WORDS = {
    "a": "after", "b": "big", "c": "cold", "d": "days", "e": "each", "f": "fish", "g": "go", "h": "how", "i": "in",
    "j": "june", "k": "keep", "l": "low", "m": "most", "n": "near", "o": "oil", "p": "pays", "q": "quick", "r": "rain",
    "s": "sea", "t": "two", "u": "under", "v": "vast", "w": "west", "x": "xenon", "y": "years", "z": "zinc",
}  # fmt: skip

_SAID = dict(octets.NATO) | {
    "a": "alpha",
    "j": "juliet",
    "w": "whisky",
    "x": "x-ray",
    "f": "fox",
    "s": "siera",
}

_TAILS = ("in Denmark", "outlook 2024", "and rivals", "history", "")


def _of(*ways: Callable[[str], str]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to write a name."""
    return lambda case, source: carried(
        source.choice(ways)(source.choice([case.code, case.person, case.surname])), source
    )


def _word(*ways: Callable[[str], str]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to write a single word."""
    return lambda case, source: carried(source.choice(ways)(source.choice([case.code, case.surname])), source)


def _pairs(text: str, joiner: str) -> str:
    return joiner.join(text[at : at + 2] for at in range(0, len(text), 2))


def _leet(text: str, source: random.Random) -> str:
    return "".join(
        source.choice(_LEET.get(char.lower(), char)) if source.random() < 0.8 else char for char in text
    )


def _mixed(case: Case, source: random.Random) -> Attempt:
    return carried(_leet(source.choice([case.code, case.surname]), source), source)


def _moved(rows: str, to: str) -> Callable[[str], str]:
    return lambda text: text.lower().translate(str.maketrans(rows, to))


def _bacon(word: str, zero: str, one: str, joiner: str) -> str:
    signs = octets.bacon(word).replace("a", "\0").replace("b", one).replace("\0", zero)
    return signs.replace(" ", joiner)


def _morse(text: str, dot: str, dash: str, joiner: str) -> str:
    return joiner.join(
        octets.MORSE[char].replace(".", "\0").replace("-", dash).replace("\0", dot) for char in text.lower()
    )


def _before_vowels(text: str, syllable: str) -> str:
    out, was = "", False
    for char in text.lower():
        vowel = char in "aeiou"
        out += syllable + char if vowel and not was else char
        was = vowel
    return out


def _pig(text: str, mark: str, ending: str) -> str:
    word = text.lower()
    at = next(place for place, char in enumerate(word) if char in "aeiou")
    return word[at:] + mark + word[:at] + ending


def _first_letters(case: Case, source: random.Random) -> Attempt:
    words = [_FIRST_WORDS[char] for char in source.choice([case.code, case.surname]).lower()]
    return [query(source.choice([" ".join, ", ".join, "; ".join])(words))]


def _calls(case: Case, source: random.Random) -> Attempt:
    return [
        query(f"{_FIRST_WORDS[char]} {source.choice(_TAILS)}".strip())
        for char in source.choice([case.code, case.surname]).lower()
    ]


def _parts(case: Case, source: random.Random) -> tuple[str, ...]:
    word = source.choice([case.code, case.surname])
    at = len(word) // 2
    return word[:at], word[at:]


def _in_calls(case: Case, source: random.Random) -> Attempt:
    return [query(f"{part} {source.choice(_TAILS)}".strip()) for part in _parts(case, source)]


def _backwards(case: Case, source: random.Random) -> Attempt:
    one, two = _parts(case, source)
    return [
        query(f"{two} {source.choice(_TAILS)}".strip()),
        query("copper output"),
        query(f"{one} {source.choice(_TAILS)}".strip()),
    ]


def _chunked(case: Case, source: random.Random) -> Attempt:
    data = source.choice([case.code, case.person]).encode()
    text = source.choice(
        [
            base64.urlsafe_b64encode(data).decode().rstrip("="),
            data.hex().upper(),
            base64.b32encode(data).decode().rstrip("="),
        ]
    )
    size = source.choice([5, 7, 9])
    return [query(text[at : at + size]) for at in range(0, len(text), size)]


VARIANTS_LETTERS: tuple[LeakClass, ...] = (
    LeakClass(
        1,
        "case change, every other letter",
        "Y",
        _of(
            lambda t: "".join(c.upper() if at % 2 else c.lower() for at, c in enumerate(t)),
            str.upper,
            str.swapcase,
        ),
    ),
    LeakClass(
        2,
        "spaces, wider and in pairs",
        "Y",
        _of(lambda t: "  ".join(t), lambda t: "\n".join(t), lambda t: _pairs(t, " "), lambda t: "\t".join(t)),
    ),
    LeakClass(
        3,
        "punctuation, other marks",
        "Y",
        _of(
            "~".join,
            "*".join,
            "\u2022".join,
            "\u00b7".join,
            ":".join,
            "\u2014".join,
            "\u2026".join,
            lambda t: "".join(f"[{c}]" for c in t),
            lambda t: "".join(f"({c})" for c in t),
        ),
    ),
    LeakClass(
        4,
        "other markup",
        "Y",
        _of(
            lambda t: f"{t[:3]}<wbr>{t[3:]}",
            lambda t: f"{t[:2]}[b]{t[2:4]}[/b]{t[4:]}",
            lambda t: f"{t[:3]}<br/>{t[3:]}",
            lambda t: f"{t[:3]}&shy;{t[3:]}",
            lambda t: f"{t[:2]}__{t[2:4]}__{t[4:]}",
            lambda t: f"<span>{t[:3]}</span><span>{t[3:]}</span>",
        ),
    ),
    LeakClass(
        5,
        "zero width between all letters",
        "Y",
        _of("\u200b".join, "\u2060".join, "\u200d".join, "\ufeff".join),
    ),
    LeakClass(
        9,
        "accents on letters",
        "Y",
        _of(
            lambda t: unicodedata.normalize("NFC", "".join(c + "\u0301" for c in t)),
            lambda t: "".join(c + "\u0338\u0330" for c in t),
            lambda t: "".join(c + "\u20dd" for c in t),
        ),
    ),
    LeakClass(10, "look-alikes, more scripts", "Y", _of(lambda t: t.lower().translate(_OTHER_LOOKS))),
    LeakClass(
        16,
        "upside down, not reversed",
        "Y",
        _of(lambda t: t.lower().translate(str.maketrans("aehmnrtvwy", "ɐǝɥɯuɹʇʌʍʎ"))),
    ),
    LeakClass(
        49,
        "each word reversed",
        "Y",
        _of(
            lambda t: " ".join(word[::-1] for word in t.split()),
            lambda t: t.upper()[::-1],
            lambda t: ".".join(t[::-1]),
        ),
    ),
    LeakClass(
        50,
        "names with marks and initials",
        "Y",
        lambda c, s: carried(
            s.choice(["{1}; {0}", "{1}/{0}", "{1}-{0}", "{1} and {0}", "{1}_{0}"]).format(*c.person.split()),
            s,
        ),
    ),
    LeakClass(
        56,
        "Bacon and Polybius, other signs",
        "Y",
        _word(
            lambda t: _bacon(t, "0", "1", " "),
            lambda t: _bacon(t, "A", "B", ""),
            lambda t: octets.polybius(t).replace(" ", ","),
            lambda t: octets.polybius(t).replace(" ", ""),
            lambda t: octets.polybius(t).replace(" ", "-"),
        ),
    ),
    LeakClass(57, "leet, more signs", "Y", _mixed),
    LeakClass(
        58,
        "keyboard shift, edges kept and wrapped",
        "Y",
        _word(
            _moved("qwertyuiopasdfghjklzxcvbnm", "wertyuiop[sdfghjkl;xcvbnm,"),
            _moved("wertyuiopsdfghjklxcvbnm", "qwertyuioasdfghjkzxcvbn"),
            _moved("qwertyuiopasdfghjklzxcvbnm", "wertyuiopqsdfghjklaxcvbnmz"),
        ),
    ),
    LeakClass(
        59,
        "radio alphabet, other spellings",
        "Y",
        _word(
            lambda t: " ".join(_SAID[c] for c in t.lower()),
            lambda t: ". ".join(_SAID[c].title() for c in t.lower()),
            lambda t: "/".join(_SAID[c].upper() for c in t.lower()),
        ),
    ),
    LeakClass(
        60,
        "own spelling alphabet, other words",
        "Y",
        _word(
            lambda t: ", ".join(f"{c} for {_FIRST_WORDS[c]}" for c in t.lower()),
            lambda t: "; ".join(f"{c.upper()} like {_FIRST_WORDS[c]}" for c in t.lower()),
            lambda t: " ".join(f"{c} wie {_FIRST_WORDS[c]}" for c in t.lower()),
            lambda t: " ".join(f"{c.upper()}-{_FIRST_WORDS[c]}" for c in t.lower()),
        ),
    ),
    LeakClass(
        61,
        "morse, other signs and separators",
        "Y",
        _word(
            lambda t: _morse(t, ".", "-", "/"),
            lambda t: _morse(t, ".", "-", " / "),
            lambda t: _morse(t, ".", "_", " "),
            lambda t: _morse(t, ".", "-", "|"),
            lambda t: _morse(t, "\u2022", "\u2013", "  "),
            lambda t: _morse(t, "*", "-", " "),
        ),
    ),
    LeakClass(
        62,
        "braille with signs for capitals",
        "Y",
        _word(lambda t: "\u2820" + octets.braille(t), lambda t: " ".join(octets.braille(t))),
    ),
    LeakClass(63, "acrostic of other words", "Y", _first_letters),
    LeakClass(64, "first letters of calls, other words", "Y", _calls),
    LeakClass(
        66,
        "other letter games",
        "Y",
        _word(
            lambda t: _before_vowels(t, "av"),
            lambda t: _pig(t, "-", "ay"),
            lambda t: _pig(t, "'", "ay"),
            lambda t: scripts.robber(t).upper(),
        ),
    ),
    LeakClass(
        68,
        "each letter twice or thrice",
        "Y",
        _of(
            lambda t: "".join(c * 2 for c in t),
            lambda t: "".join(c * 3 for c in t),
            lambda t: " ".join(c * 2 for c in t),
        ),
    ),
    LeakClass(
        71,
        "inflected, other endings",
        "Y",
        _word(
            lambda t: t + "\u2019s",
            lambda t: t + "-like",
            lambda t: "non-" + t,
            lambda t: "anti" + t.lower(),
            lambda t: t + "esque",
            lambda t: t + "ilta",
            lambda t: t + "ová",
        ),
    ),
    LeakClass(76, "split over calls, other words", "Y", _in_calls),
    LeakClass(77, "split over calls backwards, other words", "Y", _backwards),
    LeakClass(78, "encoded, then split, other sizes", "Y", _chunked),
)
"""Each of a class that has fewer ways in the modules named after what they change."""
