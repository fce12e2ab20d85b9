"""Clients of the search sources. See `model.Source`."""

from .classes import SourceClass, classify
from .errors import (
    BadShape,
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
from .exchange import Bounds
from .model import FetchedPage, PreparedRequest, RawResponse, Source, SourceAnswer, SourceResult
from .tavily import TavilyConfig, TavilySource

__all__ = [
    "BadShape",
    "Bounds",
    "FetchedPage",
    "PageUnavailable",
    "PlanExhausted",
    "PreparedRequest",
    "RateLimited",
    "RawResponse",
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
]
