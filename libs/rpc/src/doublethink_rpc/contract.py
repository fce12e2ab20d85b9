"""What a method's contract says, read from its descriptor.

Who may call, whether a capability is presented, the longest deadline, the sizes
of messages and the form of every field: all come from the options in
`doublethink/options/v1/options.proto`. A contract that leaves one out is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from doublethink.options.v1 import options_pb2
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from .declared import callers_of, capability_of, limits_of
from .errors import StartRefused
from .form import Check, check_for

# No contract may allow a larger message; channels and servers are built with it.
MAX_MESSAGE_BYTES = 8 * 1024 * 1024
# No contract may allow a longer call.
MAX_DEADLINE_MS = 3_600_000

ROLES: frozenset[str] = frozenset(
    name.removeprefix("ROLE_").lower() for name, number in options_pb2.Role.items() if number != 0
)


@dataclass(frozen=True, eq=False)
class MethodContract:
    """One method. Times are seconds, sizes are bytes of one serialised message."""

    descriptor: MethodDescriptor
    service: str
    method: str
    path: str
    callers: frozenset[str]
    needs_capability: bool
    deadline_s: float
    max_request_bytes: int
    max_response_bytes: int
    streams_requests: bool
    streams_responses: bool
    request: type[Message]
    response: type[Message]
    check_request: Check
    check_response: Check


def read_service(service: ServiceDescriptor) -> tuple[MethodContract, ...]:
    """The contracts of a service's methods. Raises StartRefused if one is incomplete."""
    if not service.methods:
        raise StartRefused(f"{service.full_name}: the service has no methods")
    return tuple(read_method(method) for method in service.methods)


@cache
def read_method(method: MethodDescriptor) -> MethodContract:
    """The contract of one method. Raises StartRefused if it is incomplete."""
    service = method.containing_service
    capability = capability_of(method)
    if capability not in (options_pb2.CAPABILITY_NONE, options_pb2.CAPABILITY_SESSION):
        raise StartRefused(f"{method.full_name}: the method declares no capability")
    limits = limits_of(method)
    if not 0 < limits.deadline_ms <= MAX_DEADLINE_MS:
        raise StartRefused(f"{method.full_name}: deadline_ms is missing or above {MAX_DEADLINE_MS}")
    for size in (limits.max_request_bytes, limits.max_response_bytes):
        if not 0 < size <= MAX_MESSAGE_BYTES:
            raise StartRefused(f"{method.full_name}: a message limit is missing or above {MAX_MESSAGE_BYTES}")
    return MethodContract(
        descriptor=method,
        service=service.full_name,
        method=method.name,
        path=f"/{service.full_name}/{method.name}",
        callers=_callers(service),
        needs_capability=capability == options_pb2.CAPABILITY_SESSION,
        deadline_s=limits.deadline_ms / 1000,
        max_request_bytes=limits.max_request_bytes,
        max_response_bytes=limits.max_response_bytes,
        streams_requests=method.client_streaming,
        streams_responses=method.server_streaming,
        request=message_factory.GetMessageClass(method.input_type),
        response=message_factory.GetMessageClass(method.output_type),
        check_request=check_for(method.input_type),
        check_response=check_for(method.output_type),
    )


@cache
def find_method(pool: DescriptorPool, name: str) -> MethodContract:
    """The contract of "package.Service/Method". Raises StartRefused if there is none."""
    service_name, _, method_name = name.partition("/")
    try:
        service = pool.FindServiceByName(service_name)
        method = service.methods_by_name[method_name]
    except KeyError:
        raise StartRefused(f"{name}: no contract has this method") from None
    return read_method(method)


def _callers(service: ServiceDescriptor) -> frozenset[str]:
    numbers = callers_of(service)
    if not numbers:
        raise StartRefused(f"{service.full_name}: the service names no callers")
    named = {number: name for name, number in options_pb2.Role.items()}
    if any(number == 0 or number not in named for number in numbers):
        raise StartRefused(f"{service.full_name}: a caller is not a known role")
    return frozenset(named[number].removeprefix("ROLE_").lower() for number in numbers)
