"""A health probe for images without a shell: `python probe.py ADDRESS`.

ADDRESS is the one of `listen.health`: "unix:PATH" or "HOST:PORT". Exit codes: 0 SERVING, 1 anything else, 2 wrong use.

It runs every few seconds in every container, so that it imports next to nothing: the one call of grpc.health.v1 is
written out, as HTTP/2 frames (RFC 9113) whose header block has no compression (RFC 7541, section 6.2.2), and of the
answer nothing is read but the message. Images have it as a file of its own, which runs without the package.
"""

from __future__ import annotations

import socket
import struct
import sys
import time
from collections.abc import Sequence
from typing import Final

SECONDS: Final = 2.0
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RESET, _SETTINGS, _GOAWAY = 0x0, 0x1, 0x3, 0x4, 0x7
_END_STREAM, _END_HEADERS = 0x1, 0x4
# An uncompressed message of two bytes: field 1 (status), the number 1 (SERVING).
_SERVING: Final = b"\x00\x00\x00\x00\x02\x08\x01"
_LONGEST_FRAME: Final = 16_384
_MOST_FRAMES: Final = 32
_CALL: Final = (
    (b":method", b"POST"),
    (b":scheme", b"http"),
    (b":path", b"/grpc.health.v1.Health/Check"),
    (b":authority", b"localhost"),
    (b"content-type", b"application/grpc"),
    (b"te", b"trailers"),
)


def is_serving(address: str, seconds: float = SECONDS) -> bool:
    """Whether the whole server there says SERVING within `seconds`."""
    deadline = time.monotonic() + seconds
    try:
        with _connect(address, seconds) as connection:
            headers = b"".join(_literal(name) + _literal(value, start=b"") for name, value in _CALL)
            connection.sendall(
                _PREFACE
                + _frame(_SETTINGS, 0, 0, b"")
                + _frame(_HEADERS, _END_HEADERS, 1, headers)
                # The empty message: no service named, so the whole server.
                + _frame(_DATA, _END_STREAM, 1, b"\x00\x00\x00\x00\x00")
            )
            return _answer(connection, deadline) == _SERVING
    except (OSError, ValueError):
        return False


def _connect(address: str, seconds: float) -> socket.socket:
    """Raises OSError, or ValueError for an address of another form."""
    if address.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(seconds)
            connection.connect(address.removeprefix("unix:"))
        except OSError:
            connection.close()
            raise
        return connection
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), seconds)


def _answer(connection: socket.socket, deadline: float) -> bytes:
    """The message of the answer; empty where there is none. Raises OSError, ValueError."""
    message = b""
    for _ in range(_MOST_FRAMES):
        head = _read(connection, 9, deadline)
        length, kind, flags, stream = int.from_bytes(head[:3], "big"), head[3], head[4], head[5:9]
        if length > _LONGEST_FRAME:
            raise ValueError
        payload = _read(connection, length, deadline)
        ours = int.from_bytes(stream, "big") == 1
        if kind == _DATA and ours:
            message += payload
        if kind == _GOAWAY or (ours and (kind == _RESET or flags & _END_STREAM)):
            break
    return message


def _read(connection: socket.socket, count: int, deadline: float) -> bytes:
    """Exactly so many bytes. Raises OSError where they do not come in time."""
    read = b""
    while len(read) < count:
        connection.settimeout(max(deadline - time.monotonic(), 0.001))
        piece = connection.recv(count - len(read))
        if not piece:
            raise ConnectionError
        read += piece
    return read


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + struct.pack(">BBI", kind, flags, stream) + payload


def _literal(text: bytes, start: bytes = b"\x00") -> bytes:
    """A string of a header block; with its start, a field that is not indexed with this name. At most 126 bytes."""
    return start + bytes([len(text)]) + text


def main(arguments: Sequence[str]) -> int:
    """Probe once; return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: probe.py ADDRESS\n")
        return 2
    return 0 if is_serving(arguments[0]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
