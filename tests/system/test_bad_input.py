"""Bad input and bad luck at the command line: one clear line, the right exit code, nothing left running."""

import json
import subprocess
import sys
from pathlib import Path

from doublethink_casefile import Case
from doublethink_sdk.launcher.stack import Stack

_DEMO = Path(__file__).parents[2] / "demo"
_COMMAND = Path(sys.executable).parent / "doublethink"
_SECONDS = 180
_QUESTION = "What was the operating margin of Halvorsen Pumps in fiscal 2024?"


def _doublethink(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (str(_COMMAND), *map(str, arguments)),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        input=stdin,
        check=False,
    )


def _ask(case: Path, pages: Path, data: Path) -> subprocess.CompletedProcess[str]:
    return _doublethink(
        "ask", "--case", case, "--question", _QUESTION, "--pages", pages, "--data", data, "--json"
    )


def _one_clear_line(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_a_malformed_case_names_key_and_line(tmp_path: Path) -> None:
    """An unknown key is refused with its name and line before anything starts, and no secret is repeated."""
    case = tmp_path / "case.yaml"
    case.write_text(
        "title: Project X\nmemo: text of the memo\nsecrets:\n"
        "  - {class: code, value: Quartzite}\nbuyer: Quartzite\n"
    )
    done = _ask(case, _DEMO / "pages", tmp_path / "data")
    _one_clear_line(done, 2, "buyer", "5")
    assert "Quartzite" not in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_case_that_is_not_there(tmp_path: Path) -> None:
    """The missing file is named."""
    _one_clear_line(_ask(tmp_path / "none.yaml", _DEMO / "pages", tmp_path / "data"), 2, "none.yaml")


def test_an_empty_corpus_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """A folder without pages cannot be searched: said so, with the folder's name."""
    (tmp_path / "pages").mkdir()
    done = _ask(_DEMO / "case.yaml", tmp_path / "pages", tmp_path / "data")
    _one_clear_line(done, 2, "pages")
    assert not (tmp_path / "data").exists()


def test_pages_that_cannot_be_read_are_left_out_loudly(tmp_path: Path) -> None:
    """A page of 50 MB and one in a wrong encoding do not keep the others from answering."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for name in ("halvorsen-results-2024.html", "brenner-annual-2024.html"):
        (pages / name).write_bytes((_DEMO / "pages" / name).read_bytes())
    (pages / "pages.tsv").write_bytes((_DEMO / "pages" / "pages.tsv").read_bytes())
    (pages / "huge.html").write_bytes(b"<html><p>" + b"Halvorsen Pumps " * (50 * 1024 * 1024 // 16))
    (pages / "encoding.html").write_bytes(b"<html><title>Halvorsen</title><p>\xff\xfe\x00margin \xc3\x28")
    done = _ask(_DEMO / "case.yaml", pages, tmp_path / "data")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["status"] == "answered"
    assert [(f["value"], f["unit"]) for f in answer["answer"]["figures"]] == [("11.8", "percent")]
    assert "huge.html" in (tmp_path / "data" / "log" / "source.log").read_text()


def test_a_second_start_on_the_same_data_is_refused(stack: Stack) -> None:
    """The data of a running doublethink is its own; the error says what to do."""
    done = _doublethink("up", "--pages", _DEMO / "pages", "--data", stack.directories.data)
    _one_clear_line(done, 4, "--data")


def test_ask_uses_the_running_doublethink(stack: Stack, demo_case: Case) -> None:
    """Without --pages, the console that runs on the same data is asked; nothing is started."""
    del demo_case
    done = _doublethink(
        *("ask", "--case", _DEMO / "case.yaml", "--question", _QUESTION, "--json"),
        *("--data", stack.directories.data),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "answered"
    shown = _doublethink(
        "ledger", "show", json.loads(done.stdout)["session"], "--data", stack.directories.data
    )
    assert shown.returncode == 0
    assert "session.open" in shown.stdout
    assert "session.close" in shown.stdout


def test_an_unknown_session_is_a_clear_error(stack: Stack) -> None:
    """`ledger show` of a session that is not there says so."""
    done = _doublethink("ledger", "show", "ses_" + "a" * 26, "--data", stack.directories.data)
    _one_clear_line(done, 1, "session")


def test_check_says_block_with_rules_and_never_the_value() -> None:
    """The gate's checks on the command line: a verdict a line, bad lines answered, the rest goes on."""
    lines = [
        {"id": "1", "session": "a", "kind": "query", "payload": "Halvorsen Pumps revenue fiscal 2024"},
        {"id": "2", "session": "a", "kind": "query", "payload": "offer price n o r d w i n d"},
    ]
    text = json.dumps(lines[0]) + "\nnot json\n" + json.dumps(lines[1]) + "\n"
    done = _doublethink("check", "--case", _DEMO / "case.yaml", stdin=text)
    assert done.returncode == 0, done.stderr
    first, bad, second = [json.loads(line) for line in done.stdout.splitlines()]
    assert (first["id"], first["verdict"]) == ("1", "allow")
    assert "error" in bad
    assert (second["id"], second["verdict"]) == ("2", "block")
    assert second["rules"]
    assert "nordwind" not in done.stdout.casefold()


def test_case_init_proposes_a_case_that_loads(tmp_path: Path) -> None:
    """From a memo to a case file that a person can correct and `ask` accepts."""
    out = tmp_path / "case.yaml"
    done = _doublethink("case", "init", _DEMO / "memo.md", "--out", out)
    assert done.returncode == 0, done.stderr
    again = _doublethink("case", "init", _DEMO / "memo.md", "--out", out)
    _one_clear_line(again, 2, "exists")
    checked = _doublethink(
        "check",
        "--case",
        out,
        stdin=json.dumps({"id": "1", "session": "s", "kind": "query", "payload": "Nordwind"}) + "\n",
    )
    assert json.loads(checked.stdout)["verdict"] in ("block", "ask")
