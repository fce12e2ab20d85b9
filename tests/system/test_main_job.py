"""The main job with every real process: a question in, quotes out, and two records that agree."""

import hashlib
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest
from doublethink_casefile import Case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.stack import Stack, StackOptions
from sim.witness import read_ledger, read_requests, unrecorded

MEDIAN = (
    "What is the median revenue in fiscal 2024 of Halvorsen Pumps, Brenner Flow Technology "
    "and Castellan Fluid Systems?"
)
_PROCESSES = {"sealer", "postgres", "source", "gate", "reader", "validator", "planner", "console"}


class Asked:
    """One finished run and what was printed while it went on."""

    def __init__(self, stack: Stack, case: Case, question: str, planner: str = "rules") -> None:
        self.lines: list[str] = []
        with stack.client() as client:
            stored = client.add_case(self_contained(case))
            self.run: Mapping[str, Any] = ask(client, Question(stored, question, planner), self.lines.append)
            self.rows = client.ledger(self.run["session"])


@pytest.fixture(scope="module")
def median(stack: Stack, demo_case: Case) -> Asked:
    """The demo's question, asked once."""
    return Asked(stack, demo_case, MEDIAN)


@pytest.fixture(scope="module")
def careless(stack: Stack, demo_case: Case) -> Asked:
    """The same question planned by the development double that puts the memo into its query."""
    return Asked(stack, demo_case, MEDIAN, "careless")


def _stored_text(stack: Stack, sha256: str) -> bytes:
    with psycopg.connect(stack.administrator_dsn("doublethink_gate")) as connection:
        row = connection.execute(
            "SELECT text FROM gate.page WHERE text_sha256 = %s", (bytes.fromhex(sha256),)
        ).fetchone()
    assert row is not None
    return bytes(row[0])


def test_the_median_is_computed_from_three_proven_figures(median: Asked) -> None:
    """The answer is the middle of three companies' revenues, each in the currency of its page."""
    assert median.run["status"] == "answered"
    derived = median.run["answer"]["derived"]
    assert [(d["operation"], Decimal(d["value"]), d["unit"]) for d in derived] == [
        ("median", Decimal("1107400000"), "EUR")
    ]
    values = {Decimal(figure["value"]) for figure in median.run["answer"]["figures"]}
    assert values == {Decimal("1284600000"), Decimal("972318000"), Decimal("1107400000")}


def test_every_quote_is_byte_exact_in_the_stored_page(stack: Stack, median: Asked) -> None:
    """I7 end to end: offset and hash lead back to the very bytes."""
    for figure in median.run["answer"]["figures"]:
        text = _stored_text(stack, figure["page_sha256"])
        assert hashlib.sha256(text).hexdigest() == figure["page_sha256"]
        assert 1 <= len(figure["quotes"]) <= 4
        for quote in figure["quotes"]:
            assert text[quote["start"] : quote["end"]].decode() == quote["text"]


def test_nothing_reached_the_source_without_an_older_row(
    stack: Stack, median: Asked, careless: Asked
) -> None:
    """I5 end to end: the source's own log against the ledger, request by request."""
    del median, careless
    rows, attempts = read_ledger(stack.gate_dsn, stack.gate_keys)
    requests = read_requests(stack.request_log)
    assert requests
    assert unrecorded(requests, attempts) == []
    assert len(rows) > len(attempts) >= len(requests)


def test_the_careless_planner_is_stopped_and_no_secret_is_repeated(
    stack: Stack, demo_case: Case, careless: Asked
) -> None:
    """A blocked attempt is a row with its rules; neither row, progress nor source log holds a secret."""
    stopped = [row for row in careless.rows if row["verdict"] == "block"]
    assert stopped
    assert all(row["rules"] and "payload" not in row for row in stopped)
    assert careless.run["counts"]["blocked"] == len(stopped)
    shown = "\n".join([*careless.lines, *map(str, careless.rows), stack.request_log.read_text()]).casefold()
    for secret in demo_case.secrets:
        for spelling in secret.spellings:
            assert spelling.casefold() not in shown


def test_no_log_holds_memo_question_or_secret(
    stack: Stack, demo_case: Case, median: Asked, careless: Asked
) -> None:
    """I11 over every process's log, PostgreSQL's included."""
    del median, careless
    words = {spelling for secret in demo_case.secrets for spelling in secret.spellings}
    words |= set(demo_case.canaries) | {MEDIAN, demo_case.memo.splitlines()[2][:60]}
    logs = {
        log.stem: log.read_text(errors="replace").casefold()
        for log in stack.directories.data.glob("log/*.log")
    }
    # The control: every process has a log, and the services' logs say that they served.
    assert set(logs) == _PROCESSES
    for service in _PROCESSES - {"postgres", "source"}:
        assert "server_started" in logs[service], service
    for name, content in logs.items():
        assert not [word for word in words if word.casefold() in content], name


def test_progress_is_told_while_the_run_goes_on(median: Asked) -> None:
    """A person sees steps and ledger rows, not only the end."""
    assert any("ledger" in line and "attempt" in line for line in median.lines)
    assert sum("ledger" not in line for line in median.lines) >= 5


def test_a_wrong_token_is_refused(stack: Stack, tmp_path: Path) -> None:
    """The console's API answers nobody without its token, and does not say more than that."""
    from doublethink_sdk.client import Client
    from doublethink_sdk.errors import ConsoleRefused

    wrong = tmp_path / "token"
    wrong.write_text("0" * 64)
    with Client(stack.console_url, wrong) as client, pytest.raises(ConsoleRefused, match="token"):
        client.status()


def test_two_stacks_at_once_do_not_disturb_each_other(tmp_path: Path, stack: Stack, demo_case: Case) -> None:
    """Another data directory is another product: other sockets, ports, ledger."""
    pages = Path(__file__).parents[2] / "demo" / "pages"
    with Stack(StackOptions(data=tmp_path / "second", pages=pages)) as second:
        assert set(second.pids) == set(stack.pids) == _PROCESSES
        with ThreadPoolExecutor(2) as together:
            both = list(together.map(lambda each: Asked(each, demo_case, MEDIAN), (stack, second)))
        assert [asked.run["status"] for asked in both] == ["answered", "answered"]
        _, attempts = read_ledger(second.gate_dsn, second.gate_keys)
        assert unrecorded(read_requests(second.request_log), attempts) == []
        pids = list(second.pids.values())
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
