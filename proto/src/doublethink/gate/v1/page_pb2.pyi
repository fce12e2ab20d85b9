from doublethink.figures.v1 import figures_pb2 as _figures_pb2
from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PageOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PAGE_OUTCOME_UNSPECIFIED: _ClassVar[PageOutcome]
    PAGE_OUTCOME_STORED: _ClassVar[PageOutcome]
    PAGE_OUTCOME_BLOCKED: _ClassVar[PageOutcome]
    PAGE_OUTCOME_FETCH_FAILED: _ClassVar[PageOutcome]
    PAGE_OUTCOME_TOO_LARGE: _ClassVar[PageOutcome]
    PAGE_OUTCOME_UNREADABLE: _ClassVar[PageOutcome]
    PAGE_OUTCOME_BUDGET_EXHAUSTED: _ClassVar[PageOutcome]
PAGE_OUTCOME_UNSPECIFIED: PageOutcome
PAGE_OUTCOME_STORED: PageOutcome
PAGE_OUTCOME_BLOCKED: PageOutcome
PAGE_OUTCOME_FETCH_FAILED: PageOutcome
PAGE_OUTCOME_TOO_LARGE: PageOutcome
PAGE_OUTCOME_UNREADABLE: PageOutcome
PAGE_OUTCOME_BUDGET_EXHAUSTED: PageOutcome

class FetchPagesRequest(_message.Message):
    __slots__ = ("query_id", "source_class", "pages")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_CLASS_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    source_class: _figures_pb2.SourceClass
    pages: int
    def __init__(self, query_id: _Optional[str] = ..., source_class: _Optional[_Union[_figures_pb2.SourceClass, str]] = ..., pages: _Optional[int] = ...) -> None: ...

class ApprovedQuery(_message.Message):
    __slots__ = ("query_id", "text", "reader_capability")
    QUERY_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    READER_CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    query_id: str
    text: str
    reader_capability: bytes
    def __init__(self, query_id: _Optional[str] = ..., text: _Optional[str] = ..., reader_capability: _Optional[bytes] = ...) -> None: ...

class Page(_message.Message):
    __slots__ = ("page_id", "url", "text", "raw_sha256", "text_sha256", "fetched_at_us", "source_class", "cut", "extractor", "result_title")
    PAGE_ID_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RAW_SHA256_FIELD_NUMBER: _ClassVar[int]
    TEXT_SHA256_FIELD_NUMBER: _ClassVar[int]
    FETCHED_AT_US_FIELD_NUMBER: _ClassVar[int]
    SOURCE_CLASS_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    RESULT_TITLE_FIELD_NUMBER: _ClassVar[int]
    page_id: str
    url: str
    text: str
    raw_sha256: bytes
    text_sha256: bytes
    fetched_at_us: int
    source_class: _figures_pb2.SourceClass
    cut: bool
    extractor: str
    result_title: str
    def __init__(self, page_id: _Optional[str] = ..., url: _Optional[str] = ..., text: _Optional[str] = ..., raw_sha256: _Optional[bytes] = ..., text_sha256: _Optional[bytes] = ..., fetched_at_us: _Optional[int] = ..., source_class: _Optional[_Union[_figures_pb2.SourceClass, str]] = ..., cut: _Optional[bool] = ..., extractor: _Optional[str] = ..., result_title: _Optional[str] = ...) -> None: ...

class FailedPage(_message.Message):
    __slots__ = ("outcome", "rank")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    outcome: PageOutcome
    rank: int
    def __init__(self, outcome: _Optional[_Union[PageOutcome, str]] = ..., rank: _Optional[int] = ...) -> None: ...

class FetchPagesResponse(_message.Message):
    __slots__ = ("query", "page", "failed")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    query: ApprovedQuery
    page: Page
    failed: FailedPage
    def __init__(self, query: _Optional[_Union[ApprovedQuery, _Mapping]] = ..., page: _Optional[_Union[Page, _Mapping]] = ..., failed: _Optional[_Union[FailedPage, _Mapping]] = ...) -> None: ...

class GetPageRequest(_message.Message):
    __slots__ = ("page_id",)
    PAGE_ID_FIELD_NUMBER: _ClassVar[int]
    page_id: str
    def __init__(self, page_id: _Optional[str] = ...) -> None: ...

class GetPageResponse(_message.Message):
    __slots__ = ("page",)
    PAGE_FIELD_NUMBER: _ClassVar[int]
    page: Page
    def __init__(self, page: _Optional[_Union[Page, _Mapping]] = ...) -> None: ...
