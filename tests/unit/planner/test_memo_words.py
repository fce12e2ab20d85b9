"""Which words may leave."""

from __future__ import annotations

import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_planner.careless import plan_carelessly
from doublethink_planner.question import MemoWords
from doublethink_planner.rules import plan_by_rules

MEMO = (
    "Codename: nordwind (file PRP/LF/0093). Skellmere's price is $4.46 billion; Veldt-Koning stays. "
    "Net sales."
)
WORDS = MemoWords(MEMO, ["Halvorsen Pumps", "Veldt"])


@pytest.mark.parametrize(
    "word", ["Nordwind", "NORDWIND's", "nordwinds", "PRP/LF/0093", "0093", "Skellmere", "4.46", "Koning"]
)
def test_words_of_the_memo_are_private(word: str) -> None:
    """Whatever the case, possessive or joining."""
    assert WORDS.is_private(word)


@pytest.mark.parametrize(
    "word", ["sales", "Net", "price", "billion", "Veldt", "Halvorsen", "Acme", "2023", "Q3", "file"]
)
def test_plain_approved_and_unknown_words_are_not(word: str) -> None:
    """Grammar and statement words, approved terms, and what the memo does not have."""
    assert not WORDS.is_private(word)


ORDINARY = MemoWords(
    "Our client is advised by the committee. Earnings season matters to hydrologists. Hydrologists agree, and "
    "the bidder has set an offer price. Tarn leads it. The meeting was held at Quillfeather House on 14 "
    "floors. Known as seagrass.",
    [],
)


@pytest.mark.parametrize(
    "word", ["client", "committee", "earnings", "Earnings", "hydrologists", "season", "held"]
)
def test_an_ordinary_word_that_the_memo_happens_to_have_may_leave(word: str) -> None:
    """Written small in the memo, or with a capital only because a sentence begins."""
    assert not ORDINARY.is_private(word)


@pytest.mark.parametrize("word", ["Quillfeather", "quillfeather", "bidder", "Bidder's", "seagrass", "Tarn"])
def test_names_and_words_of_deals_may_not(word: str) -> None:
    """A name counts in any spelling; one that only begins a sentence, where the question writes it large."""
    assert ORDINARY.is_private(word)


def test_words_of_deals_are_private_only_where_the_memo_has_them() -> None:
    """Together where only together they say something."""
    assert ORDINARY.private_in("the offer price of Acme")
    assert not ORDINARY.private_in("offer and price of Acme")
    assert not ORDINARY.private_in("tender offer of Acme")
    assert not MemoWords("Net sales of Halvorsen Pumps.", []).private_in("the bidder's offer price")


def test_a_memo_written_small_keeps_all_its_words() -> None:
    """Nothing tells its names from the rest."""
    words = MemoWords("codename nordwind, our client bramblewick wants the pump maker.", [])
    assert words.is_private("Bramblewick")
    assert words.is_private("nordwind")
    assert not words.is_private("pump")


def test_the_longest_approved_term_is_found_in_the_phrase_s_spelling() -> None:
    """As the question writes it, word by word."""
    words = MemoWords("", ["Pumps", "Halvorsen Pumps"])
    assert words.public_term_in("the HALVORSEN  pumps group") == "HALVORSEN  pumps"
    assert words.public_term_in("Halvorsen Pumpsets") is None


def _request(question: str) -> research.ResearchRequest:
    return research.ResearchRequest(memo=MEMO, question=question, public_terms=["Halvorsen Pumps"])


def test_rules_give_the_same_plan_for_the_same_request() -> None:
    """A run can be taken up again because nothing but the request counts."""
    request = _request("How much did Halvorsen Pumps' net sales change from 2022 to 2023?")
    assert plan_by_rules(request) == plan_by_rules(request)
    assert len(plan_by_rules(request).figures) == 2


def test_the_careless_double_puts_the_memo_first_and_the_rules_behind() -> None:
    """Its first query holds what must not leave; the others are those of the rules."""
    request = _request("What were Halvorsen Pumps' net sales in 2023?")
    plan = plan_carelessly(request)
    assert "nordwind" in plan.figures[0].queries[0]
    assert "$4.46 billion" in plan.figures[0].queries[0]
    assert plan.figures[0].queries[1:] == plan_by_rules(request).figures[0].queries
    assert plan.figures[0].expendable == 1
    unplanned = plan_carelessly(_request("Tell me about it."))
    assert "nordwind" in unplanned.figures[0].queries[0]


def test_a_plan_s_repr_shows_no_query() -> None:
    """Queries stay out of what a log or a failing assertion would print."""
    assert "net sales" not in repr(plan_by_rules(_request("What were Halvorsen Pumps' net sales in 2023?")))
