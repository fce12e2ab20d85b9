"""Which words of a question may leave: those that say nothing of the memo, that a person approved, or that are
plain.

The memo goes in here and comes out only as "this word is private". A memo is mostly ordinary words, and an
ordinary word tells nobody anything; what tells is a name, a number, or a word of deals. This is the planner's
own care; what is enforced is enforced by the gate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from .lexicon import DEAL_PHRASES, DEAL_WORDS

_TOKEN: Final = re.compile(r"[^\W_](?:[\w&.'/+-]*[^\W_])?")
_POSSESSIVE: Final = re.compile(r"'s?$")
_PERIOD_LIKE: Final = re.compile(r"(?:19|20|21)\d\d|fy\d\d(?:\d\d)?|[qh][1-4]|[1-4][qh]\d\d|\d{1,2}")
_MEMO_CHARS: Final = 262_144
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;\n\r\t|>])[\s\"'(\[*#\u2022\u2013\u2014-]*$")
_CODE_NAME: Final = re.compile(
    r"\b(?:code[- ]?named?|codeword|project|known as|called)[\s:\"'(]*$", re.IGNORECASE
)
"""What stands before a code name, which may be written small."""


class MemoWords:
    """The words of a memo that would say something of it, and the terms of the case that may be searched."""

    def __init__(self, memo: str, public_terms: Iterable[str]) -> None:
        self._public_terms = tuple(term.strip() for term in public_terms if term.strip())
        self._public = frozenset(part for term in self._public_terms for part in _parts(term))
        text = memo[:_MEMO_CHARS]
        names: set[str] = set()
        doubtful: set[str] = set()
        for token, capital, opening in _tokens(text):
            parts = set(_parts(token))
            if any(character.isdigit() for character in token) or (capital and not opening):
                names |= parts
            elif capital:
                doubtful |= parts
            else:
                names |= parts & DEAL_WORDS
        names |= doubtful & DEAL_WORDS
        if not any(not opening and token != token.lower() for token, _, opening in _tokens(text)):
            # A memo written small throughout does not say which of its words are names.
            names |= set(_parts(text))
        self._names = frozenset(names)
        self._doubtful = frozenset(doubtful - names)
        flat = list(_flat(text))
        self._phrases = tuple(phrase for phrase in DEAL_PHRASES if _stands_in(phrase, flat))

    @property
    def public_terms(self) -> tuple[str, ...]:
        """The approved terms, as the case has them."""
        return self._public_terms

    def is_private(self, word: str) -> bool:
        """Whether the memo has the word, or a part of it, as a name, a number or a word of deals, and nothing
        makes it public. A word that the memo has with a capital only where a sentence begins is a name if the
        question gives it one too.
        """
        known = self._names | self._doubtful if word[:1].isupper() else self._names
        return any(
            part in known and part not in self._public and not _is_plain(part) for part in _parts(word)
        )

    @staticmethod
    def is_plain(word: str) -> bool:
        """Whether the word is one that says nothing about a deal by itself."""
        return all(_is_plain(part) for part in _parts(word))

    def private_in(self, phrase: str) -> bool:
        """Whether any word of the phrase is private, or words of deals stand together in it as in the memo."""
        if any(self.is_private(word) for word in phrase.split()):
            return True
        if not self._phrases:
            return False
        flat = list(_flat(phrase))
        return any(_stands_in(known, flat) for known in self._phrases)

    def public_term_in(self, phrase: str) -> str | None:
        """The longest approved term that stands in the phrase word by word, as the phrase spells it."""
        best: str | None = None
        for term in self._public_terms:
            pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, term.split())) + r"(?!\w)"
            found = re.search(pattern, phrase, re.IGNORECASE)
            if found and (best is None or len(found[0]) > len(best)):
                best = found[0]
        return best


def _tokens(text: str) -> Iterator[tuple[str, bool, bool]]:
    """The memo's words: whether each has a capital that tells, and whether that is merely a sentence's first.

    A word behind "codename" counts as written large.
    """
    for found in _TOKEN.finditer(text):
        token, before = found[0], text[max(0, found.start() - 24) : found.start()]
        if _CODE_NAME.search(before):
            yield token, True, False
            continue
        inner = any(character.isupper() for character in token[1:])
        yield token, token[0].isupper() or inner, not inner and _SENTENCE_START.search(before) is not None


def _flat(text: str) -> Iterator[str]:
    """The words in order, folded, one each."""
    for token in _TOKEN.findall(text.replace("\u2019", "'")):
        yield _singular(_POSSESSIVE.sub("", token.casefold()))


def _stands_in(phrase: tuple[str, ...], flat: list[str]) -> bool:
    first, length = phrase[0], len(phrase)
    return any(word == first and tuple(flat[at : at + length]) == phrase for at, word in enumerate(flat))


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
