"""How a search source fails. None of these is an empty answer.

    SourceError
    ├── Unreachable       no connection, or it broke off; `sent` says whether the request may have left
    ├── TimedOut          the deadline passed
    ├── TooLarge          the answer is over the bound
    ├── Unauthorized      the key is missing or wrong
    ├── RateLimited       too many requests; `retry_after` in seconds where the source says so
    ├── PlanExhausted     the plan's credits are used up
    ├── RequestRefused    the source found fault with the request
    ├── ServerError       the source failed
    ├── BadShape          an answer that is not of the published form, a redirect or a challenge page included
    ├── PageUnavailable   the source answered, and says that it has not got the page
    ├── Challenged        in place of an answer it asks whether a person is there
    ├── AddressRefused    the host stands for an address that may not be dialled
    ├── RedirectRefused   a page leads on to where nothing is fetched, or too often
    └── NotRecorded       a recording answers, and this was not asked when it was made

Messages hold status codes and fixed words; never a key, a query, an address or anything from a response.
"""


class SourceError(Exception):
    """A source that gave no answer."""


class Unreachable(SourceError):
    """The source could not be reached, or the connection broke."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__(
            "the connection to the source broke after the request" if sent else "no connection to the source"
        )
        self.sent = sent


class TimedOut(SourceError):
    """The source did not answer in time."""

    def __init__(self) -> None:
        super().__init__("the source did not answer in time")


class TooLarge(SourceError):
    """The source's answer is larger than the bound."""

    def __init__(self, bound: int) -> None:
        super().__init__(f"the source's answer is over the bound of {bound} bytes")
        self.bound = bound


class Unauthorized(SourceError):
    """The source refused the key."""

    def __init__(self) -> None:
        super().__init__("the source refused the key; check the file that holds it")


class RateLimited(SourceError):
    """The source refused for its rate limit."""

    def __init__(self, retry_after: int | None) -> None:
        super().__init__("the source refused for its rate limit")
        self.retry_after = retry_after


class PlanExhausted(SourceError):
    """The credits of the source's plan are used up."""

    def __init__(self) -> None:
        super().__init__("the plan of the source is used up")


class RequestRefused(SourceError):
    """The source found fault with the request."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the source refused the request with status {status}")
        self.status = status


class ServerError(SourceError):
    """The source failed on its side."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the source failed with status {status}")
        self.status = status


class BadShape(SourceError):
    """The answer is not of the published form. `what` is a fixed word."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the source's answer is not of the published form ({what})")
        self.what = what


class PageUnavailable(SourceError):
    """The source answered and has not got the page. keys: of the outcome row, what the answer cost."""

    def __init__(self, credits: int | None = None) -> None:
        super().__init__("the source has not got the page")
        self.keys: dict[str, int] = {} if credits is None else {"credits": credits}


class Challenged(SourceError):
    """In place of an answer stands a test for people."""

    def __init__(self) -> None:
        super().__init__("the source asks whether a person is there")


class AddressRefused(SourceError):
    """A host stands for an address that may not be dialled. keys: of the outcome row, the rule that says so."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the host may not be dialled ({rule})")
        self.keys = {"rules": [rule]}


class RedirectRefused(SourceError):
    """A redirect that is not followed. keys: of the outcome row, the rule that says so."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the redirect is not followed ({rule})")
        self.keys = {"rules": [rule]}


class NotRecorded(SourceError):
    """A recording answers, and the request is not in it."""

    def __init__(self) -> None:
        super().__init__("the request is not in the recording")
