"""Every decoder inverts an encoder written apart from it, and no text made of its own signs breaks it."""

from __future__ import annotations

import base64
import binascii
import string
import unicodedata
from collections.abc import Callable

import pytest
from doublethink_fingerprint import View, WorkSpent, bounded_work, explore, limits, prepare
from doublethink_fingerprint.decoders import DECODERS, Decoder
from doublethink_fingerprint.errors import Unreadable
from hypothesis import given, settings
from hypothesis import strategies as st

_STANDARD_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_Z85 = _DIGITS + _LOWER + _UPPER + ".-:+=^!/*?&<>()[]{}@%$#"
_B45 = _DIGITS + _UPPER + " $%*+-./:"
_B91 = _UPPER + _LOWER + _DIGITS + '!#$%&()*+,./:;<=>?@[]^_`{|}~"'
_MORSE = (
    "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- "
    "v...- w.-- x-..- y-.-- z--.."
)
_NATO = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo "
    "sierra tango uniform victor whiskey xray yankee zulu"
)
_BRAILLE = dict(zip(_LOWER, "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", strict=True))
_TURNED = dict(zip(_LOWER, "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz", strict=True))
_MIRROR = dict(zip(_LOWER, "ɒdɔbɘꟻǫʜiꞁʞlmnoqpɿꙅƚuvwxyz".replace("ꞁʞ", "įʞ"), strict=True))
_COUNTED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_KEYS = ("abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz")


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _b32(word: str, alphabet: str) -> str:
    plain = base64.b32encode(word.encode()).decode().rstrip("=")
    return plain.translate(str.maketrans(_STANDARD_32, alphabet))


def _integer(word: str, alphabet: str) -> str:
    number, out = int.from_bytes(word.encode(), "big"), ""
    while number:
        number, place = divmod(number, len(alphabet))
        out = alphabet[place] + out
    return out


def _selectors(word: str) -> str:
    return "😀" + "".join(chr(0xFE00 + b if b < 16 else 0xE0100 + b - 16) for b in word.encode())


def _bits(word: str, zero: str, one: str) -> str:
    return "".join(f"{byte:08b}" for byte in word.encode()).replace("0", zero).replace("1", one)


def _square(word: str, left_out: str, instead: str, sign: Callable[[int, int], str]) -> str:
    letters = _LOWER.replace(left_out, "")
    places = (letters.index(char) for char in word.replace(left_out, instead))
    return " ".join(sign(place // 5 + 1, place % 5 + 1) for place in places)


def _bacon(word: str, letters: str) -> str:
    return " ".join(f"{letters.index(c):05b}".replace("0", "a").replace("1", "b") for c in word)


def _cased(word: str) -> str:
    """Bacon's bits as capitals of other words."""
    bits = "".join(f"{_LOWER.index(char):05b}" for char in word)
    cover = ("morning trains to the harbour were late and nobody knew why " * 4).replace(" ", "")
    return "".join(c.upper() if bit == "1" else c for c, bit in zip(cover, bits, strict=False)) + "aBcDeF"


def _presses(word: str) -> str:
    keys = ((at, group) for char in word for at, group in enumerate(_KEYS, 2) if char in group)
    return " ".join(str(at) * (group.index(c) + 1) for c, (at, group) in zip(word, keys, strict=True))


def _base45(word: str) -> str:
    data, out = word.encode(), ""
    for at in range(0, len(data), 2):
        pair = data[at : at + 2]
        number = int.from_bytes(pair, "big")
        for _ in range(3 if len(pair) == 2 else 2):
            number, place = divmod(number, 45)
            out += _B45[place]
    return out


def _base91(word: str) -> str:
    queue = bits = 0
    out = ""
    for byte in word.encode():
        queue |= byte << bits
        bits += 8
        if bits > 13:
            size = 13 if queue & 8191 > 88 else 14
            value = queue & ((1 << size) - 1)
            queue, bits = queue >> size, bits - size
            out += _B91[value % 91] + _B91[value // 91]
    if bits:
        out += _B91[queue % 91] + (_B91[queue // 91] if bits > 7 or queue > 90 else "")
    return out


def _z85(word: str) -> str:
    data, out = word.encode().ljust(-(-len(word) // 4) * 4), ""
    for at in range(0, len(data), 4):
        number, block = int.from_bytes(data[at : at + 4], "big"), ""
        for _ in range(5):
            number, place = divmod(number, 85)
            block = _Z85[place] + block
        out += block
    return out


def _rot47(word: str) -> str:
    return "".join(chr(33 + (ord(char) + 14) % 94) for char in word)


def _xx(word: str) -> str:
    alphabet = "+-" + _DIGITS + _UPPER + _LOWER
    line = binascii.b2a_uu(word.encode(), backtick=True).decode().rstrip("\n")
    return "".join(alphabet[0 if sign == "`" else ord(sign) - 32] for sign in line)


def _in_words(word: str) -> str:
    return " ".join(_COUNTED[int(digit)] for digit in _number(word))


def _number(word: str) -> str:
    return "".join(str(ord(char) % 10) for char in word)


ENCODERS: dict[str, Callable[[str], str]] = {
    "tags": lambda w: "x" + "".join(chr(0xE0000 + ord(c)) for c in w),
    "selectors": _selectors,
    "zerowidth": lambda w: "x" + _bits(w, "\u200b", "\u200c"),
    "whitespace": lambda w: "x" + _bits(w, " ", "\t") + "x",
    "strokes": lambda w: (w + "l").replace("l", "\u04cf"),
    "normal": lambda w: "".join(chr(ord(c) + 0xFEE0) for c in w),
    "escapes": lambda w: "".join(f"\\u{ord(c):04x}" for c in w),
    "css": lambda w: "".join(f"\\{ord(c):x} " for c in w),
    "quoted": lambda w: "".join(f"={ord(c):02X}" for c in w),
    "mime": lambda w: f"=?utf-8?b?{_b64(w.encode())}?=",
    "utf7": lambda w: f"+{_b64(w.encode('utf-16-be')).rstrip('=')}-",
    "plus": lambda w: f"q={w[:4]}+{w[4:]}",
    "markup": lambda w: f"{w[:4]}<b>{w[4:]}</b>",
    "punycode": lambda w: "xn--" + (w + "ü").encode("punycode").decode(),
    "base64": lambda w: _b64(w.encode()),
    "base64run": lambda w: "~9" + _b64(f"so much for {w} and the rest".encode()),
    "base64wrapped": lambda w: " ".join(_b64(f"{w}9{w}".encode())[at : at + 8] for at in range(0, 32, 8)),
    "base32": lambda w: _b32(w, _STANDARD_32),
    "base32hex": lambda w: _b32(w, "0123456789ABCDEFGHIJKLMNOPQRSTUV"),
    "crockford": lambda w: _b32(w, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
    "zbase32": lambda w: _b32(w, "ybndrfg8ejkmcpqxot1uwisza345h769"),
    "hex": lambda w: w.encode().hex(),
    "hexnumber": lambda w: hex(int.from_bytes(w[:6].encode(), "big")),
    "binary": lambda w: " ".join(f"{ord(c):08b}" for c in w),
    "binaryrun": lambda w: "".join(f"{ord(c):08b}" for c in w),
    "octal": lambda w: " ".join(f"{ord(c):03o}" for c in w),
    "decimal": lambda w: " ".join(str(ord(c)) for c in w),
    "octalrun": lambda w: "".join(f"{ord(c):03o}" for c in w),
    "decimalrun": lambda w: "".join(str(ord(c)) for c in w),
    "letternumbers": lambda w: "-".join(str(ord(c) - 96) for c in w),
    "polybius": lambda w: _square(w, "j", "i", lambda row, column: f"{row}{column}"),
    "keys": _presses,
    "taps": lambda w: _square(w, "k", "c", lambda row, column: f"{'.' * row} {'.' * column} /"),
    "bacon": lambda w: _bacon(w, _LOWER),
    "bacon24": lambda w: _bacon(w.replace("j", "i").replace("v", "u"), "abcdefghiklmnopqrstuwxyz"),
    "baconcase": _cased,
    "base58": lambda w: _integer(w, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
    "base62": lambda w: _integer(w, _DIGITS + _UPPER + _LOWER),
    "base36": lambda w: _integer(w, _DIGITS + _LOWER),
    "base85": lambda w: base64.b85encode(w.encode()).decode(),
    "ascii85": lambda w: base64.a85encode(w.encode()).decode(),
    "z85": _z85,
    "base45": _base45,
    "base91": _base91,
    "uuencode": lambda w: binascii.b2a_uu(w.encode()).decode().rstrip("\n"),
    "morse": lambda w: " ".join({sign[0]: sign[1:] for sign in _MORSE.split()}[c] for c in w),
    "braille": lambda w: "".join(_BRAILLE[c] for c in w),
    "spelled": lambda w: " ".join(_NATO.split()[ord(c) - 97] for c in w),
    "asin": lambda w: ", ".join(f"{c} as in {c}ord" for c in w),
    "digitwords": _in_words,
    "turned": lambda w: "".join(_TURNED[c] for c in reversed(w + "e")),
    "mirrored": lambda w: "".join(_MIRROR[c] for c in reversed(w + "e")),
    "leet": lambda w: ("q" + w + "e").translate(str.maketrans("oeasl", "034$|")),
    "leet2": lambda w: ("q" + w + "l").translate(str.maketrans("oleas", "0134$")),
    "charnames": lambda w: "; ".join(f"U+{ord(c):04X} {unicodedata.name(c)}" for c in w),
    "twosigns": lambda w: " ".join(
        f"{ord(c) - 97:05b}".replace("0", "x").replace("1", "o") for c in w
    ),
    "unspaced": lambda w: " ".join(w + "7"),
    "xxencode": lambda w: _xx(w),
    "bignumber": lambda w: str(int.from_bytes(w.encode(), "big")),
    "digitlooks": lambda w: _number(w)[:7] + "O",
    "tenpower": lambda w: rf"{len(w)}.5 \times 10^{{7}}",
    # Letters up to "h" become digits: of digits alone nobody would take a word.
    "rot47": lambda w: _rot47(w + "k"),
}  # fmt: skip
EXPECTED: dict[str, Callable[[str], str]] = {
    "plus": lambda w: f"{w[:4]} {w[4:]}",
    "hexnumber": lambda w: str(int.from_bytes(w[:6].encode(), "big")),
    "polybius": lambda w: w.replace("j", "i"),
    "taps": lambda w: w.replace("k", "c"),
    "bacon24": lambda w: w.replace("j", "i").replace("v", "u"),
    "digitwords": _number,
    "unspaced": lambda w: w + "7",
    "digitlooks": lambda w: _number(w)[:7] + "0",
    "tenpower": lambda w: f"{len(w)}.5e7",
    # "l" and "|" are one sign in one of the two tables, and "i" in the other.
    "leet": lambda w: w.translate(str.maketrans("i", "l")),
    # Letters that share a digit are that digit.
    "leet2": lambda w: w.translate(str.maketrans("ilbgq", "11999")),
}
"""What is to be read of a word where that is not the word itself."""
WORDS = st.text(_LOWER, min_size=8, max_size=14).filter(lambda word: len(set(word)) > 2)


def test_every_decoder_has_its_encoder() -> None:
    """A new decoder needs an encoder here that was written apart from it."""
    assert set(ENCODERS) == {decoder.name for decoder in DECODERS}


@pytest.mark.parametrize("name", ENCODERS)
@settings(max_examples=40, deadline=None)
@given(word=WORDS)
def test_a_decoder_inverts_its_encoder(name: str, word: str) -> None:
    """Between other words, what was encoded is read in place by a decoder of that name."""
    text = f"about {ENCODERS[name](word)} now"
    expected = EXPECTED.get(name, str)(word)
    read = []
    for decoder in DECODERS:
        if decoder.name == name:
            at, parts = 0, []
            for chunk in decoder.find(text):
                parts += [text[at : chunk.start], chunk.text]
                at = chunk.end
            read.append("".join((*parts, text[at:])).lower())
    if name == "leet":
        read = [one.replace("i", "l") for one in read]
    assert any(expected in one for one in read), read


_SIGNS = "%&\\=+-_/ \n\t.,;:|<>~`*#{}[]()'\"?!0123456789abcdefxyzABCDEFXYZéж\u200b\u2800\U000e0041\ufe01"


def _of(decoder: Decoder) -> st.SearchStrategy[str]:
    """Texts of the signs that a decoder looks for, of whole encodings cut anywhere, and of other signs."""
    own = st.text(sorted(decoder.needs or _SIGNS), min_size=1, max_size=30)
    encoded = st.builds(
        lambda word, low, high: ENCODERS[decoder.name](word)[low:high],
        WORDS,
        st.integers(0, 12),
        st.integers(4, 200),
    )
    other = st.text(_SIGNS, max_size=12)
    return st.lists(st.one_of(own, encoded, other, st.just(" ")), max_size=12).map("".join)


@pytest.mark.parametrize("decoder", DECODERS, ids=lambda decoder: decoder.name)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_text_of_its_own_signs_breaks_a_decoder(decoder: Decoder, data: st.DataObject) -> None:
    """It refuses or gives chunks that lie in the text in order, of bounded length, and the same ones again."""
    text = data.draw(_of(decoder))
    try:
        chunks = decoder.find(text)
    except Unreadable:
        return
    at = 0
    for chunk in chunks:
        assert at <= chunk.start <= chunk.end <= len(text)
        assert len(chunk.text) <= limits.INFLATED_BYTES
        at = chunk.end
    assert decoder.find(text) == chunks


@pytest.mark.parametrize("decoder", DECODERS, ids=lambda decoder: decoder.name)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_all_views_of_such_a_text_are_bounded(decoder: Decoder, data: st.DataObject) -> None:
    """However encodings nest, the views together are at most a stated number and size, or the work is refused."""
    text = data.draw(_of(decoder))
    try:
        with bounded_work(limits.WORK_UNITS):
            explored = explore(View(text))
            prepare(explored)
    except WorkSpent:
        return
    most = (limits.DECODED_FACTOR + 1) * len(text) + limits.DECODED_EXTRA_CHARS
    assert sum(len(view.text) for view in explored.views) <= most
    assert max(view.depth for view in explored.views) <= limits.VIEW_DEPTH
