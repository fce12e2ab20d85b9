"""The quick ways of looking find what the plain ways find."""

from __future__ import annotations

import base64
import re
import string
from datetime import date, timedelta
from itertools import permutations

import pytest
from doublethink_figures import all_dates
from doublethink_fingerprint import View, explore, prepare
from doublethink_fingerprint.decoders import packed
from doublethink_fingerprint.decoders.survey import Survey
from doublethink_fingerprint.hints import dated_parts
from doublethink_fingerprint.tokens import ANY, TOKEN, TokenForm
from hypothesis import given, settings
from hypothesis import strategies as st

# What a plain run is, searched for from white space to white space in one text.
PLAIN = re.compile(
    r"[(\"'“‘]{0,2}(?:[A-Za-z][a-z]+|[aAI]|[A-Z]{2,6})(?:['’][a-z]{1,2})?[.,;:!?\"')”’]{0,3}(?=\s|\Z)"
)
BLANKS = [" ", " ", "\n", "\t", "\x1c", "\x0b", "\u00a0", "\u2028", "\u3000"]
RUNS = [
    *("plain", "Word", "(and", "end).", "I", "a", "don't", "ABCDEF", "ABCDEFG", "Wq7x", "x", "4e6f", "=4E"),
    *("été", "ΟΔΟΣ", "КИТ", "é1", "ſ", "\u200b", "a\u0301"),
]
TEXTS = st.lists(st.tuples(st.sampled_from(RUNS), st.sampled_from(BLANKS)), max_size=60).map(
    lambda pairs: "".join(run + blank for run, blank in pairs)
)


@settings(max_examples=200)
@given(TEXTS)
def test_the_runs_and_words_of_a_text_are_those_a_search_finds(text: str) -> None:
    """No run is lost by looking at each different one once, and every odd run stands where it is said to stand."""
    seen = Survey(text)
    runs = list(re.finditer(r"\S+", text))
    assert seen.tokens == [run[0] for run in runs]
    ascii_odd = [
        (run.start(), run.end(), run[0])
        for run in runs
        if run[0].isascii() and not PLAIN.fullmatch(run[0] + " ", 0, len(run[0]))
    ]
    assert [tuple(run) for run in seen.odd if run.text.isascii()] == ascii_odd
    assert all(text[run.start : run.end] == run.text for run in seen.odd)
    words = re.findall(r"[^\W\d_]+", text.lower())
    assert list(seen.words) == words
    assert seen.vocabulary == frozenset(words)


@settings(max_examples=200)
@given(st.text(string.ascii_letters + string.digits, min_size=1, max_size=60))
def test_numbers_by_any_order_of_groups_are_those_of_each_alphabet(token: str) -> None:
    """Sums over groups give for every alphabet the number that reading symbol by symbol gives."""
    for groups in (packed._BASE62, packed._BASE58):
        wanted = []
        for order in permutations(groups):
            alphabet = "".join(order)
            if set(token) <= set(alphabet):
                number = 0
                for symbol in token:
                    number = number * len(alphabet) + alphabet.index(symbol)
                wanted.append(number.to_bytes((number.bit_length() + 7) // 8, "big"))
        assert list(packed._Orders(groups).read(token)) == wanted


PARTS = TokenForm(re.compile(r"[^\W\d_]{3,24}|[^\W_]{3,24}"), 3, 24, whole=False)
SHORT = TokenForm(re.compile(r"(?<![^\W_])[^\W_]{3,4}(?![^\W_])"), 3, 4)
LINES = st.lists(
    st.sampled_from(["abc", "ABC", "abcd", "abc1", "1abc", "xabc", "ab", "é", "_", "-"]), max_size=30
)


@settings(max_examples=150)
@given(LINES, st.sampled_from([" ", "", "_", "\n"]), st.booleans())
def test_tokens_are_found_wherever_they_stand(words: list[str], between: str, many: bool) -> None:
    """Looking for single tokens finds the places that going through all of them finds, in the same order."""
    text = between.join(words)
    laid = prepare(explore(View(text))).streams.laid[0]
    for form in (ANY, SHORT, PARTS):
        found = frozenset({"abc", "abcd", "ab"} | ({f"other{at}" for at in range(20)} if many else set()))
        each = [
            match.span()
            for token in TOKEN.finditer(laid.folded.text)
            for match in form.pattern.finditer(laid.folded.text, *token.span())
            if match[0] in found
        ]
        assert [match.span() for match in laid.places_of(form, found)] == each


DAYS = st.dates(date(1950, 1, 1), date(2059, 12, 31))
SPELLED = [
    "first",
    "twelfth",
    "thirteenth",
    "twenty-first",
    "twenty twenty-seven",
    "of",
    "the",
    "784456",
    "W",
    "7",
]


def _spellings(day: date) -> list[str]:
    since = (day - date(1970, 1, 1)).days
    of_year = day.timetuple().tm_yday
    return [
        *(str(day.day), f"{day.month:02d}", str(day.year), f"{day.year % 100:02d}", f"{day:%B}", f"{day:%b}"),
        *(f"{day:%Y%m%d}", f"{day:%d%m%y}", f"{day:%Y-%m-%d}", f"day {of_year} of {day.year}"),
        *(f"day {of_year:03d}{day.year}", str((day - date(1899, 12, 30)).days), str(abs(since) * 86_400)),
    ]


@settings(max_examples=400)
@given(st.data(), DAYS, st.sampled_from([" ", ", ", "-", "/", "."]), st.integers(0, 60))
def test_a_wanted_day_is_never_left_unread(data: st.DataObject, day: date, between: str, around: int) -> None:
    """Whatever day a text can be read to name is named in one of the parts that are read for it."""
    pieces = data.draw(st.lists(st.sampled_from([*_spellings(day), *SPELLED]), min_size=2, max_size=6))
    text = "x" * around + " " + between.join(pieces) + " " + "y " * around
    if day not in {reading.date for reading in all_dates(text)}:
        return
    wanted = {
        (number, year) for number in (day.day, day.timetuple().tm_yday) for year in (day.year, day.year % 100)
    }
    parts = dated_parts(text, lambda number, year: (number, year) in wanted, 32)
    assert any(day == reading.date for start, end in parts for reading in all_dates(text[start:end]))


def test_days_that_nobody_asks_about_are_not_read() -> None:
    """Ids of six digits and days with other years cost no reading."""
    asked = date(2031, 5, 14)
    text = "order 784456 of 31 December 2019, 2018 and the first quarter"
    assert not list(dated_parts(text, lambda day, year: (day, year) == (asked.day, asked.year), 32))
    near = date(2031, 5, 14) + timedelta(days=1)
    assert not list(dated_parts(f"{near:%d %B %Y}", lambda day, year: (day, year) == (14, 2031), 32))


@pytest.mark.parametrize("count", [10, 400])
def test_what_is_encoded_twice_is_found_among_many_codes(count: int) -> None:
    """However many short codes stand beside it, a long one is decoded once more."""
    codes = " ".join(f"{at * 7919 % 65536:04x}{at:04x}" for at in range(count))
    twice = base64.b64encode(base64.b64encode(b"nordwindhafen")).decode()
    views = explore(View(f"{codes} {twice}")).views
    assert any("nordwindhafen" in view.text for view in views)
