"""Frames between the serving process and a worker: a varint length, then that many bytes.

The length is the base-128 varint of the protocol buffers encoding (https://protobuf.dev/programming-guides/encoding/).
"""

from __future__ import annotations

import asyncio
from typing import Final

from .errors import FrameBroken

_MAX_LENGTH_BYTES: Final = 5


def frame(payload: bytes) -> bytes:
    """The payload with its length in front."""
    length, head = len(payload), bytearray()
    while length > 0x7F:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head) + payload


async def read_frame(reader: asyncio.StreamReader, max_bytes: int) -> bytes | None:
    """The next payload, or None where the stream ends between frames. Raises FrameBroken."""
    length = shift = 0
    for position in range(_MAX_LENGTH_BYTES):
        byte = await reader.read(1)
        if not byte:
            if position == 0:
                return None
            raise FrameBroken("the stream ends within a length")
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            break
    else:
        raise FrameBroken("a length of more than five bytes")
    if length > max_bytes:
        raise FrameBroken("a frame larger than allowed")
    try:
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        raise FrameBroken("the stream ends within a frame") from None
