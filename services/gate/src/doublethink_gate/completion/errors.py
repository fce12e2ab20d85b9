"""How a model fails to answer. Each is an outcome of its own in the ledger.

    ModelError
    ├── Unreachable       no connection, or it broke off; `sent` says whether the request may have left
    ├── TimedOut          the deadline passed
    ├── TooLarge          the answer is over the bound
    ├── KeyRefused        the key is missing, wrong or not allowed, or its account is not paid
    ├── RateLimited       too many requests or tokens; `retry_after` in seconds where the vendor says so
    ├── Overloaded        the vendor has too much to do; `retry_after` likewise
    ├── ServerError       the vendor failed
    ├── RequestRefused    the vendor found fault with the request
    ├── BadShape          an answer that is not of the published form, or not of the template's schema
    ├── Cut               the answer ended at a bound of the model, before its own end
    └── Declined          the model declined to answer

Messages hold status codes and fixed words; never a key, a query or anything from a response.
"""

from __future__ import annotations

from collections.abc import Mapping

from doublethink_ledger import BodyValue

from doublethink_gate.completion.usage import Usage


class ModelError(Exception):
    """A model that gave no usable answer.

    usage: what the answer cost, where it said so. keys: of the outcome row, set by whoever knows them.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage
        self.keys: Mapping[str, BodyValue] = {}


class Unreachable(ModelError):
    """The model's vendor could not be reached, or the connection broke."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__("the connection to the model broke" if sent else "no connection to the model")
        self.sent = sent


class TimedOut(ModelError):
    """The model did not answer in time."""

    def __init__(self) -> None:
        super().__init__("the model did not answer in time")


class TooLarge(ModelError):
    """The answer is larger than the bound."""

    def __init__(self, bound: int) -> None:
        super().__init__(f"the model's answer is over the bound of {bound} bytes")


class KeyRefused(ModelError):
    """The vendor refused the key."""

    def __init__(self, status: int) -> None:
        super().__init__(
            f"the model's vendor refused the key with status {status}; check the file that holds it"
        )


class RateLimited(ModelError):
    """The vendor refused for its rate limit."""

    def __init__(self, retry_after: int | None) -> None:
        super().__init__("the model's vendor refused for its rate limit")
        self.retry_after = retry_after


class Overloaded(ModelError):
    """The vendor has too much to do."""

    def __init__(self, retry_after: int | None) -> None:
        super().__init__("the model's vendor is overloaded")
        self.retry_after = retry_after


class ServerError(ModelError):
    """The vendor failed on its side."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the model's vendor failed with status {status}")


class RequestRefused(ModelError):
    """The vendor found fault with the request."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the model's vendor refused the request with status {status}")


class BadShape(ModelError):
    """The answer is not of the published form. `what` is a fixed word."""

    def __init__(self, what: str, usage: Usage | None = None) -> None:
        super().__init__(f"the model's answer is not of the promised form ({what})", usage)
        self.what = what


class Cut(ModelError):
    """The answer ended at the bound of its tokens or of the model's context."""

    def __init__(self, usage: Usage | None) -> None:
        super().__init__("the model's answer was cut", usage)


class Declined(ModelError):
    """The model declined to answer."""

    def __init__(self, usage: Usage | None) -> None:
        super().__init__("the model declined to answer", usage)
