"""The door joins a TCP port with the console's unix socket, and does nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from doublethink_console import door

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def standing(handler: Handler | None, most: int = 8, idle_s: float = 30.0) -> AsyncIterator[int]:
    """The port of a door in front of a server with this handler, or of none."""
    with tempfile.TemporaryDirectory(prefix="dt") as folder:
        socket = Path(folder) / "s"
        async with contextlib.AsyncExitStack() as stack:
            if handler is not None:
                await stack.enter_async_context(await asyncio.start_unix_server(handler, str(socket)))
            joined = door.Door(socket, most, idle_s)
            server = await stack.enter_async_context(await asyncio.start_server(joined.join, "127.0.0.1", 0))
            try:
                yield server.sockets[0].getsockname()[1]
            finally:
                # Both ends of every connection see its end before the loop is closed.
                current = asyncio.current_task()
                left = [task for task in asyncio.all_tasks() if task is not current]
                await asyncio.wait_for(asyncio.gather(*left, return_exceptions=True), 10)
                await asyncio.sleep(0.01)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Give everything back until the other side ends."""
    while piece := await reader.read(65_536):
        writer.write(piece)
        await writer.drain()
    writer.close()
    await writer.wait_closed()


async def test_bytes_pass_both_ways_unchanged() -> None:
    """A megabyte comes back as it went."""
    sent = bytes(range(256)) * 4096
    async with standing(echo) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        assert await asyncio.wait_for(reader.readexactly(len(sent)), 20) == sent
        writer.close()


async def test_an_answer_that_ends_ends_the_connection() -> None:
    """What the console wrote before it closed arrives whole."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"x" * 300_000)
        await writer.drain()
        writer.close()

    async with standing(answer) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hello\n")
        assert await asyncio.wait_for(reader.read(), 20) == b"x" * 300_000
        writer.close()


async def test_without_a_console_a_connection_is_closed() -> None:
    """Nothing hangs where nobody listens behind it."""
    async with standing(None) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await asyncio.wait_for(reader.read(), 20) == b""
        writer.close()


async def test_connections_are_bounded_in_number_and_in_silence() -> None:
    """One too many is closed at once; one on which nothing passes is closed after its time."""
    async with standing(echo, most=1, idle_s=0.5) as port:
        first, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"a")
        assert await first.readexactly(1) == b"a"
        second, other = await asyncio.open_connection("127.0.0.1", port)
        assert await asyncio.wait_for(second.read(), 20) == b""
        assert await asyncio.wait_for(first.read(), 20) == b""
        writer.close()
        other.close()


async def test_a_stream_goes_on_while_its_reader_is_silent() -> None:
    """What the console keeps sending is not cut off because whoever follows it sends nothing."""

    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for _ in range(8):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.4)
        writer.close()

    async with standing(stream, idle_s=1.5) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"follow\n")
        assert await asyncio.wait_for(reader.read(), 20) == b"x" * 8
        writer.close()


@pytest.mark.parametrize("listen", ["8443", "host:", "host:0", "host:65536"])
def test_wrong_use_ends_with_2(listen: str) -> None:
    """An address without a usable port."""
    with pytest.raises(SystemExit) as ended:
        door.main(["--listen", listen, "--socket", "/nowhere"])
    assert ended.value.code == 2
