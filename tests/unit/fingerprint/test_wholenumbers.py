"""A figure of a confirmed phrase is a whole number: inside a longer one it is another value."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from doublethink_fingerprint import build_pack, explore, matcher_of, prepare
from doublethink_fingerprint.view import View
from doublethink_fingerprint.wholenumbers import in_longer_number

_PHRASE = "52 euros per share"


def _found(text: str, phrase: str = _PHRASE) -> bool:
    secret = SimpleNamespace(secret_class="phrase", spellings=(phrase,))
    return bool(matcher_of(build_pack([secret])).hits(prepare(explore(View(text)))))


@pytest.mark.parametrize(
    "text",
    [
        "dividend of 36.52 euros per share",
        "dividend of 36,52 euros per share",
        "dividend of 152 euros per share",
        "dividend of 1,152 euros per share",
        "dividend of one hundred and fifty-two euros per share",
        "dividend of six point fifty two euros per share",
    ],
)
def test_half_of_a_longer_number_is_no_hit(text: str) -> None:
    """The phrase's figure at the end of another figure, in digits or in words, is not found."""
    assert not _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "offer of 52 euros per share",
        "52 euros per share",
        "in 2024, 52 euros per share",
        "EUR52 euros per share",
        "offer of fifty-two euros per share",
        "5 2 e u r o s p e r s h a r e",
        "a 52_euros-per.share b",
    ],
)
def test_the_whole_number_is_a_hit(text: str) -> None:
    """The same figure by itself is found, whatever stands around it."""
    assert _found(text)


def test_a_group_of_thousands_continues_a_number() -> None:
    """Three digits behind a blank belong to the number before the blank; two do not."""
    text = "1 152 euros and 1 52 euros"
    assert in_longer_number(text, 2, 11)
    assert not in_longer_number(text, 18, 26)


def test_a_number_at_the_end_goes_on() -> None:
    """A phrase that ends with a figure is not found where decimals follow, and is at the end of a sentence."""
    assert in_longer_number("offer of 42.5 million", 0, 11)
    assert not in_longer_number("offer of 42. next", 0, 11)
