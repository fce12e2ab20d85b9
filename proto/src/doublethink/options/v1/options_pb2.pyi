from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_CONSOLE: _ClassVar[Role]
    ROLE_PLANNER: _ClassVar[Role]
    ROLE_GATE: _ClassVar[Role]
    ROLE_VALIDATOR: _ClassVar[Role]
    ROLE_READER: _ClassVar[Role]
    ROLE_SEALER: _ClassVar[Role]

class Capability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPABILITY_UNSPECIFIED: _ClassVar[Capability]
    CAPABILITY_NONE: _ClassVar[Capability]
    CAPABILITY_SESSION: _ClassVar[Capability]
ROLE_UNSPECIFIED: Role
ROLE_CONSOLE: Role
ROLE_PLANNER: Role
ROLE_GATE: Role
ROLE_VALIDATOR: Role
ROLE_READER: Role
ROLE_SEALER: Role
CAPABILITY_UNSPECIFIED: Capability
CAPABILITY_NONE: Capability
CAPABILITY_SESSION: Capability
CALLERS_FIELD_NUMBER: _ClassVar[int]
callers: _descriptor.FieldDescriptor
CAPABILITY_FIELD_NUMBER: _ClassVar[int]
capability: _descriptor.FieldDescriptor
LIMITS_FIELD_NUMBER: _ClassVar[int]
limits: _descriptor.FieldDescriptor
FORM_FIELD_NUMBER: _ClassVar[int]
form: _descriptor.FieldDescriptor

class CallLimits(_message.Message):
    __slots__ = ("deadline_ms", "max_request_bytes", "max_response_bytes")
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_REQUEST_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_RESPONSE_BYTES_FIELD_NUMBER: _ClassVar[int]
    deadline_ms: int
    max_request_bytes: int
    max_response_bytes: int
    def __init__(self, deadline_ms: _Optional[int] = ..., max_request_bytes: _Optional[int] = ..., max_response_bytes: _Optional[int] = ...) -> None: ...

class Form(_message.Message):
    __slots__ = ("id", "max_bytes", "exact_bytes", "max_items", "min", "max", "optional")
    ID_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    EXACT_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    id: str
    max_bytes: int
    exact_bytes: int
    max_items: int
    min: int
    max: int
    optional: bool
    def __init__(self, id: _Optional[str] = ..., max_bytes: _Optional[int] = ..., exact_bytes: _Optional[int] = ..., max_items: _Optional[int] = ..., min: _Optional[int] = ..., max: _Optional[int] = ..., optional: _Optional[bool] = ...) -> None: ...
