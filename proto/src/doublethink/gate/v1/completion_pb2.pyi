from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Template(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEMPLATE_UNSPECIFIED: _ClassVar[Template]
    TEMPLATE_EXTRACT_CLAIMS: _ClassVar[Template]
TEMPLATE_UNSPECIFIED: Template
TEMPLATE_EXTRACT_CLAIMS: Template

class CompleteRequest(_message.Message):
    __slots__ = ("template", "query_id", "page_ids")
    TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    template: Template
    query_id: str
    page_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, template: _Optional[_Union[Template, str]] = ..., query_id: _Optional[str] = ..., page_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CompleteResponse(_message.Message):
    __slots__ = ("completion",)
    COMPLETION_FIELD_NUMBER: _ClassVar[int]
    completion: str
    def __init__(self, completion: _Optional[str] = ...) -> None: ...
