"""Bytes of a fetched page to its stored text."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from .blocks import Block, write
from .characters import KINDS, fold
from .charset import decode
from .content_type import Kind, parse_content_type
from .errors import PageTooComplex, PageTooLarge, PageUnreadable
from .hints import NO_HINTS, Hints, decimal_sign, declared_language
from .limits import DEFAULT, Limits
from .markdown import markdown_blocks
from .markup import Walker
from .pdf import EXTRACTOR as PDF_EXTRACTOR
from .pdf import pdf_blocks
from .plain import plain_blocks
from .tables import Budget

# Changes whenever the same bytes would give another text.
EXTRACTOR = "page-text/1/doublethink/3"

MAX_TITLE = 500
# XML's short form of an empty element. HTML has none, and would take all that follows as its content.
_EMPTY_ELEMENT = re.compile(r"<([A-Za-z][\w:.-]*+)([^<>]*+)(?<=/)>")
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_XML_START = re.compile(r"\s*<\?xml\s")


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """A page as text.

    `text` is "page-text/1"; its first line is `title`. `stripped` counts by kind what the page holds and the
    text does not: invisible characters, hidden elements. `replaced` counts the bytes
    that the charset could not read.
    `cut` says that a bound was met and the text stops early. `hints` are of its language and its numbers.
    """

    title: str
    text: str
    stripped: Mapping[str, int]
    replaced: int
    cut: bool
    charset: str
    hints: Hints = NO_HINTS
    extractor: str = EXTRACTOR

    @property
    def hidden_elements(self) -> int:
        """How many elements with text, or pages of a PDF, were not read."""
        return sum(count for kind, count in self.stripped.items() if kind not in KINDS)

    @property
    def hidden_characters(self) -> int:
        """How many invisible characters were taken out of the visible text."""
        return sum(count for kind, count in self.stripped.items() if kind in KINDS)


def extract_page(body: bytes, content_type: str, limits: Limits = DEFAULT) -> ExtractedPage:
    """The stored text of a page of the given Content-Type. Raises a `PageError`."""
    if len(body) > limits.body_bytes:
        raise PageTooLarge(len(body), limits.body_bytes)
    kind, declared = parse_content_type(content_type)
    if kind is Kind.PDF:
        return _pdf(body, limits)
    is_markup = kind in (Kind.HTML, Kind.XHTML)
    decoded = decode(body, declared, markup=is_markup)
    stripped: Counter[str] = Counter()
    title, language, cut = "", "", False
    blocks: list[Block]
    if is_markup:
        title, language, blocks, cut = _markup(decoded.text, kind, limits, stripped)
    elif kind is Kind.MARKDOWN:
        budget = Budget(limits.cells)
        title, blocks = markdown_blocks(decoded.text, stripped, budget)
        title, cut = title[:MAX_TITLE], budget.left < 0
    else:
        blocks = plain_blocks(decoded.text, stripped)
    text, cut_off = _bounded(title, blocks, limits)
    return ExtractedPage(
        title=title,
        text=text,
        stripped=MappingProxyType(dict(sorted(stripped.items()))),
        replaced=decoded.replaced,
        cut=cut or cut_off,
        charset=decoded.codec,
        hints=Hints(language, decimal_sign(text)),
    )


def _pdf(body: bytes, limits: Limits) -> ExtractedPage:
    stripped: Counter[str] = Counter()
    title, blocks, cut = pdf_blocks(body, limits, stripped)
    text, cut_off = _bounded(title, blocks, limits)
    return ExtractedPage(
        title=title,
        text=text,
        stripped=MappingProxyType(dict(sorted(stripped.items()))),
        replaced=text.count("\ufffd"),
        cut=cut or cut_off,
        charset="",
        hints=Hints(decimal=decimal_sign(text)),
        extractor=PDF_EXTRACTOR,
    )


def _markup(
    source: str, kind: Kind, limits: Limits, stripped: Counter[str]
) -> tuple[str, str, list[Block], bool]:
    """Title, declared language, blocks, and whether the walk stopped early."""
    if source.count("<") > limits.tags:
        raise PageTooComplex("tags", limits.tags)
    if kind is Kind.XHTML or _XML_START.match(source):
        source = _EMPTY_ELEMENT.sub(_spell_out, source)
    try:
        page = LexborHTMLParser(source)
    except SelectolaxError as error:
        raise PageUnreadable from error
    title = ""
    for element in page.css("title"):
        parent = element.parent
        if parent is None or parent.tag != "svg":
            title = fold(element.text() or "", stripped)[:MAX_TITLE]
            break
    root = page.root
    language = declared_language(root.attributes.get("lang") if root is not None else None)
    if page.body is None:
        return title, language, [], False
    walker = Walker(page, limits, stripped)
    blocks = walker.blocks(page.body)
    return title, language, blocks, walker.cut


def _spell_out(found: re.Match[str]) -> str:
    name = found[1]
    return found[0] if name.lower() in _VOID else f"<{name}{found[2][:-1]}></{name}>"


def _bounded(title: str, blocks: list[Block], limits: Limits) -> tuple[str, bool]:
    """The text, cut after the last block that fits."""
    text = write(title, blocks)
    if len(text.encode()) <= limits.text_bytes:
        return text, False
    size = len(title.encode()) + 1
    kept = 0
    for block in blocks:
        size += len(write("", [block]).encode())
        if size > limits.text_bytes:
            break
        kept += 1
    return write(title, blocks[:kept]), True
