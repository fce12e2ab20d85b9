"""Escapes of markup, programs and transport: percent, entities, backslashes, U+, quoted-printable, MIME
words, UTF-7.

All of them in one pass and to a fixed point, because writers mix and nest them.
"""

from __future__ import annotations

import binascii
import html
import quopri
import re
import unicodedata

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder, every_match
from doublethink_fingerprint.decoders.octets import text_of

# One digit would be a control character. Frames and separators are part of the notation.
_CODE_POINT = r"[<({\[]?[Uu]\+[0-9A-Fa-f]{2,6}[>)}\]]?"
_BARE_POINT = r"(?:U-[0-9A-Fa-f]{6,8}|<?[Uu][0-9A-Fa-f]{4,6}>?)"
_BARE_POINTS = re.compile(
    rf"(?<![0-9A-Za-z]){_BARE_POINT}(?:[ \t\r\n,;:./|_-]{{0,3}}{_BARE_POINT})+(?![0-9A-Za-z])"
)
_ESCAPE = re.compile(
    # Where none can begin, one look says so and not one for each.
    r"(?=[%&\\`Uu<({\[])(?:"
    r"(?P<percent>(?:%[0-9A-Fa-f]{2})+)"
    r"|%[uU](?P<percent_u>[0-9A-Fa-f]{4})"
    r"|&#(?:[xX](?P<entity_hex>[0-9A-Fa-f]{1,6})|(?P<entity_dec>\d{1,7}));?"
    r"|(?P<entity_name>&[A-Za-z][A-Za-z0-9]{1,31};)"
    r"|[\\`]u\{ ?(?P<braced>[0-9A-Fa-f]{1,6}(?: [0-9A-Fa-f]{1,6}){0,60}) ?\}"
    r"|\\x\{(?P<perl>[0-9A-Fa-f]{1,6})\}"
    r"|\\u{1,8}(?P<unicode>[0-9A-Fa-f]{4})"
    r"|\\U(?P<long>[0-9A-Fa-f]{8})"
    r"|(?P<bytes>(?:\\x[0-9A-Fa-f]{2})+)"
    r"|\\N\{(?P<named>[A-Za-z0-9 \-]{1,80})\}"
    r"|\\(?P<css6>[0-9A-Fa-f]{6}) ?"
    r"|\\o\{(?P<braced_octal>[0-7]{1,7})\}"
    r"|\\0(?P<long_octal>[01][0-7]{2})"
    r"|\\(?P<octal>[0-3]?[0-7]{2})"
    r"|\\(?P<css>[0-9A-Fa-f]{2,6}) ?"
    r"|\\(?P<plain>[/\"'\\`bfnrtv])"
    rf"|(?<![A-Za-z])(?P<notation>{_CODE_POINT}(?:[ \t\r\n,;:./|_-]{{0,3}}{_CODE_POINT})*))"
)
# CSS (Syntax Level 3, 4.3.7): up to six digits, and one blank that ends them. What is octal elsewhere is read too.
_CSS_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2,6})(?:\r\n|[ \t\r\n\f])?")
_PLAIN = {"b": "", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_QUOTED_PRINTABLE = re.compile(r"(?:(?:=[0-9A-F]{2}|=\r?\n)(?:[!-<>-~]{0,3}(?==[0-9A-F]{2}))?)+[A-Za-z0-9]*")
_MIME_WORD = re.compile(r"=\?[A-Za-z0-9_-]{2,20}\?([bBqQ])\?([^? ]{1,200})\?=")
_UTF7 = re.compile(r"\+([A-Za-z0-9+/]{3,400})(?:-|(?![A-Za-z0-9+/]))")
_HEX_GROUPS = ("percent_u", "entity_hex", "perl", "unicode", "long", "css", "css6")
_HEX_BEHIND_PLUS = re.compile(r"\+([0-9A-Fa-f]+)")
_PLUS = re.compile(r"\+")
_BEYOND_ALPHABETS = "\u0600"


def _unescape(match: re.Match[str]) -> str | None:
    kind = match.lastgroup or ""
    value = match[kind]
    if kind == "percent":
        return _octets(bytes.fromhex(value.replace("%", "")))
    if kind == "bytes":
        return _octets(bytes.fromhex(value.replace("\\x", "")))
    if kind == "braced":
        chars = [_char(int(code, 16)) for code in value.split()]
        return None if None in chars else "".join(filter(None, chars))
    if kind in _HEX_GROUPS:
        return _char(int(value, 16))
    if kind == "notation":
        chars = [_char(int(code, 16)) for code in _HEX_BEHIND_PLUS.findall(value)]
        return None if None in chars else "".join(filter(None, chars))
    if kind == "entity_dec":
        return _char(int(value))
    if kind == "entity_name":
        return html.unescape(value)
    if kind in ("octal", "long_octal", "braced_octal"):
        return _char(int(value, 8))
    if kind == "named":
        try:
            return unicodedata.lookup(value)
        except KeyError:
            return None
    return _PLAIN.get(value, value)


def _octets(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _char(code: int) -> str | None:
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


_once = every_match(_ESCAPE, _unescape, everything=True, odd_only=True)


def _quoted_printable(match: re.Match[str]) -> str | None:
    return _octets(quopri.decodestring(match[0].encode("latin-1", "replace")))


def _mime_word(match: re.Match[str]) -> str | None:
    if match[1] in "qQ":
        return _octets(quopri.decodestring(match[2].encode("latin-1", "replace"), header=True))
    try:
        return text_of(binascii.a2b_base64(match[2] + "=" * (-len(match[2]) % 4)))
    except (binascii.Error, ValueError):
        return None


def _utf7(match: re.Match[str]) -> str | None:
    try:
        data = binascii.a2b_base64(match[1] + "=" * (-len(match[1]) % 4))
    except (binascii.Error, ValueError):
        return None
    text = data[: len(data) // 2 * 2].decode("utf-16-be", "replace")
    # What else follows a plus sign ("how+to+fix") reads as scripts that nobody mixes.
    return text if text and all(char.isprintable() and char < _BEYOND_ALPHABETS for char in text) else None


def _plus_as_space(text: str) -> list[Chunk]:
    # Form encoding: a plus sign is a space. Only where the text looks like a query string.
    if "=" not in text and "%" not in text:
        return []
    return [Chunk(match.start(), match.end(), " ", True) for match in _PLUS.finditer(text)]


def _bare_points(match: re.Match[str]) -> str | None:
    chars = [_char(int(code, 16)) for code in _HEX_BEHIND_U.findall(match[0])]
    return None if None in chars else "".join(filter(None, chars))


_HEX_BEHIND_U = re.compile(r"[Uu]-?([0-9A-Fa-f]+)")

DECODERS: tuple[Decoder, ...] = (
    Decoder("escapes", every_match(_BARE_POINTS, _bare_points, odd_only=True), needs="Uu", odd_only=True),
    Decoder("escapes", _once, needs="%&\\+`", odd_only=True),
    Decoder(
        "css",
        every_match(_CSS_ESCAPE, lambda match: _char(int(match[1], 16)), everything=True, odd_only=True),
        needs="\\",
        odd_only=True,
    ),
    Decoder(
        "quoted",
        every_match(_QUOTED_PRINTABLE, _quoted_printable, everything=True, odd_only=True),
        needs="=",
        odd_only=True,
    ),
    Decoder(
        "mime", every_match(_MIME_WORD, _mime_word, everything=True, odd_only=True), needs="=", odd_only=True
    ),
    Decoder("utf7", every_match(_UTF7, _utf7, odd_only=True), needs="+", odd_only=True),
    Decoder("plus", _plus_as_space, needs="+", top_only=1),
)
