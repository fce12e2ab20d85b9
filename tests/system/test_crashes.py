"""Processes killed at random moments: nothing leaves without its row, no acknowledged row is lost.

Rounds share one data directory, so that each round's start is the recovery of the one before.
DOUBLETHINK_ROUNDS and DOUBLETHINK_SEED choose how many and which; the seed is printed.
"""

import os
import random
import secrets
import signal
import threading
from pathlib import Path

import pytest
from doublethink_casefile import Case
from doublethink_sdk.cases import self_contained
from doublethink_sdk.errors import ClientError
from doublethink_sdk.launcher.errors import ProcessFailed
from doublethink_sdk.launcher.stack import Stack, StackOptions
from sim.survivors import Seen, check_recovered, watch

_DEMO = Path(__file__).parents[2] / "demo"
_QUESTION = "How much did the revenue of Brenner Flow Technology grow from fiscal 2023 to fiscal 2024?"
_VICTIMS = ("postgres", "source", "gate", "reader", "validator", "planner", "console")
_LONGEST_DELAY_S = 1.5
_END_S = 120.0

_ROUNDS = int(os.environ.get("DOUBLETHINK_ROUNDS", "5"))
_SEED = int(os.environ.get("DOUBLETHINK_SEED", str(secrets.randbelow(1_000_000))))


def _one_round(options: StackOptions, case: Case, generator: random.Random, seen: Seen) -> str:
    """Start, ask, kill one process at a random moment, and let everything stop. Returns the victim's name."""
    victim = generator.choice(_VICTIMS)
    delay = generator.uniform(0, _LONGEST_DELAY_S)
    print(f"round: kill {victim} after {delay:.3f} s")
    with Stack(options) as stack, stack.client() as client:
        check_recovered(stack, client, seen)
        stored = client.add_case(self_contained(case))
        run = client.start_run(stored, _QUESTION, planner="rules")
        seen.runs.append(run)
        killed = threading.Event()

        def kill() -> None:
            os.kill(stack.pids[victim], signal.SIGKILL)
            killed.set()

        timer = threading.Timer(delay, kill)
        timer.start()
        try:
            session = ""
            for event in client.run_events(run):
                if not session and event.data.get("session"):
                    session = event.data["session"]
                    threading.Thread(target=watch, args=(client, session, seen), daemon=True).start()
        except ClientError:
            assert victim in ("console", "postgres")
        finally:
            assert killed.wait(_END_S)
            timer.join()
        with pytest.raises(ProcessFailed, match=victim):
            stack.wait()
    return victim


def test_no_crash_loses_a_row_or_lets_a_request_leave_without_one(tmp_path: Path, demo_case: Case) -> None:
    """Seeded rounds of kill -9 on a random process at a random moment; each next start works."""
    print(f"DOUBLETHINK_SEED={_SEED} DOUBLETHINK_ROUNDS={_ROUNDS}")
    generator = random.Random(_SEED)  # noqa: S311 - reproducible rounds, no secret
    options = StackOptions(data=tmp_path / "data", pages=_DEMO / "pages")
    seen = Seen()
    victims = [_one_round(options, demo_case, generator, seen) for _ in range(_ROUNDS)]
    with Stack(options) as stack, stack.client() as client:
        check_recovered(stack, client, seen)
    print(f"killed: {', '.join(victims)}; {len(seen.rows)} rows had been shown, all are there")
