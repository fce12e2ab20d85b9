from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.gate.v1 import record_pb2 as _record_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ComposeOperation(_message.Message):
    __slots__ = ("kind", "fact_ids", "years")
    KIND_FIELD_NUMBER: _ClassVar[int]
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    kind: _figures_pb2.OperationKind
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    years: int
    def __init__(self, kind: _Optional[_Union[_figures_pb2.OperationKind, str]] = ..., fact_ids: _Optional[_Iterable[str]] = ..., years: _Optional[int] = ...) -> None: ...

class ComposeRequest(_message.Message):
    __slots__ = ("fact_ids", "operations")
    FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    fact_ids: _containers.RepeatedScalarFieldContainer[str]
    operations: _containers.RepeatedCompositeFieldContainer[ComposeOperation]
    def __init__(self, fact_ids: _Optional[_Iterable[str]] = ..., operations: _Optional[_Iterable[_Union[ComposeOperation, _Mapping]]] = ...) -> None: ...

class Quote(_message.Message):
    __slots__ = ("role", "text", "start", "end")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    role: _record_pb2.SpanRole
    text: str
    start: int
    end: int
    def __init__(self, role: _Optional[_Union[_record_pb2.SpanRole, str]] = ..., text: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class AnswerFigure(_message.Message):
    __slots__ = ("fact_id", "value", "unit", "period", "quotes", "url", "page_sha256", "raw_sha256", "fetched_at_us", "page_title", "flags", "label", "direction", "shown")
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    QUOTES_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SHA256_FIELD_NUMBER: _ClassVar[int]
    RAW_SHA256_FIELD_NUMBER: _ClassVar[int]
    FETCHED_AT_US_FIELD_NUMBER: _ClassVar[int]
    PAGE_TITLE_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    fact_id: str
    value: _figures_pb2.Decimal
    unit: _figures_pb2.Unit
    period: str
    quotes: _containers.RepeatedCompositeFieldContainer[Quote]
    url: str
    page_sha256: bytes
    raw_sha256: bytes
    fetched_at_us: int
    page_title: str
    flags: _containers.RepeatedScalarFieldContainer[_figures_pb2.Flag]
    label: str
    direction: _figures_pb2.Direction
    shown: str
    def __init__(self, fact_id: _Optional[str] = ..., value: _Optional[_Union[_figures_pb2.Decimal, _Mapping]] = ..., unit: _Optional[_Union[_figures_pb2.Unit, _Mapping]] = ..., period: _Optional[str] = ..., quotes: _Optional[_Iterable[_Union[Quote, _Mapping]]] = ..., url: _Optional[str] = ..., page_sha256: _Optional[bytes] = ..., raw_sha256: _Optional[bytes] = ..., fetched_at_us: _Optional[int] = ..., page_title: _Optional[str] = ..., flags: _Optional[_Iterable[_Union[_figures_pb2.Flag, str]]] = ..., label: _Optional[str] = ..., direction: _Optional[_Union[_figures_pb2.Direction, str]] = ..., shown: _Optional[str] = ...) -> None: ...

class DerivedFigure(_message.Message):
    __slots__ = ("kind", "operand_fact_ids", "value", "unit", "formula", "shown")
    KIND_FIELD_NUMBER: _ClassVar[int]
    OPERAND_FACT_IDS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    FORMULA_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    kind: _figures_pb2.OperationKind
    operand_fact_ids: _containers.RepeatedScalarFieldContainer[str]
    value: _figures_pb2.Decimal
    unit: _figures_pb2.Unit
    formula: str
    shown: str
    def __init__(self, kind: _Optional[_Union[_figures_pb2.OperationKind, str]] = ..., operand_fact_ids: _Optional[_Iterable[str]] = ..., value: _Optional[_Union[_figures_pb2.Decimal, _Mapping]] = ..., unit: _Optional[_Union[_figures_pb2.Unit, _Mapping]] = ..., formula: _Optional[str] = ..., shown: _Optional[str] = ...) -> None: ...

class Rival(_message.Message):
    __slots__ = ("group", "figure")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    FIGURE_FIELD_NUMBER: _ClassVar[int]
    group: int
    figure: AnswerFigure
    def __init__(self, group: _Optional[int] = ..., figure: _Optional[_Union[AnswerFigure, _Mapping]] = ...) -> None: ...

class ComposeResponse(_message.Message):
    __slots__ = ("text", "figures", "derived", "rivals")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    DERIVED_FIELD_NUMBER: _ClassVar[int]
    RIVALS_FIELD_NUMBER: _ClassVar[int]
    text: str
    figures: _containers.RepeatedCompositeFieldContainer[AnswerFigure]
    derived: _containers.RepeatedCompositeFieldContainer[DerivedFigure]
    rivals: _containers.RepeatedCompositeFieldContainer[Rival]
    def __init__(self, text: _Optional[str] = ..., figures: _Optional[_Iterable[_Union[AnswerFigure, _Mapping]]] = ..., derived: _Optional[_Iterable[_Union[DerivedFigure, _Mapping]]] = ..., rivals: _Optional[_Iterable[_Union[Rival, _Mapping]]] = ...) -> None: ...
