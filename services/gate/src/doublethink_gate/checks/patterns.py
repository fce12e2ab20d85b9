"""Patterns: things that never belong into a request whoever they belong to, found by form and checksum.

The rules are data: `patterns.tsv` has the pack, the name, texts of which one has to be there at all (`hint`), how many
digits have to be there, words of which one has to be there (`words`), the test that a match has to pass, what excuses
it (`unless`), and the form. Forms are public facts: ISO/IEC 7812 (cards), ISO 13616 (IBAN), RFC 7468 (PEM), RFC 7519
(JWT), E.164 (telephone numbers), BIP-39 (seed phrases), RFC 7692 (compressed frames), RFC 3986 (what needs no
percent), the documented prefixes of access keys, the manual of bash, and the control tokens of chat templates.

A rule without words is looked for around what is no plain word; one with words in the whole text that has one of them;
either only where the prefilter has named it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import NamedTuple

from doublethink_fingerprint import View
from doublethink_fingerprint.decoders.survey import Gathered, survey
from doublethink_fingerprint.fold import fold
from doublethink_fingerprint.work import FOREIGN_CHAR, MATCH, spend

from doublethink_gate.checks.checksums import EXCEPTIONS, TESTS
from doublethink_gate.checks.prefilter import Prefilter
from doublethink_gate.checks.seedphrase import has_seed_words

_COLUMNS = ("pack", "name", "hint", "digits", "words", "test", "unless", "form")
_SEED_WORDS = "@seed"
_AROUND = 80
# No form with words reaches farther than this from one of them.
_REACH = 400
# As measured: one form over a text costs an eighth of what all decoders cost.
_CHARS_A_UNIT = 8
_FEW_PARTS = 8
_MANY_DIGITS = 7
# A form that asks for more digits has them all itself; one that asks for fewer may find some beside it.
_ALL_OF_THEM = 11
_BEYOND_ASCII = re.compile("[^\0-\x7f]+")
_NO_DIGITS = bytes(set(range(128)) - set(b"0123456789"))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule: a form, and a test that a match has to pass.

    Attributes:
        hints: one of them has to be in the text, if there are any. digits: so many have to be in it.
        words: one of them has to be a word of the text; without any, only what is no plain word is looked at.
        unless: what excuses a match, given the text before and after it in the payload.
    """

    name: str
    form: re.Pattern[str]
    test: Callable[[str], bool] = bool
    hints: tuple[str, ...] = ()
    digits: int = 0
    words: frozenset[str] = frozenset()
    unless: Callable[[str, str, str], bool] = EXCEPTIONS[""]

    def is_hinted(self, text: str) -> bool:
        """Whether a text has one of the hints, or there are none."""
        for hint in self.hints:
            if hint in text:
                return True
        return not self.hints


def _read() -> dict[str, tuple[Pattern, ...]]:
    lines = (
        resources.files("doublethink_gate.checks").joinpath("patterns.tsv").read_text("utf-8").splitlines()
    )
    packs: dict[str, list[Pattern]] = {}
    for line in lines[1:]:
        row = dict(zip(_COLUMNS, line.split("\t"), strict=True))
        packs.setdefault(row["pack"], []).append(
            Pattern(
                row["name"],
                re.compile(row["form"]),
                TESTS[row["test"]],
                tuple(row["hint"].split(" ")) if row["hint"] else (),
                int(row["digits"] or 0),
                frozenset(row["words"].split()),
                EXCEPTIONS[row["unless"]],
            )
        )
    return {pack: tuple(patterns) for pack, patterns in packs.items()}


PACKS: dict[str, tuple[Pattern, ...]] = _read()
"""Rules by the name of their pack, as the policy selects them."""


_SIGNS = frozenset(["leet2"])
"""Readings that write letters as digits, to be compared with secrets written alike: a word becomes a number in them,
and a host's name something that looks encoded."""


@dataclass(frozen=True, slots=True)
class PatternHit:
    """A rule that matched, where in the payload (characters), and by which decoders."""

    rule: str
    start: int
    end: int
    chain: tuple[str, ...] = field(default=(), compare=False)


def find_patterns(views: tuple[View, ...], packs: tuple[str, ...]) -> Iterator[PatternHit]:
    """Yield every match of the named packs in any view. Raises WorkSpent."""
    seen: set[PatternHit] = set()
    payload = _payload(views[0]) if views else ""
    for view in views:
        if not _SIGNS.isdisjoint(view.chain):
            continue
        for pattern, match in _matches(view, packs):
            if not pattern.test(match[0]):
                continue
            hit = PatternHit(f"pattern.{pattern.name}", *view.span(*match.span()))
            if hit in seen:
                continue
            before, after = (
                payload[max(0, hit.start - _AROUND) : hit.start],
                payload[hit.end : hit.end + _AROUND],
            )
            if not pattern.unless(before, payload[hit.start : hit.end], after):
                seen.add(hit)
                yield replace(hit, chain=view.decoders(*match.span()))


def _matches(view: View, packs: tuple[str, ...]) -> Iterator[tuple[Pattern, re.Match[str]]]:
    """Yield where the forms of the packs stand in a view, and in it with look-alikes as what they pass for."""
    text = view.text
    is_new = view.parent is None or view.first
    spend(len(text) // 2 if is_new else len(text) // 8)
    whole = [(0, len(text))]
    yield from _in_text(text, view.news(), whole if is_new else list(view.changed_parts(_REACH)), packs)
    if not text.isascii():
        spend(FOREIGN_CHAR * len(text))
        plain = _BEYOND_ASCII.sub(lambda run: run[0].translate(_PLAIN), text)
        if plain != text:
            yield from _in_text(plain, survey(plain).stretches, whole, packs)


def _in_text(
    text: str, around_odd: Gathered, parts: Sequence[tuple[int, int]], packs: tuple[str, ...]
) -> Iterator[tuple[Pattern, re.Match[str]]]:
    """Yield the matches around what is no plain word, and of the forms with words in `parts`."""
    look = survey(text)
    without_words, first, by_word, first_by_word = _sorted_patterns(packs)
    stretches = [text[start:end] for start, end in around_odd.parts]
    if len(stretches) > _FEW_PARTS:
        likely = first.candidates_in(stretches)
    else:
        # One scan for all costs less than what a scan of each would leave out.
        every = list(range(len(stretches)))
        likely = dict.fromkeys(first.candidates(around_odd.text), every) if stretches else {}
    if likely:
        digits = _digits_in(around_odd.text)
        counts: list[int] = []
        for at, places in likely.items():
            pattern = without_words[at]
            if digits < pattern.digits:
                continue
            rich = stretches
            if pattern.digits >= _MANY_DIGITS:
                # Only what has enough digits for a number of a card, an account or a person.
                least = pattern.digits if pattern.digits >= _ALL_OF_THEM else _MANY_DIGITS
                counts = counts or list(map(_digits_in, stretches))
                places = [place for place in places if counts[place] >= least]
                rich = [part for part, count in zip(stretches, counts, strict=True) if count >= least]
            if not places or not any(map(pattern.is_hinted, rich)):
                continue
            for place in places:
                for match in pattern.form.finditer(text, *around_odd.parts[place]):
                    spend(MATCH)
                    yield pattern, match
    if has_seed_words(look.tokens):
        for pattern in by_word.get(_SEED_WORDS, ()):
            for match in pattern.form.finditer(text):
                yield pattern, match
    named = {pattern for word in by_word.keys() & look.vocabulary for pattern in by_word[word]}
    if named:
        named &= first_by_word(text)
    lowered = text.lower() if named else ""
    for pattern in sorted(named, key=lambda one: one.name):
        for start, end in _around_words(lowered, len(text), pattern.words & look.vocabulary, parts):
            spend((end - start) // _CHARS_A_UNIT)
            for match in pattern.form.finditer(text, start, end):
                spend(MATCH)
                yield pattern, match


def _digits_in(text: str) -> int:
    return len(text.encode("ascii", "ignore").translate(None, _NO_DIGITS))


def _around_words(
    lowered: str, size: int, words: Iterable[str], parts: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the surroundings of the words in parts of a text in lower case, merged."""
    if len(lowered) != size:
        # Some letters are two in lower case, so that places in it are none of the text.
        yield from parts
        return
    for low, high in parts:
        places = sorted(at for word in words for at in _places_of(lowered, word, low, high))
        start = end = -1
        for at in places:
            if at - _REACH > end:
                if end >= 0:
                    yield start, end
                start = max(low, at - _REACH)
            end = min(high, at + _REACH)
        if end >= 0:
            yield start, end


def _places_of(text: str, word: str, low: int, high: int) -> Iterator[int]:
    at = text.find(word, low, high)
    while at >= 0:
        yield at
        at = text.find(word, at + _REACH // 2, high)


class _Sorted(NamedTuple):
    """The patterns without words and what names the likely ones of them; those with words by each of these, and what
    names the likely ones."""

    without_words: list[Pattern]
    likely: Prefilter
    by_word: dict[str, list[Pattern]]
    likely_by_word: Callable[[str], frozenset[Pattern]]


@cache
def _sorted_patterns(packs: tuple[str, ...]) -> _Sorted:
    around_odd: list[Pattern] = []
    by_word: dict[str, list[Pattern]] = {}
    with_words: list[Pattern] = []
    for pack in packs:
        for pattern in PACKS[pack]:
            if not pattern.words:
                around_odd.append(pattern)
            elif _SEED_WORDS not in pattern.words:
                with_words.append(pattern)
            for word in pattern.words:
                by_word.setdefault(word, []).append(pattern)
    named = Prefilter([pattern.form.pattern for pattern in with_words])
    return _Sorted(
        around_odd,
        Prefilter([pattern.form.pattern for pattern in around_odd]),
        by_word,
        lambda text: frozenset(with_words[at] for at in named.candidates(text)),
    )


def _payload(view: View) -> str:
    while view.parent is not None:
        view = view.parent
    return view.text


class _Plain(dict[int, str]):
    """Character -> what it passes for, its case kept, where that is one character; filled as they are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = fold(char).text if code > 127 else char
        if len(folded) != 1 or not folded.isascii():
            folded = char
        self[code] = folded.upper() if char.isupper() else folded
        return self[code]


_PLAIN = _Plain()
