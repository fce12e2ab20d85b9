"""What a process that reads hostile bytes may answer.

The page may have taken the process over, so that its answer is a stranger's too: types, counts, lengths and words are
looked at before anything is stored, logged or written into a row. Whatever is out of form is PageUnreadable.
"""

import json
import re
from types import MappingProxyType
from typing import Any, Final

from . import errors
from .charset import CODECS
from .errors import PageError, PageUnreadable
from .extract import EXTRACTOR, MAX_TITLE, ExtractedPage
from .hints import Hints, declared_language
from .pdf import EXTRACTOR as PDF_EXTRACTOR
from .results_page import MAX_RESULTS, MAX_SNIPPET, MAX_URL, FoundResult, FoundResults

_KIND: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_MAX_KINDS: Final = 64
_WORD: Final = re.compile(r"[a-z ]{1,20}")
_MAX_DECLARED: Final = 40
_MAX_COUNT: Final = 2**53
OUT_OF_FORM: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading JSON of another form than expected may raise."""


def page_of(answer: dict[str, Any], text: str) -> ExtractedPage:
    """The page in an answer. Raises PageUnreadable."""
    try:
        page = ExtractedPage(
            text=text,
            **answer
            | {"hints": Hints(**answer["hints"]), "stripped": MappingProxyType(dict(answer["stripped"]))},
        )
        in_form = (
            _is_line(page.title, MAX_TITLE)
            and len(page.stripped) <= _MAX_KINDS
            and all(_KIND.fullmatch(kind) and _is_count(count) for kind, count in page.stripped.items())
            and _is_count(page.replaced)
            and type(page.cut) is bool
            and page.charset in ("", *CODECS)
            and page.extractor in (EXTRACTOR, PDF_EXTRACTOR)
            and page.hints.language == declared_language(page.hints.language)
            and page.hints.decimal in ("", ".", ",")
        )
    except OUT_OF_FORM as error:
        raise PageUnreadable from error
    if not in_form:
        raise PageUnreadable
    return page


def results_of(text: str) -> FoundResults:
    """The results in an answer's text. Raises PageUnreadable."""
    try:
        fields: dict[str, Any] = json.loads(text)
        results = tuple(FoundResult(**each) for each in fields.pop("results"))
        found = FoundResults(results, **fields)
        in_form = (
            len(results) <= MAX_RESULTS
            and all(
                _is_line(each.url, MAX_URL)
                and _is_line(each.title, MAX_TITLE)
                and _is_line(each.snippet, MAX_SNIPPET)
                for each in results
            )
            and _is_count(found.ads)
            and _is_count(found.dropped)
        )
    except OUT_OF_FORM as error:
        raise PageUnreadable from error
    if not in_form:
        raise PageUnreadable
    return found


def error_of(answer: dict[str, Any]) -> PageError:
    """The error that an answer names: one of `errors`, with numbers and fixed words alone."""
    try:
        kind, fields = getattr(errors, answer["error"]), answer["with"]
        if issubclass(kind, PageError) and all(_is_plain(name, value) for name, value in fields.items()):
            made: PageError = kind(**fields)
            return made
    except OUT_OF_FORM:
        return PageUnreadable()
    return PageUnreadable()


def _is_plain(name: str, value: object) -> bool:
    if isinstance(value, str):
        # What was declared is cut to a safe alphabet by the error itself.
        return len(value) <= _MAX_DECLARED if name == "declared" else _WORD.fullmatch(value) is not None
    return type(value) in (int, float) and _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= _MAX_COUNT


def _is_count(value: object) -> bool:
    return type(value) is int and _is_number(value)


def _is_line(value: object, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most and not any(sign in value for sign in "\0\r\n")
