from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExamineRequest(_message.Message):
    __slots__ = ("query_id", "unit_class", "period", "source_class", "pages")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    UNIT_CLASS_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    SOURCE_CLASS_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    unit_class: _figures_pb2.UnitClass
    period: _figures_pb2.Period
    source_class: _figures_pb2.SourceClass
    pages: int
    def __init__(self, query_id: _Optional[str] = ..., unit_class: _Optional[_Union[_figures_pb2.UnitClass, str]] = ..., period: _Optional[_Union[_figures_pb2.Period, _Mapping]] = ..., source_class: _Optional[_Union[_figures_pb2.SourceClass, str]] = ..., pages: _Optional[int] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("fact_id", "value", "unit", "period")
    FACT_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    fact_id: str
    value: _figures_pb2.Decimal
    unit: _figures_pb2.Unit
    period: _figures_pb2.Period
    def __init__(self, fact_id: _Optional[str] = ..., value: _Optional[_Union[_figures_pb2.Decimal, _Mapping]] = ..., unit: _Optional[_Union[_figures_pb2.Unit, _Mapping]] = ..., period: _Optional[_Union[_figures_pb2.Period, _Mapping]] = ...) -> None: ...

class ExamineResponse(_message.Message):
    __slots__ = ("verdict", "observations")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    verdict: _figures_pb2.Verdict
    observations: _containers.RepeatedCompositeFieldContainer[Observation]
    def __init__(self, verdict: _Optional[_Union[_figures_pb2.Verdict, str]] = ..., observations: _Optional[_Iterable[_Union[Observation, _Mapping]]] = ...) -> None: ...
