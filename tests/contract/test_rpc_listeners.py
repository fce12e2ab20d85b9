"""Health and metrics have listeners of their own, and certificates are followed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import grpc
import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.gate.v1 import ledger_pb2, search_pb2
from doublethink_rpc import Call, Peer, RpcError, Server, StartRefused, probe, run
from doublethink_rpc.certificates import make_authority
from doublethink_rpc.contract import read_service
from doublethink_rpc.health import Health
from grpc_health.v1 import health_pb2, health_pb2_grpc
from sim.contracts import handler_for, made, make_contract, sample
from sim.wire import CAPABILITY, Bench, NothingHeld, bench, raw_call, serving

_SEARCH = search_pb2.DESCRIPTOR.services_by_name["SearchService"]
_LEDGER = ledger_pb2.DESCRIPTOR.services_by_name["LedgerService"]
_SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture
async def on() -> AsyncIterator[Bench]:
    """A bench without a server."""
    async with bench() as made_bench:
        yield made_bench


async def _search(peer: Peer) -> search_pb2.SearchResponse:
    return await peer.call(
        "doublethink.gate.v1.SearchService/Search",
        search_pb2.SearchRequest(query="x"),
        search_pb2.SearchResponse,
        capability=CAPABILITY,
    )


async def test_health_is_asked_without_a_certificate(on: Bench) -> None:
    """The whole and each service are SERVING on the plain listener; others are not known to it."""
    async with (
        serving(on, [(_SEARCH, handler_for(_SEARCH))]),
        grpc.aio.insecure_channel(f"unix:{on.folder}/h") as channel,
    ):
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", _SEARCH.full_name):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == _SERVING
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await health.Check(health_pb2.HealthCheckRequest(service="other"))
        assert error.value.code() is grpc.StatusCode.NOT_FOUND


async def test_the_health_listener_offers_nothing_else(on: Bench) -> None:
    """The platform's services are not reachable without a certificate by way of the health listener."""
    async with (
        serving(on, [(_SEARCH, handler_for(_SEARCH))]),
        grpc.aio.insecure_channel(f"unix:{on.folder}/h") as channel,
    ):
        wire = sample(search_pb2.SearchRequest.DESCRIPTOR).SerializeToString()
        call = channel.unary_unary("/doublethink.gate.v1.SearchService/Search")(wire)
        assert await call.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_server_that_stops_says_so_first(on: Bench) -> None:
    """While running calls end, health says NOT_SERVING; the calls are let finish."""
    go, running = asyncio.Event(), asyncio.Event()

    class Handler(NothingHeld):
        async def Search(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
            running.set()
            await go.wait()
            return sample(search_pb2.SearchResponse.DESCRIPTOR)

    server = Server(on.config(), [(_SEARCH, Handler())])
    await server.start()
    planner = on.peer("planner")
    asked = asyncio.create_task(_search(planner))
    await asyncio.wait_for(running.wait(), 10)
    async with grpc.aio.insecure_channel(f"unix:{on.folder}/h") as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == _SERVING
        stopping = asyncio.create_task(server.stop(30))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        go.set()
        assert (await asked).query_id
        watch.cancel()
        await stopping
    await planner.close()


async def test_a_call_that_may_last_for_ever_does_not_hold_up_the_end(
    on: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A followed ledger ends early and says that the peer is gone; a search that is under way gets its whole time."""
    monkeypatch.setattr("doublethink_rpc.server.LASTING_S", 0.3)
    go, searching, followed = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class Searches(NothingHeld):
        async def Search(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
            searching.set()
            await go.wait()
            return sample(search_pb2.SearchResponse.DESCRIPTOR)

    async def list_rows(request: Any, call: Call) -> AsyncIterator[Any]:
        followed.set()
        await asyncio.sleep(3600)
        yield sample(ledger_pb2.ListRowsResponse.DESCRIPTOR)

    ledger: Any = handler_for(_LEDGER)
    ledger.ListRows = list_rows
    server = Server(on.config(stop_s=60), [(_SEARCH, Searches()), (_LEDGER, ledger)])
    await server.start()
    planner, console = on.peer("planner"), on.peer("console")
    rows = console.stream(
        "doublethink.gate.v1.LedgerService/ListRows",
        ledger_pb2.ListRowsRequest(follow=True),
        ledger_pb2.ListRowsResponse,
        capability=CAPABILITY,
    )
    asked, following = asyncio.create_task(_search(planner)), asyncio.ensure_future(anext(rows))
    await asyncio.wait_for(asyncio.gather(searching.wait(), followed.wait()), 10)
    stopping = asyncio.create_task(server.stop())
    with pytest.raises(RpcError) as ended:
        await asyncio.wait_for(following, 10)
    assert ended.value.code == ErrorCode.ERROR_CODE_PEER_UNAVAILABLE
    # Longer than what the follower got.
    await asyncio.sleep(0.5)
    assert not asked.done()
    assert not stopping.done()
    go.set()
    assert (await asked).query_id
    await asyncio.wait_for(stopping, 10)
    for peer in (planner, console):
        await peer.close()


async def test_metrics_count_calls_by_closed_labels(on: Bench) -> None:
    """Labels are service, method, caller and code, and their values come from closed sets."""
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        contract = read_service(_SEARCH)[0]
        wire = sample(search_pb2.SearchRequest.DESCRIPTOR).SerializeToString()
        planner = on.peer("planner")
        await _search(planner)
        for dns, uri in (("reader", "reader"), ("reader", "planner"), ("nordwind", "nordwind")):
            stranger = on.authority.issue_names(
                "reader", f"{dns}.doublethink.internal", f"spiffe://doublethink/{uri}"
            )
            channel = on.raw(stranger)
            await raw_call(channel, contract, [wire], [("dt-capability-bin", CAPABILITY)])
            await channel.close()
        text = await on.metrics()
        await planner.close()
    head = "dt_rpc_calls_total{"
    lines = sorted(line for line in text.splitlines() if line.startswith(head))
    where = 'method="Search",service="doublethink.gate.v1.SearchService"'
    assert lines == [
        f'{head}caller="planner",code="OK",{where}}} 1.0',
        f'{head}caller="reader",code="ERROR_CODE_CALLER_REFUSED",{where}}} 1.0',
        f'{head}caller="unknown",code="ERROR_CODE_CALLER_REFUSED",{where}}} 2.0',
    ]
    assert "nordwind" not in text


@pytest.mark.parametrize(
    "request_line",
    [b"GET / HTTP/1.1", b"POST /metrics HTTP/1.1", b"GET /metrics?x=1 HTTP/1.1", b"GET /metrics HTTP/2", b""],
)
async def test_the_metrics_listener_answers_one_request(on: Bench, request_line: bytes) -> None:
    """Anything but GET /metrics is not found, and is not quoted back."""
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        reader, writer = await asyncio.open_unix_connection(f"{on.folder}/m")
        writer.write(request_line + b"\r\n\r\n")
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert answer == b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


async def test_the_metrics_listener_reads_a_bounded_head(on: Bench) -> None:
    """A head without an end is cut off at its limit."""
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        reader, writer = await asyncio.open_unix_connection(f"{on.folder}/m")
        writer.write(b"x" * 20_000)
        try:
            answer = await reader.read()
        except ConnectionResetError:  # the listener closed with bytes of ours unread
            answer = b""
        writer.close()
        assert answer == b""


async def test_a_replaced_certificate_is_taken_up_by_both_sides(on: Bench) -> None:
    """After the authority changed on one side alone nobody gets through; after both, everybody does.

    Neither server nor peer is built anew.
    """
    server_tls, planner_tls = on.tls("gate"), on.tls("planner")
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        planner = Peer(on.target, "gate", planner_tls, "planner")
        assert (await _search(planner)).query_id
        fresh = make_authority()
        fresh.issue("planner").write(planner_tls.certificate.parent)
        with pytest.raises(RpcError) as error:
            await _search(planner)
        assert error.value.code == ErrorCode.ERROR_CODE_PEER_UNAVAILABLE
        fresh.issue("gate").write(server_tls.certificate.parent)
        fresh.issue("planner").write(planner_tls.certificate.parent)
        assert (await _search(planner)).query_id
        await planner.close()


async def test_a_running_call_outlives_a_replaced_certificate(on: Bench) -> None:
    """A stream that is open when the files change is not cut off; the next call uses a new connection."""
    service = make_contract(kinds={"Down": (False, True), "Single": (False, False)})
    kind, go = made(service), asyncio.Event()

    class Handler:
        async def Single(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
            return request

        async def Down(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - contract
            yield request
            await go.wait()
            yield request

    async with serving(on, [(service, Handler())]):
        planner = on.peer("planner")
        rows = planner.stream("made.v1.MadeService/Down", kind(word="x"), kind)
        assert await anext(rows) == kind(word="x")
        on.authority.issue("planner").write(on.folder / "planner")
        assert await planner.call("made.v1.MadeService/Single", kind(word="y"), kind) == kind(word="y")
        go.set()
        assert [message async for message in rows] == [kind(word="x")]
        await planner.close()


async def test_run_serves_until_it_is_told_to_stop(on: Bench) -> None:
    """SIGTERM ends a process that runs a server, and it ends well."""
    started = asyncio.Event()

    class Announced(Server):
        async def start(self) -> None:
            await super().start()
            started.set()

    running = asyncio.create_task(run(Announced(on.config(), [(_SEARCH, handler_for(_SEARCH))])))
    await asyncio.wait_for(started.wait(), 10)
    planner = on.peer("planner")
    assert (await _search(planner)).query_id
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(running, 20)
    with pytest.raises(RpcError):
        await _search(planner)
    await planner.close()


async def test_nothing_of_a_handshake_is_written(on: Bench) -> None:
    """gRPC's own core writes no line about failed handshakes, whatever the environment asks for."""
    on.tls("planner")
    program = """
import asyncio, sys
from pathlib import Path
from doublethink_rpc import Peer, RpcError, TlsFiles
from doublethink.gate.v1 import search_pb2
async def main():
    home = Path(sys.argv[2])
    files = TlsFiles(home / "planner.pem", home / "planner.key", home / "authority.pem")
    peer = Peer(sys.argv[1], "reader", files, "planner")
    try:
        await peer.call("doublethink.gate.v1.SearchService/Search",
                        search_pb2.SearchRequest(query="x"), search_pb2.SearchResponse, capability=b"c" * 32)
    except RpcError as error:
        print(error)
    await peer.close()
asyncio.run(main())
"""
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, on.target, str(on.folder / "planner"),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "GRPC_VERBOSITY": "DEBUG", "GRPC_TRACE": "all"},
        )  # fmt: skip
        out, err = await process.communicate()
    assert out == b"ERROR_CODE_PEER_UNAVAILABLE\n"
    assert err == b""


async def test_a_server_listens_on_all_its_addresses(on: Bench) -> None:
    """Each of several addresses answers, so that a service can be on its callers' networks and on no other; and each
    takes up a replaced certificate, not only the first that has a handshake.
    """
    addresses = [f"unix:{on.folder}/one", f"unix:{on.folder}/two"]
    gate, planner = on.tls("gate"), on.tls("planner")
    server = Server(replace(on.config(), listen=addresses), [(_SEARCH, handler_for(_SEARCH))])
    await server.start()
    peers = [Peer(address, "gate", planner, "planner") for address in addresses]
    try:
        for peer in peers:
            assert (await _search(peer)).query_id
        fresh = make_authority()
        fresh.issue("gate").write(gate.certificate.parent)
        fresh.issue("planner").write(planner.certificate.parent)
        for peer in peers:
            assert (await _search(peer)).query_id
    finally:
        for peer in peers:
            await peer.close()
        await server.stop(0)
    with pytest.raises(StartRefused, match="needs an address"):
        Server(replace(on.config(), listen=[]), [(_SEARCH, handler_for(_SEARCH))])


async def test_the_probe_tells_serving_from_everything_else(on: Bench) -> None:
    """Exit code 0 while it serves, 1 before and after, 2 for wrong use; as a file alone, as images run it, too."""
    address = f"unix:{on.folder}/h"
    alone = (sys.executable, "-I", "-S", probe.__file__, address)
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        assert await asyncio.to_thread(probe.main, [address]) == 0
        process = await asyncio.create_subprocess_exec(*alone)
        assert await asyncio.wait_for(process.wait(), 30) == 0
    assert await asyncio.to_thread(probe.main, [address]) == 1
    health = Health(address, ())
    await health.start()
    try:
        assert await asyncio.to_thread(probe.main, [address]) == 1
        await health.serving()
        assert await asyncio.to_thread(probe.main, [address]) == 0
        await health.stopping()
        assert await asyncio.to_thread(probe.main, [address]) == 1
    finally:
        await health.stop()
    assert probe.main([]) == 2
    assert probe.main(["localhost"]) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"\xff\xff\xff\x00\x01\x00\x00\x00\x01" + b"x" * 100,
        # A message of the right form on another stream, and a wrong one on ours.
        b"\x00\x00\x07\x00\x01\x00\x00\x00\x03\x00\x00\x00\x00\x02\x08\x01",
        b"\x00\x00\x07\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x02\x08\x02",
        b"\x00\x00\x00\x04\x00\x00\x00\x00\x00" * 100,
    ],
)
async def test_the_probe_believes_nothing_else(on: Bench, answer: bytes) -> None:
    """A listener that speaks another protocol, cuts off, or goes on for ever, is not SERVING."""

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(answer)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    path = f"{on.folder}/other"
    async with await asyncio.start_unix_server(answering, path):
        assert not await asyncio.to_thread(probe.is_serving, f"unix:{path}", 5.0)
