"""How a table is to be read: its column headings, its sections, and what stands above it.

Everything is decided by position and by whether a cell holds a number, never by what a reader said.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, TypeVar

from doublethink_figures import Part, PeriodKind, PeriodMention, Span, find_periods

from .heads import Heads
from .pagetext import Cell, Line, Page, Row, Table
from .zones import Zone, is_noise, zone_of

_T = TypeVar("_T")
_DIGIT: Final = re.compile(r"[0-9]")
_NOTE_MARK: Final = re.compile(
    r"\(\s*[0-9a-zA-Z]{1,2}\s*\)|\[\s*[0-9a-zA-Z]{1,2}\s*\]|[⁰¹²³⁴-⁹*†‡]+|⁽[⁰¹²³⁴-⁹]+⁾"
)
_NUMBER_CELL: Final = re.compile(
    r"^\W{0,4}(?:[A-Z]{1,3}\s?)?[$€£¥]?\s?[(\-−–]?\s?[$€£¥]?\s?[0-9][0-9,. ']*\)?\s?(?:%|\)%|x|bps|pp)?\)?$"
)
_NEGATIVE: Final = re.compile(r"[$€£¥]?\s*(?:\(\s*[$€£¥]?\s*|[-−–]\s?[$€£¥]?\s*)[0-9]")
_BLANK: Final = re.compile(r"^(?:[-—–−]+|\$ ?[-—–]+|[-—–]+ ?%|N/?A|n/?a|n/?m|NM|\*+|nil)$")
_SCALE_TEXT: Final = re.compile(
    r"\b(?:thousands?|millions?|billions?|dollars|USD|EUR|€|\$000)\b|\bper share\b", re.IGNORECASE
)
_PERIOD_LABEL: Final = re.compile(
    r"\b(?:months?|weeks?|years?|quarters?|periods?|half)\b|\bas (?:of|at)\b|:$", re.IGNORECASE
)
_OF_TIME: Final = re.compile(
    r"\b(?:ended|months|weeks)\b|^\W*(?:as (?:of|at)|at|on)\W*$"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun"
    r"|jul|aug|sept?|oct|nov|dec)\.? [0-3]?[0-9]\b",
    re.IGNORECASE,
)
"""What speaks of time without naming a period: "Three Months Ended", or "As of December 31," over years."""
_CASH_TOTAL: Final = re.compile(
    r"\s*(?:net )?cash (?:flows? )?\(?(?:provided|used|generated|from)\b"
    r"|\s*total (?:operating|investing|financing) activities\b",
    re.IGNORECASE,
)
"""The total of a part of a cash-flow statement: it closes the part before it and is none of its items."""
_VOTES: Final = re.compile(
    r"^(?:number of )?(?:votes?|shares)(?: voted| cast)? (?=for$|against$|withheld$|abstain)"
)
_LEAST_HEADS: Final = 2
_MOST_FEET: Final = 4
"""Lines of a page's foot and of the next page's head between the two parts of a table."""
_HELD: Final = re.compile(r"\bheld\b.{0,80}\bmeeting\b|\bmeeting\b.{0,120}\b(?:held|on)\b", re.IGNORECASE)
_OF_A_PAPER: Final = re.compile(
    r"\b(?:dated|filed)(?: with the (?:\w+ ){1,5})?(?: on)? $|\b(?:commission|SEC[”\")]*) (?:on )?$",
    re.IGNORECASE,
)
"""The day of a document that is spoken of: the proxy statement's."""
_MAX_MEETING_BACK: Final = 40


@dataclass(frozen=True)
class DataRow:
    """A row with values: its label, the section rows it stands under, and the heading rows over it."""

    row: Row
    label: Cell | None
    sections: tuple[Cell, ...]
    heads: Heads
    index: int

    @property
    def headings(self) -> tuple[Row, ...]:
        """The heading rows over the row."""
        return self.heads.rows

    def values(self) -> tuple[Cell, ...]:
        """The cells that hold a value."""
        return self._values

    @cached_property
    def _values(self) -> tuple[Cell, ...]:
        return tuple(
            c for c in self.row.cells if c is not self.label and c.text.strip() and not is_blank(c.text)
        )

    def over(self, cell: Cell) -> tuple[tuple[Cell, ...], ...]:
        """For each heading row the cells with text that stand over `cell`."""
        return self.heads.over(cell)

    def titles(self) -> tuple[Cell, ...]:
        """Heading cells that stand over all values alike: the title of the table, not of a column."""
        return self._titles

    @cached_property
    def _titles(self) -> tuple[Cell, ...]:
        values = self.values()
        if len(values) < 2:
            return ()
        return self.heads.titles(values[0].column, max(v.column + v.width for v in values))

    @cached_property
    def shown(self) -> frozenset[str]:
        """The texts of the values."""
        return frozenset(v.text for v in self.values())

    def corner(self) -> tuple[Cell, ...]:
        """The cells of the heading rows that stand over the labels."""
        return tuple(c for row in self.headings if (c := row.label) is not None and not self._over_values(c))

    def _over_values(self, cell: Cell) -> bool:
        return cell.width > 1


@dataclass(frozen=True, slots=True)
class Layout:
    """A table ready to be read.

    `first`: no other table stands before it. `votes`: its columns are for and against. `meeting`: the day
    on which the votes were cast, with its place.
    """

    table: Table
    zone: Zone
    captions: tuple[Cell, ...]
    rows: tuple[DataRow, ...]
    block: int
    first: bool
    votes: bool
    meeting: PeriodMention | None
    changes: dict[tuple[int, int], object] = field(default_factory=dict, compare=False)
    """What was worked out of columns of changes: by heading rows and column."""
    kept: dict[object, object] = field(default_factory=dict, compare=False)
    """What was worked out of the whole table, by a name for each."""

    def once(self, key: object, make: Callable[[], _T]) -> _T:
        """What `make` gives, worked out once for `key`; a key belongs to one place of the code alone."""
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]  # type: ignore[return-value]  # the key tells the type

    def last_row_at(self, place: Span) -> DataRow | None:
        """The last row with values that shares a character with `place`."""
        starts = self.once("starts", lambda: [r.row.span.start for r in self.rows])
        at = bisect_left(starts, place.end) - 1
        return self.rows[at] if at >= 0 and self.rows[at].row.span.overlaps(place) else None

    def columns(self, row: DataRow) -> dict[int, list[Cell]]:
        """The values under the headings of `row`, by column; of the headings' other runs as well."""
        return self.once("columns", self._columns)[tuple(h.span.start for h in row.headings)]

    def _columns(self) -> dict[tuple[int, ...], dict[int, list[Cell]]]:
        found: dict[tuple[int, ...], dict[int, list[Cell]]] = {}
        heads: Heads | None = None
        for row in self.rows:
            if row.heads is not heads:
                heads = row.heads
                columns = found.setdefault(tuple(h.span.start for h in row.headings), {})
            for cell in row.values():
                columns.setdefault(cell.column, []).append(cell)
        return found

    def under_same(self, row: DataRow, cell: Cell) -> list[Cell]:
        """The other values of `row` that stand under the very headings of `cell`."""

        def alike() -> dict[tuple[tuple[int, ...], ...], list[Cell]]:
            found: dict[tuple[tuple[int, ...], ...], list[Cell]] = {}
            for value in row.values():
                found.setdefault(row.heads.place(value), []).append(value)
            return found

        if ("alike", row.index) not in self.kept:
            for key in [k for k in self.kept if isinstance(k, tuple) and k[0] == "alike"]:
                del self.kept[key]  # one row at a time is looked at
        same = self.once(("alike", row.index), alike)[row.heads.place(cell)]
        return [c for c in same if c is not cell]


def is_blank(text: str) -> bool:
    """Whether a cell says that there is no value."""
    return not text.strip() or _BLANK.match(text.strip()) is not None


def is_number(text: str) -> bool:
    """Whether a cell is a number and nothing else, marks aside."""
    plain = _NOTE_MARK.sub("", text).strip() if _DIGIT.search(_NOTE_MARK.sub("", text)) else text.strip()
    return _NUMBER_CELL.match(plain) is not None


def is_negative(text: str) -> bool:
    """Whether a cell shows its number in brackets, or behind a minus."""
    return _NEGATIVE.match(text.strip()) is not None


@lru_cache(maxsize=16_384)
def without_periods(text: str) -> str:
    """`text` without the periods it names."""
    out = list(text)
    for mention in find_periods(text):
        out[mention.span.start : mention.span.end] = " " * (mention.span.end - mention.span.start)
    return "".join(out)


def layout(page: Page, block: int, before: Layout | None = None) -> Layout:
    """The layout of the table that is block number `block` of the page.

    A table without headings of its own directly after one of the same columns (`before`) goes on under its
    headings.
    """
    table = page.blocks[block]
    assert isinstance(table, Table)  # noqa: S101 - the caller iterates over tables
    captions: list[Cell] = []
    headings: list[Row] = []
    group_open = True
    sections: list[Cell] = []
    rows: list[DataRow] = []
    over = Heads(())
    changed = False
    continued = _continues(page, block, before)
    if continued and before is not None:
        headings, group_open, changed = list(before.rows[-1].headings), False, True
    for index, row in enumerate(table.rows):
        kind = _kind(row, before_data=not rows, headed=bool(headings))
        if kind == "heading" and not rows and _is_title(row, table):
            captions += [c for c in row.cells if c.text.strip()]
        elif kind == "heading":
            if not group_open:
                headings = [] if continued else [r for r in headings if not _names_period(r)]
                group_open, continued = True, False
            headings.append(row)
            changed = True
        elif kind == "section":
            label = row.label
            assert label is not None  # noqa: S101 - a section row has a label
            if not rows and not headings:
                captions.append(label)
            else:
                _enter(sections, label)
                group_open = group_open and not rows
        elif kind == "data":
            group_open = False
            label = row.label
            if (
                label is not None
                and (is_number(label.text) or is_blank(label.text))
                and not _is_year(label.text)
            ):
                label = None
            if label is not None and _CASH_TOTAL.match(label.text):
                _leave(sections)
            if changed:
                over, changed = Heads(tuple(headings)), False
            rows.append(DataRow(row, label, tuple(sections), over, index))
            if label is not None and re.match(r"\s*total\b", label.text, re.IGNORECASE):
                _leave(sections)
    zone = before.zone if continued and before is not None else zone_of(page, block)
    if before is not None and _goes_on(page, block, zone, rows, before):
        zone = before.zone
    if _is_vote(table) and zone.paragraph is None and not zone.headings:
        zone = Zone((), _matter(page, block), None)
    return Layout(
        table,
        zone,
        tuple(captions),
        tuple(rows),
        block,
        block <= page.first_table,
        _is_vote(table),
        _meeting(page, block) if _is_vote(table) else None,
    )


def vote_head(text: str) -> str:
    """The heading of a column of votes as it is compared: "Votes For", "Shares Voted Against" and "for" alike."""
    return _VOTES.sub("", text.strip().casefold())


def _is_vote(table: Table) -> bool:
    heads = {vote_head(c.text) for row in table.rows[:2] for c in row.cells}
    return "for" in heads and bool(heads & {"against", "withheld", "abstain", "abstentions", "withhold"})


def _matter(page: Page, block: int) -> Line | None:
    """The line directly above a table of votes: "2. The stockholders ratified the appointment of ..."."""
    above = page.blocks[block - 1] if block else None
    return above if isinstance(above, Line) else None


def _meeting(page: Page, block: int) -> PeriodMention | None:
    """The one day on which a meeting above a table of votes was held."""
    for index in range(block - 1, max(-1, block - 1 - _MAX_MEETING_BACK), -1):
        above = page.blocks[index]
        if not isinstance(above, Line) or not _HELD.search(above.text):
            continue
        days = [
            PeriodMention(m.span.shifted(above.span.start), m.period)
            for m in find_periods(above.text)
            if m.period.kind is PeriodKind.INSTANT
            and m.period.part is Part.DAY
            and not _OF_A_PAPER.search(above.text[: m.span.start])
        ]
        return days[0] if len({m.period for m in days}) == 1 else None
    return None


def _continues(page: Page, block: int, before: Layout | None) -> bool:
    table = page.blocks[block]
    if before is None or not before.rows or not isinstance(table, Table):
        return False
    between = page.blocks[before.block + 1 : block]
    if len(between) > _MOST_FEET or any(isinstance(b, Table) or not is_noise(b.text) for b in between):
        return False
    return bool(before.rows[-1].headings) and _columns(table) == _columns(before.table)


def _goes_on(page: Page, block: int, zone: Zone, rows: list[DataRow], before: Layout) -> bool:
    """Whether a table of which nothing says what it shows is the one before it for another period: it stands directly
    below, under the same headings and with the same first line.
    """
    if zone.headings or zone.paragraph or zone.governing or not rows or not before.rows:
        return False
    between = page.blocks[before.block + 1 : block]
    if len(between) > _MOST_FEET or any(isinstance(b, Table) or not is_noise(b.text) for b in between):
        return False
    heads, label = _first_of(rows)
    return len(heads) >= _LEAST_HEADS and label != "" and (heads, label) == _first_of(before.rows)


def _first_of(rows: Sequence[DataRow]) -> tuple[list[str], str]:
    """The headings over the first row, periods left out, and its label."""
    first = rows[0]
    heads = [without_periods(c.text).strip() for r in first.headings for c in r.cells if c.column > 0]
    return [h for h in heads if h], first.label.text if first.label is not None else ""


def _columns(table: Table) -> int:
    return max(c.column + c.width for row in table.rows for c in row.cells)


def _kind(row: Row, *, before_data: bool, headed: bool) -> str:
    filled = row.filled
    label = row.label
    if not filled:
        if label is None:
            return "empty"
        if is_number(label.text) and not _is_year(label.text):
            return "data"
        return "section"
    like_heading = [_like_heading(cell) for cell in filled]
    if all(is_blank(cell.text) for cell in filled):
        return "data"
    if not all(like_heading):
        return "data"
    if label is None:
        return "heading"
    says_how = (
        _SCALE_TEXT.search(label.text) or _PERIOD_LABEL.search(label.text) or bool(find_periods(label.text))
    )
    # Words over several columns, and no number yet: "Company | Consolidated Highlights (Unaudited)".
    wide = any(cell.width > 1 for cell in filled)
    if before_data and (len(filled) > 1 or says_how or wide):
        return "heading"
    periods = all(find_periods(cell.text) for cell in filled)
    if says_how and periods and len(filled) > 1 and not before_data:
        return "heading"
    return "data"


def _is_title(row: Row, table: Table) -> bool:
    """A row over all columns that says nothing of time: the table's title, and no heading of a column."""
    filled = row.filled
    return (
        len(filled) == 1
        and filled[0].width > 1
        and filled[0].column + filled[0].width >= _columns(table)
        and filled[0].column <= 1
        and not _names_period(row)
    )


def _like_heading(cell: Cell) -> bool:
    text = cell.text.strip()
    if is_blank(text):
        return False
    if _is_year(text):
        return True
    if is_number(text):
        return False
    rest = _NOTE_MARK.sub("", without_periods(text))
    return _DIGIT.search(rest) is None or bool(
        re.fullmatch(r"[^0-9]*\b[0-9]{1,2}(?:[ -](?:months?|weeks?|years?))?\b[^0-9]*", rest)
    )


def _is_year(text: str) -> bool:
    return re.fullmatch(r"(?:19|20)[0-9]{2}", _NOTE_MARK.sub("", text).strip()) is not None


def _names_period(row: Row) -> bool:
    return any(find_periods(c.text) or _OF_TIME.search(c.text) for c in row.cells)


def _enter(sections: list[Cell], label: Cell) -> None:
    """A section that ends in a colon stands below one that does not, and beside the one before it."""
    below = label.text.rstrip().endswith(":")
    if not below:
        sections.clear()
    elif sections and sections[-1].text.rstrip().endswith(":"):
        sections.pop()
    sections.append(label)


def _leave(sections: list[Cell]) -> None:
    if sections and sections[-1].text.rstrip().endswith(":"):
        sections.pop()
