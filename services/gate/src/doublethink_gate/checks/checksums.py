"""The tests by which a match of a pattern is told from what only looks like it: checksums, and what a value holds."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from hashlib import sha256

from doublethink_gate.checks.blobs import is_blob
from doublethink_gate.checks.hosts import host_blob, inner_host
from doublethink_gate.checks.identities import IDENTITY_TESTS
from doublethink_gate.checks.seedphrase import seed_phrase

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
# Lengths of an IBAN by country, from the registry of ISO 13616 (release 99).
_IBAN_COUNTRIES = {
    15: "NO", 16: "BE", 18: "DK FI FO GL NL SD FK", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
    29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
}  # fmt: skip
_IBAN_LENGTHS = {
    country: length for length, countries in _IBAN_COUNTRIES.items() for country in countries.split()
}
# First digits and lengths that the card networks publish (ISO/IEC 7812 ranges).
_CARD_RANGES = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|09|[689]\d)\d{11,16}|35(?:2[89]|[3-8]\d)\d{12,15}|6(?:011|4[4-9]\d|5\d\d)\d{12,15}"
    r"|62\d{14,17}|(?:50|5[6-8]|6[0-9])\d{10,17}|220[0-4]\d{12,15}|9792\d{12}|8[1-2]\d{14,17}"
)
_MIN_DISTINCT = 4
_SECRET_CLASSES = (str.islower, str.isupper, str.isdigit)
_ID_LENGTH = 27
_SAMPLE_FIELD = re.compile(r'(?i)(?<=")[a-z0-9._%+-]{1,64}@example\.(?:com|net|org)(?=\\?")')


def luhn(text: str) -> bool:
    """Whether the digits of `text` pass the check of ISO/IEC 7812-1, annex B."""
    digits = [int(char) for char in text if char.isdecimal()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return total % 10 == 0


def card(text: str) -> bool:
    """Whether the digits of `text` begin and are as many as a network's cards, and pass the check."""
    return luhn(text) and _CARD_RANGES.fullmatch("".join(filter(str.isdecimal, text))) is not None


def iban(text: str) -> bool:
    """Whether `text` begins with an account number that passes the check of ISO 13616: moved and with letters as
    numbers, it is 1 modulo 97. Words that follow it may be there.
    """
    words = text.split(" ")
    return any(_iban("".join(words[:count])) for count in range(len(words), 0, -1))


def _iban(symbols: str) -> bool:
    if _IBAN_LENGTHS.get(symbols[:2].upper()) != len(symbols) or not (
        symbols.isascii() and symbols.isalnum()
    ):
        return False
    moved = symbols[4:] + symbols[:4]
    return int("".join(str(int(symbol, 36)) for symbol in moved)) % 97 == 1


def base58check(text: str) -> bool:
    """Whether `text` is base 58 whose last four bytes are the double SHA-256 of the rest."""
    number = 0
    for symbol in text:
        number = number * 58 + _BASE58.index(symbol)
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    # Each leading "1" is a zero byte.
    data = bytes(len(text) - len(text.lstrip("1"))) + data
    return len(data) > 20 and sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def phone(text: str) -> bool:
    """Whether `text` has as many digits as a telephone number with its country has (E.164: up to 15)."""
    return 8 <= sum(char.isdigit() for char in text) <= 15


def login(text: str) -> bool:
    """Whether what follows the word is base 64 of a name and a password with a colon between (RFC 7617)."""
    try:
        data = binascii.a2b_base64(text.rpartition(" ")[2])
    except ValueError:
        return False
    return b":" in data and all(byte >= 32 for byte in data)


def mixed(text: str) -> bool:
    """Whether the value behind the last separator has both letters and digits, as no word of a sentence has."""
    value = re.split(r"[:=\s\"']", text)[-1]
    return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)


def varied(text: str) -> bool:
    """Whether what stands behind the prefix is no row of one symbol, as documentation writes "xxxx" for a token."""
    return any(len(set(part)) >= _MIN_DISTINCT for part in re.split(r"[-_.:]", text)[1:])


def secret_run(text: str) -> bool:
    """Whether a run of base 64 symbols is as random as a key: all classes, "+" or "/", and no text behind it."""
    if not all(any(map(kind, text)) for kind in _SECRET_CLASSES) or not re.search("[+/]", text):
        return False
    if any(len(part) > 1 and part.isalpha() and part[1:].islower() for part in re.split("[+/]", text)):
        return False
    try:
        data = binascii.a2b_base64(text + "=" * (-len(text) % 4))
    except ValueError:
        return True
    # Text in base 64 is read as text where it is decoded.
    return not all(32 <= byte < 127 or byte in b"\r\n\t" for byte in data)


def path_blob(address: str) -> bool:
    """Whether a segment of an address's path is longer and more random than ids are.

    Ids in use have up to 27 symbols that mix cases (UUID in base 64, ULID, KSUID); longer ones give access.
    """
    path = re.split(r"[?#]", address.partition("://")[2])[0]
    return any(
        len(part) > _ID_LENGTH
        and all(any(map(kind, part)) for kind in _SECRET_CLASSES)
        and "." not in part
        and is_blob(part)
        for part in path.split("/")[1:]
    )


def sample_field(before: str, match: str, after: str) -> bool:
    """Whether all mail addresses of a stretch of the payload are whole fields of data and belong to nobody.

    RFC 2606 keeps example.com, .net and .org for documentation, so there are no mailboxes; in a sentence somebody
    wrote it for a person, and it counts. Where fields are run together, a match reaches over several.
    """
    around = f"{before}{match}{after}"
    samples = {field.start() + field[0].index("@") for field in _SAMPLE_FIELD.finditer(around)}
    marks = {len(before) + at for at, char in enumerate(match) if char == "@"}
    # Something encoded has none: then it is no field of the payload.
    return bool(marks) and marks <= samples


TESTS: dict[str, Callable[[str], bool]] = {
    "": bool,
    "card": card,
    "iban": iban,
    "base58check": base58check,
    "phone": phone,
    "login": login,
    "mixed": mixed,
    "varied": varied,
    "secret_run": secret_run,
    "path_blob": path_blob,
    "host_blob": host_blob,
    "inner_host": inner_host,
    "seed_phrase": seed_phrase,
    **IDENTITY_TESTS,
}
"""Tests by the name that `patterns.tsv` gives them."""

EXCEPTIONS: dict[str, Callable[[str, str, str], bool]] = {
    "": lambda before, match, after: False,
    "sample_field": sample_field,
}
"""What excuses a match, by name: given the text before it, itself, and the text after it, as the payload has them."""
