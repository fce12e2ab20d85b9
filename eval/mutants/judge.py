"""Whether a mutant happens to be true: read from the page text alone, by rows and columns, without the validator."""

from __future__ import annotations

import re
from collections.abc import Iterator

_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_NUMBER = re.compile(r"[0-9](?:[0-9,]*[0-9])?(?:\.[0-9]+)?")
_LOOK_BACK = 60
_PLAIN = str.maketrans("’‘“”–—−", "''\"\"---")
"""Signs that a quote may have in either form: a row stands twice also where its apostrophe differs."""


def is_true(text: str, kind: str, quote: str, value: str, period: str) -> bool:
    """Whether what the mutant says stands on the page as well.

    Of a changed number: it stands, as a number of its own with the sign that it has, in a row or sentence that the
    quote is part of. Of a changed period: the number stands under or beside every year of the new label. Of a changed
    flag or direction: the quoted row stands on the page again, or has the number twice ("Adjusted cost", "Fair value"),
    so that another column may be the one that is meant. A changed unit or scale is never true.
    """
    if kind in ("flag", "direction"):
        return (
            text.translate(_PLAIN).count(quote.translate(_PLAIN)) > 1
            or _NUMBER.findall(quote).count(value.strip("()")) > 1
        )
    if kind not in ("digit", "sign", "period", "word"):
        return False
    number = value.strip("()").lstrip("-")
    for row, cells in _rows_of(text, quote):
        for column, cell in cells:
            if not _shows(cell, number, negative=value.startswith(("(", "-"))):
                continue
            years = set(_YEAR.findall(period))
            if kind != "period" or (
                years and years <= _years_over(text, row, column) | set(_YEAR.findall(cell))
            ):
                return True
    return False


def _shows(cell: str, number: str, *, negative: bool) -> bool:
    for match in _NUMBER.finditer(cell):
        if match.group() == number:
            before = cell[: match.start()].rstrip(" $€£")
            if before.endswith(("(", "-", "−", "–")) is negative:
                return True
    return False


def _rows_of(text: str, quote: str) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """The lines that hold the quote, or the first line of it, with their cells by column."""
    first = quote.split("\n")[0].strip()
    at = text.find(first) if first else -1
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        line = text[start : (text + "\n").find("\n", at)]
        yield start, list(enumerate(line.split("\t")))
        at = text.find(first, at + 1)


def _years_over(text: str, row: int, column: int) -> set[str]:
    """The years of the nearest line above that names one over the column, and of lines without columns up to it."""
    lines = text[max(0, row - 20_000) : row].split("\n")[-_LOOK_BACK:]
    for line in reversed(lines):
        cells = line.split("\t")
        if len(cells) > 1:
            over = cells[column] if column < len(cells) else ""
            back = column
            while over == "\u2007" and back:
                back -= 1
                over = cells[back]
            if found := set(_YEAR.findall(over)):
                return found
        elif found := set(_YEAR.findall(line)):
            return found
    return set()
