"""Years and dates that belong to a thing and say nothing of the period asked about: "notes due 2030", "2019 Credit
Facility".

While a question is read they stand as one letter each that no other text has, so that they are words like others;
in the query they stand as they were written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_FIRST: Final = 0xA000
"""Yi syllables: letters without case, so that a masked date reads as a word."""
_MAX_DATES: Final = 32
_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_YEAR: Final = r"(?:19|20|21)\d\d"
_DATE: Final = (
    rf"(?:{_MONTH} \d{{1,2}}(?:, {_YEAR})?|\d{{1,2}} {_MONTH} {_YEAR}|{_MONTH},? {_YEAR}|(?:fiscal )?{_YEAR})"
)
_THING: Final = (
    r"(?:facility|facilities|plans?|notes?(?! (?:payable|receivable))|loans?|programs?|programmes?|agreements?"
    r"|debentures?"
    r"|bonds?|act|indenture|warrants?|revolver|convertibles?|ESPP|LTIP|annual meeting|special meeting"
    r"|annual general meeting|AGM|authorization|tranche|leases?|vintage|class|awards?|grants?)"
)
_NAMED: Final = (
    re.compile(
        rf"\b(?:due|maturing|maturity|matures|mature|expiring|expires|expire"
        rf"|(?<!accounts )(?<!taxes )(?<!loans )(?<!notes )payable"
        rf"|redeemable)(?: (?:in|on|by|of))?"
        rf"(?: the year)? (?P<date>{_DATE})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w)(?P<date>{_YEAR}) (?=(?:[\w&%.-]+ ){{0,5}}?{_THING}(?![\w-]))",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:class|vision|series|cohort|vintage) (?:of )?(?P<date>{_YEAR})", re.IGNORECASE),
)
_BETWEEN: Final = re.compile(
    r"\b(?:in|for|on|of|at|from|did|does|was|were|is|are|how|what|its|their|the|by|under)\b", re.IGNORECASE
)
"""Words that a thing's name does not have between its year and its noun."""
_OWNED: Final = re.compile(r"(?:\b(?:the|its|their|his|her|an?|new|under)|'s|s'|%|\b[A-Z][\w&.-]*) $")
_PERIOD_BEFORE: Final = re.compile(
    rf"(?:\b(?:fiscal|FY|CY|Q[1-4]|H[12]|In|For|By|During|Of|At|Since|Through)|{_MONTH}) $"
)
"""Words before a year that make it a period, whatever thing follows."""


@dataclass(frozen=True, slots=True)
class NamedDates:
    """`text` with a letter for each such date. `dates` are the question's own words and stay out of `repr`."""

    text: str = field(repr=False)
    dates: tuple[str, ...] = field(repr=False)

    def restore(self, text: str) -> str:
        """A text with the dates as they were written."""
        for number, date in enumerate(self.dates):
            text = text.replace(chr(_FIRST + number), date)
        return text


def mask_named_dates(sentence: str) -> NamedDates:
    """The sentence with its named dates masked."""
    dates: list[str] = []
    for pattern in _NAMED:
        position = 0
        while len(dates) < _MAX_DATES:
            found = pattern.search(sentence, position)
            if found is None:
                break
            position = found.end("date")
            if pattern is _NAMED[1] and not _is_name(sentence, found):
                continue
            mask = chr(_FIRST + len(dates))
            dates.append(found["date"])
            sentence = sentence[: found.start("date")] + mask + sentence[found.end("date") :]
            position = found.start("date") + 1
    return NamedDates(sentence, tuple(dates))


def _is_name(sentence: str, found: re.Match[str]) -> bool:
    """Whether a year in front of a thing is part of its name, and not a period that merely stands there."""
    before, after = sentence[: found.start("date")], sentence[found.end("date") :]
    noun = re.search(rf"{_THING}(?![\w-])", after, re.IGNORECASE)
    owned = _OWNED.search(before) is not None and _PERIOD_BEFORE.search(before) is None
    return owned and noun is not None and not _BETWEEN.search(after[: noun.start()])
