"""A question through every real process, with a search source and a cloud model that stand in for the vendors'."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from doublethink_casefile import Case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.providers import CloudModel, WebSource
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.present import answer
from sim.claude_server import ClaudeServer, claude_server

DEMO = Path(__file__).parents[2] / "demo"
CLAUDE_KEY = "sk-ant-of-the-system-test-0123456789"
TAVILY_KEY = "tvly-of-the-system-test-0123456789"
QUESTION = "What was the revenue of Halvorsen Pumps in fiscal 2024?"


def key_file(folder: Path, name: str, key: str) -> Path:
    """A file with a key that its owner alone can read."""
    file = folder / name
    file.write_text(key + "\n")
    file.chmod(0o600)
    return file


@pytest.fixture
def tavily(tmp_path: Path) -> Iterator[WebSource]:
    """The stand-in for Tavily over the demonstration's pages."""
    key = key_file(tmp_path, "tavily.key", TAVILY_KEY)
    command = (
        sys.executable,
        "-m",
        "doublethink_corpus",
        "--pages",
        str(DEMO / "pages"),
        "--api-key-file",
        str(key),
    )
    log = ("--request-log", str(tmp_path / "requests.jsonl"))
    with subprocess.Popen((*command, *log), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        _, found, address = process.stderr.readline().partition(" on ")
        assert found
        yield WebSource("tavily", address.strip(), key)
        process.terminate()


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[tuple[ClaudeServer, CloudModel]]:
    """A model that answers about the four pages of a question, fails for a moment, answers again, and then declines."""
    key = key_file(tmp_path, "claude.key", CLAUDE_KEY)
    four = ("honest",) * 4
    with claude_server(*four, "overloaded", *four, "refusal", key=CLAUDE_KEY) as server:
        yield server, CloudModel("claude-sonnet-5-5", server.address, key)


def test_a_question_is_answered_by_providers_and_what_they_cost_is_counted(
    tmp_path: Path, tavily: WebSource, claude: tuple[ClaudeServer, CloudModel], demo_case: Case
) -> None:
    """Back ends and counts are those of the ledger; a failure that passes costs a row; a refusal ends a run as such.

    No key is in anything that was written, said or sent but its own header.
    """
    server, model = claude
    data = tmp_path / "data"
    said: list[str] = []
    options = StackOptions(data=data, pages=None, source=tavily, reader=model)
    with Stack(options, say=said.append) as stack, stack.client() as client:
        case = client.add_case(self_contained(demo_case))

        def asked() -> dict[str, Any]:
            return dict(ask(client, Question(case, QUESTION, "rules"), said.append))

        first, second, third = asked(), asked(), asked()
        rows = client.ledger(second["session"])
    assert any(line.startswith("source tavily at http://127.0.0.1:") for line in said)
    assert any(line.startswith("reader claude: claude-sonnet-5-5 at http://127.0.0.1:") for line in said)
    for run, calls in ((first, 4), (second, 5)):
        assert run["status"] == "answered"
        assert run["back_ends"] == {"planner": "rules", "reader": "claude", "source": "tavily"}
        (figure,) = run["answer"]["figures"]
        assert figure["value"] == "1284600000"
        counts = run["counts"]
        assert (counts["model_calls"], counts["input_tokens"], counts["output_tokens"]) == (calls, 4800, 1200)
        assert counts["cost_usd"] == 0.0224
        assert counts["credits"] >= 1
        assert "$0.0224" in "".join(answer(run))
    completions = [row for row in rows if row.get("method") == "complete"]
    assert len(completions) == 5
    assert [row["error"] for row in rows if "error" in row] == ["model_overloaded"]
    assert (third["status"], third["code"]) == ("failed", "ERROR_CODE_MODEL_ANSWER_REFUSED")
    assert third["counts"]["output_tokens"] == 1200
    assert len(server.seen) == 13
    everything = "\n".join(said) + str((first, second, third))
    for key in (CLAUDE_KEY, TAVILY_KEY):
        assert key not in everything
        for file in (file for file in data.rglob("*") if file.is_file()):
            assert key.encode() not in file.read_bytes(), file
        assert all(key.encode() not in seen.body for seen in server.seen)


def command(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One run of the command, in an environment without any key."""
    program = Path(sys.executable).with_name("doublethink")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DOUBLETHINK_")}
    return subprocess.run(
        [str(program), *arguments, "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=environment,
    )


def test_what_a_model_read_is_recorded_and_answered_again_without_a_key(
    tmp_path: Path, tavily: WebSource, demo_case: Case
) -> None:
    """The same answer from the recording alone: no vendor is asked, nothing is paid, and the ledger says so.

    A question whose pages were not read then fails with an error of its own.
    """
    key = key_file(tmp_path, "claude.key", CLAUDE_KEY)
    file = tmp_path / "session.dtrecording"
    with claude_server("honest", key=CLAUDE_KEY) as server:
        model = CloudModel("claude-sonnet-5-5", server.address, key)
        options = StackOptions(data=tmp_path / "data", pages=None, source=tavily, reader=model)
        with Stack(options) as stack, stack.client() as client:
            case = client.add_case(self_contained(demo_case))
            first = ask(client, Question(case, QUESTION, "rules"), lambda _: None)
            done = command(tmp_path / "data", "record", first["session"], "--out", str(file))
        assert done.returncode == 0, done.stderr
        assert "4 completions of claude-sonnet-5-5" in done.stdout
    for secret in (CLAUDE_KEY, TAVILY_KEY, "authorization"):
        assert secret.encode() not in file.read_bytes()
    key.unlink()
    asking = ("ask", "--case", str(DEMO / "case.yaml"), "--source", f"replay:{file}", "--json")
    replayed = command(tmp_path / "again", *asking, "--question", QUESTION)
    assert replayed.returncode == 0, replayed.stderr
    again = json.loads(replayed.stdout)
    for run in (first, again):
        for figure in run["answer"]["figures"]:
            del figure["fact_id"]
    assert again["answer"] == first["answer"]
    assert again["back_ends"] == {"planner": "rules", "reader": "claude", "source": "replay"}
    assert again["counts"]["input_tokens"] == first["counts"]["input_tokens"]
    assert again["counts"]["cost_usd"] == 0
    other = command(tmp_path / "again", *asking, "--question", QUESTION.replace("2024", "2023"))
    assert json.loads(other.stdout)["code"] == "ERROR_CODE_NOT_RECORDED"
    assert other.returncode == 1
