"""Encryption at rest."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest
from doublethink_console.errors import SealBroken
from doublethink_console.sealing import Place, Sealer, load_sealer
from doublethink_settings import SettingsError
from hypothesis import given, settings
from hypothesis import strategies as st

PLACE = Place("answer.sealed", b"row")
SEALER = Sealer({"one": bytes(32)}, "one")


@given(st.binary(max_size=200))
@settings(max_examples=50, deadline=None)
def test_what_is_sealed_opens_at_its_place(plaintext: bytes) -> None:
    """And never twice in the same bytes."""
    stored = SEALER.seal(plaintext, PLACE)
    assert SEALER.open(stored, PLACE) == plaintext
    assert SEALER.seal(plaintext, PLACE) != stored


@pytest.mark.parametrize(
    "place", [Place("answer.sealed", b"other"), Place("run.question", b"row"), Place("answer.sealedrow", b"")]
)
def test_it_opens_nowhere_else(place: Place) -> None:
    """Moved to another row or column it is refused."""
    with pytest.raises(SealBroken):
        SEALER.open(SEALER.seal(b"memo", PLACE), place)


def test_every_changed_byte_shows() -> None:
    """Also one of the key's name, of the IV and of the tag."""
    stored = SEALER.seal(b"memo", PLACE)
    for position in range(len(stored)):
        changed = bytearray(stored)
        changed[position] ^= 1
        with pytest.raises(SealBroken):
            SEALER.open(bytes(changed), PLACE)


@given(st.binary(max_size=64))
@settings(max_examples=100, deadline=None)
def test_noise_does_not_open(stored: bytes) -> None:
    """Any bytes are refused in the one way."""
    with pytest.raises(SealBroken):
        SEALER.open(stored, PLACE)


def _write(path: Path, text: str, mode: int = 0o600) -> None:
    path.write_text(text)
    path.chmod(mode)


def test_keys_are_rotated_without_losing_what_is_there(tmp_path: Path) -> None:
    """A new active version seals; the old one still opens."""
    _write(tmp_path / "a.key", secrets.token_hex(32))
    stored = load_sealer(tmp_path).seal(b"memo", PLACE)
    _write(tmp_path / "b.key", secrets.token_hex(32))
    with pytest.raises(SettingsError, match="active"):
        load_sealer(tmp_path)
    _write(tmp_path / "active", "b\n")
    rotated = load_sealer(tmp_path)
    assert rotated.open(stored, PLACE) == b"memo"
    (tmp_path / "a.key").unlink()
    assert load_sealer(tmp_path).open(rotated.seal(b"new", PLACE), PLACE) == b"new"
    with pytest.raises(SealBroken):
        load_sealer(tmp_path).open(stored, PLACE)


@pytest.mark.parametrize(("text", "mode"), [("00" * 31, 0o600), ("zz" * 32, 0o600), ("00" * 32, 0o644)])
def test_a_bad_key_file_is_refused_without_its_content(tmp_path: Path, text: str, mode: int) -> None:
    """Too short, no hexadecimal, or readable by others; the message holds no key."""
    _write(tmp_path / "a.key", text, mode)
    with pytest.raises(SettingsError) as refused:
        load_sealer(tmp_path)
    assert text not in str(refused.value)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    """Without a key nothing is stored."""
    with pytest.raises(SettingsError, match="key files"):
        load_sealer(tmp_path)
