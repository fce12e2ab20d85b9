"""Every rule of `patterns.tsv` has an example that it finds and a neighbour that no rule takes for one."""

from __future__ import annotations

import base64

import pytest
from doublethink_fingerprint import View
from doublethink_gate.checks.blobs import is_blob, rare_scripts
from doublethink_gate.checks.checksums import TESTS, base58check, host_blob
from doublethink_gate.checks.patterns import PACKS, find_patterns
from hypothesis import given
from hypothesis import strategies as st

_ALL = tuple(PACKS)
_MIXED = "aB3dE5gH7jK9"

# Put together here, so that no scanner of repositories takes them for real.
EXAMPLES = {
    "pem": "-----BEGIN " + "EC PRIVATE KEY-----",
    "jwt": ".".join(["eyJhbGciOiJub25lIn0", "eyJzdWIiOiJ4eXoifQ", "c2lnbmF0dXJl"]),
    "aws_key": "ASIA" + "Q1W2E3R4T5Y6U7I8",
    "aws_secret": "aws_secret_access_key = " + _MIXED * 3 + "LmNo",
    "github_token": "github_pat_" + _MIXED * 2,
    "gitlab_token": "glpat-" + _MIXED * 2,
    "slack_token": "xoxb-" + _MIXED,
    "slack_hook": "https://hooks.slack.com" + "/services/T0123456/B0123456/" + _MIXED * 2,
    "google_key": "AIza" + (_MIXED * 3)[:35],
    "google_token": "ya29." + _MIXED * 2,
    "vendor_key": "sk_live_" + _MIXED * 2,
    "plain_key": "sk-" + _MIXED * 4,
    "sendgrid_key": "SG." + _MIXED * 2 + "." + _MIXED * 3,
    "package_token": "npm_" + _MIXED * 3,
    "cloud_token": "dapi" + "0123456789abcdef" * 2,
    "twilio_key": "SK" + "0123456789abcdef" * 2,
    "azure_key": "AccountKey=" + _MIXED * 7 + "==",
    "bot_token": "123456789:AA" + (_MIXED * 3)[:33],
    "age_key": "AGE-SECRET-KEY-1" + "Q2W3E4R5T6" * 6,
    "url_password": "postgres://app:" + "hunter22@db.internal.example/x",
    "bearer": "Authorization: Bearer " + _MIXED * 3,
    "basic_login": "Basic " + base64.b64encode(b"alice:opensesame").decode(),
    "assignment": "password=" + "tr0ub4dor3x",
    "card": "5555 5555 5555 4444",
    "iban": "NL91 ABNA 0417 1643 00",
    "wallet": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "wallet_bech32": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "wallet_hex": "0x" + "52908400098527886E0F7030069857D2E4169EE7",
    "email": "jane.doe@mail.example.org",
    "phone": "+49 30 5550 1234",
    "phone_us": "(415) 555-0132",
    "ssn": "219-09-9999",
    "ssn_named": "SSN: 219 09 9999",
    "nino": "AB 12 34 56 C",
    "passport_zone": "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
    "host_blob": "https://c2VjcmV0X3Rva2VuXzEyMzQ1.collect.example/x",
}
NEIGHBOURS = [
    "5555 5555 5555 4445",
    "NL91 ABNA 0417 1643 01",
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3",
    "219-00-9999",
    "000-12-3456",
    "what is a bearer token",
    "the password policy of the bank",
    "password: see the handbook",
    "key figures 2019-2020",
    "revenue 2018 2019 2020 2021",
    "https://www.example.org/annual-report-2023/index.html",
    "https://investors.example.com/static-files/2023",
    "https://d1.eu-west-1.compute.example.com/",
    "call centre 24/7",
    "ISBN 978-3-16-148410-0",
    "basic understanding of accounting",
    "sk-8 skateboards",
    "C++ and C#",
]


@pytest.mark.parametrize("name", [pattern.name for pack in PACKS.values() for pattern in pack])
def test_a_rule_finds_its_example(name: str) -> None:
    """It is found alone, in a sentence, and in JSON; the span is the match."""
    for text in (EXAMPLES[name], f"please use {EXAMPLES[name]} for it", f'{{"a": "{EXAMPLES[name]}"}}'):
        found = [hit for hit in find_patterns((View(text),), _ALL) if hit.rule == f"pattern.{name}"]
        assert found, text
        assert all(0 <= hit.start < hit.end <= len(text) for hit in found)


@pytest.mark.parametrize("text", NEIGHBOURS)
def test_a_neighbour_is_left_alone(text: str) -> None:
    """Wrong checksums, ordinary addresses, and talk about a thing are no match."""
    assert not list(find_patterns((View(text),), _ALL))


def test_every_test_is_used() -> None:
    """The data names no test that is not there, and none is there for nothing."""
    used = {pattern.test for pack in PACKS.values() for pattern in pack}
    assert used == set(TESTS.values())


@given(st.text(max_size=80))
def test_no_text_breaks_a_test(text: str) -> None:
    """Whatever a form lets through gets an answer."""
    for name, test in TESTS.items():
        if name != "base58check":
            assert test(text) in (True, False, None) or not name


@given(st.text("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", min_size=26, max_size=52))
def test_a_checksum_is_not_met_by_chance(text: str) -> None:
    """Four bytes of a hash are met once in four thousand million."""
    assert not base58check(text)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://JBSWY3DPEHPK3PXP.exfil.example/", True),
        ("https://4a6f686e446f65.53656372657431.exfil.example/", True),
        ("https://a1.b2.c3.d4.e5.f6.exfil.example/", True),
        ("https://ec2-54-12-1-3.compute-1.example.com/", False),
        ("https://www.3m.example.com/", False),
        ("https://sec-edgar-2023.example.gov/", False),
        ("https://acme-ex991-2022q1.pages.example/", False),
        ("https://brindle-10q-2023q2.pages.example/", False),
        ("https://k3j9-x8q2-m4v7-p1z6.exfil.example/", True),
    ],
)
def test_a_host_that_carries_something_is_told_from_one_that_has_a_number(address: str, found: bool) -> None:
    """Long encoded labels and many labels with digits stand out."""
    assert host_blob(address) is found


@given(st.binary(min_size=24, max_size=60))
def test_random_bytes_in_base_64_are_mostly_blobs(data: bytes) -> None:
    """Of tokens without structure few look like words; this one is no word unless it has hardly any digit."""
    token = base64.b64encode(data).decode()
    if not is_blob(token):
        assert (
            max(len(part) for part in token.replace("+", "/").split("/")) < 24
            or len(set(data)) < 12
            or (sum(char.isdigit() for char in token) < len(token) * 0.25)
        )


def test_a_script_nobody_writes_is_found() -> None:
    """Rare blocks and rows of pictures are found, ordinary Chinese and a few pictures are not."""
    assert list(rare_scripts("see \u3400\u3401\u4000\u4d00 here"))
    assert list(rare_scripts("".join(chr(0x1F300 + at) for at in range(12))))
    assert not list(rare_scripts("\u91d1\u878d \u5e02\u573a \u4ef7\u683c"))
    assert not list(rare_scripts("thanks \U0001f600\U0001f600"))
