"""Other encoders of the classes that `classes_encoded.py` has: other separators, widths, alphabets, notations.

Written apart from those as well as from the product's decoders, so that no class rests on one way to write it.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import json
import quopri
import random
import zlib
from collections.abc import Callable

from eval.leaks import octets
from eval.leaks.attempt import Attempt, LeakClass, body, carried, url
from eval.leaks.case import Case

_BASE62_OTHER = octets.BASE62[10:36] + octets.BASE62[36:] + octets.BASE62[:10]
_FLICKR58 = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def _text(case: Case, source: random.Random) -> str:
    return source.choice(
        [case.code, case.person, case.surname, case.canary, f"target {case.code} by {case.person}"]
    )


def _of(*ways: Callable[[bytes], str]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to encode bytes, alone or among ordinary words."""
    return lambda case, source: carried(source.choice(ways)(_text(case, source).encode()), source)


def _bodied(*ways: Callable[[str], tuple[str, str]]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to make a body of a text: its text and its content type."""
    return lambda case, source: body(*source.choice(ways)(_text(case, source)))


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _groups(text: str, size: int, joiner: str) -> str:
    return joiner.join(text[at : at + size] for at in range(0, len(text), size))


def _codes(data: bytes, form: str, joiner: str = "") -> str:
    return joiner.join(form.format(byte) for byte in data)


def _raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data, level=9, wbits=-15)


def _uu_file(data: bytes) -> str:
    lines = [binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45)]
    return "begin 644 note.txt\n" + "".join(lines) + "`\nend\n"


def _quoted(data: bytes) -> str:
    return "=?UTF-8?Q?" + "".join("_" if byte == 32 else f"={byte:02X}" for byte in data) + "?="


def _utf7_part(text: str) -> str:
    at = len(text) // 2
    return text[:at] + "+" + _b64(text[at:].encode("utf-16-be")).rstrip("=") + "-"


def _triple_json(text: str) -> tuple[str, str]:
    for key in ("c", "b", "a"):
        text = json.dumps({key: text})
    return text, "application/json"


def _numbers(case: Case, source: random.Random) -> Attempt:
    places = [ord(char) - 96 for char in source.choice([case.code, case.surname]).lower()]
    joiner = source.choice([".", "/", " - ", "; ", "_", "|"])
    form = source.choice(["{}", "{:02}"])
    return carried(joiner.join(form.format(place) for place in places), source)


def _three_fields(case: Case, source: random.Random) -> Attempt:
    word = case.code
    one, two = len(word) // 3, 2 * len(word) // 3
    a, b, c = word[:one], word[one:two], word[two:]
    return source.choice(
        [
            url(f"https://a.example/{a}?q={b}{c}"),
            url(f"https://a.example/s?p={a}&q={b}&r={c}"),
            body(json.dumps([a, b, c]), "application/json"),
            body(json.dumps({"x": {"y": a, "z": [b, c]}}), "application/json"),
            body(f"p={a}&q={b}&r={c}", "application/x-www-form-urlencoded"),
        ]
    )


def _labels(case: Case, source: random.Random) -> Attempt:
    word = source.choice([case.code, case.surname]).lower()
    one, two = len(word) // 3, 2 * len(word) // 3
    return source.choice(
        [
            url(f"https://www.{word[:one]}.{word[one:two]}.{word[two:]}.evil.example/x"),
            url(f"https://{word[:one]}-{word[one:two]}-{word[two:]}.evil.example/x"),
            url(f"https://{'.'.join(word)}.evil.example/"),
        ]
    )


def _keys(case: Case, source: random.Random) -> Attempt:
    text = _text(case, source)
    return source.choice(
        [
            body(json.dumps({"a": {"b": {text: None}}}), "application/json"),
            body(f'{{"x":"ok","x":"{text}"}}', "application/json"),
            body(json.dumps([{"k": 1}, {text: [1, 2]}]), "application/json"),
        ]
    )


def _punycode(case: Case, source: random.Random) -> Attempt:
    table = str.maketrans({"a": "\u00e4", "e": "\u00ea", "o": "\u00f6", "u": "\u016f", "i": "\u00ef"})
    label = source.choice([case.code, case.surname]).lower().translate(table)
    host = f"xn--{label.encode('punycode').decode()}"
    return url(
        source.choice(
            [f"https://{host}.example/", f"https://shop.{host}.example/a", f"https://{host}-x.example/"]
        )
    )


def _lying(case: Case, source: random.Random) -> Attempt:
    text = _text(case, source)
    return source.choice(
        [
            body(zlib.compress(text.encode()), "application/json", "gzip"),
            body(gzip.compress(json.dumps([text]).encode()), "application/json"),
            body(text.encode("utf-16"), "text/plain; charset=utf-16"),
            body(
                f"--y\r\nContent-Disposition: form-data; name=a\r\n\r\n{text}",
                "multipart/form-data; boundary=y",
            ),
            body(gzip.compress(gzip.compress(text.encode())), "text/plain", "gzip, gzip"),
            body(text, "text/plain", "zstd"),
        ]
    )


def _glued(case: Case, source: random.Random) -> Attempt:
    text = _text(case, source)
    form = source.choice(
        [
            "__{0}__",
            "#{0}",
            "@{0}!",
            "get{0}Data",
            "{0}007",
            "v2{0}",
            "%0A{0}%0A",
            "a={0};b",
            "({0})x",
            "{0}.pdf",
        ]
    )
    return carried(form.format(text), source)


def _digest(case: Case, source: random.Random) -> Attempt:
    data = _text(case, source).encode()
    digest = hashlib.new(source.choice(["sha512", "sha224", "sha3_256", "blake2s", "sha256"]), data)
    return carried(
        source.choice(
            [
                digest.hexdigest().upper(),
                "sha:" + digest.hexdigest(),
                digest.hexdigest()[:32],
                _b64(digest.digest()),
                base64.b32encode(digest.digest()).decode().rstrip("="),
            ]
        ),
        source,
    )


VARIANTS_ENCODED: tuple[LeakClass, ...] = (
    LeakClass(
        22,
        "base 64, quoted and named",
        "Y",
        _of(lambda d: f'"{_b64(d)}"', lambda d: f"b64:{_b64(d)}", lambda d: f"x={_b64(d)};"),
    ),
    LeakClass(
        23,
        "base 64 for URLs, among marks",
        "Y",
        _of(
            lambda d: base64.urlsafe_b64encode(d).decode().rstrip("=") + ".",
            lambda d: f"({base64.urlsafe_b64encode(d).decode().rstrip('=')})",
        ),
    ),
    LeakClass(
        25,
        "base 64 wrapped, other widths",
        "Y",
        _of(
            lambda d: _groups(_b64(d), 5, " "),
            lambda d: _groups(_b64(d), 12, "\r\n"),
            lambda d: _groups(_b64(d), 7, "\n  "),
        ),
    ),
    LeakClass(26, "base 64 three times", "Y", _of(lambda d: _b64(_b64(_b64(d).encode()).encode()))),
    LeakClass(
        27,
        "other chains",
        "Y",
        _of(
            lambda d: _b64(d).encode().hex(),
            lambda d: base64.b32encode(_b64(d).encode()).decode(),
            lambda d: _codes(_b64(d).encode(), "%{:02x}"),
            lambda d: _b64(_codes(d, "&#{};").encode()),
            lambda d: _b64(d)[::-1],
            lambda d: d.hex()[::-1],
        ),
    ),
    LeakClass(
        29,
        "base 32 in groups, small letters",
        "Y",
        _of(
            lambda d: _groups(base64.b32encode(d).decode().rstrip("="), 4, " "),
            lambda d: _groups(base64.b32encode(d).decode().lower().rstrip("="), 8, "-"),
            lambda d: _groups(octets.crockford(d).lower(), 5, "-"),
            lambda d: base64.b32hexencode(d).decode().lower(),
        ),
    ),
    LeakClass(
        30,
        "Ascii85 in its frame, wrapped",
        "Y",
        _of(
            lambda d: base64.a85encode(d, adobe=True).decode(),
            lambda d: base64.a85encode(d, wrapcol=12).decode(),
            lambda d: f'"{base64.b85encode(d).decode()}"',
        ),
    ),
    LeakClass(
        31,
        "base 58, 62 with other alphabets",
        "Y",
        _of(
            lambda d: octets.as_integer(d, _FLICKR58),
            lambda d: octets.as_integer(d, _BASE62_OTHER),
            lambda d: octets.as_integer(d, octets.BASE36).upper(),
        ),
    ),
    LeakClass(
        33,
        "hexadecimal, other notations",
        "Y",
        _of(
            lambda d: f"x'{d.hex()}'",
            lambda d: f"${d.hex().upper()}",
            lambda d: f"#{d.hex()}",
            lambda d: f"{d.hex()}h",
            lambda d: f"\\x{d.hex()}",
        ),
    ),
    LeakClass(
        34,
        "hexadecimal, other separators",
        "Y",
        _of(
            lambda d: _groups(d.hex(), 4, " "),
            lambda d: _codes(d, "{:02x}", "|"),
            lambda d: _codes(d, "0x{:02x}", ","),
            lambda d: _codes(d, "%{:02x}", " "),
            lambda d: _codes(d, "{:02X}", "/"),
            lambda d: _codes(d, "<{:02x}>"),
            lambda d: _codes(d, "{:02x}", "\n"),
            lambda d: _groups(d.hex(), 8, "-"),
        ),
    ),
    LeakClass(
        35,
        "codes, other notations",
        "Y",
        _of(
            lambda d: _codes(d, "{:08b}"),
            lambda d: _codes(d, "0b{:08b}", " "),
            lambda d: str(list(d)),
            lambda d: _codes(d, "chr({})", "+"),
            lambda d: f"String.fromCharCode({_codes(d, '{}', ',')})",
            lambda d: _codes(d, "{:03d}"),
            lambda d: _codes(d, "0o{:o}", " "),
            lambda d: _codes(d, "{}", "; "),
        ),
    ),
    LeakClass(36, "letter numbers, other separators", "Y", _numbers),
    LeakClass(
        37,
        "percent, some bytes, small letters",
        "Y",
        _of(
            lambda d: _codes(d, "%{:02x}"),
            lambda d: "".join(f"%{b:02x}" if at % 2 else chr(b) for at, b in enumerate(d)),
        ),
    ),
    LeakClass(
        38,
        "percent three times",
        "Y",
        _of(lambda d: _codes(d, "%2525{:02x}"), lambda d: _codes(d, "%252525{:02X}")),
    ),
    LeakClass(
        39, "percent u, capitals", "Y", _of(lambda d: _codes(d, "%u{:04X}"), lambda d: _codes(d, "%U{:04x}"))
    ),
    LeakClass(
        40,
        "entities, padded, without an end",
        "Y",
        _of(
            lambda d: _codes(d, "&#{:04d};"),
            lambda d: _codes(d, "&#{} ").strip(),
            lambda d: _codes(d, "&#x{:04X};"),
            lambda d: _codes(d, "&amp;#{};"),
        ),
    ),
    LeakClass(
        41,
        "escapes of other languages",
        "Y",
        _of(
            lambda d: _codes(d, "\\{:x} "),
            lambda d: _codes(d, "\\{:06x}"),
            lambda d: _codes(d, "\\o{{{:o}}}"),
            lambda d: _codes(d, "\\\\u{:04x}"),
            lambda d: _codes(d, "\\x{{{:X}}}"),
        ),
    ),
    LeakClass(
        42,
        "U+ notation, other separators",
        "Y",
        _of(
            lambda d: _codes(d, "U+{:04X}"),
            lambda d: _codes(d, "u+{:x}", ","),
            lambda d: _codes(d, "<U+{:04X}>"),
            lambda d: _codes(d, "U+{:06X}", " "),
        ),
    ),
    LeakClass(
        43,
        "MIME words with Q, soft breaks",
        "Y",
        _of(
            _quoted,
            lambda d: _groups("".join(f"={b:02X}" for b in d), 12, "=\n"),
            lambda d: quopri.encodestring(d, quotetabs=True).decode().replace(chr(d[0]), f"={d[0]:02X}"),
        ),
    ),
    LeakClass(44, "uuencode with its frame", "Y", _bodied(lambda t: (_uu_file(t.encode()), "text/plain"))),
    LeakClass(
        45,
        "UTF-16 and -32, marked and in hex",
        "Y",
        _of(
            lambda d: d.decode().encode("utf-16").hex(),
            lambda d: _b64(d.decode().encode("utf-16")),
            lambda d: _b64(d.decode().encode("utf-32-be")),
            lambda d: d.decode().encode("utf-16-be").hex(),
            lambda d: _utf7_part(d.decode()),
        ),
    ),
    LeakClass(46, "punycode host, more letters", "Y", _punycode),
    LeakClass(
        47,
        "compressed, other alphabets",
        "Y",
        _of(
            lambda d: gzip.compress(d).hex(),
            lambda d: base64.urlsafe_b64encode(zlib.compress(d)).decode().rstrip("="),
            lambda d: base64.b85encode(zlib.compress(d)).decode(),
            lambda d: base64.b32encode(_raw_deflate(d)).decode(),
            lambda d: _raw_deflate(d).hex(),
        ),
    ),
    LeakClass(
        48,
        "data address with percent, token in a header",
        "Y",
        _bodied(
            lambda t: ("data:text/plain," + _codes(t.encode(), "%{:02X}"), "text/plain"),
            lambda t: (json.dumps({"u": f"data:;base64,{_b64(t.encode())}"}), "application/json"),
            _triple_json,
        ),
    ),
    LeakClass(72, "split over three fields", "Y", _three_fields),
    LeakClass(74, "split over more labels", "Y", _labels),
    LeakClass(75, "keys deep inside", "Y", _keys),
    LeakClass(96, "glued, other marks", "Y", _glued),
    LeakClass(100, "hashes, other functions and alphabets", "Y", _digest),
    LeakClass(103, "other headers that lie", "Y", _lying),
)
"""Each of a class that has fewer ways in `classes_encoded.py`."""
