from doublethink.gate.v1 import ledger_pb2 as _ledger_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListLogRequest(_message.Message):
    __slots__ = ("after_seq", "limit", "since_us", "session_id", "newest")
    AFTER_SEQ_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SINCE_US_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    after_seq: int
    limit: int
    since_us: int
    session_id: str
    newest: bool
    def __init__(self, after_seq: _Optional[int] = ..., limit: _Optional[int] = ..., since_us: _Optional[int] = ..., session_id: _Optional[str] = ..., newest: _Optional[bool] = ...) -> None: ...

class LogRow(_message.Message):
    __slots__ = ("session_id", "row", "erased")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    row: _ledger_pb2.Row
    erased: bool
    def __init__(self, session_id: _Optional[str] = ..., row: _Optional[_Union[_ledger_pb2.Row, _Mapping]] = ..., erased: _Optional[bool] = ...) -> None: ...

class ListLogResponse(_message.Message):
    __slots__ = ("row",)
    ROW_FIELD_NUMBER: _ClassVar[int]
    row: LogRow
    def __init__(self, row: _Optional[_Union[LogRow, _Mapping]] = ...) -> None: ...
