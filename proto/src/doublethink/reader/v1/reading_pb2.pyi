from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadRequest(_message.Message):
    __slots__ = ("query", "page")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    query: ReadQuery
    page: ReadPage
    def __init__(self, query: _Optional[_Union[ReadQuery, _Mapping]] = ..., page: _Optional[_Union[ReadPage, _Mapping]] = ...) -> None: ...

class ReadQuery(_message.Message):
    __slots__ = ("query_id", "text", "unit_class", "period")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    UNIT_CLASS_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    text: str
    unit_class: _figures_pb2.UnitClass
    period: _figures_pb2.Period
    def __init__(self, query_id: _Optional[str] = ..., text: _Optional[str] = ..., unit_class: _Optional[_Union[_figures_pb2.UnitClass, str]] = ..., period: _Optional[_Union[_figures_pb2.Period, _Mapping]] = ...) -> None: ...

class ReadPage(_message.Message):
    __slots__ = ("page_id", "text")
    PAGE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    page_id: str
    text: str
    def __init__(self, page_id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ("page_id", "quote", "heading_quotes", "quote_offset", "value", "scale", "unit", "period", "direction", "flags")
    PAGE_ID_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    HEADING_QUOTES_FIELD_NUMBER: _ClassVar[int]
    QUOTE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    page_id: str
    quote: str
    heading_quotes: _containers.RepeatedScalarFieldContainer[str]
    quote_offset: int
    value: str
    scale: str
    unit: str
    period: str
    direction: _figures_pb2.Direction
    flags: _containers.RepeatedScalarFieldContainer[_figures_pb2.Flag]
    def __init__(self, page_id: _Optional[str] = ..., quote: _Optional[str] = ..., heading_quotes: _Optional[_Iterable[str]] = ..., quote_offset: _Optional[int] = ..., value: _Optional[str] = ..., scale: _Optional[str] = ..., unit: _Optional[str] = ..., period: _Optional[str] = ..., direction: _Optional[_Union[_figures_pb2.Direction, str]] = ..., flags: _Optional[_Iterable[_Union[_figures_pb2.Flag, str]]] = ...) -> None: ...

class ReadResponse(_message.Message):
    __slots__ = ("claim",)
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    claim: Claim
    def __init__(self, claim: _Optional[_Union[Claim, _Mapping]] = ...) -> None: ...
