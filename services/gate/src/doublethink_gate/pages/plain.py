"""Plain text as blocks."""

import re
from collections import Counter

from .blocks import Block
from .characters import fold

_BLANK = re.compile(r"\n[ \t\f\r]*\n")
_GAP = re.compile(r"\S(?:   |\t)")


def plain_blocks(text: str, stripped: Counter[str]) -> list[Block]:
    """Paragraphs of a plain text file.

    Lines of one paragraph are joined, unless wide gaps inside them show that they are set as columns or a
    list: then each line stays by itself.
    """
    blocks: list[Block] = []
    for paragraph in _BLANK.split(text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = paragraph.split("\n")
        if any(_GAP.search(line.rstrip()) for line in lines):
            blocks.extend(line for line in (fold(line, stripped) for line in lines) if line)
        else:
            joined = fold(paragraph, stripped)
            if joined:
                blocks.append(joined)
    return blocks
