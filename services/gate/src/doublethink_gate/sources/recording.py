"""The file that a recording is: "doublethink-recording/1", see docs/formats.md.

JSON lines, each ended by a line feed. The first names the format and the session; then comes a line for each request
that left, in the order of the ledger, without headers and key, with what came back; the last counts them and has the
SHA-256 of every byte before it. Reading is strict: unknown keys, another order, a repeated row, a wrong sum or a bound
that is passed end it with one error that names the line.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

FORMAT: Final = "doublethink-recording/1"
MAX_BYTES: Final = 128 * 1024 * 1024
MAX_EXCHANGES: Final = 2_000
MAX_BODY_BYTES: Final = 16 * 1024 * 1024
"""Of one response: as large a page as is ever read."""
MAX_REQUEST_BYTES: Final = 65_536
"""Of what a source is asked."""
MAX_COMPLETION_BYTES: Final = 4 * 1024 * 1024
"""Of what a model is asked, which has a page in it: as large a payload as the ledger keeps."""
MAX_LINE_BYTES: Final = MAX_BODY_BYTES // 3 * 4 + 128 * 1024

_Row = Annotated[int, Meta(ge=0, le=2**53 - 1)]
_Session = Annotated[str, Meta(pattern=r"\Ases_[a-z2-7]{25}[aeimquy4]\Z")]
_Word = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9_]{0,31}\Z")]
_Url = Annotated[str, Meta(min_length=1, max_length=8192)]
_Http = Annotated[int, Meta(ge=0, le=999)]


class RecordingError(Exception):
    """A recording that cannot be used. The message says where and why; it holds nothing of the file's content."""


class RecordedRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What was sent, but for headers and key."""

    method: Literal["POST"]
    url: _Url
    body: Annotated[str, Meta(min_length=2, max_length=MAX_COMPLETION_BYTES)]


class RecordedResponse(Struct, frozen=True, forbid_unknown_fields=True):
    """What came back: of a search the source's own answer, of a completion the model's, of a page its bytes, with the
    address that they came from and the time, in microseconds since 1970-01-01 UTC.
    """

    status: _Http
    content_type: Annotated[str, Meta(min_length=1, max_length=1000)]
    body: Annotated[bytes, Meta(max_length=MAX_BODY_BYTES)]
    url: _Url | None = None
    at_us: _Row | None = None


class RecordedFailure(Struct, frozen=True, forbid_unknown_fields=True):
    """Why nothing came back that could be used, as the ledger's outcome row has it."""

    error: _Word
    http: _Http = 0


class RecordedExchange(Struct, frozen=True, forbid_unknown_fields=True):
    """One request and its fate. n: the attempt's row in the session."""

    n: _Row
    operation: Literal["search", "page", "completion"]
    request: RecordedRequest
    response: RecordedResponse | None = None
    failure: RecordedFailure | None = None

    @property
    def asked(self) -> str:
        """The query, the address of the page, or the digest of what the model was asked.

        Raises ValueError for a body that asks for none of them, or for more.
        """
        fields = json.loads(self.request.body)
        if not isinstance(fields, dict):
            raise ValueError("not an object")
        if self.operation == "search":
            asked = fields.get("query")
        elif self.operation == "completion":
            named = isinstance(fields.get("model"), str) and type(fields.get("max_tokens")) is int
            asked = request_digest(self.request.body.encode()) if named else None
        else:
            urls = fields.get("urls")
            asked = urls[0] if isinstance(urls, list) and len(urls) == 1 else None
        if not isinstance(asked, str) or not asked:
            raise ValueError("no query or address")
        return asked


def request_digest(body: bytes) -> str:
    """By what a completion is known again: SHA-256 of its body, every byte of it."""
    return hashlib.sha256(body).hexdigest()


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["doublethink-recording/1"]
    session: _Session
    source: _Word
    made_us: _Row


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    exchanges: Annotated[int, Meta(ge=1, le=MAX_EXCHANGES)]
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that was read. sha256: of the whole file. made_us: microseconds since 1970-01-01 UTC."""

    session: str
    source: str
    made_us: int
    exchanges: tuple[RecordedExchange, ...]
    sha256: str


_T = TypeVar("_T", bound=Struct)


class Writer:
    """Writes a recording line by line: `head`, then `line` for each exchange, then `end`."""

    def __init__(self, session: str, source: str, made_us: int) -> None:
        self._head = _Head(FORMAT, session, source, made_us)
        self._digest, self._size, self._count = hashlib.sha256(), 0, 0

    def head(self) -> bytes:
        """The first line."""
        return self._added(_line(self._head))

    def line(self, exchange: RecordedExchange) -> bytes:
        """The line of an exchange. Raises RecordingError for more than a recording may hold."""
        line = self._added(_line(exchange))
        self._count += 1
        if self._size > MAX_BYTES or self._count > MAX_EXCHANGES or len(line) > MAX_LINE_BYTES:
            raise RecordingError(f"more than {MAX_EXCHANGES} requests, or than {MAX_BYTES} bytes")
        return line

    def end(self) -> bytes:
        """The last line."""
        return _line(_End(self._count, self._digest.hexdigest()))

    def _added(self, line: bytes) -> bytes:
        self._digest.update(line)
        self._size += len(line)
        return line


def read_file(path: Path) -> Recording:
    """Read a recording from a regular file. Raises RecordingError."""
    try:
        # Without O_NONBLOCK a named pipe would hold the start up.
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise RecordingError("it is not a regular file")
            data = file.read(MAX_BYTES + MAX_LINE_BYTES)
    except OSError as error:
        raise RecordingError(f"it cannot be read ({error.strerror})") from None
    return parse(data)


def parse(data: bytes) -> Recording:
    """Read a recording from its bytes. Raises RecordingError."""
    if len(data) > MAX_BYTES + 1024:
        raise RecordingError(f"it has more than {MAX_BYTES} bytes")
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise RecordingError("it is cut short: its last line is not ended")
    if len(lines) < 3:
        raise RecordingError("it is cut short: a recording has at least three lines")
    if len(lines) > MAX_EXCHANGES + 2:
        raise RecordingError(f"it has more than {MAX_EXCHANGES} requests")
    head = _read(lines[0], _Head, 1)
    end = _read(lines[-1], _End, len(lines))
    covered = len(data) - len(lines[-1]) - 1
    if end.exchanges != len(lines) - 2:
        raise RecordingError("lines are missing, or too many: the last line counts others")
    if hashlib.sha256(memoryview(data)[:covered]).hexdigest() != end.sha256:
        raise RecordingError("it was changed: its bytes do not have the sum in the last line")
    exchanges: list[RecordedExchange] = []
    for number, line in enumerate(lines[1:-1], start=2):
        exchange = _read(line, RecordedExchange, number)
        _check(exchange, exchanges[-1].n if exchanges else -1, number)
        exchanges.append(exchange)
    return Recording(
        head.session, head.source, head.made_us, tuple(exchanges), hashlib.sha256(data).hexdigest()
    )


def _line(part: Struct) -> bytes:
    return msgspec.json.encode(part) + b"\n"


def _read(line: bytes, kind: type[_T], number: int) -> _T:
    if len(line) > MAX_LINE_BYTES:
        raise RecordingError(f"line {number} has more than {MAX_LINE_BYTES} bytes")
    try:
        part = msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        # Without the library's words, which may quote the line.
        raise RecordingError(f"line {number} is not of the form that {FORMAT} has there") from None
    if _line(part) != line + b"\n":
        # A key given twice, white space, another spelling: one recording has one encoding.
        raise RecordingError(f"line {number} is not in its one encoding")
    return part


def _check(exchange: RecordedExchange, before: int, number: int) -> None:
    if exchange.n <= before:
        raise RecordingError(f"line {number} is out of order")
    if (exchange.response is None) == (exchange.failure is None):
        raise RecordingError(f"line {number} must have either a response or a failure")
    if exchange.response is not None:
        of_page = (exchange.response.url is not None, exchange.response.at_us is not None)
        if of_page != (exchange.operation == "page",) * 2:
            raise RecordingError(f"line {number}: a page has an address and a time, and a search has neither")
    if exchange.operation != "completion" and len(exchange.request.body) > MAX_REQUEST_BYTES:
        raise RecordingError(f"line {number} asks for more than a source is asked")
    try:
        _ = exchange.asked
    except (ValueError, RecursionError):
        raise RecordingError(f"line {number} asks for nothing that a source or a model answers") from None
