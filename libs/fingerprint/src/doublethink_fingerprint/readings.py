"""Figures and days of a payload's views, read once per payload and only where there is something to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from doublethink_figures import all_dates

from doublethink_fingerprint.numbers import FigureMark, read_figures
from doublethink_fingerprint.view import View


class Reader:
    """Reads numbers and dates of views on demand and keeps them for the next pack. One per payload."""

    def __init__(self) -> None:
        self._figures: list[tuple[View, FigureMark]] | None = None
        self._days: list[tuple[View, int, int, date]] | None = None

    def figures(self, views: Sequence[View]) -> list[tuple[View, FigureMark]]:
        """Return every reading of every number, with the view whose characters its span counts."""
        if self._figures is None:
            self._figures = [
                (view, mark) for view in views if _readable(view) for mark in read_figures(view.text)
            ]
        return self._figures

    def days(self, views: Sequence[View]) -> list[tuple[View, int, int, date]]:
        """Return every day that a view can be read to name, with its span in the view."""
        if self._days is None:
            self._days = list(_days(views))
        return self._days


_NOISE = frozenset(["leet", "leet2", "rot47"])


def _readable(view: View) -> bool:
    return not _NOISE.intersection(view.chain)


def _days(views: Sequence[View]) -> Iterator[tuple[View, int, int, date]]:
    for view in views:
        if _readable(view):
            for reading in all_dates(view.text):
                yield view, reading.span.start, reading.span.end, reading.date
