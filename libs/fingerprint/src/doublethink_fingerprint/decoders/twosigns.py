"""Codes of two signs, whatever the signs are: Morse, Bacon's and binary code in circles, letters or emoji.

The signs are not known beforehand. A run of groups is looked at in which no more than two different signs stand;
prose has hardly any of five groups. What is written with the usual signs is read by the decoders of those codes too.
"""

from __future__ import annotations

import re

from doublethink_fingerprint.decoders.alphabets import MORSE
from doublethink_fingerprint.decoders.chunk import Chunk, Decoder
from doublethink_fingerprint.decoders.codes import BACON_24, BACON_26
from doublethink_fingerprint.decoders.octets import text_of
from doublethink_fingerprint.decoders.survey import survey

_MIN_GROUPS = 5
_MOST_GROUPS = 400
_LONGEST_GROUP = 8
_LONGEST_SIGN = 5
_MIN_JOINED, _MAX_JOINED = 20, 4000
_REMEMBERED = 1 << 16
_EDGES = ",;\"'"
_BEFORE = "\"'=("
_BETWEEN_WORDS = frozenset("/|,;")
_RUN = re.compile(r"\S+")


def _body(token: str) -> str:
    """A token without the marks behind it and the name of a field before it."""
    body = token.rstrip(_EDGES)
    return body[max(map(body.rfind, _BEFORE)) + 1 :]


class _Signs(dict[str, frozenset[str] | None]):
    """Token -> the one or two signs that it consists of, none for what stands between words, None for any other; filled
    as tokens are met and emptied when it is full."""

    def __missing__(self, token: str) -> frozenset[str] | None:
        body = _body(token)
        signs = frozenset(body)
        known: frozenset[str] | None = None
        if signs <= _BETWEEN_WORDS:
            known = frozenset()
        elif len(signs) <= 2 and (len(body) <= _LONGEST_GROUP or _MIN_JOINED <= len(body) <= _MAX_JOINED):
            known = signs
        if len(token) <= _LONGEST_GROUP + 2:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[token] = known
        return known


_SIGNS = _Signs()


def _is_joined(token: str) -> bool:
    """Whether a token holds so many signs that they are several groups run together."""
    return len(token) >= _MIN_JOINED and len(_body(token)) >= _MIN_JOINED


def _find(text: str) -> list[Chunk]:
    tokens = survey(text).tokens
    signs = [_SIGNS[token] for token in tokens]
    if len(signs) - signs.count(None) < _MIN_GROUPS and not any(map(_is_joined, tokens)):
        return []
    chunks: list[Chunk] = []
    spans: list[tuple[int, int]] | None = None
    for first, last in _runs(tokens, signs):
        readings = _readings([_body(token) for token in tokens[first:last]])
        if readings:
            spans = spans or [match.span() for match in _RUN.finditer(text)]
            if len(spans) == len(tokens):
                chunks.append(Chunk(spans[first][0], spans[last - 1][1], readings))
    return chunks


def _runs(tokens: list[str], signs: list[frozenset[str] | None]) -> list[tuple[int, int]]:
    """Where groups of the same two signs follow each other, as far as they do."""
    found: list[tuple[int, int]] = []
    start, seen = 0, frozenset[str]()
    for at, own in enumerate([*signs, None]):
        together = None if own is None else seen | own
        if together is not None and len(together) <= 2:
            seen = together
            continue
        if len(seen) == 2 and (
            _MIN_GROUPS <= at - start <= _MOST_GROUPS or any(map(_is_joined, tokens[start:at]))
        ):
            found.append((start, at))
        # A word before it may have had the first of the signs only by chance.
        start, seen = (at, own) if own is not None else (at + 1, frozenset())
    return found


def _readings(groups: list[str]) -> str:
    groups = [group for group in groups if group and not _BETWEEN_WORDS.issuperset(group)]
    first, second = sorted(set("".join(groups)))
    read: dict[str, None] = {}
    for zero in (first, second):
        bits = ["".join("0" if sign == zero else "1" for sign in group) for group in groups]
        if max(map(len, bits)) <= _LONGEST_SIGN:
            letters = [MORSE.get(group.translate(_MORSE_SIGNS)) for group in bits]
            if letters.count(None) * 4 <= len(letters):
                read.setdefault("".join(letter or "" for letter in letters))
        whole = "".join(bits)
        if all(len(group) % 5 == 0 for group in bits):
            values = [int(whole[at : at + 5], 2) for at in range(0, len(whole), 5)]
            for alphabet in (BACON_26, BACON_24):
                if max(values) < len(alphabet):
                    read.setdefault("".join(alphabet[value] for value in values))
        for width in (8, 7):
            if all(len(group) % width == 0 for group in bits):
                codes = bytes(int(whole[at : at + width], 2) for at in range(0, len(whole), width))
                if (text := text_of(codes)) is not None:
                    read.setdefault(text)
    return "\n".join(filter(None, read))


_MORSE_SIGNS = str.maketrans("01", ".-")

DECODERS: tuple[Decoder, ...] = (Decoder("twosigns", _find, top_only=3),)
