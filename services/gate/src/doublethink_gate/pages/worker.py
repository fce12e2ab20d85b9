"""The process that reads hostile bytes: `python -I -m doublethink_gate.pages.worker`, started by `extractor`.

It takes pages on its standard input and gives texts on its standard output, one at a time. Its memory and the
processor's time for one page are bounded, and after its start it can open no file, make no socket and start no process:
see `confinement`. It knows no key and no address.
A frame is the length of a JSON header (4 bytes, big-endian), the header, and what the header says follows.
"""

import codecs
import json
import struct
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO

from .charset import CODECS
from .confinement import confine, spend_at_most
from .errors import PageError
from .extract import extract_page
from .limits import Limits
from .pdf import load_everything
from .results_page import read_results

MAX_HEADER = 65_536
_LENGTH = struct.Struct(">I")


def main() -> int:
    """Serve frames until the input ends."""
    # Both are found by opening files, which is over soon.
    for codec in CODECS:
        codecs.lookup(codec)
    load_everything()
    confine()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        header = _read_header(requests)
        if header is None:
            return 0
        body = requests.read(header["body"])
        spend_at_most(header["seconds"])
        answers.write(_answer(body, header))
        answers.flush()


def frame(header: dict[str, Any], body: bytes) -> bytes:
    """One frame."""
    encoded = json.dumps(header).encode()
    return _LENGTH.pack(len(encoded)) + encoded + body


def _answer(body: bytes, header: dict[str, Any]) -> bytes:
    try:
        return _TASKS[header["task"]](body, header)
    except PageError as error:
        return frame({"error": type(error).__name__, "with": vars(error), "body": 0}, b"")


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


_TASKS: dict[str, Callable[[bytes, dict[str, Any]], bytes]] = {"page": _page, "results": _results}


def _read_header(stream: BinaryIO) -> dict[str, Any] | None:
    length = stream.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        return None
    header: dict[str, Any] = json.loads(stream.read(_LENGTH.unpack(length)[0]))
    return header


if __name__ == "__main__":
    sys.exit(main())
