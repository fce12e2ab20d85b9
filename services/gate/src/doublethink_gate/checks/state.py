"""What a session remembers between calls: an explicit fold over payloads as sent and public text as received.

Two replicas that fold the same events in the same order hold equal states. A blocked payload is not folded;
it only counts as an attempt. Nothing here expires by time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from doublethink_fingerprint import (
    Pack,
    PieceMark,
    WorkSpent,
    bounded_work,
    explore,
    limits,
    matcher_of,
    prepare,
)
from doublethink_fingerprint.commonwords import is_common
from doublethink_fingerprint.fold import folded_text
from doublethink_fingerprint.tokens import TOKEN

from doublethink_gate.checks.container import open_container
from doublethink_gate.checks.domains import registrable_domain
from doublethink_gate.checks.request import Request, RequestKind

MAX_TOKENS_PER_PAGE = 20_000
_MAX_TEXTS = 60
_MAX_TEXT_CHARS = 400
_MAX_PIECES = 4096
_MAX_CHUNKS = 24
_MAX_SINGLES_PER_CALL = 8
_YEAR_DIGITS = 4
_MAX_PLAIN_CHUNK = 16
_MAX_SEEN = 20_000
_CHUNK = re.compile(r"[A-Za-z0-9+/_-]{1,128}={0,2}")
# In an address a stroke parts segments.
_URL_CHUNK = re.compile(r"[A-Za-z0-9_-]{1,128}={0,2}(?![A-Za-z0-9%])|[A-Za-z0-9_-]{1,128}")
_SCHEME = re.compile(r"[a-z]{2,10}://")
_JSON_BEGINS = ('{"', '["', "[{")
_JSON_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(?P<name>\s*:)?')
_SINGLE = re.compile(r"(?<![^\W_])[^\W_](?![^\W_])")
_LONG_BLOB = re.compile(r"[A-Za-z0-9+/=_-]{16,}")
_MAX_PUBLIC_BLOBS = 2000
_MAX_OPEN = 64


@dataclass(frozen=True, slots=True)
class SentPiece:
    """A token that left and that is `length` letters of value `value` from letter `start`; `call` counts
    calls."""

    value: int
    start: int
    length: int
    common: bool
    call: int


@dataclass(frozen=True, slots=True)
class WordEnds:
    """The first and the last word of a payload; `call` counts calls."""

    first: str
    last: str
    call: int


@dataclass(frozen=True, slots=True)
class SentChunk:
    """A token of a payload that may be a part of something encoded; `odd` where no word or number looks so."""

    text: str
    odd: bool
    call: int


@dataclass(frozen=True, slots=True)
class SentSingles:
    """The letters and digits that stood alone in a payload, run together."""

    letters: str
    call: int


@dataclass(frozen=True, slots=True)
class SessionState:
    """The memory of one session. Every method returns a new state.

    Attributes:
        calls: payloads sent. attempts: payloads tried, blocked ones included.
        queries, pages, model_calls, sent_bytes: what was sent, for the budgets.
        tokens, cost_micros: what the model's answers cost, and what those may cost that are not there yet; in
            tokens, and in millionths of a US dollar.
        reserved: of the last 64 completions without a known cost, the row's id and what it is set down for in
            both. One that is forgotten stays set down.
        texts: the last 60 payloads that were short, shortened to 400 characters.
        ends: the first and last words of the last 60 payloads that had any, of what `texts` keeps of them.
        pieces: tokens sent that are parts of confirmed values, the last 4,096.
        chunks: of each of the last 24 payloads that had one, the token that is most likely a part of something
            encoded, and whether it looks so by itself.
        singles: letters and digits that stood alone in a payload, the last 60 payloads that had any.
        clue_call: the last call that held a rare memo word; -1 for none.
        seen: memo words and the registrable domains that showed them.
        public_blobs: long tokens that public text explained.
    """

    calls: int = 0
    attempts: int = 0
    queries: int = 0
    pages: int = 0
    model_calls: int = 0
    sent_bytes: int = 0
    tokens: int = 0
    cost_micros: int = 0
    reserved: tuple[tuple[str, int, int], ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)
    ends: tuple[WordEnds, ...] = field(default=(), repr=False)
    pieces: tuple[SentPiece, ...] = field(default=(), repr=False)
    chunks: tuple[SentChunk, ...] = field(default=(), repr=False)
    singles: tuple[SentSingles, ...] = field(default=(), repr=False)
    clue_call: int = -1
    seen: frozenset[tuple[bytes, str]] = field(default=frozenset(), repr=False)
    public_blobs: frozenset[str] = field(default=frozenset(), repr=False)

    def attempted(self) -> SessionState:
        """Count an attempt, whatever became of it."""
        return replace(self, attempts=self.attempts + 1)

    def reserve(self, row: str, tokens: int, cost_micros: int) -> SessionState:
        """Set a completion down for what it may cost, under its row's id."""
        return replace(
            self,
            tokens=self.tokens + tokens,
            cost_micros=self.cost_micros + cost_micros,
            reserved=(*self.reserved, (row, tokens, cost_micros))[-_MAX_OPEN:],
        )

    def settle(self, row: str, tokens: int, cost_micros: int | None) -> SessionState:
        """Put what a completion did cost in place of what it was set down for. What is not known stays set down."""
        for held in self.reserved:
            if held[0] == row:
                rest = tuple(other for other in self.reserved if other is not held)
                cost = held[2] if cost_micros is None else cost_micros
                return replace(
                    self,
                    tokens=self.tokens - held[1] + tokens,
                    cost_micros=self.cost_micros - held[2] + cost,
                    reserved=rest,
                )
        return self

    def fold(self, request: Request, pack: Pack | None) -> SessionState:
        """Take in a payload as it was sent (the rewritten form, where there is one), with the session's own
        pack.

        A body whose public text costs more to take apart than a check may gives no pieces: what is its own was checked,
        and is the query that it is about.
        """
        opened = open_container(request)
        pieces: tuple[SentPiece, ...] = ()
        clue = False
        if pack is not None:
            matcher = matcher_of(pack)
            with suppress(WorkSpent), bounded_work(limits.WORK_UNITS):
                prepared = prepare(explore(opened.root, opened.more))
                marks = matcher.pieces(prepared)
                clue = bool(matcher.memo_marks(prepared))
                pieces = tuple(self.sent_pieces(marks))
        text = shortened(opened.root.text)
        return replace(
            self,
            calls=self.calls + 1,
            queries=self.queries + (request.kind is RequestKind.QUERY),
            pages=self.pages + (request.kind is RequestKind.URL),
            model_calls=self.model_calls + (request.kind is RequestKind.BODY),
            sent_bytes=self.sent_bytes + len(request.payload),
            texts=(*self.texts, text)[-_MAX_TEXTS:],
            ends=(*self.ends, *ends_of(text, self.calls))[-_MAX_TEXTS:],
            pieces=(*self.pieces, *pieces)[-_MAX_PIECES:],
            chunks=(*self.chunks, *chunks_of(text, self.calls))[-_MAX_CHUNKS:],
            singles=(*self.singles, *singles_of(text, self.calls))[-_MAX_TEXTS:],
            clue_call=self.calls if clue else self.clue_call,
        )

    def saw_public_text(self, domain: str, text: str, pack: Pack | None) -> SessionState:
        """Take in the visible text of a page or a result from `domain` (a host name).

        At most 20,000 distinct tokens of it count, so that a page that prints a dictionary washes nothing
        clean.
        """
        name = registrable_domain(domain)
        folded = folded_text(text)
        seen = self.seen
        if pack is not None:
            digests = matcher_of(pack).memo_digests(folded, MAX_TOKENS_PER_PAGE)
            # A host is kept beside its registrable domain, for the policy's own list of trusted hosts.
            new = {(digest, place) for digest in digests for place in {name, f"host:{domain.lower()}"}}
            if len(seen) < _MAX_SEEN:
                seen = seen | new
        blobs = self.public_blobs
        if len(blobs) < _MAX_PUBLIC_BLOBS:
            blobs = blobs | frozenset(_LONG_BLOB.findall(text)[:200])
        return replace(self, seen=seen, public_blobs=blobs)

    def sent_pieces(self, marks: list[PieceMark]) -> Iterator[SentPiece]:
        """Yield the pieces of a payload as they would be remembered for the next call."""
        for mark in marks:
            piece = mark.piece
            yield SentPiece(piece.value, piece.start, piece.length, piece.common, self.calls)

    def explained(self, digests: Collection[bytes], trusted_hosts: tuple[str, ...]) -> frozenset[bytes]:
        """Return those of some memo words that public text of this session has shown: on two domains or on
        one trusted host.
        """
        places: dict[bytes, set[str]] = {digest: set() for digest in digests}
        for digest, place in self.seen if places else ():
            if digest in places:
                places[digest].add(place)
        return frozenset(digest for digest, shown in places.items() if _suffices(shown, trusted_hosts))


def shortened(text: str) -> str:
    """Return what is remembered of a payload's text: its first 400 characters."""
    return text[:_MAX_TEXT_CHARS]


def ends_of(text: str, call: int) -> tuple[WordEnds, ...]:
    """Return the first and the last word of a call's text, of JSON's values only; nothing for one without words."""
    if text[:2] in _JSON_BEGINS:
        # Each call has the same names of fields. Where nothing else has words, the text is taken as it is.
        values = [match[1] for match in _JSON_STRING.finditer(text) if match["name"] is None]
        text = " ".join(values) if TOKEN.search(" ".join(values)) else text
    words = TOKEN.findall(text)
    return (WordEnds(words[0], words[-1], call),) if words else ()


def singles_of(text: str, call: int) -> tuple[SentSingles, ...]:
    """Return the letters and digits that stand alone in a call's text, run together; nothing where there are none,
    or so many that the text spells by itself.
    """
    found = _SINGLE.findall(text)
    return (SentSingles("".join(found), call),) if 0 < len(found) <= _MAX_SINGLES_PER_CALL else ()


def chunks_of(text: str, call: int) -> tuple[SentChunk, ...]:
    """Return the token of a call's payload that is most likely a part of something encoded, if any could be."""
    best: tuple[int, int, str] | None = None
    tokens = (_URL_CHUNK if _SCHEME.match(text) else _CHUNK).findall(text)
    for token in tokens:
        rank = _oddness(token) or int(len(tokens) == 1)
        if rank and (best is None or (rank, len(token)) > best[:2]):
            best = rank, len(token), token
    return () if best is None else (SentChunk(best[2], best[0] == _ODD, call),)


_ODD = 3


def _oddness(token: str) -> int:
    """Return 3 for what no word or number looks like, 2 for digits or capitals, 1 for an uncommon word, else 0."""
    body = token.strip("=-_/")
    if not body:
        return 0
    if body.isdigit():
        return 0 if len(body) == _YEAR_DIGITS and body[:2] in ("19", "20") else 2
    if body.isalpha() and "=" not in token:
        if any(char.isupper() for char in body[1:]):
            return 2 if body.isupper() else _ODD
        return int(len(body) <= _MAX_PLAIN_CHUNK and not is_common(body.lower()))
    return _ODD if "=" in token or any(char.isdigit() for char in body) else 0


def _suffices(places: set[str], trusted_hosts: tuple[str, ...]) -> bool:
    hosts = {place.removeprefix("host:") for place in places if place.startswith("host:")}
    domains = len(places) - len(hosts)
    return domains >= 2 or any(_trusted(host, trusted_hosts) for host in hosts)


def _trusted(host: str, trusted: tuple[str, ...]) -> bool:
    return any(host == name or (name.startswith(".") and host.endswith(name)) for name in trusted)
