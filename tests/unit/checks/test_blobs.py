"""What is a blob and what is a long word, a code or a number."""

from __future__ import annotations

import base64
import hashlib

import pytest
from doublethink_gate.checks.blobs import is_blob


@pytest.mark.parametrize("name", ["sha224", "sha256", "sha512", "blake2s"])
def test_a_hash_in_base_32_is_a_blob(name: str) -> None:
    """Of a hundred hashes in one case of letters and digits, at least 98 are blobs."""
    texts = [
        base64.b32encode(hashlib.new(name, str(number).encode()).digest()).decode().rstrip("=")
        for number in range(100)
    ]
    assert sum(map(is_blob, texts)) >= 98
    assert sum(is_blob(text.lower()) for text in texts) >= 98


@pytest.mark.parametrize(
    "text",
    [
        "HWUPKR0MPOU8FGXBT394",
        "iphone15promaxcase256gb",
        "BUNDESLIGATABELLE2023ERGEBNISSE",
        "rechtsschutzversicherungsgesellschaften",
        "BerkshireHathawayEnergy",
        "GB29NWBK60161331926819",
    ],
)
def test_words_and_numbers_of_registers_are_no_blobs(text: str) -> None:
    """Words and years run together, a number of a legal entity and of an account have other shapes."""
    assert not is_blob(text)
