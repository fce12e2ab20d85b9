"""The day on which an issuer's year closes, worked out of the quarters that a page names.

A report gives its quarter beside the year up to the quarter's last day. Nine months that end on the day of three
months are therefore the year's first nine, six months its first six; and "third quarter ended September 30, 2022"
says itself which quarter closes. Each gives one closing day; days that contradict each other give none.
"""

import calendar
import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from doublethink_figures import Part, Period, PeriodKind, find_periods

from .fiscal_ties import DATE, Tie
from .pagetext import Page

_NUMBERED: Final = re.compile(
    rf"\b(first|second|third|fourth)(?: fiscal)? quarter(?: and (?:six|nine|twelve) months)? "
    rf"ended(?: on)? ({DATE})",
    re.IGNORECASE,
)
_LENGTH: Final = re.compile(
    rf"\b(?:three|six|nine)(?:[- ](?:and|or|to) (?:six|nine))?[- ]months? (?:periods? )?ended(?: on)? {DATE}"
    rf"|\bquarter ended {DATE}|\b(?:13|26|39|thirteen|twenty-six|thirty-nine)[- ]weeks? (?:periods? )?ended {DATE}",
    re.IGNORECASE,
)
_CLOSES: Final = re.compile(
    r"\bfiscal year[ -]end(?: date)?\s+--(?P<m>[01][0-9])-(?P<d>[0-3][0-9])\b"
    r"|\b(?:our|the company[’']s|its) fiscal year (?:ends|is the calendar year|ending) (?:on )?"
    r"(?P<day>december 31)\b(?!,? [0-9])",
    re.IGNORECASE,
)
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_FIRST_MONTHS: Final = {9: 3, 6: 2}
"""Which quarter closes with so many months of a year."""
_MOST_READ: Final = 2_000_000


def said_closing(page: Page) -> tuple[int, int] | None:
    """The month and day that a page names as the end of its issuer's year without a year: "--12-31"."""
    found = {
        (int(m["m"]), int(m["d"])) if m["m"] else (12, 31) for m in _CLOSES.finditer(page.text[:_MOST_READ])
    }
    return found.pop() if len(found) == 1 else None


def derived_closings(page: Page, heads: Iterable[Period], ties: Iterable[Tie]) -> list[date]:
    """The closing days of years that the page's quarters give; `heads` are the periods of its columns.

    Only `ties` whose quarter closes with a month count: the others are counted by their labels.
    """
    text = page.text.replace("\u00a0", " ")
    periods = set(heads)
    periods |= {m.period for match in _LENGTH.finditer(text) for m in find_periods(match.group())}
    ends: dict[date, set[int]] = {}
    for period in periods:
        if period.end is not None and period.kind is not PeriodKind.INSTANT and period.part is not Part.LTM:
            ends.setdefault(period.end, set()).add(period.part.months or 0)
    found = [
        _later(end, 4 - quarter)
        for end, lengths in ends.items()
        if 3 in lengths and 12 not in lengths
        for months, quarter in _FIRST_MONTHS.items()
        if months in lengths
    ]
    for match in _NUMBERED.finditer(text):
        for mention in find_periods(match.group(2)):
            if mention.period.end is not None:
                found.append(_later(mention.period.end, 4 - _ORDINALS[match.group(1).casefold()]))
    found += [_later(tie.closing, 4 - tie.quarter) for tie in ties if _closes_month(tie.closing)]
    return found


def _closes_month(day: date) -> bool:
    return day.day == calendar.monthrange(day.year, day.month)[1]


def _later(day: date, quarters: int) -> date:
    """The same place of the month so many quarters later: the last day after a last day."""
    index = day.year * 12 + day.month - 1 + 3 * quarters
    year, month = index // 12, index % 12 + 1
    last = calendar.monthrange(year, month)[1]
    return date(year, month, last if _closes_month(day) else min(day.day, last))
