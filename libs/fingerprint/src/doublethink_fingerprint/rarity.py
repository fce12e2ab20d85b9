"""Which memo words identify the matter: the ones that look like names, and nothing else.

A word is rare when it is no common word and the memo writes it like a name: with a capital inside a sentence,
in capitals, or mixed with digits. Lower-case words are never rare, whatever they are, because the job needs
them
("centrifugal", "thrombosis"); a name that the memo writes only in lower case, or only at the start of
sentences, is therefore missed. Both limits are wanted: without frequency data from outside, a wider rule
would stop ordinary questions.
"""

from __future__ import annotations

import re

from doublethink_fingerprint.commonwords import is_common
from doublethink_fingerprint.fold import folded_text

MAX_RARE_WORDS = 2000
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?:;\n]\W*$")
_MIN_LETTERS = 5


def rare_words(memo: str) -> tuple[str, ...]:
    """Return the folded rare words of a memo in order of first appearance, at most 2,000."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(memo):
        word = match[0].removesuffix("'s").removesuffix("’s")
        if len(word) < _MIN_LETTERS or word.isdigit() or word.islower():
            continue
        if not _looks_like_name(word, memo[max(0, match.start() - 4) : match.start()]):
            continue
        folded = "".join(char for char in folded_text(word) if char.isalnum())
        if len(folded) >= _MIN_LETTERS and not is_common(folded):
            found.setdefault(folded)
            if len(found) == MAX_RARE_WORDS:
                break
    return tuple(found)


def _looks_like_name(word: str, before: str) -> bool:
    has_digit = any(char.isdigit() for char in word)
    if has_digit:
        return any(char.isalpha() for char in word)
    if word.isupper():
        return True
    # A capital after the start says nothing: every first word has one.
    return bool(before.strip()) and not _SENTENCE_END.search(before)
