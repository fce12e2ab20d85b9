"""Denser number bases: 85 (three alphabets), 58, 62, 36, 45, 91, and uuencode.

Only tokens that are no plain words.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import compress, permutations, product
from operator import mul

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder, every_match
from doublethink_fingerprint.decoders.octets import text_of
from doublethink_fingerprint.decoders.survey import (
    ANYWHERE,
    IN_RUNS,
    IN_STRETCHES,
    Odd,
    may_match,
    odd_and_words,
    odd_matches,
    stretch_matches,
    survey,
)

_DIGITS = "0123456789"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER = _UPPER.lower()
# Whatever stands first: each maker of short ids has an order of its own.
_BASE62 = (_DIGITS, _UPPER, _LOWER)
_RIPPLE58 = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_BASE58 = tuple(re.sub("[0OIl]", "", symbols) for symbols in _BASE62)
_BASE45 = _DIGITS + _UPPER + " $%*+-./:"
_BASE91 = _UPPER + _LOWER + _DIGITS + '!#$%&()*+,./:;<=>?@[]^_`{|}~"'
_Z85 = _DIGITS + _LOWER + _UPPER + ".-:+=^!/*?&<>()[]{}@%$#"
# With the short form of four noughts, the frame and what `base64` passes over.
_ASCII85 = "".join(map(chr, range(ord("!"), ord("u") + 1))) + "z~ \t\n\r\v"
_B85 = _DIGITS + _UPPER + _LOWER + "!#$%&()*+-;<=>?@^_`{|}~"
_Z85_TO_B85 = str.maketrans(_Z85, _B85)
_MOST_SYMBOLS = 120
_ALNUM = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z0-9]{{7,{_MOST_SYMBOLS}}}(?![A-Za-z0-9])")
_DENSE = re.compile(r"(?<!\S)\S{5,2000}(?!\S)")
_DENSE45 = IN_STRETCHES.add(re.compile(r"[0-9A-Z $%*+\-./:]{6,2000}"))
_CAPITALS45 = ANYWHERE.add(re.compile(r"[A-Z]{2,6}(?: {1,2}[A-Z]{2,6})+"))
_CAPITAL = re.compile("[A-Z]")
_MIN_DENSE, _MAX_DENSE = 5, 2000
_FRAMED = re.compile(r"(?:[A-Za-z0-9]{1,12}[:=])?(?:(?P<mark>[\"'`])(?P<inner>\S+)(?P=mark))[.,;:!?)\]}]*")
# A blank is nought, and those at the end of a line get lost.
_UU_LINE = re.compile(r"(?m)(?:^|(?<=[\s\"'=:]))[!-M][ -`]{4,84}")
# A literal of bytes as a program prints it.
_LITERAL = re.compile(r"(?<![A-Za-z0-9])[bB](?P<mark>[\"'])(?P<inner>\S{5,})(?P=mark)")
_QUOTES = "\"'`"
_SENTENCE_MARKS = ".,;:!?)]}\"'>"
_BRACKETS = frozenset(["()", "[]", "{}", "<>", '""', "''", "``"])
_OPENING = frozenset("([{<\"'`")
_MIN_SHARE = 0.85
_GROUP45 = 3
_CUT45 = 4
_MIN_UU = 4
_UU_MARKS = frozenset("([{<\"'`=:")
_UU_HEAD, _UU_STARTS = 64, 8
_CACHED_TOKENS = 1 << 14
# The alphabets of base 85 and 91 are tried one after the other on the same tokens.
_CACHED_FRAMES = 1 << 10
_MAX_CACHED = 64


def _good(data: bytes) -> str | None:
    """Text of a decoding that came out of a weak pattern: only if it reads as text nearly throughout."""
    # An encoder that fills up its last group leaves noughts behind.
    text = text_of(data.rstrip(b"\0"))
    if text is None or not text:
        return None
    plain = sum(char.isalnum() or char in " -_.,:'" for char in text)
    return text if plain >= _MIN_SHARE * len(text) else None


def _no_word(token: str) -> bool:
    return not token.isdigit() and (any(char.isdigit() for char in token) or not token[1:].islower())


def _checked(data: bytes) -> str | None:
    """Text between a byte of the version and a check sum that is right, as addresses of Bitcoin have them; a version
    of nought is no digit of the number.
    """
    if len(data) < _MIN_CHECKED:
        return None
    payload, check = data[:-_CHECK_SUM], data[-_CHECK_SUM:]
    for versioned in (payload, b"\0" + payload):
        if hashlib.sha256(hashlib.sha256(versioned).digest()).digest()[:_CHECK_SUM] == check:
            return _good(versioned[1:]) or _good(versioned)
    return None


_CHECK_SUM = 4
_MIN_CHECKED = _CHECK_SUM + 8
_NO_SYMBOL = 255


class _Orders:
    """Reads tokens as numbers by all alphabets that some groups of symbols make, one behind the other in any order.

    A symbol's value is its place in its group and what stands before the group: so one sum over the token and one for
    each group are enough for all orders.
    """

    def __init__(self, groups: tuple[str, ...]) -> None:
        base = sum(map(len, groups))
        self._powers = tuple(base**power for power in range(_MOST_SYMBOLS))[::-1]
        self._places = bytearray([_NO_SYMBOL]) * 256
        self._members = []
        for group in groups:
            for place, symbol in enumerate(group):
                self._places[ord(symbol)] = place
            self._members.append(bytes(chr(code) in group for code in range(256)))
        self._before = [
            [sum(len(groups[other]) for other in order[: order.index(at)]) for at in range(len(groups))]
            for order in permutations(range(len(groups)))
        ]

    def read(self, token: str) -> Iterator[bytes]:
        """Yield the bytes of a token's number by each alphabet; nothing where it has another symbol."""
        symbols = token.encode("ascii", "replace")
        places = symbols.translate(self._places)
        if _NO_SYMBOL in places:
            return
        powers = self._powers[len(self._powers) - len(symbols) :]
        own = sum(map(mul, places, powers))
        weights = [sum(compress(powers, symbols.translate(members))) for members in self._members]
        for before in self._before:
            yield _bytes_of(own + sum(map(mul, before, weights)))


def _bytes_of(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _kept(decode: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """Remember what is behind short tokens: years and amounts come again and again, long tokens do not."""
    remembered = lru_cache(maxsize=_CACHED_TOKENS)(decode)
    return lambda token: remembered(token) if len(token) <= _MAX_CACHED else decode(token)


def _integers(*orders: _Orders) -> Callable[[str], list[Chunk]]:
    """Read tokens as numbers by any of some alphabets; where more than one gives text, all of it is kept."""

    def read(token: str) -> str | None:
        if not _no_word(token):
            return None
        texts = (_good(data) or _checked(data) for order in orders for data in order.read(token))
        return "\n".join(text for text in texts if text is not None) or None

    behind = _kept(read)

    def find(text: str) -> list[Chunk]:
        chunks = []
        for start, end, token in odd_matches(_ALNUM, text):
            decoded = behind(token)
            if decoded is not None:
                chunks.append(Chunk(start, end, decoded))
        return chunks

    return find


@lru_cache(maxsize=_CACHED_TOKENS)
def _behind_base36(token: str) -> str | None:
    return _good(_bytes_of(int(token, 36)))


def _base36(text: str) -> list[Chunk]:
    # Unlike the others, base 36 can look like a plain word, which is asked once for each.
    chunks = []
    vocabulary = (word for word in survey(text).vocabulary if 7 <= len(word) <= 120 and word.isascii())
    words = [word for word in vocabulary if _behind_base36(word) is not None]
    for start, end, token in odd_and_words(_ALNUM, words, text):
        decoded = _behind_base36(token)
        if decoded is not None:
            chunks.append(Chunk(start, end, decoded))
    return chunks


def _dense(
    decode: Callable[[str], bytes], symbols: str, *, with_spaces: bool = False
) -> Callable[[str], list[Chunk]]:
    def text_of_token(token: str) -> str | None:
        # Something is left where a symbol is none of the alphabet.
        if token.strip(symbols):
            return None
        try:
            data = decode(token)
        except (ValueError, binascii.Error, OverflowError):
            return None
        return _good(data)

    behind = _kept(text_of_token)

    def find(text: str) -> list[Chunk]:
        chunks: list[Chunk] = []
        # A line alone may decode as well, but to the beginning only.
        for start, end, token in () if with_spaces else _wrapped(text):
            # What is shorter behind them may be another field.
            lines = (
                [token]
                if "\n" not in text[start:end].strip()
                else [token, "".join(text[start:end].split()[:-1])]
            )
            readings = "\n".join(dict.fromkeys(filter(None, map(behind, lines))))
            if readings:
                chunks.append(Chunk(start, end, readings))
        wrapped = tuple(chunks)
        for start, end, run in _runs45(text) if with_spaces else odd_matches(_DENSE, text):
            if wrapped and any(chunk.start <= start < chunk.end for chunk in wrapped):
                continue
            tokens = _with_its_spaces(run) if with_spaces else _with_its_frame(run)
            decoded = next(filter(None, map(behind, tokens)), None)
            if decoded is not None:
                chunks.append(Chunk(start, end, decoded))
        return sorted(chunks, key=lambda chunk: chunk.start)

    return find


def _runs45(text: str) -> Iterator[Odd]:
    """Runs around what is no plain word; and words in capitals, which may be nothing else."""
    end = 0
    for match in stretch_matches(_DENSE45, text):
        end = match.end()
        yield Odd(match.start(), end, match[0])
    for match in _CAPITALS45.finditer(text) if end == 0 and may_match(_CAPITALS45, text) else ():
        yield Odd(*match.span(), match[0])


@lru_cache(maxsize=_CACHED_FRAMES)
def _with_its_frame(token: str) -> tuple[str, ...]:
    return tuple(_framed(token))


def _framed(token: str) -> Iterator[str]:
    """Yield a token, then what is in its quotation marks, without a name before it and marks behind it."""
    yield token
    # As a program's text of several lines has them.
    if token[:1] in _QUOTES and len(token.strip(_QUOTES)) >= _MIN_DENSE:
        yield token.strip(_QUOTES)
    framed = _FRAMED.fullmatch(token)
    if framed is not None and len(framed["inner"]) >= _MIN_DENSE:
        yield framed["inner"]
    # Brackets and marks of a sentence around it are symbols of these alphabets as well.
    bare = token.rstrip(_SENTENCE_MARKS)
    if len(bare) < len(token) and len(bare) >= _MIN_DENSE:
        yield bare
    if len(bare) > _MIN_DENSE + 1 and bare[0] + bare[-1] in _BRACKETS:
        yield bare[1:-1]
    elif token[:1] in _OPENING:
        yield token[1:]
    for mark in "=:":
        _, found, behind = token.partition(mark)
        if found and len(behind) >= _MIN_DENSE:
            yield behind
    literal = _LITERAL.search(token)
    if literal is not None:
        yield literal["inner"]


@lru_cache(maxsize=8)
def _wrapped(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return what fills lines of one width, of which the last may be shorter: start, end, the lines joined."""
    if "\n" not in text:
        return ()
    found: list[tuple[int, int, str]] = []
    lines: list[Odd] = []
    for run in (*survey(text).odd, None):
        if run is not None and lines and len(run.text) <= len(lines[0].text) == len(lines[-1].text):
            between = text[lines[-1].end : run.start]
            if "\n" in between and not between.strip():
                lines.append(run)
                continue
        joined = "".join(line.text for line in lines)
        if len(lines) > 1 and len(joined) <= _MAX_DENSE and not joined.isalnum():
            found.append((lines[0].start, lines[-1].end, joined))
        lines = [] if run is None or len(run.text) < _MIN_DENSE else [run]
    return tuple(found)


def _with_its_spaces(run: str) -> Iterator[str]:
    """Yield a run of base 45 without the blanks around it, then with those that may be its first or last symbols."""
    core = run.strip(" ")
    if not core:
        return
    before = len(run) - len(run.lstrip(" "))
    after = len(run) - len(run.rstrip(" "))
    for head, tail in product(range(min(before, _GROUP45) + 1), range(min(after, _GROUP45) + 1)):
        yield " " * head + core + " " * tail
    # A name of the format before it, as certificates of vaccination have ("HC1:").
    _, named, behind = core.partition(":")
    if named and len(behind) >= _MIN_DENSE:
        yield behind
    if not _CAPITAL.search(core):
        # Figures alone are no encoding that stands beside another figure.
        return
    words = core.split(" ")
    # A number, a colon or words in capitals beside it are symbols too.
    for first, last in product(
        range(min(_CUT45, len(words))), range(len(words), max(0, len(words) - _CUT45), -1)
    ):
        if 0 < last - first < len(words):
            yield " ".join(words[first:last])


def _ascii85(token: str) -> bytes:
    return base64.a85decode(token.removeprefix("<~").removesuffix("~>"))


def _z85(token: str) -> bytes:
    # Nothing else comes here than symbols of this alphabet.
    return base64.b85decode(token.translate(_Z85_TO_B85))


def _base45(token: str) -> bytes:
    # RFC 9285: three symbols to two bytes, least significant first.
    values = [_BASE45.find(symbol) for symbol in token]
    if min(values, default=-1) < 0 or len(values) % 3 == 1:
        return b""
    out = bytearray()
    for at in range(0, len(values), 3):
        group = values[at : at + 3]
        number = sum(value * 45**place for place, value in enumerate(group))
        size = len(group) - 1
        if number >= 256**size:
            return b""
        out += number.to_bytes(size, "big")
    return bytes(out)


def _base91(token: str) -> bytes:
    # basE91: pairs of symbols carry 13 or 14 bits, least significant first.
    pair, queue, bits = -1, 0, 0
    out = bytearray()
    for symbol in token:
        place = _BASE91.find(symbol)
        if place < 0:
            return b""
        if pair < 0:
            pair = place
            continue
        pair += place * 91
        queue |= pair << bits
        bits += 13 if pair & 8191 > 88 else 14
        while bits > 7:
            out.append(queue & 255)
            queue >>= 8
            bits -= 8
        pair = -1
    if pair >= 0:
        out.append((queue | pair << bits) & 255)
    return bytes(out)


def _uu(text: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    for run in survey(text).odd:
        if chunks and run.start < chunks[-1].end:
            continue
        # An opening mark is a count as well, and it may be the bracket around all of it, or the end of a field.
        starts = [
            run.start,
            *(run.start + at + 1 for at, mark in enumerate(run.text[:_UU_HEAD]) if mark in _UU_MARKS),
        ]
        chunks += list(filter(None, (_uu_line(text, start) for start in starts[:_UU_STARTS])))[:1]
    return chunks


def _uu_text(line: str) -> str | None:
    try:
        return _good(binascii.a2b_uu(line))
    except binascii.Error:
        return None


def _uu_line(text: str, start: int) -> Chunk | None:
    match = _UU_LINE.match(text, start)
    if match is None:
        return None
    size = (ord(match[0][0]) - 32) & 63
    needed = 1 + (size + 2) // 3 * 4
    # What follows may be ordinary words; a line that was cut lacks blanks only.
    line = match[0][:needed]
    if len(line) < needed - 3 or size < _MIN_UU or line.replace(" ", "").isdigit():
        return None
    # A closing mark behind a line that lost its blanks is none of it.
    decoded = next(
        filter(None, map(_uu_text, (line.ljust(needed), line.rstrip(_SENTENCE_MARKS).ljust(needed)))), None
    )
    return None if decoded is None else Chunk(match.start(), match.start() + len(line), decoded)


for _form in (_ALNUM, _DENSE):
    IN_RUNS.add(_form)

_XX = "+-" + _DIGITS + _UPPER + _LOWER
_XX_TO_UU = str.maketrans(_XX, "`" + "".join(map(chr, range(33, 96))))
_XX_TOKEN = re.compile(rf"(?<![A-Za-z0-9+-])[2-9A-Ya-z][A-Za-z0-9+-]{{7,{_MOST_SYMBOLS}}}(?![A-Za-z0-9+-])")


def _xx(match: re.Match[str]) -> str | None:
    """XXencode: what uuencode does, in letters and digits."""
    size = _XX.index(match[0][0])
    needed = 1 + (size + 2) // 3 * 4
    if size < _MIN_UU or not needed - 3 <= len(match[0]) <= needed + 1 or not _no_word(match[0]):
        return None
    return _uu_text(match[0][:needed].translate(_XX_TO_UU))


def _as_decimal(match: re.Match[str]) -> str | None:
    return _good(_bytes_of(int(match[0])))


# Shorter ones are ids and sums; bytes of five letters or more have so many digits.
_DECIMAL = re.compile(r"(?<![0-9A-Za-z.,])[1-9][0-9]{11,199}(?![0-9A-Za-z])")

DECODERS: tuple[Decoder, ...] = (
    Decoder("base58", _integers(_Orders(_BASE58), _Orders((_RIPPLE58,))), odd_only=True),
    Decoder("base62", _integers(_Orders(_BASE62)), odd_only=True),
    Decoder("base36", _base36),
    Decoder("base85", _dense(base64.b85decode, _B85), odd_only=True),
    Decoder("ascii85", _dense(_ascii85, _ASCII85), odd_only=True),
    Decoder("z85", _dense(_z85, _Z85), odd_only=True),
    Decoder("base45", _dense(_base45, _BASE45, with_spaces=True), top_only=3),
    Decoder("base91", _dense(_base91, _BASE91), odd_only=True),
    Decoder("uuencode", _uu, odd_only=True),
    Decoder("xxencode", every_match(_XX_TOKEN, _xx, odd_only=True), odd_only=True),
    Decoder("bignumber", every_match(_DECIMAL, _as_decimal, odd_only=True), needs=_DIGITS, odd_only=True),
)
