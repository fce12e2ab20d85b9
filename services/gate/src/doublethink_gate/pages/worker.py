"""The process that starts one for each page: `python -I -m doublethink_gate.pages.worker`, started by `fork_server`.

It loads the parsers once and reads no page itself. Each request on its standard input, a socket, brings one end of a
page's own connection; for it a copy of this process is made, which confines itself (`confinement`), reads one page from
that connection, answers, and ends. A copy begins as this process is, which has seen no page, no query and no session:
whatever a page makes of its copy is gone with it, and no other page was ever in it.
A frame is the length of a JSON header (4 bytes, big-endian), the header, and what the header says follows.
"""

import codecs
import gc
import json
import os
import platform
import socket
import struct
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO, Final, NoReturn

from .charset import CODECS
from .confinement import confine, end_with_parent, filter_program, spend_at_most
from .errors import PageError
from .extract import extract_page
from .limits import Limits
from .pdf import load_everything
from .results_page import read_results

READY: Final = b"r"
"""Sent once: from here on processes are started."""
START: Final = b"s"
"""Asks for a process; with it comes the end of a connection."""
STARTED: Final = b"p"
"""It is there; with it comes a pidfd."""
REFUSED: Final = b"n"
"""The kernel gave none."""

MAX_HEADER: Final = 65_536
_SHORTEST: Final = b"<title>t</title><p>Revenue was 4.2."
_LENGTH: Final = struct.Struct(">I")


def main() -> int:
    """Start processes until the input ends."""
    # Codecs, and much of the PDF library, are found by opening files, which no copy can do.
    for codec in CODECS:
        codecs.lookup(codec)
    load_everything()
    # What every copy would work out for itself, over again.
    filter_program(platform.machine())
    extract_page(_SHORTEST, "text/html; charset=utf-8")
    end_with_parent()
    gc.collect()
    gc.freeze()  # a copy's collector then leaves the shared memory alone, which would have to be copied
    control = socket.socket(fileno=0)
    control.send(READY)
    while True:
        message, connections, _, _ = socket.recv_fds(control, len(START), 1)
        if not message:
            return 0
        _start(control, connections[0])


def _start(control: socket.socket, connection: int) -> None:
    _bury()
    try:
        pid = os.fork()
    except OSError:
        os.close(connection)
        control.send(REFUSED)
        return
    if pid == 0:
        _end_after(connection)
    os.close(connection)
    # It is not waited for before this, so that its number cannot be another's by now.
    handle = os.pidfd_open(pid)
    socket.send_fds(control, [STARTED], [handle])
    os.close(handle)


def _bury() -> None:
    """Take note of the processes that have ended; one that ends later waits for the next request."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass  # there is none at all


def _end_after(connection: int) -> NoReturn:
    """In the copy: serve the one page, and end, whatever happens."""
    code = 1
    try:
        os.dup2(connection, 0)
        os.dup2(connection, 1)
        # Nothing else is open but standard error, which leads nowhere, since a traceback could quote the page.
        os.close(connection)
        confine()
        with open(0, "rb", closefd=False) as request, open(1, "wb", closefd=False) as answer:
            answer.write(_served(request))
        code = 0
    finally:
        os._exit(code)


def _served(request: BinaryIO) -> bytes:
    (length,) = _LENGTH.unpack(request.read(_LENGTH.size))
    header: dict[str, Any] = json.loads(request.read(length))
    body = request.read(header["body"])
    spend_at_most(header["seconds"])
    try:
        return TASKS[header["task"]](body, header)
    except PageError as error:
        return frame({"error": type(error).__name__, "with": vars(error), "body": 0}, b"")


def frame(header: dict[str, Any], body: bytes) -> bytes:
    """One frame."""
    encoded = json.dumps(header).encode()
    return _LENGTH.pack(len(encoded)) + encoded + body


def _page(body: bytes, header: dict[str, Any]) -> bytes:
    page = extract_page(body, header["content_type"], Limits(**header["limits"]))
    text = page.text.encode()
    fields = {
        "title": page.title,
        "stripped": dict(page.stripped),
        "replaced": page.replaced,
        "cut": page.cut,
        "charset": page.charset,
        "hints": asdict(page.hints),
        "extractor": page.extractor,
        "body": len(text),
    }
    return frame(fields, text)


def _results(body: bytes, header: dict[str, Any]) -> bytes:
    found = json.dumps(asdict(read_results(body, header["query"]))).encode()
    return frame({"body": len(found)}, found)


TASKS: Final[dict[str, Callable[[bytes, dict[str, Any]], bytes]]] = {"page": _page, "results": _results}


if __name__ == "__main__":
    sys.exit(main())
