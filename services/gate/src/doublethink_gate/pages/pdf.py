"""PDF files as blocks.

Every page begins with a block of its own, `[page 3]`: so a quote's place in the text says which page it is on. Lines
whose gaps line up as columns become tables, as far as they hold figures; a page of prose in columns is read in the
order in which the file writes it. What a page draws as a picture is not read. Read by pypdf, whose limits on what a
stream may grow to are kept; whatever it raises over a file that strangers wrote means that the file cannot be read.
"""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

import pypdf

from .affixes import Cell, is_value
from .blocks import Block, Table
from .characters import fold
from .columns import to_columns
from .errors import PageUnreadable, PdfEncrypted, PdfWithoutText
from .limits import Limits
from .tables import Budget

EXTRACTOR: Final = f"page-text/1/pypdf-{pypdf.__version__}"
"""Changes whenever the same bytes could give another text."""

MAX_PAGES: Final = 600
_MAX_LINES: Final = 400
_MAX_TITLE: Final = 500
_CELL: Final = re.compile(r"\S+(?: {1,2}\S+)*")
_MOST_COLUMNS: Final = 40
_LABEL: Final = 80  # characters of a line that may stand between rows
_PROSE_COLUMNS: Final = 0.4  # of a page's lines

# Nobody reads what a library says of a stranger's file, and it may quote it.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def pdf_blocks(body: bytes, limits: Limits, stripped: Counter[str]) -> tuple[str, list[Block], bool]:
    """Title, blocks, and whether the text stops early. Raises PdfEncrypted, PdfWithoutText, PageUnreadable."""
    try:
        reader = pypdf.PdfReader(io.BytesIO(body), strict=False)
        encrypted = reader.is_encrypted
        count = 0 if encrypted else len(reader.pages)
        title = "" if encrypted or reader.metadata is None else reader.metadata.title or ""
    except Exception as error:
        raise PageUnreadable from error
    if encrypted:
        raise PdfEncrypted
    title = fold(title, stripped)[:_MAX_TITLE]
    blocks: list[Block] = []
    budget = Budget(limits.cells)
    cut, size, spoke = count > MAX_PAGES, 0, False
    for number in range(1, min(count, MAX_PAGES) + 1):
        try:
            found = list(_page(reader.pages[number - 1], budget, stripped))
        except Exception:  # noqa: BLE001 - the pages beside it may be whole, and the text says that it is not
            found, cut = [], True
        if not found:
            stripped["pages_without_text"] += 1
        spoke = spoke or bool(found)
        blocks += [f"[page {number}]", *found]
        size += sum(_size(block) for block in found)
        if size > limits.text_bytes or budget.left < 0:
            cut = True
            break
    if not spoke:
        raise PdfWithoutText
    return title, blocks, cut


def load_everything() -> None:
    """Read a file once, so that nothing is left to be imported. Raises PageError where that does not work."""
    pdf_blocks(_SMALLEST, Limits(), Counter())


def _size(block: Block) -> int:
    return len(block) if isinstance(block, str) else sum(len(cell) for row in block.rows for cell in row)


def _page(page: pypdf.PageObject, budget: Budget, stripped: Counter[str]) -> Iterator[Block]:
    drawn = page.extract_text(extraction_mode="layout", layout_mode_strip_rotated=False)
    lines = [line.replace("\t", "   ") for line in drawn.split("\n")][:_MAX_LINES]
    cells = [_cells(line) for line in lines]
    written = [row for row in cells if row]
    aside = sum(1 for row in written if len(row) > 1 and not any(is_value(cell.text) for cell in row[1:]))
    if written and aside > len(written) * _PROSE_COLUMNS:
        for paragraph in re.split(r"\n[ \t]*\n", _as_written(page)):
            text = fold(paragraph, stripped)
            if text:
                yield text
        return
    at = 0
    while at < len(cells):
        end = _table_end(cells, at)
        if end > at:
            yield from _table(cells[at:end], budget, stripped)
            at = end
            continue
        paragraph = []
        while at < len(cells) and cells[at] and _table_end(cells, at) == at:
            paragraph.append(lines[at])
            at += 1
        text = fold(" ".join(paragraph), stripped)
        if text:
            yield text
        if at < len(cells) and not cells[at]:
            at += 1


def _as_written(page: pypdf.PageObject) -> str:
    """The text in the file's own order, with an empty line where it goes on further up: in the next column."""
    parts: list[str] = []
    last = float("inf")

    def seen(text: str, place: list[float], matrix: list[float], _font: object, size: float) -> None:
        nonlocal last
        height = matrix[5] + place[5]
        if text.strip():
            if height > last + size:
                parts.append("\n\n")
            last = height
        parts.append(text)

    page.extract_text(visitor_text=seen)
    return "".join(parts)


def _cells(line: str) -> list[Cell]:
    return [Cell(found.start(), found.end(), found[0]) for found in _CELL.finditer(line)][:_MOST_COLUMNS]


def _table_end(cells: list[list[Cell]], at: int) -> int:
    """Where the table that begins in a line ends; the line itself where none does.

    A table has two rows with figures beside their label. Single lines between rows belong to it, and gaps of one or two
    empty lines, which are no more than its spacing.
    """
    if len(cells[at]) < 2:
        return at
    end, figures, empty, labels = at, 0, 0, 0
    for place in range(at, len(cells)):
        row = cells[place]
        if not row:
            empty += 1
        elif len(row) > 1:
            figures += any(is_value(cell.text) for cell in row[1:])
            end, empty, labels = place + 1, 0, 0
        else:
            labels += 1
            if labels > 2 or row[0].end - row[0].start > _LABEL:
                break
            empty = 0
        if empty > 2:
            break
    return end if figures >= 2 else at


def _table(rows: list[list[Cell]], budget: Budget, stripped: Counter[str]) -> list[Block]:
    budget.take(sum(len(row) for row in rows))
    grid = [[Cell(c.start, c.end, fold(c.text, stripped)) for c in row] for row in rows if row]
    written = to_columns(grid)
    if not written:
        return []
    if len(written[0]) < 2:
        return [cell for row in written for cell in row if cell]
    return [Table(written)]


_SMALLEST: Final = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 48>>stream
BT /F 12 Tf 10 100 Td (Revenue was 4.2 m.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R/Size 6>>
startxref
0
%%EOF
"""
"""A page with a line of text, without a table of its objects: that is found by looking."""
