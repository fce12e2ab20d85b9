"""The committed vectors are what the code makes, and two implementations agree on each of them."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from sim import vectors, verifier

FOLDER = vectors.FOLDER
SECOND = Path(__file__).parents[3] / "verify" / "second" / "verify.sh"
EXPECTED = [line.split("\t") for line in (FOLDER / "expected.tsv").read_text().splitlines()[1:]]


def test_the_vectors_are_what_the_code_makes() -> None:
    """Every file, byte for byte; none is missing and none is left over. No private key is among them."""
    made = vectors.vectors()
    assert {path.name for path in FOLDER.iterdir()} == {*made, "README.md"}
    for name, data in made.items():
        assert (FOLDER / name).read_bytes() == data, name
        assert b"PRIVATE" not in data


@pytest.mark.parametrize(("name", "code", "verdict"), EXPECTED)
def test_the_standalone_verifier_agrees(name: str, code: str, verdict: str) -> None:
    """Its exit code and the first line of its words are the ones that are written down."""
    done = verifier.run(str(FOLDER / name), "--key", str(FOLDER / "ledger.vkey"))
    assert done.returncode == int(code)
    assert done.stdout.splitlines()[0].partition(":")[0] == verdict


@pytest.mark.parametrize(("name", "code", "verdict"), EXPECTED)
def test_a_second_implementation_agrees(name: str, code: str, verdict: str) -> None:
    """Shell and openssl, written from the description alone: the same code, the same verdict at the same place."""
    done = subprocess.run(
        [str(SECOND), str(FOLDER / name), str(FOLDER / "ledger.vkey")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == int(code), done.stdout + done.stderr
    assert done.stdout.splitlines()[0].partition(":")[0] == verdict


@pytest.mark.parametrize("before", [b'{"format"', b'"hash":', b"c2sp.org", b"\nindex ", None])
def test_the_second_implementation_sees_a_zero_byte(tmp_path: Path, before: bytes | None) -> None:
    """The shell reads past them: in no part of a bundle, nor behind it, may one be added."""
    good = (FOLDER / "complete.dtbundle").read_bytes()
    at = len(good) if before is None else good.index(before)
    (tmp_path / "bundle").write_bytes(good[:at] + b"\0" + good[at:])
    done = subprocess.run(
        [str(SECOND), str(tmp_path / "bundle"), str(FOLDER / "ledger.vkey")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout.partition(":")[0]) == (1, "INVALID at header")


def test_the_known_checkpoint_is_continued() -> None:
    """The vector with a tie proves it; the one without says what to do."""
    words = ("--key", str(FOLDER / "ledger.vkey"), "--known-checkpoint", str(FOLDER / "known.checkpoint"))
    assert verifier.run(str(FOLDER / "opened-since.dtbundle"), *words).returncode == 0
    done = verifier.run(str(FOLDER / "complete.dtbundle"), *words)
    assert done.returncode == 1
    assert done.stdout.startswith("INVALID at known checkpoint: ")


def test_the_steps_of_one_row() -> None:
    """The written steps follow from one another by SHA-256 alone, as the description says."""
    steps = json.loads((FOLDER / "primitives.json").read_text())
    row = steps["row"]
    leaf = (
        b"dtl1"
        + bytes.fromhex(steps["session"])
        + row["n"].to_bytes(8, "big")
        + row["at_us"].to_bytes(8, "big")
    )
    leaf += bytes.fromhex(row["id"] + row["prev"]) + hashlib.sha256(row["body"].encode()).digest()
    assert leaf.hex() == row["leaf_data"]
    assert hashlib.sha256(b"\0" + leaf).hexdigest() == row["hash"]
    assert hashlib.sha256(bytes.fromhex(steps["session"])).hexdigest() == steps["prev_of_row_0"]
    opened = steps["commitment"]
    assert hashlib.sha256(bytes.fromhex(opened["nonce"] + opened["payload"])).hexdigest() == opened["commit"]
    assert json.loads(row["body"])["commit"] == opened["commit"]
    assert steps["signed_text"].split("\n")[2] == base64.b64encode(bytes.fromhex(steps["root"])).decode()
    public = bytes.fromhex(steps["public_key"])
    name = steps["signed_text"].split("\n")[0].encode()
    assert hashlib.sha256(name + b"\n\x01" + public).hexdigest()[:8] == steps["key_id"]
    level = [bytes.fromhex(leaf) for leaf in steps["leaves"]]
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [
            hashlib.sha256(b"\1" + pair[0] + pair[1]).digest() if len(pair) == 2 else pair[0]
            for pair in pairs
        ]
    assert level[0].hex() == steps["root"]


def test_the_commands_by_hand(tmp_path: Path) -> None:
    """The lines of the description's section "By hand" do what they say on a vector, and fail on a changed one."""
    page = (Path(__file__).parents[3] / "docs" / "ledger-format.md").read_text()
    section = page.partition("## By hand")[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    assert len(lines) == 6
    (tmp_path / "ledger.vkey").write_bytes((FOLDER / "ledger.vkey").read_bytes())
    for name, code in (("complete", 0), ("resized", 1), ("resigned", 1)):
        (tmp_path / "bundle").write_bytes((FOLDER / f"{name}.dtbundle").read_bytes())
        done = subprocess.run(
            ["sh", "-c", "\n".join(lines)], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
