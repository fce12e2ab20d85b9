"""Every disguise that is claimed to be seen through: one example each, on secrets that exist nowhere else."""

from __future__ import annotations

import base64
import binascii
import bz2
import codecs
import gzip
import html
import lzma
import quopri
import string
import urllib.parse
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from doublethink_fingerprint import build_pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value,)


CODE, NAME, AMOUNT, DAY, NUMBER_ID = (
    "Thornquill",
    "Mireille Ostervald",
    "3.65bn GBP",
    "1971-09-23",
    "FR7630006000011234567890189",
)
PACK = build_pack(
    [
        _Secret("code", CODE),
        _Secret("name", NAME),
        _Secret("number", AMOUNT),
        _Secret("date", DAY),
        _Secret("id", NUMBER_ID),
        _Secret("phrase", "57 francs per share"),
    ],
    canaries=["bcd7fgh2jkm9npq4rst6"],
)
POLICY = default_policy()


def judge(payload: str | bytes, kind: str = "query", content_type: str | None = None) -> Verdict:
    data = payload.encode() if isinstance(payload, str) else payload
    request = Request(RequestKind(kind), data, content_type=content_type)
    return evaluate(request, (PACK,), SessionState(), POLICY).verdict


def rot(text: str, by: int) -> str:
    low = string.ascii_lowercase
    table = str.maketrans(low + low.upper(), low[by:] + low[:by] + low[by:].upper() + low[:by].upper())
    return text.translate(table)


def spread(first: int) -> Callable[[str], str]:
    """Move ASCII letters into a run of Unicode letters that begins at `first`."""
    return lambda text: "".join(chr(first + ord(c) - 97) if c.isalpha() else c for c in text.lower())


def bits(text: str, width: int) -> str:
    return "".join(f"{byte:0{width}b}" for byte in text.encode())


def base_int(alphabet: str) -> Callable[[str], str]:
    def encode(text: str) -> str:
        number, out = int.from_bytes(text.encode(), "big"), ""
        while number:
            number, rest = divmod(number, len(alphabet))
            out = alphabet[rest] + out
        return out

    return encode


def base45(text: str) -> str:
    """Encode by RFC 9285."""
    symbols, data, out = string.digits + string.ascii_uppercase + " $%*+-./:", text.encode(), ""
    for at in range(0, len(data), 2):
        pair = data[at : at + 2]
        number = int.from_bytes(pair, "big")
        for _ in range(len(pair) + 1):
            number, rest = divmod(number, 45)
            out += symbols[rest]
    return out


def square(text: str, letters: str = "abcdefghiklmnopqrstuvwxyz") -> str:
    places = [letters.index(c) for c in text.lower().replace("j", "i")]
    return " ".join(f"{place // 5 + 1}{place % 5 + 1}" for place in places)


def bacon(text: str) -> str:
    return " ".join(
        f"{ord(c) - 97:05b}".replace("0", "a").replace("1", "b") for c in text.lower() if c.isalpha()
    )


def morse(text: str) -> str:
    table = [
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
    ]
    return " ".join(table[ord(c) - 97] for c in text.lower())


def braille(text: str) -> str:
    dots = (1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53)
    return "".join(chr(0x2800 + dots[ord(c) - 97]) for c in text.lower())


def nato(text: str) -> str:
    words = [
        "alpha",
        "bravo",
        "charlie",
        "delta",
        "echo",
        "foxtrot",
        "golf",
        "hotel",
        "india",
        "juliet",
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
    ]
    return " ".join(words[ord(c) - 97] for c in text.lower())


def acrostic(text: str) -> str:
    words = {
        "t": "take", "h": "homes", "o": "over", "r": "rivers", "n": "near", "q": "quiet", "u": "upper",
        "i": "islands", "l": "long",
    }  # fmt: skip
    return " ".join(words[c] for c in text.lower())


def robber(text: str) -> str:
    return "".join(f"{c}o{c}" if c not in "aeiou" else c for c in text.lower())


def b64(data: str | bytes) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


DISGUISES: dict[str, Callable[[str], str]] = {
    "case": lambda s: "".join(c.upper() if at % 2 else c.lower() for at, c in enumerate(s)),
    "spaced": " ".join,
    "punctuated": "._-/+|".join,
    "markup": lambda s: s[:4] + "<b>" + s[4:6] + "</b>" + s[6:],
    "backticks": lambda s: s[:4] + "``" + s[4:],
    "zero width": lambda s: s[:4] + "\u200b" + s[4:],
    "soft hyphen": lambda s: s[:4] + "\u00ad" + s[4:],
    "thin space": lambda s: s[:4] + "\u2009" + s[4:],
    "control": lambda s: s[:4] + "\x00" + s[4:],
    "combining": "\u0337".join,
    "cyrillic look-alike": lambda s: s.replace("o", "\u043e").replace("i", "\u0456"),
    "full width": lambda s: "".join(chr(0xFEE0 + ord(c)) for c in s),
    "math bold": spread(0x1D41A),
    "circled": spread(0x24D0),
    "negative squared": spread(0x1F170),
    "regional indicators": spread(0x1F1E6),
    "parenthesised": spread(0x249C),
    "upside down": lambda s: "".join(
        dict(zip("abcdefghijklmnopqrstuvwxyz", "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz", strict=True))[c]
        for c in reversed(s.lower())
    ),
    "tag characters": lambda s: "hello " + "".join(chr(0xE0000 + ord(c)) for c in s),
    "variation selectors": lambda s: "\U0001f600" + "".join(chr(0xE0100 + b - 16) for b in s.encode()),
    "zero-width bits": lambda s: "hello" + bits(s, 8).translate({48: "\u200b", 49: "\u200c"}),
    "white space bits": lambda s: "hello" + bits(s, 8).translate({48: " ", 49: "\t"}),
    "base64": b64,
    "base64 url unpadded": lambda s: base64.urlsafe_b64encode(s.encode()).decode().rstrip("="),
    "base64 offset 1": lambda s: b64("x" + s + " yes"),
    "base64 offset 2": lambda s: b64("xx" + s + " yes"),
    "base64 glued": lambda s: "ab" + b64(s + " in here"),
    "base64 wrapped": lambda s: " ".join(b64(s + "!!")[at : at + 4] for at in range(0, 20, 4)),
    "base64 twice": lambda s: b64(b64(s)),
    "base64 of hex": lambda s: b64(s.encode().hex()),
    "percent of base64": lambda s: "".join(f"%{byte:02x}" for byte in b64(s).encode()),
    "base64 of utf-16": lambda s: b64(s.encode("utf-16-le")),
    "base64 of gzip": lambda s: b64(gzip.compress(s.encode())),
    "base64 of zlib": lambda s: b64(zlib.compress(s.encode())),
    "base64 of deflate": lambda s: b64(zlib.compress(s.encode(), wbits=-15)),
    "base64 of bzip2": lambda s: b64(bz2.compress(s.encode())),
    "base64 of xz": lambda s: b64(lzma.compress(s.encode())),
    "base32": lambda s: base64.b32encode(s.encode()).decode(),
    "base32 lower unpadded": lambda s: base64.b32encode(s.encode()).decode().lower().rstrip("="),
    "base32hex": lambda s: base64.b32hexencode(s.encode()).decode(),
    "crockford": lambda s: (
        base64.b32encode(s.encode())
        .decode()
        .rstrip("=")
        .translate(str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
    ),
    "base85": lambda s: base64.b85encode(s.encode()).decode(),
    "ascii85": lambda s: base64.a85encode(s.encode()).decode(),
    "base58": base_int("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
    "base62": base_int(string.digits + string.ascii_uppercase + string.ascii_lowercase),
    "base36": base_int(string.digits + string.ascii_lowercase),
    "base45": base45,
    "hex": lambda s: s.encode().hex(),
    "hex upper colons": lambda s: s.encode().hex(":").upper(),
    "hex backslash x": lambda s: "".join(f"\\x{byte:02x}" for byte in s.encode()),
    "hex 0x": lambda s: " ".join(f"0x{byte:02x}" for byte in s.encode()),
    "binary": lambda s: " ".join(f"{byte:08b}" for byte in s.encode()),
    "binary run": lambda s: bits(s, 8),
    "octal": lambda s: " ".join(f"{byte:03o}" for byte in s.encode()),
    "decimal": lambda s: " ".join(str(byte) for byte in s.encode()),
    "letter numbers": lambda s: "-".join(str(ord(c) - 96) for c in s.lower()),
    "percent": lambda s: "".join(f"%{byte:02X}" for byte in s.encode()),
    "percent twice": lambda s: "".join(f"%25{byte:02X}" for byte in s.encode()),
    "percent u": lambda s: "".join(f"%u{ord(c):04x}" for c in s),
    "entities": lambda s: "".join(f"&#{ord(c)};" for c in s),
    "entities hex": lambda s: "".join(f"&#x{ord(c):x};" for c in s),
    "escapes mixed": lambda s: (
        f"\\u{ord(s[0]):04x}\\x{ord(s[1]):02x}\\{ord(s[2]):03o}\\u{{{ord(s[3]):x}}}{s[4:]}"
    ),
    "css escapes": lambda s: "".join(f"\\{ord(c):06x}" for c in s),
    "u plus": lambda s: " ".join(f"U+{ord(c):04X}" for c in s),
    "quoted-printable": lambda s: "".join(f"={byte:02X}" for byte in s.encode()),
    "mime word b": lambda s: f"=?utf-8?b?{b64(s)}?=",
    "mime word q": lambda s: f"=?utf-8?q?{''.join(f'={byte:02X}' for byte in s.encode())}?=",
    "uuencode": lambda s: binascii.b2a_uu(s.encode()).decode().strip("\n"),
    "utf-7": lambda s: "+" + b64(s.encode("utf-16-be")).rstrip("=") + "-",
    "punycode": lambda s: s.lower().replace("o", "\u00f8", 1).encode("idna").decode() + ".example",
    "data uri": lambda s: f"data:text/plain;base64,{b64(s)}",
    "reversed": lambda s: s[::-1],
    "rot13": lambda s: codecs.encode(s, "rot13"),
    "caesar 3": lambda s: rot(s, 3),
    "caesar 19": lambda s: rot(s, 19),
    "rot47": lambda s: "".join(chr(33 + (ord(c) - 33 + 47) % 94) for c in s),
    "atbash": lambda s: "".join(chr(219 - ord(c)) for c in s.lower()),
    "rail fence": lambda s: s[0::2] + s[1::2],
    "bacon": bacon,
    "polybius": square,
    "leet": lambda s: s.translate(str.maketrans("oiO", "010")),
    "keyboard": lambda s: s.lower().translate(
        str.maketrans("qwertyuiopasdfghjklzxcvbnm", "wertyuioppsdfghjkllxcvbnmm")
    ),
    "nato": nato,
    "as in": lambda s: ", ".join(f"{c} as in {c}word" for c in s.lower()),
    "morse": morse,
    "morse other signs": lambda s: morse(s).translate(str.maketrans(".-", "·–")),
    "braille": braille,
    "acrostic": acrostic,
    "acrostic of lines": lambda s: "\n".join(f"{word} some more words" for word in acrostic(s).split()),
    "pig latin": lambda s: s.lower()[2:] + s.lower()[:2] + "ay",
    "robber language": robber,
    "doubled letters": lambda s: "".join(c * (2 if at % 3 == 0 else 1) for at, c in enumerate(s)),
    "transposed": lambda s: s[:4] + s[5] + s[4] + s[6:],
    "substituted": lambda s: s[:6] + "z" + s[7:],
    "scrambled": lambda s: s[0] + "".join(sorted(s[1:-1])) + s[-1],
    "possessive": lambda s: f"{s}'s plans",
    "inflected": lambda s: f"{s}in",
    "glued": lambda s: f"x{s}x",
    "key value": lambda s: f"key={s}_v2",
    "every second letter": lambda s: "".join(f"{c}x" for c in s),
}


@pytest.mark.parametrize("name", DISGUISES)
def test_a_code_name_is_caught_in_disguise(name: str) -> None:
    """No disguise of the code name is allowed out, alone or between other words."""
    disguised = DISGUISES[name](CODE)
    assert judge(disguised) >= Verdict.ASK
    if name not in ("acrostic of lines", "upside down"):
        assert judge(f"prices {disguised} today") >= Verdict.ASK


@pytest.mark.parametrize(
    "payload",
    [
        "Ostervald, Mireille",
        "ostervald mireille biography",
        "MireilleOstervald",
        "who is mireille  ostervald",
        "M. Ostervald career",
        b64("Ostervald"),
        "Ostervald's husband",
    ],
)
def test_a_person_is_caught_in_any_order_and_by_surname(payload: str) -> None:
    """A name is found with its words in either order, run together, and by its uncommon part."""
    assert judge(payload) is Verdict.BLOCK


@pytest.mark.parametrize(
    "payload",
    [
        "3,650,000,000",
        "3.650.000.000",
        "3 650 000 000 pounds",
        "3'650'000'000",
        "£3.65bn",
        "GBP 3.65 billion",
        "3650 million pounds",
        "3,650m GBP",
        "3.65e9",
        "365 crore pounds x 10, or 3,65,00,00,000",
        "three point six five billion pounds",
        "three billion six hundred and fifty million",
        "drei Komma sechs f\u00fcnf Milliarden Pfund",
        "trois virgule soixante-cinq milliards de livres",
        "\u0663\u0666\u0665\u0660\u0660\u0660\u0660\u0660\u0660\u0660",
        "36.5\u5104",
        "three six five zero zero zero zero zero zero zero",
        "3-6-5-0-0-0-0-0-0-0",
        "8105555555",
        "0000000563",
        b64("3650000000"),
        hex(3650000000),
    ],
)
def test_an_amount_is_caught_by_value(payload: str) -> None:
    """A figure is compared by value: grouping, scale, words, scripts and digit tricks make no difference."""
    assert judge(f"valued at {payload}") >= Verdict.ASK


@pytest.mark.parametrize(
    "payload",
    [
        "23.09.1971",
        "23.9.71",
        "09/23/1971",
        "19710923",
        "23 September 1971",
        "September 23rd, 1971",
        "23rd of September 1971",
        "23. September 1971",
        "23 septembre 1971",
        "23 de septiembre de 1971",
        "day 266 of 1971",
        "1971-266",
        "26199",
        "54432000",
        b64("23.09.1971"),
        "twenty-third of September nineteen seventy-one",
    ],
)
def test_a_date_is_caught_in_every_notation(payload: str) -> None:
    """A day is found as numbers in any order, as a day count, and with month names of several languages."""
    assert judge(f"born {payload}") is Verdict.BLOCK


@pytest.mark.parametrize(
    "payload",
    [
        NUMBER_ID,
        "FR76 3000 6000 0112 3456 7890 189",
        "fr76-3000-6000-0112-3456-7890-189",
        NUMBER_ID[::-1],
        b64(NUMBER_ID),
        NUMBER_ID.encode().hex(),
        f"99{NUMBER_ID}00",
    ],
)
def test_an_id_is_caught_with_any_grouping(payload: str) -> None:
    """An id is found however it is grouped or encoded, and inside other characters."""
    assert judge(payload) is Verdict.BLOCK


@pytest.mark.parametrize(
    "payload",
    ["57 francs per share", "57francspershare", "FIFTY-SEVEN francs per share", "57 Francs per Share?"],
)
def test_a_phrase_is_caught(payload: str) -> None:
    """A phrase is found by its words, with its figure in digits or in words."""
    assert judge(f"offer {payload}") >= Verdict.ASK


@pytest.mark.parametrize(
    ("kind", "payload", "content_type"),
    [
        ("url", "https://a.example/?a=Thorn&b=quill", None),
        ("url", "https://a.example/?a=Thorn&x=7&b=quill", None),
        ("url", "https://thorn.quill.evil.example/", None),
        ("url", "https://a.example/thorn/quill#x", None),
        ("url", "https://a.example/%54hornquill", None),
        ("url", "https://a.example/?Thornquill", None),
        ("body", '{"Thornquill":1}', "application/json"),
        ("body", '{"a":1,"a":"Thornquill","a":2}', "application/json"),
        ("body", '{"a":"Thorn","b":"quill"}', "application/json"),
        ("body", '{"a":"Thorn","z":3,"b":"quill"}', "application/json"),
        ("body", '{"a":"{\\"b\\":\\"Thorn\\\\u0071uill\\"}"}', "application/json"),
        ("body", '["T","h","o","r","n","q","u","i","l","l"]', "application/json"),
        ("body", "a=Thorn&b=quill", "application/x-www-form-urlencoded"),
        ("body", html.escape("<p>Thornquill</p>"), "text/html"),
        ("body", quopri.encodestring(b"Thorn=quill").decode() + "Thorn=71uill", "text/plain"),
        ("body", urllib.parse.quote("Thornquill" * 3), "text/plain"),
    ],
)
def test_a_container_hides_nothing(kind: str, payload: str, content_type: str | None) -> None:
    """URL parts, JSON keys, duplicate keys, leaves and form fields are looked through singly and joined."""
    assert judge(payload, kind, content_type) is Verdict.BLOCK


@pytest.mark.parametrize(
    ("payload", "content_type", "encoding"),
    [
        (b"\xff\xfe\x00bad", "text/plain", None),
        (b'{"a":', "application/json", None),
        (b'{"a":"\\ud800"}', "application/json", None),
        (b"[" * 1000 + b"]" * 1000, "application/json", None),
        (b"hello", "application/octet-stream", None),
        (b"hello", "image/png", None),
        (b"hello", None, None),
        (b"hello", "text/plain", "br"),
        (b"hello", "text/plain", "gzip"),
        (gzip.compress(b"x" * (2 << 20), mtime=0), "text/plain", "gzip"),
        (gzip.compress(b"Thornquill", mtime=0), "text/plain", "gzip"),
        (b"--x\r\n\r\nhello", "multipart/form-data; boundary=x", None),
        (b64(gzip.compress(b"z" * (2 << 20), mtime=0)).encode(), "text/plain", None),
        (b64(gzip.compress(b"some text here", mtime=0)[:-12]).encode(), "text/plain", None),
    ],
)
def test_what_cannot_be_read_is_not_sent(
    payload: bytes, content_type: str | None, encoding: str | None
) -> None:
    """Bytes that are not text, broken containers, unknown or swelling encodings are blocked."""
    request = Request(RequestKind.BODY, payload, content_type=content_type, content_encoding=encoding)
    assert evaluate(request, (PACK,), SessionState(), POLICY).verdict is Verdict.BLOCK


@pytest.mark.parametrize("start", [0, 5, 12])
def test_a_fragment_of_a_canary_is_enough(start: int) -> None:
    """Eight symbols of a canary in a row never leave."""
    assert judge("see " + "bcd7fgh2jkm9npq4rst6"[start : start + 8]) is Verdict.BLOCK


BENIGN_TWINS = [
    "thorn bush hedge",
    "thornbush hedge prices",
    "3.65 percent of revenue",
    "September 1971 news",
    "nordic pump makers revenue 2024",
    "57 francs",
    "price per share of Roche",
    "marie mathieu songs",
    "pump market size 2023 in billion euros",
    "what is 3 point 6 million divided by 5",
    "base64 encoding of text explained",
    "ISO 9001 certification 2015 requirements",
    "net sales 42,916 million 2024 versus 41,000 million 2023",
    "who wrote the quill of the owl",
    "https and http differences",
    "flight AF1234 on 23 October",
]


@pytest.mark.parametrize("payload", BENIGN_TWINS)
def test_a_benign_twin_passes(payload: str) -> None:
    """Queries that resemble the secrets or the disguises, without holding one, are allowed."""
    assert judge(payload) is Verdict.ALLOW


def test_nothing_of_a_secret_is_in_the_answer() -> None:
    """A decision names rules and places; its text does not repeat what it found."""
    request = Request(RequestKind.QUERY, f"{CODE} {NAME} {NUMBER_ID}".encode())
    decision = evaluate(request, (PACK,), SessionState(), POLICY)
    assert decision.verdict is Verdict.BLOCK
    shown = repr(decision).lower() + repr(request).lower()
    for secret in (CODE, "ostervald", NUMBER_ID, "thorn"):
        assert secret.lower() not in shown
