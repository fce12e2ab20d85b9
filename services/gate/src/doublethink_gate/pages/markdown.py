"""Markdown as blocks: what Tavily gives in place of a page.

Read are headings, paragraphs, lists, pipe tables and the inline marks that would stand in the way of a quote.
The dialect is that of GitHub (tables) over CommonMark; no HTML in it is taken as anything but text to drop.
"""

import html
import re
from collections import Counter

from .affixes import Cell
from .blocks import Block, Table
from .characters import fold, without
from .columns import to_columns
from .superscript import raise_text
from .tables import Budget

_SUPERSCRIPT = re.compile(r"<sup>([^<]{0,40})</sup>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,400}>")
_IMAGE = re.compile(r"!\[[^\[\]]{0,500}\]\([^()\s]{0,2000}(?:\s[^()]{0,300})?\)")
_LINK = re.compile(
    r"\[([^\[\]]{0,1000})\]\([^()\s]{0,2000}(?:\([^()]{0,200}\)[^()\s]{0,500})?(?:\s[^()]{0,300})?\)"
)
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.{1,2000}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,500})(?<=[^\s*])\*(?![\w*])")
_CODE = re.compile(r"`([^`\n]{1,1000})`")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING = re.compile(r" {0,3}(#{1,6})\s")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)")
_DIVIDER = frozenset("|:- \t")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}|\s*=+\s*")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_MAX_CELLS_A_ROW = 500


def markdown_blocks(text: str, stripped: Counter[str], budget: Budget) -> tuple[str, list[Block]]:
    """The first heading of the first level (the title, if there is one), and the blocks."""
    lines = without(text, "<!--", "-->").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    blocks: list[Block] = []
    title = ""
    paragraph: list[str] = []
    table: list[str] = []
    fenced = False

    def end() -> None:
        if table:
            blocks.extend(_table(table, stripped, budget))
            table.clear()
        if paragraph:
            line = fold(_inline(" ".join(paragraph)), stripped)
            if line:
                blocks.append(line)
            paragraph.clear()

    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            end()
            fenced = not fenced
            continue
        if fenced:
            paragraph.append(line)
            end()
            continue
        if _is_row(line):
            if paragraph:
                end()
            table.append(line)
            continue
        if table:
            end()
        heading = _HEADING.match(line)
        if heading or not line.strip() or _RULE.fullmatch(line):
            end()
            if heading:
                paragraph.append(line[heading.end() :].strip().rstrip("#"))
                end()
                if len(heading[1]) == 1 and not title and blocks and isinstance(blocks[-1], str):
                    title = blocks[-1]
            continue
        if _ITEM.match(line):
            end()
            line = _ITEM.sub("", line, count=1)
        paragraph.append(line.lstrip().removeprefix("> "))
        if line.endswith("  "):
            end()
    end()
    return title, blocks


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|") and len(_CELL_BORDER.findall(line)) >= 2


def _table(lines: list[str], stripped: Counter[str], budget: Budget) -> list[Block]:
    grid: list[list[Cell]] = []
    for line in lines:
        if "-" in line and set(line) <= _DIVIDER:
            continue
        texts = _CELL_BORDER.split(line.strip().removeprefix("|"))[:_MAX_CELLS_A_ROW]
        if not budget.take(len(texts)):
            break
        cells = [fold(_inline(text), stripped) for text in texts]
        grid.append([Cell(column, column + 1, text) for column, text in enumerate(cells)])
    rows = to_columns(grid)
    if not rows:
        return []
    if len(rows[0]) < 2:
        return [cell for row in rows for cell in row if cell]
    return [Table(rows)]


def _inline(text: str) -> str:
    """Text without the marks that stand for form."""
    text = _IMAGE.sub(" ", text)
    text = _LINK.sub(r"\1", text)
    text = _SUPERSCRIPT.sub(lambda found: raise_text(found[1]), text)
    text = _TAG.sub("", _BREAK.sub(" ", text))
    text = _STRONG.sub(r"\2", text)
    text = _EMPHASIS.sub(r"\1", text)
    text = _CODE.sub(r"\1", text)
    return html.unescape(_ESCAPE.sub(r"\1", text))
