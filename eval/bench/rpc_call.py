"""What the rpc library costs: a unary call over a unix socket with mutual TLS, beside gRPC alone.

Both sides of both calls run in this process and take turns in short rounds, so
that the machine's other work touches them alike. What counts is the ratio.

    python eval/bench/rpc_call.py [--quick]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
from doublethink.gate.v1 import search_pb2
from doublethink_rpc import Peer, Server, ServerConfig, configure_logging
from doublethink_rpc.certificates import Issued, make_authority
from grpc import aio

_METHOD = "doublethink.gate.v1.SearchService/Search"
_REQUEST = search_pb2.SearchRequest(query="revenue of listed makers of centrifugal pumps, fiscal year 2024")
_RESPONSE = search_pb2.SearchResponse(
    query_id="qry_" + "a" * 26,
    counts=[search_pb2.ClassCount(source_class="SOURCE_CLASS_COMPANY", results=7)] * 5,
)
_CAPABILITY = b"c" * 32

_Once = Callable[[], Awaitable[Any]]


class _Search:
    async def Release(self, request: Any, call: Any) -> Any:  # noqa: N802 - the contract's name
        raise NotImplementedError

    async def Search(self, request: Any, call: Any) -> Any:  # noqa: N802 - the contract's name
        return _RESPONSE


async def _plain_server(address: str, issued: Issued) -> aio.Server:
    async def search(request: Any, context: Any) -> Any:
        return _RESPONSE

    handler = grpc.unary_unary_rpc_method_handler(
        search,
        request_deserializer=search_pb2.SearchRequest.FromString,
        response_serializer=search_pb2.SearchResponse.SerializeToString,
    )
    server = aio.server()
    generic = grpc.method_handlers_generic_handler(_METHOD.partition("/")[0], {"Search": handler})
    server.add_generic_rpc_handlers((generic,))
    pair = [(issued.key, issued.certificate)]
    server.add_secure_port(
        address, grpc.ssl_server_credentials(pair, issued.authority, require_client_auth=True)
    )
    await server.start()
    return server


async def _round(once: _Once, calls: int) -> float:
    """Seconds a call, one after the other."""
    started = time.perf_counter()
    for _ in range(calls):
        await once()
    return (time.perf_counter() - started) / calls


async def measure(folder: Path, rounds: int, calls: int) -> tuple[list[float], list[float]]:
    """Seconds a call, per round: of the library and of gRPC alone."""
    authority = make_authority()
    tls = {role: authority.issue(role).write(folder) for role in ("gate", "planner")}
    address = f"unix:{folder}/s"
    config = ServerConfig("gate", address, tls["gate"], f"unix:{folder}/h", None)
    server = Server(config, [(search_pb2.DESCRIPTOR.services_by_name["SearchService"], _Search())])
    await server.start()
    plain = await _plain_server(f"unix:{folder}/p", authority.issue("gate"))
    peer = Peer(address, "gate", tls["planner"], "planner")
    own = authority.issue("planner")
    channel = aio.secure_channel(
        f"unix:{folder}/p",
        grpc.ssl_channel_credentials(own.authority, own.key, own.certificate),
        options=[("grpc.ssl_target_name_override", "gate.doublethink.internal")],
    )
    bare = channel.unary_unary(
        f"/{_METHOD}",
        request_serializer=search_pb2.SearchRequest.SerializeToString,
        response_deserializer=search_pb2.SearchResponse.FromString,
    )
    metadata = (("dt-capability-bin", _CAPABILITY),)

    async def checked() -> Any:
        return await peer.call(_METHOD, _REQUEST, search_pb2.SearchResponse, capability=_CAPABILITY)

    async def unchecked() -> Any:
        return await bare(_REQUEST, metadata=metadata, timeout=60)

    await _round(checked, calls)
    await _round(unchecked, calls)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(await _round(checked, calls))
        theirs.append(await _round(unchecked, calls))
    await peer.close()
    await channel.close()
    await server.stop(0)
    await plain.stop(0)
    return ours, theirs


def main() -> None:
    """Measures and prints medians and their ratio."""
    parser = argparse.ArgumentParser(description="A checked call beside a bare one.")
    parser.add_argument("--quick", action="store_true", help="a few rounds, to see that it works")
    rounds, calls = (5, 50) if parser.parse_args().quick else (40, 200)
    configure_logging("gate")
    with tempfile.TemporaryDirectory(prefix="dt") as folder:
        ours, theirs = asyncio.run(measure(Path(folder), rounds, calls))
    checked, bare = statistics.median(ours), statistics.median(theirs)
    print(f"checked call  {checked * 1e6:8.0f} us (median of {rounds} rounds of {calls})")
    print(f"bare call     {bare * 1e6:8.0f} us")
    print(f"ratio         {checked / bare:8.2f}")


if __name__ == "__main__":
    main()
