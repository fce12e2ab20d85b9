from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProofState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROOF_STATE_UNSPECIFIED: _ClassVar[ProofState]
    PROOF_STATE_PROVEN: _ClassVar[ProofState]
    PROOF_STATE_NOT_SEALED: _ClassVar[ProofState]
    PROOF_STATE_ROWS_MISSING: _ClassVar[ProofState]
    PROOF_STATE_BEHIND: _ClassVar[ProofState]
PROOF_STATE_UNSPECIFIED: ProofState
PROOF_STATE_PROVEN: ProofState
PROOF_STATE_NOT_SEALED: ProofState
PROOF_STATE_ROWS_MISSING: ProofState
PROOF_STATE_BEHIND: ProofState

class ProveSessionRequest(_message.Message):
    __slots__ = ("since_size",)
    SINCE_SIZE_FIELD_NUMBER: _ClassVar[int]
    since_size: int
    def __init__(self, since_size: _Optional[int] = ...) -> None: ...

class ProveSessionResponse(_message.Message):
    __slots__ = ("state", "newest_n", "last_n", "index", "checkpoint", "path", "consistency")
    STATE_FIELD_NUMBER: _ClassVar[int]
    NEWEST_N_FIELD_NUMBER: _ClassVar[int]
    LAST_N_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    CONSISTENCY_FIELD_NUMBER: _ClassVar[int]
    state: ProofState
    newest_n: int
    last_n: int
    index: int
    checkpoint: bytes
    path: _containers.RepeatedScalarFieldContainer[bytes]
    consistency: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, state: _Optional[_Union[ProofState, str]] = ..., newest_n: _Optional[int] = ..., last_n: _Optional[int] = ..., index: _Optional[int] = ..., checkpoint: _Optional[bytes] = ..., path: _Optional[_Iterable[bytes]] = ..., consistency: _Optional[_Iterable[bytes]] = ...) -> None: ...
