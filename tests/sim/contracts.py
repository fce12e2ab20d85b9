"""The contracts as tests need them: all of them, a sample of any message, and ones made up at runtime."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import doublethink
from doublethink.options.v1 import options_pb2
from doublethink_rpc.contract import MethodContract, read_method
from doublethink_rpc.declared import form_of
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, ServiceDescriptor
from google.protobuf.message import Message

STRING: Any = descriptor_pb2.FieldDescriptorProto.TYPE_STRING
BYTES: Any = descriptor_pb2.FieldDescriptorProto.TYPE_BYTES


def all_services() -> list[ServiceDescriptor]:
    """Every service of every contract in the distribution, in the order of their names."""
    found: dict[str, ServiceDescriptor] = {}
    for root in map(Path, doublethink.__path__):
        for path in root.rglob("*_pb2.py"):
            name = ".".join(("doublethink", *path.relative_to(root).with_suffix("").parts))
            file = importlib.import_module(name).DESCRIPTOR
            found.update((service.full_name, service) for service in file.services_by_name.values())
    return [found[name] for name in sorted(found)]


def all_methods() -> list[MethodContract]:
    """The contract of every method of every service."""
    return [read_method(method) for service in all_services() for method in service.methods]


def reachable(descriptor: Any) -> dict[str, Descriptor]:
    """The message type and all types inside it, by full name."""
    found: dict[str, Descriptor] = {}
    waiting = [descriptor]
    while waiting:
        kind = waiting.pop()
        if kind.full_name not in found:
            found[kind.full_name] = kind
            waiting.extend(field.message_type for field in kind.fields if field.message_type is not None)
    return found


def sample(descriptor: Any) -> Any:
    """A message in form, with every field set; of a oneof, its first member."""
    message = message_factory.GetMessageClass(descriptor)()
    for field in descriptor.fields:
        oneof = field.containing_oneof
        if oneof is not None and oneof.fields[0] is not field and oneof.fields[0].number != field.number:
            continue
        value = _value(field)
        if field.is_repeated and isinstance(value, Message):
            getattr(message, field.name).add().CopyFrom(value)
        elif field.is_repeated:
            getattr(message, field.name).append(value)
        elif isinstance(value, Message):
            getattr(message, field.name).CopyFrom(value)
        else:
            setattr(message, field.name, value)
    return message


def _value(field: FieldDescriptor) -> Any:
    form = form_of(field)
    if field.message_type is not None:
        return sample(field.message_type)
    if field.enum_type is not None:
        return next(number for number in field.enum_type.values_by_number if number)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return True
    if field.type == FieldDescriptor.TYPE_STRING:
        return f"{form.id}_{'a' * 26}" if form.id else "x"
    if field.type == FieldDescriptor.TYPE_BYTES:
        return b"x" * (form.exact_bytes or 1)
    return form.max


def handler_for(service: ServiceDescriptor) -> object:
    """A handler that answers each call with a sample, and reads all requests first if streamed."""
    methods: dict[str, Any] = {}
    for method in service.methods:
        contract = read_method(method)
        methods[contract.method] = _streaming(contract) if contract.streams_responses else _single(contract)
    return type("SampleHandler", (), methods)()


async def _consume(contract: MethodContract, request: Any) -> None:
    if contract.streams_requests:
        async for _ in request:
            pass


def _single(contract: MethodContract) -> Any:
    async def answer(self: object, request: Any, call: object) -> Any:
        await _consume(contract, request)
        return sample(contract.response.DESCRIPTOR)

    return answer


def _streaming(contract: MethodContract) -> Any:
    async def answer(self: object, request: Any, call: object) -> AsyncIterator[Any]:
        await _consume(contract, request)
        yield sample(contract.response.DESCRIPTOR)
        yield sample(contract.response.DESCRIPTOR)

    return answer


LIMITS = {"deadline_ms": 10_000, "max_request_bytes": 1024, "max_response_bytes": 1024}
KINDS = {
    "Single": (False, False),
    "Down": (False, True),
    "Up": (True, False),
    "Both": (True, True),
}


def make_contract(
    *,
    callers: Sequence[int] = (options_pb2.ROLE_PLANNER,),
    capability: int = options_pb2.CAPABILITY_NONE,
    limits: Mapping[str, int] = LIMITS,
    fields: Sequence[descriptor_pb2.FieldDescriptorProto] | None = None,
    kinds: Mapping[str, tuple[bool, bool]] = KINDS,
) -> ServiceDescriptor:
    """A service `made.v1.MadeService` over one message `Made`, in a pool of its own.

    By default it is complete: four methods, one of each kind, and a field
    `word` of at most 64 bytes.
    """
    file = descriptor_pb2.FileDescriptorProto(
        name="made/v1/made.proto",
        package="made.v1",
        syntax="proto3",
        dependency=["doublethink/options/v1/options.proto"],
    )
    message = file.message_type.add(name="Made")
    message.field.extend([make_field("word", max_bytes=64)] if fields is None else fields)
    service = file.service.add(name="MadeService")
    _extensions(service)[options_pb2.callers].extend(callers)
    for name, (up, down) in kinds.items():
        method = service.method.add(
            name=name,
            input_type=".made.v1.Made",
            output_type=".made.v1.Made",
            client_streaming=up,
            server_streaming=down,
        )
        if capability:
            _extensions(method)[options_pb2.capability] = capability
        _extensions(method)[options_pb2.limits].CopyFrom(options_pb2.CallLimits(**limits))
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(options_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindServiceByName("made.v1.MadeService")


def make_field(
    name: str,
    number: int = 1,
    kind: Any = STRING,
    *,
    repeated: bool = False,
    type_name: str = "",
    **form: Any,
) -> descriptor_pb2.FieldDescriptorProto:
    """A field for `make_contract`; the keywords left over are its form."""
    label: Any = descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
    if repeated:
        label = descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED
    field = descriptor_pb2.FieldDescriptorProto(name=name, number=number, type=kind, label=label)
    if type_name:
        field.type_name = type_name
    if form:
        _extensions(field)[options_pb2.form].CopyFrom(options_pb2.Form(**form))
    return field


def _extensions(proto: Any) -> Any:
    return proto.options.Extensions


def made(service: ServiceDescriptor) -> type[Any]:
    """The class of `Made` in the pool of a contract made up at runtime."""
    return message_factory.GetMessageClass(service.file.message_types_by_name["Made"])


def roles() -> Iterator[str]:
    """Every role that a certificate may name."""
    for name, number in options_pb2.Role.items():
        if number:
            yield name.removeprefix("ROLE_").lower()
