"""Month names, and the parts of dates written with them."""

import calendar
from collections.abc import Mapping
from datetime import date
from typing import Final

_ENGLISH: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]

ENGLISH_MONTHS: Final[Mapping[str, int]] = {
    **{name: number for number, name in enumerate(_ENGLISH, 1)},
    **{name[:3]: number for number, name in enumerate(_ENGLISH, 1)},
    "sept": 9,
}
"""English month names and abbreviations, in lower case."""

OTHER_MONTHS: Final[Mapping[str, int]] = {
    "januar": 1, "jänner": 1, "janvier": 1, "enero": 1, "gennaio": 1, "januari": 1,
    "februar": 2, "feber": 2, "février": 2, "fevrier": 2, "febrero": 2, "febbraio": 2, "februari": 2,
    "märz": 3, "maerz": 3, "mars": 3, "marzo": 3, "maart": 3,
    "avril": 4, "abril": 4, "aprile": 4,
    "mai": 5, "mayo": 5, "maggio": 5, "mei": 5, "maj": 5,
    "juni": 6, "juin": 6, "junio": 6, "giugno": 6,
    "juli": 7, "juillet": 7, "julio": 7, "luglio": 7,
    "août": 8, "aout": 8, "agosto": 8, "augustus": 8, "augusti": 8,
    "septembre": 9, "septiembre": 9, "settembre": 9,
    "oktober": 10, "octobre": 10, "octubre": 10, "ottobre": 10,
    "novembre": 11, "noviembre": 11,
    "dezember": 12, "décembre": 12, "decembre": 12, "diciembre": 12, "dicembre": 12, "desember": 12,
}  # fmt: skip
"""German, French, Spanish, Italian, Dutch and Scandinavian names that differ from the English ones."""


def month_pattern(names: Mapping[str, int]) -> str:
    """A regular expression for the names, longest first, an abbreviation's point included."""
    return "(?:" + "|".join(sorted(names, key=len, reverse=True)) + r")\b\.?"


def month_number(name: str) -> int:
    """The number of a month called `name` in any of the languages; raises `KeyError` for another word."""
    key = name.rstrip(".").lower()
    return ENGLISH_MONTHS[key] if key in ENGLISH_MONTHS else OTHER_MONTHS[key]


def day(year: int, month: int, day_of_month: int) -> date | None:
    """That date, or None where the calendar has none."""
    if not (1 <= year <= 9999 and 1 <= month <= 12):
        return None
    if not 1 <= day_of_month <= calendar.monthrange(year, month)[1]:
        return None
    return date(year, month, day_of_month)


def last_day(year: int, month: int) -> date:
    """The last day of a month."""
    return date(year, month, calendar.monthrange(year, month)[1])
