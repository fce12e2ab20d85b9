"""The content types that are read."""

import enum
import re

from .errors import UnsupportedContentType

_MAX_HEADER = 1000
_PARAMETER = re.compile(r"""charset\s*=\s*("[^"]*"|'[^']*'|[^\s;]+)""", re.IGNORECASE)


class Kind(enum.Enum):
    """How the body of a page is to be read."""

    HTML = "html"
    XHTML = "xhtml"
    PLAIN = "plain"
    MARKDOWN = "markdown"
    PDF = "pdf"


_KINDS = {
    "text/html": Kind.HTML,
    "application/xhtml+xml": Kind.XHTML,
    "text/plain": Kind.PLAIN,
    "text/markdown": Kind.MARKDOWN,
    "application/pdf": Kind.PDF,
}


def parse_content_type(header: str) -> tuple[Kind, str | None]:
    """The kind and the declared charset of a Content-Type value (RFC 9110, 8.3).

    Raises `UnsupportedContentType`.
    """
    media_type, _, parameters = header[:_MAX_HEADER].partition(";")
    kind = _KINDS.get(media_type.strip().lower())
    if kind is None:
        raise UnsupportedContentType(media_type.strip())
    found = _PARAMETER.search(parameters)
    return kind, found[1].strip("\"'") if found else None
