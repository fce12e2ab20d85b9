"""Build a pack from what a person confirmed. Runs where the memo is, never in the gate."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Protocol

import numpy as np

from doublethink_fingerprint import datespelling, limits, numberspelling, phonetic, spelling
from doublethink_fingerprint.commonwords import is_common
from doublethink_fingerprint.errors import BuildError, TooShort
from doublethink_fingerprint.fold import folded_text
from doublethink_fingerprint.givennames import is_given_name
from doublethink_fingerprint.keyed import GRAM, digest, gram_hashes, gram_multipliers, new_key
from doublethink_fingerprint.marks import hashes_of
from doublethink_fingerprint.numbers import dates_in, day_and_year, figures_of, memo_figures, number_digests
from doublethink_fingerprint.pack import Form, Kind, NumberMark, Pack, Piece, Tier, Value, Window
from doublethink_fingerprint.rarity import rare_words
from doublethink_fingerprint.tokens import TOKEN

_LEAD_WORDS = frozenset(
    ["project", "operation", "projekt", "operacion", "code", "name", "codename", "codeword", "initiative"]
)
_MIN_PART = 5
_MIN_NAME_PART = 6
_MIN_NEAR = 8
_MIN_CONSONANTS = 5
_MIN_KEYS = 7
_MAX_TURNED_WORDS = 8
_FRAGMENT = 8
_WHOLE_DAY = 8
_MIN_PIECE = 3
_ENDINGS = ("", "s", "n")
_LETTERS_OR_AMPERSAND = re.compile(r"[^\W\d_]+|&")


class SecretLike(Protocol):
    """What `build_pack` needs of a secret; the case file's `Secret` has it."""

    @property
    def secret_class(self) -> str:
        """Class name as in the case file."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """The value and its aliases."""


def build_pack(
    secrets: Sequence[SecretLike],
    *,
    canaries: Sequence[str] = (),
    memo: str = "",
    public_terms: Sequence[str] = (),
    key: bytes | None = None,
) -> Pack:
    """Fingerprint every secret, every canary and the memo's rare words under a fresh key.

    Raises:
        TooShort: a value would stop far too many ordinary requests on its own.
        BuildError: a bound is exceeded, or a date cannot be read as one.
    """
    if len(secrets) + len(canaries) > limits.VALUES or len(memo) > limits.MEMO_CHARS:
        raise BuildError("more secrets or a longer memo than one pack may hold")
    builder = _Builder(key or new_key())
    for position, secret in enumerate(secrets, start=1):
        kind = Kind[str(secret.secret_class).upper()]
        for value in secret.spellings:
            if len(value) > limits.VALUE_CHARS:
                raise BuildError(f"secret {position} is longer than {limits.VALUE_CHARS} characters")
            builder.add(kind, value, position)
    for canary in canaries:
        builder.add_canary(canary)
    builder.add_public(public_terms)
    builder.add_memo(memo)
    return builder.finish()


def looked_for_alone(kind: Kind, words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return what of a value's folded words is looked for beside the whole: the bare name behind "Project X", and the
    uncommon words of a person's or company's name.
    """
    if kind is Kind.CODE:
        rest = tuple(word for word in words if word not in _LEAD_WORDS)
        alone = (rest,) if rest != words and len("".join(rest)) >= _MIN_PIECE else ()
        # A name with a number to it is often said without.
        bare = tuple(filter(None, (_letters(word) for word in rest)))
        if bare == rest or len("".join(bare)) < _MIN_NAME_PART or all(map(is_common, bare)):
            return alone
        return (*alone, bare)
    if kind is Kind.NAME and len(words) > 1:
        return tuple(
            (word,)
            for word in map(_letters, words)
            if len(word) >= _MIN_NAME_PART and not is_common(word) and not is_given_name(word)
        )
    return ()


@dataclass(slots=True)
class _Builder:
    key: bytes
    values: list[Value] = field(default_factory=list)
    windows: dict[tuple[str, int, Form], None] = field(default_factory=dict)
    tokens: dict[bytes, set[int]] = field(default_factory=dict)
    near: dict[bytes, set[int]] = field(default_factory=dict)
    scrambled: dict[bytes, set[int]] = field(default_factory=dict)
    pieces: dict[bytes, set[tuple[int, int, int, bool]]] = field(default_factory=dict)
    numbers: dict[bytes, set[tuple[int, bool]]] = field(default_factory=dict)
    significands: set[bytes] = field(default_factory=set)
    dates: dict[bytes, set[int]] = field(default_factory=dict)
    memo_words: set[bytes] = field(default_factory=set)
    memo_numbers: set[bytes] = field(default_factory=set)
    terms: set[bytes] = field(default_factory=set)

    def add(self, kind: Kind, value: str, position: int) -> None:
        before = (len(self.windows), len(self.tokens), len(self.numbers), len(self.dates))
        if kind is Kind.NUMBER:
            self._add_number(value, kind)
        elif kind is Kind.DATE:
            self._add_date(value, position)
        else:
            self._add_text(kind, value)
        if before == (len(self.windows), len(self.tokens), len(self.numbers), len(self.dates)):
            raise TooShort(position, kind.name.lower())

    def add_canary(self, canary: str) -> None:
        symbols = "".join(char for char in folded_text(canary) if char.isalnum())
        at = self._value(Kind.CANARY, Tier.S3, symbols)
        self._windows(at, symbols, plain=Form.PLAIN, ciphers=True)
        for start in range(len(symbols) - _FRAGMENT + 1):
            self._window(symbols[start : start + _FRAGMENT], at, Form.FRAGMENT)

    def add_public(self, terms: Iterable[str]) -> None:
        for term in terms:
            for word in TOKEN.findall(folded_text(term)):
                self.terms.add(self._token(word))

    def add_memo(self, memo: str) -> None:
        for word in rare_words(memo):
            if self._token(word) not in self.terms:
                self.memo_words.add(self._token(word))
        for value in memo_figures(memo):
            self.memo_numbers.add(digest(self.key, b"number", value))
            self._significand(value)

    def finish(self) -> Pack:
        windows = self._finished_windows()
        entries = sum(len(v) for table in (self.tokens, self.near, self.scrambled) for v in table.values())
        if (
            len(windows) > limits.WINDOWS
            or entries > limits.TOKEN_ENTRIES
            or len(self.values) > limits.VALUES
        ):
            raise BuildError("the secrets and aliases together make a pack beyond its bounds: confirm fewer")
        return Pack(
            key=self.key,
            values=tuple(self.values),
            windows=windows,
            tokens=_sorted(self.tokens),
            near=_sorted(self.near),
            scrambled=_sorted(self.scrambled),
            pieces={d: tuple(Piece(*fields) for fields in sorted(found)) for d, found in self.pieces.items()},
            numbers={d: tuple(NumberMark(*fields) for fields in sorted(f)) for d, f in self.numbers.items()},
            significands=frozenset(self.significands),
            dates=_sorted(self.dates),
            memo_words=frozenset(self.memo_words),
            memo_numbers=frozenset(self.memo_numbers),
            public_terms=frozenset(self.terms),
        )

    def _hashes(self, at: int, value: str) -> None:
        for hashed in hashes_of(value):
            self.tokens.setdefault(digest(self.key, b"hash", hashed), set()).add(at)

    def _add_text(self, kind: Kind, value: str) -> None:
        folded = folded_text(value)
        words = tuple(TOKEN.findall(folded))
        symbols = "".join(words)
        if len(symbols) < _MIN_PIECE:
            return
        common = all(is_common(word) or word.isdigit() for word in words)
        if len(symbols) < GRAM:
            self._add_short(kind, symbols, common)
            return
        tier = Tier.S3 if len(symbols) > 6 or kind is Kind.ID else Tier.S2
        at = self._value(kind, tier, symbols, common=common and len(words) < 3)
        self._hashes(at, value)
        self._windows(at, symbols, plain=Form.PLAIN, ciphers=True, raw=_raw_symbols(value))
        if symbols.isalpha():
            self._letter_forms(at, symbols, single=len(words) == 1)
            if 1 < len(words) <= _MAX_TURNED_WORDS and kind is not Kind.PHRASE:
                for played in spelling.word_games(words):
                    self._window(played, at, Form.WORDGAME)
            for order in spelling.name_orders(tuple(_LETTERS_OR_AMPERSAND.findall(folded)), is_common):
                if kind is not Kind.PHRASE:
                    self._window(order, at, Form.PLAIN)
        if 1 < len(words) <= _MAX_TURNED_WORDS:
            for turned in spelling.turned_words(words):
                self._window(turned, at, Form.REVERSE)
        if kind in (Kind.CODE, Kind.NAME):
            self._add_parts(kind, words, value)
        if kind is Kind.PHRASE:
            spelled = [spelling.number_in_words(int(w)) if w.isdigit() and len(w) < 4 else w for w in words]
            self._window("".join(spelled), at, Form.PLAIN)
            for said in numberspelling.spoken_prices(value):
                self._window(said, at, Form.PLAIN)
            self._add_number(value, kind)
            for day in dates_in(value):
                self._where_to_read(day)
                self.dates.setdefault(digest(self.key, b"date", day.isoformat().encode()), set()).add(at)

    def _add_short(self, kind: Kind, symbols: str, common: bool) -> None:
        if symbols.isdigit():
            return
        at = self._value(kind, Tier.S1, symbols, common=common)
        for word in {
            symbols,
            symbols[::-1],
            spelling.leet_classes(symbols) if symbols.isalpha() else symbols,
        }:
            self.tokens.setdefault(self._token(word), set()).add(at)

    def _add_parts(self, kind: Kind, words: tuple[str, ...], value: str) -> None:
        """The bare name behind "Project X", and the uncommon words of a person's or company's name."""
        alone = looked_for_alone(kind, words)
        for part in alone if kind is Kind.CODE else ():
            rest = "".join(part)
            common = all(is_common(word) for word in part)
            if len(rest) >= _MIN_PART:
                at = self._value(kind, Tier.S3 if len(rest) > 6 else Tier.S2, rest, common=common)
                self._windows(at, rest, plain=Form.PLAIN, ciphers=True)
                if rest.isalpha():
                    self._letter_forms(at, rest, single=True)
            elif len(rest) >= _MIN_PIECE:
                self._add_short(kind, rest, common)
        if kind is Kind.NAME:
            raw = {_symbols(word): word for word in _LETTERS_OR_AMPERSAND.findall(value.casefold())}
            for (word,) in alone:
                at = self._value(kind, Tier.S3 if len(word) > 6 else Tier.S2, word)
                self._windows(at, word, plain=Form.PART, ciphers=True, raw=raw.get(word, ""))
                self._letter_forms(at, word, single=True)

    def _letter_forms(self, at: int, letters: str, *, single: bool) -> None:
        if letters != spelling.collapsed(letters) and not is_common(spelling.collapsed(letters)):
            self._window(spelling.collapsed(letters), at, Form.COLLAPSED)
        for bones in {spelling.consonants(letters), spelling.consonants(letters).replace("y", "")}:
            if len(bones) >= _MIN_CONSONANTS:
                self._window(bones, at, Form.CONSONANTS)
        if len(letters) >= _MIN_KEYS:
            self._window(spelling.telephone_keys(letters), at, Form.DIGITS_CODED)
        typos = [
            *spelling.merged_letters(letters),
            *(spelling.swaps(letters) if len(letters) >= _MIN_NEAR else ()),
        ]
        for typo in typos:
            # What is an ordinary word, or one with an ending behind it, was not meant to be the value.
            if not any(is_common(typo + ending) for ending in _ENDINGS):
                self._window(typo, at, Form.TYPO)
        if not single:
            return
        if len(letters) >= _MIN_NAME_PART and letters.isascii():
            for skeleton in phonetic.skeletons(letters):
                self.tokens.setdefault(digest(self.key, b"sound", skeleton.encode()), set()).add(at)
        for game in spelling.word_games((letters,)):
            self._window(game, at, Form.WORDGAME)
        if len(letters) >= _MIN_NEAR:
            for shorter in {letters, *spelling.left_out(letters)}:
                self.near.setdefault(digest(self.key, b"near", shorter.encode()), set()).add(at)
            bag = spelling.scrambled(letters).encode()
            self.scrambled.setdefault(digest(self.key, b"sorted", bag), set()).add(at)

    def _windows(self, at: int, symbols: str, *, plain: Form, ciphers: bool, raw: str = "") -> None:
        """Fingerprint symbols plain and turned. `raw` are the same as they are written, marks on letters kept: a
        program that shifts letters leaves those with marks as they are, and reverses before anybody folds.
        """
        self._window(symbols, at, plain)
        if symbols.isdigit():
            self._window(symbols[::-1], at, Form.REVERSE)
            self._digit_codes(at, symbols)
        else:
            for written in dict.fromkeys((symbols, raw or symbols)):
                self._turned(at, written, ciphers=ciphers, kind=self.values[at].kind)
            if ciphers and symbols.isalpha() and (leet := spelling.leet_classes(symbols)) != symbols:
                self._window(leet, at, plain)
        self._pieces(at, symbols, figured=self.values[at].kind is Kind.PHRASE and not symbols.isalpha())

    def _turned(self, at: int, written: str, *, ciphers: bool, kind: Kind) -> None:
        self._window(_symbols(written[::-1]), at, Form.REVERSE)
        half = len(written) // 2
        self._window(_symbols(written[:half][::-1] + written[half:][::-1]), at, Form.REVERSE)
        if not ciphers:
            return
        for form, shapes in (
            (Form.ROT, spelling.caesar(written)),
            (Form.ATBASH, (spelling.atbash(written),)),
        ):
            for shape in shapes:
                self._window(_symbols(shape), at, form)
                self._window(_symbols(shape[::-1]), at, form)
        for fenced in spelling.rail_fences(written):
            self._window(_symbols(fenced), at, Form.RAIL)
        for typed in itertools.chain(spelling.keyboard_shifts(written), spelling.other_layouts(written)):
            self._window(_symbols(typed), at, Form.KEYBOARD)
        if any(char.isdigit() for char in written):
            for shifted in spelling.digit_shifts(written):
                # A phrase of the same words with other digits is another phrase.
                if kind is Kind.PHRASE and _letters(shifted) == _letters(written):
                    continue
                self._window(_symbols(shifted), at, Form.ROT)

    def _digit_codes(self, at: int, digits: str) -> None:
        self._window(digits.translate(str.maketrans("0123456789", "5678901234")), at, Form.DIGITS_CODED)

    def _add_number(self, value: str, kind: Kind) -> None:
        figures = figures_of(value)
        for figure in figures:
            if figure.too_weak(in_phrase=kind is Kind.PHRASE):
                continue
            symbols = figure.digits
            tier = Tier.S3 if figure.significant >= GRAM else Tier.S2 if figure.significant > 2 else Tier.S1
            at = self._value(kind, tier, symbols)
            self._significand(figure.canonical)
            for number_digest, with_unit in number_digests(self.key, figure):
                self.numbers.setdefault(number_digest, set()).add((at, with_unit))
            if kind is Kind.NUMBER:
                self._as_it_stands(at, value)
                self._hashes(at, value)
                self._number_spellings(at, figure.value)
            # A phrase is found by its words or by its figure with the unit; its bare digits say too little.
            if kind is Kind.NUMBER and len(symbols) >= GRAM:
                self._window(symbols, at, Form.DIGITS)
                self._window(symbols[::-1], at, Form.DIGITS_CODED)
                self._digit_codes(at, symbols)

    def _number_spellings(self, at: int, value: Decimal) -> None:
        for spellings in (
            numberspelling.scaled_spellings(value),
            numberspelling.spoken_spellings(value),
            numberspelling.in_other_bases(value),
            numberspelling.korean_spellings(value),
        ):
            for spelled in spellings:
                self._window(spelled, at, Form.DATE_TEXT)

    def _as_it_stands(self, at: int, value: str) -> None:
        """The text of a figure as the case has it, with its unit, turned or shifted as a whole."""
        raw = "".join(char for char in value.casefold() if char.isalnum())
        for turned in (raw[::-1], *spelling.digit_shifts(raw)):
            symbols = _symbols(turned)
            # Of digits alone it would be another number.
            if any(char.isalpha() for char in symbols):
                self._window(symbols, at, Form.DATE_TEXT)

    def _add_date(self, value: str, position: int) -> None:
        days = dates_in(value)
        if not days:
            raise BuildError(f"secret {position} (class date) is not a calendar day: write it as 2027-02-14")
        for day in days:
            at = self._value(Kind.DATE, Tier.S3, "00000000")
            self._hashes(at, value)
            self._where_to_read(day)
            self.dates.setdefault(digest(self.key, b"date", day.isoformat().encode()), set()).add(at)
            for digits in set(datespelling.digit_spellings(day)):
                if len(digits) >= GRAM:
                    self._window(digits, at, Form.DIGITS)
                    self._window(digits[::-1], at, Form.DIGITS_CODED)
                if len(digits) == _WHOLE_DAY:
                    self._digit_codes(at, digits)
            for text in set(datespelling.word_spellings(day)):
                self._window(text, at, Form.DATE_TEXT)

    def _where_to_read(self, day: date) -> None:
        for number in (day.day, day.timetuple().tm_yday):
            for year in (day.year, day.year % 100):
                self.significands.add(day_and_year(self.key, number, year))

    def _significand(self, canonical: bytes) -> None:
        self.significands.add(digest(self.key, b"significand", canonical.partition(b"e")[0]))

    def _value(self, kind: Kind, tier: Tier, symbols: str, *, common: bool = False) -> int:
        self.values.append(Value(kind, tier, common, len(symbols)))
        return len(self.values) - 1

    def _window(self, symbols: str, value: int, form: Form) -> None:
        if len(symbols) >= GRAM:
            self.windows.setdefault((symbols, value, form))

    def _token(self, word: str) -> bytes:
        return digest(self.key, b"token", word.encode())

    def _pieces(self, at: int, symbols: str, *, figured: bool) -> None:
        """Fingerprint the pieces of a value. Of a phrase with a figure (`figured`) only those that have some of it say
        which one is meant: the words beside it stand beside any other figure as well.
        """
        if not GRAM <= len(symbols) <= limits.PIECE_VALUE_LETTERS:
            return
        for start in range(len(symbols)):
            for end in range(start + _MIN_PIECE, len(symbols) + 1):
                piece = symbols[start:end]
                if end - start < len(symbols):
                    found = self.pieces.setdefault(self._token(piece), set())
                    found.add((at, start, end - start, is_common(piece) or (figured and piece.isalpha())))

    def _finished_windows(self) -> tuple[Window, ...]:
        multipliers = gram_multipliers(self.key)
        # The same digest under two forms of one value is kept once, under the form that matches most freely.
        best: dict[tuple[bytes, int], Window] = {}
        for symbols, value, form in self.windows:
            codes = np.frombuffer(symbols.encode("utf-32-le"), dtype="<u4")
            hashes = gram_hashes(codes, multipliers)
            window = Window(
                gram=int(hashes[0]),
                tail=int(hashes[-1]),
                length=len(symbols),
                value=value,
                form=form,
                digest=digest(self.key, b"window", codes.tobytes()),
            )
            known = best.get((window.digest, value))
            if known is None or form < known.form:
                best[window.digest, value] = window
        return tuple(sorted(best.values(), key=lambda w: (w.gram, w.length, w.value, w.form, w.digest)))


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalpha())


def _symbols(text: str) -> str:
    return "".join(char for char in folded_text(text) if char.isalnum())


def _raw_symbols(value: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFC", value).lower() if char.isalnum())


def _sorted(table: dict[bytes, set[int]]) -> dict[bytes, tuple[int, ...]]:
    return {key: tuple(sorted(values)) for key, values in table.items()}
