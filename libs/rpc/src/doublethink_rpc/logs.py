"""Structured logs that cannot carry a payload.

A record is a fixed event name with values from an allow-list of shapes: booleans,
integers, finite floats, members of enumerations, ids minted by the gate, names of
roles and error codes, descriptors of contracts, and exceptions, of which only the
type is written. A value of any other shape becomes "[refused]" and is counted:
free text has no way in, whoever wrote the call.
"""

from __future__ import annotations

import enum
import logging
import math
import re
import sys
import threading
from collections.abc import MutableMapping
from types import TracebackType
from typing import Any, Protocol, TextIO

import structlog
from doublethink.errors.v1.errors_pb2 import ErrorCode
from google.protobuf.descriptor import (
    Descriptor,
    FieldDescriptor,
    MethodDescriptor,
    OneofDescriptor,
    ServiceDescriptor,
)

from .contract import ROLES
from .errors import FormBroken, RpcError

REFUSED = "[refused]"

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_ID = re.compile(r"[a-z]{2,8}_[a-z2-7]{26}")
_MEMBER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_ROLE = re.compile(r"[a-z][a-z-]{0,19}")
_TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,127}")
_WORDS = ROLES | frozenset(ErrorCode.keys()) | {"unknown"}
_LARGEST_INTEGER = 2**63

_DESCRIPTORS = (Descriptor, FieldDescriptor, MethodDescriptor, OneofDescriptor, ServiceDescriptor)
_Event = MutableMapping[str, Any]


class Log(Protocol):
    """What `log()` gives: the name of an event, and values of the allowed shapes."""

    def info(self, event: str, **fields: object) -> None: ...
    def warning(self, event: str, **fields: object) -> None: ...
    def error(self, event: str, **fields: object) -> None: ...


class _Refusals:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.count = 0

    def add(self) -> None:
        with self._lock:
            self.count += 1


_refusals = _Refusals()


def refused_values() -> int:
    """How many values this process kept out of its logs."""
    return _refusals.count


def shape(value: object) -> object:
    """The value as it may be written, or "[refused]"."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return value.name if _MEMBER.fullmatch(value.name) else _refuse()
    if isinstance(value, int):
        return int(value) if -_LARGEST_INTEGER <= value < _LARGEST_INTEGER else _refuse()
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _refuse()
    if isinstance(value, str):
        return str(value) if value in _WORDS or _ID.fullmatch(value) else _refuse()
    if isinstance(value, _Library):
        return value.package
    if isinstance(value, FormBroken):
        return value.field
    if isinstance(value, RpcError):
        return ErrorCode.Name(value.code)
    if isinstance(value, BaseException):
        return _type_name(type(value))
    if isinstance(value, _DESCRIPTORS):
        return value.full_name
    return _refuse()


def _type_name(kind: type[BaseException]) -> str:
    name = f"{kind.__module__}.{kind.__qualname__}".replace("<locals>", "locals")
    return name if _TYPE.fullmatch(name) else "builtins.Exception"


def _refuse() -> str:
    _refusals.add()
    return REFUSED


def _allow_list(logger: object, method: str, event: _Event) -> _Event:
    """The last step before rendering: every key and value of a record passes here."""
    allowed: _Event = {}
    for key, value in event.items():
        if key == "event":
            known = isinstance(value, str) and _NAME.fullmatch(value) is not None
            allowed["event"] = value if known else _refuse()
        elif isinstance(key, str) and _NAME.fullmatch(key):
            allowed[key] = shape(value)
        else:
            allowed["refused"] = _refuse()
    return allowed


class _State:
    def __init__(self, role: str, stream: TextIO) -> None:
        word = role if _ROLE.fullmatch(role) else "unknown"

        def stamp(logger: object, method: str, event: _Event) -> _Event:
            event["level"] = method
            event["role"] = word
            return event

        self.logger: Any = structlog.wrap_logger(
            structlog.WriteLogger(stream),
            processors=[
                _allow_list,
                stamp,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
            cache_logger_on_first_use=False,
        )


_state: list[_State] = []


def log() -> Log:
    """The log of this process; before `configure_logging` it writes to stderr."""
    if not _state:
        return _State("unknown", sys.stderr).logger  # type: ignore[no-any-return]  # structlog builds its loggers from a runtime class
    return _state[-1].logger  # type: ignore[no-any-return]  # as above


def configure_logging(role: str, stream: TextIO | None = None) -> None:
    """Sends this process's records to `stream` (stderr if None) as JSON, one a line.

    Libraries' own records and uncaught exceptions are reduced to the name of the
    logger, the level and the exception's type, since their texts may quote anything.
    """
    _state[:] = [_State(role, sys.stderr if stream is None else stream)]
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
    root.addHandler(_LibraryHandler())
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda arguments: _report("thread_failed", arguments.exc_value)
    sys.unraisablehook = lambda arguments: _report("exception_ignored", arguments.exc_value)


class _Library:
    """The name of a logger, cut to the imported package that it belongs to."""

    def __init__(self, logger: str) -> None:
        package = logger.partition(".")[0]
        self.package = package if package in sys.modules or package == "root" else REFUSED


class _LibraryHandler(logging.Handler):
    """Turns a record of the standard library's logging into one without its text."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        write = log().error if record.levelno >= logging.ERROR else log().warning
        write("library_message", library=_Library(record.name), severity=record.levelno, error=error)


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _report("uncaught_exception", error)


def _report(event: str, error: BaseException | None) -> None:
    log().error(event, error=error)
