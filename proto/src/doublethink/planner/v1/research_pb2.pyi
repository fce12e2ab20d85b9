from doublethink.errors.v1 import errors_pb2 as _errors_pb2
from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlannerBackEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLANNER_BACK_END_UNSPECIFIED: _ClassVar[PlannerBackEnd]
    PLANNER_BACK_END_RULES: _ClassVar[PlannerBackEnd]
    PLANNER_BACK_END_OLLAMA: _ClassVar[PlannerBackEnd]
    PLANNER_BACK_END_OPENAI: _ClassVar[PlannerBackEnd]
    PLANNER_BACK_END_CARELESS: _ClassVar[PlannerBackEnd]

class PlanStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAN_STATUS_UNSPECIFIED: _ClassVar[PlanStatus]
    PLAN_STATUS_ANSWERED: _ClassVar[PlanStatus]
    PLAN_STATUS_NOT_FOUND: _ClassVar[PlanStatus]
    PLAN_STATUS_REFUSED: _ClassVar[PlanStatus]
PLANNER_BACK_END_UNSPECIFIED: PlannerBackEnd
PLANNER_BACK_END_RULES: PlannerBackEnd
PLANNER_BACK_END_OLLAMA: PlannerBackEnd
PLANNER_BACK_END_OPENAI: PlannerBackEnd
PLANNER_BACK_END_CARELESS: PlannerBackEnd
PLAN_STATUS_UNSPECIFIED: PlanStatus
PLAN_STATUS_ANSWERED: PlanStatus
PLAN_STATUS_NOT_FOUND: PlanStatus
PLAN_STATUS_REFUSED: PlanStatus

class ResearchRequest(_message.Message):
    __slots__ = ("session_id", "memo", "question", "public_terms", "back_end", "validator_capability", "max_queries", "history", "approval_s")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MEMO_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_TERMS_FIELD_NUMBER: _ClassVar[int]
    BACK_END_FIELD_NUMBER: _ClassVar[int]
    VALIDATOR_CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    MAX_QUERIES_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_S_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    memo: str
    question: str
    public_terms: _containers.RepeatedScalarFieldContainer[str]
    back_end: PlannerBackEnd
    validator_capability: bytes
    max_queries: int
    history: _containers.RepeatedCompositeFieldContainer[ResearchEvent]
    approval_s: int
    def __init__(self, session_id: _Optional[str] = ..., memo: _Optional[str] = ..., question: _Optional[str] = ..., public_terms: _Optional[_Iterable[str]] = ..., back_end: _Optional[_Union[PlannerBackEnd, str]] = ..., validator_capability: _Optional[bytes] = ..., max_queries: _Optional[int] = ..., history: _Optional[_Iterable[_Union[ResearchEvent, _Mapping]]] = ..., approval_s: _Optional[int] = ...) -> None: ...

class ResearchEvent(_message.Message):
    __slots__ = ("index", "planned", "searched", "refused", "examined", "plan", "failed", "held")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    PLANNED_FIELD_NUMBER: _ClassVar[int]
    SEARCHED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    EXAMINED_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    index: int
    planned: Planned
    searched: Searched
    refused: Refused
    examined: Examined
    plan: Plan
    failed: Failed
    held: Held
    def __init__(self, index: _Optional[int] = ..., planned: _Optional[_Union[Planned, _Mapping]] = ..., searched: _Optional[_Union[Searched, _Mapping]] = ..., refused: _Optional[_Union[Refused, _Mapping]] = ..., examined: _Optional[_Union[Examined, _Mapping]] = ..., plan: _Optional[_Union[Plan, _Mapping]] = ..., failed: _Optional[_Union[Failed, _Mapping]] = ..., held: _Optional[_Union[Held, _Mapping]] = ...) -> None: ...

class Planned(_message.Message):
    __slots__ = ("figures", "check")
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    figures: int
    check: int
    def __init__(self, figures: _Optional[int] = ..., check: _Optional[int] = ...) -> None: ...

class Searched(_message.Message):
    __slots__ = ("figure", "query_id", "results")
    FIGURE_FIELD_NUMBER: _ClassVar[int]
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    figure: int
    query_id: str
    results: int
    def __init__(self, figure: _Optional[int] = ..., query_id: _Optional[str] = ..., results: _Optional[int] = ...) -> None: ...

class Refused(_message.Message):
    __slots__ = ("figure", "code")
    FIGURE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    figure: int
    code: _errors_pb2.ErrorCode
    def __init__(self, figure: _Optional[int] = ..., code: _Optional[_Union[_errors_pb2.ErrorCode, str]] = ...) -> None: ...

class Held(_message.Message):
    __slots__ = ("figure", "hold_id")
    FIGURE_FIELD_NUMBER: _ClassVar[int]
    HOLD_ID_FIELD_NUMBER: _ClassVar[int]
    figure: int
    hold_id: str
    def __init__(self, figure: _Optional[int] = ..., hold_id: _Optional[str] = ...) -> None: ...

class Examined(_message.Message):
    __slots__ = ("figure", "query_id", "verdict", "fact_id")
    FIGURE_FIELD_NUMBER: _ClassVar[int]
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    figure: int
    query_id: str
    verdict: _figures_pb2.Verdict
    fact_id: str
    def __init__(self, figure: _Optional[int] = ..., query_id: _Optional[str] = ..., verdict: _Optional[_Union[_figures_pb2.Verdict, str]] = ..., fact_id: _Optional[str] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ("kind", "fact_ids", "years")
    KIND_FIELD_NUMBER: _ClassVar[int]
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    kind: _figures_pb2.OperationKind
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    years: int
    def __init__(self, kind: _Optional[_Union[_figures_pb2.OperationKind, str]] = ..., fact_ids: _Optional[_Iterable[str]] = ..., years: _Optional[int] = ...) -> None: ...

class Plan(_message.Message):
    __slots__ = ("status", "fact_ids", "operations")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    status: PlanStatus
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    def __init__(self, status: _Optional[_Union[PlanStatus, str]] = ..., fact_ids: _Optional[_Iterable[str]] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ...) -> None: ...

class Failed(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: _errors_pb2.ErrorCode
    def __init__(self, code: _Optional[_Union[_errors_pb2.ErrorCode, str]] = ...) -> None: ...

class ResearchResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: ResearchEvent
    def __init__(self, event: _Optional[_Union[ResearchEvent, _Mapping]] = ...) -> None: ...
