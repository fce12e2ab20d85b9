"""A peer that this process calls: one channel, every answer checked.

Whatever goes wrong is an RpcError with a code of the closed enumeration. gRPC's
own exceptions, whose texts a peer may write, never leave this module, not even
as the context of another exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable
from contextlib import aclosing
from typing import Any, TypeVar, cast

from doublethink.errors.v1.errors_pb2 import ErrorCode
from google.protobuf.message import Message
from grpc import aio

from . import logs, metadata
from .contract import MAX_DEADLINE_MS, MAX_MESSAGE_BYTES, ROLES, MethodContract, find_method
from .errors import FormBroken, RpcError, StartRefused
from .form import decode, encode
from .identity import dns_name
from .status import read_status
from .tls import Material, TlsFiles, Watched, channel_credentials

R = TypeVar("R", bound=Message)


class Peer:
    """A peer of a known role. Raises StartRefused if the own TLS files are not good.

    The peer's certificate must carry the DNS name of `role`; the server refuses
    us unless ours names `own_role`. Certificates are followed when files change.
    A call may take what its contract says, or `deadline_s` seconds if that is less.
    Naming a method that no contract has, or another type of response, is a fault
    of the program and raises StartRefused; everything else that fails is an RpcError.
    """

    def __init__(self, target: str, role: str, tls: TlsFiles, own_role: str) -> None:
        if role not in ROLES or own_role not in ROLES:
            raise StartRefused("a peer's role and the own role are roles of the contracts")
        self._target = target
        self._role = role
        self._watched = Watched(tls, own_role)
        self._channel: aio.Channel | None = None
        self._retiring: set[asyncio.Task[None]] = set()

    async def call(
        self,
        method: str,
        request: Message,
        response_type: type[R],
        *,
        capability: bytes | None = None,
        attempt_id: bytes | None = None,
        deadline_s: float | None = None,
    ) -> R:
        """A unary call of "package.Service/Method". Raises RpcError."""
        contract = _contract(method, response_type, streams=(False, False))
        pairs = metadata.for_request(capability, attempt_id)
        wire = _encode(contract, request)
        multicallable = self._open().unary_unary(contract.path)
        call = multicallable(wire, timeout=_seconds(contract, deadline_s), metadata=pairs)
        answer: bytes | None = None
        try:
            answer = await call
        except aio.AioRpcError:
            pass  # its text is the peer's; the status is read below
        except asyncio.CancelledError:
            call.cancel()
            raise
        await _judge(call)
        if answer is None:
            raise RpcError(ErrorCode.ERROR_CODE_INTERNAL)
        return _decode(contract, response_type, answer)

    async def stream(
        self,
        method: str,
        request: Message,
        response_type: type[R],
        *,
        capability: bytes | None = None,
        attempt_id: bytes | None = None,
        deadline_s: float | None = None,
    ) -> AsyncIterator[R]:
        """A call with streamed responses. Raises RpcError."""
        contract = _contract(method, response_type, streams=(False, True))
        pairs = metadata.for_request(capability, attempt_id)
        wire = _encode(contract, request)
        multicallable = self._open().unary_stream(contract.path)
        call = multicallable(wire, timeout=_seconds(contract, deadline_s), metadata=pairs)
        try:
            async with aclosing(_answers(call)) as answers:
                async for answer in answers:
                    yield _decode(contract, response_type, answer)
        finally:
            call.cancel()

    async def converse(
        self,
        method: str,
        requests: AsyncIterable[Message],
        response_type: type[R],
        *,
        capability: bytes | None = None,
        attempt_id: bytes | None = None,
        deadline_s: float | None = None,
    ) -> AsyncIterator[R]:
        """A call with streamed requests and responses. Raises RpcError, or what `requests` raises."""
        contract = _contract(method, response_type, streams=(True, True))
        pairs = metadata.for_request(capability, attempt_id)
        multicallable = self._open().stream_stream(contract.path)
        call = multicallable(timeout=_seconds(contract, deadline_s), metadata=pairs)
        sending = asyncio.create_task(_send(call, contract, requests))
        try:
            async with aclosing(_answers(call, sending)) as answers:
                async for answer in answers:
                    yield _decode(contract, response_type, answer)
        finally:
            call.cancel()
            await _settle(sending)

    async def close(self) -> None:
        """Closes the channel; calls that run are cancelled."""
        channel, self._channel = self._channel, None
        for task in self._retiring:
            task.cancel()
        await asyncio.gather(*self._retiring, return_exceptions=True)
        if channel is not None:
            await channel.close()

    def _open(self) -> aio.Channel:
        renewed = self._watched.changed()
        if renewed is not None and self._channel is not None:
            task = asyncio.get_running_loop().create_task(self._channel.close(MAX_DEADLINE_MS / 1000))
            self._retiring.add(task)
            task.add_done_callback(self._retiring.discard)
            self._channel = None
        if self._channel is None:
            self._channel = self._make(self._watched.material)
        return self._channel

    def _make(self, material: Material) -> aio.Channel:
        return aio.secure_channel(
            self._target,
            channel_credentials(material),
            options=[
                ("grpc.ssl_target_name_override", dns_name(self._role)),
                ("grpc.default_authority", dns_name(self._role)),
                ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
                ("grpc.max_metadata_size", 8192),
                ("grpc.absolute_max_metadata_size", 8192),
                ("grpc.compression_enabled_algorithms_bitset", 1),  # identity: no bytes that expand
                ("grpc.enable_http_proxy", 0),  # no way out that the environment names
                # No policy of retries can come from anywhere. What is sent again is only what certainly no handler saw:
                # a call that went out as its server was saying that it takes no more on this connection (gRFC A6).
                ("grpc.enable_retries", 1),
                ("grpc.service_config_disable_resolution", 1),
                ("grpc.use_local_subchannel_pool", 1),
                ("grpc.initial_reconnect_backoff_ms", 100),
                ("grpc.min_reconnect_backoff_ms", 5000),
                ("grpc.max_reconnect_backoff_ms", 2000),
            ],
        )


def _contract(method: str, response_type: type[Message], *, streams: tuple[bool, bool]) -> MethodContract:
    """The contract of a method, checked to be of the kind that is called. Raises StartRefused."""
    contract = find_method(response_type.DESCRIPTOR.file.pool, method)
    if (contract.streams_requests, contract.streams_responses) != streams:
        raise StartRefused(f"{method}: the contract streams otherwise")
    if contract.response.DESCRIPTOR.full_name != response_type.DESCRIPTOR.full_name:
        raise StartRefused(f"{method}: the contract has another response")
    return contract


def _seconds(contract: MethodContract, wished: float | None) -> float:
    return contract.deadline_s if wished is None else min(wished, contract.deadline_s)


def _encode(contract: MethodContract, request: Message) -> bytes:
    try:
        return encode(request, contract.request, contract.check_request, contract.max_request_bytes)
    except FormBroken as broken:
        logs.log().warning("request_not_sent", method=contract.descriptor, field=broken)
    raise RpcError(ErrorCode.ERROR_CODE_MALFORMED)


def _decode(contract: MethodContract, response_type: type[R], wire: bytes) -> R:
    try:
        return decode(wire, response_type, contract.check_response, contract.max_response_bytes)
    except FormBroken as broken:
        logs.log().warning("response_refused", method=contract.descriptor, field=broken)
    raise RpcError(ErrorCode.ERROR_CODE_MALFORMED)


async def _answers(call: Any, sending: asyncio.Task[None] | None = None) -> AsyncGenerator[bytes, None]:
    """The messages of a streamed response; at its end the status is judged. Raises RpcError."""
    first = True
    while True:
        answer: object = aio.EOF
        try:
            answer = await call.read()
        except aio.AioRpcError:
            pass  # its text is the peer's; the status is read below
        except asyncio.CancelledError:
            if _failure(sending) is None or _is_cancelled():
                raise
        if answer is aio.EOF:
            break
        if first:
            metadata.check_response(await call.initial_metadata() or (), ())
            first = False
        yield cast("bytes", answer)
    failure = _failure(sending)
    if failure is not None:
        raise failure
    await _judge(call)


async def _judge(call: Any) -> None:
    """Reads how a call ended. Raises RpcError unless it ended well and said nothing beside."""
    status = await call.code()
    message = await call.details()
    details = metadata.check_response(
        await call.initial_metadata() or (), await call.trailing_metadata() or ()
    )
    if status.value[0] == 0:
        if details is not None or message:
            raise RpcError(ErrorCode.ERROR_CODE_MALFORMED)
        return
    raise RpcError(read_status(status, message, details))


async def _send(call: Any, contract: MethodContract, requests: AsyncIterable[Message]) -> None:
    """Writes the requests; if one cannot be made or is out of form, the call is cancelled."""
    try:
        async for request in requests:
            if not await _sent(call.write(_encode(contract, request))):
                return
        await _sent(call.done_writing())
    except BaseException:
        call.cancel()
        raise


async def _sent(writing: Awaitable[None]) -> bool:
    """Whether a write was taken; if not, the call has ended and its status says why."""
    try:
        await writing
    except (aio.AioRpcError, asyncio.InvalidStateError, aio.UsageError, aio.InternalError):
        # The last where the core finds the call ended before this side was told.
        return False
    return True


def _failure(task: asyncio.Task[None] | None) -> BaseException | None:
    return None if task is None or not task.done() or task.cancelled() else task.exception()


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _settle(task: asyncio.Task[None]) -> None:
    """Ends a task and takes its outcome, which the caller has seen already or cannot use."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
