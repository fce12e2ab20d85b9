"""The verifier as a program, alone: its words, its exit codes, its pinned keys, and openssl beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from doublethink_ledger import parse_note, without_bodies
from sim import bundles, verifier

LOG = bundles.log()
KEY = LOG.signer.verifier


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bundle, the key, a known checkpoint, as files."""
    (tmp_path / "bundle").write_bytes(LOG.bundle(since=9, opened=[1]).encode())
    (tmp_path / "open").write_bytes(LOG.bundle(4).encode())
    (tmp_path / "vkey").write_text(f"# the ledger's key\n\n{KEY.format()}\n")
    (tmp_path / "known").write_bytes(LOG.checkpoint(9))
    return tmp_path


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr; words that name a file of the folder are given as its path."""
    arguments = [str(folder / word) if (folder / word).exists() else word for word in words]
    done = verifier.run(*arguments)
    return done.returncode, done.stdout, done.stderr


def test_complete_alone(folder: Path) -> None:
    """Isolated, without our modules and without a network module, it says COMPLETE and ends with 0."""
    code, out, err = run(folder, "bundle", "--key", "vkey", "--known-checkpoint", "known")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "COMPLETE"
    assert f"  signed by {KEY.label}" in lines
    assert "  known checkpoint: continued" in lines


def test_open_ends_with_3(folder: Path) -> None:
    """A prefix says OPEN, of which size of the log."""
    code, out, _ = run(folder, "open", "--key", "vkey")
    assert code == 3
    assert out.startswith("OPEN\n")
    assert f"log of {len(LOG.leaves)} rows" in out


def test_invalid_ends_with_1_and_names_the_row(folder: Path) -> None:
    """One byte changed: one line that says INVALID and where."""
    data = (folder / "bundle").read_bytes()
    (folder / "bad").write_bytes(data.replace(b"secret.number", b"secret.nimber"))
    code, out, err = run(folder, "bad", "--key", "vkey")
    assert (code, err) == (1, "")
    assert out == "INVALID at row 3: its content does not have its hash\n"
    code, out, _ = run(folder, "bad", "--key", "vkey", "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["part"], found["row"]) == (1, "INVALID", "row", 3)


def test_an_unknown_key_ends_with_1(folder: Path) -> None:
    """Without a pinned key, or with another, nothing is believed: the key that the bundle names is shown."""
    (folder / "other").write_text(bundles.key("other").verifier.format())
    for words in (("bundle",), ("bundle", "--key", "other")):
        code, out, _ = run(folder, *words)
        assert code == 1
        assert out.splitlines()[0] == f"UNKNOWN KEY {KEY.label}"


def test_the_key_may_be_named_by_the_environment(folder: Path) -> None:
    """DOUBLETHINK_VKEY names the file where --key does not."""
    pinned = {"DOUBLETHINK_VKEY": str(folder / "vkey")}
    assert verifier.run(str(folder / "bundle"), environment=pinned).returncode == 0
    assert verifier.run(str(folder / "bundle"), environment={"DOUBLETHINK_VKEY": ""}).returncode == 1


def test_a_redacted_row_is_named(folder: Path) -> None:
    """A body left out is said, and the session is complete all the same."""
    (folder / "redacted").write_bytes(without_bodies(LOG.bundle(), [7]).encode())
    code, out, _ = run(folder, "redacted", "--key", "vkey")
    assert code == 0
    assert "  row 7 redacted" in out.splitlines()


@pytest.mark.parametrize(
    "words",
    [
        ["nothing-here", "--key", "vkey"],
        ["bundle", "--key", "nothing-here"],
        ["bundle", "--key", "bundle"],
        ["bundle", "--key", "empty"],
        ["bundle", "--key", "many"],
        ["bundle", "--key", "wrong-id"],
        ["bundle", "--key", "vkey", "--known-checkpoint", "vkey"],
        ["bundle", "--key", "vkey", "--known-checkpoint", "stranger"],
        ["bundle", "--known-checkpoint", "known"],
        ["/dev/zero", "--key", "vkey"],
        ["/", "--key", "vkey"],
        ["pipe", "--key", "vkey"],
        ["bundle", "--keys", "vkey"],
        ["bundle", "--unknown"],
        [],
    ],
    ids=" ".join,
)
def test_wrong_use_ends_with_2(folder: Path, words: list[str]) -> None:
    """A file that is not there, has no end, or is not what it should be: one line on stderr, nothing on stdout."""
    (folder / "empty").write_text("# nothing\n")
    (folder / "many").write_text(f"{KEY.format()}\n" * 65)
    (folder / "wrong-id").write_text(KEY.format().replace(KEY.id.hex(), "00000000"))
    (folder / "stranger").write_bytes(bundles.Log.of(LOG.rows, signer=bundles.key("thief")).checkpoint())
    os.mkfifo(folder / "pipe")
    code, out, err = run(folder, *words)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert err.strip()


def test_openssl_accepts_the_checkpoint_of_a_bundle(tmp_path: Path) -> None:
    """The commands of the format's description: openssl alone says that the pinned key signed the head."""
    note = parse_note(LOG.bundle().proof.checkpoint)
    (tmp_path / "text").write_bytes(note.text)
    (tmp_path / "signature").write_bytes(note.signatures[0].signature)
    (tmp_path / "key").write_bytes(bytes.fromhex("302a300506032b6570032100") + KEY.public)
    command = [
        "openssl",
        "pkeyutl",
        "-verify",
        "-rawin",
        "-pubin",
        "-keyform",
        "DER",
        "-inkey",
        "key",
        "-sigfile",
        "signature",
        "-in",
        "text",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "Signature Verified Successfully")
    (tmp_path / "text").write_bytes(note.text.replace(b"\n31\n", b"\n30\n"))
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_a_name_that_the_terminal_does_not_have_ends_nothing(folder: Path) -> None:
    """Anybody can add a signature, and any name to it: a good bundle stays one where only ASCII can be written."""
    added = "\u2014 \u4e2d\u00e9 AAAAAAAA\n".encode()
    (folder / "added").write_bytes((folder / "bundle").read_bytes() + added)
    done = subprocess.run(
        [sys.executable, str(verifier.VERIFIER), str(folder / "added"), "--key", str(folder / "vkey")],
        env={"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"also signed by \u4e2d\xe9+00000000, which is not pinned here" in done.stdout
