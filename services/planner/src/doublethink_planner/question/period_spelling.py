"""Periods as people write them, in the words that the grammar of periods reads: "Q1 22" is "Q1 2022", "the six months
through June 30" are those ended then, "the June quarter of 2018" is the quarter ended June 2018.

Only what has one meaning. What could be another period stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from doublethink_figures import find_periods

_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
_YEAR: Final = r"(?:19|20)\d\d"
_SHORT: Final = r"(?P<yy>\d\d)(?![\d.,/%-]*\d|%| ?(?:percent|million|billion|weeks|months|days|years))"
_LENGTH: Final = (
    r"(?:(?:three|six|nine|twelve|3|6|9|12)[- ]months?|(?:thirteen|twenty-six|thirty-nine|fifty-two|fifty-three|13|26"
    r"|39|52|53)[- ]weeks?|(?:fiscal |financial )?(?:quarter|half|half-year|year))"
)
_DAY: Final = (
    rf"(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? {_YEAR}"
    rf"|{_MONTH} {_YEAR}|\d{{1,2}}[/.]\d{{1,2}}[/.]{_YEAR}|{_YEAR}-\d\d-\d\d)"
)
_MONTHS_A_YEAR: Final = 12


def _spaced_century(found: re.Match[str]) -> str:
    return f"{found['label'].strip()} 20{found['yy']}"


def _short_date(found: re.Match[str]) -> str:
    return f"{found['lead']}{found['m']}/{found['d']}/20{found['yy']}"


def _month_named(found: re.Match[str]) -> str:
    return f"{found['lead']}{found['month'].rstrip('.')} 20{found['yy']}"


def _full_month(found: re.Match[str]) -> str:
    return next(name for name in _MONTHS if name.startswith(found["month"][:3].title()))


def _span(found: re.Match[str]) -> str:
    """ "From April 1 to June 30, 2018" by its length, where it is whole months."""
    ends = [mention.period.end for mention in find_periods(found["last"])]
    first = next((n for n, name in enumerate(_MONTHS, 1) if found["month"].startswith(name[:3])), 0)
    if len(ends) != 1 or ends[0] is None or found["day"] not in ("1", "01"):
        return found[0]
    end = ends[0]
    year = int(found["year"] or (end.year if first <= end.month else end.year - 1))
    months = (end.year - year) * _MONTHS_A_YEAR + end.month - first + 1
    length = {3: "three", 6: "six", 9: "nine", 12: "twelve"}.get(months)
    whole = date(end.year + end.month // 12, end.month % 12 + 1, 1).toordinal() - end.toordinal() == 1
    return f"in the {length} months ended {found['last']}" if length and whole else found[0]


_SPELLED: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), to)
    for pattern, to in (
        # Months cut short, beside a year or a quarter.
        (r"\b(?P<month>(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))\.?(?= (?:\d{1,2},? )?(?:19|20)\d\d\b"
         r"|[- ]'?\d\d (?:quarter|half)\b)", _full_month),
        # Two digits of a year.
        (rf"\b(?P<label>(?:Q[1-4]|[1-4]Q|H[12]|[12]H))(?: of|,)? '?{_SHORT}", _spaced_century),
        (rf"\b(?:FY|CY)[- ]'?{_SHORT}", lambda found: f"{found[0][:2].upper()}20{found['yy']}"),
        (rf"(?<=[a-z]) '{_SHORT}", lambda found: f" 20{found['yy']}"),
        (rf"(?P<lead>\b)(?P<month>{_MONTH})[- ]'{_SHORT}", _month_named),
        (rf"(?P<lead>\b)(?P<month>(?-i:[A-Z][a-z][a-z]))-{_SHORT}", _month_named),
        (rf"(?P<lead>\b)(?P<month>{_MONTH})[- ]{_SHORT}(?= (?:quarter|half)\b)", _month_named),
        (r"(?P<lead>\b(?:ended|ending|to|at|on|of|as of|as at|by) )(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<yy>\d\d)(?!\d)",
         _short_date),
        # Year ends.
        (rf"\b(?:the )?(?:FYE|fiscal YE) ?(?={_YEAR})", "fiscal year-end "),
        (rf"\bYE ?'?{_SHORT}", lambda found: f"year-end 20{found['yy']}"),
        (rf"\bYE ?(?={_YEAR})", "year-end "),
        (rf"\b(?:at|on|as of|as at)? ?(?:its |the )?(?:fiscal |financial )?(?:year|quarter|period)[- ]end,? (?={_DAY})",
         " at "),
        (rf"\bfiscal year[- ]end (?={_YEAR})", "the end of fiscal "),
        (rf"\b(?:the )?year[- ]end of (?={_YEAR})", "year-end "),
        (rf"\b(?P<year>{_YEAR}) (?:fiscal )?year[- ]end\b", r"year-end \g<year>"),
        (rf"(?<!the )\bend(?:-| of |[- ]of[- ]| )(?={_MONTH} {_YEAR})", "the end of "),
        (rf",? \bend of (?=(?:the )?(?:Q[1-4]|H[12]|[1-4]Q|fiscal|FY|(?:first|second|third|fourth) quarter|{_YEAR}))",
         lambda found: found[0] if not found[0].startswith(",") else " at the end of "),
        (rf"(?<=at )end of (?={_MONTH} {_YEAR})", "the end of "),
        # The length that lies between two days that are said too.
        (rf"\b(?:in|over|during|for) the (?:first|second) (?:half|quarter) of (?:fiscal )?{_YEAR}, (?:i\.e\.,? "
         rf"|that is,? )?"
         rf"(?=(?:from|between)"
         rf" {_DAY} (?:to|and|until) {_DAY})", ""),
        (r"\bin the year to date, (?:the |or the )?(?=(?:\d+|[a-z-]+) (?:weeks|months))", "in the "),
        # A length up to a day.
        (rf"\b(?P<length>{_LENGTH})(?: period)?,? (?:through|up to|until|which ended|that ended|that closed|closed"
         rf"|closing|finishing)(?: on| in| at)? (?=(?:the end of )?{_DAY})", r"\g<length> ended "),
        (rf"\bwhen (?P<what>the {_LENGTH}) (?:ended|closed) (?:on )?(?={_DAY})", r"for \g<what> ended "),
        (rf"\b(?P<length>{_LENGTH})(?: period)? (?:ended|ending) (?:on|in|at)(?: the end of)? (?={_DAY})",
         r"\g<length> ended "),
        (rf"\b(?:in |for |over |during )?(?:the )?(?:period )?(?:from|between) (?P<month>{_MONTH}) (?P<day>\d{{1,2}})"
         rf"(?:, (?P<year>{_YEAR}))? (?:to|through|until|and) (?P<last>{_MONTH} \d{{1,2}}, {_YEAR})", _span),
        (r"\bfirst three months of (?=(?:fiscal |FY ?)?(?:19|20)\d\d)", "first quarter of "),
        (rf"\b(?P<length>{_LENGTH}) ended (?P<day>{_DAY})(?P<between>.{{1,60}}?)\b(?:that|those|the one"
         rf"|the period) ended"
         rf" (?=(?:on )?{_DAY})", r"\g<length> ended \g<day>\g<between>\g<length> ended "),
        (rf",? (?:which|that) (?:ended|closed) (?:on )?(?P<day>{_DAY}),?", r" (ended \g<day>)"),
        # A quarter by its month.
        (rf"\b(?P<month>{_MONTH}) (?P<what>quarter|half)(?: of|,)? (?P<year>{_YEAR})",
         r"\g<what> ended \g<month> \g<year>"),
        (rf"\b(?P<year>{_YEAR}) (?P<month>{_MONTH}) (?P<what>quarter|half)\b", r"\g<what> ended \g<month> \g<year>"),
        # Words that add nothing.
        (rf"\b(?:over|during|in|for|throughout|across) (?:the (?:course|whole|entirety|entire year|full year)|all) of"
         rf" (?=(?:the )?(?:fiscal |calendar )?(?:year )?{_YEAR})", "in "),
        (r"\b(?P<kind>fiscal|calendar|financial)-(?=(?:year|quarter)\b)", r"\g<kind> "),
        (rf"\b(?:opening) quarter (?=of (?:fiscal )?{_YEAR})", "first quarter "),
        (rf"\b(?:last|closing) quarter (?=of (?:fiscal )?{_YEAR})", "fourth quarter "),
        (r"\b(?:its|their) (?=(?:first|second|third|fourth) (?:fiscal |financial )quarter\b)", "the "),
        (rf"\b(?P<ordinal>first|second|third|fourth) (?:fiscal"
         rf"|financial) quarter,?(?: of)?(?: fiscal)? (?P<year>{_YEAR})",
         r"\g<ordinal> quarter of fiscal \g<year>"),
    )
)  # fmt: skip


def plain_periods(text: str) -> str:
    """The text with its periods so written."""
    for pattern, to in _SPELLED:
        text = pattern.sub(to, text)
    return " ".join(text.split())
