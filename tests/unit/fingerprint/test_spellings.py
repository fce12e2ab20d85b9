"""The shapes of a value that are fingerprinted: other scripts by sound, figures in words, letters turned about."""

from __future__ import annotations

import string
from decimal import Decimal

import pytest
from doublethink_fingerprint.givennames import is_given_name
from doublethink_fingerprint.numberspelling import scaled_spellings
from doublethink_fingerprint.phonetic import foreign_words, skeletons
from doublethink_fingerprint.spelling import merged_letters, scrambled, telephone_keys, turned_words
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("latin", "written"),
    [
        ("nordwind", "Нордвинд"),
        ("thornquill", "Торнквилл"),
        ("ostervald", "Остервальд"),
        ("lindqvist", "Линдквист"),
        ("ostervald", "Όστερβαλντ"),
        ("lindqvist", "Λίντκβιστ"),
        ("bernhardt", "Μπερνχαρντ"),
        ("nordwind", "ノルドヴィンド"),
        ("ostervald", "オステルヴァルド"),
        ("lindqvist", "リンドクビスト"),
        ("castellano", "カステラーノ"),
        ("castellano", "かすてらーの"),
    ],
)
def test_a_name_is_heard_in_another_script(latin: str, written: str) -> None:
    """One of the name's skeletons is that of the foreign word."""
    heard = list(foreign_words(written))
    assert {(start, end) for start, end, _, _ in heard} == {(0, len(written))}
    assert {skeleton for _, _, skeleton, _ in heard} & set(skeletons(latin))


@pytest.mark.parametrize("written", ["рынок", "насосы", "Αθήνα", "トヨタ", "東京", "цена меди"])
def test_an_ordinary_foreign_word_is_no_name_of_the_case(written: str) -> None:
    """What other people search for in these scripts sounds like none of the names."""
    names = {
        skeleton
        for name in ("nordwind", "thornquill", "ostervald", "lindqvist")
        for skeleton in skeletons(name)
    }
    assert not names.intersection(skeleton for _, _, skeleton, _ in foreign_words(written))


@given(st.text(string.ascii_lowercase, min_size=1, max_size=30))
def test_no_name_has_skeletons_without_end(word: str) -> None:
    """At most 48 of either kind."""
    assert len(list(skeletons(word))) <= 96


@given(st.text(max_size=80))
def test_no_text_breaks_the_ear(text: str) -> None:
    """Every foreign word has its place in the text."""
    for start, end, skeleton, _ in foreign_words(text):
        assert 0 <= start < end <= len(text)
        assert skeleton


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ("3650000000", "trescomaseiscincomilmillones"),
        ("3650000000", "365miliardi"),
        ("3650000000", "trzyprzecinekszescpiecmiliarda"),
        ("47000000", "47miljoner"),
        ("2000000", "doismilhoes"),
    ],
)
def test_a_large_figure_is_spelled_with_the_scales_of_languages(value: str, spelled: str) -> None:
    """Digits with a scale word, and digits in words with it."""
    assert spelled in set(scaled_spellings(Decimal(value)))


@given(st.decimals(min_value=0, max_value=10**18, allow_nan=False, allow_infinity=False))
def test_spellings_of_a_figure_are_bounded(value: Decimal) -> None:
    """Any figure has few spellings, and one below a million none."""
    spelled = list(scaled_spellings(value))
    assert len(spelled) < 500
    assert value >= 1_000_000 or not spelled


@given(st.text(string.ascii_lowercase, min_size=3, max_size=20), st.randoms(use_true_random=False))
def test_scrambled_inner_letters_are_the_same_word(word: str, source: object) -> None:
    """The order of the letters between the first and the last does not matter; these two do."""
    inner = sorted(word[1:-1], reverse=True)
    assert scrambled(word[0] + "".join(inner) + word[-1]) == scrambled(word)
    assert scrambled(word)[0] == word[0]


def test_words_are_turned_about() -> None:
    """In reversed order, each in its place, and one among the others."""
    turned = set(turned_words(("26", "euros", "per", "share")))
    assert {
        "sharepereuros26",
        "62soruerep" + "erahs",
        "26sorue" + "rep" + "erahs",
        "26eurosrepshare",
    } <= turned


def test_old_squares_merge_letters() -> None:
    """J is I, K is C, V is U."""
    assert set(merged_letters("jokeval")) >= {"iokeval", "joceval"}
    assert not list(merged_letters("thornquill"))


def test_keys_carry_letters() -> None:
    """As on every telephone."""
    assert telephone_keys("thornquill") == "8467678455"


def test_given_names_are_known() -> None:
    """Usual ones are, the surnames of the tests are not."""
    assert is_given_name("charlotte")
    assert not is_given_name("ostervald")
