"""All readings of dates."""

from datetime import date

import pytest
from doublethink_figures import all_dates

BIRTHDAY = date(1968, 2, 14)


@pytest.mark.parametrize(
    "text",
    [
        "1968-02-14",
        "1968/02/14",
        "1968.2.14",
        "14.02.1968",
        "14.2.68",
        "14/02/68",
        "02/14/1968",
        "2-14-68",
        "19680214",
        "14021968",
        "02141968",
        "680214",
        "140268",
        "14 Feb 1968",
        "14-Feb-68",
        "14. Februar 1968",
        "le 14 février 1968",
        "14 de febrero de 1968",
        "February 14th, 1968",
        "Feb. 14 '68",
        "1968 Feb 14",
        "the 14th of February 1968",
        "fourteenth of February nineteen sixty-eight",
        "February the fourteenth, 1968",
        "February fourteenth nineteen sixty eight",
        "1968年2月14日",
        "day 45 of 1968",
        "1968-045",
        "1968-W07-3",
        "24882",
        "-59356800",
        "١٤/٠٢/١٩٦٨",
        "born on 14 . 02 . 1968 in Lund",
        "1 14.02.1968",
    ],
)
def test_one_day_in_many_forms(text: str) -> None:
    """Every way of writing one day is among the readings."""
    assert BIRTHDAY in {reading.date for reading in all_dates(text)}


def test_a_date_with_two_readings_gives_both() -> None:
    """Day and month may be exchanged, and two digits are two centuries."""
    assert {reading.date for reading in all_dates("03/04/2024")} == {date(2024, 3, 4), date(2024, 4, 3)}
    assert date(2024, 4, 3) in {reading.date for reading in all_dates("3.4.24")}


@pytest.mark.parametrize("text", ["", "no date", "31 February 2024", "99/99/2024", "1.2", "2024"])
def test_what_is_no_day_gives_none(text: str) -> None:
    """Days that no calendar has, and numbers of other sizes."""
    assert all_dates(text) == ()
