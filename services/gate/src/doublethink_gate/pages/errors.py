"""Why a fetched page could not be turned into text.

    PageError
    ├── PageTooLarge          more bytes than the bound
    ├── PageTooComplex        more markup than the bound
    ├── UnsupportedContentType
    ├── UnsupportedCharset    declared, but not on the fixed list
    ├── PageUnreadable        the parser gave up, or the process that runs it ended
    ├── PageTimedOut          the parser took too long; its process was ended
    ├── PdfEncrypted          a PDF that asks for a password
    ├── PdfWithoutText        a PDF of pictures, such as a scan
    ├── ResultsChallenge      in place of a search engine's results, it asks whether a person is there
    └── ResultsUnrecognised   a search engine's page of results is of no known layout

No message quotes the page: messages carry sizes, bounds and declared names cut to a safe alphabet.
"""


class PageError(Exception):
    """A page that cannot become stored text."""


class PageTooLarge(PageError):
    """The body is larger than the bound."""

    def __init__(self, size: int, bound: int) -> None:
        super().__init__(f"page of {size} bytes is over the bound of {bound} bytes")
        self.size = size
        self.bound = bound


class PageTooComplex(PageError):
    """The body holds more markup than the bound."""

    def __init__(self, what: str, bound: int) -> None:
        super().__init__(f"page has more {what} than the bound of {bound}")
        self.what = what
        self.bound = bound


class UnsupportedContentType(PageError):
    """The declared content type is none of HTML, XHTML, plain text, Markdown and PDF."""

    def __init__(self, declared: str) -> None:
        self.declared = _safe(declared)
        super().__init__(
            f"content type {self.declared} is not read; html, xhtml, plain text, markdown and pdf are"
        )


class UnsupportedCharset(PageError):
    """The declared charset is not on the fixed list."""

    def __init__(self, declared: str) -> None:
        self.declared = _safe(declared)
        super().__init__(f"charset {self.declared} is not on the list of charsets that are decoded")


class PageUnreadable(PageError):
    """The parser refused the page."""

    def __init__(self) -> None:
        super().__init__("the page could not be read as what its content type says")


class PageTimedOut(PageError):
    """Turning the page into text took longer than the bound."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the page could not be read within {seconds:g} seconds")
        self.seconds = seconds


class PdfEncrypted(PageError):
    """A PDF that is encrypted, also one that opens without a password."""

    def __init__(self) -> None:
        super().__init__("the PDF is encrypted and is not read")


class PdfWithoutText(PageError):
    """A PDF in which there is no text to copy."""

    def __init__(self) -> None:
        super().__init__("the PDF holds no text; scanned pages are not read")


class ResultsChallenge(PageError):
    """In place of results there is a test for people."""

    def __init__(self) -> None:
        super().__init__("a challenge stands in place of the results")


class ResultsUnrecognised(PageError):
    """A page of results that is of no known layout. what: a fixed word for the part that is not understood."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the page of results is of no known layout ({what})")
        self.what = what


def _safe(declared: str) -> str:
    kept = "".join(c for c in declared[:40] if c.isascii() and (c.isalnum() or c in "/-_.+"))
    return kept or "(unnamed)"
