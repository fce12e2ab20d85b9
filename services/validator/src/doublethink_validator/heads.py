"""The heading rows over a run of data rows, and what stands over each of their columns, worked out once.

Rows under the same headings share one `Heads`. Without it each cell of a table would look through all its headings
again, and a page of headings would cost the square of its length.
"""

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from typing import Final, TypeVar

from doublethink_figures import find_periods

from .pagetext import Cell, Row
from .words import words

Over = tuple[tuple[Cell, ...], ...]
_T = TypeVar("_T")
_MOST_KEPT: Final = 4_096


class Heads:
    """Heading rows in page order."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows = rows
        self._over: dict[tuple[int, int], Over] = {}
        self._titles: dict[tuple[int, int], tuple[Cell, ...]] = {}
        self._kept: dict[object, object] = {}

    @cached_property
    def size(self) -> int:
        """How many cells the headings have."""
        return sum(len(row.cells) for row in self.rows)

    @cached_property
    def stems(self) -> frozenset[str]:
        """All words of the headings, as stems."""
        return frozenset(w.stem for row in self.rows for c in row.cells for w in words(c.text))

    @cached_property
    def texts(self) -> frozenset[str]:
        """All texts of the headings, without regard to case."""
        return frozenset(c.text.strip().casefold() for row in self.rows for c in row.cells)

    @cached_property
    def _starts(self) -> list[list[int]]:
        return [[c.column for c in row.cells] for row in self.rows]

    @cached_property
    def _wide(self) -> tuple[Cell, ...]:
        return tuple(
            c
            for row in self.rows
            for c in row.cells
            if c.column > 0 and c.width > 1 and c.text.strip() and not find_periods(c.text)
        )

    def over(self, cell: Cell) -> Over:
        """For each heading row the cells with text that stand over `cell`; one object for the same columns."""
        key = (cell.column, cell.width)
        if key not in self._over:
            end = cell.column + cell.width
            found = []
            for row, starts in zip(self.rows, self._starts, strict=True):
                first = max(0, bisect_right(starts, cell.column) - 1)
                last = bisect_right(starts, end - 1)
                found.append(
                    tuple(
                        h
                        for h in row.cells[first:last]
                        if h.text.strip() and h.column < end and cell.column < h.column + h.width
                    )
                )
            self._over[key] = tuple(found)
        return self._over[key]

    def place(self, cell: Cell) -> tuple[tuple[int, ...], ...]:
        """What tells whether two cells stand under the same headings, cheap to compare."""
        return tuple(tuple(h.span.start for h in cells) for cells in self.over(cell))

    def titles(self, first: int, last: int) -> tuple[Cell, ...]:
        """The cells without a period that stand over all of the columns from `first` up to `last`."""
        key = (first, last)
        if key not in self._titles:
            self._titles[key] = tuple(
                c for c in self._wide if c.column <= first and c.column + c.width >= last
            )
        return self._titles[key]

    def once(self, key: object, make: Callable[[], _T]) -> _T:
        """What `make` gives, worked out once for `key`; a key belongs to one place of the code alone."""
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = make()
        return self._kept[key]  # type: ignore[return-value]  # the key tells the type
