"""Numbers with Chinese and Japanese characters, for the gate's readings: 四十二億, 4億2000万, 三点一四."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

_DIGITS: Final = {
    "〇": 0, "零": 0, "一": 1, "壱": 1, "二": 2, "弐": 2, "两": 2, "兩": 2, "三": 3, "参": 3,
    "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9,
}  # fmt: skip
_SMALL: Final = {"十": 10, "拾": 10, "百": 100, "千": 1000}
_LARGE: Final = {
    "万": Decimal(10) ** 4, "萬": Decimal(10) ** 4, "億": Decimal(10) ** 8, "亿": Decimal(10) ** 8,
    "兆": Decimal(10) ** 12,
}  # fmt: skip
_CHARACTERS: Final = "".join([*_DIGITS, *_SMALL, *_LARGE])
_RUN: Final = re.compile(
    rf"(?:[{_CHARACTERS}]|[0-9]++(?:,[0-9]{{3}})*+(?:\.[0-9]++)?+)(?:[{_CHARACTERS}点點・]"
    rf"|[0-9]++(?:,[0-9]{{3}})*+(?:\.[0-9]++)?+)*+"
)
_TOKEN: Final = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|.")
_HINT: Final = re.compile(f"[{_CHARACTERS}]")


def cjk_numbers(folded: str) -> Iterator[tuple[int, int, Decimal]]:
    """Start, end and value of each number that holds at least one such character."""
    if folded.isascii() or not _HINT.search(folded):
        return
    for match in _RUN.finditer(folded):
        if not _HINT.search(match.group()) or len(match.group()) > 60:
            continue
        for value in dict.fromkeys(_values(match.group())):
            yield match.start(), match.end(), value


def _values(run: str) -> Iterator[Decimal]:
    characters = [str(_DIGITS[c]) if c in _DIGITS else "." if c in "点點・" else c for c in run]
    as_digits = "".join(characters)
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", as_digits):
        yield Decimal(as_digits)
        return
    yield _positional(run)


def _positional(run: str) -> Decimal:
    total, section, current = Decimal(0), Decimal(0), Decimal(0)
    seen = False
    decimals: str | None = None
    for piece in _TOKEN.findall(run):
        if piece in "点點・":
            decimals = ""
        elif piece in _DIGITS:
            if decimals is not None:
                decimals += str(_DIGITS[piece])
            else:
                current = current * 10 + _DIGITS[piece] if seen else Decimal(_DIGITS[piece])
                seen = True
        elif piece[0].isdigit():
            if decimals is not None:
                decimals += piece.replace(",", "")
            else:
                current, seen = Decimal(piece.replace(",", "")), True
        else:
            if decimals:
                current, decimals = Decimal(f"{current}.{decimals.replace('.', '')}"), None
            if piece in _SMALL:
                section += (current if seen else Decimal(1)) * _SMALL[piece]
            else:
                section += current
                total += (section or Decimal(1)) * _LARGE[piece]
                section = Decimal(0)
            current, seen = Decimal(0), False
    if decimals:
        current = Decimal(f"{current}.{decimals.replace('.', '')}")
    return total + section + current
