"""The gate's command line: exit codes, and one clear line for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from doublethink_gate import __main__ as command
from doublethink_gate.__main__ import main
from doublethink_gate.errors import DatabaseAway
from doublethink_rpc import StartRefused


def test_a_configuration_that_cannot_be_used_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, one line that names the key, no traceback."""
    file = tmp_path / "gate.toml"
    file.write_text("[listen]\nrpc = 'unix:/x'\nhealth = 'unix:/y'\nmetric = 'unix:/z'\n")
    assert main(["serve", "--config", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_configuration_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is named."""
    assert main(["serve", "--config", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["serve"], ["fly"]])
def test_wrong_use_ends_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the parser does not know is exit status 2, with the usage on stderr."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


SECRET = "hunter-and-gatherer"


@pytest.fixture
def dsn_file(tmp_path: Path) -> Path:
    """A connection string to a server that is not there."""
    file = tmp_path / "dsn"
    file.write_text(f"host={tmp_path} dbname=gate user=nobody password={SECRET}\n")
    file.chmod(0o600)
    return file


def test_migrating_without_a_server_is_a_missing_service(
    dsn_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 4, and one line that repeats nothing of the connection string."""
    assert main(["migrate", "--dsn-file", str(dsn_file)]) == 4
    said = capsys.readouterr().err
    assert said == "the database does not answer (OperationalError)\n"


def test_a_connection_string_that_is_none_is_not_repeated(
    dsn_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """libpq would quote it."""
    dsn_file.write_text(SECRET)
    assert main(["migrate", "--dsn-file", str(dsn_file)]) == 1
    said = capsys.readouterr().err
    assert SECRET not in said
    assert said.count("\n") == 1


def test_a_connection_string_that_others_can_read_is_refused(
    dsn_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a secret like any other: its owner's alone."""
    dsn_file.chmod(0o644)
    assert main(["migrate", "--dsn-file", str(dsn_file)]) == 2
    assert "others can read" in capsys.readouterr().err


@pytest.mark.parametrize(("error", "code"), [(DatabaseAway("away"), 4), (StartRefused("unsafe"), 1)])
def test_a_missing_database_is_told_from_what_is_unsafe(
    error: Exception,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """A supervisor may wait for the one and must not try the other again."""

    async def refuse(config: object) -> None:
        raise error

    monkeypatch.setattr(command, "load_config", lambda path: object())
    monkeypatch.setattr(command, "configure_logging", lambda role: None)
    monkeypatch.setattr(command, "_serve", refuse)
    assert main(["serve", "--config", str(tmp_path)]) == code
    assert capsys.readouterr().err.count("\n") == 1
