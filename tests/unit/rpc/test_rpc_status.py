"""Errors have one form on the wire and no words."""

from __future__ import annotations

import copy
import pickle

import grpc
import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode, ErrorDetail
from doublethink.errors.v1.status_pb2 import Status
from doublethink_rpc import RpcError
from doublethink_rpc.status import GRPC_CODES, read_status, wire_of
from google.protobuf.any_pb2 import Any

_CODES = [code for code in ErrorCode.values() if code]


@pytest.mark.parametrize("code", _CODES)
def test_every_code_crosses_the_wire(code: ErrorCode) -> None:
    """A code is written and read back, under a gRPC code that is an error."""
    assert GRPC_CODES[code] is not grpc.StatusCode.OK
    assert read_status(GRPC_CODES[code], "", wire_of(code)) == code


def test_the_wire_form_is_google_rpc_status() -> None:
    """Field 1 is the gRPC code, field 2 is absent, field 3 one Any that holds an ErrorDetail."""
    status = Status.FromString(wire_of(ErrorCode.ERROR_CODE_BLOCKED))
    assert status.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert status.message == ""
    detail = ErrorDetail()
    assert len(status.details) == 1
    assert status.details[0].Unpack(detail)
    assert detail.code == ErrorCode.ERROR_CODE_BLOCKED


def _status(code: int, **changes: object) -> bytes:
    packed = Any()
    packed.Pack(ErrorDetail(code=ErrorCode.ERROR_CODE_BLOCKED))
    status = Status(code=code, details=[packed])
    for name, value in changes.items():
        if name == "details":
            status.details.append(value)  # type: ignore[arg-type]  # an Any, by the caller below
        else:
            setattr(status, name, value)
    return status.SerializeToString()


def test_other_details_are_not_believed() -> None:
    """A message, a second detail, an unknown code, junk or a gRPC code that disagrees: malformed."""
    kind = grpc.StatusCode.FAILED_PRECONDITION
    number = kind.value[0]
    assert read_status(kind, "", _status(number)) == ErrorCode.ERROR_CODE_BLOCKED
    wrong = [
        _status(number, message="Nordwind"),
        _status(number, details=Any(type_url="type.googleapis.com/x.Y", value=b"Nordwind")),
        _status(3),
        _status(number) + b"\xc2\x3e\x01x",
        b"",
        b"junk",
    ]
    for details in wrong:
        assert read_status(kind, "", details) == ErrorCode.ERROR_CODE_MALFORMED
    right = _status(number)
    assert read_status(kind, "Nordwind", right) == ErrorCode.ERROR_CODE_MALFORMED
    assert read_status(grpc.StatusCode.INTERNAL, "", right) == ErrorCode.ERROR_CODE_MALFORMED


def test_a_status_of_grpc_itself_is_read_by_its_code_alone() -> None:
    """Without details, the transport's own codes have a meaning and all others are malformed."""
    bare = {kind: read_status(kind, "any words", None) for kind in grpc.StatusCode}
    assert bare.pop(grpc.StatusCode.UNAVAILABLE) == ErrorCode.ERROR_CODE_PEER_UNAVAILABLE
    assert bare.pop(grpc.StatusCode.DEADLINE_EXCEEDED) == ErrorCode.ERROR_CODE_DEADLINE
    assert bare.pop(grpc.StatusCode.CANCELLED) == ErrorCode.ERROR_CODE_CANCELLED
    assert set(bare.values()) == {ErrorCode.ERROR_CODE_MALFORMED}


def test_an_error_is_its_code() -> None:
    """The text of an error is the name of its code; it survives copies and pickles."""
    error = RpcError(ErrorCode.ERROR_CODE_HELD)
    assert str(error) == "ERROR_CODE_HELD"
    assert error.args == ("ERROR_CODE_HELD",)
    assert copy.copy(error).code == pickle.loads(pickle.dumps(error)).code == ErrorCode.ERROR_CODE_HELD  # noqa: S301 - our own bytes


@pytest.mark.parametrize("code", [0, -1, 999])
def test_an_error_has_a_code_of_the_enumeration(code: int) -> None:
    """There is no error without a meaning."""
    with pytest.raises(ValueError, match="closed enumeration"):
        RpcError(code)
