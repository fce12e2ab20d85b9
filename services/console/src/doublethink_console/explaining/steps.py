"""The steps of a chain in words: decoders, the form of a value, and the reading by which it was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_DECODERS: Final[Mapping[str, str]] = {
    "tags": "hidden tag characters",
    "selectors": "hidden variation selectors",
    "zerowidth": "characters without width",
    "whitespace": "code of white space",
    "normal": "look-alike characters",
    "escapes": "escaped characters",
    "quoted": "quoted-printable",
    "mime": "mail header encoding",
    "utf7": "UTF-7",
    "plus": "plus signs for spaces",
    "markup": "markup taken out",
    "punycode": "punycode",
    "base64": "base64",
    "base64run": "base64 without padding",
    "base64wrapped": "base64 over several lines",
    "base32": "base32",
    "base32hex": "base32 (hex alphabet)",
    "crockford": "base32 (Crockford)",
    "zbase32": "base32 (z)",
    "hex": "hexadecimal",
    "hexnumber": "hexadecimal number",
    "binary": "binary",
    "binaryrun": "binary without gaps",
    "octal": "octal codes",
    "decimal": "decimal codes",
    "decimalrun": "decimal codes without gaps",
    "letternumbers": "numbers for letters",
    "polybius": "Polybius square",
    "taps": "tap code",
    "bacon": "Bacon's code",
    "bacon24": "Bacon's code (24 letters)",
    "baconcase": "Bacon's code in capitals and small letters",
    "mirrored": "mirrored letters",
    "base58": "base58",
    "base62": "base62",
    "base36": "base36",
    "base85": "base85",
    "ascii85": "ascii85",
    "z85": "z85",
    "base45": "base45",
    "base91": "base91",
    "uuencode": "uuencode",
    "morse": "Morse code",
    "braille": "braille",
    "spelled": "spelling alphabet",
    "asin": "letters by example words",
    "digitwords": "digits in words",
    "turned": "letters upside down",
    "leet": "digits for letters",
    "leet2": "digits and signs for letters",
    "rot47": "ROT47",
    "css": "CSS escapes",
    "octalrun": "octal codes run together",
    "strokes": "upright strokes for l",
}
_FIELDS: Final[Mapping[str, str]] = {
    "values": "fields in a row",
    "keys": "keys of fields",
    "host": "parts of the host name",
    "json": "JSON text",
}
_FORMS: Final[Mapping[str, str]] = {
    "exact": "as it is",
    "part": "a part of it",
    "reversed": "backwards",
    "rot": "letters shifted",
    "atbash": "alphabet turned round",
    "railfence": "rail fence",
    "keyboard": "neighbouring keys",
    "consonants": "without vowels",
    "repeats": "repeated letters",
    "typo": "misspelled by a letter",
    "scrambled": "letters out of order",
    "wordgame": "a word game",
    "value": "the same by value",
    "words": "in words",
    "digits": "its digits",
    "fragment": "a piece of it",
    "sound": "by sound, in another script",
    "spaced": "spread out",
    "acrostic": "an acrostic",
    "interleaved": "letters in between others",
}
_READINGS: Final[Mapping[str, str]] = {
    "letters": "letters in a row",
    "symbols": "letters and digits in a row",
    "collapsed": "letters, repeats taken as one",
    "first": "first letters of words",
    "second": "second letters of words",
    "last": "last letters of words",
    "capitals": "capital letters",
    "lines": "first letters of lines",
    "alternate": "every second letter",
    "thirds": "every third letter",
    "word": "a word",
    "number": "a number",
    "date": "a date",
}
_OVER_CALLS: Final[Mapping[str, str]] = {
    "pieces": "pieces put together",
    "joined": "requests laid end to end",
    "calls": "one part from each request",
    "encoded": "encoded parts joined",
}
STEP_WORDS: Final[Mapping[str, str]] = {**_DECODERS, **_FIELDS, **_FORMS, **_READINGS, **_OVER_CALLS}


def step_words(step: str) -> str:
    """A step in words; one that is not known, under its own name."""
    return STEP_WORDS.get(step, step)
