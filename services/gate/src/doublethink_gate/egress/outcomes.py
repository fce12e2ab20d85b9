"""How a send can fail, as a word of the outcome row and as the refusal that the caller gets."""

from __future__ import annotations

from dataclasses import dataclass

from doublethink_gate import pages, sources
from doublethink_gate.errors import (
    ModelAnswerRefused,
    ModelUnavailable,
    PageTooLarge,
    PageUnreadable,
    Refusal,
    SourceRateLimited,
    SourceUnavailable,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """status, word: of the outcome row. unsent: it is certain that no byte of the request left."""

    status: str
    word: str
    refusal: Refusal
    unsent: bool = False


_SOURCE: dict[type[Exception], tuple[str, str]] = {
    sources.TimedOut: ("timeout", "timed_out"),
    sources.TooLarge: ("failed", "too_large"),
    sources.Unauthorized: ("refused", "unauthorized"),
    sources.RateLimited: ("refused", "rate_limited"),
    sources.PlanExhausted: ("refused", "plan_exhausted"),
    sources.RequestRefused: ("refused", "request_refused"),
    sources.ServerError: ("failed", "server_error"),
    sources.BadShape: ("failed", "bad_shape"),
    sources.PageUnavailable: ("refused", "page_unavailable"),
}


def failure_of(error: Exception) -> Failure | None:
    """Return what an error of a send means; None for one that is a fault of the gate's own."""
    if isinstance(error, sources.Unreachable):
        return Failure("failed", "unreachable", SourceUnavailable(), unsent=not error.sent)
    if isinstance(error, sources.SourceError):
        status, word = _SOURCE.get(type(error), ("failed", "source"))
        limited = isinstance(error, sources.RateLimited | sources.PlanExhausted)
        return Failure(status, word, SourceRateLimited() if limited else SourceUnavailable())
    if isinstance(error, pages.PageTooLarge | pages.PageTooComplex):
        return Failure("failed", "page_too_large", PageTooLarge())
    if isinstance(error, pages.PageError):
        return Failure("failed", "page_unreadable", PageUnreadable())
    if isinstance(error, ModelUnavailable):
        return Failure("failed", "model_unavailable", error)
    if isinstance(error, ModelAnswerRefused):
        return Failure("failed", "model_answer_refused", error)
    return None
