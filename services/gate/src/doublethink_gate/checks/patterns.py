"""Patterns: things that never belong into a request whoever they belong to, found by form and checksum.

Packs of rules are data. Forms are public facts: ISO/IEC 7812 (cards), ISO 13616 (IBAN), RFC 7468 (PEM), RFC
7519 (JWT), and the documented prefixes of access keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from doublethink_fingerprint import View
from doublethink_fingerprint.work import MATCH, spend


def luhn(text: str) -> bool:
    """Whether the digits of `text` pass the check of ISO/IEC 7812-1, annex B."""
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return total % 10 == 0


def iban(text: str) -> bool:
    """Whether `text` passes the check of ISO 13616: moved and with letters as numbers, it is 1 modulo 97."""
    symbols = re.sub(r"\s", "", text).upper()
    if not 15 <= len(symbols) <= 34:
        return False
    moved = symbols[4:] + symbols[:4]
    return int("".join(str(int(symbol, 36)) for symbol in moved)) % 97 == 1


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule: a form, and a test that a match has to pass."""

    name: str
    form: re.Pattern[str]
    test: Callable[[str], bool] = bool
    hint: str = ""


_CREDENTIALS = (
    Pattern(
        "pem", re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)-----"), hint="-----BEGIN"
    ),
    Pattern(
        "jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"), hint="eyJ"
    ),
    Pattern(
        "aws_key", re.compile(r"(?<![A-Z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}(?![A-Z0-9])"), hint="A"
    ),
    Pattern(
        "github_token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})"), hint="g"
    ),
    Pattern("slack_token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"), hint="xox"),
    Pattern("google_key", re.compile(r"\bAIza[A-Za-z0-9_-]{35}"), hint="AIza"),
    Pattern(
        "vendor_key", re.compile(r"\b(?:sk|pk|rk)[-_](?:ant|live|test|proj)[-_][A-Za-z0-9_-]{16,}"), hint="k"
    ),
    Pattern("bearer", re.compile(r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}=*"), hint="earer"),
)
_PAYMENT = (
    Pattern("card", re.compile(r"(?<![\d.,$€£])\d(?:[ -]?\d){12,18}(?![\d.,]?\d)"), luhn),
    Pattern(
        "iban", re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])"), iban
    ),
)
_CONTACT = (
    Pattern(
        "email", re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"), hint="@"
    ),
)

PACKS: dict[str, tuple[Pattern, ...]] = {
    "credentials": _CREDENTIALS,
    "payment": _PAYMENT,
    "contact": _CONTACT,
}
"""Rules by the name of their pack, as the policy selects them."""


@dataclass(frozen=True, slots=True)
class PatternHit:
    """A rule that matched, and where in the payload (characters)."""

    rule: str
    start: int
    end: int


def find_patterns(views: tuple[View, ...], packs: tuple[str, ...]) -> Iterator[PatternHit]:
    """Yield every match of the named packs in any view. Raises WorkSpent."""
    seen: set[PatternHit] = set()
    for view in views:
        spend(len(view.text) // 2)
        for pack in packs:
            for pattern in PACKS[pack]:
                if pattern.hint and pattern.hint not in view.text:
                    continue
                for match in pattern.form.finditer(view.text):
                    spend(MATCH)
                    hit = PatternHit(f"pattern.{pattern.name}", *view.span(*match.span()))
                    if hit not in seen and pattern.test(match[0]):
                        seen.add(hit)
                        yield hit
