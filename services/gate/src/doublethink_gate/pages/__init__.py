"""Fetched pages to stored text, in the format "page-text/1"."""

from .errors import (
    PageError,
    PageTimedOut,
    PageTooComplex,
    PageTooLarge,
    PageUnreadable,
    PdfEncrypted,
    PdfWithoutText,
    ResultsChallenge,
    ResultsUnrecognised,
    UnsupportedCharset,
    UnsupportedContentType,
)
from .extract import EXTRACTOR, ExtractedPage, extract_page
from .extractor import PageExtractor
from .hints import Hints
from .limits import Limits
from .results_page import FoundResult, FoundResults

__all__ = [
    "EXTRACTOR",
    "ExtractedPage",
    "FoundResult",
    "FoundResults",
    "Hints",
    "Limits",
    "PageError",
    "PageExtractor",
    "PageTimedOut",
    "PageTooComplex",
    "PageTooLarge",
    "PageUnreadable",
    "PdfEncrypted",
    "PdfWithoutText",
    "ResultsChallenge",
    "ResultsUnrecognised",
    "UnsupportedCharset",
    "UnsupportedContentType",
    "extract_page",
]
