"""Both ends of a connection for tests: a running server, checked peers, and hostile raw ones."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from doublethink.errors.v1 import errors_pb2
from doublethink_rpc import Call, Peer, RpcError, Server, ServerConfig, TlsFiles
from doublethink_rpc.certificates import Authority, Issued, make_authority
from doublethink_rpc.contract import MethodContract
from doublethink_rpc.status import read_status
from google.protobuf.descriptor import ServiceDescriptor
from grpc import aio

CAPABILITY = b"c" * 32
_AUTHORITY = make_authority()


class NothingHeld:
    """A search service's other method, for handlers that are about searches alone."""

    async def Release(self, request: Any, call: Call) -> Any:  # noqa: N802 - the contract's name
        """Refuse: no hold was ever given out here."""
        raise RpcError(errors_pb2.ERROR_CODE_ID_REFUSED)


@dataclass
class Bench:
    """A folder with sockets and certificates, all under one authority."""

    folder: Path
    authority: Authority = field(default_factory=lambda: _AUTHORITY)
    _files: dict[str, TlsFiles] = field(default_factory=dict)

    def tls(self, role: str) -> TlsFiles:
        """The files of a role, issued once."""
        if role not in self._files:
            home = self.folder / role
            home.mkdir()
            self._files[role] = self.authority.issue(role).write(home)
        return self._files[role]

    @property
    def target(self) -> str:
        """Where the server of this bench listens."""
        return f"unix:{self.folder}/s"

    def config(self, role: str = "gate", **changes: Any) -> ServerConfig:
        """The configuration of the server of this bench."""
        return ServerConfig(
            role,
            self.target,
            self.tls(role),
            f"unix:{self.folder}/h",
            f"unix:{self.folder}/m",
            **changes,
        )

    def peer(self, own_role: str, role: str = "gate") -> Peer:
        """A checked peer that calls the server of this bench."""
        return Peer(self.target, role, self.tls(own_role), own_role)

    def raw(self, issued: Issued | None, role: str = "gate", options: Sequence[Any] = ()) -> aio.Channel:
        """A channel without any check of ours, with the given certificate or none."""
        credentials = grpc.ssl_channel_credentials(
            self.authority.certificate,
            issued.key if issued else None,
            issued.certificate if issued else None,
        )
        name = ("grpc.ssl_target_name_override", f"{role}.doublethink.internal")
        own = ("grpc.use_local_subchannel_pool", 1)
        return aio.secure_channel(self.target, credentials, options=[name, own, *options])

    async def metrics(self) -> str:
        """What the server's metrics listener answers."""
        reader, writer = await asyncio.open_unix_connection(f"{self.folder}/m")
        writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        return answer.decode()


@asynccontextmanager
async def bench() -> AsyncIterator[Bench]:
    """A bench in a folder with a short path, since a unix socket's path is."""
    with tempfile.TemporaryDirectory(prefix="dt") as folder:
        yield Bench(Path(folder))


@asynccontextmanager
async def serving(
    on: Bench, services: Sequence[tuple[ServiceDescriptor, object]], **config: Any
) -> AsyncIterator[Server]:
    """A server of the library that runs on the bench."""
    server = Server(on.config(**config), services)
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0)


@asynccontextmanager
async def hostile(
    on: Bench, contract: MethodContract, behaviour: Callable[..., Any], role: str = "gate"
) -> AsyncIterator[None]:
    """A server with a good certificate and none of our checks, for one method."""
    kinds = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }
    handler = kinds[contract.streams_requests, contract.streams_responses](behaviour)
    issued = on.authority.issue(role)
    credentials = grpc.ssl_server_credentials(
        [(issued.key, issued.certificate)], on.authority.certificate, require_client_auth=True
    )
    server = aio.server()
    generic = grpc.method_handlers_generic_handler(contract.service, {contract.method: handler})
    server.add_generic_rpc_handlers((generic,))
    server.add_secure_port(on.target, credentials)
    await server.start()
    try:
        yield
    finally:
        await server.stop(0)


@dataclass(frozen=True)
class Outcome:
    """How a raw call ended: the error's code (0 for success), and all that came with it."""

    code: int
    message: str
    metadata: tuple[Any, ...]
    answers: tuple[bytes, ...]


_CORE = "Internal error from Core"
"""What grpc's own client says where a server ended a call while it still wrote: nothing that came over the wire."""


async def raw_call(
    channel: aio.Channel,
    contract: MethodContract,
    requests: Sequence[bytes],
    metadata: Sequence[tuple[str, Any]] = (),
    timeout: float | None = 10,  # noqa: ASYNC109 - the call's own deadline, as grpc names it
) -> Outcome:
    """Calls a method of any kind with bytes of the test's choice; again where grpc's client lost a race with itself."""
    for _ in range(20):
        outcome = await _raw_call(channel, contract, requests, metadata, timeout)
        if outcome.message != _CORE:
            break
    return outcome


async def _raw_call(
    channel: aio.Channel,
    contract: MethodContract,
    requests: Sequence[bytes],
    metadata: Sequence[tuple[str, Any]],
    timeout: float | None,  # noqa: ASYNC109 - as above
) -> Outcome:

    async def sending() -> AsyncIterator[bytes]:
        for request in requests:
            yield request

    given: Any = sending() if contract.streams_requests else requests[0]
    kinds = {
        (False, False): channel.unary_unary,
        (False, True): channel.unary_stream,
        (True, False): channel.stream_unary,
        (True, True): channel.stream_stream,
    }
    multicallable = kinds[contract.streams_requests, contract.streams_responses](contract.path)
    call: Any = multicallable(given, timeout=timeout, metadata=tuple(metadata))
    answers: list[bytes] = []
    try:
        if contract.streams_responses:
            async for answer in call:
                answers.append(answer)
        else:
            answers.append(await call)
    except aio.AioRpcError:
        pass  # the status is read below
    status, message = await call.code(), await call.details() or ""
    trailing = tuple(await call.trailing_metadata() or ())
    details = dict(trailing).get("grpc-status-details-bin")
    code = 0 if status is grpc.StatusCode.OK else int(read_status(status, message, details))
    every = (*tuple(await call.initial_metadata() or ()), *trailing)
    return Outcome(code, message, every, tuple(answers))
