"""Look a payload up in a pack: which confirmed values does it hold, in which disguise, where.

A hit names the rule and the place, never the value. Whether a hit is certain, or needs a second clue beside
it, follows from the tier of the value and the place: see `admission`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from weakref import ref

import numpy as np
import numpy.typing as npt

from doublethink_fingerprint import spelling
from doublethink_fingerprint.admission import Strength, figure_strength, token_strength, window_strength
from doublethink_fingerprint.commonwords import is_common
from doublethink_fingerprint.fold import differs_by_sound
from doublethink_fingerprint.keyed import GRAM, digest, gram_hashes, gram_multipliers
from doublethink_fingerprint.marks import hashes_in
from doublethink_fingerprint.numbers import day_and_year, looked_up
from doublethink_fingerprint.pack import Form, Kind, Pack, Piece, Window
from doublethink_fingerprint.phonetic import foreign_words
from doublethink_fingerprint.readings import Reader
from doublethink_fingerprint.streams import Codes, Laid, Stream, Streams, lay
from doublethink_fingerprint.tokens import ANY, TOKEN, TokenForm
from doublethink_fingerprint.view import Explored, View
from doublethink_fingerprint.wholenumbers import touches_a_hash, within_a_hash
from doublethink_fingerprint.work import CANDIDATE, MATCH, NEAR_WORD, spend

_MAX_HITS = 256
_PIECE_TOKEN = TokenForm(re.compile(r"[^\W\d_]{3,24}|[^\W_]{3,24}"), 3, 24, whole=False)
_SPELLED_RUN = re.compile(r"(?<![^\W_])[^\W_](?:[\W_]{1,3}[^\W_]){2,}(?![^\W_])")
# Figures of fewer digits stand in every hash.
_SURE_DIGITS = 5
_LONE_SYMBOL = TokenForm(re.compile(r"(?<![^\W_])[^\W_](?![^\W_])"), 1, 1)
_NO_WORD = frozenset("ai")
_SHORT_TOKEN = TokenForm(re.compile(r"(?<![^\W_])[^\W_]{3,4}(?![^\W_])"), 3, 4)
_LONG_TOKEN = TokenForm(re.compile(r"(?<![^\W_])[^\W\d_]{7,30}(?![^\W_])"), 7, 30)
_TOKEN_CACHE = 1 << 16
_MAX_SPELLED = 64
_AS_WORD = "word"
_EXACT = "exact"

_FORM_NAMES = {
    Form.PLAIN: _EXACT,
    Form.PART: "part",
    Form.REVERSE: "reversed",
    Form.ROT: "rot",
    Form.ATBASH: "atbash",
    Form.RAIL: "railfence",
    Form.KEYBOARD: "keyboard",
    Form.CONSONANTS: "consonants",
    Form.COLLAPSED: "repeats",
    Form.TYPO: "typo",
    Form.WORDGAME: "wordgame",
    Form.DATE_TEXT: "value",
    Form.DIGITS: "digits",
    Form.DIGITS_CODED: "digits",
    Form.FRAGMENT: "fragment",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """A confirmed value, or a part of one, found in a payload.

    Attributes:
        rule: for example ``secret.name.base64`` or ``canary``.
        value: index of the value in its pack.
        start, end: characters of the payload; of a decoded view, the encoded stretch.
        chain: decoders from the outside in.
        strength: whether it counts alone.
        how: after the decoders, in which form the value stands there, and by which reading it was found.
    """

    rule: str
    value: int
    start: int
    end: int
    chain: tuple[str, ...]
    strength: Strength
    how: tuple[str, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """How one gets from the payload to the value: decoders, form, reading; for people."""
        return (*self.chain, *self.how)


@dataclass(frozen=True, slots=True)
class MemoMark:
    """A rare memo word or figure, and where it stands in the payload (characters). `digest` names it; `chain` are
    the decoders that led there.
    """

    digest: bytes
    start: int
    end: int
    is_number: bool
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceMark:
    """A token of the payload that is part of a value."""

    piece: Piece
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A payload taken apart once, for any number of packs."""

    explored: Explored
    streams: Streams
    reader: Reader
    _distinct: dict[TokenForm, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def distinct(self, form: TokenForm) -> frozenset[str]:
        """Return every different token of a form in what any view has that its parent has not."""
        known = self._distinct.get(form)
        if known is None:
            words = frozenset[str]().union(*[laid.vocabulary for laid in self.streams.laid])
            known = self._distinct[form] = form.of(words)
        return known

    def tokens(self, form: TokenForm, wanted: Callable[[str], bool]) -> Iterator[tuple[Laid, re.Match[str]]]:
        """Yield the tokens of a form that are `wanted`; each different one is asked about once."""
        found = frozenset(filter(wanted, self.distinct(form)))
        if found:
            for laid in self.streams.laid:
                for match in laid.places_of(form, found):
                    yield laid, match


def prepare(explored: Explored, *, scattered: bool = True) -> Prepared:
    """Take the streams of every view of a payload; `scattered` adds acrostics, every second letter and the
    like.
    """
    wanted = []
    for view in explored.views:
        direct = not view.chain or view.depth == 0 or view.chain[-1] in _PLAIN_DECODERS
        wanted.append((view, scattered and direct, False))
        if differs_by_sound(view.text):
            wanted.append((view, False, True))
    return Prepared(explored, lay(wanted), Reader())


_PLAIN_DECODERS = frozenset(
    ["escapes", "normal", "markup", "plus", "quoted", "mime", "values", "keys", "host", "json"]
)


class Matcher:
    """A pack made ready for look-ups: prefilter table, gram index, token cache.

    Holds no state between payloads.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._multipliers = gram_multipliers(pack.key)
        self._tails = np.fromiter((w.tail for w in pack.windows), dtype=np.uint32, count=len(pack.windows))
        self._lengths = np.fromiter((w.length for w in pack.windows), dtype=np.int64, count=len(pack.windows))
        self._grams = np.fromiter((w.gram for w in pack.windows), dtype=np.uint32, count=len(pack.windows))
        bits = min(20, max(14, (len(pack.windows) * 64).bit_length()))
        self._shift, self._low = np.uint32(32 - bits), np.uint32((1 << bits) - 1)
        self._table = np.zeros(1 << bits, dtype=np.bool_)
        self._table[self._grams >> self._shift] = True
        # By other bits of the same hash: few places pass both that are no window's, and only these are searched for.
        self._other_table = np.zeros(1 << bits, dtype=np.bool_)
        self._other_table[self._grams & self._low] = True
        key, significands = pack.key, pack.significands

        @lru_cache(maxsize=_TOKEN_CACHE)
        def token_digest(word: str) -> bytes:
            return digest(key, b"token", word.encode("utf-8", "surrogatepass"))

        self.token_digest = token_digest

        @lru_cache(maxsize=_TOKEN_CACHE)
        def has_significand(digits: str) -> bool:
            return digest(key, b"significand", digits.encode()) in significands

        self._significand = has_significand

        @lru_cache(maxsize=_TOKEN_CACHE)
        def has_day_and_year(day: int, year: int) -> bool:
            return day_and_year(key, day, year) in significands

        self._day_and_year = has_day_and_year

        @lru_cache(maxsize=_TOKEN_CACHE)
        def near(word: str) -> tuple[tuple[int, str], ...]:
            return tuple(_near(pack, word))

        self.near = near

    def hits(self, prepared: Prepared) -> list[Hit]:
        """Return what the payload holds of the confirmed values, at most 256 hits."""
        found: dict[tuple[str, int, int, int], Hit] = {}
        for hit in self.all_hits(prepared):
            known = found.get((hit.rule, hit.value, hit.start, hit.end))
            if known is None or (hit.strength, hit.how[0] == _EXACT) > (
                known.strength,
                known.how[0] == _EXACT,
            ):
                found[hit.rule, hit.value, hit.start, hit.end] = hit
            if len(found) >= _MAX_HITS:
                break
        hits = list(found.values())
        # Each is compared with each.
        spend(len(hits) ** 2 // 8)
        return [hit for hit in hits if not any(_says_more(other, hit) for other in hits)]

    def memo_marks(self, prepared: Prepared) -> list[MemoMark]:
        """Return the rare memo words and figures of the payload and of its plain decodings."""
        marks: dict[tuple[bytes, int, int], MemoMark] = {}
        for laid, match in prepared.tokens(ANY, self._is_memo_word) if self.pack.memo_words else ():
            word = self.token_digest(match[0])
            start, end = laid.source_span(match.start(), match.end() - 1)
            if (word, start, end) not in marks:
                chain = laid.decoders(match.start(), match.end() - 1) or ()
                marks[word, start, end] = MemoMark(word, start, end, False, chain)
        if self.pack.memo_numbers:
            for view, figure in prepared.reader.figures(prepared.explored.views, self._significand):
                _, bare = looked_up(self.pack.key, figure)
                if bare in self.pack.memo_numbers and not figure.is_year:
                    start, end = view.span(figure.start, figure.end)
                    if (bare, start, end) not in marks:
                        chain = view.decoders(figure.start, figure.end)
                        marks[bare, start, end] = MemoMark(bare, start, end, True, chain)
        return list(marks.values())

    def pieces(self, prepared: Prepared) -> list[PieceMark]:
        """Return the tokens of the payload that are parts of values, in order."""
        marks: dict[tuple[Piece, int], PieceMark] = {}
        for laid, match in prepared.tokens(_PIECE_TOKEN, self._is_piece):
            for piece in self.pack.pieces.get(self.token_digest(match[0]), ()):
                start, end = laid.source_span(match.start(), match.end() - 1)
                marks.setdefault((piece, start), PieceMark(piece, start, end))
        return list(marks.values())

    def memo_digests(self, text: str, limit: int) -> set[bytes]:
        """Return the digests of memo words that stand in `text`, reading at most `limit` distinct tokens."""
        found: set[bytes] = set()
        seen: set[str] = set()
        for match in TOKEN.finditer(text):
            word = match[0]
            if word in seen:
                continue
            seen.add(word)
            if len(seen) > limit:
                break
            # Not through the cache: a page must not push the words of queries out of it.
            word_digest = digest(self.pack.key, b"token", word.encode("utf-8", "surrogatepass"))
            if word_digest in self.pack.memo_words:
                found.add(word_digest)
        return found

    def all_hits(self, prepared: Prepared) -> Iterator[Hit]:
        """Yield every hit, those too that another one over a longer stretch makes superfluous."""
        yield from self._window_hits(prepared.streams)
        yield from self._token_hits(prepared)
        for view in prepared.explored.views if self.pack.tokens else ():
            yield from self._by_sound(view)
            yield from self._by_hash(view)
        if self.pack.numbers:
            yield from self._number_hits(prepared)
        if self.pack.dates:
            yield from self._date_hits(prepared)

    def _window_hits(self, streams: Streams) -> Iterator[Hit]:
        for at, window in self._windows_at(streams.codes):
            # No value has the zero that stands between streams and between views.
            symbols = streams.codes[at : at + window.length]
            if digest(self.pack.key, b"window", symbols.tobytes()) != window.digest:
                continue
            value = self.pack.values[window.value]
            found = streams.at(at, window.length)
            if found is None:
                continue
            laid, stream, places = found
            chain = laid.decoders(int(places[0]), int(places[-1]))
            if chain is None:
                continue
            strength = window_strength(value, window.form, stream, laid, places, chain)
            if strength is not Strength.NONE:
                start, stop = laid.source_span(int(places[0]), int(places[-1]))
                how = _how(window.form, stream, places)
                rule = _rule(value.kind, chain, how)
                yield Hit(rule, window.value, start, stop, chain, strength, (how, stream.value))

    def _windows_at(self, codes: Codes) -> Iterator[tuple[int, Window]]:
        if len(codes) < GRAM or not len(self._grams):
            return
        hashes = gram_hashes(codes, self._multipliers)
        likely = np.flatnonzero(self._table.take(hashes >> self._shift))
        likely = likely[self._other_table.take(hashes.take(likely) & self._low)]
        if not len(likely):
            return
        wanted: npt.NDArray[np.uint32] = hashes[likely]
        first = np.searchsorted(self._grams, wanted, side="left")
        last = np.searchsorted(self._grams, wanted, side="right")
        counts = last - first
        total = int(counts.sum())
        spend(CANDIDATE * total)
        if not total:
            return
        # Every place with every window that begins like it, and of these the ones that end like it too.
        starts = np.repeat(likely, counts)
        indices = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(total)
        ends = starts + self._lengths[indices] - GRAM
        inside = np.flatnonzero(ends < len(hashes))
        kept = inside[hashes[ends[inside]] == self._tails[indices[inside]]]
        for at, index in zip(starts[kept].tolist(), indices[kept].tolist(), strict=True):
            yield at, self.pack.windows[index]

    def _token_hits(self, prepared: Prepared) -> Iterator[Hit]:
        if self.pack.tokens:
            for laid, match in prepared.tokens(_SHORT_TOKEN, self._is_short):
                for index in self.pack.tokens[self.token_digest(match[0])]:
                    yield from self._token_hit(laid, index, match.start(), match.end(), "exact")
            if not prepared.distinct(_LONE_SYMBOL) <= _NO_WORD:
                for laid in prepared.streams.laid:
                    yield from self._spelled_out(laid)
        for laid in prepared.streams.laid if self.pack.near else ():
            for match in () if laid.view.chain else laid.tokens(_LONG_TOKEN, self._may_be_near):
                for index, how in self.near(match[0]):
                    yield from self._token_hit(laid, index, match.start(), match.end(), how)

    def _by_sound(self, view: View) -> Iterator[Hit]:
        if view.text.isascii():
            return
        for first, end, skeleton, sure in foreign_words(view.text):
            spend(MATCH)
            for index in self.pack.tokens.get(digest(self.pack.key, b"sound", skeleton.encode()), ()):
                if not view.repeats(first - 1, end + 1):
                    value, chain = self.pack.values[index], view.decoders(first, end)
                    strength = Strength.CERTAIN if sure else Strength.ASK
                    rule, (start, stop) = _rule(value.kind, chain, "sound"), view.span(first, end)
                    yield Hit(rule, index, start, stop, chain, strength, ("sound", _AS_WORD))

    def _by_hash(self, view: View) -> Iterator[Hit]:
        for first, end, hashed in hashes_in(view.text):
            # What stood beside others in the parent is by itself in a view of the fields, so none is passed over.
            spend(MATCH)
            for index in self.pack.tokens.get(digest(self.pack.key, b"hash", hashed), ()):
                value, chain = self.pack.values[index], view.decoders(first, end)
                start, stop = view.span(first, end)
                yield Hit(
                    _rule(value.kind, chain, "hash"),
                    index,
                    start,
                    stop,
                    chain,
                    Strength.CERTAIN,
                    ("hash", _AS_WORD),
                )

    def _spelled_out(self, laid: Laid) -> Iterator[Hit]:
        if _LONE_SYMBOL.of(laid.vocabulary) <= _NO_WORD:
            return
        for match in laid.matches(_SPELLED_RUN):
            letters = "".join(TOKEN.findall(match[0]))
            spend(MATCH + len(letters))
            for at in range(min(len(letters), _MAX_SPELLED)):
                for size in (3, 4):
                    for index in self.pack.tokens.get(self.token_digest(letters[at : at + size]), ()):
                        yield from self._token_hit(laid, index, match.start(), match.end(), "spaced")

    def _is_memo_word(self, word: str) -> bool:
        word_digest = self.token_digest(word)
        return word_digest in self.pack.memo_words and word_digest not in self.pack.public_terms

    def _is_piece(self, word: str) -> bool:
        return self.token_digest(word) in self.pack.pieces

    def _is_short(self, word: str) -> bool:
        return self.token_digest(word) in self.pack.tokens

    def _may_be_near(self, word: str) -> bool:
        if is_common(word):
            return False
        spend(NEAR_WORD)
        return bool(self.near(word))

    def _token_hit(self, laid: Laid, index: int, first: int, end: int, how: str) -> Iterator[Hit]:
        value = self.pack.values[index]
        chain = laid.decoders(first, end - 1)
        if chain is None:
            return
        strength = token_strength(value, laid, first, exact=how == "exact", chain=chain)
        start, stop = laid.source_span(first, end - 1)
        yield Hit(_rule(value.kind, chain, how), index, start, stop, chain, strength, (how, _AS_WORD))

    def _number_hits(self, prepared: Prepared) -> Iterator[Hit]:
        for view, figure in prepared.reader.figures(prepared.explored.views, self._significand):
            with_unit, bare = looked_up(self.pack.key, figure)
            for number_digest in (with_unit, bare):
                for mark in self.pack.numbers.get(number_digest, ()) if number_digest else ():
                    if view.repeats(figure.start - 1, figure.end + 1):
                        continue
                    value = self.pack.values[mark.value]
                    strength = figure_strength(value, figure, mark.with_unit)
                    if figure.significant < _SURE_DIGITS and within_a_hash(
                        view.text, figure.start, figure.end
                    ):
                        continue
                    if strength is not Strength.NONE:
                        start, end = view.span(figure.start, figure.end)
                        chain = view.decoders(figure.start, figure.end)
                        digits = any(char.isdigit() for char in view.text[figure.start : figure.end])
                        how = "value" if digits else "words"
                        rule = _rule(value.kind, chain, how)
                        yield Hit(rule, mark.value, start, end, chain, strength, (how, "number"))

    def _date_hits(self, prepared: Prepared) -> Iterator[Hit]:
        for view, first, last, day in prepared.reader.days(prepared.explored.views, self._day_and_year):
            for index in self.pack.dates.get(digest(self.pack.key, b"date", day.isoformat().encode()), ()):
                if view.repeats(first - 1, last + 1) or touches_a_hash(view.text, first, last):
                    continue
                start, end = view.span(first, last)
                chain = view.decoders(first, last)
                kind = self.pack.values[index].kind
                strength = Strength.CERTAIN if kind is Kind.DATE else Strength.WITH_CLUE
                rule = _rule(kind, chain, "value")
                yield Hit(rule, index, start, end, chain, strength, ("value", "date"))


def _near(pack: Pack, word: str) -> Iterator[tuple[int, str]]:
    """Yield the values that a word is one letter away from, or that have its letters in another order."""
    seen: set[int] = set()
    for shorter in (word, *spelling.left_out(word)):
        for index in pack.near.get(digest(pack.key, b"near", shorter.encode()), ()):
            if index not in seen:
                seen.add(index)
                yield index, "typo"
    bag = spelling.scrambled(word).encode()
    for index in pack.scrambled.get(digest(pack.key, b"sorted", bag), ()):
        if index not in seen:
            yield index, "scrambled"


_MATCHERS: dict[int, tuple[ref[Pack], Matcher]] = {}


def matcher_of(pack: Pack) -> Matcher:
    """Return the pack's matcher, made at the first call; both are gone as soon as nobody holds the pack."""
    place = id(pack)
    known = _MATCHERS.get(place)
    if known is not None:
        return known[1]
    # A twin that shares every part: with the pack itself in it, the matcher would keep the pack alive.
    matcher = Matcher(replace(pack))
    _MATCHERS[place] = ref(pack, lambda _: _MATCHERS.pop(place, None)), matcher
    return matcher


def _says_more(other: Hit, hit: Hit) -> bool:
    """Whether `other` is the same value found over a longer stretch that holds `hit`, at least as surely."""
    return (
        other.value == hit.value
        and other.strength >= hit.strength
        and other.start <= hit.start
        and hit.end <= other.end
        and other.end - other.start > hit.end - hit.start
        and not other.rule.endswith((".acrostic", ".interleaved"))
    )


_ACROSTICS = frozenset(
    (
        Stream.FIRST_LETTERS,
        Stream.LAST_LETTERS,
        Stream.SECOND_LETTERS,
        Stream.LINE_STARTS,
        Stream.LINE_ENDS,
        Stream.HEADINGS,
    )
)


def _how(form: Form, stream: Stream, places: npt.NDArray[np.int64]) -> str:
    if stream in _ACROSTICS:
        return "acrostic"
    if stream in (Stream.EVERY_SECOND, Stream.EVERY_THIRD, Stream.CAPITALS):
        return "interleaved"
    if stream is Stream.COLLAPSED and form is Form.PLAIN:
        return "repeats"
    if form in (Form.PLAIN, Form.PART) and int(places[-1] - places[0]) + 1 > len(places):
        return "spaced"
    return _FORM_NAMES[form]


def _rule(kind: Kind, chain: tuple[str, ...], how: str) -> str:
    if kind is Kind.CANARY:
        return (
            "canary" if how in ("exact", "spaced") and not chain else f"canary.{chain[-1] if chain else how}"
        )
    disguise = next((name for name in reversed(chain) if name not in _PLAIN_VIEWS), None)
    return f"secret.{kind.name.lower()}.{disguise or how}"


_PLAIN_VIEWS = frozenset(["normal", "values", "keys", "host", "json"])
