"""Fetched pages to stored text, in the format "page-text/1"."""

from .errors import (
    PageError,
    PageTimedOut,
    PageTooComplex,
    PageTooLarge,
    PageUnreadable,
    UnsupportedCharset,
    UnsupportedContentType,
)
from .extract import EXTRACTOR, ExtractedPage, extract_page
from .extractor import PageExtractor
from .limits import Limits

__all__ = [
    "EXTRACTOR",
    "ExtractedPage",
    "Limits",
    "PageError",
    "PageExtractor",
    "PageTimedOut",
    "PageTooComplex",
    "PageTooLarge",
    "PageUnreadable",
    "UnsupportedCharset",
    "UnsupportedContentType",
    "extract_page",
]
