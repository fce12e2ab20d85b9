"""The form of messages: what `doublethink.options.v1.form` declares, as compiled checks.

One check per message type is built once, from its descriptor, and kept. A field
declares its form or the check cannot be built: strings and bytes need `id`,
`max_bytes` or `exact_bytes`, repeated fields need `max_items`; maps, groups and
floating-point numbers have no form and are not used in contracts.

An absent value is a broken form unless the field says `optional`, with two
exceptions: repeated fields may be empty, and integers are judged by their range
alone. Exactly one member of a oneof is set. Enums are closed: a number that the
enum does not name is refused, and its zero is "absent".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from doublethink.options.v1 import options_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.message import DecodeError, Message

from .declared import form_of
from .errors import FormBroken, StartRefused

M = TypeVar("M", bound=Message)
Check = Callable[[Message], None]
_ItemCheck = Callable[[Any], bool]

_INTEGERS = frozenset(
    {
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
    }
)
_PREFIX = re.compile(r"[a-z]{2,8}")
_compiled: dict[Descriptor, Check] = {}


def check_for(descriptor: Descriptor) -> Check:
    """The check of a message type. It raises FormBroken; building it raises StartRefused."""
    known = _compiled.get(descriptor)
    if known is not None:
        return known
    steps: list[Check] = []

    def check(message: Message) -> None:
        for step in steps:
            step(message)

    _compiled[descriptor] = check  # before its fields, so that a type may contain itself
    try:
        for field in descriptor.fields:
            steps.append(_field_step(field))
        for oneof in descriptor.oneofs:
            if not _is_synthetic(oneof):
                steps.append(_oneof_step(oneof))
    except StartRefused:
        del _compiled[descriptor]
        raise
    return check


def decode(wire: bytes, kind: type[M], check: Check, max_bytes: int) -> M:
    """Parses and checks one message. Raises FormBroken and nothing else.

    The message, without any field that its type does not know, must have the
    very length that arrived: unknown fields at any depth, values sent twice and
    padded encodings change it, so they are found by one comparison.
    """
    if len(wire) > max_bytes:
        raise FormBroken(kind.DESCRIPTOR.full_name)
    try:
        message = kind.FromString(wire)
    except DecodeError:
        message = None
    if message is None:
        raise FormBroken(kind.DESCRIPTOR.full_name)
    message.DiscardUnknownFields()
    if message.ByteSize() != len(wire):
        raise FormBroken(kind.DESCRIPTOR.full_name)
    check(message)
    return message


def encode(message: Message, kind: type[Message], check: Check, max_bytes: int) -> bytes:
    """Checks and serialises one message of the type `kind`. Raises FormBroken.

    Fields that the type does not know are dropped from the message.
    """
    if message.DESCRIPTOR.full_name != kind.DESCRIPTOR.full_name:
        raise FormBroken(kind.DESCRIPTOR.full_name)
    check(message)
    message.DiscardUnknownFields()
    wire = message.SerializeToString()
    if len(wire) > max_bytes:
        raise FormBroken(kind.DESCRIPTOR.full_name)
    return wire


def _is_synthetic(oneof: OneofDescriptor) -> bool:
    """Whether the oneof only carries the presence of one field marked `optional` in proto3."""
    return len(oneof.fields) == 1 and oneof.name == "_" + oneof.fields[0].name


def _oneof_step(oneof: OneofDescriptor) -> Check:
    name, full_name = oneof.name, oneof.full_name

    def step(message: Message) -> None:
        if message.WhichOneof(name) is None:
            raise FormBroken(full_name)

    return step


def _field_step(field: FieldDescriptor) -> Check:
    form = form_of(field)
    name, full_name = field.name, field.full_name
    if field.is_repeated:
        return _repeated_step(field, form)
    if field.message_type is not None:
        return _message_step(field, form)
    right = _item_check(field, form)
    if field.has_presence:

        def step_if_present(message: Message) -> None:
            if message.HasField(name) and not right(getattr(message, name)):
                raise FormBroken(full_name)

        return step_if_present

    def step(message: Message) -> None:
        if not right(getattr(message, name)):
            raise FormBroken(full_name)

    return step


def _message_type(field: FieldDescriptor) -> Descriptor:
    if field.message_type is None:
        raise StartRefused(f"{field.full_name}: the message has no descriptor")
    return field.message_type


def _message_step(field: FieldDescriptor, form: options_pb2.Form) -> Check:
    if field.type == FieldDescriptor.TYPE_GROUP:
        raise StartRefused(f"{field.full_name}: groups have no form; use a message")
    name, full_name = field.name, field.full_name
    inner = check_for(_message_type(field))
    may_lack = form.optional or field.containing_oneof is not None

    def step(message: Message) -> None:
        if message.HasField(name):
            inner(getattr(message, name))
        elif not may_lack:
            raise FormBroken(full_name)

    return step


def _repeated_step(field: FieldDescriptor, form: options_pb2.Form) -> Check:
    name, full_name, most = field.name, field.full_name, form.max_items
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        raise StartRefused(f"{full_name}: maps have no form; use a repeated message")
    if most == 0:
        raise StartRefused(f"{full_name}: a repeated field declares max_items")
    if field.message_type is not None:
        inner = check_for(field.message_type)

        def step_messages(message: Message) -> None:
            items = getattr(message, name)
            if len(items) > most:
                raise FormBroken(full_name)
            for item in items:
                inner(item)

        return step_messages
    item_form = options_pb2.Form()
    item_form.CopyFrom(form)
    item_form.optional = False  # an item is there or it is not
    right = _item_check(field, item_form)

    def step(message: Message) -> None:
        items = getattr(message, name)
        if len(items) > most or not all(map(right, items)):
            raise FormBroken(full_name)

    return step


def _item_check(field: FieldDescriptor, form: options_pb2.Form) -> _ItemCheck:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return lambda value: True
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return _enum_check(field, form)
    if kind in _INTEGERS:
        return _integer_check(field, form)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _bytes_check(field, form)
    if field.type == FieldDescriptor.TYPE_STRING:
        return _id_check(field, form) if form.id else _text_check(field, form)
    raise StartRefused(f"{field.full_name}: a floating-point number has no form; use a Decimal")


def _enum_check(field: FieldDescriptor, form: options_pb2.Form) -> _ItemCheck:
    if field.enum_type is None:
        raise StartRefused(f"{field.full_name}: the enum has no descriptor")
    known = frozenset(field.enum_type.values_by_number)
    allowed = known if form.optional else known - {0}
    return allowed.__contains__


def _integer_check(field: FieldDescriptor, form: options_pb2.Form) -> _ItemCheck:
    low, high, optional = form.min, form.max, form.optional
    if low == 0 and high == 0:
        return lambda value: True
    if low > high:
        raise StartRefused(f"{field.full_name}: min is above max")
    return lambda value: low <= value <= high or (optional and value == 0)


def _bytes_check(field: FieldDescriptor, form: options_pb2.Form) -> _ItemCheck:
    optional = form.optional
    if form.exact_bytes:
        exact = form.exact_bytes
        return lambda value: len(value) == exact or (optional and not value)
    if form.max_bytes:
        most = form.max_bytes
        return lambda value: len(value) <= most and (optional or len(value) > 0)
    raise StartRefused(f"{field.full_name}: a bytes field declares max_bytes or exact_bytes")


def _id_check(field: FieldDescriptor, form: options_pb2.Form) -> _ItemCheck:
    if _PREFIX.fullmatch(form.id) is None:
        raise StartRefused(f"{field.full_name}: an id's prefix is two to eight lower-case letters")
    match = re.compile(form.id + "_[a-z2-7]{26}").fullmatch
    optional = form.optional
    return lambda value: match(value) is not None or (optional and not value)


def _text_check(field: FieldDescriptor, form: options_pb2.Form) -> _ItemCheck:
    most, optional = form.max_bytes, form.optional
    if not most:
        raise StartRefused(f"{field.full_name}: a string declares id or max_bytes")

    def right(value: str) -> bool:
        length = len(value)
        if length == 0:
            return optional
        if length > most:
            return False
        # Encoding is needed only where the characters alone do not decide.
        return length * 4 <= most or value.isascii() or len(value.encode()) <= most

    return right
