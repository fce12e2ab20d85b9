from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Budgets(_message.Message):
    __slots__ = ("queries", "pages", "model_calls", "seconds")
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    MODEL_CALLS_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    queries: int
    pages: int
    model_calls: int
    seconds: int
    def __init__(self, queries: _Optional[int] = ..., pages: _Optional[int] = ..., model_calls: _Optional[int] = ..., seconds: _Optional[int] = ...) -> None: ...

class PlannerModel(_message.Message):
    __slots__ = ("name", "digest")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    name: str
    digest: bytes
    def __init__(self, name: _Optional[str] = ..., digest: _Optional[bytes] = ...) -> None: ...

class OpenSessionRequest(_message.Message):
    __slots__ = ("fingerprint_pack", "budgets", "tenant", "planner_model")
    FINGERPRINT_PACK_FIELD_NUMBER: _ClassVar[int]
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    PLANNER_MODEL_FIELD_NUMBER: _ClassVar[int]
    fingerprint_pack: bytes
    budgets: Budgets
    tenant: str
    planner_model: PlannerModel
    def __init__(self, fingerprint_pack: _Optional[bytes] = ..., budgets: _Optional[_Union[Budgets, _Mapping]] = ..., tenant: _Optional[str] = ..., planner_model: _Optional[_Union[PlannerModel, _Mapping]] = ...) -> None: ...

class OpenSessionResponse(_message.Message):
    __slots__ = ("session_id", "console_capability", "planner_capability", "validator_capability", "policy_digest")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CONSOLE_CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    PLANNER_CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    VALIDATOR_CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    POLICY_DIGEST_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    console_capability: bytes
    planner_capability: bytes
    validator_capability: bytes
    policy_digest: bytes
    def __init__(self, session_id: _Optional[str] = ..., console_capability: _Optional[bytes] = ..., planner_capability: _Optional[bytes] = ..., validator_capability: _Optional[bytes] = ..., policy_digest: _Optional[bytes] = ...) -> None: ...

class CloseSessionRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CloseSessionResponse(_message.Message):
    __slots__ = ("rows",)
    ROWS_FIELD_NUMBER: _ClassVar[int]
    rows: int
    def __init__(self, rows: _Optional[int] = ...) -> None: ...
