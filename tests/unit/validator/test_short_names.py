"""The short form of a name that a page itself uses, and nothing that merely looks like one."""

import pytest
from doublethink_validator.identity import identify
from doublethink_validator.pagetext import Page


def _names(title: str, body: str) -> set[tuple[str, ...]]:
    return {name.stems for name in identify(Page(f"{title}\n\n{body}\n")).names}


def test_a_word_of_the_name_that_the_page_uses_alone_is_a_name() -> None:
    """Often enough, alone, and never in lower case."""
    body = " ".join(f"In year {n} TNC earned more. Write to investors@tnc.example." for n in range(6))
    assert ("tnc",) in _names("The TNC Financial Services Group, Inc.", body)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("The TNC Financial Services Group, Inc.", "TNC earned more. " * 2),
        ("General Valve Works, Inc.", "General remarks. Some general words. General terms. " * 6),
        ("Orion Valve Works, Inc.", "Orion Valve grew. " * 9),
    ],
)
def test_what_the_page_does_not_call_itself_is_no_name(title: str, body: str) -> None:
    """A word used once or twice, an ordinary word, a word that only stands beside the rest of the name."""
    assert all(len(stems) > 1 for stems in _names(title, body))


def test_the_initials_of_two_joined_names_are_a_name_where_the_page_uses_them() -> None:
    """ "K&B" for Kestrel & Bourne, if the page says so; else not."""
    assert ("k&b",) in _names("KESTREL & BOURNE COMPANY", "K&B grew. " * 6)
    assert ("k&b",) not in _names("KESTREL & BOURNE COMPANY", "The company grew. K&B. " * 2)
