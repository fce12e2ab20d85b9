"""The last resort: one figure, asked for with all the question's telling words."""

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_planner.question import MemoWords, NotUnderstood, Unaskable, understand
from doublethink_planner.question.lookup import plain_lookup

_MEMO = MemoWords("Project Basalt: Tarn Capital bids for Acme Robotics at 51 euros.", ["Acme Robotics"])


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (
            "What base salary did Jane Doe receive as chief executive of Acme Robotics in 2022?",
            "base salary Jane Doe chief executive of Acme Robotics 2022",
        ),
        (
            "What purchase price did Acme Robotics agree to pay for Beta Sensors?",
            "purchase price Acme Robotics for Beta Sensors",
        ),
        (
            "What did Acme Robotics pay in dividends per share in the second quarter of 2022?",
            "Acme Robotics dividends per share second quarter of 2022",
        ),
    ],
)
def test_the_telling_words_and_the_period_are_the_query(question: str, query: str) -> None:
    """Question words, articles and verbs stay behind; the order of the rest is kept."""
    (sought,) = understand(question, _MEMO).sought
    assert sought.queries[0] == query


def test_the_period_is_typed_beside_its_words() -> None:
    """What the query says of time is said as a value too."""
    (sought,) = plain_lookup(
        "How much did Acme Robotics use for capital projects in fiscal 2021?", _MEMO
    ).sought
    assert sought.period is not None
    assert (sought.period.kind, sought.period.year) == (figures.PERIOD_KIND_FISCAL, 2021)


@pytest.mark.parametrize(
    "question",
    [
        "By how much more cash did Acme Robotics hold in 2022 than in 2021?",
        "What portion of sales did Acme Robotics make abroad in 2022?",
        "What was its net income in 2022?",
        "What were the biggest costs of Acme Robotics in 2022?",
        "What did Acme Robotics say about Beta Sensors?",
        "How much did Acme Robotics earn from its notes due 2030 in 2022?",
        "Why did Acme Robotics sell the plant?",
    ],
)
def test_what_could_be_another_question_is_left_alone(question: str) -> None:
    """Calculations, pronouns, superlatives, several periods and questions without a figure give no query."""
    with pytest.raises(NotUnderstood):
        plain_lookup(question, _MEMO)


def test_private_words_never_enter_the_query() -> None:
    """A word that only the memo has stays out; where nothing else is left, the question cannot be asked."""
    (sought,) = plain_lookup("What purchase price did Tarn pay for Beta Sensors in 2022?", _MEMO).sought
    assert all("Tarn" not in query for query in sought.queries)
    with pytest.raises(Unaskable):
        plain_lookup("How much did Tarn pay for Basalt?", _MEMO)
