"""The sieve in front of the decoders' forms names every text that a form matches in."""

from __future__ import annotations

import re

import pytest
from doublethink_fingerprint.decoders import (
    alphabets,
    base_n,
    codes,
    escapes,
    hidden,
    leet,
    markup,
    packed,
)
from doublethink_fingerprint.decoders.sieve import Sieve
from doublethink_fingerprint.decoders.survey import ANYWHERE, IN_STRETCHES, stretch_matches, survey
from hypothesis import given, settings
from hypothesis import strategies as st

FORMS = [
    form
    for module in (alphabets, base_n, codes, escapes, hidden, leet, markup, packed)
    for form in vars(module).values()
    if isinstance(form, re.Pattern)
]
SIEVE = Sieve()
for form in FORMS:
    SIEVE.add(form)
# What the forms are made of, so that texts made of it often match one.
BITS = st.one_of(
    st.sampled_from(
        (
            *(
                "0",
                "1",
                "01",
                "12",
                "345",
                "0x",
                "\\x",
                "%",
                "41",
                "&#",
                "U+",
                "\\u",
                "=",
                "=4E",
                "+",
                "a",
                "B",
                "aB",
            ),
            *(
                " ",
                "  ",
                "\n",
                "\t",
                "-",
                ".",
                ",",
                "/",
                ":",
                "(",
                ")",
                "[",
                "]",
                "<",
                ">",
                "|",
                '"',
                "'",
                "é",
                "ſ",
                "K",
            ),
            *(
                "one",
                "two",
                "alpha",
                "bravo",
                "as in",
                "dit",
                "dah",
                "xn--",
                "\u200b",
                "\u3000",
                "٣",
                "·",
                "—",
                "\x1b[",
            ),
        )
    ),
    st.characters(max_codepoint=0x17F),
)
TEXTS = st.lists(BITS, max_size=40).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_every_form_that_matches_is_named(text: str) -> None:
    """A form that matches in a text is named for it: what the sieve leaves out cannot be there."""
    named = SIEVE.named([text])
    for form in FORMS:
        place = SIEVE.place(form)
        assert place is not None
        assert named[place] or form.search(text) is None, form.pattern


@settings(max_examples=200, deadline=None)
@given(st.lists(TEXTS, max_size=5))
def test_it_says_in_which_of_several_texts(texts: list[str]) -> None:
    """Each form is named with the places of the texts, in order, and with each as if it were asked about alone."""
    together = SIEVE.named(texts)
    alone = [SIEVE.named([text]) for text in texts]
    for place in range(len(FORMS)):
        if place < len(together):
            assert together[place] == [at for at, named in enumerate(alone) if named[place]]


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_a_likely_form_leaves_out_nothing_of_use(text: str) -> None:
    """Hexadecimal digits are found in every stretch where six of them are within one match of the whole form."""
    form = base_n._HEX_TOKEN
    found = {match.span() for match in stretch_matches(form, text)}
    for start, end in survey(text).stretches.parts:
        for match in form.finditer(text, start, end):
            digits = sum(char in "0123456789abcdefABCDEF" for char in base_n._NOT_HEX.sub("", match[0]))
            assert digits < 6 or match.span() in found


def test_what_is_looked_for_is_taken_in() -> None:
    """The forms of most decoders go through the sieve; without them it would answer nothing."""
    assert IN_STRETCHES.place(codes._DECIMAL) is not None
    assert ANYWHERE.place(codes._BACON_LETTERS) is not None
    assert IN_STRETCHES.place(re.compile("never taken in")) is None


@pytest.mark.parametrize("text", ["", "plain words alone", "\n" * 50])
def test_a_text_without_any_form(text: str) -> None:
    """An empty list of texts, and texts that hold nothing, are answered with nothing."""
    assert not any(SIEVE.named([]))
    place = SIEVE.place(codes._DECIMAL)
    assert place is not None
    assert SIEVE.named([text])[place] == []


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, min_size=9, max_size=14))
def test_many_stretches_are_asked_about_one_by_one(texts: list[str]) -> None:
    """In many stretches, as in few, every form finds what it finds in each of them."""
    text = " plain words between them and more ".join(texts)
    parts = survey(text).stretches.parts
    for form in FORMS:
        if form is not base_n._HEX_TOKEN:
            each = [match.span() for part in parts for match in form.finditer(text, *part)]
            assert [match.span() for match in stretch_matches(form, text)] == each, form.pattern
