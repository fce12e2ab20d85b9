"""Requests and errors in the published form of Tavily's API.

An error is `{"detail": {"error": TEXT}}` with 400 (a value out of range), 401 (key), 422 (not the published
form), 429 (rate) or 432 (plan).
"""

import json
from dataclasses import dataclass
from typing import Any

MAX_QUERY = 4000
MAX_URLS = 20
MAX_RESULTS = 20
_SEARCH = {
    "query": str,
    "search_depth": str,
    "topic": str,
    "max_results": int,
    "chunks_per_source": int,
    "max_age_hours": int,
    "include_domains_mode": str,
    "fetch_timeout": (int, float),
    "cache_fallback": bool,
    "language": str,
    "filter_by_language": bool,
    "time_range": (str, type(None)),
    "start_date": (str, type(None)),
    "end_date": (str, type(None)),
    "days": int,
    "include_answer": (bool, str),
    "include_raw_content": (bool, str),
    "include_images": bool,
    "include_image_descriptions": bool,
    "include_favicon": bool,
    "include_domains": list,
    "exclude_domains": list,
    "country": (str, type(None)),
    "auto_parameters": bool,
    "exact_match": bool,
    "include_usage": bool,
}
_EXTRACT = {
    "urls": (str, list),
    "query": str,
    "chunks_per_source": int,
    "extract_depth": str,
    "include_images": bool,
    "include_favicon": bool,
    "include_usage": bool,
    "format": str,
    "timeout": (int, float),
}
_DEPTHS = ("basic", "advanced", "fast", "ultra-fast")
_TOPICS = ("general", "news", "finance")


class Fault(Exception):
    """A request that is answered with an error of the given HTTP status."""

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after

    def body(self) -> dict[str, object]:
        """The error as it goes out."""
        return {"detail": {"error": str(self)}}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """POST /search."""

    query: str
    max_results: int
    include_raw_content: bool
    include_domains: tuple[str, ...]
    exclude_domains: tuple[str, ...]
    advanced: bool
    usage: bool


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """POST /extract. `form` is "markdown", "text", or "html": the saved bytes, which Tavily itself does not give."""

    urls: tuple[str, ...]
    form: str
    advanced: bool
    usage: bool


def parse_search(body: bytes) -> SearchRequest:
    """Raises `Fault`."""
    fields = _fields(body, _SEARCH, "query")
    query = fields["query"]
    if not query.strip():
        raise Fault(400, "Query is missing.")
    if len(query) > MAX_QUERY:
        raise Fault(400, f"Query is too long. Max query length is {MAX_QUERY} characters.")
    _among(fields, "search_depth", _DEPTHS)
    _among(fields, "topic", _TOPICS)
    max_results = fields.get("max_results", 5)
    if not 0 <= max_results <= MAX_RESULTS:
        raise Fault(400, f"Invalid max_results. Must be between 0 and {MAX_RESULTS}.")
    return SearchRequest(
        query=query,
        max_results=max_results,
        include_raw_content=bool(fields.get("include_raw_content", False)),
        include_domains=_strings(fields.get("include_domains", []), "include_domains", 300),
        exclude_domains=_strings(fields.get("exclude_domains", []), "exclude_domains", 150),
        advanced=fields.get("search_depth") == "advanced",
        usage=fields.get("include_usage", False),
    )


def parse_extract(body: bytes) -> ExtractRequest:
    """Raises `Fault`."""
    fields = _fields(body, _EXTRACT, "urls")
    urls = fields["urls"]
    _among(fields, "extract_depth", ("basic", "advanced"))
    _among(fields, "format", ("markdown", "text", "html"))
    listed = _strings([urls] if isinstance(urls, str) else urls, "urls", MAX_URLS)
    if not listed:
        raise Fault(400, "No URLs were given.")
    return ExtractRequest(
        listed,
        form=fields.get("format", "markdown"),
        advanced=fields.get("extract_depth") == "advanced",
        usage=fields.get("include_usage", False),
    )


def _fields(body: bytes, known: dict[str, Any], required: str) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise Fault(422, "The body is not JSON.") from None
    if not isinstance(fields, dict):
        raise Fault(422, "The body is not a JSON object.")
    for name, value in fields.items():
        if name not in known:
            raise Fault(422, f"Unknown field: {name[:40]!r}.")
        allowed = known[name]
        if not isinstance(value, allowed) or (isinstance(value, bool) and not _takes_bool(allowed)):
            raise Fault(422, f"Field {name} has a value of the wrong type.")
    if required not in fields:
        raise Fault(422, f"Field {required} is missing.")
    return fields


def _takes_bool(allowed: Any) -> bool:
    return bool in (allowed if isinstance(allowed, tuple) else (allowed,))


def _among(fields: dict[str, Any], name: str, allowed: tuple[str, ...]) -> None:
    if fields.get(name, allowed[0]) not in allowed:
        raise Fault(400, f"Invalid {name}. Must be one of {', '.join(allowed)}.")


def _strings(values: list[Any], name: str, most: int) -> tuple[str, ...]:
    if len(values) > most:
        raise Fault(400, f"Max {most} {name} are allowed.")
    if not all(isinstance(value, str) and len(value) <= 2048 for value in values):
        raise Fault(422, f"Field {name} must list strings of at most 2048 characters.")
    return tuple(values)
