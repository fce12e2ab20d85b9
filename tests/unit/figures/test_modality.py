"""Flags and directions that words put on a figure."""

import pytest
from doublethink_figures import Direction, Flag, direction, find_figures, modality


def flags(text: str, at: int = 0) -> frozenset[Flag]:
    """The flags on the figure number `at`."""
    return modality(text, find_figures(text)[at].span)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenue was $5.1 million.", set()),
        ("Revenue was about $5.1 million.", {Flag.ABOUT}),
        ("The company expects revenue of $5.1 million.", {Flag.GUIDANCE}),
        ("Guidance is $5.1 million.", {Flag.GUIDANCE}),
        ("Revenue will be $5.1 million.", {Flag.GUIDANCE}),
        ("Adjusted EBITDA was $5.1 million.", {Flag.NON_GAAP}),
        ("Non-GAAP net income was $5.1 million.", {Flag.NON_GAAP}),
        ("Earnings excluding special items were $5.1 million.", {Flag.NON_GAAP}),
        ("Pro forma revenue was $5.1 million.", {Flag.PRO_FORMA}),
        ("Restated revenue was $5.1 million.", {Flag.RESTATED}),
        ("Revenue could reach $5.1 million.", {Flag.HYPOTHETICAL}),
        ("If it closed, revenue was $5.1 million.", {Flag.HYPOTHETICAL}),
        ("Revenue may reach $5.1 million.", {Flag.HYPOTHETICAL}),
        ("The company denied that revenue was $5.1 million.", {Flag.NEGATED}),
        ("Revenue was not $5.1 million.", {Flag.NEGATED}),
        ("Revenue wasn't $5.1 million.", {Flag.NEGATED}),
        ("The claim of $5.1 million is false.", {Flag.NEGATED}),
        ("Seasonally adjusted sales were $5.1 million.", set()),
        ("Revenue of $5.1 million was higher than expected.", set()),
        ("Revenue was not less than $5.1 million.", set()),
        ("In May revenue was $5.1 million.", set()),
        ("Unrecognized cost was $5.1 million, which it expects to recognize over two years.", set()),
        ("The cost, which it expects to be $5.1 million, is unrecognized.", {Flag.GUIDANCE}),
    ],
)
def test_the_clause_flags_its_figure(text: str, expected: set[Flag]) -> None:
    """One example of each flag, and the phrases that only look like one."""
    assert flags(text) == expected


def test_a_flag_stays_in_its_clause() -> None:
    """What was is not guidance because the sentence also has guidance."""
    text = "It expects revenue of $5.1 million in 2025, compared with $4.2 million in 2024."
    assert flags(text, 0) == {Flag.GUIDANCE}
    assert flags(text, 1) == frozenset()


def test_a_rows_label_speaks_for_its_cells() -> None:
    """In a table the flag stands in the label, not beside the number."""
    assert flags("Adjusted EBITDA\t$5.1\t$4.2", 1) == {Flag.NON_GAAP}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenue rose 5.1%", Direction.INCREASE),
        ("Revenue increased by about 5.1%", Direction.INCREASE),
        ("a 5.1% increase", Direction.INCREASE),
        ("an increase of 5.1%", Direction.INCREASE),
        ("revenue was up 5.1%", Direction.INCREASE),
        ("Revenue fell 5.1%", Direction.DECREASE),
        ("a decrease of 5.1%", Direction.DECREASE),
        ("5.1% lower", Direction.DECREASE),
        ("Net loss was $5.1 million", Direction.DECREASE),
        ("a net loss of $5.1 million", Direction.DECREASE),
        ("loss per share was $0.35", Direction.DECREASE),
        ("Revenue fell to $5.1 million", Direction.NONE),
        ("The provision for credit losses was $5.1 million", Direction.NONE),
        ("an allowance for losses on loans of $5.1 million", Direction.NONE),
        ("Loan losses were $5.1 million", Direction.NONE),
        ("The provision for credit losses fell $5.1 million", Direction.DECREASE),
        ("Provision for credit losses\t$5.1", Direction.NONE),
        ("Revenue was $5.1 million", Direction.NONE),
        ("Net loss\t$5.1", Direction.DECREASE),
        ("Net income (loss)\t$5.1", Direction.NONE),
        ("Net sales\t$5.1", Direction.NONE),
    ],
)
def test_words_give_a_direction(text: str, expected: Direction) -> None:
    """A change or a loss has a direction, a level has none."""
    assert direction(text, find_figures(text)[0].span) is expected


def test_two_names_of_one_change_share_its_direction() -> None:
    """ "$828 million, or 17%" are one rise."""
    text = "Income increased $828 million, or 17%, to $5.8 billion"
    found = [direction(text, figure.span) for figure in find_figures(text)]
    assert found == [Direction.INCREASE, Direction.INCREASE, Direction.NONE]
