from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_CODE_UNSPECIFIED: _ClassVar[ErrorCode]
    ERROR_CODE_CALLER_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_CAPABILITY_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_MALFORMED: _ClassVar[ErrorCode]
    ERROR_CODE_METADATA_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_ID_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_BLOCKED: _ClassVar[ErrorCode]
    ERROR_CODE_HELD: _ClassVar[ErrorCode]
    ERROR_CODE_BUDGET_EXHAUSTED: _ClassVar[ErrorCode]
    ERROR_CODE_LEDGER_UNAVAILABLE: _ClassVar[ErrorCode]
    ERROR_CODE_SOURCE_UNAVAILABLE: _ClassVar[ErrorCode]
    ERROR_CODE_SOURCE_RATE_LIMITED: _ClassVar[ErrorCode]
    ERROR_CODE_MODEL_UNAVAILABLE: _ClassVar[ErrorCode]
    ERROR_CODE_MODEL_ANSWER_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_SESSION_CLOSED: _ClassVar[ErrorCode]
    ERROR_CODE_OVERLOADED: _ClassVar[ErrorCode]
    ERROR_CODE_DEADLINE: _ClassVar[ErrorCode]
    ERROR_CODE_PEER_UNAVAILABLE: _ClassVar[ErrorCode]
    ERROR_CODE_OPERATION_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_PAGE_UNREADABLE: _ClassVar[ErrorCode]
    ERROR_CODE_INTERNAL: _ClassVar[ErrorCode]
    ERROR_CODE_CANCELLED: _ClassVar[ErrorCode]
    ERROR_CODE_BACK_END_UNKNOWN: _ClassVar[ErrorCode]
    ERROR_CODE_CONFLICT: _ClassVar[ErrorCode]
    ERROR_CODE_MODEL_RATE_LIMITED: _ClassVar[ErrorCode]
    ERROR_CODE_PROVIDER_REFUSED: _ClassVar[ErrorCode]
    ERROR_CODE_NOT_RECORDED: _ClassVar[ErrorCode]
ERROR_CODE_UNSPECIFIED: ErrorCode
ERROR_CODE_CALLER_REFUSED: ErrorCode
ERROR_CODE_CAPABILITY_REFUSED: ErrorCode
ERROR_CODE_MALFORMED: ErrorCode
ERROR_CODE_METADATA_REFUSED: ErrorCode
ERROR_CODE_ID_REFUSED: ErrorCode
ERROR_CODE_BLOCKED: ErrorCode
ERROR_CODE_HELD: ErrorCode
ERROR_CODE_BUDGET_EXHAUSTED: ErrorCode
ERROR_CODE_LEDGER_UNAVAILABLE: ErrorCode
ERROR_CODE_SOURCE_UNAVAILABLE: ErrorCode
ERROR_CODE_SOURCE_RATE_LIMITED: ErrorCode
ERROR_CODE_MODEL_UNAVAILABLE: ErrorCode
ERROR_CODE_MODEL_ANSWER_REFUSED: ErrorCode
ERROR_CODE_SESSION_CLOSED: ErrorCode
ERROR_CODE_OVERLOADED: ErrorCode
ERROR_CODE_DEADLINE: ErrorCode
ERROR_CODE_PEER_UNAVAILABLE: ErrorCode
ERROR_CODE_OPERATION_REFUSED: ErrorCode
ERROR_CODE_PAGE_UNREADABLE: ErrorCode
ERROR_CODE_INTERNAL: ErrorCode
ERROR_CODE_CANCELLED: ErrorCode
ERROR_CODE_BACK_END_UNKNOWN: ErrorCode
ERROR_CODE_CONFLICT: ErrorCode
ERROR_CODE_MODEL_RATE_LIMITED: ErrorCode
ERROR_CODE_PROVIDER_REFUSED: ErrorCode
ERROR_CODE_NOT_RECORDED: ErrorCode

class ErrorDetail(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: ErrorCode
    def __init__(self, code: _Optional[_Union[ErrorCode, str]] = ...) -> None: ...
