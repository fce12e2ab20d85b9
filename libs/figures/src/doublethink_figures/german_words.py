"""German number words, for the gate's readings: "vier Komma zwei Milliarden",
"zweihundertfünfundvierzigtausend".
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

_UNITS: Final = {
    "null": 0, "eins": 1, "eine": 1, "einen": 1, "einer": 1, "ein": 1, "zwei": 2, "zwo": 2, "drei": 3,
    "vier": 4,
    "fünf": 5, "fuenf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12,
    "zwoelf": 12, "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "fuenfzehn": 15, "sechzehn": 16,
    "siebzehn": 17,
    "achtzehn": 18, "neunzehn": 19,
}  # fmt: skip
_TENS: Final = {
    "zwanzig": 20, "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfzig": 50, "fuenfzig": 50, "sechzig": 60,
    "siebzig": 70, "achtzig": 80, "neunzig": 90,
}  # fmt: skip
_SCALES: Final = {
    "tausend": Decimal(1000), "million": Decimal(10) ** 6, "millionen": Decimal(10) ** 6,
    "mio": Decimal(10) ** 6,
    "milliarde": Decimal(10) ** 9, "milliarden": Decimal(10) ** 9, "mrd": Decimal(10) ** 9,
    "billion": Decimal(10) ** 12, "billionen": Decimal(10) ** 12,
}  # fmt: skip


def _either(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_U, _T = _either(_UNITS), _either(_TENS)
_SMALL: Final = rf"(?:(?:{_U})und(?:{_T})|{_T}|{_U})"
_HUNDREDS: Final = rf"(?:(?:{_SMALL})?hundert(?:und)?(?:{_SMALL})?|{_SMALL})"
_COMPOUND: Final = re.compile(
    rf"(?=[aednfhstvz])(?:(?P<thousands>{_HUNDREDS})?(?P<thousand>tausend)(?:und)?)?(?P<rest>{_HUNDREDS})?"
)
_PART: Final = re.compile(rf"(?:(?P<count>{_SMALL})?(?P<hundred>hundert)(?:und)?)?(?P<small>{_SMALL})?")
_BELOW: Final = re.compile(rf"(?:(?P<unit>{_U})und)?(?P<tens>{_T})|(?P<plain>{_U})")
_TOKEN: Final = re.compile(r"[a-zäöüß]+")
_HINT: Final = re.compile(rf"{_U}|{_T}|hundert|tausend")


def german_numbers(lowered: str) -> Iterator[tuple[int, int, Decimal]]:
    """Start, end and value of each German number in a lower-cased text."""
    if not _HINT.search(lowered):
        return
    tokens = [(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(lowered)]
    at = 0
    while at < len(tokens):
        if _word(tokens[at][0]) is None:
            at += 1
            continue
        value, used = _sequence([token[0] for token in tokens[at : at + 24]])
        yield tokens[at][1], tokens[at + used - 1][2], value
        at += used


def _sequence(words: list[str]) -> tuple[Decimal, int]:
    """The value of the longest number at the start of `words`, whose first word is one."""
    total, at = Decimal(0), 0
    limit = Decimal("Infinity")
    while at < len(words):
        step = at + 1 if words[at] == "und" and at else at
        amount = _word(words[step]) if step < len(words) else None
        if amount is None:
            break
        used = step + 1
        if used < len(words) and words[used] == "komma":
            digits = []
            used += 1
            while used < len(words) and (digit := _word(words[used])) is not None and digit < 100:
                digits.append(str(digit))
                used += 1
            if not digits:
                used -= 1
            else:
                amount = Decimal(f"{amount}.{''.join(digits)}")
        scale = Decimal(1)
        if used < len(words) and words[used] in _SCALES:
            scale = _SCALES[words[used]]
            used += 1
        if amount * scale >= limit:
            break
        total, at = total + amount * scale, used
        if scale == 1:
            break
        limit = scale
    return total, max(at, 1)


def _word(word: str) -> Decimal | None:
    match = _COMPOUND.fullmatch(word)
    if match is None:
        return None
    total = 0
    if match["thousand"]:
        total = 1000 * (_part(match["thousands"]) if match["thousands"] else 1)
    if match["rest"]:
        total += _part(match["rest"])
    return Decimal(total)


def _part(text: str) -> int:
    match = _PART.fullmatch(text)
    if match is None:
        raise AssertionError("a part that the compound pattern accepted is readable")
    total = 0
    if match["hundred"]:
        total = 100 * (_below(match["count"]) if match["count"] else 1)
    return total + (_below(match["small"]) if match["small"] else 0)


def _below(text: str) -> int:
    match = _BELOW.fullmatch(text)
    if match is None:
        raise AssertionError("a part that the compound pattern accepted is readable")
    if match["plain"]:
        return _UNITS[match["plain"]]
    return _TENS[match["tens"]] + (_UNITS[match["unit"]] if match["unit"] else 0)
