"""The process that reads hostile bytes: `python -I -m doublethink_gate.pages.worker`, started by `extractor`.

It takes pages on its standard input and gives texts on its standard output, one at a time. Its memory is
bounded, it can write no file, start no other process (unless it runs as root, whom that limit does not hold),
and it knows no key and no address.
A frame is the length of a JSON header (4 bytes, big-endian), the header, and what the header says follows.
"""

import json
import resource
import struct
import sys
from typing import Any, BinaryIO

from .errors import PageError
from .extract import extract_page
from .limits import Limits

MEMORY_BYTES = 2 * 1024**3
MAX_HEADER = 65_536
_LENGTH = struct.Struct(">I")


def main() -> int:
    """Serve frames until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        header = _read_header(requests)
        if header is None:
            return 0
        body = requests.read(header["body"])
        answers.write(_answer(body, header))
        answers.flush()


def frame(header: dict[str, Any], body: bytes) -> bytes:
    """One frame."""
    encoded = json.dumps(header).encode()
    return _LENGTH.pack(len(encoded)) + encoded + body


def _answer(body: bytes, header: dict[str, Any]) -> bytes:
    try:
        page = extract_page(body, header["content_type"], Limits(**header["limits"]))
    except PageError as error:
        return frame({"error": type(error).__name__, "with": vars(error), "body": 0}, b"")
    text = page.text.encode()
    fields = {
        "title": page.title,
        "stripped": dict(page.stripped),
        "replaced": page.replaced,
        "cut": page.cut,
        "charset": page.charset,
        "body": len(text),
    }
    return frame(fields, text)


def _read_header(stream: BinaryIO) -> dict[str, Any] | None:
    length = stream.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        return None
    header: dict[str, Any] = json.loads(stream.read(_LENGTH.unpack(length)[0]))
    return header


if __name__ == "__main__":
    sys.exit(main())
