"""`export`, `verify` and `tamper` as a person runs them; the console is a stand-in."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from doublethink_ledger import parse_bundle
from doublethink_sdk import tampering, verifier
from doublethink_sdk.cli import main
from doublethink_sdk.commands import proof, record
from doublethink_sdk.errors import ConsoleRefused, ConsoleUnreachable
from sim import bundles

LOG = bundles.log()
DATA = LOG.bundle(since=9, opened=[1]).encode()


class SimClient:
    """A console that has one bundle, or an error in the middle of it."""

    def __init__(self, data: bytes = DATA, error: Exception | None = None) -> None:
        self.data, self.error = data, error
        self.asked: list[tuple[str, str | None, bool]] = []

    def bundle(self, session: str, *, since: str | None, opened: bool) -> Iterator[bytes]:
        """The bundle in pieces."""
        self.asked.append((session, since, opened))
        yield self.data[:1000]
        if self.error is not None:
            raise self.error
        yield self.data[1000:]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory with a pinned key; commands run beside it."""
    monkeypatch.delenv("DOUBLETHINK_VKEY", raising=False)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "ledger.vkey").write_text(LOG.signer.verifier.format() + "\n")
    (tmp_path / "b.dtbundle").write_bytes(DATA)
    return folder


def run(data: Path, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr, with what the verifier's own process wrote."""
    done = CliRunner().invoke(main, [*words, "--data", str(data)], catch_exceptions=False)
    captured = capfd.readouterr()
    return done.exit_code, done.stdout + captured.out, done.stderr + captured.err


def connected(monkeypatch: pytest.MonkeyPatch, client: SimClient) -> None:
    """Let commands talk to the stand-in."""
    monkeypatch.setattr(proof, "client_of", lambda *_: contextlib.nullcontext(client))


def test_the_verifier_beside_the_package_is_the_standalone_file() -> None:
    """What an installation carries is the very file of the repository."""
    carried = Path(verifier.__file__).parent / "standalone" / "doublethink_verify.py"
    assert (
        carried.read_bytes() == (Path(__file__).parents[3] / "verify" / "doublethink_verify.py").read_bytes()
    )


def test_a_wheel_carries_the_verifier(tmp_path: Path) -> None:
    """Built for an installation, the package has the file itself and not a link, and it runs from there."""
    source = Path(__file__).parents[3] / "sdk"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extract("doublethink_sdk/standalone/doublethink_verify.py", tmp_path)
    carried = tmp_path / "doublethink_sdk" / "standalone" / "doublethink_verify.py"
    (tmp_path / "bundle").write_bytes(DATA)
    done = subprocess.run(
        [sys.executable, "-I", str(carried), str(tmp_path / "bundle")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("UNKNOWN KEY ")


def test_verify_uses_the_pinned_key(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The installation's key if none is named; the named one, or the environment's, before it."""
    code, out, _ = run(data, capfd, "verify", "b.dtbundle")
    assert (code, out.splitlines()[0]) == (0, "COMPLETE")
    Path("other").write_text(bundles.key("other").verifier.format())
    code, out, _ = run(data, capfd, "verify", "b.dtbundle", "--key", "other")
    assert (code, out.splitlines()[0]) == (1, f"UNKNOWN KEY {LOG.signer.verifier.label}")
    (data / "ledger.vkey").unlink()
    code, out, _ = run(data, capfd, "verify", "b.dtbundle")
    assert (code, out.splitlines()[0]) == (1, f"UNKNOWN KEY {LOG.signer.verifier.label}")


def test_verify_reads_the_environment(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DOUBLETHINK_VKEY names the pinned keys."""
    (data / "ledger.vkey").rename("elsewhere")
    monkeypatch.setenv("DOUBLETHINK_VKEY", "elsewhere")
    assert run(data, capfd, "verify", "b.dtbundle")[0] == 0


def test_verify_passes_on_what_it_is_asked(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """JSON and the known checkpoint; an open bundle ends with 3, wrong use with 2."""
    Path("known").write_bytes(LOG.checkpoint(9))
    code, out, _ = run(data, capfd, "verify", "b.dtbundle", "--json", "--known-checkpoint", "known")
    found = json.loads(out)
    assert (code, found["verdict"], found["known_checkpoint"]) == (0, "COMPLETE", "continued")
    Path("open").write_bytes(LOG.bundle(3).encode())
    assert run(data, capfd, "verify", "open")[0] == 3
    code, out, err = run(data, capfd, "verify", "nothing")
    assert (code, out) == (2, "")
    assert "nothing cannot be read" in err


@pytest.mark.parametrize("row", range(len(LOG.rows)))
def test_tamper_changes_one_byte_and_the_verifier_names_the_row(
    data: Path, capfd: pytest.CaptureFixture[str], row: int
) -> None:
    """For every row of a bundle; the bundle itself stays as it is."""
    code, out, _ = run(data, capfd, "tamper", "b.dtbundle", str(row))
    assert code == 1
    assert out.splitlines()[1].startswith(f"INVALID at row {row}: ")
    assert Path("b.dtbundle").read_bytes() == DATA
    changed = Path("b.dtbundle.tampered").read_bytes()
    assert len(changed) == len(DATA)
    assert sum(one != other for one, other in zip(changed, DATA, strict=True)) == 1


@pytest.mark.parametrize("row", ["10", "11", "999", "-1", "x"])
def test_tamper_knows_which_rows_there_are(data: Path, capfd: pytest.CaptureFixture[str], row: str) -> None:
    """A row that is not there, an opening or the proof among them, is wrong use."""
    code, _, err = (
        run(data, capfd, "tamper", "--", "b.dtbundle", row)
        if row == "-1"
        else run(data, capfd, "tamper", "b.dtbundle", row)
    )
    assert code == 2
    assert err
    assert not Path("b.dtbundle.tampered").exists()


def test_a_redacted_row_is_tampered_with_too(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without a body the hash of it is changed."""
    tampering.redact(Path("b.dtbundle"), [7])
    code, out, _ = run(data, capfd, "tamper", "b.dtbundle", "7", "--out", "changed")
    assert code == 1
    assert out.splitlines()[1].startswith("INVALID at row 7: ")


def test_export_writes_checks_and_says_what_the_verifier_says(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is what the console gave; its verdict is the command's."""
    client = SimClient()
    connected(monkeypatch, client)
    Path("known").write_bytes(LOG.checkpoint(9))
    code, out, _ = run(data, capfd, "export", "ses_x", "--since", "known", "--opened")
    assert (code, out.splitlines()[:2]) == (0, [f"ses_x.dtbundle, {len(DATA)} bytes", "COMPLETE"])
    assert Path("ses_x.dtbundle").read_bytes() == DATA
    assert client.asked == [("ses_x", LOG.checkpoint(9).decode(), True)]


def test_export_of_an_open_session_and_of_a_damaged_one(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """OPEN ends with 3; INVALID with 1, and the file stays."""
    connected(monkeypatch, SimClient(LOG.bundle(3).encode()))
    assert run(data, capfd, "export", "ses_x", "--out", "open")[0] == 3
    connected(monkeypatch, SimClient(tampering.change_row(DATA, 4).data))
    code, out, _ = run(data, capfd, "export", "ses_x", "--out", "bad")
    assert code == 1
    assert "INVALID at row 4" in out
    assert Path("bad").exists()


def test_export_leaves_bodies_out(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """--redact takes bodies away; the bundle still verifies and says which. A row that is not there is wrong use."""
    connected(monkeypatch, SimClient())
    code, out, _ = run(data, capfd, "export", "ses_x", "--redact", "1", "--redact", "7")
    assert code == 0
    assert {"  row 1 redacted", "  row 7 redacted"} <= set(out.splitlines())
    bundle = parse_bundle(Path("ses_x.dtbundle").read_bytes())
    assert [row.n for row in bundle.rows if row.body is None] == [1, 7]
    assert bundle.openings == ()
    assert run(data, capfd, "export", "ses_x", "--redact", "10", "--out", "none")[0] == 2
    assert not Path("none").exists()


@pytest.mark.parametrize(("error", "code"), [(ConsoleRefused("no"), 1), (ConsoleUnreachable("cut"), 4)])
def test_an_export_that_breaks_off_leaves_nothing(
    data: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    code: int,
) -> None:
    """No part of a bundle stays behind."""
    connected(monkeypatch, SimClient(error=error))
    assert run(data, capfd, "export", "ses_x")[0] == code
    assert sorted(path.name for path in Path().iterdir()) == ["b.dtbundle", "data"]


@pytest.mark.parametrize(
    "words",
    [
        ("export", "ses_x", "--out", "kept"),
        ("record", "ses_x", "--out", "kept"),
        ("tamper", "b.dtbundle", "1", "--out", "kept"),
        ("export", "ses_x", "--out", "link"),
    ],
)
def test_nothing_is_written_over_a_file_that_is_there(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A kept bundle is evidence: the command names it, says what to do, ends with 2, and starts nothing."""
    for command in (proof, record):
        monkeypatch.setattr(command, "client_of", lambda *_: pytest.fail("something was started for it"))
    Path("kept").write_text("older")
    Path("link").symlink_to("gone")
    code, _, err = run(data, capfd, *words)
    assert (code, err.count("\n")) == (2, 1)
    assert f"{words[-1]} exists" in err
    assert "--out" in err
    assert Path("kept").read_text() == "older"


def test_a_changed_copy_that_cannot_be_written_is_one_line(
    data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A folder that is not there is wrong use, without a traceback."""
    code, _, err = run(data, capfd, "tamper", "b.dtbundle", "1", "--out", "nowhere/b")
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot write nowhere/b" in err


def test_export_to_where_nothing_can_be_written(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there is wrong use, in one line."""
    connected(monkeypatch, SimClient())
    code, _, err = run(data, capfd, "export", "ses_x", "--out", "nowhere/b")
    assert (code, err.count("\n")) == (2, 1)


def test_export_without_a_pinned_key_says_that_nothing_was_checked(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundle is written all the same: it is checked where the key is."""
    connected(monkeypatch, SimClient())
    (data / "ledger.vkey").unlink()
    code, _, err = run(data, capfd, "export", "ses_x")
    assert code == 0
    assert "not checked" in err


def test_a_bundle_of_a_console_elsewhere_is_not_judged_by_this_machines_key(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ledger has another key: without --key it is written and not checked, with it the verdict is the command's."""
    connected(monkeypatch, SimClient())
    elsewhere = ("export", "ses_x", "--console", "https://deals.example.com", "--token-file", "t")
    code, out, err = run(data, capfd, *elsewhere, "--out", "one")
    assert (code, "COMPLETE" in out, "not checked" in err) == (0, False, True)
    code, out, _ = run(data, capfd, *elsewhere, "--out", "two", "--key", str(data / "ledger.vkey"))
    assert (code, "COMPLETE" in out) == (0, True)
