"""A door for people: bytes between a TCP port and the console's unix socket, and nothing else.

    python -m doublethink_console.door --listen HOST:PORT --socket PATH

For containers: the network that a port can be published from is one with a way out, and the console is to have none. So
it listens on a unix socket, and this stands on that network: it holds no key, opens no connection to anywhere but
that socket, and looks at nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_MOST_CONNECTIONS: Final = 256
_PIECE_BYTES: Final = 65_536
# Longer than the pauses in a stream of events, which has heartbeats.
_IDLE_S: Final = 300.0
_CONNECT_S: Final = 5.0


class Door:
    """Accepts connections and joins each with one to the socket."""

    def __init__(self, socket: Path, most: int = _MOST_CONNECTIONS, idle_s: float = _IDLE_S) -> None:
        self._socket, self._most, self._idle_s = socket, most, idle_s
        self._open = 0

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass bytes both ways until either side ends, or nothing has passed for too long."""
        if self._open >= self._most:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            return
        self._open += 1
        inner: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(_CONNECT_S):
                answers, inner = await asyncio.open_unix_connection(str(self._socket))
            await self._both_ways((reader, inner), (answers, writer))
        except (OSError, TimeoutError):
            pass  # whoever connected sees the closed connection
        finally:
            self._open -= 1
            for end in (writer, inner):
                if end is not None:
                    end.close()
                    with contextlib.suppress(OSError):
                        await end.wait_closed()

    async def _both_ways(self, *pairs: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        """Raises TimeoutError after a silence of both ways: whoever follows a stream says nothing himself."""
        async with asyncio.timeout(self._idle_s) as silence:
            ways = [asyncio.create_task(self._pass(*pair, silence)) for pair in pairs]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, silence: asyncio.Timeout
    ) -> None:
        while piece := await source.read(_PIECE_BYTES):
            target.write(piece)
            await target.drain()
            silence.reschedule(asyncio.get_running_loop().time() + self._idle_s)


async def serve(host: str, port: int, door: Door) -> None:
    """Serve until a signal ends it. Raises OSError where the address cannot be bound."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    server = await asyncio.start_server(door.join, host, port, limit=_PIECE_BYTES)
    await ended.wait()
    server.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 ended by a signal, 2 wrong use, 4 the address cannot be bound."""
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_console.door",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--listen", required=True, help="HOST:PORT")
    parser.add_argument("--socket", type=Path, required=True, help="the console's listen.http")
    options = parser.parse_args(arguments)
    host, colon, port = options.listen.rpartition(":")
    if not colon or not port.isdigit() or not 0 < int(port) < 65_536:
        parser.error("--listen takes HOST:PORT")
    try:
        asyncio.run(serve(host.strip("[]"), int(port), Door(options.socket)))
    except OSError as error:
        sys.stderr.write(f"door: --listen cannot be bound: {error.strerror}\n")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
