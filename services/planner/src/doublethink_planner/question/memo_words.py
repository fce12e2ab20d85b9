"""Which words of a question may leave: those that the memo does not have, that a person approved, or that are
plain.

The memo goes in here and comes out only as "this word is private". This is the planner's own care; what is
enforced is enforced by the gate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

_TOKEN: Final = re.compile(r"[^\W_](?:[\w&.'/+-]*[^\W_])?")
_POSSESSIVE: Final = re.compile(r"'s?$")
_PERIOD_LIKE: Final = re.compile(r"(?:19|20|21)\d\d|fy\d\d(?:\d\d)?|[qh][1-4]|[1-4][qh]\d\d|\d{1,2}")
_MEMO_CHARS: Final = 262_144


class MemoWords:
    """The words of a memo, and the terms of the case that may be searched."""

    def __init__(self, memo: str, public_terms: Iterable[str]) -> None:
        self._public_terms = tuple(term.strip() for term in public_terms if term.strip())
        self._public = frozenset(part for term in self._public_terms for part in _parts(term))
        self._memo = frozenset(_parts(memo[:_MEMO_CHARS]))

    @property
    def public_terms(self) -> tuple[str, ...]:
        """The approved terms, as the case has them."""
        return self._public_terms

    def is_private(self, word: str) -> bool:
        """Whether the memo has the word, or a part of it, and nothing makes it public."""
        return any(
            part in self._memo and part not in self._public and not _is_plain(part) for part in _parts(word)
        )

    @staticmethod
    def is_plain(word: str) -> bool:
        """Whether the word is one that says nothing about a deal by itself."""
        return all(_is_plain(part) for part in _parts(word))

    def private_in(self, phrase: str) -> bool:
        """Whether any word of the phrase is private."""
        return any(self.is_private(word) for word in phrase.split())

    def public_term_in(self, phrase: str) -> str | None:
        """The longest approved term that stands in the phrase word by word, as the phrase spells it."""
        best: str | None = None
        for term in self._public_terms:
            pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, term.split())) + r"(?!\w)"
            found = re.search(pattern, phrase, re.IGNORECASE)
            if found and (best is None or len(found[0]) > len(best)):
                best = found[0]
        return best


def _parts(text: str) -> Iterable[str]:
    """The words of a text and, of joined ones, their parts: folded, without possessive or plural."""
    for token in _TOKEN.findall(text.replace("\u2019", "'")):
        word = _POSSESSIVE.sub("", token.casefold())
        yield _singular(word)
        if not word.isalnum():
            yield from (_singular(part) for part in re.findall(r"\w+", word) if len(part) > 1)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _is_plain(part: str) -> bool:
    return part in _plain_words() or _PERIOD_LIKE.fullmatch(part) is not None


@cache
def _plain_words() -> frozenset[str]:
    text = files(__package__).joinpath("plain_words.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    words = {word for line in lines for word in line.split()}
    return frozenset(words) | {_singular(word) for word in words}
