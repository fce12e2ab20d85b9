"""Everything on a page that fits the query: the claim's place, and its rivals.

The validator reads the whole page for itself. A claim is proven only if its place is among what fits here,
and if everything that fits equally says the same amount.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from doublethink_figures import Figure, Period, Span, UnitClass

from . import effort
from .abbreviations import abbreviations
from .captions import RISKY
from .cells import read_cell
from .clauses import Sentence, fit_sentence, read_sentence, sentences, wanted_class
from .column_ties import column_ties
from .columns import dated
from .dividends import declared
from .errors import NotProven, Reason
from .fiscal import FiscalCalendar, fiscal_calendar
from .fiscal_ties import QUARTER_SAID, amount_ties
from .fit import Fit, attributed_rivals, fit_row
from .fold import Folded, fold
from .heads import Heads
from .identity import Identity, identify
from .layout import DataRow, Layout, layout
from .market_value import market_values
from .notes_due import note_rates
from .outstanding import shares_outstanding
from .ownership import holdings
from .pagetext import Cell, Line, Page, Table
from .paired import fit_paired
from .reading import Reading, agree
from .special import Special, fit_special
from .specific import fit_specific
from .stated import fit_stated
from .subject import Subject
from .told import fit_compared, fit_told
from .wanted import is_period
from .words import ACCOUNTING, CHANGE, content, words

_SIGNED: Final = re.compile(
    r"\s*(?:total )?(?:net\b|cash\b|change|increase|decrease|effect|exchange rate|loss|income|earnings"
    r"|gain|\(|other|(?:operating|investing|financing) activities\b)",
    re.IGNORECASE,
)
_SPENT: Final = re.compile(
    r"\s*(?:capital expenditures?|additions? to|purchases? of|payments?|(?:principal )?(?:re)?payments?"
    r"|repurchases?|acquisitions?(?: of|,? net of cash)|(?:cash )?dividends? paid|dividends|cash (?:dividends|paid)"
    r"|distributions|redemptions?|retirements?|taxes paid|treasury (?:stock|shares) (?:purchase[ds]|acquired)"
    r"|(?:stock|share) repurchases|settlements? of|reductions? (?:in|of) (?:[a-z]+[- ]){1,3}debt"
    r"|pension contributions)\b",
    re.IGNORECASE,
)
_EITHER_WAY: Final = re.compile(
    r"\b(?:proceeds|received|sales?|issued|issuances?|maturities|refund\w*)\b|/"
    r"|(?:\(|\band |\bor )(?:\w+ ){0,2}borrowings\b",
    re.IGNORECASE,
)
"""What may be more than was spent: a number under it has no side that can be said."""
_COSTS: Final = re.compile(
    r"(?<!income )\b(?:expenses?|costs?|charges)(?: of \w+(?: \w+)?)?(?:, net)?[⁰¹²³⁴-⁹⁽⁾*\s:]*$",
    re.IGNORECASE,
)
_ALWAYS_COSTS: Final = re.compile(
    r"\s*(?:total )?(?:interest expense|costs? of (?:goods sold|sales|revenues?|products? sold)"
    r"|(?:selling|marketing|research|general|operating|personnel|depreciation|amortization)\b.*)",
    re.IGNORECASE,
)
"""Costs of which no company has less than none."""
_BRACKETED: Final = re.compile(r"[$€£¥]?\s*\(|[$€£¥]?\s*[-−–]\s?[$€£¥]?\s*[0-9]|[-—–]+$")
_MOVED: Final = re.compile(r"cash flow|activities|(?:stock|share)holders[’'] equity", re.IGNORECASE)
_EXPANDED: Final = frozenset({"eps", "r&d", "sg&a", "capex", "earning", "profit", "provision", "workforce"})
MAX_FITS: Final = 2_000
_FROM_ABOVE: Final = 2
"""The reach of a row that has words of the query from the lines above its table alone."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """A reading that fits the query, how, and where."""

    reading: Reading
    fit: Fit
    block: int | None = None
    """The table's number, None for a sentence."""


class Examined:
    """A stored page with everything that is worked out of it once.

    It is read as far as `effort.BUDGET` goes, to the end of a block: `cut` says whether something is left, `steps`
    what was needed. `title` is the search result's, which is no part of the text. Raises `ValueError` for a table
    out of all bounds.
    """

    def __init__(self, page_id: str, text: str, title: str = "") -> None:
        self.page_id = page_id
        self._title = title
        self.page = Page(text)
        self.layouts: dict[int, Layout] = {}
        self.cut = False
        self.steps = 0
        self._cells: dict[Span, Reading | Reason] = {}
        self._sentences: dict[int, tuple[tuple[Figure, Reading], ...]] = {}
        self._lines: dict[int, tuple[Sentence, ...]] = {}
        self._read_to_budget()

    def _read_to_budget(self) -> None:
        before: Layout | None = None
        for index, block in enumerate(self.page.blocks):
            table = layout(self.page, index, before) if isinstance(block, Table) else None
            if table is not None:
                steps = effort.of_table(table)
            else:
                assert isinstance(block, Line)  # noqa: S101 - a block is a line or a table
                steps = effort.of_line(self.sentences(block), len(block.text))
            if self.steps + steps > effort.BUDGET:
                self.page = Page(self.page.text[: block.span.start])
                self.cut = True
                return
            self.steps += steps
            if table is not None:
                before = self.layouts[index] = table

    @cached_property
    def folded(self) -> Folded:
        return fold(self.page.text)

    @cached_property
    def identity(self) -> Identity:
        return identify(self.page, self._title)

    @cached_property
    def known_as(self) -> dict[str, frozenset[str]]:
        """`abbreviations.abbreviations`, worked out once."""
        names = frozenset(s for name in self.identity.names for s in name.stems)
        return abbreviations(self.page.text, names | RISKY)

    @cached_property
    def calendar(self) -> FiscalCalendar:
        heads = self._heads()
        plain = fiscal_calendar(self.page, heads=heads)
        if plain.labels:
            return plain
        ties = column_ties(self._shown())
        if QUARTER_SAID.search(self.page.text):
            ties += amount_ties(self._said(), self._shown())
        return fiscal_calendar(self.page, ties, heads) if ties else plain

    def _heads(self) -> frozenset[Period]:
        """The periods over the columns of the page's tables."""
        found: set[Period] = set()
        for table in self.layouts.values():
            heads: Heads | None = None
            for row in table.rows:
                if row.heads is heads:
                    continue
                heads = row.heads
                for cell in row.values():
                    try:
                        period = dated(table, row, cell).period
                    except NotProven:
                        continue
                    if period is not None:
                        found.add(period)
        return frozenset(found)

    def _said(self) -> Iterator[tuple[str, Reading]]:
        """The figures of sentences, each with the words before it."""
        for block in self.page.blocks:
            if isinstance(block, Table) or not QUARTER_SAID.search(block.text):
                continue
            for sentence in self.sentences(block):
                for figure, reading in self.read_sentence(sentence):
                    yield sentence.text[: figure.span.start], reading

    def _shown(self) -> Iterator[tuple[str, Reading]]:
        """The figures of tables, each with its row's label."""
        for table in self.layouts.values():
            for row in table.rows:
                for cell in row.values() if row.label is not None else ():
                    try:
                        reading = self.read_cell(table, row, cell)
                    except NotProven:
                        continue
                    assert row.label is not None  # noqa: S101 - rows without a label have no cells here
                    yield row.label.text, reading

    def read_cell(self, table: Layout, row: DataRow, cell: Cell) -> Reading:
        """`cells.read_cell`, worked out once. Raises `NotProven`."""
        if cell.span not in self._cells:
            try:
                self._cells[cell.span] = read_cell(self.page, table, row, cell)
            except NotProven as error:
                self._cells[cell.span] = error.reason
        found = self._cells[cell.span]
        if isinstance(found, Reason):
            raise NotProven(found)
        return found

    def sentences(self, line: Line) -> tuple[Sentence, ...]:
        """`clauses.sentences`, worked out once."""
        if line.span.start not in self._lines:
            self._lines[line.span.start] = tuple(sentences(line))
        return self._lines[line.span.start]

    def sentences_at(self, line: Line, place: Span) -> tuple[Sentence, ...]:
        """The sentences of a line that share a character with `place`."""
        found = self.sentences(line)
        last = bisect_left(found, place.end, key=lambda s: s.start)
        first = last
        while first and found[first - 1].start + len(found[first - 1].text) > place.start:
            first -= 1
        return found[first:last]

    def read_sentence(self, sentence: Sentence) -> tuple[tuple[Figure, Reading], ...]:
        """`clauses.read_sentence`, worked out once."""
        if sentence.start not in self._sentences:
            self._sentences[sentence.start] = read_sentence(self.page, sentence)
        return self._sentences[sentence.start]

    @cached_property
    def specials(self) -> tuple[Special, ...]:
        """The figures of the page that stand in a fixed form of their own."""
        known = frozenset(s for name in self.identity.names for s in name.stems)
        return (
            *shares_outstanding(self.page, known),
            *note_rates(self.page),
            *holdings(self.page),
            *declared(self.page),
            *market_values(self.page),
        )

    def blocks_at(self, place: Span) -> range:
        """The numbers of the blocks that share a character with `place`."""
        first = max(0, bisect_right(self._starts, place.start) - 1)
        return range(first, bisect_left(self._starts, place.end))

    @cached_property
    def _starts(self) -> list[int]:
        return [block.span.start for block in self.page.blocks]


def survey(examined: Examined, subject: Subject) -> tuple[Fitting, ...]:
    """What fits `subject` on a page, in page order: thing, unit class and period."""
    found: list[Fitting] = []
    if examined.identity.name_in(subject.stems) is None:
        return ()
    spelled = _spelled(examined, subject)
    for table in examined.layouts.values():
        _survey_table(examined, spelled, table, found)
    _survey_prose(examined, subject, found)
    _survey_specials(examined, subject, found)
    return tuple(sorted(found, key=lambda f: f.reading.figure.start))


def _spelled(examined: Examined, subject: Subject) -> Subject:
    """The query with the page's abbreviations spelled out, as rows are compared with it."""
    if examined.known_as.keys().isdisjoint(subject.stems):
        return subject
    stems = (
        part
        for s in subject.stems
        for part in (sorted(examined.known_as[s]) if s in examined.known_as else (s,))
    )
    return replace(subject, stems=tuple(dict.fromkeys(stems)))


def _survey_table(examined: Examined, subject: Subject, table: Layout, found: list[Fitting]) -> None:
    asked = set(subject.stems)
    for row in table.rows:
        around = [c.text for c in row.sections]
        if row.label is not None and not _may_fit(
            row.label.text, asked, around, row.heads, examined.known_as
        ):
            continue
        for cell in row.values():
            if len(found) >= MAX_FITS:
                raise NotProven(Reason.RIVAL_FITS)
            fitting = _fitting(examined, subject, table, row, cell)
            if fitting is not None and _is_wanted(examined, subject, fitting.reading):
                _check_attributed(examined, subject, table, fitting)
                found.append(fitting)


def _check_attributed(examined: Examined, subject: Subject, table: Layout, fitting: Fitting) -> None:
    """Raises `NotProven` where the same table also gives the figure as attributable to the company, and it
    differs.
    """
    name = fitting.fit.name
    rivals = table.once(
        ("attributed", subject, name),
        lambda: _attributed(examined, table, attributed_rivals(subject, name, table)),
    )
    if any(not agree(rival, fitting.reading) for rival in rivals.get(fitting.reading.period, ())):
        raise NotProven(Reason.RIVAL_FITS)


def _attributed(
    examined: Examined, table: Layout, rows: tuple[DataRow, ...]
) -> dict[Period | None, tuple[Reading, ...]]:
    """What the rows say for each period, the same amount once."""
    found: dict[Period | None, dict[object, Reading]] = {}
    for row in rows:
        for cell in row.values():
            try:
                rival = examined.read_cell(table, row, cell)
            except NotProven:
                continue
            found.setdefault(rival.period, {})[rival.value, rival.step, rival.unit] = rival
    return {period: tuple(readings.values()) for period, readings in found.items()}


def _fitting(examined: Examined, subject: Subject, table: Layout, row: DataRow, cell: Cell) -> Fitting | None:
    """The reading of a cell that fits; None for one that does not, or that cannot be read."""
    try:
        fit = fit_row(subject, examined.identity, table, row, cell, examined.known_as)
        reading = examined.read_cell(table, row, cell)
    except NotProven:
        return None
    if fit.turned:
        return Fitting(replace(reading, spent=True), fit, table.block)
    if reading.stated < 0 and row.label is not None and _COSTS.search(row.label.text):
        # An income statement that prints costs in brackets says that they are taken off, not that they are negative.
        plain = _ALWAYS_COSTS.match(row.label.text) and all(_is_negative(v) for v in row.values())
        return Fitting(replace(reading, spent=True), fit, table.block) if plain else None
    if not _is_outflow(table, row, reading):
        return Fitting(reading, fit, table.block)
    assert row.label is not None  # noqa: S101 - an outflow is told by its label
    if not _SPENT.match(row.label.text) or _EITHER_WAY.search(row.label.text):
        return None
    return Fitting(replace(reading, spent=True), fit, table.block)


def _is_negative(cell: Cell) -> bool:
    return _BRACKETED.match(cell.text.strip()) is not None


def _is_outflow(table: Layout, row: DataRow, reading: Reading) -> bool:
    """Whether a number in brackets is one because cash went out, or equity went down.

    "Capital expenditures (1,697)" does not say that capital expenditures are negative: 1,697 were spent. Of what
    no word says that it is spent, such a number says neither.
    """
    if reading.stated >= 0 or row.label is None or _SIGNED.match(row.label.text):
        return False
    lines = [line.text for line in table.zone.headings] + [c.text for c in (*table.captions, *row.sections)]
    if any("cash flow" in text.casefold() or "activities" in text.casefold() for text in lines):
        return True
    return _SPENT.match(row.label.text) is not None and any(_MOVED.search(text) for text in lines)


def _may_fit(
    label: str, asked: set[str], around: list[str], heads: Heads, known_as: Mapping[str, object]
) -> bool:
    """A quick look before the careful one."""
    if any(
        w.stem in asked or _expands(w.stem) or w.stem in known_as
        for text in [label, *around]
        for w in words(text)
    ):
        return True
    if not heads.stems.isdisjoint(known_as):
        return True
    return not heads.stems.isdisjoint(asked) or not heads.stems.isdisjoint(_EXPANDED)


def _expands(word: str) -> bool:
    return word in _EXPANDED


def _survey_prose(examined: Examined, subject: Subject, found: list[Fitting]) -> None:
    named = examined.identity.name_in(subject.stems)
    if named is None:
        return
    name, at = named
    metric = set(subject.stems[:at] + subject.stems[at + len(name.stems) :])
    for block in examined.page.blocks:
        if isinstance(block, Table):
            continue
        for sentence in examined.sentences(block):
            said = set(content(sentence.text))
            if said & {"people", "employed", "employ"}:
                said |= {"employee"}
            if metric & CHANGE and said & CHANGE:
                said |= metric & CHANGE
            if "share" in metric and "share" in said:
                said |= {"earning"}
            common = metric & said
            if len(common) < min(2, len(metric)) or not any(c.isdigit() for c in sentence.text):
                continue
            if common != metric and not metric - ACCOUNTING - common:
                continue
            for figure, reading in examined.read_sentence(sentence):
                if len(found) >= MAX_FITS:
                    raise NotProven(Reason.RIVAL_FITS)
                if _is_wanted(examined, subject, reading):
                    fit = _fit_prose(examined, subject, sentence, figure, reading)
                    if fit is not None:
                        found.append(Fitting(reading, fit))
                        continue
                told = _told(examined, subject, sentence, figure, reading)
                if told is not None and _is_wanted(examined, subject, told.reading):
                    found.append(told)


def _told(
    examined: Examined, subject: Subject, sentence: Sentence, figure: Figure, reading: Reading
) -> Fitting | None:
    """How a sentence fits that tells a change, a share, or what a level is compared with."""
    if not wanted_class(reading, subject.unit_class):
        return None
    try:
        return Fitting(*fit_told(subject, examined.identity, sentence, figure, reading))
    except NotProven:
        pass
    others = examined.read_sentence(sentence)
    try:
        return Fitting(*fit_compared(subject, examined.identity, sentence, figure, reading, others))
    except NotProven:
        return None


def _survey_specials(examined: Examined, subject: Subject, found: list[Fitting]) -> None:
    for special in examined.specials:
        if not _is_wanted(examined, subject, special.reading):
            continue
        try:
            found.append(Fitting(special.reading, fit_special(subject, examined.identity, special)))
        except NotProven:
            continue


def _fit_prose(
    examined: Examined, subject: Subject, sentence: Sentence, figure: Figure, reading: Reading
) -> Fit | None:
    """How a sentence fits, as a statement of a level or of something particular; None if in neither form."""
    for form in (fit_sentence, fit_stated, fit_paired):
        try:
            return form(subject, examined.identity, sentence, figure, reading)
        except NotProven:
            continue
    rivals = [f for f, r in examined.read_sentence(sentence) if wanted_class(r, subject.unit_class)]
    if len(rivals) != 1 and subject.unit_class is not UnitClass.COUNT:
        return None  # counts say of what they are: "445 stores in 42 states"
    try:
        return fit_specific(examined.page, subject, examined.identity, sentence, figure, reading)
    except NotProven:
        return None


def _is_wanted(examined: Examined, subject: Subject, reading: Reading) -> bool:
    return wanted_class(reading, subject.unit_class) and (
        subject.period is None
        or is_period(examined.calendar, reading, subject.period, fiscal=subject.fiscal, month=subject.month)
    )


def best(fittings: tuple[Fitting, ...]) -> tuple[Fitting, ...]:
    """Those that fit without narrowing; where a statement itself has the figure, what agrees with the
    statements.

    A row that has the words itself beats one, in whatever table, that has some from the lines above alone.
    Within one table a row whose own label has the query's words beats one that has them from its section,
    and that one a row that has them from the lines above. A figure per share that the query does not call
    basic or diluted needs the table to give both: they agree, or it stays open which was meant.
    """
    plain = tuple(f for f in fittings if f.fit.extra == 0)
    if any(f.block is not None and f.fit.reach == 0 for f in plain):
        plain = tuple(f for f in plain if f.fit.reach < _FROM_ABOVE)
    nearest: dict[int | None, int] = {}
    for f in plain:
        nearest[f.block] = min(f.fit.reach, nearest.get(f.block, f.fit.reach))
    plain = tuple(f for f in plain if f.fit.reach == nearest[f.block] and _has_other_side(f, plain))
    primary = [f for f in plain if f.fit.primary]
    if not primary:
        return plain
    return tuple(f for f in plain if f.fit.primary or all(agree(f.reading, p.reading) for p in primary))


def _has_other_side(fitting: Fitting, plain: tuple[Fitting, ...]) -> bool:
    return not fitting.fit.side or any(
        other.block == fitting.block
        and other.reading.period == fitting.reading.period
        and other.fit.side not in ("", fitting.fit.side)
        for other in plain
    )
