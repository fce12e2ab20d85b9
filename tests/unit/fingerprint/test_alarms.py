"""What a value would stop of ordinary searches is said before it is confirmed, and never less than is true."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from doublethink_fingerprint.alarms import MOST, Alarm, alarms, keys_of, made_table, stopped
from hypothesis import given
from hypothesis import strategies as st


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value,)


@pytest.mark.parametrize(
    ("secret_class", "value"),
    [
        ("code", "Revenue"),
        ("code", "Project Company"),
        ("phrase", "net income"),
        ("code", "creditcard"),
        ("number", "7"),
    ],
)
def test_an_ordinary_word_asks_for_a_phrase(secret_class: str, value: str) -> None:
    """Words, pairs, two words run together and a figure of one digit, that many questions have."""
    assert stopped(secret_class, value) > MOST


@pytest.mark.parametrize(
    ("secret_class", "value"),
    [
        ("code", "Vantorquill"),
        ("code", "Project Vantorquill"),
        ("name", "Ottoline Marchbanks"),
        ("phrase", "forty-two euros per share"),
        ("number", "4.217bn EUR"),
        ("date", "1968-02-14"),
        ("id", "DE89370400440532013000"),
    ],
)
def test_an_invented_value_stops_next_to_nothing(secret_class: str, value: str) -> None:
    """What no question says is expected in fewer than one of 10,000."""
    assert stopped(secret_class, value) < 1


def test_a_line_says_the_number_and_not_the_value() -> None:
    """A person reads place, class and count; above five of 10,000 the line asks for a phrase."""
    few, many = alarms([_Secret("code", "Vantorquill"), _Secret("code", "Revenue")])
    assert str(few) == "secret 1 (class code) would stop fewer than 1 of 10,000 ordinary searches"
    assert not few.asks_for_a_phrase
    assert many.asks_for_a_phrase
    assert str(many).startswith("secret 2 (class code) would stop about ")
    assert "confirm the phrase" in str(many)
    assert "evenue" not in str(many)
    assert "of 10,000" in str(Alarm(1, "name", 5.0))
    assert not Alarm(1, "name", 5.0).asks_for_a_phrase


@given(st.sampled_from(["code", "name", "number", "date", "id", "phrase"]), st.text(max_size=60))
def test_any_value_has_an_estimate(secret_class: str, value: str) -> None:
    """Whatever a person writes, the answer is a number between none and all."""
    assert 0 <= stopped(secret_class, value) <= 10_000


def test_a_question_counts_its_words_and_pairs() -> None:
    """Folded, each once, and nothing of what one question alone has is kept in a table."""
    assert keys_of("Net income, NET income?") == {"net", "income", "net income", "income net"}
    assert made_table([("net", 1)], 7) == made_table([], 7)
    assert made_table([("net", 2)], 7) != made_table([], 7)
