"""The tests by which a match of a pattern is told from what only looks like it: checksums, and what a value holds."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from hashlib import sha256

from doublethink_gate.checks.blobs import is_blob

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_MANY_LABELS = 6
# Words and numbers with hyphens between, as people name things: "acme-ex991-2022q1", "10q-2023q2".
_PLAIN_PART = r"(?:[a-z]+[0-9]{0,4}|[0-9]{1,4}(?:[a-z][0-9]{0,2})?)"
_PLAIN_LABEL = re.compile(rf"(?i)(?=[^-]*[a-z]{{2}}){_PLAIN_PART}(?:-{_PLAIN_PART}){{1,7}}")
_HEX_LABEL = re.compile(r"[0-9a-f]{12,}")
_BASE32_LABEL = re.compile(r"(?=.*[2-7])(?=.*[A-Z])[A-Z2-7]{12,}|(?=.*[2-7])[a-z2-7]{24,}")


def luhn(text: str) -> bool:
    """Whether the digits of `text` pass the check of ISO/IEC 7812-1, annex B."""
    digits = [int(char) for char in text if char.isdecimal()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return total % 10 == 0


def iban(text: str) -> bool:
    """Whether `text` begins with an account number that passes the check of ISO 13616: moved and with letters as
    numbers, it is 1 modulo 97. Words that follow it may be there.
    """
    words = text.split(" ")
    return any(_iban("".join(words[:count])) for count in range(len(words), 0, -1))


def _iban(symbols: str) -> bool:
    if not 15 <= len(symbols) <= 34 or not (symbols.isascii() and symbols.isalnum()):
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


def host_blob(text: str) -> bool:
    """Whether an address names a host in whose labels something is encoded."""
    labels = text.partition("://")[2].rpartition("@")[2].partition(":")[0].split(".")[:-1]
    telling = [
        label
        for label in labels
        if any(char.isdigit() for char in label) and not _PLAIN_LABEL.fullmatch(label)
    ]
    return len(telling) >= _MANY_LABELS or any(
        is_blob(label) or _HEX_LABEL.fullmatch(label) or _BASE32_LABEL.fullmatch(label) for label in telling
    )


TESTS: dict[str, Callable[[str], bool]] = {
    "": bool,
    "luhn": luhn,
    "iban": iban,
    "base58check": base58check,
    "phone": phone,
    "login": login,
    "mixed": mixed,
    "host_blob": host_blob,
}
"""Tests by the name that `patterns.tsv` gives them."""
