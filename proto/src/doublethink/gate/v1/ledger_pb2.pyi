from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

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
