"""Asking one question: start the run, show its steps and its ledger while it goes, return the answer."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from doublethink_sdk import present
from doublethink_sdk.client import Client
from doublethink_sdk.errors import ClientError
from doublethink_sdk.terminal import visible

Say = Callable[[str], None]

# How long the last ledger rows may take to arrive after the answer is there.
_LEDGER_SECONDS = 10.0


@dataclass(frozen=True)
class Question:
    """A question about a stored case, and who plans it."""

    case: str
    text: str
    planner: str


class _LedgerLines:
    """Prints the rows of a session from a thread of its own, since they come at their own pace."""

    def __init__(self, client: Client, session: str, say: Say) -> None:
        self._client, self._session, self._say = client, session, say
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        try:
            for event in self._client.follow_ledger(self._session):
                self._say(present.row(event.data))
        except ClientError as error:
            self._say(visible(f"  ledger: {error}"))

    def finish(self) -> None:
        self._thread.join(_LEDGER_SECONDS)


def ask(client: Client, question: Question, say: Say) -> Mapping[str, Any]:
    """Run `question` to its end, telling `say` each step and ledger row. Raises ClientError.

    Interrupted, it cancels the run before it passes the interruption on.
    """
    run = client.start_run(question.case, question.text, planner=question.planner)
    lines: _LedgerLines | None = None
    try:
        for event in client.run_events(run):
            if lines is None and event.data.get("session"):
                lines = _LedgerLines(client, event.data["session"], say)
            say(visible(f"  {event.data['text']}"))
    except KeyboardInterrupt:
        client.cancel(run)
        raise
    if lines is not None:
        lines.finish()
    return client.run(run)
