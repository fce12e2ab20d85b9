"""Server-sent events (HTML standard, section 9.2), with a comment as a heartbeat while nothing happens."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import StreamingResponse

from doublethink_console.errors import Refused

_ID: Final = re.compile(r"[0-9]{1,18}")
HEARTBEAT: Final = None
"""In a stream of events: nothing happened."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event. `data` is sent as JSON on one line."""

    id: int
    name: str
    data: dict[str, Any] = field(repr=False)


def last_event_id(request: Request, default: int = -1) -> int:
    """The id that the reader has already. Raises Refused for one that no stream of ours has given."""
    value = request.headers.get("last-event-id", "")
    if not value:
        return default
    if _ID.fullmatch(value) is None:
        raise Refused(400, "Last-Event-ID must be a number that this stream gave.")
    return int(value)


def event_stream(events: AsyncIterator[ServerEvent | None]) -> StreamingResponse:
    """The response that sends events as they come."""
    return StreamingResponse(_encode(events), media_type="text/event-stream")


async def _encode(events: AsyncIterator[ServerEvent | None]) -> AsyncIterator[str]:
    yield ": open\n\n"
    async for event in events:
        if event is HEARTBEAT:
            yield ": still here\n\n"
        else:
            # JSON escapes line breaks, so that an event is always three lines.
            data = json.dumps(event.data, ensure_ascii=False)
            yield f"id: {event.id}\nevent: {event.name}\ndata: {data}\n\n"
