"""The pack: everything the gate needs to recognise a case's secrets, and none of the secrets."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Kind(IntEnum):
    """Class of a value, as in the case file, plus canaries."""

    CODE = 0
    NAME = 1
    NUMBER = 2
    DATE = 3
    ID = 4
    PHRASE = 5
    CANARY = 6


class Tier(IntEnum):
    """How much a value says, and therefore where it may match. S0 never enters a pack."""

    S1 = 1
    S2 = 2
    S3 = 3


class Form(IntEnum):
    """In what shape of a value a window of symbols was fingerprinted."""

    PLAIN = 0
    PART = 1
    REVERSE = 2
    ROT = 3
    ATBASH = 4
    RAIL = 5
    KEYBOARD = 6
    CONSONANTS = 7
    COLLAPSED = 8
    TYPO = 9
    WORDGAME = 10
    DATE_TEXT = 11
    DIGITS = 12
    DIGITS_CODED = 13
    FRAGMENT = 14


@dataclass(frozen=True, slots=True)
class Value:
    """What is known openly of one confirmed value: its class, how long it is, whether it is an ordinary
    word."""

    kind: Kind
    tier: Tier
    common: bool
    letters: int


@dataclass(frozen=True, slots=True)
class Window:
    """A run of `length` symbols with this digest is form `form` of value `value`.

    `gram` and `tail` are the prefilter's hashes of its first and its last five symbols.
    """

    gram: int
    tail: int
    length: int
    value: int
    form: Form
    digest: bytes


@dataclass(frozen=True, slots=True)
class Piece:
    """A token with this digest is `length` letters of value `value`, starting at letter `start`."""

    value: int
    start: int
    length: int
    common: bool


@dataclass(frozen=True, slots=True)
class NumberMark:
    """A number with this digest is the figure of value `value`, with or without its unit."""

    value: int
    with_unit: bool


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Pack:
    """Keyed fingerprints of one case. Immutable; equal packs have equal bytes.

    Attributes:
        key: 32 random bytes; keeps the rest meaningless, and stays out of `repr`.
        values: per confirmed value, what may be known of it.
        windows: runs of symbols, sorted by `gram`.
        tokens: short values that count as whole tokens only.
        near: token digests with one letter left out.
        scrambled: digests of a token's sorted letters.
        pieces: substrings of values, for splits over calls.
        numbers: figures by value and unit.
        significands: the digits of those figures and of the memo's, without size, and the numbers of days with their
            years; they say where to read.
        dates: calendar days.
        memo_words, memo_numbers: what is rare in the memo.
        public_terms: tokens a person allowed to be searched.
    """

    key: bytes = field(repr=False)
    values: tuple[Value, ...]
    windows: tuple[Window, ...] = field(repr=False)
    tokens: dict[bytes, tuple[int, ...]] = field(repr=False)
    near: dict[bytes, tuple[int, ...]] = field(repr=False)
    scrambled: dict[bytes, tuple[int, ...]] = field(repr=False)
    pieces: dict[bytes, tuple[Piece, ...]] = field(repr=False)
    numbers: dict[bytes, tuple[NumberMark, ...]] = field(repr=False)
    significands: frozenset[bytes] = field(repr=False)
    dates: dict[bytes, tuple[int, ...]] = field(repr=False)
    memo_words: frozenset[bytes] = field(repr=False)
    memo_numbers: frozenset[bytes] = field(repr=False)
    public_terms: frozenset[bytes] = field(repr=False)

    def __hash__(self) -> int:
        return hash(self.key)
