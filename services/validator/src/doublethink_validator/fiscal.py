"""Which period is the wanted one, with what the page itself says about the issuer's year.

The figures library decides by label. What it calls ambiguous is settled here only by a statement of the
page: the day its fiscal years close, which closing day a label such as "fiscal 2023" or "second quarter of
fiscal 2023" stands for, or that its years and quarters are all fiscal. Statements that contradict each other
settle nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from doublethink_figures import Match, Part, Period, PeriodKind, YearEnd, find_periods, period_matches

from .fiscal_ties import DATE, Tie, stated_ties
from .pagetext import Page
from .year_ends import derived_closings, said_closing

DRIFT_DAYS: Final = 10
"""How far the end of a 52- or 53-week year, and of its quarters, moves around the same day of the
calendar.
"""
_MOST_APART: Final = 20
"""How far two statements of one closing day may lie apart: one drift for each."""

_QUARTERS_LEFT: Final = {
    Part.Q1: 3,
    Part.Q2: 2,
    Part.Q3: 1,
    Part.Q4: 0,
    Part.H1: 2,
    Part.H2: 0,
    Part.SIX_MONTHS: 2,
    Part.NINE_MONTHS: 1,
    Part.YEAR: 0,
}
"""The quarters after the part; a label of six or nine months of a year means its first ones."""
_FIRST_SAFE_MONTH: Final = 6
_YEAR_ENDED: Final = re.compile(
    rf"(?:\byears?|52[ -]weeks?|53[ -]weeks?) (?:ended|ending|ends|that ended)(?: on)? ({DATE})",
    re.IGNORECASE,
)
_DEFINED: Final = (
    re.compile(
        rf"(?<!quarter )(?<!months )(?:ended|ending|ends)(?: on)? ({DATE}),? \(?[(“\"']+(?:or |our )?"
        rf"fiscal (?:year )?((?:19|20)[0-9]{{2}})\b(?! (?:first|second|third|fourth|Q[1-4]))",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!quarter of )(?<!quarter )(?<!half of )(?<!months of )(?<!weeks of )(?<!Q[1-4] )"
        rf"\bfiscal (?:year )?((?:19|20)[0-9]{{2}})[”\"’]?(?:\t| means | refers to | is "
        rf"| was | consists? of | consisted of )?(?:the )?(?:a )?(?:our )?"
        rf"(?:fiscal year|52[ -]weeks?|53[ -]weeks?|year)?(?:(?!quarter|half|month)[ a-z-]){{0,24}}\b(?:ended|ending"
        rf"|ends)(?: on)? ({DATE})",
        re.IGNORECASE,
    ),
)
_ALL_FISCAL: Final = re.compile(
    r"\breferences to (?:\w+ )?(?:years?|quarters?|months?|periods?)\b[^.]{0,80}\b(?:refer|relate|are|mean)s? "
    r"(?:to )?[^.]{0,60}\bfiscal (?:years?|quarters?|periods?)\b",
    re.IGNORECASE,
)
_PARTS_NAMED: Final = re.compile(
    r"\b(?:three|six|nine|3|6|9)[ -]months? ended|\bquarter(?:ly period)? ended", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """What a page says of its issuer's year: the day it closes, and which closing date a label stands for."""

    year_end: YearEnd | None
    labels: tuple[tuple[int, date], ...]
    annual: bool
    """No period shorter than a year is named on the page: twelve months are the fiscal year."""
    all_fiscal: bool = False
    """The page says that its years, quarters and months are fiscal ones."""

    def is_wanted(self, stated: Period, wanted: Period) -> Match:
        """Whether `stated` is the period that is wanted."""
        by_label = period_matches(stated, wanted, year_end=self.year_end)
        if by_label is not Match.AMBIGUOUS:
            return by_label
        if stated.end is not None and wanted.end is None and wanted.year is not None:
            return self._dated_against_label(stated, wanted)
        if wanted.end is not None and stated.end is None and stated.year is not None:
            return self._dated_against_label(wanted, stated)
        if self.all_fiscal and {stated.kind, wanted.kind} == {PeriodKind.FISCAL, PeriodKind.UNSPECIFIED_YEAR}:
            return Match.EXACT if (stated.year, stated.part) == (wanted.year, wanted.part) else Match.NO
        return Match.AMBIGUOUS

    def _dated_against_label(self, dated: Period, label: Period) -> Match:
        assert dated.end is not None  # noqa: S101 - the caller has it
        assert label.year is not None  # noqa: S101 - the caller has it
        if label.part not in _QUARTERS_LEFT or label.straddles or dated.part.months is None:
            return Match.AMBIGUOUS
        if dated.part.months != label.part.months:
            return Match.NO
        closing = self._closing(label)
        if closing is None:
            return self._whole_year(dated, label)
        expected = _months_before(closing, 3 * _QUARTERS_LEFT[label.part])
        return Match.EXACT if abs((dated.end - expected).days) <= DRIFT_DAYS else Match.NO

    def _closing(self, label: Period) -> date | None:
        """The day on which the fiscal year of `label` closes, where the page says so for it or a
        neighbouring year.
        """
        unsaid = label.kind is not PeriodKind.FISCAL and self.year_end != YearEnd(12, 31)
        if label.kind is PeriodKind.CALENDAR or (unsaid and not self.all_fiscal):
            return None
        assert label.year is not None  # noqa: S101 - the caller has it
        for year, closing in self.labels:
            if abs(year - label.year) <= 3:
                return _same_day(closing, closing.year + label.year - year)
        if self.year_end is not None and self.year_end.month >= _FIRST_SAFE_MONTH:
            return _same_day(date(2000, self.year_end.month, self.year_end.day), label.year)
        return None

    def _whole_year(self, dated: Period, label: Period) -> Match:
        """A year that closes from June on carries the number of the calendar year that it closes in."""
        assert dated.end is not None  # noqa: S101 - the caller has it
        if label.part is not Part.YEAR or dated.end.month < _FIRST_SAFE_MONTH:
            return Match.AMBIGUOUS
        if label.kind is PeriodKind.CALENDAR and (dated.end.month, dated.end.day) != (12, 31):
            return Match.NO
        whole = dated.part in (Part.YEAR, Part.FIFTY_TWO_WEEKS, Part.FIFTY_THREE_WEEKS) or (
            dated.part is Part.TWELVE_MONTHS and self.annual
        )
        if not whole:
            return Match.AMBIGUOUS
        return Match.EXACT if dated.end.year == label.year else Match.NO


def fiscal_calendar(page: Page, ties: Iterable[Tie] = (), heads: Iterable[Period] = ()) -> FiscalCalendar:
    """What `page` says of its issuer's fiscal year; `ties` are what its amounts say besides, `heads` the periods
    over its columns.

    Statements that contradict each other say nothing.
    """
    text = page.text.replace("\u00a0", " ")
    closings = [d for m in _YEAR_ENDED.finditer(text) if (d := _date(m.group(1))) is not None]
    labels: set[tuple[int, date]] = set()
    for pattern, (label_group, date_group) in zip(_DEFINED, ((2, 1), (1, 2)), strict=True):
        for match in pattern.finditer(text):
            closing = _date(match.group(date_group))
            if closing is not None and closing.year - int(match.group(label_group)) in (0, 1):
                labels.add((int(match.group(label_group)), closing))
                closings.append(closing)
    every = (*stated_ties(page), *ties)
    year_end = _one_year_end(closings) if closings else _worked_out(page, heads, every)
    tied = {(tie.year, _months_before(tie.closing, -3 * (4 - tie.quarter))) for tie in every}
    if not _in_step(labels | tied) or not all(_closes_near(closing, year_end) for _, closing in tied):
        labels, tied = set(), set()
    said = {year for year, _ in labels}
    return FiscalCalendar(
        year_end=year_end,
        labels=tuple(sorted(labels | {(year, closing) for year, closing in tied if year not in said})),
        annual=_PARTS_NAMED.search(text) is None,
        all_fiscal=_ALL_FISCAL.search(text) is not None,
    )


def _worked_out(page: Page, heads: Iterable[Period], ties: Iterable[Tie]) -> YearEnd | None:
    """The closing day of a page that dates no year: the one it names without a year, or that of its quarters.

    Days around the end of December are those of a year of weeks, and not the calendar's.
    """
    closings = derived_closings(page, heads, ties)
    named = said_closing(page)
    if named is None:
        if _one_year_end(closings) is None:
            return None
        return _one_year_end([d for d in closings if (d.month, d.day) != (12, 31)] or closings)
    anchor = date(2001, named[0], min(named[1], 28))
    if any(
        min(abs((_same_day(c, y) - anchor).days) for y in (2000, 2001, 2002)) > _MOST_APART for c in closings
    ):
        return None
    return YearEnd(*named)


def _in_step(labels: set[tuple[int, date]]) -> bool:
    """Whether all labels stand for the same stretch of their year, which closes in that year or the next."""
    if any(closing.year - year not in (0, 1) for year, closing in labels):
        return False
    ordinals = [(closing - date(year, 1, 1)).days for year, closing in labels]
    return not ordinals or max(ordinals) - min(ordinals) <= _MOST_APART


def _closes_near(closing: date, year_end: YearEnd | None) -> bool:
    if year_end is None:
        return True
    anchor = date(2001, year_end.month, min(year_end.day, 28))
    return min(abs((_same_day(closing, y) - anchor).days) for y in (2000, 2001, 2002)) <= _MOST_APART


def _one_year_end(closings: list[date]) -> YearEnd | None:
    """The closing day, if all that are stated lie within the drift of a 52-week year of each other."""
    if not closings:
        return None
    most = Counter((d.month, d.day) for d in closings).most_common(1)[0][0]
    anchor = date(2001, *most) if most != (2, 29) else date(2001, 2, 28)
    for closing in closings:
        distance = min(abs((_same_day(closing, year) - anchor).days) for year in (2000, 2001, 2002))
        if distance > DRIFT_DAYS:
            return None
    return YearEnd(*most)


def _date(text: str) -> date | None:
    for mention in find_periods(text):
        return mention.period.end
    return None


def _same_day(day: date, year: int) -> date:
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)


def _months_before(day: date, months: int) -> date:
    """About the same day `months` earlier; the drift allowance covers what calendar months differ by."""
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, min(day.day, 28))
