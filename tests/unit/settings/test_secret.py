"""Secrets and keys come from files of their owner's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from doublethink_settings import KeyVersions, SettingsError, files, read_key_folder, read_secret

K1, K2 = bytes(range(32)), bytes(range(1, 33))


def write(file: Path, content: str | bytes, mode: int = 0o600) -> Path:
    """Write a file; return its path."""
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    file.chmod(mode)
    return file


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o602, 0o666])
def test_a_secret_file_must_be_the_owners_alone(tmp_path: Path, mode: int) -> None:
    """A secret that others may read or change is refused by key and file, and does not show."""
    file = write(tmp_path / "key", "sk-very-secret\n", mode)
    with pytest.raises(SettingsError, match="chmod 600") as caught:
        read_secret(file, "source.api_key_file")
    assert str(caught.value).startswith("source.api_key_file: ")
    assert "sk-very-secret" not in str(caught.value)


@pytest.mark.parametrize("content", ["sk-1", "sk-1\n", " sk-1\r\n"])
def test_a_secret_is_the_line_without_what_surrounds_it(tmp_path: Path, content: str) -> None:
    """White space around it is the editor's."""
    assert read_secret(write(tmp_path / "key", content), "k") == "sk-1"


@pytest.mark.parametrize("content", [b"", b"\n", b"two\nlines", b"a\x00b", b"\xff\xfe", b"x" * 5000])
def test_a_secret_is_one_line_of_text(content: bytes, tmp_path: Path) -> None:
    """An empty, binary, huge or many-line file is not taken for a secret, and nothing of it is repeated."""
    file = write(tmp_path / "key", content)
    with pytest.raises(SettingsError) as caught:
        read_secret(file, "k")
    assert str(caught.value) in (
        f"k: {file} must hold one line of text",
        f"k: {file} has more than 4096 bytes",
    )


def test_a_pipe_does_not_hold_the_start_up(tmp_path: Path) -> None:
    """Only regular files are read."""
    os.mkfifo(tmp_path / "key", 0o600)
    with pytest.raises(SettingsError, match="is not a file"):
        read_secret(tmp_path / "key", "k")


def test_a_folder_of_keys_gives_all_versions_and_the_active_one(tmp_path: Path) -> None:
    """One key needs no `active`; with several, `active` decides. Other files are left alone."""
    write(tmp_path / "k1.key", K1.hex() + "\n")
    write(tmp_path / "README", "x", 0o644)
    assert read_key_folder(tmp_path) == KeyVersions({"k1": K1}, "k1")
    write(tmp_path / "k2.key", K2.hex().upper())
    write(tmp_path / "active", "k2\n", 0o644)
    assert read_key_folder(tmp_path) == KeyVersions({"k1": K1, "k2": K2}, "k2")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param({}, "0 key files", id="no key"),
        pytest.param({"k1.key": "00"}, "64 hexadecimal", id="too short"),
        pytest.param({"k1.key": "zz" * 32}, "64 hexadecimal", id="not hexadecimal"),
        pytest.param({"k1.key": "é" * 32}, "not ASCII", id="not ASCII"),
        pytest.param({"k1.key": "00" * 200}, "more than", id="too long"),
        pytest.param({"K 1.key": "00" * 32}, "not a key name", id="a bad name"),
        pytest.param({"k1.key": "00" * 32, "k2.key": "11" * 32}, "active is missing", id="no active"),
        pytest.param({"k1.key": "00" * 32, "active": "k9"}, "not among the keys: k1", id="active is absent"),
        pytest.param({f"k{n}.key": "00" * 32 for n in range(65)}, "65 key files", id="too many"),
    ],
)
def test_a_wrong_key_folder_is_refused(tmp_path: Path, files: dict[str, str], words: str) -> None:
    """Each fault is named with its place, and no key's text is repeated."""
    for name, text in files.items():
        write(tmp_path / name, text)
    with pytest.raises(SettingsError, match=words) as caught:
        read_key_folder(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert all(text not in str(caught.value) for text in files.values() if len(text) > 8)


def test_a_key_that_others_can_read_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    """A key file is its owner's alone; no folder is no key."""
    write(tmp_path / "k1.key", K1.hex(), 0o640)
    with pytest.raises(SettingsError, match="chmod 600"):
        read_key_folder(tmp_path)
    with pytest.raises(SettingsError, match="absent"):
        read_key_folder(tmp_path / "absent")


def test_versions_are_checked_wherever_they_come_from() -> None:
    """A key has 32 bytes, a name its form, and no key is shown."""
    for keys, active in (({"k1": K1[:16]}, "k1"), ({"K": K1}, "K"), ({"k1": K1}, "k2"), ({}, "k1")):
        with pytest.raises(SettingsError):
            KeyVersions(keys, active)
    assert K1.hex() not in repr(KeyVersions({"k1": K1}, "k1"))
    assert str(K1) not in repr(KeyVersions({"k1": K1}, "k1"))


@pytest.mark.parametrize(
    ("mode", "owner", "group", "private"),
    [
        (0o440, 0, 2000, True),
        (0o640, 0, 2000, True),
        (0o400, 0, 0, True),
        (0o440, 0, 2001, False),
        (0o440, 1000, 2000, False),
        (0o460, 0, 2000, False),
        (0o444, 0, 2000, False),
        (0o404, 0, 2000, False),
    ],
)
def test_a_secret_as_a_cluster_mounts_it(
    monkeypatch: pytest.MonkeyPatch, mode: int, owner: int, group: int, private: bool
) -> None:
    """Root's, and readable for one group that is ours, is private; anybody else's file or group is not."""
    monkeypatch.setattr(os, "geteuid", lambda: 64105)
    monkeypatch.setattr(os, "getegid", lambda: 64105)
    monkeypatch.setattr(os, "getgroups", lambda: [2000])
    status = os.stat_result((0o100000 | mode, 1, 1, 1, owner, group, 10, 0, 0, 0))
    assert files._is_private(status) is private


def test_what_root_reads_is_roots_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is root has no need of a group."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "getgroups", lambda: [0])
    status = os.stat_result((0o100440, 1, 1, 1, 0, 0, 10, 0, 0, 0))
    assert not files._is_private(status)
