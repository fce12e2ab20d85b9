from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecordingFault(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECORDING_FAULT_UNSPECIFIED: _ClassVar[RecordingFault]
    RECORDING_FAULT_FINDINGS: _ClassVar[RecordingFault]
    RECORDING_FAULT_OPEN: _ClassVar[RecordingFault]
    RECORDING_FAULT_EMPTY: _ClassVar[RecordingFault]
    RECORDING_FAULT_TOO_LARGE: _ClassVar[RecordingFault]
    RECORDING_FAULT_ERASED: _ClassVar[RecordingFault]
    RECORDING_FAULT_TOO_OLD: _ClassVar[RecordingFault]
RECORDING_FAULT_UNSPECIFIED: RecordingFault
RECORDING_FAULT_FINDINGS: RecordingFault
RECORDING_FAULT_OPEN: RecordingFault
RECORDING_FAULT_EMPTY: RecordingFault
RECORDING_FAULT_TOO_LARGE: RecordingFault
RECORDING_FAULT_ERASED: RecordingFault
RECORDING_FAULT_TOO_OLD: RecordingFault

class RecordSessionRequest(_message.Message):
    __slots__ = ("fingerprint_pack",)
    FINGERPRINT_PACK_FIELD_NUMBER: _ClassVar[int]
    fingerprint_pack: bytes
    def __init__(self, fingerprint_pack: _Optional[bytes] = ...) -> None: ...

class RecordingFinding(_message.Message):
    __slots__ = ("n", "rule")
    N_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    n: int
    rule: str
    def __init__(self, n: _Optional[int] = ..., rule: _Optional[str] = ...) -> None: ...

class RecordingRefused(_message.Message):
    __slots__ = ("fault", "findings")
    FAULT_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    fault: RecordingFault
    findings: _containers.RepeatedCompositeFieldContainer[RecordingFinding]
    def __init__(self, fault: _Optional[_Union[RecordingFault, str]] = ..., findings: _Optional[_Iterable[_Union[RecordingFinding, _Mapping]]] = ...) -> None: ...

class RecordingPiece(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    def __init__(self, data: _Optional[bytes] = ...) -> None: ...

class RecordSessionResponse(_message.Message):
    __slots__ = ("refused", "piece")
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    refused: RecordingRefused
    piece: RecordingPiece
    def __init__(self, refused: _Optional[_Union[RecordingRefused, _Mapping]] = ..., piece: _Optional[_Union[RecordingPiece, _Mapping]] = ...) -> None: ...
