"""Text hidden in characters that take no room (tag characters, variation selectors, zero-width bits) or that look
like two letters."""

from __future__ import annotations

import re
import unicodedata

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder
from doublethink_fingerprint.decoders.octets import text_of
from doublethink_fingerprint.fold import is_invisible

_TAG_FIRST, _TAG_LAST = 0xE0020, 0xE007E
_MIN_HIDDEN = 3
_BIT_PAIRS = (
    ("\u200b", "\u200c"),
    ("\u200b", "\u200d"),
    ("\u200c", "\u200d"),
    ("\u2062", "\u2064"),
    ("\u2060", "\u200b"),
)
# Only white space beyond single blanks between words can carry bits.
_ODD_BLANK = re.compile(r"[\t\u00a0\u2002\u2003\u2009]| (?=[ \t])|(?<=[ \t]) ")
_TAG_RUN = re.compile(f"[{chr(_TAG_FIRST)}-{chr(_TAG_LAST)}]")
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ZERO_WIDTH = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]")
_MOST_BITS = 8
_BEYOND_LATIN = "\u0250"
_UNPLAIN = re.compile(r"[^ -~\t-\r\x1c-\x1f]")
_SPACE_PAIRS = ((" ", "\t"), ("\u00a0", " "), ("\u2009", " "), ("\u2002", "\u2003"))


_SELECTOR_LAST = 0xFE0F


def _selector_byte(code: int) -> int:
    """Return the byte that a variation selector can stand for: VS1 to VS256 are 0 to 255."""
    return code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16


def _tags(text: str) -> list[Chunk]:
    places = [match.start() for match in _TAG_RUN.finditer(text)]
    return _hidden(text, places, "".join(chr(ord(text[at]) - 0xE0000) for at in places))


def _selectors(text: str) -> list[Chunk]:
    found = list(_SELECTOR.finditer(text))
    if len(found) < _MIN_HIDDEN:
        return []
    codes = [ord(match[0]) for match in found]
    readings = [bytes(map(_selector_byte, codes))]
    if min(codes) > _SELECTOR_LAST:
        # The supplement alone, counted from nought or from 32.
        readings += [
            bytes(code - 0xE0100 for code in codes),
            bytes((code - 0xE0100 + 32) % 256 for code in codes),
        ]
    elif max(codes) <= _SELECTOR_LAST and len(codes) % 2 == 0:
        # Half a byte each.
        halves = [code - 0xFE00 for code in codes]
        readings += [bytes(high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=True))]
    decoded = "\n".join(dict.fromkeys(text_of(data) or data.decode("latin-1") for data in readings))
    return _hidden(text, [match.start() for match in found], decoded)


def _bits(text: str, pairs: tuple[tuple[str, str], ...]) -> list[Chunk]:
    found = [match.start() for match in _ZERO_WIDTH.finditer(text)]
    if len(found) < 8 * _MIN_HIDDEN:
        return []
    kinds = sorted({text[at] for at in found})
    if len(kinds) == 2 and (kinds[0], kinds[1]) not in pairs:
        pairs = (*pairs, (kinds[0], kinds[1]))
    for zero, one in pairs:
        places = [at for at in found if text[at] in (zero, one)]
        if len(places) < 8 * _MIN_HIDDEN or len({text[at] for at in places}) < 2:
            continue
        for first, second in ((zero, one), (one, zero)):
            decoded = _grouped(text, found, first, second)
            if decoded is not None:
                return _hidden(text, found, decoded)
        bits = "".join("0" if text[at] == zero else "1" for at in places)
        readings = (_from_bits(pattern) for pattern in (bits, bits.translate(str.maketrans("01", "10"))))
        decoded = "\n".join(filter(None, (*readings, _five_bits(bits))))
        if decoded:
            return _hidden(text, places, decoded)
    return []


def _five_bits(bits: str) -> str:
    """Letters counted from nought or one, five bits to each; nothing where some are none."""
    readings = []
    for kind in (bits, bits.translate(str.maketrans("01", "10"))) if len(bits) % 5 == 0 else ():
        values = [int(kind[at : at + 5], 2) for at in range(0, len(kind), 5)]
        readings += [
            "".join(chr(97 + value - first) for value in values)
            for first in (0, 1)
            if all(0 <= value - first < 26 for value in values)
        ]
    return "\n".join(readings)


def _from_bits(bits: str) -> str | None:
    if len(bits) % 16 == 0 and bits[:8] == "00000000":
        data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
        text = _plain_text(data.decode("utf-16-be", "replace").encode())
        if text is not None:
            return text
    for width in (8, 7):
        codes = [int(bits[at : at + width], 2) for at in range(0, len(bits) - width + 1, width)]
        text = _plain_text(bytes(codes))
        if text is not None:
            return text
    return None


def _plain_text(data: bytes) -> str | None:
    """What bits say: nearly all ASCII, or UTF-8 of letters with marks."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        plain = sum(char.isascii() and char.isprintable() for char in text)
    else:
        plain = sum(char.isprintable() and char < _BEYOND_LATIN for char in text)
    return text if plain >= 0.8 * len(text) else None


def _grouped(text: str, found: list[int], zero: str, one: str) -> str | None:
    """Bits of one letter each between other characters without width."""
    kinds = "".join("0" if text[at] == zero else "1" if text[at] == one else " " for at in found)
    groups = kinds.split()
    if len(groups) < _MIN_HIDDEN or max(map(len, groups)) > _MOST_BITS:
        return None
    codes = [int(group, 2) for group in groups]
    return _plain_text(bytes(codes)) if max(codes) < 256 else None


def _zero_width(text: str) -> list[Chunk]:
    return _bits(text, _BIT_PAIRS)


def _white_space(text: str) -> list[Chunk]:
    odd = [match.start() for match in _ODD_BLANK.finditer(text)]
    if len(odd) < 8 * _MIN_HIDDEN:
        return []
    for zero, one in _SPACE_PAIRS:
        for pair in ((zero, one), (one, zero)):
            bits = "".join("0" if text[at] == pair[0] else "1" for at in odd if text[at] in pair)
            decoded = _from_bits(bits) if len(bits) >= 8 * _MIN_HIDDEN else None
            if decoded is not None:
                return _hidden(text, odd, decoded)
    return []


def _hidden(text: str, places: list[int], decoded: str) -> list[Chunk]:
    if len(places) < _MIN_HIDDEN:
        return []
    return [Chunk(places[0], places[-1] + 1, decoded)]


def _normalised(text: str) -> list[Chunk]:
    """Compatibility forms and invisible characters taken away, case kept, so that other decoders see plain
    text."""
    chunks = []
    for match in _UNPLAIN.finditer(text):
        at, char = match.start(), match[0]
        plain = "" if is_invisible(char) else unicodedata.normalize("NFKC", char)
        if plain != char:
            chunks.append(Chunk(at, at + 1, plain, True))
    return chunks


# An upright stroke is an i to the fold, as UTS 39 has most of them, and an l to some readers.
_STROKES = "\u0399\u0406\u01c0\u04c0\u04cf\u2223"
_STROKE = re.compile(f"[{_STROKES}]")


def _strokes(text: str) -> list[Chunk]:
    return [Chunk(match.start(), match.end(), "l") for match in _STROKE.finditer(text)]


DECODERS: tuple[Decoder, ...] = (
    Decoder("tags", _tags, needs="".join(map(chr, range(_TAG_FIRST, _TAG_LAST + 1)))),
    Decoder("selectors", lambda text: [] if text.isascii() else _selectors(text)),
    Decoder("zerowidth", _zero_width, needs="\u200b\u200c\u200d\u2060\u2062\u2064"),
    Decoder("whitespace", _white_space, needs="\t\u00a0\u2002\u2003\u2009", top_only=1),
    Decoder("strokes", _strokes, needs=_STROKES, top_only=2, terminal=True),
    Decoder("normal", _normalised),
)
