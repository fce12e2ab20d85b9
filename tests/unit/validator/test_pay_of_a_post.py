"""What somebody is paid in one post never answers for another."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from doublethink_planner.question.wording import as_reported
from sim.honest import found

_ASKED = ("base salary of Jane Doe as chief executive officer", "annual base salary of CEO Jane Doe")
_HEAD = "Acme Corp 8-K\n\nAcme Corp\n\n"


def _paid(asked: str, sentence: str) -> Decimal | None:
    return found(f"Acme {as_reported(asked)}", f"{_HEAD}{sentence}\n", UnitClass.CURRENCY)


@pytest.mark.parametrize("asked", _ASKED)
@pytest.mark.parametrize(
    "sentence",
    [
        "As chief financial officer, Jane Doe received an annual base salary of $400,000.",
        "Jane Doe received an annual base salary of $400,000 as Chief Financial Officer of the Company.",
        "The letter with Jane Doe, President, provides for an annual base salary of $400,000.",
        "In that role Jane Doe received an annual base salary of $400,000.",
        "In her previous position, Jane Doe received an annual base salary of $400,000.",
        "As CFO, Jane Doe received an annual base salary of $400,000. Jane Doe became Chief Executive Officer.",
    ],
)
def test_the_pay_of_another_post_is_no_answer(asked: str, sentence: str) -> None:
    """A sentence that names or points to another post is not said of the one that is asked for."""
    assert _paid(asked, sentence) is None


@pytest.mark.parametrize("asked", _ASKED)
@pytest.mark.parametrize(
    "sentence",
    [
        "Jane Doe will receive an annual base salary of $700,000 as Chief Executive Officer.",
        "As CEO, Jane Doe will receive an annual base salary of $700,000.",
        "Pursuant to the offer letter, Jane Doe will receive an annual base salary of $700,000.",
        "As Chief Financial Officer, Jane Doe received an annual base salary of $400,000. Jane Doe will receive an "
        "annual base salary of $700,000 as Chief Executive Officer.",
    ],
)
def test_the_pay_of_the_post_is_found_where_it_is_said(asked: str, sentence: str) -> None:
    """The post is named alike, in its short form, or not at all; the earlier post beside it does not disturb."""
    assert _paid(asked, sentence) == 700_000


def test_a_query_without_a_post_does_not_take_one() -> None:
    """Somebody's salary as such is not the one of a post that she had, as far as the query says."""
    sentence = "Jane Doe received an annual base salary of $400,000 as Chief Financial Officer."
    assert _paid("base salary of Jane Doe", sentence) is None


def test_a_post_without_a_name_must_be_named() -> None:
    """Only of a person whom it names may a sentence leave the post out."""
    sentence = "Members of the board receive an annual cash retainer of $90,000."
    assert _paid("annual cash retainer of the lead independent director", sentence) is None
