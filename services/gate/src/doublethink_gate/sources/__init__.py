"""Clients of the search sources. See `model.Source`."""

from .classes import SourceClass, classify
from .direct import DirectPages
from .duckduckgo import DuckDuckGoConfig, DuckDuckGoSource
from .errors import (
    AddressRefused,
    BadShape,
    Challenged,
    NotRecorded,
    PageUnavailable,
    PlanExhausted,
    RateLimited,
    RedirectRefused,
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
    "AddressRefused",
    "ApiKey",
    "BadShape",
    "Bounds",
    "Challenged",
    "DirectPages",
    "DuckDuckGoConfig",
    "DuckDuckGoSource",
    "FetchedPage",
    "NotRecorded",
    "PageUnavailable",
    "PlanExhausted",
    "PreparedRequest",
    "RateLimited",
    "RawResponse",
    "Recording",
    "RecordingError",
    "RedirectRefused",
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
