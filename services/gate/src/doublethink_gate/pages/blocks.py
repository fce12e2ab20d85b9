"""The blocks that a page's text is made of, and how they are written down ("page-text/1")."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equally many cells, at least two; a spanned cell is followed by continuation marks."""

    rows: tuple[tuple[str, ...], ...]


# A paragraph or heading is one line of text.
Block = str | Table


def write(title: str, blocks: Iterable[Block]) -> str:
    """The stored text: the title's line, then the blocks, each after an empty line."""
    parts = [title]
    for block in blocks:
        parts.append(block if isinstance(block, str) else "\n".join("\t".join(row) for row in block.rows))
    return "\n\n".join(parts) + "\n"


def as_line(blocks: Iterable[Block]) -> str:
    """Blocks inside one table cell, as one line."""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, str):
            parts.append(block)
        else:
            parts.extend(cell for row in block.rows for cell in row if cell.strip())
    return " ".join(parts)
