from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReasonVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_VERDICT_UNSPECIFIED: _ClassVar[ReasonVerdict]
    REASON_VERDICT_ASK: _ClassVar[ReasonVerdict]
    REASON_VERDICT_REWRITE: _ClassVar[ReasonVerdict]
    REASON_VERDICT_BLOCK: _ClassVar[ReasonVerdict]

class SizeClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SIZE_CLASS_UNSPECIFIED: _ClassVar[SizeClass]
    SIZE_CLASS_SHORT: _ClassVar[SizeClass]
    SIZE_CLASS_MEDIUM: _ClassVar[SizeClass]
    SIZE_CLASS_LONG: _ClassVar[SizeClass]
REASON_VERDICT_UNSPECIFIED: ReasonVerdict
REASON_VERDICT_ASK: ReasonVerdict
REASON_VERDICT_REWRITE: ReasonVerdict
REASON_VERDICT_BLOCK: ReasonVerdict
SIZE_CLASS_UNSPECIFIED: SizeClass
SIZE_CLASS_SHORT: SizeClass
SIZE_CLASS_MEDIUM: SizeClass
SIZE_CLASS_LONG: SizeClass

class ListRowsRequest(_message.Message):
    __slots__ = ("after_n", "follow")
    AFTER_N_FIELD_NUMBER: _ClassVar[int]
    FOLLOW_FIELD_NUMBER: _ClassVar[int]
    after_n: int
    follow: bool
    def __init__(self, after_n: _Optional[int] = ..., follow: _Optional[bool] = ...) -> None: ...

class Row(_message.Message):
    __slots__ = ("seq", "n", "id", "at_us", "prev", "body", "hash")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    N_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    AT_US_FIELD_NUMBER: _ClassVar[int]
    PREV_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    seq: int
    n: int
    id: bytes
    at_us: int
    prev: bytes
    body: bytes
    hash: bytes
    def __init__(self, seq: _Optional[int] = ..., n: _Optional[int] = ..., id: _Optional[bytes] = ..., at_us: _Optional[int] = ..., prev: _Optional[bytes] = ..., body: _Optional[bytes] = ..., hash: _Optional[bytes] = ...) -> None: ...

class ListRowsResponse(_message.Message):
    __slots__ = ("row",)
    ROW_FIELD_NUMBER: _ClassVar[int]
    row: Row
    def __init__(self, row: _Optional[_Union[Row, _Mapping]] = ...) -> None: ...

class OpenPayloadRequest(_message.Message):
    __slots__ = ("row_id",)
    ROW_ID_FIELD_NUMBER: _ClassVar[int]
    row_id: bytes
    def __init__(self, row_id: _Optional[bytes] = ...) -> None: ...

class OpenPayloadResponse(_message.Message):
    __slots__ = ("payload",)
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    payload: bytes
    def __init__(self, payload: _Optional[bytes] = ...) -> None: ...

class ExplainAttemptRequest(_message.Message):
    __slots__ = ("row_id",)
    ROW_ID_FIELD_NUMBER: _ClassVar[int]
    row_id: bytes
    def __init__(self, row_id: _Optional[bytes] = ...) -> None: ...

class Reason(_message.Message):
    __slots__ = ("rule", "verdict", "family", "start", "end", "chain", "earlier_n", "size", "elsewhere")
    RULE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    EARLIER_N_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ELSEWHERE_FIELD_NUMBER: _ClassVar[int]
    rule: str
    verdict: ReasonVerdict
    family: str
    start: int
    end: int
    chain: _containers.RepeatedScalarFieldContainer[str]
    earlier_n: _containers.RepeatedScalarFieldContainer[int]
    size: SizeClass
    elsewhere: bool
    def __init__(self, rule: _Optional[str] = ..., verdict: _Optional[_Union[ReasonVerdict, str]] = ..., family: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., chain: _Optional[_Iterable[str]] = ..., earlier_n: _Optional[_Iterable[int]] = ..., size: _Optional[_Union[SizeClass, str]] = ..., elsewhere: _Optional[bool] = ...) -> None: ...

class ExplainAttemptResponse(_message.Message):
    __slots__ = ("kept", "checked_bytes", "reasons")
    KEPT_FIELD_NUMBER: _ClassVar[int]
    CHECKED_BYTES_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    kept: bool
    checked_bytes: int
    reasons: _containers.RepeatedCompositeFieldContainer[Reason]
    def __init__(self, kept: _Optional[bool] = ..., checked_bytes: _Optional[int] = ..., reasons: _Optional[_Iterable[_Union[Reason, _Mapping]]] = ...) -> None: ...
