"""Whether a stated period supports a wanted one."""

import pytest
from doublethink_figures import Match, Period, YearEnd, find_periods, period_matches

EXACT, NO, AMBIGUOUS = Match.EXACT, Match.NO, Match.AMBIGUOUS


def period(label: str) -> Period:
    """The one period of a label."""
    (mention,) = find_periods(label)
    return mention.period


@pytest.mark.parametrize(
    ("stated", "wanted", "match"),
    [
        ("fiscal 2024", "FY2024", EXACT),
        ("FY24", "financial year 2024", EXACT),
        ("Q3 2024", "3Q24", EXACT),
        ("2024", "full year 2024", EXACT),
        ("2023", "2024", NO),
        ("2024", "Q4 2024", NO),
        ("Q4 2024", "2024", NO),
        ("Q3 2024", "Q2 2024", NO),
        ("H1 2024", "H2 2024", NO),
        ("nine months ended September 30, 2024", "2024", NO),
        ("first nine months of 2024", "2024", NO),
        ("three months ended June 30, 2024", "six months ended June 30, 2024", NO),
        ("quarter ended July 30, 2023", "three months ended July 30, 2023", EXACT),
        ("13 weeks ended July 30, 2023", "quarter ended July 30, 2023", EXACT),
        ("second quarter ended July 30, 2023", "three months ended July 30, 2023", EXACT),
        ("quarter ended July 30, 2023", "quarter ended July 31, 2022", NO),
        ("52 weeks ended January 28, 2024", "fiscal year ended January 28, 2024", EXACT),
        ("twelve months ended December 31, 2023", "year ended December 31, 2023", EXACT),
        ("LTM June 30, 2024", "twelve months ended June 30, 2024", EXACT),
        ("fiscal year ended September 28, 2024", "FY2024", EXACT),
        ("fiscal year ended September 28, 2024", "FY2025", NO),
        ("fiscal year ended September 28, 2024", "FY2023", NO),
        ("FY2024", "year ended June 30, 2024", EXACT),
        ("fiscal year ended February 3, 2024", "FY2024", AMBIGUOUS),
        ("fiscal year ended February 3, 2024", "FY2023", AMBIGUOUS),
        ("fiscal year ended February 3, 2024", "FY2022", NO),
        ("fiscal year ended September 28, 2024", "calendar 2024", NO),
        ("year ended December 31, 2024", "calendar 2024", EXACT),
        ("calendar 2024", "year ended December 31, 2024", EXACT),
        ("2023", "year ended December 31, 2023", AMBIGUOUS),
        ("2023", "FY2023", AMBIGUOUS),
        ("FY2023", "2023", AMBIGUOUS),
        ("calendar 2023", "FY2023", AMBIGUOUS),
        ("Q3 2024", "Q3 FY24", AMBIGUOUS),
        ("Q2 2024", "quarter ended June 30, 2024", AMBIGUOUS),
        ("Q2 2024", "quarter ended June 30, 2020", NO),
        ("FY2024/25", "FY2025", AMBIGUOUS),
        ("FY2024/25", "FY2024", AMBIGUOUS),
        ("FY2024/25", "FY2023", NO),
        ("FY2024/25", "FY2024/25", EXACT),
        ("as of June 30, 2024", "at 30 June 2024", EXACT),
        ("as of June 30, 2024", "as of June 30, 2023", NO),
        ("as of June 30, 2024", "quarter ended June 30, 2024", NO),
        ("quarter ended June 30, 2024", "as of June 30, 2024", NO),
        ("year-end 2023", "as of December 31, 2023", AMBIGUOUS),
        ("year-end 2023", "as of December 31, 2020", NO),
        ("LTM", "LTM", AMBIGUOUS),
        ("YTD", "year-to-date 2024", AMBIGUOUS),
        ("first six months of 2024", "H1 2024", AMBIGUOUS),
        ("March 2024", "March 2024", EXACT),
        ("March 2024", "April 2024", NO),
    ],
)
def test_a_decision_by_label(stated: str, wanted: str, match: Match) -> None:
    """The decisions that the module documents, one by one."""
    assert period_matches(period(stated), period(wanted)) is match


@pytest.mark.parametrize(
    ("stated", "wanted", "match"),
    [
        ("2023", "year ended December 31, 2023", EXACT),
        ("2023", "FY2023", EXACT),
        ("Q4 2023", "three months ended December 31, 2023", EXACT),
        ("Q4 2023", "Q4 FY23", EXACT),
        ("Q3 2023", "three months ended December 31, 2023", NO),
        ("year-end 2023", "as of December 31, 2023", EXACT),
    ],
)
def test_a_stated_year_end_in_december_joins_fiscal_and_calendar(
    stated: str, wanted: str, match: Match
) -> None:
    """Where the page says that the year closes on December 31, the three kinds of year are one."""
    assert period_matches(period(stated), period(wanted), year_end=YearEnd(12, 31)) is match


def test_another_year_end_joins_nothing() -> None:
    """Knowing that the year closes in September does not say which year a bare 2023 is."""
    assert period_matches(period("2023"), period("FY2023"), year_end=YearEnd(9, 30)) is AMBIGUOUS
