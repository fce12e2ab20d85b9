"""A search that the gate is not sure of, through every real process: a person decides, and the run goes on."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from doublethink_casefile import parse_case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.stack import Stack, StackOptions

# A code name with the letters of a word that the question has, the first and the last in their places.
CASE = """
title: Two names
memo: |
  Project Qlaintuvex. We look at Halvorsen Pumps.
secrets:
  - {class: code, value: Qlaintuvex}
public_terms: [Halvorsen Pumps]
"""
QUESTION = "What was the Quintalvex revenue of Halvorsen Pumps in fiscal 2024?"
PAGE = """<html><head><title>Halvorsen Pumps: annual report</title></head><body><h1>Halvorsen Pumps</h1>
<p>In fiscal 2024, Quintalvex revenue of Halvorsen Pumps was $41.7 million.</p></body></html>"""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Everything, over the one page."""
    folder = tmp_path_factory.mktemp("holds")
    (folder / "pages").mkdir()
    (folder / "pages" / "report.html").write_text(PAGE)
    with Stack(StackOptions(data=folder / "data", pages=folder / "pages")) as running:
        yield running


class Person:
    """Decides as they are told, and remembers what they were shown."""

    def __init__(self, *, approve: bool) -> None:
        self._approve = approve
        self.shown: list[Mapping[str, Any]] = []

    def __call__(self, hold: Mapping[str, Any]) -> bool:
        """Look at a hold."""
        self.shown.append(hold)
        return self._approve


def _asked(
    stack: Stack, person: Person | None
) -> tuple[Mapping[str, Any], list[Mapping[str, Any]], list[str]]:
    """The finished run, its ledger, and what was printed."""
    lines: list[str] = []
    with stack.client() as client:
        stored = client.add_case(self_contained(parse_case(CASE)))
        question = Question(stored, QUESTION, "rules", approval_s=60 if person else 0)
        run = ask(client, question, lines.append, decide=person)
        return run, client.ledger(run["session"]), lines


def test_an_approved_search_answers_the_question(stack: Stack) -> None:
    """The person sees the words; what leaves is an attempt that names the held row, and the answer has its quotes."""
    person = Person(approve=True)
    run, rows, lines = _asked(stack, person)
    assert run["status"] == "answered"
    assert person.shown
    assert all("Quintalvex" in hold["query"] for hold in person.shown)
    assert any("waits for a person" in line for line in lines)
    kinds = [row["kind"] for row in rows]
    assert kinds.count("held") == kinds.count("approval") == len(person.shown)
    let_go = [row for row in rows if row["kind"] == "attempt" and row.get("of")]
    assert [row["verdict"] for row in let_go] == ["allow"] * len(person.shown)
    assert all("Halvorsen" in row["payload"] for row in let_go)


@pytest.mark.parametrize("asked", [True, False], ids=["rejected", "nobody is asked"])
def test_what_nobody_approves_does_not_leave(stack: Stack, asked: bool) -> None:
    """A rejection ends the run, and without a wait the query is refused at once; either way nothing is sent."""
    run, rows, _ = _asked(stack, Person(approve=False) if asked else None)
    assert run["status"] == "refused"
    assert not [row for row in rows if row["kind"] == "attempt"]
    assert [row["verdict"] for row in rows if row["kind"] == "approval"] == (["reject"] if asked else [])
