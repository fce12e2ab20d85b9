"""A server that could not keep its promises does not start."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from doublethink.gate.v1 import search_pb2
from doublethink.options.v1 import options_pb2
from doublethink_rpc import Server, ServerConfig, StartRefused
from doublethink_rpc.certificates import make_authority
from google.protobuf.descriptor import ServiceDescriptor
from sim.contracts import all_services, handler_for, make_contract, make_field
from sim.wire import Bench, bench, serving


class _Anything:
    """A handler that has every method of a made contract, each of the right kind."""

    async def Single(self, request: Any, call: Any) -> Any: ...  # noqa: N802 - names of the contract

    async def Up(self, requests: Any, call: Any) -> Any: ...  # noqa: N802 - as above

    async def Down(self, request: Any, call: Any) -> AsyncIterator[Any]:  # noqa: N802 - as above
        yield

    async def Both(self, requests: Any, call: Any) -> AsyncIterator[Any]:  # noqa: N802 - as above
        yield


def _server(folder: Path, service: ServiceDescriptor, handler: object, **changes: Any) -> Server:
    tls = make_authority().issue("gate").write(folder)
    settings = {"role": "gate", "listen": "unix:/nowhere", "tls": tls, "health_listen": "unix:/nowhere"}
    return Server(ServerConfig(**{**settings, "metrics_listen": None, **changes}), [(service, handler)])


def test_every_contract_of_the_platform_is_complete(tmp_path: Path) -> None:
    """Each service of the contracts is accepted with a full handler."""
    for service in all_services():
        _server(tmp_path, service, handler_for(service))


def test_a_made_contract_is_complete(tmp_path: Path) -> None:
    """The contract that the refusals below take something away from is accepted."""
    _server(tmp_path, make_contract(), _Anything())


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"callers": []}, "names no callers"),
        ({"callers": [0]}, "not a known role"),
        ({"callers": [options_pb2.ROLE_GATE, 77]}, "not a known role"),
        ({"capability": 0}, "declares no capability"),
        ({"capability": 9}, "declares no capability"),
        ({"limits": {}}, "deadline_ms"),
        ({"limits": {"deadline_ms": 1000}}, "message limit"),
        ({"limits": {"deadline_ms": 1000, "max_request_bytes": 9}}, "message limit"),
        ({"limits": {"deadline_ms": 1000, "max_response_bytes": 9}}, "message limit"),
        ({"limits": {"max_request_bytes": 9, "max_response_bytes": 9}}, "deadline_ms"),
        (
            {"limits": {"deadline_ms": 3_600_001, "max_request_bytes": 9, "max_response_bytes": 9}},
            "deadline_ms",
        ),
        (
            {"limits": {"deadline_ms": 1000, "max_request_bytes": 2**31, "max_response_bytes": 9}},
            "message limit",
        ),
        ({"fields": [make_field("word")]}, r"made\.v1\.Made\.word"),
        ({"fields": [make_field("word", repeated=True, max_bytes=3)]}, "max_items"),
        ({"kinds": {}}, "no methods"),
    ],
)
def test_an_incomplete_contract_stops_the_start(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    """No callers, no capability, no limits, no form: the server refuses and says what is missing."""
    with pytest.raises(StartRefused, match=why):
        _server(tmp_path, make_contract(**changes), _Anything())


@pytest.mark.parametrize("missing", ["Single", "Down", "Up", "Both"])
def test_a_handler_has_every_method(tmp_path: Path, missing: str) -> None:
    """A method that the handler lacks, or has of another kind, stops the start."""
    lacking = type("Lacking", (_Anything,), {missing: None})
    with pytest.raises(StartRefused, match=f"MadeService.{missing}"):
        _server(tmp_path, make_contract(), lacking())
    other = {"Single": "Down", "Down": "Single", "Up": "Both", "Both": "Up"}[missing]
    wrong = type("Wrong", (_Anything,), {missing: getattr(_Anything, other)})
    with pytest.raises(StartRefused, match=f"MadeService.{missing}"):
        _server(tmp_path, make_contract(), wrong())


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"role": "reader"}, "spiffe://doublethink/reader"),
        ({"role": "nobody"}, "not one of the contracts' roles"),
        ({"max_concurrent": 0}, "at least 1"),
        ({"queue": -1}, "at least 0"),
    ],
)
def test_wrong_settings_stop_the_start(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    """A role that is not the certificate's, or no room for calls, is refused."""
    with pytest.raises(StartRefused, match=why):
        _server(tmp_path, make_contract(), _Anything(), **changes)


def test_a_server_serves_something_once(tmp_path: Path) -> None:
    """No service at all, and one service twice, are refused."""
    tls = make_authority().issue("gate").write(tmp_path)
    config = ServerConfig("gate", "unix:/nowhere", tls, "unix:/nowhere", None)
    with pytest.raises(StartRefused, match="nothing to do"):
        Server(config, [])
    service = search_pb2.DESCRIPTOR.services_by_name["SearchService"]
    with pytest.raises(StartRefused, match="twice"):
        Server(config, [(service, handler_for(service))] * 2)


@pytest.fixture
async def on() -> AsyncIterator[Bench]:
    """A bench without a server."""
    async with bench() as made_bench:
        yield made_bench


@pytest.mark.parametrize("field", ["listen", "health_listen", "metrics_listen"])
async def test_an_address_that_cannot_be_bound_stops_the_start(on: Bench, field: str) -> None:
    """Each of the three listeners is bound, or the start fails and nothing is left running."""
    config = on.config()
    addresses = {name: getattr(config, name) for name in ("listen", "health_listen", "metrics_listen")}
    addresses[field] = f"unix:{on.folder}/no/such/folder/s"
    server = Server(ServerConfig(role="gate", tls=config.tls, **addresses), [(make_contract(), _Anything())])
    with pytest.raises(StartRefused, match="cannot be bound"):
        await server.start()
    await server.stop(0)


async def test_the_listeners_work_over_tcp(on: Bench) -> None:
    """Host and port are taken as well as unix sockets; port 0 asks for a free one."""
    service = make_contract()
    config = on.config()
    tcp = ServerConfig("gate", "127.0.0.1:0", config.tls, "127.0.0.1:0", "127.0.0.1:0")
    server = Server(tcp, [(service, handler_for(service))])
    await server.start()
    assert server.port > 0
    await server.stop(0)
    await server.wait()


async def test_a_server_takes_the_place_of_a_dead_one(on: Bench) -> None:
    """A socket file that a killed process left behind does not stop the next start."""
    service = make_contract()
    for name in ("s", "h", "m"):
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(on.folder / name))
    async with serving(on, [(service, handler_for(service))]):
        assert "dt_rpc_active" in await on.metrics()
