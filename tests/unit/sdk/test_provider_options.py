"""Who searches and who reads: what is chosen by default, what is refused, and that no key is ever repeated."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from doublethink_sdk.cli import main
from doublethink_sdk.launcher.providers import CloudModel, RecordedModel, WebSource
from doublethink_sdk.provider_options import CLAUDE, CLAUDE_MODEL, TAVILY, Providers
from sim.recordings import COMPLETION, PAGE, SEARCH, written

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
    terms = "$2 in and $10 out a million tokens as of 2026-12-01, at most $10 a session"
    assert Providers(claude_key=key).chosen_reader() == CloudModel(CLAUDE_MODEL, CLAUDE, key, terms)
    assert Providers(reader="extractive", claude_key=key).chosen_reader() is None
    named = Providers(reader="claude", claude_key=key, claude_model="claude-haiku-4-5").chosen_reader()
    assert isinstance(named, CloudModel)
    assert (named.name, named.address, named.key_file) == ("claude-haiku-4-5", CLAUDE, key)
    assert named.words().endswith(
        "; $1 in and $5 out a million tokens as of 2026-12-01, at most $10 a session"
    )


def test_a_recording_answers_for_the_model_too(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its model reads without any key, unless the rules are named; a key that is set asks nobody. Without a model's
    answers in it the rules read, and the model cannot be named.
    """
    file = tmp_path / "session.dtrecording"
    file.write_bytes(written(SEARCH, PAGE, COMPLETION))
    for given in ({}, {"reader": "claude"}, {"claude_key": key}, {"reader": "claude", "claude_key": key}):
        providers = Providers(source=f"replay:{file}", **given)
        told = providers.chosen_recording()
        assert told is not None
        assert "1 completion of claude-sonnet-5-5" in told.words
        assert providers.chosen_reader(None, told) == RecordedModel("claude-sonnet-5-5")
    assert Providers(source=f"replay:{file}", reader="extractive").chosen_reader(None, told) is None
    file.write_bytes(written(SEARCH, PAGE))
    without = Providers(source=f"replay:{file}", claude_key=key)
    assert without.chosen_reader(None, without.chosen_recording()) is None
    named = Providers(source=f"replay:{file}", reader="claude", claude_key=key)
    with pytest.raises(click.exceptions.Exit):
        named.chosen_reader(None, named.chosen_recording())
    assert "holds no answers of a model" in capsys.readouterr().err


def test_a_source_on_the_web_is_only_a_named_one(key: Path) -> None:
    """A key alone sends nothing to the web: the source is named each time."""
    assert Providers(tavily_key=key).chosen_source() is None
    assert Providers(source="tavily", tavily_key=key).chosen_source() == WebSource("tavily", TAVILY, key)
    with pytest.raises(click.UsageError, match="--source is tavily, duckduckgo, or replay:FILE"):
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
        *(
            (["--pages", str(_DEMO / "pages"), "--claude-key", "KEY", "--claude-model", name], said)
            for name, said in (
                (" ", "--claude-model: name the model"),
                ("Claude Sonnet", "--claude-model: name the model"),
                ("claude\nsonnet", "--claude-model: name the model"),
                ("a" * 65, "--claude-model: name the model"),
                ("claude-next-9", "--claude-model: the policy has no price for the model claude-next-9"),
            )
        ),
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
