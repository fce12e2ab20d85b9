"""Finding periods in text."""

from datetime import date

import pytest
from doublethink_figures import Part, Period, PeriodKind, find_periods, join_period
from doublethink_figures.errors import PeriodError

CALENDAR, FISCAL, INSTANT = PeriodKind.CALENDAR, PeriodKind.FISCAL, PeriodKind.INSTANT
TRAILING, UNSAID = PeriodKind.TRAILING, PeriodKind.UNSPECIFIED_YEAR


def periods(text: str) -> list[Period]:
    """The periods of `text`, in order."""
    return [mention.period for mention in find_periods(text)]


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2024", Period(UNSAID, 2024, Part.YEAR)),
        ("full year 2024", Period(UNSAID, 2024, Part.YEAR)),
        ("calendar year 2024", Period(CALENDAR, 2024, Part.YEAR)),
        ("CY24", Period(CALENDAR, 2024, Part.YEAR)),
        ("FY2024", Period(FISCAL, 2024, Part.YEAR)),
        ("FY24", Period(FISCAL, 2024, Part.YEAR)),
        ("FY 2024", Period(FISCAL, 2024, Part.YEAR)),
        ("FY'24", Period(FISCAL, 2024, Part.YEAR)),
        ("fiscal 2024", Period(FISCAL, 2024, Part.YEAR)),
        ("financial year 2024", Period(FISCAL, 2024, Part.YEAR)),
        ("2024 fiscal year", Period(FISCAL, 2024, Part.YEAR)),
        ("FY2024/25", Period(FISCAL, 2025, Part.YEAR, straddles=True)),
        ("2023-24", Period(FISCAL, 2024, Part.YEAR, straddles=True)),
        ("FY1999/00", Period(FISCAL, 2000, Part.YEAR, straddles=True)),
        ("year ended 31 March 2025", Period(FISCAL, None, Part.YEAR, date(2025, 3, 31))),
        ("fiscal year ended September 28, 2024", Period(FISCAL, None, Part.YEAR, date(2024, 9, 28))),
        ("Q3 FY25", Period(FISCAL, 2025, Part.Q3)),
        ("FY25 Q3", Period(FISCAL, 2025, Part.Q3)),
        ("fiscal third quarter of 2025", Period(FISCAL, 2025, Part.Q3)),
        ("third fiscal quarter of 2025", Period(FISCAL, 2025, Part.Q3)),
        ("third quarter of fiscal 2025", Period(FISCAL, 2025, Part.Q3)),
        ("fiscal 2025 third quarter", Period(FISCAL, 2025, Part.Q3)),
        ("3Q25", Period(UNSAID, 2025, Part.Q3)),
        ("Q3 2025", Period(UNSAID, 2025, Part.Q3)),
        ("Q3'25", Period(UNSAID, 2025, Part.Q3)),
        ("2025 Q3", Period(UNSAID, 2025, Part.Q3)),
        ("third-quarter 2025", Period(UNSAID, 2025, Part.Q3)),
        ("quarter ended July 1, 2023", Period(TRAILING, None, Part.THREE_MONTHS, date(2023, 7, 1))),
        ("Three Months Ended July 30, 2023", Period(TRAILING, None, Part.THREE_MONTHS, date(2023, 7, 30))),
        ("13 weeks ended July 30, 2023", Period(TRAILING, None, Part.THIRTEEN_WEEKS, date(2023, 7, 30))),
        (
            "thirty-nine weeks ended 2 Nov 2024",
            Period(TRAILING, None, Part.THIRTY_NINE_WEEKS, date(2024, 11, 2)),
        ),
        ("nine months ended 30 September 2024", Period(TRAILING, None, Part.NINE_MONTHS, date(2024, 9, 30))),
        ("12 months to 31 March 2025", Period(TRAILING, None, Part.TWELVE_MONTHS, date(2025, 3, 31))),
        ("second quarter ended June 30, 2024", Period(FISCAL, None, Part.Q2, date(2024, 6, 30))),
        ("H1 2024", Period(UNSAID, 2024, Part.H1)),
        ("1H24", Period(UNSAID, 2024, Part.H1)),
        ("second half of fiscal 2024", Period(FISCAL, 2024, Part.H2)),
        ("first nine months of 2024", Period(UNSAID, 2024, Part.NINE_MONTHS)),
        ("9M 2024", Period(UNSAID, 2024, Part.NINE_MONTHS)),
        ("March 2024", Period(CALENDAR, 2024, Part.MONTH, date(2024, 3, 31))),
        ("LTM", Period(TRAILING, None, Part.LTM)),
        ("trailing twelve months ended June 30, 2024", Period(TRAILING, None, Part.LTM, date(2024, 6, 30))),
        ("year-to-date 2024", Period(UNSAID, 2024, Part.YTD)),
        ("YTD", Period(UNSAID, None, Part.YTD)),
        ("as of June 30, 2024", Period(INSTANT, None, Part.DAY, date(2024, 6, 30))),
        ("at 31 December 2023", Period(INSTANT, None, Part.DAY, date(2023, 12, 31))),
        ("Sept. 28, 2024", Period(INSTANT, None, Part.DAY, date(2024, 9, 28))),
        ("31.12.2024", Period(INSTANT, None, Part.DAY, date(2024, 12, 31))),
        ("12/31/2024", Period(INSTANT, None, Part.DAY, date(2024, 12, 31))),
        ("year-end 2023", Period(INSTANT, 2023, Part.YEAR)),
        ("end of fiscal 2023", Period(INSTANT, 2023, Part.YEAR)),
    ],
)
def test_a_label_is_one_period(text: str, period: Period) -> None:
    """Each form of a label gives the one period it says, and its span is the label."""
    (mention,) = find_periods(text)
    assert mention.period == period
    assert mention.span.of(text) == text


def test_a_list_of_dates_shares_its_form() -> None:
    """The members of a list are what its first member is."""
    assert periods("years ended December 31, 2024, 2023 and 2022") == [
        Period(FISCAL, None, Part.YEAR, date(year, 12, 31)) for year in (2024, 2023, 2022)
    ]
    assert periods("quarters ended June 30, 2024 and July 1, 2023") == [
        Period(TRAILING, None, Part.THREE_MONTHS, end) for end in (date(2024, 6, 30), date(2023, 7, 1))
    ]
    assert periods("third quarter of fiscal 2024 and 2023") == [
        Period(FISCAL, year, Part.Q3) for year in (2024, 2023)
    ]
    assert periods("as of December 31, 2024 and 2023") == [
        Period(INSTANT, None, Part.DAY, date(year, 12, 31)) for year in (2024, 2023)
    ]


def test_two_lengths_up_to_one_day_are_two_periods() -> None:
    """ "three and six months ended" names both."""
    found = periods("three- and six-month periods ended July 30, 2023")
    assert [period.part for period in found] == [Part.THREE_MONTHS, Part.SIX_MONTHS]
    found = periods("third quarter and first nine months of 2025")
    assert [(period.year, period.part) for period in found] == [(2025, Part.Q3), (2025, Part.NINE_MONTHS)]


@pytest.mark.parametrize(
    "text",
    [
        "2019-2023",
        "the same periods in 2024",
        "03/04/2024",
        "February 30, 2024",
        "Act of 1934",
        "2,024",
        "$2024",
        "2024 employees",
        "2024.5",
        "12024",
        "fiscal 52",
        "the quarter",
        "H1N1",
    ],
)
def test_what_names_no_period(text: str) -> None:
    """Spans of years, likenesses, dates with two readings and amounts are not read as a period."""
    assert periods(text) == []


def test_a_heading_and_a_cell_are_joined_on_request_only() -> None:
    """A pattern never runs over a tab; the caller puts heading and column together."""
    assert [p.kind for p in periods("Three Months Ended\tJuly 30, 2023")] == [INSTANT]
    assert join_period(["Three Months Ended", "July 30, 2023"]) == Period(
        TRAILING, None, Part.THREE_MONTHS, date(2023, 7, 30)
    )
    assert join_period(["Years Ended December 31,", "2023"]) == Period(
        FISCAL, None, Part.YEAR, date(2023, 12, 31)
    )
    assert join_period(["(in millions)", ""]) is None
    assert join_period(["2024", "2023"]) is None


@pytest.mark.parametrize(
    ("kind", "year", "part"),
    [(INSTANT, 2024, Part.Q1), (UNSAID, None, Part.YEAR), (INSTANT, 2024, Part.DAY), (FISCAL, 24, Part.YEAR)],
)
def test_a_period_that_contradicts_itself_is_refused(kind: PeriodKind, year: int | None, part: Part) -> None:
    """An instant is no quarter, a year needs a number or a date, a day needs its date."""
    with pytest.raises(PeriodError):
        Period(kind, year, part)


def test_only_a_fiscal_year_straddles() -> None:
    """A calendar year is not named after two."""
    with pytest.raises(PeriodError):
        Period(CALENDAR, 2025, Part.YEAR, straddles=True)


@pytest.mark.parametrize(
    "heading", ["Six months ended", "Three Months Ended", "Quarter ended", "26 weeks ended"]
)
def test_a_part_of_a_year_without_its_closing_day_is_not_the_year(heading: str) -> None:
    """ "Six months ended" over "2021" leaves the day open: the figure under it is not the year's."""
    assert join_period([heading, "2021"]) is None
    assert join_period(["Year ended", "2021"]) == Period(UNSAID, 2021, Part.YEAR)
