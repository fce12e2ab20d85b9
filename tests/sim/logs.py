"""The log of a process, caught, with every hook that logging installs put back afterwards."""

from __future__ import annotations

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from doublethink_rpc import configure_logging
from doublethink_rpc import logs as module


@contextmanager
def caught_log(role: str = "gate") -> Iterator[io.StringIO]:
    """What the process writes to its log while the context is open."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    hooks = (sys.excepthook, sys.unraisablehook, threading.excepthook)
    written = io.StringIO()
    configure_logging(role, written)
    try:
        yield written
    finally:
        module._state.clear()
        logging.captureWarnings(False)
        root.handlers[:] = handlers
        root.setLevel(level)
        sys.excepthook, sys.unraisablehook, threading.excepthook = hooks


def records(written: io.StringIO) -> list[dict[str, Any]]:
    """The records that were caught."""
    return [json.loads(line) for line in written.getvalue().splitlines()]
