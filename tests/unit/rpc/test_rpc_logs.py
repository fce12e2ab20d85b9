"""Logs hold fixed events, numbers, enums and ids; nothing else gets in."""

from __future__ import annotations

import enum
import io
import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Iterator

import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.gate.v1 import search_pb2
from doublethink_rpc import RpcError, log
from doublethink_rpc import logs as module
from doublethink_rpc.contract import ROLES
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.logs import caught_log, records

_SECRET = "Nordwind at 42 euros"


class _Colour(enum.Enum):
    RED = _SECRET


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What the log wrote."""
    with caught_log() as written:
        yield written


def test_a_record_is_one_line_of_json(stream: io.StringIO) -> None:
    """The event, its level, the role and the time stand in each record."""
    log().info("page_stored", rank=3, cut=False)
    record = records(stream)[0]
    assert record.pop("at").endswith("Z")
    assert record == {"event": "page_stored", "level": "info", "role": "gate", "rank": 3, "cut": False}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, True),
        (None, None),
        (0, 0),
        (-(2**63), -(2**63)),
        (1.5, 1.5),
        (_Colour.RED, "RED"),
        ("qry_" + "a" * 26, "qry_" + "a" * 26),
        ("planner", "planner"),
        ("ERROR_CODE_HELD", "ERROR_CODE_HELD"),
        (ErrorCode.ERROR_CODE_HELD, 7),
        (ValueError(_SECRET), "builtins.ValueError"),
        (RpcError(ErrorCode.ERROR_CODE_HELD), "ERROR_CODE_HELD"),
        (search_pb2.SearchRequest.DESCRIPTOR.fields[0], "doublethink.gate.v1.SearchRequest.query"),
    ],
)
def test_these_shapes_pass(value: object, written: object, stream: io.StringIO) -> None:
    """Numbers, members, ids, roles, codes, contract names and the types of exceptions are written."""
    log().warning("event", value=value)
    assert records(stream)[0]["value"] == written


@pytest.mark.parametrize(
    "value",
    [
        _SECRET,
        "nordwind",
        "NORDWIND",
        "",
        "qry_" + "a" * 25,
        "ERROR_CODE_NORDWIND",
        b"bytes",
        b"c" * 32,
        [1],
        {"a": 1},
        (1, 2),
        2**63,
        float("nan"),
        float("inf"),
        ValueError,
        object(),
        search_pb2.SearchRequest(query=_SECRET),
    ],
)
def test_other_shapes_are_refused_and_counted(value: object, stream: io.StringIO) -> None:
    """Any text, bytes, collection or message becomes "[refused]"; the process counts it."""
    before = module.refused_values()
    log().error("event", value=value)
    assert records(stream)[0]["value"] == "[refused]"
    assert module.refused_values() == before + 1


@pytest.mark.parametrize("event", [_SECRET, "Event", "9event", "an event", "", "e" * 65, "ünicode"])
def test_an_event_has_a_fixed_name(event: str, stream: io.StringIO) -> None:
    """An event that is not a plain identifier is refused."""
    log().info(event)
    assert records(stream)[0]["event"] == "[refused]"


def test_a_key_has_a_plain_name(stream: io.StringIO) -> None:
    """A payload cannot hide in the name of a value either."""
    log().info("event", **{_SECRET: 1})
    assert "Nordwind" not in stream.getvalue()
    assert records(stream)[0]["refused"] == "[refused]"


def test_nothing_is_formatted_into_an_event(stream: io.StringIO) -> None:
    """Positional values do not become part of the text."""
    log().info("event %s", _SECRET)  # type: ignore[call-arg]  # the misuse is the point
    assert "Nordwind" not in stream.getvalue()


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_no_text_passes(text: str) -> None:
    """Whatever the text, it is refused unless it is a role or a code's name."""
    known = text in {"unknown", *ROLES, *ErrorCode.keys()}
    assert module.shape(text) == (text if known else module.REFUSED)


def test_an_exception_is_its_type(stream: io.StringIO) -> None:
    """`exc_info` writes no traceback and no text."""
    try:
        raise KeyError(_SECRET)
    except KeyError as error:
        log().error("event", error=error, exc_info=True)
    assert "Nordwind" not in stream.getvalue()
    assert records(stream)[0]["error"] == "builtins.KeyError"


def test_libraries_records_lose_their_text(stream: io.StringIO) -> None:
    """The standard library's logging and warnings come out as an event without words."""
    logging.getLogger("asyncio").error("task failed: %s", _SECRET, exc_info=ValueError(_SECRET))
    logging.getLogger(_SECRET).warning(_SECRET)
    logging.getLogger("quiet").info(_SECRET)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(_SECRET, stacklevel=1)
    assert "Nordwind" not in stream.getvalue()
    first, second, *_ = records(stream)
    assert (first["event"], first["library"], first["error"]) == (
        "library_message",
        "asyncio",
        "builtins.ValueError",
    )
    assert second["library"] == "[refused]"


def test_what_nobody_caught_is_reduced_too() -> None:
    """A process that dies of an exception, in a thread or a destructor, writes its type alone."""
    program = """
import asyncio, threading
from doublethink_rpc import configure_logging
configure_logging("reader")
secret = "Nord" + "wind"
class Dying:
    def __del__(self): raise ValueError(secret)
Dying()
thread = threading.Thread(target=lambda: {}[secret]); thread.start(); thread.join()
async def failing(): raise OSError(secret)
async def main():
    task = asyncio.create_task(failing())
    await asyncio.wait([task])
    del task
asyncio.run(main())
raise RuntimeError(secret)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Nordwind" not in done.stdout + done.stderr
    records = [json.loads(line) for line in done.stderr.splitlines()]
    seen = {(record["event"], record["error"]) for record in records}
    assert seen == {
        ("exception_ignored", "builtins.ValueError"),
        ("thread_failed", "builtins.KeyError"),
        ("library_message", "builtins.OSError"),
        ("uncaught_exception", "builtins.RuntimeError"),
    }


def test_before_it_is_configured_the_log_is_as_strict(capsys: pytest.CaptureFixture[str]) -> None:
    """A record written early goes to stderr through the same allow-list."""
    module._state.clear()
    log().info("early", value=_SECRET)
    assert json.loads(capsys.readouterr().err)["value"] == "[refused]"
