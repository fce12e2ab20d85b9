from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class OpenPayloadsRequest(_message.Message):
    __slots__ = ("after_n",)
    AFTER_N_FIELD_NUMBER: _ClassVar[int]
    after_n: int
    def __init__(self, after_n: _Optional[int] = ...) -> None: ...

class OpenPayloadsResponse(_message.Message):
    __slots__ = ("n", "row_id", "erased", "nonce", "payload")
    N_FIELD_NUMBER: _ClassVar[int]
    ROW_ID_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    n: int
    row_id: bytes
    erased: bool
    nonce: bytes
    payload: bytes
    def __init__(self, n: _Optional[int] = ..., row_id: _Optional[bytes] = ..., erased: _Optional[bool] = ..., nonce: _Optional[bytes] = ..., payload: _Optional[bytes] = ...) -> None: ...
