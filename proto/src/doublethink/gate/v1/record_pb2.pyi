from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SpanRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SPAN_ROLE_UNSPECIFIED: _ClassVar[SpanRole]
    SPAN_ROLE_FIGURE: _ClassVar[SpanRole]
    SPAN_ROLE_PERIOD: _ClassVar[SpanRole]
    SPAN_ROLE_SCALE: _ClassVar[SpanRole]
    SPAN_ROLE_SUBJECT: _ClassVar[SpanRole]
SPAN_ROLE_UNSPECIFIED: SpanRole
SPAN_ROLE_FIGURE: SpanRole
SPAN_ROLE_PERIOD: SpanRole
SPAN_ROLE_SCALE: SpanRole
SPAN_ROLE_SUBJECT: SpanRole

class Span(_message.Message):
    __slots__ = ("role", "start", "end")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    role: SpanRole
    start: int
    end: int
    def __init__(self, role: _Optional[_Union[SpanRole, str]] = ..., start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class Fact(_message.Message):
    __slots__ = ("query_id", "page_id", "spans", "value", "unit", "period", "direction", "flags", "label", "rival")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_ID_FIELD_NUMBER: _ClassVar[int]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    RIVAL_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    page_id: str
    spans: _containers.RepeatedCompositeFieldContainer[Span]
    value: _figures_pb2.Decimal
    unit: _figures_pb2.Unit
    period: _figures_pb2.Period
    direction: _figures_pb2.Direction
    flags: _containers.RepeatedScalarFieldContainer[_figures_pb2.Flag]
    label: str
    rival: bool
    def __init__(self, query_id: _Optional[str] = ..., page_id: _Optional[str] = ..., spans: _Optional[_Iterable[_Union[Span, _Mapping]]] = ..., value: _Optional[_Union[_figures_pb2.Decimal, _Mapping]] = ..., unit: _Optional[_Union[_figures_pb2.Unit, _Mapping]] = ..., period: _Optional[_Union[_figures_pb2.Period, _Mapping]] = ..., direction: _Optional[_Union[_figures_pb2.Direction, str]] = ..., flags: _Optional[_Iterable[_Union[_figures_pb2.Flag, str]]] = ..., label: _Optional[str] = ..., rival: _Optional[bool] = ...) -> None: ...

class RecordFactRequest(_message.Message):
    __slots__ = ("fact",)
    FACT_FIELD_NUMBER: _ClassVar[int]
    fact: Fact
    def __init__(self, fact: _Optional[_Union[Fact, _Mapping]] = ...) -> None: ...

class RecordFactResponse(_message.Message):
    __slots__ = ("fact_id",)
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    fact_id: str
    def __init__(self, fact_id: _Optional[str] = ...) -> None: ...

class GetFactsRequest(_message.Message):
    __slots__ = ("fact_ids", "rivals")
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    RIVALS_FIELD_NUMBER: _ClassVar[int]
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    rivals: bool
    def __init__(self, fact_ids: _Optional[_Iterable[str]] = ..., rivals: _Optional[bool] = ...) -> None: ...

class RecordedFact(_message.Message):
    __slots__ = ("fact_id", "fact")
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    fact_id: str
    fact: Fact
    def __init__(self, fact_id: _Optional[str] = ..., fact: _Optional[_Union[Fact, _Mapping]] = ...) -> None: ...

class GetFactsResponse(_message.Message):
    __slots__ = ("facts",)
    FACTS_FIELD_NUMBER: _ClassVar[int]
    facts: _containers.RepeatedCompositeFieldContainer[RecordedFact]
    def __init__(self, facts: _Optional[_Iterable[_Union[RecordedFact, _Mapping]]] = ...) -> None: ...
