"""A saved page as Markdown, as Tavily gives a page: headings, paragraphs, list items, tables with pipes.

The dialect is GitHub's. What a page hides is left out by the same rules as in its text.
"""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .text import MAX_TEXT, drop_hidden

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_FLOW = "address blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header"
_MORE_FLOW = "article aside hr legend main nav ol p pre section summary ul"
_BLOCKS = frozenset((_FLOW + " " + _MORE_FLOW).split())
_MAX_DEPTH = 400
_MAX_SPAN = 50


def markdown(html: str) -> str:
    """The page's blocks with an empty line between two of them."""
    page = LexborHTMLParser(html)
    drop_hidden(page)
    blocks = list(_blocks(page.body, 0)) if page.body else []
    return "\n\n".join(blocks)[:MAX_TEXT] + "\n"


def _blocks(node: LexborNode, depth: int) -> Iterator[str]:
    """The blocks below a node: runs of words that no block interrupts, and what the inner blocks are."""
    words: list[str] = []
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag == "table" or tag in _HEADINGS or tag == "li" or (_holds_blocks(child) and depth < _MAX_DEPTH):
            yield from _line("", words)
            words = []
            yield from _block(child, tag, depth)
        else:
            words.append("\n" if tag == "br" else child.text(separator=" "))
    yield from _line("", words)


def _block(node: LexborNode, tag: str, depth: int) -> Iterator[str]:
    if tag == "table" and node.css_first("table table") is None:
        yield from _table(node)
    elif tag in _HEADINGS:
        yield from _line(f"{_HEADINGS[tag]} ", [node.text(separator=" ")])
    elif tag == "li" and not any(_holds_blocks(child) for child in node.iter()):
        yield from _line("- ", [node.text(separator=" ")])
    else:
        yield from _blocks(node, depth + 1)


def _holds_blocks(node: LexborNode) -> bool:
    return node.tag in _BLOCKS or node.css_first("table, p, div, ul, ol, h1, h2, h3, h4, h5, h6") is not None


def _line(mark: str, words: list[str]) -> Iterator[str]:
    text = " ".join(" ".join(words).split())
    if text:
        yield mark + text


def _table(node: LexborNode) -> Iterator[str]:
    """A caption as a paragraph, then the rows; a cell over several columns is followed by empty ones."""
    for caption in node.css("caption"):
        yield from _line("", [caption.text(separator=" ")])
    rows = [_cells(row) for row in node.css("tr")]
    width = max((len(row) for row in rows), default=0)
    if not width:
        return
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows if row]
    lines.insert(1, f"|{' --- |' * width}")
    yield "\n".join(lines)


def _cells(row: LexborNode) -> list[str]:
    cells = []
    for cell in row.css("td, th"):
        cells.append(" ".join(cell.text(separator=" ").split()).replace("|", "\\|"))
        span = cell.attributes.get("colspan") or "1"
        cells += [""] * (min(int(span), _MAX_SPAN) - 1 if span.isascii() and span.isdigit() else 0)
    return cells
