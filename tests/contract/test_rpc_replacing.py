"""A server is replaced by another at the same address, as a rolling update does, while callers go on calling."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from doublethink.gate.v1 import search_pb2
from doublethink_rpc import Call, Peer, RpcError, Server
from sim.contracts import sample
from sim.wire import CAPABILITY, Bench, bench

_SEARCH = search_pb2.DESCRIPTOR.services_by_name["SearchService"]
_AGE_S = 0.5
"""Of the connections."""
_AT_ONCE = 8
_SOME = 300


class Address:
    """What a Service is: new connections go to the server that is named now, and old ones stay where they are."""

    def __init__(self, server: str) -> None:
        self.server = server

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        there, back = await asyncio.open_unix_connection(self.server)
        await asyncio.gather(_carry(reader, back), _carry(there, writer))


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
    with contextlib.suppress(ConnectionError, RuntimeError):
        writer.close()


class _Answering:
    """Answers after a moment; `busy` is set once it has answered some hundreds."""

    def __init__(self) -> None:
        self.busy = asyncio.Event()
        self._calls = 0

    async def Search(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
        del request, call
        self._calls += 1
        if self._calls == _SOME:
            self.busy.set()
        await asyncio.sleep(0.002)
        return sample(search_pb2.SearchResponse.DESCRIPTOR)

    async def Release(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
        """Nobody calls this."""
        raise AssertionError


@asynccontextmanager
async def _server(on: Bench, name: str, handler: object) -> AsyncIterator[Server]:
    config = replace(
        on.config(connection_age_s=_AGE_S),
        listen=f"unix:{on.folder}/{name}",
        health_listen=f"unix:{on.folder}/{name}.h",
        metrics_listen=None,
    )
    server = Server(config, [(_SEARCH, handler)])
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0)


async def _call(peer: Peer) -> None:
    await peer.call(
        "doublethink.gate.v1.SearchService/Search",
        search_pb2.SearchRequest(query="x"),
        search_pb2.SearchResponse,
        capability=CAPABILITY,
    )


async def test_no_call_is_lost_where_the_old_server_outlives_its_connections() -> None:
    """The old server takes calls for longer than a connection gets old: by then every caller has gone to the new one.

    Without that wait a call of each caller is cancelled, as a rule: it was on its way to a server that stopped.
    """
    lost: list[str] = []
    ended = asyncio.Event()
    old, new = _Answering(), _Answering()

    async def calling(peer: Peer) -> None:
        while not ended.is_set():
            try:
                await _call(peer)
            except RpcError as error:
                lost.append(str(error))

    async with (
        asyncio.timeout(60),
        bench() as on,
        _server(on, "1", old) as first,
        _server(on, "2", new),
    ):
        address = Address(f"{on.folder}/1")
        listener = await asyncio.start_unix_server(address.take, f"{on.folder}/s")
        peers = [on.peer("planner") for _ in range(3)]
        callers = [asyncio.create_task(calling(peer)) for peer in peers for _ in range(_AT_ONCE)]
        await old.busy.wait()
        address.server = f"{on.folder}/2"
        await asyncio.sleep(4 * _AGE_S)
        await first.stop()
        await new.busy.wait()
        ended.set()
        await asyncio.gather(*callers)
        for peer in peers:
            await peer.close()
        listener.close()
    assert lost == []
