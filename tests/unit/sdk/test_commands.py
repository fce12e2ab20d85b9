"""Commands that need no running process."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from doublethink_sdk.cli import main

_DEMO = Path(__file__).parents[3] / "demo"


def test_figures_gives_every_reading_of_a_line() -> None:
    """Two ways to read a separator are two readings, each with its place in the line."""
    done = CliRunner().invoke(main, ["figures"], input="paid 1,234 in all\n\n")
    assert done.exit_code == 0
    first, empty = [json.loads(line) for line in done.output.splitlines()]
    assert {reading["value"] for reading in first["readings"]} >= {"1234", "1.234"}
    assert empty == {"readings": []}


def test_a_batch_line_without_an_id_is_named(tmp_path: Path) -> None:
    """The line's number and form are said, and nothing is started."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": "1", "question": "What?"}\n{"question": "What?"}\n')
    done = CliRunner().invoke(
        main,
        [
            *("ask", "--case", str(_DEMO / "case.yaml"), "--batch", str(batch)),
            *("--pages", str(_DEMO / "pages"), "--data", str(tmp_path / "data")),
        ],
    )
    assert done.exit_code == 2
    assert "line 2" in done.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", [[], ["--question", "a", "--batch", "b"]])
def test_ask_wants_one_question_or_a_batch(arguments: list[str]) -> None:
    """Neither and both are wrong use."""
    done = CliRunner().invoke(main, ["ask", "--case", str(_DEMO / "case.yaml"), *arguments])
    assert done.exit_code == 2
    assert "--question" in done.output


def test_ask_without_a_source_says_how_to_name_one(tmp_path: Path) -> None:
    """No folder of pages and no running doublethink: the option to use is named."""
    done = CliRunner().invoke(
        main,
        ["ask", "--case", str(_DEMO / "case.yaml"), "--question", "What?", "--data", str(tmp_path / "data")],
    )
    assert done.exit_code == 2
    assert "--pages" in done.output


def test_ledger_of_a_folder_without_data_is_wrong_use(tmp_path: Path) -> None:
    """There is nothing to show, and nothing is made."""
    done = CliRunner().invoke(main, ["ledger", "show", "ses_" + "a" * 26, "--data", str(tmp_path / "none")])
    assert done.exit_code == 2
    assert "--data" in done.output
    assert not (tmp_path / "none").exists()
