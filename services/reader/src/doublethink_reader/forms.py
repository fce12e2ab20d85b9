"""Claims from lines and rows that are no sentence and have no headings: the rate in the name of a note, a
cover's count of shares, the rows of an ownership report.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from doublethink_figures import Flag, Part

from .blocks import Row, Text
from .claims import Claim
from .period_labels import label_of, named
from .query import Query, stems

MAX_LINE: Final = 1_000
_MAX_NUMBERS: Final = 4
_MAX_DAYS: Final = 2
_LEAST_COMMON: Final = 2
_NUMBER: Final = re.compile(
    r"(?<![\w.,$€£-])(?P<number>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{1,4})?(?= ?%))"
    r"(?P<percent> ?%)?(?![\w,]*[0-9])"
)
_WORDS: Final = re.compile(r"[A-Za-z]{2,}[^A-Za-z]+[A-Za-z]{2,}")
_EVENT: Final = re.compile(r"\bdate of (?:the )?event\b", re.IGNORECASE)
_ABOUT: Final = re.compile(r"\b(?:approximately|about)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A line or row, the byte offsets of its quote, and the words that it is compared by."""

    text: str
    start: int
    end: int
    words: str


def line_pieces(line: Text, before: Text | Row | None) -> Iterator[Piece]:
    """A line by itself, and together with what stands before it, which may be its title."""
    if len(line.text) > MAX_LINE or not _NUMBER.search(line.text):
        return
    end = line.offset + len(line.text.encode())
    yield Piece(line.text, line.offset, end, line.text)
    title = before.line if isinstance(before, Row) else before.text if before is not None else ""
    if before is not None and len(title) <= MAX_LINE:
        yield Piece(line.text, before.offset, end, f"{title} {line.text}")


def row_pieces(rows: Sequence[Row]) -> Iterator[Piece]:
    """The rows whose words stand beside the first column, or in one cell with a number; each also with the
    row before it.
    """
    before: Row | None = None
    for row in rows:
        if len(row.line) <= MAX_LINE and _NUMBER.search(row.line) and _has_words(row):
            end = row.offset + len(row.line.encode())
            yield Piece(row.line, row.offset, end, row.line)
            if before is not None and len(before.line) <= MAX_LINE:
                yield Piece(row.line, before.offset, end, f"{before.line} {row.line}")
        before = row


def _has_words(row: Row) -> bool:
    return any(
        _WORDS.search(c.text) is not None and (c.column > 0 or _NUMBER.search(c.text) is not None)
        for c in row.cells
    ) or (len(row.cells) > 1 and not _WORDS.search(row.label))


def points(piece: Piece, query: Query) -> float:
    """How well a piece answers; nothing where it has too few of the query's words."""
    common = len(stems(piece.words) & query.words)
    return 1.5 * common - (piece.end - piece.start) / MAX_LINE if common >= _LEAST_COMMON else 0.0


def form_claims(page_id: str, octets: bytes, piece: Piece, days: Sequence[str]) -> Iterator[Claim]:
    """Each number of a piece as a count or percentage, of its own day, of one of `days`, and of none.

    `octets` is the page.
    """
    own = [
        label
        for mention in named(piece.text)
        if mention.period.part is Part.DAY
        and (label := label_of(mention.period, mention.span.of(piece.text)))
    ]
    flags = frozenset({Flag.ABOUT}) if _ABOUT.search(piece.text) else frozenset()
    for match in list(_NUMBER.finditer(piece.text))[:_MAX_NUMBERS]:
        for period in dict.fromkeys((*own[:_MAX_DAYS], *days, "")):
            yield Claim(
                page_id=page_id,
                quote=octets[piece.start : piece.end].decode(),
                headings=(),
                offset=piece.start,
                value=match["number"],
                scale="",
                unit="percent" if match["percent"] else "count",
                period=period,
                flags=flags,
            )


def event_days(line: Text, before: Text | None) -> Iterator[str]:
    """The day of the event that a form is about, where `line` is the caption under it."""
    if before is not None and _EVENT.search(line.text):
        for mention in named(f"{before.text} {line.text}")[:_MAX_DAYS]:
            label = label_of(mention.period, "")
            if label is not None:
                yield label
