from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SearchRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: str
    def __init__(self, query: _Optional[str] = ...) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ("hold_id",)
    HOLD_ID_FIELD_NUMBER: _ClassVar[int]
    hold_id: str
    def __init__(self, hold_id: _Optional[str] = ...) -> None: ...

class ClassCount(_message.Message):
    __slots__ = ("source_class", "results")
    SOURCE_CLASS_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    source_class: _figures_pb2.SourceClass
    results: int
    def __init__(self, source_class: _Optional[_Union[_figures_pb2.SourceClass, str]] = ..., results: _Optional[int] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("query_id", "counts", "hold_id")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    HOLD_ID_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    counts: _containers.RepeatedCompositeFieldContainer[ClassCount]
    hold_id: str
    def __init__(self, query_id: _Optional[str] = ..., counts: _Optional[_Iterable[_Union[ClassCount, _Mapping]]] = ..., hold_id: _Optional[str] = ...) -> None: ...

class ReleaseResponse(_message.Message):
    __slots__ = ("query_id", "counts", "hold_id")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    HOLD_ID_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    counts: _containers.RepeatedCompositeFieldContainer[ClassCount]
    hold_id: str
    def __init__(self, query_id: _Optional[str] = ..., counts: _Optional[_Iterable[_Union[ClassCount, _Mapping]]] = ..., hold_id: _Optional[str] = ...) -> None: ...
