"""A real session, recorded by the command, and answered again by a start that has neither web nor key."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from doublethink_casefile import Case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.stack import Stack, StackOptions

_COMMAND = Path(sys.executable).with_name("doublethink")
_QUESTION = "What was the revenue of Halvorsen Pumps in fiscal 2024?"
_OTHER = "What was the revenue of Brenner Flow Technology in fiscal 2024?"


def asked(stack: Stack, case: Case, question: str) -> dict[str, Any]:
    """The result of one question."""
    with stack.client() as client:
        stored = client.add_case(self_contained(case))
        return dict(ask(client, Question(stored, question, "rules"), lambda _: None))


def told(result: dict[str, Any]) -> list[dict[str, Any]]:
    """What an answer rests on: everything of its figures but the ids that are minted anew."""
    return [
        {key: value for key, value in figure.items() if key != "fact_id"}
        for figure in result["answer"]["figures"]
    ]


def record(stack: Stack, session: str, out: Path) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(
        [str(_COMMAND), "record", session, "--out", str(out), "--data", str(stack.directories.data)],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


@pytest.fixture(scope="module")
def first(stack: Stack, demo_case: Case) -> dict[str, Any]:
    """A question that was answered from the demo's pages."""
    result = asked(stack, demo_case, _QUESTION)
    assert result["status"] == "answered"
    return result


@pytest.fixture(scope="module")
def recording(stack: Stack, first: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its recording."""
    file = tmp_path_factory.mktemp("recorded") / "session.dtrecording"
    done = record(stack, first["session"], file)
    assert done.returncode == 0, done.stderr
    assert f"session {first['session']}, source corpus: 1 search, 4 pages" in done.stdout
    return file


def sizeless(counts: dict[str, Any]) -> dict[str, Any]:
    """Counts without the sizes of requests and answers: a recording has them in a form of its own."""
    return {key: value for key, value in counts.items() if not key.startswith("bytes_")}


def test_the_same_answer_without_the_web(
    first: dict[str, Any], recording: Path, demo_case: Case, tmp_path: Path
) -> None:
    """The same figures from the same bytes at the same offsets, captured when they were; no source runs, and the
    ledger says replay. Another question is not answered, and says why.
    """
    with Stack(StackOptions(data=tmp_path / "data", pages=None, recording=recording)) as stack:
        assert "source" not in stack.pids
        again = asked(stack, demo_case, _QUESTION)
        assert told(again) == told(first)
        assert again["answer"]["text"] == first["answer"]["text"]
        assert again["back_ends"]["source"] == "replay"
        assert sizeless(again["counts"]) == sizeless(first["counts"])
        with stack.client() as client:
            rows = client.ledger(again["session"])
        assert rows[0]["source"] == "replay"
        other = asked(stack, demo_case, _OTHER)
        assert (other["status"], other["code"]) == ("failed", "ERROR_CODE_NOT_RECORDED")
        assert "is not in it" in other["reason"]
        # A replayed session is a session: it can be recorded as well.
        assert record(stack, again["session"], tmp_path / "again").returncode == 0


def test_up_starts_from_a_recording_without_any_key(recording: Path, tmp_path: Path) -> None:
    """`doublethink up --source replay:FILE` comes up, and stops when it is told to."""
    argv = [str(_COMMAND), "up", "--source", f"replay:{recording}", "--data", str(tmp_path / "data")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as up:
        assert up.stdout is not None
        assert up.stdout.readline().startswith("console http://127.0.0.1:")
        up.terminate()
        up.communicate(timeout=120)
    assert up.returncode == 0
    assert not list((tmp_path / "data").rglob("*api*key*"))


def test_a_recording_that_was_changed_starts_nothing(recording: Path, tmp_path: Path) -> None:
    """One changed byte, a cut file and no file at all: one clear line, and nothing was started."""
    data = bytearray(recording.read_bytes())
    data[len(data) // 2] ^= 1
    changed, cut = tmp_path / "changed", tmp_path / "cut"
    changed.write_bytes(data)
    cut.write_bytes(recording.read_bytes()[:-10])
    for name, why in (
        (changed, "it was changed"),
        (cut, "it is cut short"),
        (tmp_path / "none", "cannot be read"),
    ):
        argv = [str(_COMMAND), "up", "--source", f"replay:{name}", "--data", str(tmp_path / "data")]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 2
        assert why in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_a_secret_on_a_page_keeps_the_session_from_being_recorded(demo_case: Case, tmp_path: Path) -> None:
    """The page is public and was read; but no file with the code name in it is written."""
    pages = tmp_path / "pages"
    pages.mkdir()
    demo = Path(__file__).parents[2] / "demo" / "pages"
    for page in demo.iterdir():
        text = page.read_text()
        (pages / page.name).write_text(text.replace("</body>", "<p>Project Nordwind</p></body>"))
    with Stack(StackOptions(data=tmp_path / "data", pages=pages)) as stack:
        session = asked(stack, demo_case, _QUESTION)["session"]
        done = record(stack, session, tmp_path / "out")
    assert done.returncode == 1
    assert "secret.code" in done.stderr
    assert "Nordwind" not in done.stderr + done.stdout
    assert list(tmp_path.glob("*out*")) == []


@pytest.mark.parametrize("source", ["replay", "replay:", "tape:x", "https://x.example"])
def test_another_source_is_wrong_use(source: str, tmp_path: Path) -> None:
    """--source says what it takes."""
    argv = [str(_COMMAND), "up", "--source", source, "--data", str(tmp_path / "data")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, "replay:FILE" in done.stderr) == (2, True)
