"""Long tokens that no word, number or product code looks like: ciphertext, hashes, encodings nobody can read here.

Text in a script that is written nowhere is the same, two bytes to a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_MIN_LENGTH = 16
_HEX = re.compile(r"[0-9a-fA-F]{16,}")
_MIN_FLIP_SHARE = 0.3
# What words and numbers run together consist of: "iPhone15ProMaxCase".
_WORDLIKE = re.compile(r"[A-Z]?[a-z]{2,}|[0-9]{2,}|[A-Z]{3,}")
_UNPRONOUNCEABLE = re.compile(r"(?i)[^aeiouy]{4}|^[^aeiouy]+$")
_MOST_WORDLIKE = 0.75
_LONG_ABBREVIATION = 5
# Without digits it may be words run together that are hard to say: "BerkshireHathaway".
_MOST_WITHOUT_DIGITS = 0.4
# One case of letters and digits, as in base 32: the digits cut words into pieces that nobody can say.
_MIN_ONE_CASE = 24
_MIN_CUTS = 2
_CUT_RUN = re.compile(r"[a-z]+|[0-9]+")
_MOST_CUT = 0.25
# CJK extension A, Yi, Vai, Bamum, Ethiopic, Canadian syllabics, Egyptian, cuneiform and what follows, CJK extension
# B and up: the blocks that encodings of two bytes a character draw from, and that search queries do without.
_RARE = re.compile(
    r"[\u1200-\u139f\u1400-\u167f\u3400-\u4dbf\ua000-\ua4cf\ua500-\ua63f\ua6a0-\ua6ff\U00012000-\U0001342f"
    r"\U00014400-\U0001467f\U00016800-\U00016a3f\U00020000-\U0003ffff]"
)
_MOST_RARE = 2
_EMOJI_RUN = re.compile(r"[\U0001f300-\U0001faff\u2600-\u27bf]{10,}")


def is_blob(token: str) -> bool:
    """Whether a long token mixes classes of symbols in a way no word, number or product code does."""
    # "+" and "/" are symbols of base 64 as well as marks between words.
    for part in (*re.split(r"[-_/=+]", token), re.sub(r"[/=+]", "", token)):
        if len(part) < _MIN_LENGTH or part.replace("-", "").isdigit():
            continue
        if part.isalpha() and (part.islower() or part[1:].islower()):
            continue
        digits = sum(char.isdigit() for char in part)
        if _HEX.fullmatch(part) and digits >= 2:
            return True
        if digits and not any(char in part for char in "-.") and _cut_up(part):
            return True
        # A capital before small letters begins a word ("ProMaxCase"); other changes of class are no words.
        # Hyphens part the groups of a number of a book or an article, and change nothing.
        flips = sum(
            _class(a) != _class(b) and not (a.isupper() and b.islower()) and "-" not in (a, b)
            for a, b in pairwise(part)
        )
        if flips >= _MIN_FLIP_SHARE * len(part):
            return True
        wordlike = sum(len(run) for run in _WORDLIKE.findall(part) if _pronounceable(run))
        most = _MOST_WORDLIKE if digits else _MOST_WITHOUT_DIGITS
        if not part.isupper() and not part.islower() and wordlike < most * len(part):
            return True
    return False


def _cut_up(part: str) -> bool:
    """Whether a long token of one case is letters cut by digits into pieces that are no words, numbers or units."""
    if len(part) < _MIN_ONE_CASE or not (part.isupper() or part.islower()):
        return False
    runs = _CUT_RUN.findall(part.lower())
    if len(runs) <= _MIN_CUTS:
        return False
    odd = sum(len(run) for run in runs if len(run) == 1 or not (run.isdigit() or _sayable(run)))
    return odd > _MOST_CUT * len(part)


def rare_scripts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where text in a script that nobody writes a query in stands, or a long row of pictures."""
    if text.isascii():
        return
    rare = [match.start() for match in _RARE.finditer(text)]
    if len(rare) > _MOST_RARE:
        yield rare[0], rare[-1] + 1
    for match in _EMOJI_RUN.finditer(text):
        if len(set(match[0])) * 2 > len(match[0]):
            yield match.span()


def _class(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.isupper() else 2


def _sayable(run: str) -> bool:
    return len(run) > 2 and not _UNPRONOUNCEABLE.search(run)


def _pronounceable(run: str) -> bool:
    return run.isdigit() or (run.isupper() and len(run) < _LONG_ABBREVIATION) or _sayable(run)
