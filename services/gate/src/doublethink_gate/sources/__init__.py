"""Clients of the search sources. See `model.Source`."""

from .classes import SourceClass, classify
from .errors import (
    BadShape,
    NotRecorded,
    PageUnavailable,
    PlanExhausted,
    RateLimited,
    RequestRefused,
    ServerError,
    SourceError,
    TimedOut,
    TooLarge,
    Unauthorized,
    Unreachable,
)
from .exchange import Bounds, exchange, open_client
from .key import ApiKey, read_key
from .model import FetchedPage, PreparedRequest, RawResponse, Source, SourceAnswer, SourceResult
from .recording import Recording, RecordingError
from .replay import ReplaySource
from .tavily import TavilyConfig, TavilySource

__all__ = [
    "ApiKey",
    "BadShape",
    "Bounds",
    "FetchedPage",
    "NotRecorded",
    "PageUnavailable",
    "PlanExhausted",
    "PreparedRequest",
    "RateLimited",
    "RawResponse",
    "Recording",
    "RecordingError",
    "ReplaySource",
    "RequestRefused",
    "ServerError",
    "Source",
    "SourceAnswer",
    "SourceClass",
    "SourceError",
    "SourceResult",
    "TavilyConfig",
    "TavilySource",
    "TimedOut",
    "TooLarge",
    "Unauthorized",
    "Unreachable",
    "classify",
    "exchange",
    "open_client",
    "read_key",
]
