"""The second query: what is asked for in a report's own words, where those say the same."""

import pytest
from doublethink_planner.question import MemoWords, understand
from doublethink_planner.question.wording import as_reported

_NOTHING = MemoWords("", [])


@pytest.mark.parametrize(
    ("asked", "reported"),
    [
        ("share buybacks", "repurchases of common stock"),
        ("carrying amount of inventories", "inventories"),
        ("cash balance", "cash and cash equivalents"),
        ("Services revenue", "Services net sales"),
        ("Pumps sales", "Pumps revenue"),
        ("comparable sales percentage", "comparable sales growth percentage"),
        ("votes Celia R. Brown receive in favor", "votes for Celia R. Brown"),
        ("votes cast against ratifying BDO USA as auditor", "votes against ratification of BDO USA"),
        (
            "base salary Jane Merrow as chief financial officer",
            "annual base salary Jane Merrow as chief financial officer",
        ),
        ("how many people does Koning employ", "how many employees does Koning employ"),
    ],
)
def test_a_report_says_it_in_its_own_words(asked: str, reported: str) -> None:
    """One thing, two wordings."""
    assert as_reported(asked) == reported


@pytest.mark.parametrize(
    "asked",
    [
        "revenue",
        "total revenue",
        "net sales",
        "deferred revenue",
        "product sales",
        "restricted cash",
        "cash paid",
        "fair value of inventories",
        "carrying amount of debt",
        "base salary new chief financial officer",
        "votes cast against Celia R. Brown",
        "how many people does Koning serve",
        "buyback yield",
    ],
)
def test_what_could_be_another_figure_keeps_its_words(asked: str) -> None:
    """Total revenue and net sales differ; restricted cash is not cash; people served are no employees."""
    kept = as_reported(asked)
    assert kept in (asked, asked.replace("votes cast", "votes"), f"annual {asked}")


def test_the_first_query_keeps_the_questions_own_words() -> None:
    """Only the second is reworded."""
    (sought,) = understand("What was Acme's Services revenue in fiscal 2023?", _NOTHING).sought
    assert sought.queries == ("Acme Services revenue fiscal 2023", "Services net sales Acme fiscal 2023")


def test_a_post_stays_whether_or_not_a_name_says_who_holds_it() -> None:
    """A person may have held another post before, and "the new CFO" is found by the post alone."""
    (named,) = understand(
        "What base salary will Jane Merrow receive as chief financial officer of Acme?", _NOTHING
    ).sought
    assert named.queries[1] == "annual base salary Jane Merrow chief financial officer of Acme"
    (post,) = understand(
        "What base salary will the new chief financial officer of Acme receive?", _NOTHING
    ).sought
    assert all("chief financial officer" in query for query in post.queries)


def test_a_rewording_with_a_word_of_the_memo_stays_behind() -> None:
    """The question's own words may leave; what they would be reworded to is a name of the deal."""
    question = "How many votes were cast against ratifying Beta Audit as auditor of Acme?"
    (sought,) = understand(question, MemoWords("", [])).sought
    assert "ratification" in sought.queries[1]
    (kept,) = understand(question, MemoWords("Project Ratification wants Acme.", ["Acme"])).sought
    assert kept.queries[0] == sought.queries[0]
    assert not any("ratification" in query for query in kept.queries)


def test_a_sentence_is_no_part_of_sales() -> None:
    """ "Net sales" at the end of a question without a part stay net sales."""
    (sought,) = understand(
        "How much did foreign currency reduce Acme's net sales in 2023?", MemoWords("", [])
    ).sought
    assert all("net sales" in query for query in sought.queries)
