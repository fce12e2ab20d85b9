"""What is about to leave, exactly as it would be sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class RequestKind(StrEnum):
    """In which of three forms a payload leaves."""

    QUERY = "query"
    URL = "url"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Request:
    """One attempt to send something.

    Attributes:
        kind: a search query, the address of a page, or a request body.
        payload: the bytes that would be sent; what is checked is what is committed is what is sent.
        content_type, content_encoding: of a body, as its headers would say.
        destination: name of the source (query) or host (url, body); None where nothing is sent.
        public_spans: byte ranges of a body that the caller proved equal to a page stored in this session.
        They are
            outside the secret look-up; a confirmed secret in them is a notice.
        tokens: what a completion may cost; 0 for all else.
        cost_micros: the same in millionths of a US dollar; None where the model has no price.
    """

    kind: RequestKind
    payload: bytes = field(repr=False)
    content_type: str | None = None
    content_encoding: str | None = None
    destination: str | None = None
    public_spans: tuple[tuple[int, int], ...] = ()
    tokens: int = 0
    cost_micros: int | None = 0
