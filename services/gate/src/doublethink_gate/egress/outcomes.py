"""How a send can fail, as a word of the outcome row and as the refusal that the caller gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from doublethink_ledger import BodyValue

from doublethink_gate import pages, sources
from doublethink_gate.completion import errors as model
from doublethink_gate.errors import (
    ModelAnswerRefused,
    ModelRateLimited,
    ModelUnavailable,
    NotInRecording,
    PageTooLarge,
    PageUnreadable,
    ProviderRefused,
    Refusal,
    SourceRateLimited,
    SourceUnavailable,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """status, word: of the outcome row. unsent: it is certain that no byte of the request left. keys: more of
    the row, such as what a refused answer cost."""

    status: str
    word: str
    refusal: Refusal
    unsent: bool = False
    keys: Mapping[str, BodyValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Kind:
    """again: the same request may be made once more."""

    status: str
    word: str
    refusal: type[Refusal]
    again: bool = False


_KINDS: dict[type[Exception], _Kind] = {
    sources.Unreachable: _Kind("failed", "unreachable", SourceUnavailable, again=True),
    # Not again: the time that it took is the time that is missing.
    sources.TimedOut: _Kind("timeout", "timed_out", SourceUnavailable),
    sources.TooLarge: _Kind("failed", "too_large", SourceUnavailable),
    sources.Unauthorized: _Kind("refused", "unauthorized", ProviderRefused),
    sources.RateLimited: _Kind("refused", "rate_limited", SourceRateLimited, again=True),
    sources.PlanExhausted: _Kind("refused", "plan_exhausted", ProviderRefused),
    sources.RequestRefused: _Kind("refused", "request_refused", SourceUnavailable),
    sources.ServerError: _Kind("failed", "server_error", SourceUnavailable, again=True),
    sources.BadShape: _Kind("failed", "bad_shape", SourceUnavailable),
    sources.PageUnavailable: _Kind("refused", "page_unavailable", SourceUnavailable),
    sources.Challenged: _Kind("refused", "challenged", SourceUnavailable),
    sources.AddressRefused: _Kind("refused", "address_refused", SourceUnavailable),
    sources.RedirectRefused: _Kind("refused", "redirect_refused", SourceUnavailable),
    sources.NotRecorded: _Kind("failed", "not_recorded", NotInRecording),
    model.Unreachable: _Kind("failed", "model_unreachable", ModelUnavailable, again=True),
    model.TimedOut: _Kind("timeout", "model_timed_out", ModelUnavailable),
    model.TooLarge: _Kind("failed", "model_too_large", ModelAnswerRefused),
    model.KeyRefused: _Kind("refused", "model_key_refused", ProviderRefused),
    model.RateLimited: _Kind("refused", "model_rate_limited", ModelRateLimited, again=True),
    model.Overloaded: _Kind("failed", "model_overloaded", ModelRateLimited, again=True),
    model.ServerError: _Kind("failed", "model_server_error", ModelUnavailable, again=True),
    model.RequestRefused: _Kind("refused", "model_request_refused", ModelUnavailable),
    model.BadShape: _Kind("failed", "model_bad_shape", ModelAnswerRefused),
    model.Cut: _Kind("failed", "model_cut", ModelAnswerRefused),
    model.Declined: _Kind("refused", "model_declined", ModelAnswerRefused),
}


_UNREADABLE: dict[type[Exception], str] = {
    pages.PdfEncrypted: "page_encrypted",
    pages.PdfWithoutText: "page_without_text",
    pages.PageTimedOut: "page_timed_out",
    pages.UnsupportedCharset: "page_charset",
    pages.UnsupportedContentType: "page_content_type",
}
"""Words for what cannot be read, where there is more to say than that."""


def failure_of(error: Exception) -> Failure | None:
    """Return what an error of a send means; None for one that is a fault of the gate's own."""
    if isinstance(error, pages.PageTooLarge | pages.PageTooComplex):
        return Failure("failed", "page_too_large", PageTooLarge())
    if isinstance(error, pages.PageError):
        return Failure("failed", _UNREADABLE.get(type(error), "page_unreadable"), PageUnreadable())
    kind = _KINDS.get(type(error))
    if kind is None:
        return None
    refusal = kind.refusal()
    if kind.again:
        refusal.again_after_s = float(getattr(error, "retry_after", None) or 0)
    unsent = isinstance(error, sources.NotRecorded | sources.AddressRefused)
    unsent |= isinstance(error, sources.Unreachable | model.Unreachable) and not error.sent
    return Failure(kind.status, kind.word, refusal, unsent, getattr(error, "keys", {}))
