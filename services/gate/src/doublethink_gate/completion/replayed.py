"""A model that answers from a recording alone: it dials nothing, and needs no key.

A request is known by every byte of its body: the model's name, the template, the query and the page as they were.
Where a session asked the same twice, the last answer that could be used counts, or else the last failure. What is not
in the recording is `NotRecorded`. Nothing is paid, so that its price is zero.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from doublethink_gate.completion.answer import read_answer
from doublethink_gate.completion.errors import (
    BadShape,
    Cut,
    Declined,
    KeyRefused,
    ModelError,
    Overloaded,
    RateLimited,
    RequestRefused,
    ServerError,
    TimedOut,
    TooLarge,
    Unreachable,
)
from doublethink_gate.policy import ModelPrice, Prices
from doublethink_gate.sources import NotRecorded, PreparedRequest, RawResponse, RecordingError
from doublethink_gate.sources.recording import (
    MAX_BODY_BYTES,
    RecordedExchange,
    RecordedFailure,
    request_digest,
)
from doublethink_gate.sources.replay import PLACE

_SEND_S: Final = 10.0


class ReplayModel:
    """Answers as the recorded session's model answered; see `claude.Model`."""

    def __init__(self, completions: Sequence[RecordedExchange]) -> None:
        """Raises RecordingError for a recording without a model's answers, or with one that is none."""
        if not completions:
            raise RecordingError("it holds no answers of a model")
        self._known: dict[str, RecordedExchange] = {}
        for exchange in completions:
            before = self._known.get(exchange.asked)
            if exchange.response is not None or before is None or before.response is None:
                self._known[exchange.asked] = exchange
            if exchange.response is not None:
                _check(exchange)
        fields = json.loads(completions[-1].request.body)
        self._name, self._max_tokens = str(fields["model"]), int(fields["max_tokens"])

    @property
    def name(self) -> str:
        """The name of the model that was asked last."""
        return self._name

    @property
    def max_tokens(self) -> int:
        """The bound that its answer had."""
        return self._max_tokens

    @property
    def send_s(self) -> float:
        """The most seconds that one look-up may take."""
        return _SEND_S

    @property
    def prices(self) -> Prices:
        """What it asks: nothing."""
        return Prices("", (ModelPrice(self._name, 0, 0, 0, 0),))

    def prepare(self, body: bytes) -> PreparedRequest:
        """Return the request: the body, to no place that a network has."""
        return PreparedRequest("POST", f"{PLACE}/completion", (), body)

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """What was recorded for exactly these bytes. Raises NotRecorded, and the failure that was recorded."""
        known = self._known.get(request_digest(prepared.body))
        if known is None:
            raise NotRecorded
        if known.failure is not None:
            raise _failure(known.failure)
        return _response(known)

    async def close(self) -> None:
        """Nothing is open."""


def _check(exchange: RecordedExchange) -> None:
    try:
        read_answer(_response(exchange))
    except ModelError:
        raise RecordingError(
            f"the completion of row {exchange.n} has no answer of the published form"
        ) from None


def _response(exchange: RecordedExchange) -> RawResponse:
    response = exchange.response
    if response is None:
        raise NotRecorded
    return RawResponse(response.status, response.content_type, response.body)


def _failure(failure: RecordedFailure) -> Exception:
    """The error that the ledger's word stands for: the counterpart of `egress.outcomes`."""
    match failure.error:
        case "model_unreachable":
            return Unreachable(sent=False)
        case "model_timed_out":
            return TimedOut()
        case "model_too_large":
            return TooLarge(MAX_BODY_BYTES)
        case "model_key_refused":
            return KeyRefused(failure.http)
        case "model_rate_limited":
            return RateLimited(None)
        case "model_overloaded":
            return Overloaded(None)
        case "model_server_error":
            return ServerError(failure.http)
        case "model_request_refused":
            return RequestRefused(failure.http)
        case "model_cut":
            return Cut(None)
        case "model_declined":
            return Declined(None)
        case "not_recorded":
            return NotRecorded()
        case _:
            return BadShape("recorded")
