"""Numbers that a table has cut into several cells.

Financial tables, those of the SEC's filers above all, put the currency sign or the opening bracket into a
cell of its own before the number and the closing bracket or the per cent sign into one behind it.
"""

import re
from dataclasses import dataclass, replace

from .superscript import is_mark

_PREFIX = re.compile(r"(?:US|C|A|HK|NZ|S|R)?[$€£¥]\s*\(?|\(\s*[$€£¥]?")
_SUFFIX = re.compile(r"\)?\s*%\s*\)?|\)|\)?\s*(?:x|pts?\.?|pp|bps?|ppts?)\s*\)?", re.IGNORECASE)
_NIL = re.compile(r"[-–—−]+|n/?[am]\.?|nil|n\.m\.", re.IGNORECASE)
_LEAD = re.compile(r"(?:US|C|A|HK|NZ|S|R|CHF|EUR|USD|GBP)?[\s$€£¥(+\-–—−~<>≈]*(?=[.]?\d)")
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d\s*[A-Z]?[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾,*()\d]{0,4}")
_MAX_LETTERS = 3
_MAX_FIGURE = 40


@dataclass(frozen=True, slots=True)
class Cell:
    """Text in the grid columns from `start` up to, not including, `end`.

    `repeated` marks the later rows of a cell that spans rows.
    """

    start: int
    end: int
    text: str
    repeated: bool = False


def is_figure(text: str) -> bool:
    """Whether a cell holds a number, a nil dash or "n/m", with nothing but signs and marks around it."""
    if len(text) > _MAX_FIGURE:
        return False
    if _NIL.fullmatch(text):
        return True
    found = _LEAD.match(text)
    if not found:
        return False
    return sum(c.isalpha() for c in text[found.end() :]) <= _MAX_LETTERS


def is_value(text: str) -> bool:
    """Whether a cell holds a figure that is not merely a year (a year heads a column)."""
    return is_figure(text) and not _YEAR.fullmatch(text)


def join_affixes(row: list[Cell]) -> list[Cell]:
    """The row with split numbers joined, cells in order; a joined cell keeps the columns of its number."""
    return _join_suffixes(_join_prefixes(row))


def _join_prefixes(row: list[Cell]) -> list[Cell]:
    out: list[Cell] = []
    reach = -1  # where the last cell in `out` begins, the prefixes that it took included
    for cell in reversed(row):
        right = out[-1] if out else None
        if right and cell.end == reach and _PREFIX.fullmatch(cell.text) and is_figure(right.text):
            glue = "" if cell.text.endswith("(") else " "
            out[-1] = replace(right, text=cell.text + glue + right.text)
        else:
            out.append(cell)
        reach = cell.start
    return out[::-1]


def _join_suffixes(row: list[Cell]) -> list[Cell]:
    out: list[Cell] = []
    reach = -1  # where the last cell in `out` ends, the suffixes that it took included
    for cell in row:
        left = out[-1] if out else None
        if left and cell.start == reach and _takes(left.text, cell.text):
            glue = " " if cell.text[0].isalpha() and cell.text[0].isascii() else ""
            out[-1] = replace(left, text=left.text + glue + cell.text)
        else:
            out.append(cell)
        reach = cell.end
    return out


def _takes(left: str, suffix: str) -> bool:
    if is_mark(suffix):
        return True
    if not _SUFFIX.fullmatch(suffix) or not is_figure(left):
        return False
    return not suffix.startswith(")") or left.count("(") > left.count(")")
