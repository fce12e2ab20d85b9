"""What stands above a table: its headings, the paragraph that leads to it, and how far either of them governs."""

import re
from dataclasses import dataclass
from typing import Final

from doublethink_figures import find_periods

from .pagetext import Line, Page, Table

_NOISE: Final = re.compile(
    r"^(?:table of contents|part [ivx]+\b.{0,40}|item [0-9]+[a-c]?\..{0,40}"
    r"|(?:[-–—] ?|F-)?[0-9]{1,4}(?: ?[-–—]| of [0-9]{1,4})?|[ivxlc]{1,7}"
    r"|-+ ?more ?-+|[\[(][^\])]{0,40}\bfollows?[\])]|.{0,200}[–—-] ?page [0-9]{1,4}"
    r"|[-_—–=\s•·⁰¹²³⁴-⁹⁽⁾*†]+|page [0-9]+.*|.*[☐☒☑].*|.*\bForm (?:10-[QK]|8-K|20-F)\b ?\|? ?[0-9ivx]*"
    r"|(?:see|the) accompanying notes\b.*|.*are an integral part of (?:the|these)\b.*)$",
    re.IGNORECASE,
)
_PAGE_TURN: Final = re.compile(r"^(?:-+ ?more ?-+|[\[(].{0,40}\bfollows?[\])])$", re.IGNORECASE)
"""The foot of a press release's page: what stands before it introduces nothing on the next one."""
_FOOTNOTE: Final = re.compile(
    r"^(?:\(?[0-9a-zA-Z*†]{1,2}[).]\s?(?=[A-Z])|\([0-9a-zA-Z*†]{1,2}\)|Notes?:|\[[0-9a-z]{1,2}\]|[*†¹²³⁴-⁹])"
)
_MAX_HEADING_WORDS: Final = 16
_MAX_LOOK_BACK: Final = 14
_FOLLOWING_TABLES: Final = re.compile(
    r"(?:[^.]{0,300}[.] )?[^.]{0,300}\b(?:following tables|tables (?:that follow|below))\b.*[:.]?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_REMARK: Final = re.compile(
    r"\W{0,3}(?:\([0-9a-z*]{1,2}\)|[0-9a-z][.)]|[¹²³⁴-⁹⁽*†]+|notes?:)\s?[A-Z]", re.IGNORECASE
)
"""A footnote of one of the tables: it ends nothing."""
_PART: Final = re.compile(r"(?:note )?[0-9]{1,2}\s?[.:–—-]|item [0-9]", re.IGNORECASE)
_MAX_CAPTION_WORDS: Final = 12
_MAX_TABLES_BACK: Final = 24


@dataclass(frozen=True, slots=True)
class Zone:
    """What stands above a table, nearest first: headings, at most one paragraph, the heading that governs it, and
    the headings directly above that one.
    """

    headings: tuple[Line, ...]
    paragraph: Line | None
    governing: Line | None
    above: tuple[Line, ...] = ()


def is_noise(text: str) -> bool:
    """Whether a line is a running head or foot, a page number or a rule."""
    return _NOISE.match(text) is not None


def zone_of(page: Page, block: int) -> Zone:
    """What stands above the table that is block number `block` of the page."""
    headings: list[Line] = []
    paragraph: Line | None = None
    governing: Line | None = None
    higher: list[Line] = []
    ended = False
    direct = True  # no other paragraph stands between the one over the table and its headings
    for index in range(block - 1, max(-1, block - 1 - _MAX_LOOK_BACK), -1):
        above = page.blocks[index]
        if isinstance(above, Table):
            if _is_footer(above):
                continue
            ended = True
            break
        if _PAGE_TURN.match(above.text):
            break
        if _NOISE.match(above.text):
            continue
        if paragraph is None and _FOOTNOTE.match(above.text) and not _introduces(above.text):
            ended = True
            break
        if _is_heading(above.text):
            if paragraph is None:
                headings.append(above)
            elif governing is None:
                governing = above
            elif direct:
                higher.append(above)
            else:
                break
        elif paragraph is None:
            if any(not _is_remark(line.text) for line in headings):
                break
            paragraph = above
        elif governing is not None:
            break
        else:
            direct = False
    if ended and paragraph is None:
        intro = plural_introduction(page, block)
        paragraph, governing = intro if intro is not None else (None, None)
    return Zone(tuple(headings), paragraph, governing, tuple(higher))


def plural_introduction(page: Page, block: int) -> tuple[Line, Line | None] | None:
    """The paragraph "The following tables show ..." that a table further down stands under, and its heading.

    It governs up to the next paragraph or heading. Captions of the single tables are no headings: the first table
    has one as well, or they name a period.
    """
    between: list[Line] = []
    for index in range(block - 1, max(-1, block - 1 - _MAX_TABLES_BACK), -1):
        above = page.blocks[index]
        if isinstance(above, Line) and _PART.match(above.text):
            return None
        if isinstance(above, Table) or _NOISE.match(above.text) or _REMARK.match(above.text):
            continue
        if " tables" in above.text and _FOLLOWING_TABLES.match(above.text):
            first = page.blocks[index + 1]
            captioned = isinstance(first, Line) and _is_heading(first.text)
            if not captioned and any(not find_periods(line.text) for line in between):
                return None
            heading = page.blocks[index - 1] if index else None
            governs = (
                isinstance(heading, Line) and _is_heading(heading.text) and not _NOISE.match(heading.text)
            )
            return above, heading if governs and isinstance(heading, Line) else None
        if not _is_heading(above.text) or len(above.text.split()) > _MAX_CAPTION_WORDS:
            return None
        between.append(above)
    return None


def _is_remark(text: str) -> bool:
    """Whether a line is one remark in brackets, "(in millions)": it leads a paragraph to its table."""
    plain = text.strip()
    return plain.startswith("(") and plain.endswith(")")


def _is_footer(table: Table) -> bool:
    """A page footer: one row that is a form's name and a page number."""
    return len(table.rows) == 1 and _NOISE.match(" ".join(c.text for c in table.rows[0].cells)) is not None


def _introduces(text: str) -> bool:
    """Whether a numbered line is a heading or leads to what follows, and is no footnote of what came
    before.
    """
    plain = text.rstrip()
    return plain.endswith(":") or (len(plain.split()) <= 8 and not plain.endswith((".", ";")))


def _is_heading(text: str) -> bool:
    stripped = text.strip()
    if len(stripped.split()) > _MAX_HEADING_WORDS:
        return False
    return (
        not stripped.endswith((".", ";", ":", ","))
        or stripped.upper() == stripped
        or stripped.endswith(("Inc.", "Corp.", "Co.", "Ltd."))
    )
