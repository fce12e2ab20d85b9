"""Finding the periods that a text names (rule set for English).

Longer than most modules, because the patterns are one table whose rows are tried together.

A pattern stays within one cell and one line: a table's heading and its column's date are put together by
`join_period`, never by running on over a tab.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .folding import fold, words_only
from .foreign_periods import FOREIGN_PATTERNS
from .months import OTHER_MONTHS, day, last_day
from .period import Part, Period, PeriodKind, PeriodMention
from .period_dates import YEAR, date_pattern, read_date
from .span import Span

_NOT_NUMBER: Final = r"(?![0-9]|[.,'/][0-9]| ?%)"
_WORD_START: Final = r"(?<![A-Za-z0-9_$€£¥.,/#'-])"

_LENGTHS: Final = {
    ("3", "month"): Part.THREE_MONTHS,
    ("6", "month"): Part.SIX_MONTHS,
    ("9", "month"): Part.NINE_MONTHS,
    ("12", "month"): Part.TWELVE_MONTHS,
    ("1", "month"): Part.ONE_MONTH,
    ("13", "week"): Part.THIRTEEN_WEEKS,
    ("14", "week"): Part.FOURTEEN_WEEKS,
    ("26", "week"): Part.TWENTY_SIX_WEEKS,
    ("27", "week"): Part.TWENTY_SEVEN_WEEKS,
    ("39", "week"): Part.THIRTY_NINE_WEEKS,
    ("40", "week"): Part.FORTY_WEEKS,
    ("52", "week"): Part.FIFTY_TWO_WEEKS,
    ("53", "week"): Part.FIFTY_THREE_WEEKS,
}
_NUMBER_WORDS: Final = {
    "one": "1",
    "three": "3",
    "six": "6",
    "nine": "9",
    "twelve": "12",
    "thirteen": "13",
    "fourteen": "14",
    "twenty-six": "26",
    "twenty six": "26",
    "twenty-seven": "27",
    "thirty-nine": "39",
    "thirty nine": "39",
    "forty": "40",
    "fifty-two": "52",
    "fifty two": "52",
    "fifty-three": "53",
    "fifty three": "53",
}
_COUNT: Final = "(?:" + "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True)) + r"|[0-9]{1,2})"
_ORDINALS: Final = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "final": 4,
}
_ORDINAL: Final = "(?:" + "|".join(_ORDINALS) + ")"
_QUARTERS: Final = (Part.Q1, Part.Q2, Part.Q3, Part.Q4)
_HALVES: Final = (Part.H1, Part.H2)
_FISCAL: Final = r"(?:fiscal|financial)"

_LENGTH: Final = (
    rf"(?:(?P<fiscal_said>{_FISCAL}) )?(?:(?P<ordinal>{_ORDINAL})[ -](?:{_FISCAL} )?)?"
    rf"(?:(?P<unit>quarter|quarterly period|half[ -]year|half|(?:full )?(?:{_FISCAL} )?year|annual period)s?"
    rf"|(?P<count1>{_COUNT})[ -](?P<length1>month|week)(?: and (?P<count2>{_COUNT})[ -](?:month|week))?s?"
    rf"|(?P<count3>{_COUNT})(?:-|[ -](?:month|week)s?)? and (?P<count4>{_COUNT})[ -](?P<length3>month"
    rf"|week)s?)(?: (?:fiscal )?periods?| fiscal year| year)?"
)
_ENDED: Final = re.compile(
    rf"{_WORD_START}{_LENGTH},? (?:ended|ending|that ended|to)(?: on)? {date_pattern('')}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    periods: tuple[Period, ...]


_Builder = Callable[[re.Match[str]], tuple[Period, ...]]


def _year_number(digits: str) -> int:
    if len(digits) == 4:
        return int(digits)
    return (1900 if int(digits) >= 70 else 2000) + int(digits)


def _kind(match: re.Match[str]) -> PeriodKind:
    said = (match.groupdict().get("kind") or match.groupdict().get("kind2") or "").lower()
    if said.startswith(("fiscal", "financial", "fy")):
        return PeriodKind.FISCAL
    if said.startswith(("calendar", "cy")):
        return PeriodKind.CALENDAR
    return PeriodKind.UNSPECIFIED_YEAR


def _labelled(kind: PeriodKind, year: str, split: str | None, part: Part) -> tuple[Period, ...]:
    """A period named after a year, or after two ("2024/25") if the second is the next one."""
    first = _year_number(year)
    if split is None:
        return (Period(kind, first, part),)
    second = _year_number(split) if len(split) == 4 else first - first % 100 + int(split)
    if second < first:
        second += 100
    if second != first + 1:
        return ()
    return (Period(PeriodKind.FISCAL, second, part, straddles=True),)


def _ended(match: re.Match[str]) -> tuple[Period, ...]:
    read = read_date(match, "")
    if read is None:
        return ()
    return tuple(Period(kind, None, part, read[0]) for kind, part in _length_parts(match))


def _length_parts(match: re.Match[str]) -> tuple[tuple[PeriodKind, Part], ...]:
    counts = [
        (_NUMBER_WORDS.get(count.lower(), count), length.lower())
        for count, length in (
            (match["count1"], match["length1"]),
            (match["count2"], match["length1"]),
            (match["count3"], match["length3"]),
            (match["count4"], match["length3"]),
        )
        if count
    ]
    if counts:
        parts = [_LENGTHS.get(key) for key in counts]
        return () if None in parts else tuple((PeriodKind.TRAILING, part) for part in parts if part)
    unit = match["unit"].lower()
    fiscal = bool(match["fiscal_said"]) or bool(re.search(_FISCAL, match.group(), re.IGNORECASE))
    ordinal = _ORDINALS.get((match["ordinal"] or "").lower())
    if ("year" in unit and "half" not in unit) or unit.startswith("annual"):
        return () if ordinal else ((PeriodKind.FISCAL, Part.YEAR),)
    if unit.startswith("half"):
        if ordinal and ordinal <= 2:
            return ((PeriodKind.FISCAL, _HALVES[ordinal - 1]),)
        return () if ordinal else ((PeriodKind.TRAILING, Part.SIX_MONTHS),)
    if ordinal:
        return ((PeriodKind.FISCAL, _QUARTERS[ordinal - 1]),)
    return ((PeriodKind.FISCAL if fiscal else PeriodKind.TRAILING, Part.THREE_MONTHS),)


_KIND_WORD: Final = r"(?:fiscal year|financial year|calendar year|fiscal|financial|calendar|FY|CY)"
_SAME: Final = re.compile(
    rf"{_WORD_START}(?:same|comparable|corresponding|similar|equivalent) (?:\w+[- ])?(?:periods?|quarters?"
    rf"|months?|half|time|date)"
    rf"(?: periods?)?(?: of| in| for| a year (?:earlier|ago) in)?(?: the)?(?: {_FISCAL}"
    rf"| calendar)?(?: years?)? {YEAR}(?![0-9])",
    re.IGNORECASE,
)
"""A period named only by likeness to another ("the same periods in 2024"): it is not that year."""
_YEAR_OR_TWO: Final = rf"(?:{YEAR}|(?:(?<=[Yy'])|(?<=[Yy] ))[0-9]{{2}}(?![0-9]))"
"""Two digits are a year only after FY, CY or an apostrophe: "fiscal 52 weeks" names none."""
_IN_YEAR: Final = r"(?:,? (?:of|in|for)(?: the)?|,)?"
_LABEL_YEAR: Final = (
    rf"(?:(?P<kind>{_KIND_WORD}) ?'?(?P<year>{_YEAR_OR_TWO})(?:[/-](?P<split>[0-9]{{4}}"
    rf"|[0-9]{{2}}))?"
    rf"|(?P<plain>{YEAR}))(?: {_FISCAL} year)?{_NOT_NUMBER}(?![A-Za-z])"
)


def _year_of(match: re.Match[str]) -> tuple[PeriodKind, str, str | None]:
    groups = match.groupdict()
    if groups.get("plain"):
        tail = match.group().lower()
        fiscal = bool(re.search(_FISCAL, tail))
        return (PeriodKind.FISCAL if fiscal else PeriodKind.UNSPECIFIED_YEAR), groups["plain"], None
    return _kind(match), match["year"], groups.get("split")


def _part_of_year(parts: Sequence[Part], group: str) -> _Builder:
    def build(match: re.Match[str]) -> tuple[Period, ...]:
        said = match[group].lower()
        number = _ORDINALS[said] if said in _ORDINALS else int(re.sub("[^1-4]", "", said))
        if number > len(parts):
            return ()
        kind, year, split = _year_of(match)
        if match.groupdict().get("fiscal_said"):
            kind = PeriodKind.FISCAL
        return _labelled(kind, year, split, parts[number - 1])

    return build


def _glued(parts: Sequence[Part]) -> _Builder:
    def build(match: re.Match[str]) -> tuple[Period, ...]:
        number = int(match["number"])
        if number > len(parts):
            return ()
        return _labelled(_kind(match), match["year"], match.groupdict().get("split"), parts[number - 1])

    return build


def _first_months(match: re.Match[str]) -> tuple[Period, ...]:
    count = (match.groupdict().get("count") or "").lower()
    part = _LENGTHS.get((_NUMBER_WORDS.get(count, count), "month"))
    if part is None:
        return ()
    kind, year, split = _year_of(match)
    return _labelled(kind, year, split, part)


def _whole_year(match: re.Match[str]) -> tuple[Period, ...]:
    return _labelled(_kind(match), match["year"], match.groupdict().get("split"), Part.YEAR)


def _fiscal_after(match: re.Match[str]) -> tuple[Period, ...]:
    return _labelled(PeriodKind.FISCAL, match["year"], match.groupdict().get("split"), Part.YEAR)


def _split_year(match: re.Match[str]) -> tuple[Period, ...]:
    return _labelled(PeriodKind.FISCAL, match["year"], match["split"], Part.YEAR)


def _trailing(match: re.Match[str]) -> tuple[Period, ...]:
    read = read_date(match, "") if re.search("[0-9]{4}", match.group()) else None
    return (Period(PeriodKind.TRAILING, None, Part.LTM, read[0] if read else None),)


def _year_to_date(match: re.Match[str]) -> tuple[Period, ...]:
    year = match.groupdict().get("year") or match.groupdict().get("before")
    kind = _kind(match)
    return (Period(kind, _year_number(year) if year else None, Part.YTD),)


def _instant(match: re.Match[str]) -> tuple[Period, ...]:
    read = read_date(match, "")
    if read is None:
        return ()
    found, day_stated = read
    if day_stated:
        return (Period(PeriodKind.INSTANT, None, Part.DAY, found),)
    if match.groupdict().get("moment"):
        return (Period(PeriodKind.INSTANT, None, Part.MONTH, found),)
    return (Period(PeriodKind.CALENDAR, found.year, Part.MONTH, found),)


def _year_end(match: re.Match[str]) -> tuple[Period, ...]:
    return (Period(PeriodKind.INSTANT, _year_number(_year_of(match)[1]), Part.YEAR),)


def _bare_year(match: re.Match[str]) -> tuple[Period, ...]:
    return (Period(PeriodKind.UNSPECIFIED_YEAR, int(match["year"]), Part.YEAR),)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(_WORD_START + pattern, re.IGNORECASE)


def _two_parts(match: re.Match[str]) -> tuple[Period, ...]:
    """ "third quarter and first nine months of 2025"."""
    kind, year, split = _year_of(match)
    count = match["count"].lower()
    months = _LENGTHS.get((_NUMBER_WORDS.get(count, count), "month"))
    if months is None:
        return ()
    quarter = _QUARTERS[_ORDINALS[match["q"].lower()] - 1]
    return (*_labelled(kind, year, split, quarter), *_labelled(kind, year, split, months))


def _no_period(match: re.Match[str]) -> tuple[Period, ...]:
    """For labels that name no period of their own, so that nothing inside them is read as one."""
    return ()


_SPLIT: Final = r"(?:[/-](?P<split>[0-9]{4}|[0-9]{2}))?"

_PATTERNS: Final[tuple[tuple[re.Pattern[str], _Builder], ...]] = (
    (_ENDED, _ended),
    (_SAME, _no_period),
    (_compile(rf"Act of {YEAR}\b"), _no_period),
    (
        _compile(
            rf"(?P<q>{_ORDINAL}) (?:fiscal )?quarter and (?:the )?first "
            rf"(?P<count>{_COUNT}) months{_IN_YEAR} {_LABEL_YEAR}"
        ),
        _two_parts,
    ),
    (
        _compile(rf"(?:(?P<fiscal_said>{_FISCAL}) )?(?P<q>Q[1-4]|[1-4]Q)(?:[ /-]|{_IN_YEAR} )?{_LABEL_YEAR}"),
        _part_of_year(_QUARTERS, "q"),
    ),
    (
        _compile(rf"(?P<number>[1-4])Q'?(?P<year>[0-9]{{2}}){_NOT_NUMBER}(?![A-Za-z])"),
        _glued(_QUARTERS),
    ),
    (
        _compile(rf"Q(?P<number>[1-4])(?: ?'|-)(?P<year>[0-9]{{2}}){_NOT_NUMBER}(?![A-Za-z])"),
        _glued(_QUARTERS),
    ),
    (
        _compile(rf"(?P<kind>{_KIND_WORD}) ?'?(?P<year>{_YEAR_OR_TWO}){_SPLIT},? ?Q(?P<number>[1-4])\b"),
        _glued(_QUARTERS),
    ),
    (_compile(rf"(?P<year>{YEAR})[ -]?Q(?P<number>[1-4])\b"), _glued(_QUARTERS)),
    (
        _compile(
            rf"(?:(?P<fiscal_said>{_FISCAL}) )?(?P<q>{_ORDINAL})[ -](?:fiscal )?quarters?"
            rf"(?: results)?{_IN_YEAR} {_LABEL_YEAR}"
        ),
        _part_of_year(_QUARTERS, "q"),
    ),
    (
        _compile(
            rf"(?P<kind>{_KIND_WORD}) ?'?(?P<year>{_YEAR_OR_TWO}){_SPLIT}(?:'s)? "
            rf"(?P<q>{_ORDINAL})[ -]quarter\b"
        ),
        _part_of_year(_QUARTERS, "q"),
    ),
    (
        _compile(rf"(?P<plain>{YEAR})(?:'s)? (?P<q>{_ORDINAL})[ -]quarter\b"),
        _part_of_year(_QUARTERS, "q"),
    ),
    (
        _compile(rf"(?:(?P<fiscal_said>{_FISCAL}) )?(?P<q>H[12]|[12]H)(?:[ /-]|{_IN_YEAR} )?{_LABEL_YEAR}"),
        _part_of_year(_HALVES, "q"),
    ),
    (_compile(rf"(?P<number>[12])H'?(?P<year>[0-9]{{2}}){_NOT_NUMBER}(?![A-Za-z])"), _glued(_HALVES)),
    (_compile(rf"H(?P<number>[12])(?: ?'|-)(?P<year>[0-9]{{2}}){_NOT_NUMBER}(?![A-Za-z])"), _glued(_HALVES)),
    (
        _compile(rf"(?P<kind>{_KIND_WORD}) ?'?(?P<year>{_YEAR_OR_TWO}){_SPLIT} ?H(?P<number>[12])\b"),
        _glued(_HALVES),
    ),
    (_compile(rf"(?P<year>{YEAR})[ -]?H(?P<number>[12])\b"), _glued(_HALVES)),
    (
        _compile(rf"(?P<q>{_ORDINAL})[ -]half{_IN_YEAR} {_LABEL_YEAR}"),
        _part_of_year(_HALVES, "q"),
    ),
    (
        _compile(rf"(?:first )?(?P<count>{_COUNT}) months{_IN_YEAR} {_LABEL_YEAR}"),
        _first_months,
    ),
    (
        _compile(
            rf"(?P<count>[369])M ?(?P<kind>FY)? ?"
            rf"(?P<year>{YEAR}|(?<=[YM'])[0-9]{{2}}){_NOT_NUMBER}(?![A-Za-z])"
        ),
        _first_months,
    ),
    (
        _compile(
            rf"(?:LTM|TTM|(?:last|trailing|latest)[ -](?:twelve|12)[ -]months?)"
            rf"(?:,? (?:(?:period )?(?:ended|ending|to|through|as of|at) )?{date_pattern('')})?\b"
        ),
        _trailing,
    ),
    (
        _compile(
            rf"(?:(?P<before>{YEAR}) )?(?:year[ -]to[ -]date|YTD)"
            rf"(?:{_IN_YEAR} (?P<kind>{_KIND_WORD})? ?'?(?P<year>{YEAR}){_NOT_NUMBER})?(?![A-Za-z])"
        ),
        _year_to_date,
    ),
    (
        _compile(
            rf"(?:year[ -]end|(?:the )?end of(?: the)?|end[ -](?:of )?(?:the )?year){_IN_YEAR} {_LABEL_YEAR}"
        ),
        _year_end,
    ),
    (_compile(rf"(?:at )?end[ -](?=2|1){_LABEL_YEAR}"), _year_end),
    (
        _compile(rf"(?P<kind>{_KIND_WORD})s? ?'?(?P<year>{_YEAR_OR_TWO}){_SPLIT}{_NOT_NUMBER}(?![A-Za-z])"),
        _whole_year,
    ),
    (_compile(rf"(?P<year>{YEAR}){_SPLIT} {_FISCAL} year\b"), _fiscal_after),
    (_compile(rf"(?P<kind>calendar years?) (?P<year>{YEAR}){_NOT_NUMBER}"), _whole_year),
    (_compile(rf"(?P<year>{YEAR})[/-](?P<split>{YEAR}|[0-9]{{2}}){_NOT_NUMBER}(?![A-Za-z-])"), _split_year),
    (
        _compile(
            rf"(?:(?P<moment>as of|as at|at|at the end of|on) )?(?:the )?{date_pattern('')}{_NOT_NUMBER}"
        ),
        _instant,
    ),
    (_compile(rf"(?P<kind>{_FISCAL} years?) (?P<year>{YEAR})"), _whole_year),
    (
        re.compile(
            r"(?<![A-Za-z0-9_$€£¥#'-])(?<![0-9][.,/])"
            rf"(?:(?:the )?(?:full[ -]year|year) )?(?P<year>{YEAR})(?:'s)?{_NOT_NUMBER}"
            r"(?![A-Za-z€£¥$万萬億亿兆])",
            re.IGNORECASE,
        ),
        _bare_year,
    ),
)

_COUNTED_AFTER_YEAR: Final = re.compile(
    r" (?:million|billion|thousand|trillion|bn|mn|shares|employees|people|stores|customers|units|users"
    r"|members|persons"
    r"|dollars|euros|percent|per cent|basis|bps|kg|tonnes|km|votes|vehicles)\b",
    re.IGNORECASE,
)
MAX_TEXT: Final = 1_000_000
"""Longer texts are refused: a quote or page is far shorter."""


def find_periods(text: str) -> tuple[PeriodMention, ...]:
    """The periods named in `text`, in order of position, none overlapping another.

    "December 31, 2024 and 2023" gives two, the second with the year's own span; "three and nine months ended"
    gives two with the same span. Raises `ValueError` for a text of more than `MAX_TEXT` characters.
    """
    return tuple(
        PeriodMention(Span(found.start, found.end), period)
        for found in _mentions(text)
        for period in found.periods
    )


def period_spans(text: str) -> tuple[Span, ...]:
    """All stretches that are part of a period's label, those that give no period included ("2019-2023")."""
    return tuple(Span(found.start, found.end) for found in _mentions(text))


def join_period(parts: Sequence[str]) -> Period | None:
    """The one period that a heading and the cells under it name together.

    "Three Months Ended" over "July 30, 2023", or "Fiscal Years Ended December 31," over "2023". None where
    they name no period or more than one.
    """
    joined = " ".join(part.strip() for part in parts if part.strip())
    periods = {mention.period for mention in find_periods(joined)}
    return periods.pop() if len(periods) == 1 else None


_LOOK_BACK: Final = 40
_PART_ENDED: Final = re.compile(
    r"\b(?:months?|weeks?|quarters?|half|halves|periods?)[ -](?:ended|ending)(?: (?:in|on|at|of))?[ ,:]*$",
    re.IGNORECASE,
)
"""A part of a year whose closing day is not said: the year behind it is not the period ("Six months ended 2021")."""


_MOST_KEPT: Final = 2_000
"""Texts up to this length are read once while they are asked for again: a sentence is, for each of its figures."""


def _mentions(text: str) -> Sequence[_Found]:
    if len(text) > MAX_TEXT:
        raise ValueError(f"a text of at most {MAX_TEXT} characters can be read")
    return _kept(text) if len(text) <= _MOST_KEPT else _read(text)


@lru_cache(maxsize=512)
def _kept(text: str) -> tuple[_Found, ...]:
    return tuple(_read(text))


_FOREIGN: Final = re.compile(
    rf"quartal|halbjahr|geschäftsjahr|neun monate|trimestre|semestre|exercice|premiers mois|\b[TS][1-4] ?[12]"
    rf"|(?:\.|[0-9]|er) (?:{'|'.join(OTHER_MONTHS)})\b|[0-9]\. (?:april|august|september|november)",
    re.IGNORECASE,
)
"""A word without which no period of German or French is named."""


def _read(text: str) -> list[_Found]:
    folded = words_only(fold(text))
    candidates: list[_Found] = []
    for pattern, build in (*_PATTERNS, *(FOREIGN_PATTERNS if _FOREIGN.search(folded) else ())):
        for match in pattern.finditer(folded):
            if build is _bare_year and (
                _COUNTED_AFTER_YEAR.match(folded, match.end())
                or _PART_ENDED.search(folded, max(0, match.start() - _LOOK_BACK), match.start())
            ):
                continue
            candidates.append(_Found(match.start(), match.end(), build(match)))
    candidates.sort(key=lambda found: (found.start, -found.end))
    chosen: list[_Found] = []
    for found in candidates:
        if chosen and found.start < chosen[-1].end:
            continue
        chosen.append(found)
    return list(_with_lists(folded, chosen))


def _with_lists(folded: str, chosen: Sequence[_Found]) -> Iterator[_Found]:
    """Gives the members of a list ("... December 31, 2024 and 2023") the form of its first member."""
    head: _Found | None = None
    for found in chosen:
        joined = (
            head is not None
            and len(found.periods) == 1
            and re.fullmatch(r",?(?: and| or| versus| vs\.?)? ?", folded[head.end : found.start]) is not None
            and folded[head.end : found.start] != ""
        )
        if joined and head is not None:
            found = _Found(found.start, found.end, _like(head.periods, found.periods[0]))
        yield found
        head = found if found.periods else None


def _like(heads: Sequence[Period], member: Period) -> tuple[Period, ...]:
    return tuple(_like_one(head, member) for head in heads)


def _like_one(head: Period, member: Period) -> Period:
    plain_year = member.kind is PeriodKind.UNSPECIFIED_YEAR and member.part is Part.YEAR
    plain_day = member.kind is PeriodKind.INSTANT and member.part is Part.DAY
    if head.kind is PeriodKind.UNSPECIFIED_YEAR and head.part is Part.YEAR:
        return member
    if plain_day and head.end is not None and head.year is None:
        return Period(head.kind, None, head.part, member.end)
    if not plain_year or member.year is None:
        return member
    if head.end is None:
        return Period(head.kind, member.year, head.part) if not head.straddles else member
    moved = day(member.year, head.end.month, head.end.day) or last_day(member.year, head.end.month)
    year = member.year if head.year is not None else None
    return Period(head.kind, year, head.part, moved)
