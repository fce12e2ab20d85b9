from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Approval(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    APPROVAL_UNSPECIFIED: _ClassVar[Approval]
    APPROVAL_APPROVE: _ClassVar[Approval]
    APPROVAL_REJECT: _ClassVar[Approval]
APPROVAL_UNSPECIFIED: Approval
APPROVAL_APPROVE: Approval
APPROVAL_REJECT: Approval

class ListHoldsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Hold(_message.Message):
    __slots__ = ("hold_id", "n", "expires_us", "commitment", "query", "rules", "approved")
    HOLD_ID_FIELD_NUMBER: _ClassVar[int]
    N_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_US_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    APPROVED_FIELD_NUMBER: _ClassVar[int]
    hold_id: str
    n: int
    expires_us: int
    commitment: bytes
    query: str
    rules: _containers.RepeatedScalarFieldContainer[str]
    approved: bool
    def __init__(self, hold_id: _Optional[str] = ..., n: _Optional[int] = ..., expires_us: _Optional[int] = ..., commitment: _Optional[bytes] = ..., query: _Optional[str] = ..., rules: _Optional[_Iterable[str]] = ..., approved: _Optional[bool] = ...) -> None: ...

class ListHoldsResponse(_message.Message):
    __slots__ = ("holds",)
    HOLDS_FIELD_NUMBER: _ClassVar[int]
    holds: _containers.RepeatedCompositeFieldContainer[Hold]
    def __init__(self, holds: _Optional[_Iterable[_Union[Hold, _Mapping]]] = ...) -> None: ...

class DecideRequest(_message.Message):
    __slots__ = ("hold_id", "commitment", "approval", "approver")
    HOLD_ID_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_FIELD_NUMBER: _ClassVar[int]
    APPROVER_FIELD_NUMBER: _ClassVar[int]
    hold_id: str
    commitment: bytes
    approval: Approval
    approver: str
    def __init__(self, hold_id: _Optional[str] = ..., commitment: _Optional[bytes] = ..., approval: _Optional[_Union[Approval, str]] = ..., approver: _Optional[str] = ...) -> None: ...

class DecideResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
