"""Who searches and who reads: what is chosen by default, what is refused, and that no key is ever repeated."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from doublethink_sdk.cli import main
from doublethink_sdk.launcher.providers import CloudModel, WebSource
from doublethink_sdk.provider_options import CLAUDE, CLAUDE_MODEL, TAVILY, Providers

_DEMO = Path(__file__).parents[3] / "demo"
KEY = "sk-never-shown-0123456789"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file with a key."""
    file = tmp_path / "provider.key"
    file.write_text(KEY + "\n")
    file.chmod(0o600)
    return file


def test_a_key_that_is_set_chooses_the_model(key: Path) -> None:
    """Without a key the rules read; with one the model does, unless the rules are named."""
    assert Providers().chosen_reader() is None
    assert Providers(claude_key=key).chosen_reader() == CloudModel(CLAUDE_MODEL, CLAUDE, key)
    assert Providers(reader="extractive", claude_key=key).chosen_reader() is None
    named = Providers(reader="claude", claude_key=key, claude_model="claude-haiku-4-5").chosen_reader()
    assert named == CloudModel("claude-haiku-4-5", CLAUDE, key)


def test_a_source_on_the_web_is_only_a_named_one(key: Path) -> None:
    """A key alone sends nothing to the web: the source is named each time."""
    assert Providers(tavily_key=key).chosen_source() is None
    assert Providers(source="tavily", tavily_key=key).chosen_source() == WebSource("tavily", TAVILY, key)
    with pytest.raises(click.UsageError, match="--source is tavily, or replay:FILE"):
        Providers(source="google").chosen_source()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reader", "claude", "--pages", str(_DEMO / "pages")], "--claude-key FILE"),
        (["--source", "tavily"], "--tavily-key FILE"),
        (["--source", "tavily", "--pages", str(_DEMO / "pages")], "name one source"),
        (["--source", "tavily", "--tavily-key", "/nowhere/key"], "--tavily-key: "),
        (
            ["--source", "tavily", "--tavily-key", "KEY", "--tavily-address", "http://example.org"],
            "--tavily-address: ",
        ),
        (
            ["--source", "tavily", "--tavily-key", "KEY", "--tavily-address", "https://u:p@example.org"],
            "address: ",
        ),
        (
            ["--pages", str(_DEMO / "pages"), "--claude-key", "KEY", "--claude-address", "ftp://127.0.0.1"],
            "address: ",
        ),
        (
            ["--pages", str(_DEMO / "pages"), "--claude-key", "KEY", "--claude-address", "https://[::"],
            "address: ",
        ),
        (["--pages", str(_DEMO / "pages"), "--claude-key", "KEY", "--claude-model", " "], "--claude-model: "),
    ],
)
@pytest.mark.parametrize("command", ["up", "ask"])
def test_what_cannot_be_used_is_said_in_one_line_before_anything_starts(
    command: str, arguments: list[str], said: str, key: Path, tmp_path: Path
) -> None:
    """Exit code 2, the option by its name, and nothing of a key or of an address that may hold one."""
    filled = [str(key) if argument == "KEY" else argument for argument in arguments]
    case = ["--case", str(_DEMO / "case.yaml"), "--question", "What?"] if command == "ask" else []
    done = CliRunner(env={"DOUBLETHINK_CLAUDE_KEY_FILE": None, "DOUBLETHINK_TAVILY_KEY_FILE": None}).invoke(
        main, [command, *case, *filled, "--data", str(tmp_path / "data")]
    )
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert KEY not in done.output
    assert "u:p@" not in done.output
    assert not (tmp_path / "data").exists()


def test_a_key_that_others_can_read_is_refused(key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the gate would refuse it, but before anything starts."""
    key.chmod(0o644)
    with pytest.raises(click.exceptions.Exit):
        Providers(claude_key=key).chosen_reader()
    said = capsys.readouterr().err
    assert "--claude-key" in said
    assert KEY not in said
