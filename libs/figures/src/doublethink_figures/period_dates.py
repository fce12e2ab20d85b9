"""Dates as they stand in the labels of periods, for a grammar that wants one reading of each.

A month without a day ("March 2025") stands for its last day. A date in digits whose day and month could be
exchanged
("03/04/2024") has no reading.
"""

import re
from datetime import date
from typing import Final

from .months import ENGLISH_MONTHS, day, last_day, month_number, month_pattern

YEAR: Final = r"(?:19|20|21)[0-9]{2}"
"""A year in four digits."""

_MONTH: Final = month_pattern(ENGLISH_MONTHS)


def date_pattern(tag: str) -> str:
    """A date with named groups that end in `tag`; the day may be missing."""
    month_first = (
        rf"(?P<mon1{tag}>{_MONTH}) ?(?P<day1{tag}>[0-3]?[0-9])(?:st|nd|rd|th)?(?:,? ?)(?P<yr1{tag}>{YEAR})"
    )
    day_first = (
        rf"(?P<day2{tag}>[0-3]?[0-9])(?:st|nd|rd|th)?(?: of)?[ -](?P<mon2{tag}>{_MONTH}),?[ -]"
        rf"(?P<yr2{tag}>{YEAR})"
    )
    no_day = rf"(?P<mon3{tag}>{_MONTH}),? (?:of )?(?P<yr3{tag}>{YEAR})"
    iso = rf"(?P<yr4{tag}>{YEAR})-(?P<mon4{tag}>[01][0-9])-(?P<day4{tag}>[0-3][0-9])"
    slashed = rf"(?P<a5{tag}>[0-3]?[0-9])/(?P<b5{tag}>[0-3]?[0-9])/(?P<yr5{tag}>{YEAR})"
    dotted = rf"(?P<day6{tag}>[0-3]?[0-9])\.(?P<mon6{tag}>[01]?[0-9])\.(?P<yr6{tag}>{YEAR})"
    return rf"(?:{month_first}|{day_first}|{no_day}|{iso}|{slashed}|{dotted})(?![0-9])"


def read_date(match: re.Match[str], tag: str) -> tuple[date, bool] | None:
    """The date and whether its day is stated; None for a day the calendar lacks or that has two readings."""
    groups = match.groupdict()
    for form in ("1", "2"):
        if groups.get(f"yr{form}{tag}"):
            found = day(
                int(groups[f"yr{form}{tag}"]),
                month_number(groups[f"mon{form}{tag}"]),
                int(groups[f"day{form}{tag}"]),
            )
            return (found, True) if found else None
    if groups.get(f"yr3{tag}"):
        return last_day(int(groups[f"yr3{tag}"]), month_number(groups[f"mon3{tag}"])), False
    for form in ("4", "6"):
        if groups.get(f"yr{form}{tag}"):
            found = day(
                int(groups[f"yr{form}{tag}"]), int(groups[f"mon{form}{tag}"]), int(groups[f"day{form}{tag}"])
            )
            return (found, True) if found else None
    first, second, year = int(groups[f"a5{tag}"]), int(groups[f"b5{tag}"]), int(groups[f"yr5{tag}"])
    readings = {d for d in (day(year, first, second), day(year, second, first)) if d}
    return (readings.pop(), True) if len(readings) == 1 else None
