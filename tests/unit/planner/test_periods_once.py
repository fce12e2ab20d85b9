"""Periods said twice, dates that belong to a thing, and the places where figures stand."""

from __future__ import annotations

import pytest
from doublethink_planner.question.named_dates import mask_named_dates
from doublethink_planner.question.one_period import say_periods_once
from doublethink_planner.question.whereabouts import without_places
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("sentence", "once"),
    [
        ("sales in Q2 2023 (three months ended July 30, 2023)", "sales in three months ended July 30, 2023"),
        (
            "sales in the quarter (three months ended July 30, 2023)",
            "sales in three months ended July 30, 2023",
        ),
        ("sales in fiscal 2022, ended January 28, 2023", "sales in fiscal year ended January 28, 2023"),
        ("debt at the end of fiscal 2022, December 31, 2022", "debt at December 31, 2022"),
    ],
)
def test_two_labels_of_one_period_become_one(sentence: str, once: str) -> None:
    """The one with a closing date stays, in the place of the first."""
    assert say_periods_once(sentence).sentence == once


@pytest.mark.parametrize(
    "sentence",
    [
        "sales in Q2 2023 and Q2 2022",
        "sales from fiscal 2022 to fiscal 2023",
        "sales in fiscal 2023 and calendar 2023",
        "sales for Q1 2023 as against the nine months ended September 30, 2023",
    ],
)
def test_two_periods_stay_two(sentence: str) -> None:
    """What is compared or listed is not one period."""
    assert say_periods_once(sentence).sentence == sentence


def test_a_period_without_a_year_is_taken_out_and_remembered() -> None:
    """But not one that stands to others as the latest or the last."""
    timed = say_periods_once("what were net sales in the second quarter")
    assert (timed.sentence, timed.vague) == ("what were net sales", True)
    for words in ("in the latest quarter", "in the previous quarter", "last year", "in this quarter"):
        assert not say_periods_once(f"what were net sales {words}").vague


@pytest.mark.parametrize(
    ("sentence", "dates"),
    [
        ("interest on notes due 2030 in fiscal 2022", ("2030",)),
        ("the coupon of notes maturing on March 15, 2030", ("March 15, 2030",)),
        ("drawn under its 2019 Credit Facility at June 30, 2023", ("2019",)),
        ("units under the Class of 2021 plan in 2022", ("2021",)),
        ("votes at the 2023 annual meeting", ("2023",)),
        ("what did it pay in 2022 under its plan", ()),
        ("Acme's 2022 notes payable", ()),
        ("sales in fiscal 2023", ()),
    ],
)
def test_a_date_of_a_thing_is_no_period(sentence: str, dates: tuple[str, ...]) -> None:
    """It is masked while the question is read, and stands again in what is restored."""
    named = mask_named_dates(sentence)
    assert named.dates == dates
    assert named.restore(named.text) == sentence


@pytest.mark.parametrize(
    ("sentence", "without"),
    [
        ("what was cash on its balance sheet at June 30, 2023", "what was cash at June 30, 2023"),
        ("according to its Q2 2023 press release, what was revenue", "what was revenue for Q2 2023"),
        ("in Acme's 10-K for fiscal 2022, what was its revenue", "what was Acme's revenue for fiscal 2022"),
        ("what was cash at June 30, 2023 in its 10-Q for fiscal 2023", "what was cash at June 30, 2023"),
        ("what was pay according to its 2023 proxy statement", "what was pay"),
    ],
)
def test_where_a_figure_stands_is_taken_out(sentence: str, without: str) -> None:
    """Owner and period stay; a document's period only without another, and never a proxy statement's year."""
    assert without_places(sentence) == without


TEXT = (
    "in its the Acme's 10-Q 10-K for fiscal 2022 Q2 2023 ( ) , balance sheet according to press release second"
    " quarter ended July 30, 2023 notes due 2030 plan it what was revenue of on"
)


@given(st.lists(st.sampled_from(TEXT.split()), max_size=14))
@settings(max_examples=200, deadline=None)
def test_any_order_of_words_comes_to_an_end(words: list[str]) -> None:
    """No stage fails or grows without bound, and masked dates always come back."""
    sentence = without_places(" ".join(words))
    named = mask_named_dates(sentence)
    assert named.restore(named.text) == sentence
    assert len(say_periods_once(named.text).sentence) <= 2 * len(sentence) + 40
