"""The scale and currency that stand over a table's cell: the nearest statement above, and what it leaves
out.
"""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from doublethink_figures import Measure, Span, Unit, heading_scale

from .errors import NotProven, Reason
from .layout import DataRow, Layout
from .pagetext import Cell, Line, Page
from .words import STOP, words
from .zones import plural_introduction

_FACTORS: Final = {"thousand": Decimal(1000), "million": Decimal(10**6), "billion": Decimal(10**9)}
_SHARES_IN: Final = re.compile(
    r"\bshares (?:are |is )?(?:stated |reflected |presented |shown )?in (?P<a>thousand|million|billion)s?\b"
    r"|\bnumber of shares, which are reflected in (?P<b>thousand|million|billion)s\b"
    r"|\b(?:dollars|amounts|dollar amounts|euros) and (?:number of )?shares in (?P<c>thousand|million"
    r"|billion)s\b",
    re.IGNORECASE,
)
_MONEY_IN: Final = re.compile(
    r"(?:[$€£]|\bUSD|\bdollars) (?:amounts )?in (?P<a>thousand|million|billion)s\b", re.IGNORECASE
)
_MONEY_FIRST: Final = re.compile(
    r"^\W*(?:USD \(\$\) )?(?:\$|€|£|dollars?|USD|EUR) (?:amounts? )?in (?:thousand|million|billion)s\b",
    re.IGNORECASE,
)
_SAYS: Final = re.compile(
    r"\b(?:thousands?|millions?|billions?|lakhs?|crores?|000s?|hundreds)\b|\$ ?m\b|€ ?m\b|£ ?m\b|\bMEUR\b"
    r"|\bEUR ?m\b|\bmm\b",
    re.IGNORECASE,
)
_LAST_BRACKET: Final = re.compile(r"\(([^()]{0,160})\)[\s:.]*$")
_PAGE_WIDE: Final = re.compile(
    r"^\(?(?:tabular |all |dollar )?(?:amounts|dollars|figures)[^.]{0,30}\b(?:in|of) [^.]{0,120}\)?$",
    re.IGNORECASE,
)
_SECTION_SCALE: Final = re.compile(
    r"\(?(?:amounts|dollars|dollar amounts|shares|\$|€|£|USD|EUR|GBP)?\s*\(?in (?:thousand|million|billion)s\b",
    re.IGNORECASE,
)
_SCALE_ALONE: Final = re.compile(r"\((?:in )?(?P<word>thousand|million|billion)s\)\W*$", re.IGNORECASE)
_RUNNING: Final = re.compile(
    r"^\(?(?:all |dollar )?amounts (?:are )?(?:stated |expressed )?in (?:thousand|million|billion)s\b"
    r"[^.]{0,120}\.?\)?$",
    re.IGNORECASE,
)
_LEAST_RUNNING: Final = 3
"""A remark that stands so often in the same words is the head or foot of every page."""
_PART: Final = re.compile(
    r"(?:condensed )?notes to (?:the )?[^.]{0,80}(?:financial )?statements\b[^.]{0,40}$|item [0-9]+[a-z]?\. ",
    re.IGNORECASE,
)
"""The headings of the parts of a filing: a remark on amounts under one of them holds to the next."""
_MAX_REMARK: Final = 240
_OPEN_EXCEPTION: Final = re.compile(
    r"except (?:as |where |when )?(?:otherwise )?(?:noted|indicated|stated|specified)|unless otherwise",
    re.IGNORECASE,
)
_US_DOLLARS: Final = re.compile(r"\bUSD\b|US\$|\bU\.?S\.? dollars?\b", re.IGNORECASE)
_LOOK_BACK_BLOCKS: Final = 4_000


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of scale: its text and place, the factor for money and for share counts, the currency it
    names.

    A factor of None: the statement does not say it. `open`: it leaves out what is "otherwise noted", so
    nothing that looks unlike the rest of the table can be scaled.
    """

    text: str
    span: Span
    money: Decimal | None
    shares: Decimal | None
    counts: Decimal | None
    unit: Unit | None
    excepts: frozenset[str]
    open: bool
    leaves_out: tuple[frozenset[str], ...] = ()
    """What it leaves out, each of at least two words: "average realized prices"."""
    money_only: bool = False
    """It speaks of money by name, "dollars in millions", so that counts of things are none of its."""


def statement(text: str, span: Span) -> Statement | None:
    """What `text` says about scale, None if nothing.

    Raises `NotProven` where it speaks of scale and is not understood.
    """
    if not _SAYS.search(text):
        if _US_DOLLARS.search(text):
            return Statement(text, span, None, None, None, Unit(Measure.USD), frozenset(), False)
        return None
    found = heading_scale(text)
    shares_in = _SHARES_IN.search(text)
    money_in = _MONEY_IN.search(text)
    shares = _FACTORS[_group(shares_in)] if shares_in else None
    money = _FACTORS[_group(money_in)] if money_in else (found.scale if found is not None else None)
    if money is None and shares is None:
        raise NotProven(Reason.SCALE_UNKNOWN)
    excepts = found.excepts if found is not None else frozenset()
    lowered = text.casefold()
    leaves_shares = "except" in lowered and "share" in lowered.split("except", 1)[1].replace(
        "per share", ""
    ).replace("per-share", "").replace("par value", "")
    if shares is None and not leaves_shares and money_in is None:
        shares = money
    unit = found.unit if found is not None else None
    if _US_DOLLARS.search(text):
        unit = Unit(Measure.USD)
    return Statement(
        text=text,
        span=span,
        money=money,
        shares=shares,
        counts=money if money_in is None and "except" not in lowered else None,
        unit=unit,
        excepts=excepts,
        open=_OPEN_EXCEPTION.search(text) is not None,
        leaves_out=_left_out(text),
        money_only=money_in is not None or _MONEY_FIRST.search(text) is not None,
    )


def _left_out(text: str) -> tuple[frozenset[str], ...]:
    match = re.search(r"\bexcept(?: for)?\b([^;()]*)", text, re.IGNORECASE)
    phrases = re.split(r",| and ", match.group(1)) if match is not None else []
    stems = (frozenset(w.stem for w in words(p) if w.stem not in STOP) for p in phrases)
    return tuple(s for s in stems if len(s) > 1)


def _group(match: re.Match[str]) -> str:
    return next(g for g in match.groups() if g).casefold()


def over(page: Page, table: Layout, row: DataRow, cell: Cell) -> Statement | None:
    """The nearest statement of scale over a cell: its column, the table's corner and captions, the lines
    above.
    """
    columns = [c for cells in reversed(row.over(cell)) for c in cells]
    section = next((said for c in reversed(row.sections) if (said := _of_section(c)) is not None), None)
    for text, span in _near(table, row, columns):
        said = statement(text, span)
        if said is not None:
            return _nearer(section, said, of_column=any(c.span == span for c in columns))
    if section is not None:
        return section
    found = table.once("scale above", lambda: _above(page, table))
    if isinstance(found, Reason):
        raise NotProven(found)
    return found


def _of_section(cell: Cell) -> Statement | None:
    """What a section's own row says of scale: "Dollars in millions", "CLIENT ASSETS (billions)"."""
    bare = _SCALE_ALONE.search(cell.text)
    if bare is None:
        return statement(cell.text, cell.span) if _SECTION_SCALE.match(cell.text.strip()) else None
    factor = _FACTORS[bare["word"].casefold()]
    return Statement(cell.text, cell.span, factor, None, None, None, frozenset(), False)


def _nearer(section: Statement | None, said: Statement, *, of_column: bool) -> Statement:
    """The section's statement where there is one: it stands below the others.

    Raises `NotProven` where it contradicts the column's own.
    """
    if section is None:
        return said
    if said.money not in (None, section.money):
        if "share" in section.text.casefold():
            return said  # "SHARES IN MILLIONS" under a statement on money
        if of_column:
            raise NotProven(Reason.SCALE_UNKNOWN)
    return section


def _above(page: Page, table: Layout) -> Statement | Reason | None:
    """What the lines above a table say of it and of the tables beside it, or why that is not understood."""
    try:
        return _of_tables(page, table) or _page_wide(page, table)
    except NotProven as error:
        return error.reason


def _near(table: Layout, row: DataRow, columns: list[Cell]) -> list[tuple[str, Span]]:
    cells = [
        *columns,
        *row.corner(),
        *(c for r in row.headings if (c := r.label) is not None),
        *reversed(table.captions),
    ]
    places = [(c.text, c.span) for c in cells]
    places += [(line.text, line.span) for line in table.zone.headings]
    if table.zone.paragraph is not None:
        places += _bracket(table.zone.paragraph)
    if table.zone.governing is not None:
        places.append((table.zone.governing.text, table.zone.governing.span))
    places += [(line.text, line.span) for line in table.zone.above]
    return places


def _bracket(line: Line) -> list[tuple[str, Span]]:
    """The closing remark of a paragraph in brackets: "... were as follows (in millions):"."""
    match = _LAST_BRACKET.search(line.text)
    if match is None:
        return []
    start = line.span.start + match.start(1) - 1
    return [(f"({match.group(1)})", Span(start, start + len(match.group(1)) + 2))]


def _of_tables(page: Page, table: Layout) -> Statement | None:
    """The scale of "The following tables show ... (in millions):", for all tables up to the next heading."""
    intro = plural_introduction(page, table.block)
    places = _bracket(intro[0]) if intro is not None else []
    return next((said for place in places if (said := statement(*place)) is not None), None)


def _page_wide(page: Page, table: Layout) -> Statement | None:
    """The nearest line above that speaks for all tables of its part of the page.

    "(Tabular amounts in millions, ...)", or a remark directly under the heading of the notes or of an item.
    """
    speaking = page.once("speaking for all", lambda: _speaking(page))
    at = bisect_left(speaking, table.block, key=lambda line: line[0]) - 1
    if at < 0 or speaking[at][0] < table.block - _LOOK_BACK_BLOCKS:
        return None
    said = speaking[at][1]
    if isinstance(said, Reason):
        raise NotProven(said)
    return said


def _speaking(page: Page) -> list[tuple[int, Statement | Reason | None]]:
    """The lines that say the scale of what follows, or, with None, that begin a part in which nothing is said yet;
    each with its number.
    """
    found: list[tuple[int, Statement | Reason | None]] = []
    running = _running(page)
    for index, block in enumerate(page.blocks):
        if not isinstance(block, Line):
            continue
        said: Statement | Reason | None = None
        if len(block.text) < _MAX_REMARK and (
            block.text == running or _speaks_for_all(block.text) or _opens_part(page, index)
        ):
            try:
                said = statement(block.text, block.span)
            except NotProven as error:
                said = error.reason
        if said is not None or _PART.match(block.text):
            found.append((index, said))
    return found


def _running(page: Page) -> str | None:
    """The one remark on amounts that stands at the head or foot of the pages; None where there are two."""
    uses = Counter(b.text for b in page.blocks if isinstance(b, Line) and _RUNNING.match(b.text))
    often = [text for text, count in uses.items() if count >= _LEAST_RUNNING]
    return often[0] if len(often) == 1 else None


def _speaks_for_all(text: str) -> bool:
    return "tabular" in text.casefold() and _PAGE_WIDE.match(text) is not None


def _opens_part(page: Page, index: int) -> bool:
    """Whether a line in brackets stands directly under the heading of a part."""
    above = page.blocks[index - 1] if index else None
    text = page.blocks[index]
    return (
        isinstance(above, Line)
        and isinstance(text, Line)
        and text.text.startswith("(")
        and text.text.endswith(")")
        and _PART.match(above.text) is not None
    )
