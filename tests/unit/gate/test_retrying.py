"""A request is made again a bounded number of times, after the wait that was asked for, within the call's time."""

from __future__ import annotations

from typing import Any

import pytest
from doublethink_gate import sources
from doublethink_gate.completion import errors as model
from doublethink_gate.config import Limits
from doublethink_gate.egress.outcomes import failure_of
from doublethink_gate.egress.retrying import retrying
from doublethink_gate.errors import (
    BudgetExhausted,
    ModelRateLimited,
    ModelUnavailable,
    ProviderRefused,
    Refusal,
    SourceRateLimited,
)
from doublethink_rpc import Call

LIMITS = Limits(retry_wait_s=1, longest_wait_s=20)


class Patient(Call):
    """A call with so many seconds left."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def remaining(self) -> float:
        """What is left."""
        return self._seconds


async def tried(
    *failures: Refusal, attempts: int = 3, seconds: float = 100
) -> tuple[str | type[Refusal], list[float]]:
    """What a request that fails in these ways comes to, and what was waited in between."""
    waits: list[float] = []
    left = list(failures)

    async def make() -> str:
        if left:
            raise left.pop(0)
        return "answer"

    async def sleep(pause_s: float) -> None:
        waits.append(pause_s)

    try:
        return await retrying(make, Patient(seconds), attempts, LIMITS, sleep), waits
    except Refusal as refusal:
        return type(refusal), waits


def again(after_s: float = 0) -> Refusal:
    """A refusal after which the request may be made again."""
    refusal = ModelRateLimited()
    refusal.again_after_s = after_s
    return refusal


async def test_waits_are_doubled_and_the_number_is_bounded() -> None:
    """The least wait doubles each time; after the last attempt the refusal stands."""
    assert await tried(again(), again()) == ("answer", [1, 2])
    assert await tried(*[again() for _ in range(9)]) == (ModelRateLimited, [1, 2])
    assert await tried(again(), attempts=1) == (ModelRateLimited, [])


async def test_the_wait_that_was_asked_for_is_kept_or_not_begun() -> None:
    """A provider's own wait is kept to; one over the bound or over the caller's time ends the call at once."""
    assert await tried(again(7)) == ("answer", [7])
    assert await tried(again(21)) == (ModelRateLimited, [])
    assert await tried(again(7), seconds=8) == (ModelRateLimited, [])
    assert await tried(again(7), again(0.5)) == ("answer", [7, 2])


async def test_what_would_fail_again_is_not_made_again() -> None:
    """A refusal that says nothing of another time stands."""
    for refusal in (ProviderRefused(), BudgetExhausted(), ModelUnavailable()):
        assert await tried(refusal) == (type(refusal), [])


@pytest.mark.parametrize(
    ("error", "refusal", "after_s", "unsent"),
    [
        (model.RateLimited(5), ModelRateLimited, 5, False),
        (model.RateLimited(None), ModelRateLimited, 0, False),
        (model.Overloaded(None), ModelRateLimited, 0, False),
        (model.Unreachable(sent=False), ModelUnavailable, 0, True),
        (model.Unreachable(sent=True), ModelUnavailable, 0, False),
        (model.TimedOut(), ModelUnavailable, None, False),
        (model.KeyRefused(401), ProviderRefused, None, False),
        (sources.RateLimited(5), SourceRateLimited, 5, False),
        (sources.PlanExhausted(), ProviderRefused, None, False),
        (sources.Unauthorized(), ProviderRefused, None, False),
    ],
)
def test_what_a_failure_means(
    error: Exception, refusal: type[Refusal], after_s: float | None, unsent: bool
) -> None:
    """Each has its refusal, and says whether it may be made again."""
    failure = failure_of(error)
    assert failure is not None
    assert type(failure.refusal) is refusal
    assert failure.refusal.again_after_s == after_s
    assert failure.unsent is unsent


@pytest.mark.parametrize("package", [model, sources])
def test_every_error_has_its_failure(package: object) -> None:
    """No error of a source or a model ends as a fault of the gate's own."""
    base = getattr(package, "SourceError", None) or model.ModelError
    arguments: dict[str, dict[str, Any]] = {
        "Unreachable": {"sent": True},
        "RateLimited": {"retry_after": None},
        "Overloaded": {"retry_after": None},
        "KeyRefused": {"status": 401},
        "ServerError": {"status": 500},
        "RequestRefused": {"status": 400},
        "TooLarge": {"bound": 1},
        "BadShape": {"what": "x"},
        "AddressRefused": {"rule": "address.loopback"},
        "RedirectRefused": {"rule": "redirect.count"},
        "Cut": {"usage": None},
        "Declined": {"usage": None},
    }
    for kind in base.__subclasses__():
        failure = failure_of(kind(**arguments.get(kind.__name__, {})))
        assert failure is not None, kind
        assert failure.word.startswith("model_") is (base is model.ModelError)
