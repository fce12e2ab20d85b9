"""Errors on the wire: a gRPC status code, an empty message, one packed ErrorDetail.

`grpc-status-details-bin` holds a google.rpc.Status
(https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto).
There is exactly one right sequence of bytes for each error code, so it is built
once, and a client accepts these sequences and no others: nothing can ride along.
"""

from __future__ import annotations

from typing import cast

import grpc
from doublethink.errors.v1.errors_pb2 import ErrorCode, ErrorDetail
from doublethink.errors.v1.status_pb2 import Status
from google.protobuf.any_pb2 import Any

_E = ErrorCode
_S = grpc.StatusCode

# The gRPC code nearest to each error, for proxies and tools that know only those.
GRPC_CODES: dict[int, grpc.StatusCode] = {
    _E.ERROR_CODE_CALLER_REFUSED: _S.PERMISSION_DENIED,
    _E.ERROR_CODE_CAPABILITY_REFUSED: _S.UNAUTHENTICATED,
    _E.ERROR_CODE_MALFORMED: _S.INVALID_ARGUMENT,
    _E.ERROR_CODE_METADATA_REFUSED: _S.INVALID_ARGUMENT,
    _E.ERROR_CODE_ID_REFUSED: _S.NOT_FOUND,
    _E.ERROR_CODE_BLOCKED: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_HELD: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_BUDGET_EXHAUSTED: _S.RESOURCE_EXHAUSTED,
    _E.ERROR_CODE_LEDGER_UNAVAILABLE: _S.UNAVAILABLE,
    _E.ERROR_CODE_SOURCE_UNAVAILABLE: _S.UNAVAILABLE,
    _E.ERROR_CODE_SOURCE_RATE_LIMITED: _S.RESOURCE_EXHAUSTED,
    _E.ERROR_CODE_MODEL_UNAVAILABLE: _S.UNAVAILABLE,
    _E.ERROR_CODE_MODEL_ANSWER_REFUSED: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_SESSION_CLOSED: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_OVERLOADED: _S.RESOURCE_EXHAUSTED,
    _E.ERROR_CODE_DEADLINE: _S.DEADLINE_EXCEEDED,
    _E.ERROR_CODE_PEER_UNAVAILABLE: _S.UNAVAILABLE,
    _E.ERROR_CODE_OPERATION_REFUSED: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_PAGE_UNREADABLE: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_INTERNAL: _S.INTERNAL,
    _E.ERROR_CODE_CANCELLED: _S.CANCELLED,
    _E.ERROR_CODE_BACK_END_UNKNOWN: _S.UNIMPLEMENTED,
    _E.ERROR_CODE_CONFLICT: _S.ABORTED,
    _E.ERROR_CODE_MODEL_RATE_LIMITED: _S.RESOURCE_EXHAUSTED,
    _E.ERROR_CODE_PROVIDER_REFUSED: _S.FAILED_PRECONDITION,
    _E.ERROR_CODE_NOT_RECORDED: _S.NOT_FOUND,
}


def _pack(code: ErrorCode) -> bytes:
    detail = Any()
    detail.Pack(ErrorDetail(code=code))
    number: int = GRPC_CODES[code].value[0]
    return Status(code=number, details=[detail]).SerializeToString(deterministic=True)


_WIRE: dict[ErrorCode, bytes] = {
    code: _pack(code) for code in cast("list[ErrorCode]", _E.values()) if code != 0
}
_CODES: dict[bytes, ErrorCode] = {wire: code for code, wire in _WIRE.items()}

# What a status without details may mean: gRPC itself made it, on either side.
_BARE: dict[grpc.StatusCode, ErrorCode] = {
    _S.CANCELLED: _E.ERROR_CODE_CANCELLED,
    _S.DEADLINE_EXCEEDED: _E.ERROR_CODE_DEADLINE,
    _S.UNAVAILABLE: _E.ERROR_CODE_PEER_UNAVAILABLE,
}


def wire_of(code: ErrorCode) -> bytes:
    """The bytes of `grpc-status-details-bin` for an error code."""
    return _WIRE[code]


def read_status(status: grpc.StatusCode, message: str | None, details: bytes | None) -> ErrorCode:
    """The error that a failed call's status stands for. Its message is never looked into.

    MALFORMED where the status is not one that this library or gRPC itself sends.
    """
    if details is None:
        return _BARE.get(status, _E.ERROR_CODE_MALFORMED)
    code = _CODES.get(details)
    if code is None or message or GRPC_CODES[code] is not status:
        return _E.ERROR_CODE_MALFORMED
    return code
