"""Metadata holds a capability, an attempt id and grpc's own headers, in fixed forms."""

from __future__ import annotations

import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink_rpc import RpcError
from doublethink_rpc.metadata import STATUS_KEY, check_response, for_request, read_request

_CAPABILITY = ("dt-capability-bin", b"c" * 32)
_ATTEMPT = ("dt-attempt-bin", b"a" * 16)
_AGENT = ("user-agent", "grpc-python-asyncio/1.85.3 grpc-c/55.0.0 (linux; chttp2)")


def _code(pairs: list[tuple[str, str | bytes]], needs: bool = True) -> int:
    with pytest.raises(RpcError) as error:
        read_request(pairs, needs)
    return int(error.value.code)


def test_what_is_presented_is_read() -> None:
    """A capability of 32 bytes and an attempt id of 16 come through."""
    presented = read_request([_AGENT, _CAPABILITY, _ATTEMPT], True)
    assert presented.capability == b"c" * 32
    assert presented.attempt_id == b"a" * 16
    assert read_request([_AGENT], False).capability is None


def test_a_capability_does_not_show_when_printed() -> None:
    """The value of a capability stays out of a representation."""
    assert "ccc" not in repr(read_request([_CAPABILITY], True))


@pytest.mark.parametrize("value", [b"", b"c" * 31, b"c" * 33])
def test_a_capability_has_32_bytes(value: bytes) -> None:
    """Another length is refused as a capability."""
    assert _code([("dt-capability-bin", value)]) == ErrorCode.ERROR_CODE_CAPABILITY_REFUSED


def test_a_missing_capability_is_refused() -> None:
    """A method that needs one gets one."""
    assert _code([_AGENT]) == ErrorCode.ERROR_CODE_CAPABILITY_REFUSED


def test_a_capability_where_none_is_declared_is_refused() -> None:
    """A method that opens an authority is not given one."""
    assert _code([_CAPABILITY], needs=False) == ErrorCode.ERROR_CODE_METADATA_REFUSED


@pytest.mark.parametrize(
    "pair",
    [
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("tracestate", "a=b"),
        ("grpc-trace-bin", b"x" * 16),
        ("grpc-tags-bin", b"x"),
        ("baggage", "x=y"),
        ("x-anything", "x"),
        ("dt-capability", "c" * 32),
        ("dt-attempt-bin", b"a" * 15),
        ("authorization", "Bearer x"),
        ("user-agent", "Nordwind"),
        ("user-agent", "Nordwind grpc-python-asyncio/1.85.3 grpc-c/55.0.0 (linux; chttp2)"),
        ("user-agent", "grpc-python-asyncio/1.85.3 grpc-c/55.0.0 (linux; chttp2) Nordwind"),
        ("te", "Nordwind"),
        ("content-type", "application/grpc+nordwind"),
        ("grpc-encoding", "gzip"),
        ("accept-encoding", "identity, nordwind"),
        ("user-agent", b"bytes"),
    ],
)
def test_anything_else_is_refused(pair: tuple[str, str | bytes]) -> None:
    """No header of a free name or a free value, trace context least of all."""
    assert _code([_CAPABILITY, pair]) == ErrorCode.ERROR_CODE_METADATA_REFUSED


@pytest.mark.parametrize("pair", [_CAPABILITY, _ATTEMPT, _AGENT])
def test_a_header_stands_once(pair: tuple[str, str | bytes]) -> None:
    """Sent twice is refused: the second could say something else."""
    assert _code([_CAPABILITY, _ATTEMPT, _AGENT, pair]) == ErrorCode.ERROR_CODE_METADATA_REFUSED


def test_what_is_sent_has_its_length() -> None:
    """A caller cannot send a capability or attempt id of another length."""
    assert for_request(b"c" * 32, b"a" * 16) == (_CAPABILITY, _ATTEMPT)
    assert for_request(None, None) == ()
    with pytest.raises(RpcError):
        for_request(b"c", None)
    with pytest.raises(RpcError):
        for_request(None, b"a")


def test_a_response_carries_its_status_and_nothing_else() -> None:
    """Details are handed on once; other trailing or initial metadata is refused."""
    assert check_response((), ()) is None
    assert check_response((), ((STATUS_KEY, b"x"),)) == b"x"
    for initial, trailing in (
        ((("x-word", "Nordwind"),), ()),
        ((), (("x-word", "Nordwind"),)),
        (((STATUS_KEY, b"x"),), ()),
        ((), ((STATUS_KEY, b"x"), (STATUS_KEY, b"y"))),
        ((), (("grpc-status-details", "x"),)),
    ):
        with pytest.raises(RpcError):
            check_response(initial, trailing)
