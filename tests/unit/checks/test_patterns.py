"""Patterns find what has their form and checksum, and leave its neighbours alone."""

from __future__ import annotations

import pytest
from doublethink_fingerprint import View
from doublethink_gate.checks.blobs import is_blob
from doublethink_gate.checks.checksums import iban, luhn
from doublethink_gate.checks.domains import registrable_domain
from doublethink_gate.checks.patterns import PACKS, find_patterns

ALL = tuple(PACKS)


def rules(text: str) -> set[str]:
    """Rule names that match a text."""
    return {hit.rule.removeprefix("pattern.") for hit in find_patterns((View(text),), ALL)}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("4111 1111 1111 1111", "card"),
        ("card:5500-0000-0000-0004.", "card"),
        ("GB82 WEST 1234 5698 7654 32", "iban"),
        ("DE89370400440532013000", "iban"),
        ("-----BEGIN " + "RSA PRIVATE KEY-----", "pem"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "jwt"),
        ("key AKIA" + "ABCDEFGHIJKLMNOP", "aws_key"),
        ("ghp_" + "a1B2" * 9, "github_token"),
        ("Authorization: Bearer " + "abcd1234" * 4, "bearer"),
        ("write to jane.doe@mail.example.org", "email"),
    ],
)
def test_a_pattern_is_found(text: str, rule: str) -> None:
    """Each rule matches an example of its form."""
    assert rule in rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",
        "GB82 WEST 1234 5698 7654 33",
        "58,733,844 ordinary shares",
        "0000 0000 0000 0000",
        "eyJ is how a token begins",
        "AKIA is a prefix",
        "twitter @handle",
        "order 1234567890123456789012",
    ],
)
def test_a_neighbour_is_left_alone(text: str) -> None:
    """Wrong checksums, plain figures and talk about a form do not match."""
    assert not rules(text)


def test_checksums_agree_with_known_values() -> None:
    """Published test numbers pass, and any single changed digit fails."""
    assert luhn("4111111111111111")
    assert iban("GB82WEST12345698765432")
    for at in range(16):
        digit = str((int("4111111111111111"[at]) + 1) % 10)
        assert not luhn("4111111111111111"[:at] + digit + "4111111111111111"[at + 1 :])


@pytest.mark.parametrize(
    ("token", "blob"),
    [
        ("b8255e30e0679dc7b8255e30", True),
        ("q7Xz81kPp02LmZt9Wd4s", True),
        ("antidisestablishmentarianism", False),
        ("INTERNATIONALIZATION", False),
        ("12345678901234567890", False),
        ("year-over-year-growth-2023", False),
        ("iPhone15ProMaxCase", False),
        ("978-3-16-148410-0", False),
        ("1038/s41586-020-2649-2", False),
        ("cef61d03-a64e-4996-bb3b-c81386bc2b99", True),
        ("k3j9-x8q2-m4v7-p1z6", True),
    ],
)
def test_a_blob_is_no_word(token: str, blob: bool) -> None:
    """Hashes and ciphertext are blobs; long words, figures and compounds are not."""
    assert is_blob(token) is blob


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("EXAMPLE.ORG.", "example.org"),
        ("news.example.de", "example.de"),
    ],
)
def test_publishers_are_told_apart(host: str, domain: str) -> None:
    """Hosts of one publisher share a registrable domain."""
    assert registrable_domain(host) == domain
