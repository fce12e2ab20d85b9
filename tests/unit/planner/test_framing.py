"""Frames between the serving process and a worker."""

from __future__ import annotations

import asyncio

import pytest
from doublethink_planner.errors import FrameBroken
from doublethink_planner.framing import frame, read_frame
from hypothesis import given, settings
from hypothesis import strategies as st


def _read(data: bytes, max_bytes: int = 1 << 20) -> list[bytes]:
    async def read() -> list[bytes]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        frames = []
        while (payload := await read_frame(reader, max_bytes)) is not None:
            frames.append(payload)
        return frames

    return asyncio.run(read())


@given(st.lists(st.binary(max_size=400), max_size=6))
@settings(max_examples=60, deadline=None)
def test_frames_come_back_as_they_went(payloads: list[bytes]) -> None:
    """Any sequence of payloads survives."""
    assert _read(b"".join(map(frame, payloads))) == payloads


@given(st.binary(min_size=1, max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_frames_or_broken(data: bytes) -> None:
    """Noise gives frames or FrameBroken and nothing else."""
    try:
        _read(data, 64)
    except FrameBroken:
        return


@pytest.mark.parametrize("data", [frame(b"x" * 300)[:-1], b"\x80", b"\xff" * 6, frame(b"x" * 65)])
def test_a_cut_or_oversized_frame_is_broken(data: bytes) -> None:
    """A stream that ends within a frame, a length without end, a frame beyond the bound."""
    with pytest.raises(FrameBroken):
        _read(data, 64 if data == frame(b"x" * 65) else 1 << 20)
