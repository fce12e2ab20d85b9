"""Fetched pages to stored text, in the format "page-text/1"."""

from .errors import (
    PageError,
    PageTooComplex,
    PageTooLarge,
    PageUnreadable,
    UnsupportedCharset,
    UnsupportedContentType,
)
from .extract import EXTRACTOR, ExtractedPage, extract_page
from .limits import Limits

__all__ = [
    "EXTRACTOR",
    "ExtractedPage",
    "Limits",
    "PageError",
    "PageTooComplex",
    "PageTooLarge",
    "PageUnreadable",
    "UnsupportedCharset",
    "UnsupportedContentType",
    "extract_page",
]
