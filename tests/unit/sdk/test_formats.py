"""The page of formats is what the commands do: its lines are run, and each command's help names it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from doublethink_sdk.cli import main

_ROOT = Path(__file__).parents[3]
_PAGE = (_ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def _section(name: str) -> str:
    return _PAGE.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]


def _examples(name: str) -> list[str]:
    found = re.findall(r"```(?:json|text)\n(.*?)\n```", _section(name), re.DOTALL)
    assert found
    return [str(example) for example in found]


def _through(*arguments: str, text: str) -> str:
    """What a command that hands on its own standard streams prints for `text`."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", "from doublethink_sdk.cli import main; main()", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_lines_of_check_have_the_verdicts_that_the_page_gives() -> None:
    """One passes, one is stopped, one goes out shorter; every key of the answer stands on the page."""
    lines = "\n".join(_examples("`check`")) + "\n"
    printed = _through("check", "--case", str(_ROOT / "demo" / "case.yaml"), text=lines)
    answers = [json.loads(line) for line in printed.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["allow", "block", "rewrite"]
    assert str(answers[2]["rewritten"]) in _section("`check`")
    assert all(f'"{key}"' in _section("`check`") for key in answers[0])


def test_the_line_of_prove_is_found() -> None:
    """The page's claim is proven."""
    (line,) = _examples("`prove`")
    answer = json.loads(_through("prove", text=line + "\n"))
    assert answer["verdict"] == "found"
    assert set(answer) == {"id", "verdict", "why"}


def test_the_line_of_figures_has_the_readings_that_the_page_gives() -> None:
    """Both readings of the separator; every key of a reading stands on the page."""
    (line,) = _examples("`figures`")
    done = CliRunner().invoke(main, ["figures"], input=line + "\n")
    readings = json.loads(done.output)["readings"]
    assert {reading["value"] for reading in readings} == {"1234", "1.234"}
    assert all(f'"{key}"' in _section("`figures`") for key in readings[0])


def test_the_line_of_a_batch_is_taken(tmp_path: Path) -> None:
    """It is read without an error: what is missing then is a source."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(_examples("Batch")) + "\n")
    case = str(_ROOT / "demo" / "case.yaml")
    done = CliRunner().invoke(
        main, ["ask", "--case", case, "--batch", str(batch), "--data", str(tmp_path / "data")]
    )
    assert done.exit_code == 2
    assert "--pages" in done.output


@pytest.mark.parametrize("command", ["check", "prove", "figures"])
def test_the_help_of_a_filter_shows_a_line_and_names_the_page(command: str) -> None:
    """A newcomer finds the form of a line without reading the code, and what the exit code says."""
    said = CliRunner().invoke(main, [command, "--help"]).output
    assert "A line:" in said
    assert "gives:" in said
    assert "docs/formats.md" in said
    assert "Exit code" in said


def test_the_shipped_policy_is_shown_and_can_be_used(tmp_path: Path) -> None:
    """What `policy show` prints is a policy; a key that is not known is named with file and line."""
    shown = CliRunner().invoke(main, ["policy", "show"])
    assert shown.exit_code == 0
    file = tmp_path / "policy.yaml"
    file.write_text(shown.output)
    assert CliRunner().invoke(main, ["policy", "check", str(file)]).exit_code == 0
    file.write_text(f"{shown.output}colour: red\n")
    refused = CliRunner().invoke(main, ["policy", "check", str(file)])
    assert refused.exit_code == 2
    line = shown.output.count("\n") + 1
    assert f"{file}: policy, line {line}: policy.colour: unknown key" in refused.output
