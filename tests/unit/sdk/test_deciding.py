"""A person at the terminal whose decision the console does not take is told so, and the run goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.client import Client, Event
from doublethink_sdk.errors import ConsoleRefused

_WORDS = "You asked this question: somebody else decides about its held searches."


class Console:
    """One run in which one search waits, and which takes no decision where `refuses`."""

    def __init__(self, *, refuses: bool) -> None:
        self._refuses = refuses
        self.decided: list[bool] = []

    def start_run(self, *_: object, **__: object) -> str:
        return "run"

    def run_events(self, _run: str) -> Iterator[Event]:
        yield Event("0", "held", {"kind": "held", "text": "waits", "session": "ses", "hold": "hld"})
        yield Event("1", "ended", {"kind": "ended", "text": "", "session": "ses"})

    def follow_ledger(self, _session: str) -> Iterator[Event]:
        return iter(())

    def holds(self, _session: str) -> list[Mapping[str, Any]]:
        return [{"hold": "hld", "approved": False}]

    def decide(self, _session: str, _hold: Mapping[str, Any], *, approve: bool) -> None:
        if self._refuses:
            raise ConsoleRefused(_WORDS)
        self.decided.append(approve)

    def run(self, _run: str) -> dict[str, str]:
        return {"status": "refused"}


@pytest.mark.parametrize("refuses", [True, False])
def test_a_decision_that_is_not_taken_is_told(refuses: bool) -> None:
    """In the console's own words; one that is taken needs none."""
    console, said = Console(refuses=refuses), list[str]()
    run = ask(cast(Client, console), Question("case", "What?", None, 60), said.append, decide=lambda _: True)
    assert run == {"status": "refused"}
    assert console.decided == ([] if refuses else [True])
    assert (f"  not decided here: {_WORDS}" in said) is refuses
