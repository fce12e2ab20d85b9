"""Base64, base32 and hex (RFC 4648) and their relatives, at any bit offset and inside longer text.

Two ways, because each alone has a hole. A whole token that looks encoded is decoded as it stands. Besides,
every run of symbols whose bits can only be ASCII text is decoded at the offset where that is so, which finds
encoded text in the middle of other symbols; English hardly ever forms such runs.
"""

from __future__ import annotations

import binascii
import re
import string
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder
from doublethink_fingerprint.decoders.octets import deflated_text, inflates, text_of, words_among
from doublethink_fingerprint.decoders.survey import (
    ANYWHERE,
    IN_RUNS,
    IN_STRETCHES,
    may_match,
    odd_and_words,
    odd_matches,
    stretch_matches,
    stretches_with,
    survey,
)
from doublethink_fingerprint.work import CHUNK, spend

_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BASE64 = _UPPER + _UPPER.lower() + "0123456789+/"
_BASE64_URL = _BASE64[:-2] + "-_"
_BASE32 = _UPPER + "234567"
_BASE32_HEX = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ZBASE32 = "ybndrfg8ejkmcpqxot1uwisza345h769"
_MIN_SYMBOLS = 6
_MAX_SYMBOLS = 400_000
# Decoding by one long integer takes the square of the length.
_MAX_SYMBOLS_32 = 20_000
# Words come again and again; long tokens do not, and are not kept.
_CACHED_TOKENS = 1 << 14
_MAX_CACHED = 64
_PYTHON_32 = "0123456789abcdefghijklmnopqrstuv"

_B64_TOKEN = re.compile(r"[A-Za-z0-9+/_-]{6,}={0,2}")
_B64_LOOSE = re.compile(r"(?:[A-Za-z0-9+/_-]{2,76}[ \t\r\n.,;:|\\]{1,3}){1,200}[A-Za-z0-9+/_-]{2,76}={0,2}")
_B64_PART = re.compile(r"[A-Za-z0-9+/_-]{2,}={0,2}")
_B32_TOKEN = re.compile(r"(?<![A-Za-z0-9])(?:[A-Za-z0-9]{2,}(?:-[A-Za-z0-9]{2,})+|[A-Za-z0-9]{8,})={0,6}")
# Separators may stand anywhere, within the two digits of a byte too. Possessive: a long run of digits that is
# none costs one pass.
_HEX_TOKEN: Final = re.compile(
    r"(?i)(?<![0-9a-z])(?:0x|\\?x)?[0-9a-f]++(?=h?(?:[^0-9a-z]|$)|0x|x)"
    r"(?:h?(?:[ :,;._\-\n|/]{1,2}(?:0x|\\?x)?|0x|\\?x)[0-9a-f]++(?=h?(?:[^0-9a-z]|$)|0x|x))*+h?+"
    r"|[0-9a-f]{6,}+"
)
# Six digits in one group, or two groups.
_HEX_LIKELY = re.compile(
    r"(?i)[0-9a-f]{6}|(?:\A|[^0-9a-z])(?:0x|\\?x)?[0-9a-f]+(?:h?[ :,;._\-\n|/]{1,2}(?:0x|\\?x)?|0x|\\?x)"
    r"[0-9a-f]+(?:h?[^0-9a-z]|h?\Z|0x|x)"
)
IN_STRETCHES.add(_HEX_TOKEN, _HEX_LIKELY)
_MIN_CUT_DIGITS = 10
_MIN_BACKWARDS = 8
# Groups of base 32 with blanks or the like between. Hyphens are part of a token, see above.
_BETWEEN_GROUPS = r"[ \t\r\n.,:;|]{1,3}"


def _groups_of(symbols: str) -> re.Pattern[str]:
    """Return a pattern for two groups or more of one size, two to ten symbols, of which the last may be shorter."""
    sizes = "|".join(
        f"{symbols}{{{size}}}(?:{_BETWEEN_GROUPS}{symbols}{{{size}}})+(?![A-Za-z0-9])"
        f"(?:{_BETWEEN_GROUPS}{symbols}{{1,{size - 1}}}(?![A-Za-z0-9]))?"
        f"|{symbols}{{{size}}}{_BETWEEN_GROUPS}{symbols}{{1,{size - 1}}}(?![A-Za-z0-9])"
        for size in range(2, 11)
    )
    return re.compile(f"(?<![A-Za-z0-9])(?:{sizes})={{0,6}}")


_TWO_IN_CAPITALS = ANYWHERE.add(re.compile(rf"(?:[A-Z][A-Z0-9]|[0-9][A-Z]){_BETWEEN_GROUPS}[A-Z0-9]"))
_DIGIT_AT_LETTER = IN_STRETCHES.add(re.compile("[a-z][0-9]|[0-9][a-z]"))
_GROUPS_IN_CAPITALS = _groups_of("[A-Z0-9]")
_SMALL_GROUPS = _groups_of("[a-z0-9]")
_GROUP = re.compile("[A-Za-z0-9]+")
# No token looks encoded without one of these, or it is a number.
_CODED = IN_STRETCHES.add(
    re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]|[+/_=-]|[A-Z]{16}")
)
_HEX_BYTES = re.compile(r"(?i)(?:0x|\\?x)?[0-9a-f]{2}(?:h?[^0-9a-z]{0,2}(?:0x|\\?x)?[0-9a-f]{2})*+h?")
# The nought before an x may be the last digit of "x20".
_NOT_HEX = re.compile(r"(?i)(?<!x[0-9a-f])0x|\\?x|[^0-9a-f]")


def _byte_pattern(alphabet: str) -> str:
    """Return a pattern for four symbols of base64 all of whose three bytes are below 128."""
    classes = []
    for place in range(4):
        top_bits = [at for at in range(0, 24, 8) if place * 6 <= at < (place + 1) * 6]
        allowed = [
            symbol
            for value, symbol in enumerate(alphabet)
            if not any(value >> (5 - (at - place * 6)) & 1 for at in top_bits)
        ]
        classes.append("[" + re.escape("".join(allowed)) + "]")
    return "".join(classes)


def _runs(alphabet: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return where a run of two groups or more may begin, and the whole run from there."""
    group = _byte_pattern(alphabet)
    begin = re.compile(f"(?={group}{group})", re.ASCII)
    return begin, re.compile(f"(?:{group}){{2,}}[{re.escape(alphabet)}]{{0,3}}", re.ASCII)


_B64_RUN = _runs(_BASE64)
_B64_URL_RUN = _runs(_BASE64_URL)


def _decode64(symbols: str) -> bytes | None:
    clean = symbols.strip("=").replace("-", "+").replace("_", "/")
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    try:
        return binascii.a2b_base64(clean + "=" * (-len(clean) % 4))
    except (binascii.Error, ValueError):
        return None


def _looks_encoded(token: str) -> bool:
    """Whether a token is no plain word: it has digits, marks, or capitals inside."""
    body = token.rstrip("=")
    if len(body) < len(token):
        return True
    return not (body.isalpha() and (body[1:].islower() or (body.isupper() and len(body) < 16)))


def _text_of(data: bytes | None) -> str | None:
    return None if data is None else text_of(data)


def _either_way(decode: Callable[[str], str | None], symbols: str) -> str | None:
    """Decode symbols as they stand, or backwards where that alone reads as plain text."""
    decoded = decode(symbols)
    if len(symbols) < _MIN_BACKWARDS or (decoded is not None and decoded.isascii() and _plain_ascii(decoded)):
        return decoded
    backwards = decode(symbols[::-1])
    if backwards is None or not backwards.isascii() or not _plain_ascii(backwards):
        return decoded
    return backwards


def _base64(text: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    for start, end, token in odd_matches(_B64_TOKEN, text):
        if _looks_encoded(token) and len(token) <= _MAX_SYMBOLS:
            decoded = _either_way(_text64, token)
            if decoded is None or not _plain_ascii(decoded):
                decoded = _parted64(token) or _shifted64(token) or decoded or _among_bytes(token)
            if decoded is not None:
                chunks.append(Chunk(start, end, decoded))
    return chunks


def _text64(symbols: str) -> str | None:
    return _text_of(_decode64(symbols))


def _parted64(token: str) -> str | None:
    """Base64 in groups of one size with hyphens or lines between, if that alone reads as plain text."""
    for mark in "-_":
        groups = token.rstrip("=").split(mark)
        if len(groups) > 2 and len(set(map(len, groups[:-1]))) == 1 and len(groups[-1]) <= len(groups[0]):
            decoded = _text_of(_decode64("".join(groups)))
            if decoded is not None and _reads(decoded):
                return decoded
    return None


def _shifted64(token: str) -> str | None:
    """Base64 whose letters were shifted by thirteen, if that alone reads as plain text."""
    if not _MIN_SHIFTED <= len(token) <= _MAX_SHIFTED:
        return None
    decoded = _text_of(_decode64(token.translate(_ROT13)))
    return decoded if decoded is not None and _reads(decoded) else None


def _reads(text: str) -> bool:
    """Whether text is plain throughout: ASCII, or words of letters with marks."""
    return _plain_ascii(text) if text.isascii() else _is_words(text)


def _among_bytes(token: str) -> str | None:
    """Words between bytes that are none, as in a record of a program."""
    if len(token) > _MAX_MIXED:
        return None
    return words_among(_decode64(token) or b"")


_ROT13 = str.maketrans(
    _UPPER + _UPPER.lower(),
    _UPPER[13:] + _UPPER[:13] + _UPPER[13:].lower() + _UPPER[:13].lower(),
)
_MIN_SHIFTED, _MAX_SHIFTED = 8, 2000
_MAX_MIXED = 256


def _base64_runs(text: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    end = 0
    for begin, whole in (_B64_RUN, _B64_URL_RUN) if "-" in text or "_" in text else (_B64_RUN,):
        last: dict[int, int] = {}
        for place in odd_matches(begin, text):
            start = place.start
            # The same run seen four symbols later is its own tail.
            if last.get(start % 4, 0) > start:
                continue
            match = whole.match(text, start)
            if match is None:
                continue
            run = match[0]
            last[start % 4] = match.end()
            decoded = _text_of(_decode64(run))
            if decoded is not None and start >= end and _wordlike(decoded):
                chunks.append(Chunk(start, start + len(run), decoded))
                end = start + len(run)
    return _in_order(chunks)


def _wordlike(text: str) -> bool:
    letters = sum(char.isalnum() or char in " \0" for char in text)
    return letters >= 0.6 * len(text)


def _base64_loose(text: str) -> list[Chunk]:
    """Base64 over several lines or with blanks in it: tokens that are no words, and what is between.

    A plain-looking token beside them may belong to them or not, so both are tried.
    """
    chunks: list[Chunk] = []
    for low_end, high_end in stretches_with(_CODED, text):
        for match in _B64_LOOSE.finditer(text, low_end, high_end):
            # It is decoded up to four times.
            spend(CHUNK + 4 * len(match[0]))
            chunk = _unwrapped(match)
            if chunk is not None:
                chunks.append(chunk)
    return chunks


def _unwrapped(match: re.Match[str]) -> Chunk | None:
    at = match.start()
    tokens = [(m.start() + at, m.end() + at, m[0]) for m in _B64_PART.finditer(match[0])]
    encoded = [index for index, (_, _, token) in enumerate(tokens) if _looks_encoded(token)]
    # Years and amounts between words are no encoding: one in which every part with a digit is all digits is none.
    if all(tokens[index][2].isdigit() for index in encoded):
        return None
    first, last = encoded[0], encoded[-1]
    best: tuple[int, Chunk] | None = None
    for low, high in ((first, last), (first - 1, last), (first, last + 1), (first - 1, last + 1)):
        if low < 0 or high >= len(tokens) or low == high:
            continue
        symbols = "".join(token for _, _, token in tokens[low : high + 1])
        decoded = _text_of(_decode64(symbols)) if len(symbols) <= _MAX_SYMBOLS else None
        if decoded is None or not _wordlike(decoded):
            continue
        plain = sum(char.isascii() and char.isalnum() for char in decoded)
        if best is None or plain > best[0]:
            best = plain, Chunk(tokens[low][0], tokens[high][1], decoded)
    return None if best is None else best[1]


def _decode32(symbols: str, table: dict[int, int]) -> bytes:
    """Decode symbols that `table` turns into Python's own digits of base 32; b"" where one is not in it."""
    digits = symbols.translate(table)
    try:
        number = int(digits, 32)
    except ValueError:
        return b""
    spare = len(digits) * 5 % 8
    return (number >> spare).to_bytes(len(digits) * 5 // 8, "big")


def _base32(alphabet: str) -> Callable[[str], list[Chunk]]:
    # Symbols outside the alphabet become "!", which no number holds.
    table = dict.fromkeys(map(ord, string.ascii_letters + string.digits), ord("!"))
    for value, symbol in enumerate(alphabet):
        table[ord(symbol.lower())] = table[ord(symbol.upper())] = ord(_PYTHON_32[value])
    if alphabet is _CROCKFORD:
        table |= {ord(symbol): ord(digit) for symbol, digit in zip("oOiIlL", "001111", strict=True)}

    @lru_cache(maxsize=_CACHED_TOKENS)
    def text_behind(token: str) -> str | None:
        symbols = token.strip("=").replace("-", "")
        if not 8 <= len(symbols) <= _MAX_SYMBOLS_32:
            return None
        # Most words are no text either way, and few of those that are coded are plain letters.
        coded = not symbols.isalpha() or symbols.isupper()
        return _of_symbols(symbols, coded) or (_of_symbols(symbols[::-1], False) if coded else None)

    def _of_symbols(symbols: str, coded: bool) -> str | None:
        data = _decode32(symbols, table)
        # ASCII or something compressed: what else decodes here is a word taken for base32.
        decoded: str | None = None
        if (
            data.isascii()
            or inflates(data)
            or (coded and (_says_words(data) or data.count(0) * 3 > len(data)))
        ):
            decoded = text_of(data)
        elif coded:
            decoded = deflated_text(data) or _as_number(symbols)
        if decoded is None:
            return None
        # Of ordinary words some decode to letters beside control characters.
        return decoded if _plain_ascii(decoded) or (coded and _wordlike(decoded)) else None

    def _as_number(symbols: str) -> str | None:
        """What the symbols say as digits of one number, which leaves the spare bits in front."""
        try:
            number = int(symbols.translate(table), 32)
        except ValueError:
            return None
        data = number.to_bytes((number.bit_length() + 7) // 8, "big")
        return text_of(data) if data.isascii() or _says_words(data) else None

    def grouped(found: tuple[int, list[re.Match[str]]]) -> Chunk | None:
        """Groups of one size; the words beside them may have that size too, and be none of them."""
        at, groups = found
        for first, last in product(range(min(3, len(groups) - 1)), range(len(groups), len(groups) - 3, -1)):
            symbols = "".join(group[0] for group in groups[first:last])
            decoded = text_behind.__wrapped__(symbols) if len(symbols) >= _MIN_GROUPED else None
            if decoded is not None:
                return Chunk(at + groups[first].start(), at + groups[last - 1].end(), decoded)
        return None

    def find(text: str) -> list[Chunk]:
        chunks = []
        # A plain word may be base32 as well, which is asked once for each.
        words = [word for word in survey(text).vocabulary if len(word) >= 8 and text_behind(word) is not None]
        for start, end, token in odd_and_words(_B32_TOKEN, words, text):
            decoded = text_behind(token) if len(token) <= _MAX_CACHED else text_behind.__wrapped__(token)
            if decoded is not None:
                chunks.append(Chunk(start, end, decoded))
        chunks += filter(None, map(grouped, _grouped(text)))
        return _in_order(chunks)

    return find


@lru_cache(maxsize=8)
def _grouped(text: str) -> tuple[tuple[int, list[re.Match[str]]], ...]:
    """Return what stands in groups of one size: in capitals anywhere, else where a digit stands beside a letter. Each
    is told by where it begins and by its groups, which stand in it; what is too short in all is left out.
    """
    found: list[re.Match[str]] = []
    if may_match(_TWO_IN_CAPITALS, text) and _TWO_IN_CAPITALS.search(text):
        found += _GROUPS_IN_CAPITALS.finditer(text)
    for part in stretches_with(_DIGIT_AT_LETTER, text):
        found += (m for m in _SMALL_GROUPS.finditer(text, *part) if _DIGIT_AT_LETTER.search(m[0]))
    spend(sum(CHUNK + len(match[0]) for match in found))
    parted = ((match.start(), list(_GROUP.finditer(match[0]))) for match in found)
    return tuple(
        (at, groups)
        for at, groups in parted
        if sum(group.end() - group.start() for group in groups) >= _MIN_GROUPED
    )


_MIN_GROUPED = 8


def _says_words(data: bytes) -> bool:
    """Whether bytes are UTF-8 of words with letters beyond ASCII: few others happen to be."""
    try:
        return _is_words(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _is_words(text: str) -> bool:
    """Whether text is letters of one alphabet and its relatives, and marks as names and sentences have them."""
    if len(text) < 5 or max(text) >= _BEYOND_WORDS:
        return False
    return text.translate(_MARKS_OF_WORDS).isalpha() and sum(map(str.isalpha, text)) * 2 > len(text)


_MARKS_OF_WORDS = dict.fromkeys(map(ord, " -'’.,;:&/()0123456789\n"))
# Latin with its marks, Greek and Cyrillic, and the Latin of Vietnamese; what lies between is seldom one word.
_BEYOND_WORDS = "\u1f00"


def _plain_ascii(text: str) -> bool:
    return all(char.isprintable() or char in "\t\r\n\0" for char in text) and _wordlike(text)


def _hex(text: str) -> list[Chunk]:
    chunks = []
    for match in stretch_matches(_HEX_TOKEN, text):
        if len(match[0]) < _MIN_SYMBOLS:
            continue
        found = _hex_text(match[0], _forwards)
        if found is None or not _plain_ascii(found):
            # Numbers and short words beside it consist of the same digits.
            for start, end in _without_ends(match[0]):
                inner = _hex_text(match[0][start:end], _forwards)
                if inner is not None and _plain_ascii(inner):
                    chunks.append(Chunk(match.start() + start, match.start() + end, inner))
                    break
            else:
                found = _hex_text(match[0], _either_way_hex)
                if found is not None:
                    chunks.append(Chunk(match.start(), match.end(), found))
            continue
        chunks.append(Chunk(match.start(), match.end(), found))
    return chunks


def _forwards(pairs: str) -> str | None:
    return _text_of(bytes.fromhex(pairs))


def _either_way_hex(pairs: str) -> str | None:
    """Forwards, backwards, or with the two digits of each byte exchanged."""
    decoded = _either_way(_forwards, pairs)
    if len(pairs) < _MIN_BACKWARDS or (decoded is not None and _reads(decoded)):
        return decoded
    exchanged = _forwards("".join(b + a for a, b in zip(pairs[::2], pairs[1::2], strict=True)))
    return exchanged if exchanged is not None and _reads(exchanged) else decoded


def _hex_text(token: str, read: Callable[[str], str | None]) -> str | None:
    digits = _NOT_HEX.sub("", token)
    in_bytes = _HEX_BYTES.fullmatch(token) is not None
    if len(digits) < (_MIN_SYMBOLS if in_bytes else _MIN_CUT_DIGITS):
        return None
    best: str | None = None
    for start in (0, 1):
        even = digits[start:]
        even = even[: len(even) // 2 * 2]
        decoded = read(even) if len(even) >= _MIN_SYMBOLS else None
        if decoded is not None and (best is None or _plain_ascii(decoded) > _plain_ascii(best)):
            best = decoded
    return best if best is None or in_bytes or _plain_ascii(best) else None


def _without_ends(token: str) -> Iterator[tuple[int, int]]:
    """Yield a run of hexadecimal groups without the first or last of them, or both, up to two at each end."""
    groups = list(_HEX_GROUP.finditer(token))
    for first, last in product(range(min(3, len(groups))), range(len(groups), max(0, len(groups) - 3), -1)):
        if 0 < last - first < len(groups):
            yield groups[first].start(), groups[last - 1].end()


_HEX_GROUP = re.compile(r"(?i)(?:0x|\\?x)?[0-9a-f]+")


def _in_order(chunks: list[Chunk]) -> list[Chunk]:
    """Of chunks that overlap, the first, and of those that begin together the longest."""
    kept: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: (chunk.start, -chunk.end)):
        if not kept or chunk.start >= kept[-1].end:
            kept.append(chunk)
    return kept


for _form in (_B64_TOKEN, _B32_TOKEN):
    IN_RUNS.add(_form)

DECODERS: tuple[Decoder, ...] = (
    Decoder("base64", _base64, odd_only=True),
    Decoder("base64run", _base64_runs, odd_only=True),
    Decoder("base64wrapped", _base64_loose, odd_only=True),
    Decoder("base32", _base32(_BASE32)),
    Decoder("base32hex", _base32(_BASE32_HEX)),
    Decoder("crockford", _base32(_CROCKFORD)),
    Decoder("zbase32", _base32(_ZBASE32)),
    Decoder("hex", _hex, needs="0123456789abcdefABCDEF", odd_only=True),
)
