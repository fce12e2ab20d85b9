"""Periods in German and French: "Geschäftsjahr 2023/24", "drittes Quartal 2024", "exercice clos le 31 décembre 2024".

Patterns with their builders, in the form of `period_grammar`. Texts come folded and in lower or upper case.
"""

import re
from collections.abc import Callable
from typing import Final

from .months import ENGLISH_MONTHS, OTHER_MONTHS, day, month_number, month_pattern
from .period import Part, Period, PeriodKind

_Builder = Callable[[re.Match[str]], tuple[Period, ...]]

_YEAR: Final = r"(?P<year>(?:19|20)[0-9]{2})(?![0-9.,]*[0-9])(?:/(?P<split>(?:19|20)?[0-9]{2})\b)?"
_OF_YEAR: Final = (
    rf"(?:,? (?:des (?:jahres |(?P<fiscal>geschäftsjahre?s ))?|im |in |de (?:l['’] ?(?P<exercice>exercice) )?|du |en )?"
    rf"(?:geschäftsjahr )?)?\s*{_YEAR}"
)
_ORDINALS: Final = (
    ("erst", "1", "premi", "1er", "1re"),
    ("zweit", "2", "deuxi", "second", "2e", "2nd"),
    ("dritt", "3", "troisi", "3e"),
    ("viert", "4", "quatri", "4e"),
)
_MONTH: Final = month_pattern({**OTHER_MONTHS, **ENGLISH_MONTHS})
_DAY: Final = rf"(?P<day>[0-3]?[0-9])(?:\.|er)? (?P<month>{_MONTH}) (?P<year>(?:19|20)[0-9]{{2}})\b"
_CLOSED: Final = (
    r"\b(?P<whole>geschäftsjahr|exercice|année)(?:es|s)? (?:zum|bis zum|per|clos(?:e)?(?: le| au)?|au) "
)


def _labelled(part: Part) -> _Builder:
    """A part of the year of a label; a year of two numbers, or one called so, is fiscal."""

    def build(match: re.Match[str]) -> tuple[Period, ...]:
        groups = match.groupdict()
        year, split = int(match["year"]), groups.get("split")
        fiscal = bool(groups.get("fiscal") or groups.get("exercice") or groups.get("whole") or split)
        if not split:
            return (Period(PeriodKind.FISCAL if fiscal else PeriodKind.UNSPECIFIED_YEAR, year, part),)
        later = int(split) if len(split) == 4 else year // 100 * 100 + int(split)
        return (Period(PeriodKind.FISCAL, later, part, straddles=True),) if later == year + 1 else ()

    return build


def _instant(match: re.Match[str]) -> tuple[Period, ...]:
    end = day(int(match["year"]), month_number(match["month"]), int(match["day"]))
    return () if end is None else (Period(PeriodKind.INSTANT, None, Part.DAY, end),)


def _closed(match: re.Match[str]) -> tuple[Period, ...]:
    end = day(int(match["year"]), month_number(match["month"]), int(match["day"]))
    return () if end is None else (Period(PeriodKind.FISCAL, None, Part.YEAR, end),)


def _ordinal(number: int) -> str:
    german, digit, french, *short = _ORDINALS[number - 1]
    shorts = "|".join(short)
    return rf"\b(?:{german}(?:e|es|en|em|er)|{digit}\.|{french}(?:er|ère|ere|ème|eme)?|{shorts})"


def _patterns() -> tuple[tuple[re.Pattern[str], _Builder], ...]:
    found: list[tuple[str, _Builder]] = [
        (rf"{_CLOSED}{_DAY}", _closed),
        (rf"\b{_DAY}", _instant),
        (rf"\b(?P<whole>geschäftsjahr|exercice(?: fiscal)?)(?:es|s)? {_YEAR}", _labelled(Part.YEAR)),
    ]
    for number, part in enumerate((Part.Q1, Part.Q2, Part.Q3, Part.Q4), 1):
        found.append((rf"{_ordinal(number)} (?:quartal(?:s|es)?|trimestre){_OF_YEAR}", _labelled(part)))
        found.append((rf"\bT{number}[ -]?{_YEAR}", _labelled(part)))
    for number, part in enumerate((Part.H1, Part.H2), 1):
        found.append((rf"{_ordinal(number)} (?:halbjahr(?:s|es)?|semestre){_OF_YEAR}", _labelled(part)))
        found.append((rf"\bS{number} {_YEAR}", _labelled(part)))
    nine = r"\b(?:(?:ersten )?neun monate(?:n)?|(?:les )?neuf premiers mois)"
    found.append((rf"{nine}{_OF_YEAR}", _labelled(Part.NINE_MONTHS)))
    return tuple((re.compile(pattern, re.IGNORECASE), build) for pattern, build in found)


FOREIGN_PATTERNS: Final = _patterns()
"""What is looked for, each with what makes periods of a match."""
