"""Asking one question: start the run, show its steps and its ledger while it goes, return the answer."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from doublethink_sdk import present, signals
from doublethink_sdk.client import Client
from doublethink_sdk.errors import ClientError, ConsoleRefused
from doublethink_sdk.output import OutputGone
from doublethink_sdk.terminal import visible

Say = Callable[[str], None]

# How long the last ledger rows may take to arrive after the answer is there.
_LEDGER_SECONDS = 10.0
# How long a cancelled run may take to end. One that takes longer stays marked, and no start goes on with it.
_CANCEL_SECONDS = 10.0


@dataclass(frozen=True)
class Question:
    """A question about a stored case, and who plans it, None for the console's own choice.

    approval_s: seconds that a held search waits for a person.
    """

    case: str
    text: str
    planner: str | None
    approval_s: int = 0


class _LedgerLines:
    """Tells the rows of a session from a thread of its own, since they come at their own pace."""

    def __init__(self, client: Client, session: str, say: Say, gone: Callable[[], None]) -> None:
        self._client, self._session, self._say, self._gone = client, session, say, gone
        self._told = True
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        try:
            for event in self._client.follow_ledger(self._session):
                if self._told:
                    self._say(present.row(event.data))
        except OutputGone:
            self._gone()
        except ClientError as error:
            if self._told:
                self._say(visible(f"  ledger: {error}"))

    def finish(self) -> None:
        self._thread.join(_LEDGER_SECONDS)

    def mute(self) -> None:
        """Say nothing more: the run is being ended."""
        self._told = False


def ask(
    client: Client,
    question: Question,
    say: Say,
    *,
    rows: Say | None = None,
    decide: Callable[[Mapping[str, Any]], bool] | None = None,
) -> Mapping[str, Any]:
    """Run `question` to its end, telling `say` each step and `rows` each ledger row. Raises ClientError.

    decide: whether a search that waits for a person may go; where it is not given, somebody else decides.

    `rows` is called from another thread, and is `say` where it is not given. Interrupted, or with nobody left to
    tell (OutputGone), it cancels the run and waits for its end before it passes that on.
    """
    with _cancelling(client) as run_of:
        run = run_of(question)
        gone = threading.Event()

        def nobody_listens() -> None:
            gone.set()
            # The steps' stream ends with the run.
            _cancel(client, run)

        lines: _LedgerLines | None = None
        try:
            for event in client.run_events(run):
                if gone.is_set():
                    raise OutputGone
                if lines is None and event.data.get("session"):
                    lines = _LedgerLines(client, event.data["session"], rows or say, nobody_listens)
                # The answer says how it ended.
                if event.data["kind"] != "ended":
                    say(visible(f"  {event.data['text']}"))
                if event.data["kind"] == "held" and decide is not None:
                    _decide(client, event.data["session"], event.data["hold"], decide, say)
        except BaseException:
            if lines is not None:
                lines.mute()
            raise
        if lines is not None:
            lines.finish()
        if gone.is_set():
            raise OutputGone
        return client.run(run)


def _decide(
    client: Client, session: str, hold: str, decide: Callable[[Mapping[str, Any]], bool], say: Say
) -> None:
    """Have a hold decided here, unless somebody was faster."""
    for waiting in client.holds(session):
        if waiting["hold"] == hold and not waiting["approved"]:
            approved = decide(waiting)
            try:
                client.decide(session, waiting, approve=approved)
            except ConsoleRefused as error:
                # Its time is up, or it is for another person to decide: the run goes on with what comes of it.
                say(visible(f"  not decided here: {error}"))
                return


@contextmanager
def _cancelling(client: Client) -> Iterator[Callable[[Question], str]]:
    """Starts runs, and cancels the last one if it is left by a signal or because nobody listens."""
    run: str | None = None

    def start(question: Question) -> str:
        nonlocal run
        # A signal between the request and its answer would leave a run whose id nobody knows.
        with signals.holding():
            run = client.start_run(
                question.case, question.text, planner=question.planner, approval_s=question.approval_s
            )
        return run

    try:
        yield start
    except (KeyboardInterrupt, OutputGone):
        if run is not None:
            with signals.finishing():
                _cancel(client, run)
        raise


def _cancel(client: Client, run: str) -> None:
    """Cancel a run and wait for its end. A console that is gone cannot go on with it either."""
    try:
        client.cancel(run)
        _wait_for_end(client, run)
    except ClientError:
        return


def _wait_for_end(client: Client, run: str) -> None:
    ended = threading.Event()

    def watch() -> None:
        try:
            for _ in client.run_events(run):
                pass
        except ClientError:
            pass
        ended.set()

    threading.Thread(target=watch, daemon=True).start()
    ended.wait(_CANCEL_SECONDS)
