"""Failpoints are inert unless configuration and environment both ask for them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from enum import StrEnum

import pytest
from doublethink_rpc import StartRefused, failpoint
from doublethink_rpc.failpoint import VARIABLE, FailpointError


class Point(StrEnum):
    """A service's points."""

    AFTER_CHECK = "after_check"
    AFTER_APPEND = "after_append"
    BEFORE_SEND = "before_send"
    AFTER_SEND = "after_send"


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    """Leave no point armed."""
    yield
    failpoint.arm(Point, False, {})


async def test_the_default_is_inert() -> None:
    """Without the variable every point is passed."""
    failpoint.arm(Point, True, {})
    for point in Point:
        await failpoint.reach(point)


async def test_a_production_process_ignores_the_variable_loudly(capsys: pytest.CaptureFixture[str]) -> None:
    """With the variable set and the configuration silent, nothing is armed and the log says so."""
    failpoint.arm(Point, False, {VARIABLE: "before_send=error"})
    await failpoint.reach(Point.BEFORE_SEND)
    assert "failpoints_ignored" in capsys.readouterr().err


async def test_an_error_is_raised_at_the_numbered_passage_only() -> None:
    """`@2` acts on the second passage and on no other; without a number the action repeats."""
    failpoint.arm(Point, True, {VARIABLE: "after_append=error@2,before_send=error"})
    await failpoint.reach(Point.AFTER_APPEND)
    with pytest.raises(FailpointError):
        await failpoint.reach(Point.AFTER_APPEND)
    await failpoint.reach(Point.AFTER_APPEND)
    for _ in range(2):
        with pytest.raises(FailpointError):
            await failpoint.reach(Point.BEFORE_SEND)
    await failpoint.reach(Point.AFTER_SEND)


async def test_a_sleep_passes() -> None:
    """A sleep delays the passage and then lets it go on."""
    failpoint.arm(Point, True, {VARIABLE: "after_check=sleep:1"})
    await failpoint.reach(Point.AFTER_CHECK)


@pytest.mark.parametrize(
    "text",
    [
        "before_sent=kill",
        "before_send",
        "before_send=",
        "before_send=explode",
        "before_send=sleep",
        "before_send=sleep:60001",
        "before_send=kill@0",
        "before_send=kill@x",
        "before_send=kill,",
        " before_send=kill",
        "before_send=kill\n",
    ],
)
def test_a_misspelt_variable_stops_the_start(text: str) -> None:
    """A test that misspells a point or an action must not pass: it is an error."""
    with pytest.raises(StartRefused, match=VARIABLE):
        failpoint.arm(Point, True, {VARIABLE: text})


async def test_a_service_has_no_points_but_its_own() -> None:
    """Another service's point is refused, also beside one that is known."""
    with pytest.raises(StartRefused, match="before_claims"):
        failpoint.arm(Point, True, {VARIABLE: "before_send=error,before_claims=kill"})


def test_a_child_is_told_only_by_a_parent_that_is_armed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process whose configuration is silent hands nothing on."""
    monkeypatch.setenv(VARIABLE, "before_send=error")
    failpoint.arm(Point, False)
    assert failpoint.inherited() == {}
    failpoint.arm(Point, True)
    assert failpoint.inherited() == {VARIABLE: "before_send=error"}


@pytest.mark.parametrize(("action", "status"), [("exit", failpoint.EXIT_STATUS), ("kill", -9)])
def test_exit_and_kill_end_the_process_at_the_point(action: str, status: int) -> None:
    """The process ends at the point and nothing after it runs."""
    program = (
        "import asyncio; from doublethink_rpc import failpoint as f;"
        f"f.arm(['before_send'], True, {{f.VARIABLE: 'before_send={action}'}});"
        "print('armed', flush=True); asyncio.run(f.reach('before_send')); print('alive', flush=True)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (status, "armed\n")
