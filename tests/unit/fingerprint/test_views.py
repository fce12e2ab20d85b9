"""Views decode what independent encoders wrote, never fail, and keep their place in the payload."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import quopri
import random
import re
import string
import urllib.parse
import zlib
from collections.abc import Callable

import pytest
from doublethink_fingerprint import View, explore, marks, prepare
from doublethink_fingerprint.decoders import DECODERS, alphabets, base_n, codes, escapes, leet, packed
from doublethink_fingerprint.decoders.survey import odd_and_words, odd_matches, stretch_matches, survey
from doublethink_fingerprint.errors import Unreadable
from doublethink_fingerprint.fold import fold
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = st.text(string.ascii_letters, min_size=8, max_size=20)

ENCODERS: dict[str, Callable[[str], str]] = {
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "base64 of utf-16": lambda s: base64.b64encode(s.encode("utf-16-le")).decode(),
    "base64 of gzip": lambda s: base64.b64encode(gzip.compress(s.encode())).decode(),
    "base64 of zlib": lambda s: base64.b64encode(zlib.compress(s.encode())).decode(),
    "base64 twice": lambda s: base64.b64encode(base64.b64encode(s.encode())).decode(),
    "base32": lambda s: base64.b32encode(s.encode()).decode(),
    "base85": lambda s: base64.b85encode(s.encode()).decode(),
    "ascii85": lambda s: base64.a85encode(s.encode()).decode(),
    "hex": lambda s: s.encode().hex(),
    "hex with colons": lambda s: s.encode().hex(":"),
    "percent": lambda s: "".join(f"%{byte:02x}" for byte in s.encode()),
    "percent twice": lambda s: urllib.parse.quote("".join(f"%{byte:02x}" for byte in s.encode())),
    "entities": lambda s: "".join(f"&#{ord(c)};" for c in s),
    "json escapes": lambda s: "".join(f"\\u{ord(c):04x}" for c in s),
    "octal escapes": lambda s: "".join(f"\\{ord(c):03o}" for c in s),
    "quoted-printable": lambda s: "".join(f"={byte:02X}" for byte in s.encode()),
    "binary": lambda s: " ".join(f"{byte:08b}" for byte in s.encode()),
    "decimal": lambda s: " ".join(map(str, s.encode())),
    "uuencode": lambda s: binascii.b2a_uu(s.encode()).decode().rstrip("\n"),
    "letter numbers": lambda s: " ".join(str(ord(c) - 96) for c in s.lower()),
}


@pytest.mark.parametrize("name", ENCODERS)
@settings(max_examples=25, deadline=None)
@given(word=WORDS)
def test_what_was_encoded_is_decoded(name: str, word: str) -> None:
    """Any run of letters is found again in some view of its encoding."""
    views = explore(View(f"see {ENCODERS[name](word)} here")).views
    assert any(word.lower() in view.text.lower().replace("\x00", "") for view in views)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_views(text: str) -> None:
    """Every text can be explored; spans of every view lie in it and keep their order."""
    explored = explore(View(text))
    for view in explored.views:
        for start in range(0, len(view.text), max(1, len(view.text) // 5)):
            low, high = view.span(start, min(len(view.text), start + 3))
            assert 0 <= low <= high <= len(text)
    prepare(explored)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_decoders(data: bytes) -> None:
    """Arbitrary bytes behind base64 and hex, and as Latin-1, never raise out of a decoder."""
    for text in (
        base64.b64encode(data).decode(),
        data.hex(),
        data.decode("latin-1"),
        base64.b85encode(data).decode(),
    ):
        for decoder in DECODERS:
            try:
                chunks = decoder.find(text)
            except Unreadable:
                continue
            at = 0
            for chunk in chunks:
                assert at <= chunk.start <= chunk.end <= len(text)
                at = chunk.end


def test_a_decoded_view_points_to_the_encoded_stretch() -> None:
    """The span of something decoded is where its encoding stands, through two layers."""
    inner = base64.b64encode(b"Quillfeather").decode()
    outer = inner.encode().hex()
    text = f"a word {outer} and more"
    view = next(v for v in explore(View(text)).views if "Quillfeather" in v.text)
    at = view.text.index("Quillfeather")
    assert view.span(at, at + 12) == (7, 7 + len(outer))


def test_a_budget_that_is_spent_is_reported() -> None:
    """More layers than are followed make the payload unreadable rather than unread."""
    text = "Quillfeather"
    for _ in range(9):
        text = base64.b64encode(text.encode()).decode()
    assert explore(View(text)).unreadable


def test_a_bomb_is_reported() -> None:
    """Data that swells beyond a mebibyte is unreadable, not inflated."""
    bomb = base64.b64encode(gzip.compress(b"\0" * (2 << 20))).decode()
    assert "compressed" in explore(View(bomb)).unreadable


def test_ordinary_text_has_few_views() -> None:
    """A plain sentence is hardly decoded at all, and nothing about it is unreadable."""
    explored = explore(View("What was the net revenue of the company in the year ended December 31, 2019?"))
    assert not explored.unreadable
    assert len(explored.views) <= 6


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_folding_keeps_the_way_back(text: str) -> None:
    """Every folded character comes from a character of the source, in order."""
    folded = fold(text)
    places = [folded.source_index(at) for at in range(len(folded.text))]
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ｎｏｒｄ", "nord"),
        ("𝐍𝐨𝐫𝐝", "nord"),
        ("Ⓝⓞⓡⓓ", "nord"),
        ("ɴᴏʀᴅ", "nord"),
        ("nо\u0337rd", "nord"),
        ("no\u00adr\u200bd", "nord"),
        ("NORDİ", "nordi"),
        ("Straße", "strasse"),
        ("ﬁrst", "first"),
        ("٤٢", "42"),
        ("é", "e"),
        ("🇳🇴", "no"),
    ],
)
def test_look_alikes_fold_to_what_they_look_like(text: str, folded: str) -> None:
    """Compatibility forms, look-alikes, marks and invisible characters fold to plain letters."""
    assert fold(text).text == folded


def test_a_script_is_read_by_sound_too() -> None:
    """Cyrillic letters fold one way by look and another by sound."""
    assert fold("Нордвинд", by_sound=True).text == "nordvind"
    assert fold("сору").text == "copy"


def test_unescaping_matches_the_standard_library() -> None:
    """Entities and quoted-printable decode as the standard library does."""
    text = "caf&eacute; &amp; cr&#232;me"
    assert any(html.unescape(text) == view.text for view in explore(View(text)).views)
    quoted = quopri.encodestring("Quillfeather größe".encode()).decode()
    assert any("größe" in view.text for view in explore(View(quoted)).views)


@pytest.mark.parametrize("text", ["x" * 9000, "&#65;" * 9000, "word " * 60_000])
def test_what_is_too_long_to_take_apart_is_reported(text: str) -> None:
    """A run longer than any in prose, at once or after decoding, and a text beyond 256 KiB are unreadable."""
    assert "budget" in explore(View(text)).unreadable


@given(st.text(string.ascii_lowercase, min_size=6, max_size=14), st.randoms(use_true_random=False))
def test_hex_is_read_wherever_it_is_cut(word: str, source: random.Random) -> None:
    """Separators may stand within the two digits of a byte."""
    digits, parts, at = word.encode().hex(), [], 0
    while at < len(digits):
        size = source.choice([1, 2, 3, 5])
        parts.append(digits[at : at + size])
        at += size
    cut = source.choice([" ", "-", ":", ".", ", "]).join(parts)
    assert any(word in view.text for view in explore(View(f"see {cut} here")).views)


@given(st.text(string.ascii_lowercase, min_size=5, max_size=14))
def test_keys_of_a_telephone_are_read(word: str) -> None:
    """Each key pressed as often as the letter's place on it."""
    groups = ("abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz")
    presses = []
    for char in word:
        key = next(at for at, letters in enumerate(groups) if char in letters)
        presses.append(str(key + 2) * (groups[key].index(char) + 1))
    assert any(word in view.text for view in explore(View(f"call {' '.join(presses)} now")).views)


@given(st.integers(0, 4_000), st.integers(0, 4_000), st.text(string.ascii_letters, min_size=9, max_size=16))
def test_a_decoded_stretch_of_a_long_text_keeps_what_is_around_it(before: int, after: int, word: str) -> None:
    """What stands on either side of an encoding is in the same view as what it says, and spans lead back to it."""
    encoded = "".join(f"%{ord(char):02x}" for char in word)
    text = "plain " * (before // 6) + f"left{encoded}right " + "words " * (after // 6)
    views = [view for view in explore(View(text)).views if f"left{word}right" in view.text]
    assert views
    for view in views:
        at = view.text.index(f"left{word}right")
        start, end = view.span(at, at + len(word) + 9)
        assert text[start:end] == f"left{encoded}right"


@given(
    st.lists(st.sampled_from(["plain", "3", "2019", "Wq7x", "4e6f", "x", "I", "(and", "end)."]), max_size=40)
)
def test_every_run_is_plain_or_odd(words: list[str]) -> None:
    """Odd runs are whole runs, in order; a stretch begins and ends where a run does and holds its odd runs."""
    text = " ".join(words)
    seen = survey(text)
    runs = {(match.start(), match.end()) for match in re.finditer(r"\S+", text)}
    assert all((run.start, run.end) in runs and text[run.start : run.end] == run.text for run in seen.odd)
    assert [run.start for run in seen.odd] == sorted(run.start for run in seen.odd)
    for run in seen.odd:
        assert any(start <= run.start and run.end <= end for start, end in seen.stretches.parts)
    assert {run.text for run in seen.odd} <= {"3", "2019", "Wq7x", "4e6f", "x"}


FORMS = [
    form
    for module in (alphabets, base_n, codes, escapes, leet, packed)
    for form in vars(module).values()
    if isinstance(form, re.Pattern)
]
FORMS_OF_RUNS = [
    form
    for module, names in (
        (base_n, ("_B64_TOKEN", "_B32_TOKEN")),
        (packed, ("_ALNUM", "_DENSE")),
        (leet, ("_MIXED", "_SYMBOLIC")),
        (marks, ("_HEX", "_BASE64")),
    )
    for name in names
    if isinstance(form := vars(module)[name], re.Pattern)
]
PARTS = [
    "plain",
    "words",
    "3",
    "2019?",
    "Wq7x",
    "4e6f",
    "=4E=6F",
    "%41",
    ".-",
    "-.",
    "0101",
    "x@y",
    "Tm9y",
    "\n",
    "W9é",
    "\u3000",
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_a_search_over_all_parts_at_once_finds_what_a_search_of_each_finds(words: list[str]) -> None:
    """Every form matches in stretches what it matches in each of them, and one that does not reach over white space
    in all odd runs what it matches in each.
    """
    text = " ".join(words)
    seen = survey(text)
    for form in set(FORMS) - {base_n._HEX_TOKEN}:
        each = [m.span() for part in seen.stretches.parts for m in form.finditer(text, *part)]
        assert [match.span() for match in stretch_matches(form, text)] == each
    for form in FORMS_OF_RUNS:
        runs = [m.span() for run in seen.odd for m in form.finditer(text, run.start, run.end)]
        assert [(run.start, run.end) for run in odd_matches(form, text)] == runs


@given(
    st.lists(
        st.sampled_from(["Plainword", "plainword", "other", "Wq7x-4e6f", "(plainword)", "İx"]), max_size=20
    )
)
def test_words_are_found_wherever_they_stand(words: list[str]) -> None:
    """Runs that have one of some words are searched beside the odd ones, in order and each once."""
    text = " ".join(words)
    found = odd_and_words(re.compile(r"[A-Za-z0-9]{7,}"), ["plainword"], text)
    spans = [(run.start, run.end) for run in found]
    wanted = [match.span() for match in re.finditer(r"(?i)plainword", text)]
    assert spans == sorted(set(spans))
    assert set(wanted) <= set(spans)
