"""The metadata that may travel: a capability, an attempt id, and grpc's own headers.

Anything else is refused on either side: a header with a free name or a free
value would be a channel that no contract names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from doublethink.errors.v1.errors_pb2 import ErrorCode

from .errors import RpcError

CAPABILITY_KEY = "dt-capability-bin"
ATTEMPT_KEY = "dt-attempt-bin"
CAPABILITY_BYTES = 32
ATTEMPT_BYTES = 16
STATUS_KEY = "grpc-status-details-bin"

Pairs = tuple[tuple[str, str | bytes], ...]

# The value of a user agent is the peer's to choose, so its form is fixed too.
_USER_AGENT = re.compile(
    r"grpc-python(-asyncio)?/\d{1,3}(\.\d{1,4}){2} grpc-c/\d{1,3}(\.\d{1,4}){2} \([a-z]{2,10}; chttp2\)"
)
_OWN_REQUEST_VALUES = {
    "te": frozenset({"trailers"}),
    "content-type": frozenset({"application/grpc", "application/grpc+proto"}),
    "grpc-encoding": frozenset({"identity"}),
}
_OWN_RESPONSE_VALUES = {
    "content-type": frozenset({"application/grpc", "application/grpc+proto"}),
    "grpc-encoding": frozenset({"identity"}),
}
_ACCEPT_ENCODING = frozenset({"grpc-accept-encoding", "accept-encoding"})
_ACCEPTED = re.compile(r"(identity|deflate|gzip)(, ?(identity|deflate|gzip)){0,2}")


@dataclass(frozen=True)
class Presented:
    """What a caller presented beside its message."""

    capability: bytes | None = field(default=None, repr=False)
    attempt_id: bytes | None = None


def for_request(capability: bytes | None, attempt_id: bytes | None) -> Pairs:
    """The metadata of a call. Raises RpcError if a value has not its fixed length."""
    pairs: list[tuple[str, str | bytes]] = []
    if capability is not None:
        if len(capability) != CAPABILITY_BYTES:
            raise RpcError(ErrorCode.ERROR_CODE_CAPABILITY_REFUSED)
        pairs.append((CAPABILITY_KEY, bytes(capability)))
    if attempt_id is not None:
        if len(attempt_id) != ATTEMPT_BYTES:
            raise RpcError(ErrorCode.ERROR_CODE_METADATA_REFUSED)
        pairs.append((ATTEMPT_KEY, bytes(attempt_id)))
    return tuple(pairs)


def read_request(pairs: Iterable[tuple[str, str | bytes]], needs_capability: bool) -> Presented:
    """What a request presents. Raises RpcError (METADATA_REFUSED, CAPABILITY_REFUSED)."""
    seen: dict[str, str | bytes] = {}
    for key, value in pairs:
        if key in seen or not _request_pair_is_known(key, value):
            raise RpcError(ErrorCode.ERROR_CODE_METADATA_REFUSED)
        seen[key] = value
    capability = seen.get(CAPABILITY_KEY)
    attempt = seen.get(ATTEMPT_KEY)
    if capability is not None and not needs_capability:
        raise RpcError(ErrorCode.ERROR_CODE_METADATA_REFUSED)
    if attempt is not None and (not isinstance(attempt, bytes) or len(attempt) != ATTEMPT_BYTES):
        raise RpcError(ErrorCode.ERROR_CODE_METADATA_REFUSED)
    if not needs_capability:
        return Presented(None, attempt)
    if not isinstance(capability, bytes) or len(capability) != CAPABILITY_BYTES:
        raise RpcError(ErrorCode.ERROR_CODE_CAPABILITY_REFUSED)
    return Presented(capability, attempt)


def check_response(
    initial: Iterable[tuple[str, str | bytes]], trailing: Iterable[tuple[str, str | bytes]]
) -> bytes | None:
    """The status details of a response, if it has any. Raises RpcError for anything beside."""
    for key, value in initial:
        if not _response_pair_is_known(key, value):
            raise RpcError(ErrorCode.ERROR_CODE_METADATA_REFUSED)
    details: bytes | None = None
    for key, value in trailing:
        if key == STATUS_KEY and isinstance(value, bytes) and details is None:
            details = value
        elif not _response_pair_is_known(key, value):
            raise RpcError(ErrorCode.ERROR_CODE_METADATA_REFUSED)
    return details


def _request_pair_is_known(key: str, value: str | bytes) -> bool:
    if key in (CAPABILITY_KEY, ATTEMPT_KEY):
        return True
    if not isinstance(value, str):
        return False
    if key == "user-agent":
        return _USER_AGENT.fullmatch(value) is not None
    if key in _ACCEPT_ENCODING:
        return _ACCEPTED.fullmatch(value) is not None
    return value in _OWN_REQUEST_VALUES.get(key, frozenset())


def _response_pair_is_known(key: str, value: str | bytes) -> bool:
    if not isinstance(value, str):
        return False
    if key in _ACCEPT_ENCODING:
        return _ACCEPTED.fullmatch(value) is not None
    return value in _OWN_RESPONSE_VALUES.get(key, frozenset())
