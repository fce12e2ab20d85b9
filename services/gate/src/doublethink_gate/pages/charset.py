"""From bytes to characters, by a fixed list of charsets.

The order is that of the WHATWG Encoding and HTML standards: byte order mark, then the header, then what the
document says of itself in its first bytes. A declared charset that is not on the list is refused (UTF-7 is
the reason: it lets markup hide in plain ASCII); without one the bytes are UTF-8 if they can be, else
Windows-1252.
"""

import codecs
import re
from dataclasses import dataclass

from .errors import UnsupportedCharset

# Label -> Python codec. As in the Encoding standard, ASCII and ISO 8859-1 mean Windows-1252.
_CODECS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "windows-1252": "cp1252",
    "cp1252": "cp1252",
    "iso-8859-2": "iso8859-2",
    "iso-8859-15": "iso8859-15",
    "windows-1250": "cp1250",
    "windows-1251": "cp1251",
    "windows-1253": "cp1253",
    "windows-1254": "cp1254",
    "iso-8859-9": "cp1254",
    "koi8-r": "koi8-r",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "euc-jp": "euc_jp",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "utf-16": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}
CODECS = tuple(sorted(set(_CODECS.values())))
"""Every codec that a page can be read with."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_PRESCAN_BYTES = 4096
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_XML_DECLARATION = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_META = re.compile(rb"""<meta[^>]{1,400}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Characters, the codec they were read with, and how many of them are U+FFFD."""

    text: str
    codec: str
    replaced: int


def decode(body: bytes, declared: str | None, *, markup: bool) -> Decoded:
    """Decode `body`; bytes that the charset has no character for become U+FFFD and are counted.

    `declared` is the charset parameter of the content type, if any. `markup` says whether the body may
    declare a charset itself. Raises `UnsupportedCharset`.
    """
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return _decode(body[len(mark) :], codec)
    if declared:
        return _decode(body, _codec(declared))
    own = _own_declaration(body) if markup else None
    if own:
        codec = _codec(own)
        # The declaration was readable as ASCII, so it cannot be UTF-16 whatever it says.
        return _decode(body, "utf-8" if codec.startswith("utf-16") else codec)
    try:
        return Decoded(body.decode("utf-8"), "utf-8", body.count(b"\xef\xbf\xbd"))
    except UnicodeDecodeError:
        return _decode(body, "cp1252")


def _codec(label: str) -> str:
    codec = _CODECS.get(label.strip().strip("\"'").lower())
    if codec is None:
        raise UnsupportedCharset(label)
    return codec


def _own_declaration(body: bytes) -> str | None:
    head = body[:_PRESCAN_BYTES]
    found = _XML_DECLARATION.search(head) or _META.search(_COMMENT.sub(b"", head))
    return found[1].decode("ascii") if found else None


def _decode(body: bytes, codec: str) -> Decoded:
    text = body.decode(codec, errors="replace")
    return Decoded(text, codec, text.count("\ufffd"))
