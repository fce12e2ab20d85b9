"""Whether a cell is a number, and the number as a claim says it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublethink_figures import Bound, Context, find_figures

_NUMBER: Final = re.compile(
    r"^[^\w().,%-]{0,4}\s?(?:[A-Z]{1,3}\s?)?(?P<body>[$€£¥]?\s?[-(−–]?\s?[$€£¥]?\s?[0-9][0-9,' ]*(?:\.[0-9]+)?\s?\)?"
    r"|[$€£¥]?\s?\(?\.[0-9]+\)?)\s?(?:%|\)\s?%|x|bps|pp|pts)?\)?$"
)
_MARKS: Final = re.compile(
    r"(?<=[0-9A-Za-z%)])\s*(?:\(\s?[0-9a-zA-Z]{1,2}\s?\)|\[\s?[0-9a-zA-Z]{1,3}\s?\]|[⁰¹²³⁴-⁹⁽⁾*†‡]+)$"
)
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")
MAX_CELL: Final = 120
"""Longer cells are text, whatever numbers stand in them."""
MAX_HEADING: Final = 400
_MAX_MARKS: Final = 3
_SCALES: Final = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as printed; `scale` and `unit` as the cell itself says them, empty if it does not."""

    value: str
    scale: str
    unit: str


def without_marks(text: str) -> str:
    """A cell or heading without the footnote marks at its end."""
    plain = text.strip()
    if len(plain) > MAX_HEADING:
        return plain
    for _ in range(_MAX_MARKS):
        plain = _MARKS.sub("", plain)
    return plain


@lru_cache(maxsize=32_768)
def is_number(text: str) -> bool:
    """Whether a cell is a number and nothing else, marks aside."""
    if len(text) > MAX_CELL:
        return False
    return _NUMBER.match(text.strip()) is not None or _NUMBER.match(without_marks(text)) is not None


def is_year(text: str) -> bool:
    """Whether a cell is the number of a year, marks aside."""
    return _YEAR.fullmatch(without_marks(text)) is not None


@lru_cache(maxsize=32_768)
def number(text: str) -> Number | None:
    """The one number of a cell; None where there is none, or more than one."""
    if len(text) > MAX_CELL:
        return None
    plain = text.strip() if _NUMBER.match(text.strip()) else without_marks(text)
    match = _NUMBER.match(plain)
    if match is not None and not re.search(r"[A-Za-z]", plain):
        value = re.sub(r"[^0-9.,()−–-]", "", match["body"])
        if value.count("(") != value.count(")"):
            value = value.strip("()").join("()")
        return Number(value.replace("–", "-"), "", _own_unit(plain))
    figures = find_figures(text, context=Context(table_cell=True, decimal_convention="en"))
    if len(figures) != 1 or figures[0].ambiguous or figures[0].bound is not Bound.EXACT:
        return None
    figure = figures[0]
    scale = "" if figure.scale == 1 else scale_word(figure.scale.adjusted())
    return Number(f"{figure.value / figure.scale:f}", scale, str(figure.unit or ""))


def scale_word(exponent: int) -> str:
    """The word for a power of ten, empty for one that has none."""
    return _SCALES.get(exponent, "")


def _own_unit(plain: str) -> str:
    if "%" in plain:
        return "percent"
    if not re.search(r"[^\d\s().,−–-]", plain):
        return ""
    for figure in find_figures(plain, context=Context(table_cell=True, decimal_convention="en")):
        return str(figure.unit or "")
    return ""
