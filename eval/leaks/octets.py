"""Encoders of bytes into text. Written apart from the product's decoders, from the same public formats."""

from __future__ import annotations

import random
import string

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
BASE36 = string.digits + string.ascii_lowercase
_BASE45 = string.digits + string.ascii_uppercase + " $%*+-./:"
_BASE91 = string.ascii_uppercase + string.ascii_lowercase + string.digits + '!#$%&()*+,./:;<=>?@[]^_`{|}~"'
_Z85 = string.digits + string.ascii_lowercase + string.ascii_uppercase + ".-:+=^!/*?&<>()[]{}@%$#"
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PLAIN_KEYS = ("", "", "abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz")
MORSE = dict(
    zip(
        string.ascii_lowercase,
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        strict=True,
    )
)
NATO = dict(
    zip(
        string.ascii_lowercase,
        [
            "alfa",
            "bravo",
            "charlie",
            "delta",
            "echo",
            "foxtrot",
            "golf",
            "hotel",
            "india",
            "juliett",
            "kilo",
            "lima",
            "mike",
            "november",
            "oscar",
            "papa",
            "quebec",
            "romeo",
            "sierra",
            "tango",
            "uniform",
            "victor",
            "whiskey",
            "xray",
            "yankee",
            "zulu",
        ],
        strict=True,
    )
)
_BRAILLE_DOTS = (
    "1 12 14 145 15 124 1245 125 24 245 13 123 134 1345 135 1234 12345 1235 234 2345 136 1236 2456 1346 13456"
    " 1356"
)


def as_integer(data: bytes, alphabet: str) -> str:
    """The bytes as one number in the base of an alphabet."""
    number, out = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, len(alphabet))
        out = alphabet[rest] + out
    return out


def base45(data: bytes) -> str:
    """RFC 9285."""
    out = ""
    for at in range(0, len(data), 2):
        number = int.from_bytes(data[at : at + 2], "big")
        out += _BASE45[number % 45] + _BASE45[number // 45 % 45]
        if len(data) - at > 1:
            out += _BASE45[number // 2025]
    return out


def base91(data: bytes) -> str:
    """The basE91 format: 13 or 14 bits to two symbols."""
    out, queue, bits = "", 0, 0
    for byte in data:
        queue |= byte << bits
        bits += 8
        if bits > 13:
            value = queue & 8191
            size = 13
            if value <= 88:
                value, size = queue & 16383, 14
            queue >>= size
            bits -= size
            out += _BASE91[value % 91] + _BASE91[value // 91]
    if bits:
        out += _BASE91[queue % 91]
        if bits > 7 or queue > 90:
            out += _BASE91[queue // 91]
    return out


def z85(data: bytes) -> str:
    """ZeroMQ's RFC 32; the data is filled up with blanks to a multiple of four."""
    data += b" " * (-len(data) % 4)
    out = ""
    for at in range(0, len(data), 4):
        number = int.from_bytes(data[at : at + 4], "big")
        out += "".join(_Z85[number // 85**place % 85] for place in (4, 3, 2, 1, 0))
    return out


def crockford(data: bytes) -> str:
    """Crockford's base 32, most significant bit first, the last group filled with zeros."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(_CROCKFORD[int(bits[at : at + 5], 2)] for at in range(0, len(bits), 5))


def polybius(word: str) -> str:
    """Row and column in the square without j."""
    square = string.ascii_lowercase.replace("j", "")
    places = [square.index(char) for char in word.lower().replace("j", "i") if char.isalpha()]
    return " ".join(f"{place // 5 + 1}{place % 5 + 1}" for place in places)


def taps(word: str) -> str:
    """The tap code, k written as c: rows and columns as runs of dots."""
    square = string.ascii_lowercase.replace("k", "")
    places = [square.index(char) for char in word.lower().replace("k", "c") if char.isalpha()]
    return "  ".join("." * (place // 5 + 1) + " " + "." * (place % 5 + 1) for place in places)


def bacon(word: str) -> str:
    """Bacon's cipher with 26 letters."""
    table = str.maketrans("01", "ab")
    return " ".join(f"{ord(char) - 97:05b}".translate(table) for char in word.lower() if char.isalpha())


def braille(word: str) -> str:
    """Unicode braille, one cell a letter."""
    cells = [sum(1 << int(dot) - 1 for dot in dots) for dots in _BRAILLE_DOTS.split()]
    return "".join(chr(0x2800 + cells[ord(char) - 97]) if char.isalpha() else " " for char in word.lower())


def keypad(word: str, source: random.Random) -> str:
    """A telephone's keys: once each (T9), or as often as the letter's place (multi-tap)."""
    places = [
        next((key, letters.index(char) + 1) for key, letters in enumerate(_PLAIN_KEYS) if char in letters)
        for char in word.lower()
        if char.isalpha()
    ]
    if source.random() < 0.5:
        return "".join(str(key) for key, _ in places)
    return " ".join(str(key) * times for key, times in places)


def cut_inside(digits: str, source: random.Random) -> str:
    """Hexadecimal digits with separators anywhere, also within the two digits of a byte."""
    separator, out, at = source.choice([" ", "-", ".", ":", ", "]), [], 0
    while at < len(digits):
        size = source.choice([1, 3, 3, 5])
        out.append(digits[at : at + size])
        at += size
    return separator.join(out)


def random_alphabet(data: bytes, source: random.Random) -> str:
    """Base64 over a shuffled alphabet: nobody can read it without the alphabet."""
    symbols = list(string.ascii_letters + string.digits + "+/")
    source.shuffle(symbols)
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 6)
    return "".join(symbols[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))
