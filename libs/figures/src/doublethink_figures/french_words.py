"""French number words, Belgian and Swiss ones included, for the gate's readings: "quatre virgule deux
milliards".
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

_SMALL: Final = {
    "zéro": 0, "zero": 0, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6,
    "sept": 7,
    "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15,
    "seize": 16,
    "vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70,
    "huitante": 80, "octante": 80, "nonante": 90,
}  # fmt: skip
_SCALES: Final = {
    "million": Decimal(10) ** 6, "millions": Decimal(10) ** 6, "milliard": Decimal(10) ** 9,
    "milliards": Decimal(10) ** 9, "billion": Decimal(10) ** 12, "billions": Decimal(10) ** 12,
}  # fmt: skip
_MULTIPLIERS: Final = {"cent": 100, "cents": 100, "mille": 1000}
_ALL: Final = frozenset({*_SMALL, *_SCALES, *_MULTIPLIERS})
_STARTS: Final = frozenset({*_SMALL, *_MULTIPLIERS})
_TOKEN: Final = re.compile(r"[a-zéèû]+")
_HINT: Final = re.compile(rf"\b(?:{'|'.join(_STARTS)})\b")


def french_numbers(lowered: str) -> Iterator[tuple[int, int, Decimal]]:
    """Start, end and value of each French number in a lower-cased text."""
    if not _HINT.search(lowered):
        return
    tokens = [(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(lowered)]
    at = 0
    while at < len(tokens):
        if tokens[at][0] not in _STARTS:
            at += 1
            continue
        end = at
        while end < len(tokens) and (
            tokens[end][0] in _ALL
            or (
                tokens[end][0] in ("et", "virgule", "de")
                and end + 1 < len(tokens)
                and tokens[end + 1][0] in _ALL
            )
        ):
            end += 1
        yield tokens[at][1], tokens[end - 1][2], _value([token[0] for token in tokens[at:end]])
        at = end


def _value(words: list[str]) -> Decimal:
    if "virgule" in words:
        comma = words.index("virgule")
        after = [word for word in words[comma + 1 :] if word not in ("et", "de")]
        scales = [word for word in after if word in _SCALES or word in _MULTIPLIERS]
        digits = _digits([word for word in after if word in _SMALL])
        value = Decimal(f"{int(_whole(words[:comma]))}.{digits or 0}")
        for scale in scales:
            value *= _SCALES.get(scale) or Decimal(_MULTIPLIERS[scale])
        return value
    return _whole(words)


def _digits(words: list[str]) -> str:
    """Digits after the comma: one by one, or a number below a hundred after leading zeros."""
    text = ""
    at = 0
    while at < len(words):
        if _SMALL[words[at]] < 10 and words[at] != "quatre":
            text += str(_SMALL[words[at]])
            at += 1
            continue
        end = at + 1
        if words[at] == "quatre" and (end >= len(words) or not words[end].startswith("vingt")):
            text += "4"
            at = end
            continue
        while end < len(words):
            end += 1
        text += str(int(_whole(words[at:end])))
        at = end
    return text


def _whole(words: list[str]) -> Decimal:
    total = Decimal(0)
    thousands = 0
    current = 0
    for word in words:
        if word in ("et", "de"):
            continue
        if word in _SCALES:
            total += (thousands + current or 1) * _SCALES[word]
            thousands = current = 0
        elif word == "mille":
            thousands += (current or 1) * 1000
            current = 0
        elif word in _MULTIPLIERS:
            current = (current or 1) * 100 if current < 100 else current + 100
        elif word.startswith("vingt") and current % 100 == 4:
            current += 76
        else:
            current += _SMALL[word]
    return total + thousands + current
