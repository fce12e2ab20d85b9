"""Every process killed at every point that it names: each next start recovers, and the two records agree.

All rounds share one data directory, so that each start is the recovery of the round before. A round's point
is armed for a passage that one run alone does not reach: the recovery passes it unharmed, and the questions
that are asked after it do not.
"""

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest
from doublethink_casefile import Case
from doublethink_console.failpoints import Point as ConsolePoint
from doublethink_gate.failpoints import Point as GatePoint
from doublethink_planner.failpoints import Point as PlannerPoint
from doublethink_reader.failpoints import Point as ReaderPoint
from doublethink_sdk.cases import self_contained
from doublethink_sdk.client import Client
from doublethink_sdk.errors import ClientError
from doublethink_sdk.launcher.errors import ProcessFailed
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sealer.failpoints import Point as SealerPoint
from doublethink_validator.failpoints import Point as ValidatorPoint
from sim.survivors import FINISHED, Seen, check_ledger, check_recovered, watch

_PAGES = Path(__file__).parents[2] / "demo" / "pages"
_ONE_FIGURE = "What was the revenue of Brenner Flow Technology in fiscal 2024?"
_TWO_FIGURES = "How much did the revenue of Brenner Flow Technology grow from fiscal 2023 to fiscal 2024?"
_MOST_QUESTIONS = 4
_RUN_S = 120.0
_POLL_S = 0.05

_ROLES: Mapping[str, type[StrEnum]] = {
    "gate": GatePoint,
    "validator": ValidatorPoint,
    "reader": ReaderPoint,
    "planner": PlannerPoint,
    "console": ConsolePoint,
    "sealer": SealerPoint,
}
# A run's worker is a process of its own: its death is not the planner's.
_OF_WORKERS = frozenset({PlannerPoint.AFTER_SEARCH, PlannerPoint.AFTER_EXAMINE, PlannerPoint.BEFORE_PLAN})
_POINTS = [
    (role, point)
    for role, points in _ROLES.items()
    for point in points
    if not (role == "planner" and point in _OF_WORKERS)
]


@dataclass(frozen=True)
class Passages:
    """How often one undisturbed run of `_TWO_FIGURES` passes what the points lie beside."""

    attempts: int
    rows: int
    facts: int
    figures: int
    events: int

    def of(self, role: str, point: StrEnum) -> int:
        """The passages of a point."""
        if role == "console":
            return 1
        if role == "sealer":
            # It passes them each second in which something was written: a start passes them twice.
            return 3
        if role == "planner":
            return self.events
        if point in (ValidatorPoint.AFTER_PAGES, ReaderPoint.BEFORE_CLAIMS):
            return self.figures
        if "fact" in point or "record" in point:
            return self.facts
        if "append" in point:
            # Sessions that a round left open may be closed beside the run.
            return self.rows + 2
        return self.attempts


@dataclass
class Ground:
    """What the rounds share: the data directory, the case, what was seen, how often points are passed, and
    who was killed in the round before, and where.
    """

    data: Path
    case: Case
    seen: Seen
    passages: Passages
    killed: tuple[str, StrEnum] | None = None

    def stack(self, failpoints: Mapping[str, str]) -> Stack:
        """A stack over the shared data."""
        return Stack(StackOptions(data=self.data, pages=_PAGES, failpoints=failpoints))


def _ask(stack: Stack, client: Client, case: Case, question: str, seen: Seen) -> tuple[str, str | None]:
    """Ask, and watch until the run ends or a process dies: the run, and who died."""
    run = client.start_run(client.add_case(self_contained(case)), question, planner="rules")
    seen.runs.append(run)
    watched = False
    deadline = time.monotonic() + _RUN_S
    while time.monotonic() < deadline:
        try:
            stack.check()
        except ProcessFailed as died:
            return run, str(died)
        try:
            now = client.run(run)
        except ClientError:
            continue  # the console is dying; the next look says so
        if now["status"] in FINISHED:
            return run, None
        if now.get("session") and not watched:
            watched = True
            threading.Thread(target=watch, args=(client, now["session"], seen), daemon=True).start()
        time.sleep(_POLL_S)
    raise AssertionError("the run neither ended nor was a process killed")


def _kinds(client: Client, run: str) -> Counter[str]:
    return Counter(event.name for event in client.run_events(run))


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory, demo_case: Case) -> Ground:
    """Fresh data, and one undisturbed run whose passages are counted."""
    data = tmp_path_factory.mktemp("failpoints") / "data"
    seen = Seen()
    with Stack(StackOptions(data=data, pages=_PAGES)) as stack, stack.client() as client:
        run, died = _ask(stack, client, demo_case, _TWO_FIGURES, seen)
        assert (died, client.run(run)["status"]) == (None, "answered")
        kinds = _kinds(client, run)
        rows = Counter(row["kind"] for row in client.ledger(client.run(run)["session"]))
        check_ledger(stack, seen)
    passages = Passages(
        attempts=rows["attempt"],
        rows=rows.total(),
        facts=rows["fact"],
        figures=kinds["examined"],
        events=sum(kinds[kind] for kind in ("planned", "searched", "examined", "plan")),
    )
    assert passages.figures == passages.facts == 2
    return Ground(data, demo_case, seen, passages)


@pytest.mark.parametrize(
    ("point", "passage"),
    [(PlannerPoint.AFTER_SEARCH, 2), (PlannerPoint.AFTER_EXAMINE, 2), (PlannerPoint.BEFORE_PLAN, 1)],
)
def test_a_killed_worker_ends_its_run_and_nothing_else(ground: Ground, point: StrEnum, passage: int) -> None:
    """The planner goes on: the run fails with a reason, and the next one is answered."""
    with ground.stack({"planner": f"{point}=kill@{passage}"}) as stack, stack.client() as client:
        run, died = _ask(stack, client, ground.case, _TWO_FIGURES, ground.seen)
        ended = client.run(run)
        assert (died, ended["status"]) == (None, "failed")
        assert ended["reason"]
        if passage > 1:
            # One figure passes the point once only.
            other, died = _ask(stack, client, ground.case, _ONE_FIGURE, ground.seen)
            assert (died, client.run(other)["status"]) == (None, "answered")
        check_recovered(stack, client, ground.seen)


@pytest.mark.parametrize(("role", "point"), _POINTS)
def test_a_process_killed_at_any_point_loses_and_hides_nothing(
    ground: Ground, role: str, point: StrEnum
) -> None:
    """It dies there, everything stops; the next start takes the run up, and the ledger is true."""
    armed = {role: f"{point}=kill@{ground.passages.of(role, point) + 1}"}
    try:
        died = _ask_until_death(ground, armed)
    except ProcessFailed as at_start:
        # The sealer passes its points once a second: a slow start is long enough for it to reach one.
        assert role == "sealer"
        died = str(at_start)
    assert died is not None, "the point was not reached"
    assert died.startswith(role)
    ground.killed = role, point


def _ask_until_death(ground: Ground, armed: Mapping[str, str]) -> str | None:
    """Start, check what the round before left, and ask until a process dies: what is said of that."""
    died = None
    with ground.stack(armed) as stack, stack.client() as client:
        _check_before(ground, stack, client)
        for _ in range(_MOST_QUESTIONS):
            run, died = _ask(stack, client, ground.case, _TWO_FIGURES, ground.seen)
            if died is not None:
                break
            try:
                assert client.run(run)["status"] == "answered"
            except ClientError:
                # The console went just behind the run's end.
                died = _death(stack)
                break
    return died


def _death(stack: Stack) -> str:
    """Who died, as soon as the launcher knows."""
    with pytest.raises(ProcessFailed) as died:
        stack.wait()
    return str(died.value)


def test_the_last_round_is_recovered_too(ground: Ground) -> None:
    """A start without failpoints, after all rounds: every run has ended, and a new one is answered."""
    with ground.stack({}) as stack, stack.client() as client:
        _check_before(ground, stack, client)
        run, died = _ask(stack, client, ground.case, _TWO_FIGURES, ground.seen)
        assert (died, client.run(run)["status"]) == (None, "answered")
        print(Counter(ground.seen.ends.values()), f"{len(ground.seen.unanswered)} sent or crashed")


def _check_before(ground: Ground, stack: Stack, client: Client) -> None:
    """The recovery of the round before, and what that round must have left in the records."""
    unanswered, unsent = ground.seen.unanswered, ground.seen.unsent
    for run in check_recovered(stack, client, ground.seen):
        ended = client.run(run)
        # Taken up and answered; or it failed, with its reason, where the gate died before it had a session.
        failed = ended["status"] == "failed" and bool(ended["reason"]) and not ended["session"]
        assert ended["status"] == "answered" or failed, ended
    if ground.killed is None:
        return
    role, point = ground.killed
    left, not_sent = len(ground.seen.unanswered - unanswered), ground.seen.unsent - unsent
    if role != "gate":
        # An orderly stop waits for the outcome of what is under way, at whatever moment of a run it comes.
        assert (left, not_sent) == (0, 0)
    elif point is GatePoint.BEFORE_SEND:
        assert min(left, not_sent) >= 1
    elif point in (GatePoint.AFTER_SEND, GatePoint.BEFORE_OUTCOME):
        # At least one of them did arrive, and its row does not know.
        assert left > not_sent
