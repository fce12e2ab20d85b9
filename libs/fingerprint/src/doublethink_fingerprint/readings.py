"""Figures and days of a payload's views, read only where one of the pack's could stand, and once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from doublethink_figures import all_dates

from doublethink_fingerprint import limits
from doublethink_fingerprint.decoders.survey import Gathered, gathered
from doublethink_fingerprint.hints import dated_parts, day_stretches, number_stretches
from doublethink_fingerprint.numbers import FigureMark, read_figures
from doublethink_fingerprint.view import View
from doublethink_fingerprint.work import DAY_CHAR, FIGURE_CHAR, spend

_NOISE = frozenset(["leet", "leet2", "rot47", "turned"])
# A figure with its currency, scale and "per share" is shorter than this.
_MARGIN = 48
# And a day is this long at most on either side of its month.
_DAY_MARGIN = 32


class Reader:
    """Reads numbers and dates of views on demand, keeps them for the next pack. One per payload."""

    def __init__(self) -> None:
        self._figures: dict[tuple[int, int, int], tuple[FigureMark, ...]] = {}
        self._gathered: list[tuple[View, Gathered]] | None = None
        self._stretches: list[tuple[View, int, int]] | None = None
        self._days: dict[tuple[int, int, int], list[tuple[int, int, date]]] = {}
        self._read_figures = 0
        self._read_days = 0

    @property
    def overrun(self) -> bool:
        """Whether more stretches looked like figures or days than are read of one payload."""
        return max(self._read_figures, self._read_days) > limits.READ_CHARS

    def figures(
        self, views: Sequence[View], wanted: Callable[[str], bool]
    ) -> Iterator[tuple[View, FigureMark]]:
        """Yield the readings of numbers whose significand may be `wanted`; spans count view characters."""
        for index, (view, part) in enumerate(self._news(views)):
            for start, end in part.spans(number_stretches(part.text, _MARGIN, wanted)):
                place = (index, start, end)
                if place not in self._figures:
                    spend(FIGURE_CHAR * (end - start))
                    self._read_figures += end - start
                    if self._read_figures > limits.READ_CHARS:
                        return
                    self._figures[place] = tuple(
                        replace(mark, start=mark.start + place[1], end=mark.end + place[1])
                        for mark in read_figures(view.text[place[1] : place[2]])
                    )
                for mark in self._figures[place]:
                    yield view, mark

    def _news(self, views: Sequence[View]) -> list[tuple[View, Gathered]]:
        if self._gathered is None:
            self._gathered = list(_parts(views))
        return self._gathered

    def days(
        self, views: Sequence[View], wanted: Callable[[int, int], bool]
    ) -> Iterator[tuple[View, int, int, date]]:
        """Yield the days that a view can be read to name, with their spans in the view, wherever a day of the
        month or year and a year stand that are `wanted` together.
        """
        if self._stretches is None:
            self._stretches = [
                (view, start, end)
                for view, part in self._news(views)
                for start, end in part.spans(day_stretches(part.text, _DAY_MARGIN))
            ]
        for view, start, end in self._stretches:
            spend(DAY_CHAR * (end - start) // 4)
            for low, high in dated_parts(view.text[start:end], wanted, _DAY_MARGIN):
                place = (id(view), start + low, start + high)
                if place not in self._days:
                    spend(DAY_CHAR * (high - low))
                    self._read_days += high - low
                    if self._read_days > limits.READ_CHARS:
                        return
                    self._days[place] = [
                        (reading.span.start + place[1], reading.span.end + place[1], reading.date)
                        for reading in all_dates(view.text[place[1] : place[2]])
                    ]
                for first, last, day in self._days[place]:
                    yield view, first, last, day


def _parts(views: Sequence[View]) -> Iterator[tuple[View, Gathered]]:
    """Yield what has to be read: the payload as a whole, and of other views what their decoder changed."""
    for view in views:
        if view.parent is None or view.first:
            yield view, gathered(view.text, ((0, len(view.text)),))
        elif not _NOISE.intersection(view.chain):
            yield view, gathered(view.text, tuple(view.changed_parts(_MARGIN)))
