"""Figures in forms of their own: covers, names of notes, ownership reports, votes, figures before their names."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

_HEAD = "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\n" + (
    "All of the amounts in this report are for the company, in dollars.\n\n"
)


def _count(query: str, *lines: str) -> Decimal | None:
    return found(f"Halvorsen Pumps {query}", _HEAD + "\n\n".join(lines) + "\n", UnitClass.COUNT)


@pytest.mark.parametrize(
    "line",
    [
        "As of July 21, 2023, 304,709,812 shares of common stock, par value $0.01 per share, of the registrant "
        "were outstanding.",
        "304,709,812 shares of common stock were issued and outstanding as of July 21, 2023.",
        "304,709,812 shares of common stock, $0.05 par value, outstanding as of July 21, 2023",
        "Number of shares of $.001 par value Class A Common Stock outstanding as of July 21, 2023: 304,709,812",
        "Class\tOutstanding at July 21, 2023\nCommon Stock, $0.01 par value per share\t304,709,812",
    ],
)
def test_shares_outstanding_on_a_cover(line: str) -> None:
    """The count at its day, for the day that is asked for alone."""
    assert _count("shares outstanding as of July 21, 2023", line) == Decimal("304709812")
    assert _count("common stock shares outstanding July 21, 2023", line) == Decimal("304709812")
    assert _count("shares outstanding as of June 30, 2023", line) is None
    assert _count("weighted average shares outstanding July 21, 2023", line) is None
    assert _count("shares authorized July 21, 2023", line) is None


@pytest.mark.parametrize(
    "line",
    [
        "As of July 21, 2023, 304,709,812 shares of preferred stock were outstanding.",
        "As of July 21, 2023, options to purchase 304,709,812 shares of common stock were outstanding.",
        "As of July 21, 2023, 304,709,812 shares of common stock of Brenner Flow were outstanding.",
        "As of July 21, 2023, 304,709,812 unvested shares of common stock were outstanding.",
        "As of July 21, 2023, 9,000,000 shares were authorized and 304,709,812 shares were outstanding.",
    ],
)
def test_other_counts_of_shares_are_not_the_shares_outstanding(line: str) -> None:
    """One word beyond the form makes it another count."""
    assert _count("shares outstanding as of July 21, 2023", line) is None


def test_a_class_of_shares_must_be_named_where_there_are_two() -> None:
    """Of two classes neither is "the shares outstanding"."""
    lines = (
        "As of July 21, 2023, 304,709,812 shares of Class A common stock were outstanding.",
        "As of July 21, 2023, 20,000,000 shares of Class B common stock were outstanding.",
    )
    assert _count("shares outstanding July 21, 2023", *lines) is None
    assert _count("Class B common stock outstanding July 21, 2023", *lines) == Decimal("20000000")


_NOTES = (
    _HEAD
    + "Title of each class\tTrading Symbol\n1.500% Notes due 2026\tHP26\n1.750% Notes due 2030\tHP30\n"
    + "2.250% Senior Notes due 2031\tHP31\n3.100% Notes due 2031\tHP31A\nFloating Rate Notes due 2027\tHP27\n"
)


def test_the_rate_of_a_note_stands_in_its_name() -> None:
    """By kind and year of maturity; two of one year that differ leave it open."""
    query = "Halvorsen Pumps {} interest rate"
    assert found(query.format("notes due 2030"), _NOTES, UnitClass.PERCENT) == Decimal("1.750")
    assert found("Halvorsen Pumps coupon notes due 2026", _NOTES, UnitClass.PERCENT) == Decimal("1.500")
    assert found(query.format("senior notes due 2031"), _NOTES, UnitClass.PERCENT) == Decimal("2.250")
    for missing in ("notes due 2031", "notes due 2033", "notes due 2027", "bonds due 2030", "notes"):
        assert found(query.format(missing), _NOTES, UnitClass.PERCENT) is None, missing
    assert found("Halvorsen Pumps notes due 2030", _NOTES, UnitClass.PERCENT) is None


def _report(*persons: tuple[str, str, str]) -> str:
    pages = "\n\n".join(
        f"1\tNAMES OF REPORTING PERSONS {name}\n9\tAGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON "
        f"{shares}\n11\tPERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9) {percent}"
        for name, shares, percent in persons
    )
    return (
        "SCHEDULE 13G\n\nHALVORSEN PUMPS, INC.\n\n(Name of Issuer)\n\nDecember 29, 2023\n\n"
        f"(Date of Event Which Requires Filing of this Statement)\n\n{pages}\n"
    )


def test_ownership_reports_give_each_person_its_own() -> None:
    """Of several persons the query has to name one; of one it need not."""
    two = _report(("Brenner Capital, LLC", "12,345,678", "6.1%"), ("Olga Marsh", "8,000,001", "4.0%"))
    query = "Halvorsen Pumps {} ownership December 29, 2023"
    assert found(query.format("Brenner Capital"), two, UnitClass.PERCENT) == Decimal("6.1")
    assert found(query.format("Olga Marsh"), two, UnitClass.PERCENT) == Decimal("4.0")
    assert found(query.format("Olga Marsh shares owned"), two, UnitClass.COUNT) == Decimal("8000001")
    assert found(query.format(""), two, UnitClass.PERCENT) is None
    assert found(query.format("Vantage Fund"), two, UnitClass.PERCENT) is None
    one = _report(("Brenner Capital, LLC", "12,345,678", "6.1%"))
    assert found(query.format(""), one, UnitClass.PERCENT) == Decimal("6.1")
    assert found("Halvorsen Pumps ownership December 31, 2022", one, UnitClass.PERCENT) is None


_VOTES = (
    _HEAD
    + "Halvorsen Pumps, Inc. held its annual meeting on May 7, 2024.\n\n"
    + "1. The following nominees were elected:\n\n"
    + "Nominee\tFor\tWithheld\nOlga R. Marsh\t281,090,975\t8,149,740\nIvo Brandt\t270,000,001\t19,240,714\n\n"
    + "2. The stockholders ratified the appointment of Stone LLP as auditor.\n\n"
    + "For\tAgainst\tAbstain\n292,485,982\t659,149\t32,364\n"
)


def test_votes_are_of_one_person_or_matter_and_one_kind() -> None:
    """For and against are told apart, an initial may be left out, a matter is what the line above says."""
    query = "Halvorsen Pumps votes {}"
    for asked, value in (
        ("for Olga Marsh", "281090975"),
        ("withheld Olga R. Marsh", "8149740"),
        ("for ratification of Stone LLP", "292485982"),
        ("against ratification of Stone LLP", "659149"),
    ):
        assert found(query.format(asked), _VOTES, UnitClass.COUNT) == Decimal(value), asked
    for asked in ("for Olga Brandt", "against Olga Marsh", "for ratification of Slate LLP", "Ivo Brandt"):
        assert found(query.format(asked), _VOTES, UnitClass.COUNT) is None, asked


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("We generated $12.2 million of cash flow from operations during fiscal 2024.", "12200000"),
        ("In fiscal 2024, we generated $12.2 million in cash flow from operations.", "12200000"),
        ("In fiscal 2024, we would have generated $12.2 million of cash flow from operations.", None),
        ("In fiscal 2024, Brenner Flow generated $12.2 million of cash flow from operations.", None),
        ("In fiscal 2024, we generated $12.2 million of cash flow from operations in Europe.", None),
        ("In fiscal 2024, we lost $12.2 million of cash flow from operations.", None),
        ("In fiscal 2024, we expect to have generated $12.2 million of cash flow from operations.", None),
        ("In fiscal 2024, Europe generated $12.2 million of cash flow from operations.", None),
    ],
)
def test_a_figure_may_stand_before_its_name(sentence: str, value: str | None) -> None:
    """The company as the subject, a verb that states, the very words, and nothing that narrows."""
    got = found(
        "Halvorsen Pumps cash flow from operations fiscal 2024", _HEAD + sentence + "\n", UnitClass.CURRENCY
    )
    assert got == (None if value is None else Decimal(value))


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("As of June 30, 2024, we had approximately 34,900 employees worldwide.", "34900"),
        ("As of June 30, 2024, we employed 34,900 people.", "34900"),
        ("As of June 30, 2024, we had 34,900 full-time employees.", None),
        ("As of June 30, 2024, we had 34,900 employees in Europe.", None),
        ("As of June 30, 2024, our franchisees employed 34,900 people.", None),
        ("As of June 30, 2024, we laid off 34,900 employees.", None),
    ],
)
def test_a_count_of_people(sentence: str, value: str | None) -> None:
    """All of them, and all of the company's."""
    assert _count("number of employees as of June 30, 2024", sentence) == (
        None if value is None else Decimal(value)
    )


def test_what_the_company_did_must_be_asked_for() -> None:
    """Shares repurchased are not shares issued, nor stores opened stores."""
    line = "During fiscal 2024, the Company repurchased 208 million shares of its common stock for $48.3 billion."
    assert _count("shares repurchased fiscal 2024", line) == Decimal("208000000")
    assert _count("shares issued fiscal 2024", line) is None
    assert _count("shares fiscal 2024", line) is None
    assert _count("stores fiscal 2024", "During fiscal 2024, we opened 12 stores.") is None
    assert _count("stores opened fiscal 2024", "During fiscal 2024, we opened 12 stores.") == Decimal(12)


def test_a_rate_may_be_named_twice() -> None:
    """ "Gross profit as a percentage of sales, or gross margin, was": the second name is the first's."""
    page = (
        _HEAD
        + "Gross profit as a percentage of net sales, or gross profit margin, was 33.0% for fiscal 2024.\n"
    )
    assert found("Halvorsen Pumps gross profit margin fiscal 2024", page, UnitClass.PERCENT) == Decimal(
        "33.0"
    )
    other = _HEAD + "Europe sales, or gross profit margin, was 33.0% for fiscal 2024.\n"
    assert found("Halvorsen Pumps gross profit margin fiscal 2024", other, UnitClass.PERCENT) is None
    rate = _HEAD + "Our combined effective income tax rate was 24.4% for fiscal 2024.\n"
    assert found("Halvorsen Pumps effective tax rate fiscal 2024", rate, UnitClass.PERCENT) == Decimal("24.4")
