"""One method of a server: every check, in order, around its handler.

An interceptor sees neither the peer's certificate nor the messages, so the checks
wrap the handler itself, the same for all four kinds of method:
caller, metadata, capability, deadline, admission, message, handler, response.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

import grpc
from doublethink.errors.v1.errors_pb2 import ErrorCode
from google.protobuf.message import Message
from grpc import aio

from . import logs, metadata
from .admission import Admission
from .call import Call
from .contract import MethodContract
from .ending import Ending
from .errors import FormBroken, RpcError
from .form import decode, encode
from .identity import caller_of
from .metrics import Metrics
from .status import GRPC_CODES, wire_of

_Incoming = bytes | AsyncIterable[bytes]


class Endpoint:
    """A contract and the handler that fulfils it."""

    def __init__(
        self, contract: MethodContract, handler: Any, admission: Admission, metrics: Metrics, ending: Ending
    ) -> None:
        self._contract = contract
        self._handler = handler
        self._admission = admission
        self._metrics = metrics
        self._ending = ending

    def rpc_handler(self) -> grpc.RpcMethodHandler:
        """The handler as gRPC wants it; messages pass as bytes."""
        kinds = {
            (False, False): grpc.unary_unary_rpc_method_handler,
            (False, True): grpc.unary_stream_rpc_method_handler,
            (True, False): grpc.stream_unary_rpc_method_handler,
            (True, True): grpc.stream_stream_rpc_method_handler,
        }
        contract = self._contract
        return kinds[contract.streams_requests, contract.streams_responses](self._serve)

    async def _serve(self, incoming: _Incoming, context: aio.ServicerContext[bytes, bytes]) -> bytes | None:
        started = time.monotonic()
        serving = _Serving(self._contract, self._handler, incoming, context)
        code: ErrorCode | None = ErrorCode.ERROR_CODE_CANCELLED
        answer: bytes | None = None
        try:
            code, answer = await self._judge(serving, started)
        finally:
            self._metrics.ended(self._contract, serving.caller, code, time.monotonic() - started)
        if code is not None:
            await _abort(context, code)
        return answer

    async def _judge(self, serving: _Serving, started: float) -> tuple[ErrorCode | None, bytes | None]:
        """The outcome of a call: an error code or None, and the bytes of a unary response."""
        try:
            presented = serving.present()
            seconds = serving.seconds()
            call = Call(serving.caller, presented.capability, presented.attempt_id, started + seconds)
            bound = asyncio.timeout(seconds)
            try:
                async with bound:
                    with self._ending.among(self._contract.deadline_s, bound):
                        async with self._admission.slot():
                            answer = await serving.run(call)
            except TimeoutError:
                if not bound.expired():
                    raise
                if self._ending.begun and call.remaining() > 0:
                    return ErrorCode.ERROR_CODE_PEER_UNAVAILABLE, None
                return ErrorCode.ERROR_CODE_DEADLINE, None
            return serving.broken, answer
        except RpcError as error:
            return serving.broken or error.code, None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling() > 0:
                raise  # the caller went away
            # The handler let the end of something of its own out; without an answer the caller would wait.
            logs.log().error("handler_cancelled_itself", method=self._contract.descriptor)
            return serving.broken or ErrorCode.ERROR_CODE_INTERNAL, None
        except Exception as error:  # noqa: BLE001 - whatever a handler raises, no word of it may cross the wire
            logs.log().error("handler_failed", method=self._contract.descriptor, error=error)
            return serving.broken or ErrorCode.ERROR_CODE_INTERNAL, None


class _Serving:
    """One call while it is served."""

    def __init__(
        self,
        contract: MethodContract,
        handler: Any,
        incoming: _Incoming,
        context: aio.ServicerContext[bytes, bytes],
    ) -> None:
        self._contract = contract
        self._handler = handler
        self._incoming = incoming
        self._context = context
        self.caller = "unknown"
        # Set once a streamed request broke its form, even if the handler made light of it.
        self.broken: ErrorCode | None = None

    def present(self) -> metadata.Presented:
        """Who calls, and with what. Raises RpcError."""
        caller = caller_of(self._context.auth_context())
        self.caller = caller
        if caller not in self._contract.callers:
            raise RpcError(ErrorCode.ERROR_CODE_CALLER_REFUSED)
        return metadata.read_request(
            self._context.invocation_metadata() or (), self._contract.needs_capability
        )

    def seconds(self) -> float:
        """The time that the call may take: the caller's wish, at most the contract's limit."""
        wished = self._context.time_remaining()
        return self._contract.deadline_s if wished is None else min(wished, self._contract.deadline_s)

    async def run(self, call: Call) -> bytes | None:
        """Lets the handler work; the bytes of its response, or None after a stream."""
        contract = self._contract
        request: Message | AsyncIterator[Message] = (
            self._decode(self._incoming)
            if isinstance(self._incoming, bytes)
            else self._messages(self._incoming)
        )
        result = self._handler(request, call)
        if not contract.streams_responses:
            return self._encode(await result)
        try:
            async for response in result:
                await self._context.write(self._encode(response))
        finally:
            await result.aclose()
        return None

    async def _messages(self, incoming: AsyncIterable[bytes]) -> AsyncIterator[Message]:
        async for wire in incoming:
            yield self._decode(wire)

    def _decode(self, wire: bytes) -> Message:
        contract = self._contract
        try:
            return decode(wire, contract.request, contract.check_request, contract.max_request_bytes)
        except FormBroken as broken:
            logs.log().warning("request_refused", method=contract.descriptor, field=broken)
        self.broken = ErrorCode.ERROR_CODE_MALFORMED
        raise RpcError(ErrorCode.ERROR_CODE_MALFORMED)

    def _encode(self, response: Message) -> bytes:
        contract = self._contract
        return encode(response, contract.response, contract.check_response, contract.max_response_bytes)


async def _abort(context: aio.ServicerContext[bytes, bytes], code: ErrorCode) -> None:
    """Ends the call with an error; gRPC does so by raising."""
    await context.abort(GRPC_CODES[code], "", ((metadata.STATUS_KEY, wire_of(code)),))
