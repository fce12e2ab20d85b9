"""The options that contracts declare about themselves, read from their descriptors.

protobuf's annotations cannot type an extension that is read through a descriptor,
so the untyped access stands here once.
"""

from __future__ import annotations

from typing import Any

from doublethink.options.v1 import options_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor, ServiceDescriptor


def form_of(field: FieldDescriptor) -> options_pb2.Form:
    """The declared form of a field; the empty form if it declares none."""
    form: options_pb2.Form = _extension(field, options_pb2.form)
    return form


def limits_of(method: MethodDescriptor) -> options_pb2.CallLimits:
    """The declared limits of a method; all 0 if it declares none."""
    limits: options_pb2.CallLimits = _extension(method, options_pb2.limits)
    return limits


def capability_of(method: MethodDescriptor) -> int:
    """The number of `Capability` that a method declares; 0 if it declares none."""
    return int(_extension(method, options_pb2.capability))


def callers_of(service: ServiceDescriptor) -> tuple[int, ...]:
    """The numbers of `Role` that a service names."""
    return tuple(_extension(service, options_pb2.callers))


def _extension(descriptor: Any, extension: Any) -> Any:
    return descriptor.GetOptions().Extensions[extension]
