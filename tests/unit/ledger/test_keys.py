"""Key-encryption keys: which files are keys, which one wraps, and that nothing opens elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from doublethink_gate.ledger import KeyMissing, KeyRing, PayloadError
from doublethink_settings import SettingsError

K1, K2 = bytes(range(32)), bytes(range(1, 33))


def write(directory: Path, name: str, text: str, mode: int = 0o600) -> None:
    """Write one file of a key folder."""
    file = directory / name
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)


def test_one_key_needs_no_active_file(tmp_path: Path) -> None:
    """With a single version that one wraps."""
    write(tmp_path, "k1.key", K1.hex() + "\n")
    assert KeyRing.load(tmp_path).active == "k1"


def test_the_active_file_names_the_wrapping_version(tmp_path: Path) -> None:
    """With several versions the file `active` decides; all of them unwrap."""
    write(tmp_path, "k1.key", K1.hex())
    old = KeyRing.load(tmp_path).wrap(b"session key", b"place")
    write(tmp_path, "k2.key", K2.hex())
    write(tmp_path, "active", "k2\n")
    ring = KeyRing.load(tmp_path)
    assert (ring.active, ring.versions) == ("k2", frozenset({"k1", "k2"}))
    assert ring.wrap(b"x", b"place").kek == "k2"
    assert ring.unwrap(old, b"place") == b"session key"


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """A key file is its owner's alone."""
    write(tmp_path, "k1.key", K1.hex(), 0o640)
    with pytest.raises(SettingsError, match="chmod 600"):
        KeyRing.load(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """No folder is no key."""
    with pytest.raises(SettingsError):
        KeyRing.load(tmp_path / "absent")


def test_what_is_wrapped_opens_only_at_its_place() -> None:
    """Another context, version, IV or ciphertext does not open; an absent version is named."""
    ring = KeyRing({"k1": K1, "k2": K1}, "k1")
    wrapped = ring.wrap(b"session key", b"here")
    assert ring.unwrap(wrapped, b"here") == b"session key"
    for other, context in (
        (wrapped, b"there"),
        (wrapped, b""),
        (replace(wrapped, kek="k2"), b"here"),
        (replace(wrapped, iv=bytes(12)), b"here"),
        (replace(wrapped, ciphertext=wrapped.ciphertext[:-1] + b"\x00"), b"here")
        if wrapped.ciphertext[-1]
        else (replace(wrapped, ciphertext=wrapped.ciphertext[:-1] + b"\x01"), b"here"),
    ):
        with pytest.raises(PayloadError):
            ring.unwrap(other, context)
    with pytest.raises(KeyMissing, match="k3"):
        ring.unwrap(replace(wrapped, kek="k3"), b"here")


def test_no_key_is_shown() -> None:
    """The ring's repr names versions and shows no key; every wrapping differs."""
    ring = KeyRing({"k1": K1}, "k1")
    assert K1.hex() not in repr(ring)
    assert "k1" in repr(ring)
    assert ring.wrap(b"x", b"") != ring.wrap(b"x", b"")
