"""Whether a stretch that begins or ends with a figure cuts a longer one: "52 euros" of "36.52 euros" is none."""

from __future__ import annotations

import re

_DIGITS_BEFORE = re.compile(r"\d[.,'\u2019\u00b7]?\Z")
_DIGITS_AFTER = re.compile(r"[.,'\u2019\u00b7]?\d")
# Thousands set apart by a blank: three digits, and one to three before them.
_GROUP_BEFORE = re.compile(
    r"(?<!\d)\d{1,3}(?:[ \u00a0\u2007\u2009\u202f]\d{3})*[ \u00a0\u2007\u2009\u202f]\Z"
)
_GROUP = re.compile(r"\d{3}(?!\d)")
_LOOKED_BACK = 32
_HASH = re.compile(r"(?i)(?<![0-9a-z])(?=[0-9]*[a-f])[0-9a-f]{32,128}(?![0-9a-z])")
_LONGEST_HASH = 128
_SMALL = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_LARGE = "hundred|thousand|million|billion"
_NUMBER_WORD = re.compile(
    rf"(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:{_SMALL})|{_SMALL})(?![^\W\d_])"
)
_WORD_BEFORE = re.compile(
    rf"(?<![^\W\d_])(?:(?:{_SMALL}|point|{_LARGE})[\s-]{{1,3}}|(?:{_LARGE})\s{{1,3}}and\s{{1,3}})\Z"
)


def touches_a_hash(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` begins or ends within a run as long as a hash."""
    return within_a_hash(text, start, start + 1) or within_a_hash(text, end - 1, end)


def within_a_hash(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is a part of a run as long as a hash."""
    window = _HASH.finditer(text, max(0, start - _LONGEST_HASH), end + _LONGEST_HASH)
    return any(run.start() <= start and end <= run.end() for run in window)


def in_longer_number(text: str, start: int, end: int) -> bool:
    """Return whether the number at the beginning or at the end of `text[start:end]`, if there is one, goes on
    outside of it. `text` is folded; words are read in English.
    """
    before = text[max(0, start - _LOOKED_BACK) : start]
    if text[start : start + 1].isdigit():
        if _DIGITS_BEFORE.search(before):
            return True
        if _GROUP.match(text, start) and _GROUP_BEFORE.search(before):
            return True
    elif _NUMBER_WORD.match(text, start) and _WORD_BEFORE.search(before):
        return True
    return text[end - 1].isdigit() and _DIGITS_AFTER.match(text, end) is not None
