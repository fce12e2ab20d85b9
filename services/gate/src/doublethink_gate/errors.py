"""The gate's own errors.

    Exception
    ├── SettingsError                (doublethink_settings) a configuration, secret or key file cannot be used
    ├── StartRefused                 (doublethink_rpc) something is missing or unsafe at start
    │   └── DatabaseAway             the database does not answer at start
    └── RpcError                     (doublethink_rpc) what a caller gets: a code and nothing else
        └── Refusal                  the gate's own, one class a code
            ├── NotGranted           the policy does not grant it to this caller
            ├── CapabilityRefused    unknown, expired, or of another role
            ├── SessionClosed        the session is closed or its time is up
            ├── IdRefused            not minted for this session or query
            ├── Malformed            the request breaks a rule that its form cannot express
            ├── Blocked              the checks refused it; nothing was sent
            ├── Held                 a person must approve it; nothing was sent
            ├── BudgetExhausted      a budget of the session is used up
            ├── Overloaded           too many open sessions, or a queue is full
            ├── LedgerUnavailable    not written, or its commit is unknown; nothing was sent
            ├── Conflict             other replicas changed the session more often than is retried
            ├── SourceUnavailable    the source did not answer in a recognised way
            ├── SourceRateLimited    the source refused for its rate limit
            ├── NotInRecording       searches are answered from a recording, and this one is not in it
            ├── ModelUnavailable     no model is configured, or it did not answer
            ├── ModelAnswerRefused   the model's answer does not have the promised form
            ├── ModelRateLimited     the model's vendor refused for its rate limit, or is overloaded
            ├── ProviderRefused      a source or a model's vendor refused the key, or its plan is used up
            ├── PageUnreadable       a page is of an unknown kind or encoding
            │   └── PageTooLarge     or has more bytes or markup than is read
            └── DeadlinePassed       there was no time left; nothing was sent

Other packages of the gate (ledger, checks, pages, sources) have trees of their own; services turn what may
reach a caller into a Refusal, and everything else becomes ERROR_CODE_INTERNAL at the server's edge.
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from doublethink.errors.v1 import errors_pb2
from doublethink_rpc import RpcError, StartRefused


class DatabaseAway(StartRefused):
    """The database does not answer at start."""


class Refusal(RpcError):
    """An answer that the caller is meant to get: one code of the closed enumeration."""

    CODE: ClassVar[errors_pb2.ErrorCode] = errors_pb2.ERROR_CODE_INTERNAL
    again_after_s: float | None = None
    """Seconds after which the same request may be made again, 0 where nobody says; None where it may not."""

    def __init__(self) -> None:
        super().__init__(self.CODE)


class NotGranted(Refusal):
    """The policy does not grant it: to this caller the method is as good as not there."""

    CODE = errors_pb2.ERROR_CODE_CALLER_REFUSED


class CapabilityRefused(Refusal):
    """The capability is unknown, expired, or of another role than the caller's."""

    CODE = errors_pb2.ERROR_CODE_CAPABILITY_REFUSED


class SessionClosed(Refusal):
    """The session is closed or its time is up."""

    CODE = errors_pb2.ERROR_CODE_SESSION_CLOSED


class IdRefused(Refusal):
    """The id was not minted for this session or query."""

    CODE = errors_pb2.ERROR_CODE_ID_REFUSED


class Malformed(Refusal):
    """The request breaks a rule that its declared form cannot express."""

    CODE = errors_pb2.ERROR_CODE_MALFORMED


class Blocked(Refusal):
    """The checks refused the request; nothing was sent."""

    CODE = errors_pb2.ERROR_CODE_BLOCKED


class Held(Refusal):
    """A person must approve the request; nothing was sent. row_id: of the row that holds it, where there is one."""

    CODE = errors_pb2.ERROR_CODE_HELD

    def __init__(self, row_id: uuid.UUID | None = None) -> None:
        super().__init__()
        self.row_id = row_id


class BudgetExhausted(Refusal):
    """A budget of the session is used up; nothing was sent."""

    CODE = errors_pb2.ERROR_CODE_BUDGET_EXHAUSTED


class Overloaded(Refusal):
    """Too many sessions are open, or a queue is full."""

    CODE = errors_pb2.ERROR_CODE_OVERLOADED


class LedgerUnavailable(Refusal):
    """The row could not be written, or its commit is unknown; nothing was sent."""

    CODE = errors_pb2.ERROR_CODE_LEDGER_UNAVAILABLE


class Conflict(Refusal):
    """Other replicas changed the session more often than is retried; nothing was sent."""

    CODE = errors_pb2.ERROR_CODE_CONFLICT


class SourceUnavailable(Refusal):
    """The search source did not answer in a recognised way."""

    CODE = errors_pb2.ERROR_CODE_SOURCE_UNAVAILABLE


class SourceRateLimited(Refusal):
    """The source refused for its rate limit."""

    CODE = errors_pb2.ERROR_CODE_SOURCE_RATE_LIMITED


class NotInRecording(Refusal):
    """Searches are answered from a recording, and this one is not in it."""

    CODE = errors_pb2.ERROR_CODE_NOT_RECORDED


class ModelUnavailable(Refusal):
    """No model is configured, or it did not answer."""

    CODE = errors_pb2.ERROR_CODE_MODEL_UNAVAILABLE


class ModelAnswerRefused(Refusal):
    """The model's answer does not have the promised form."""

    CODE = errors_pb2.ERROR_CODE_MODEL_ANSWER_REFUSED


class ModelRateLimited(Refusal):
    """The model's vendor refused for its rate limit, or is overloaded."""

    CODE = errors_pb2.ERROR_CODE_MODEL_RATE_LIMITED


class ProviderRefused(Refusal):
    """A source or a model's vendor refused the key, or the plan behind it is used up."""

    CODE = errors_pb2.ERROR_CODE_PROVIDER_REFUSED


class PageUnreadable(Refusal):
    """A page is of an unknown kind or encoding."""

    CODE = errors_pb2.ERROR_CODE_PAGE_UNREADABLE


class PageTooLarge(PageUnreadable):
    """A page has more bytes or markup than is read."""


class DeadlinePassed(Refusal):
    """There was no time left to write and send; nothing was sent."""

    CODE = errors_pb2.ERROR_CODE_DEADLINE
