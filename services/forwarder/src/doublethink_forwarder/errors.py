"""Why a request to the model server is not passed on.

    ForwardError
    ├── RequestRefused   the request is none of those that pass; nothing was dialled
    ├── ModelRefused     the model is not listed as a local one, or not the one that was pinned
    └── UpstreamFailed   the model server does not answer, too late, or with something else

Messages are fixed: they repeat nothing of a request or an answer.
"""

from __future__ import annotations

from typing import ClassVar


class ForwardError(Exception):
    """A request that was not answered. `status` is the HTTP status that says so."""

    status: ClassVar[int] = 502


class RequestRefused(ForwardError):
    """The request is none of those that pass."""

    status = 403


class ModelRefused(ForwardError):
    """The model server does not list the model as one that is local and the one that is meant."""

    status = 403


class UpstreamFailed(ForwardError):
    """The model server does not answer, too late, or with something that is no answer."""

    status = 502
