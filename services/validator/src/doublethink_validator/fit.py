"""Whether a row of a table is the thing that a query asks for: every word accounted for, and none left over.

A word of the query is accounted for by the row's label, its sections, its column's heading, the table's
captions, or, as part of the company's name, by the page's identity. A word of the label that the query
lacks makes the row another thing. A word of a section, column or caption that the query lacks, and that is
not statement vocabulary, narrows the row to a part: such a row is no proof.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from doublethink_figures import UnitClass

from .abbreviations import Abbreviations, spell
from .captions import NEUTRAL, RISKY, beside_asked, caption_stems, is_scale, named_above, spelled, topic
from .changes import is_change
from .errors import NotProven, Reason
from .identity import Identity, Name
from .labels import as_gain, as_loss, column_stems, label_stems, neutral_for, without_dates
from .layout import DataRow, Layout, is_negative, vote_head, without_periods
from .pagetext import Cell, Row
from .posts import person_of
from .subject import Subject
from .words import ACCOUNTING, CHANGE, CORPORATE, STOP, content, listed, words

_LINES: Final = listed(
    """
    sale revenue income earning profit cost expense margin asset liability cash debt depreciation loss tax
    equity inventory ebitda shipment
    """
)
"""Words that name a line of a report: a caption with more than one of them leaves open which its table
shows.
"""
_STATEMENT: Final = re.compile(
    r"\bstatements? of (?:\w+ ){0,3}(?:operations|income|earnings|financial (?:position|condition)"
    r"|cash flows|profit|loss)"
    r"|\bbalance sheets?\b|\bincome statements?\b|\bcash flow statements?\b",
    re.IGNORECASE,
)
_EQUITY: Final = re.compile(
    r"\bstatements? of (?:\w+ ){0,3}(?:(?:stock|share)(?:holders|owners)[’']? )?equity\b", re.IGNORECASE
)
_PERCENT_OF: Final = re.compile(
    r"\bas a (?:percentage|percent|%) of (?:our |its |total |consolidated )?(?P<whole>(?:net )?(?:sales|revenues?))\b",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(r"(?:grand |segment )?totals?(?: segments?)?", re.IGNORECASE)
_OF_OTHERS: Final = re.compile(
    r"\b(?:parent|guarantors?|issuer|consolidating|pro forma|reconciliation|segment)\b", re.IGNORECASE
)
_CHANGES: Final = listed("change growth grow increas increase variance vs versus")
_PARTS: Final = listed(
    """
    segment geographic geographical region regional product service category area disaggregat
    disaggregated disaggregation information
    """
)
"""Headings of tables that show parts: harmless where the query itself names the part."""
_KINDS: Final = listed("product service category")
_OVERVIEW: Final = listed(
    "highlight summary selected overview performance key result statement financial glance annual report"
)
"""What a table of results at large is called."""
_OTHERS: Final = frozenset({"noncontrolling", "minority"})
_ACTIVITIES: Final = re.compile(r"\s*total (?:operating|investing|financing) activities\W*$", re.IGNORECASE)
_OF_ACTIVITIES: Final = listed("net cash flow provided used activity")
_NUMERAL: Final = re.compile(r"[$€£¥]?\s*(?P<open>\()?\s*(?P<digits>[0-9][0-9,]*(?:\.[0-9]+)?)\s*\)?")
_LEAST_PARTS: Final = 2
_TELLING: Final = 5
_GAINS: Final = listed("income earning profit")
_LEAST_PARTICULAR: Final = 2
_DEPRECIATED: Final = listed("property plant equipment land building leasehold improvement")
"""What is depreciated: over "accumulated depreciation" these words narrow nothing."""
_OF_BANKS: Final = listed("performance ratio metric key quality")
"""What sections of results at large are called besides the vocabulary of statements: "PERFORMANCE RATIOS"."""
_SIDES: Final = frozenset({"basic", "diluted"})
_NEUTRAL_COLUMN: Final = listed(
    """
    actual reported unaudited audited total consolidated amount usd dollar
    """
)


@dataclass(frozen=True, slots=True)
class Fit:
    """A row that fits.

    `extra` counts the words of its context that the query lacks: only 0 is proof. `primary`: it stands in
    one of the statements themselves, which fits better than a table of the notes. `reach` tells where the
    query's words were found: 0 in the row's label and column, 1 also in its sections, 2 also above the table.
    `side` is "basic" or "diluted" for a figure per share of which the query does not say which. `turned`: the row's
    brackets stand for what the query asks for, as in "Interest (income) expense".
    """

    name: Name
    extra: int
    primary: bool = False
    reach: int = 0
    side: str = ""
    turned: bool = False


def _around(
    table: Layout, captions: frozenset[str], asked: set[str], label: frozenset[str]
) -> frozenset[str]:
    """What a caption may answer for: the part, and the line only over labels that name parts of that one
    line.
    """
    zone = table.zone
    own = [c.text for c in table.captions]
    nearest = [text for text in own if not _LINES.isdisjoint(content(text))]
    nearest = nearest or ([zone.paragraph.text] if zone.paragraph else own)
    nearest = nearest or [line.text for line in zone.headings]
    said = {s for text in nearest for s in content(without_periods(text))}
    if label & asked - ACCOUNTING and not said & _LINES - asked:
        return frozenset(said) | (captions - ACCOUNTING)
    return captions - ACCOUNTING


def fit_row(
    subject: Subject,
    identity: Identity,
    table: Layout,
    row: DataRow,
    cell: Cell,
    known_as: Abbreviations = MappingProxyType({}),
) -> Fit:
    """How a cell's row and column fit; `known_as` are the page's abbreviations. Raises `NotProven` where they do
    not.
    """
    named = identity.name_in(subject.stems)
    if named is None:
        raise NotProven(Reason.COMPANY_ABSENT)
    name, at = named
    company = set(name.stems)
    metric = list(subject.stems[:at] + subject.stems[at + len(name.stems) :])
    if not metric:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    asked = set(metric)
    required, optional, turned = _label(row, cell, metric)
    required, optional = spell(required, known_as), spell(optional, known_as)
    if row.label is not None and _ACTIVITIES.match(row.label.text) and _is_of_cash(table):
        required, optional = required - {"activity"}, optional | _OF_ACTIVITIES
    columns = spell(column_stems(row, cell), known_as)
    sections = frozenset(
        s for c in row.sections if not is_scale(c.text) for s in label_stems(without_periods(c.text))[0]
    )
    sections = spell(sections, known_as)
    captions, extra_captions, paragraph = caption_stems(table, row, identity, name, known_as)
    if identity.several and not named_above(table, name):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    columns -= CORPORATE
    changed: Set[str] = frozenset()
    if table.votes and ("vote" not in asked or (not subject.favour and _is_for(row, cell))):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    if {"comparable", "same"} & asked and subject.unit_class is UnitClass.PERCENT:
        required -= {"change"}  # a comparable-sales figure is a change by its definition
        changed = asked & _CHANGES if {"comparable", "same"} & required else changed
    if subject.percent or subject.unit_class is UnitClass.PERCENT:
        required -= {"percent", "percentage"}
        columns -= {"percent"}
        sections -= {"percent", "percentage"}
    if columns & _CHANGES and asked & _CHANGES and _is_of_changes(row, cell):
        changed, columns = asked & _CHANGES, columns - _CHANGES
    required -= subject.passing
    side = _side(asked, required)
    required -= frozenset({side})
    if (required | columns | sections) & CHANGE - asked:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    if required - asked - company or (required and not required & asked and not columns & asked):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    if "other" in asked - required - optional - columns and "comprehensive" not in asked:
        raise NotProven(
            Reason.SUBJECT_DIFFERS
        )  # "other" is said of the line itself, never of its surroundings
    if "expense" in asked - required - optional - columns and "income" in required and "tax" not in required:
        raise NotProven(Reason.SUBJECT_DIFFERS)  # an income line is no expense
    if columns - asked - company - _NEUTRAL_COLUMN:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    soft = _soft(subject, row)
    if {"earning", "per", "share"} <= asked:
        soft |= {"common"}  # earnings per share are those of the common shareholders, said or not
    own = required | optional | columns | changed | (sections if row.label is not None else frozenset())
    around = _around(table, captions, asked, required) | _of_total(table, row, cell)
    if subject.unit_class is UnitClass.PERCENT and subject.percent:
        around |= _whole(table, row)
    if not required & ACCOUNTING:
        soft -= {"expense", "charge"}  # "Corporate" may be of anything, "Depreciation" is an expense
    uncovered = [s for s in metric if s not in own | around and s not in soft]
    if uncovered:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    on_matter = table.votes and row.label is None and bool(asked - soft)
    if not own & asked and not on_matter:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    names_part = bool((required | sections | columns) & asked - ACCOUNTING)
    if _starts_as_total(row):
        extra_captions -= (paragraph & _labels(table)) | _KINDS  # the parts that the total is of
    if on_matter:
        extra_captions -= paragraph  # the names in the matter that was voted on
    extra_captions -= spelled(table, asked) | beside_asked(table, asked | company)
    if table.votes and required and required <= asked | company:
        extra_captions = frozenset()  # somebody's votes: the matter above is the election
    if _is_particular(asked - soft, required | optional):
        extra_captions -= topic(table) | {"gaap"}  # its own name says which measure it is
    allowed = asked | company | (_PARTS | paragraph if names_part else frozenset())
    if {"accumulated", "depreciation"} <= required:
        allowed |= _DEPRECIATED
    if "cash" in required:
        allowed |= {"equivalent"}  # over a line of cash the rest of what is as good as cash narrows nothing
    if {"dividend", "per"} <= required:
        allowed |= {"treasury"}  # a section that ended before: shares in treasury bear no dividend
    narrowing = sections - allowed - ACCOUNTING - CORPORATE - _OF_BANKS
    if len(asked) >= _TELLING and asked <= required | optional | soft:
        narrowing &= RISKY  # the label itself says in so many words what is asked for
    extra = len(narrowing) + len(extra_captions - allowed)
    if any(c.text.strip().rstrip(":").casefold() == "other" for c in row.sections) and "other" not in asked:
        extra += 1  # the rest of the parts that the sections before it name
    if sections - asked - company and _is_of_equity(table) and not _starts_as_total(row):
        extra += 1  # what moved one component of equity
    if not _has_context(table, row):
        extra += 1  # nothing says what the table shows: it may be of anybody
    if "attributable" not in asked and _is_share_of_company(row, cell, company):
        extra += 1  # beside others' part: whether the company's part or the whole is meant is not said
    if _is_total_of_columns(row, cell):
        extra += 1  # the total of what the other columns show is not always the company's
    primary = extra == 0 and _is_statement(table, row)
    if not primary and not names_part and not columns & asked and not _introduced(table, row, asked):
        extra += 1  # a line of a report in a table that is about something else
    alone = set(metric) - required - optional - columns - changed
    alone -= soft - sections - around  # a soft word that stands somewhere is not in the row for that
    return Fit(
        name,
        extra,
        primary,
        reach=0 if not alone else 1 if not alone - sections else 2,
        side=side,
        turned=turned,
    )


def _label(row: DataRow, cell: Cell, metric: Sequence[str]) -> tuple[frozenset[str], frozenset[str], bool]:
    """The words of a row's label that must be asked for, those that may be, and whether the figure's brackets stand
    for what is asked. Raises `NotProven` where a loss is asked for and the row shows a gain.
    """
    if row.label is None:
        return frozenset(), frozenset(), False
    asked = set(metric)
    label = without_dates(row.label.text)
    required, optional = label_stems(label)
    person = person_of(label, asked)
    if person is not None:
        return person, required | optional, False
    loss = as_loss(label) if "loss" in asked else None
    if is_negative(cell.text):
        if loss is not None:
            return label_stems(loss)[0], required | optional | label_stems(loss)[1], False
        gain = as_gain(label, asked)
        if gain is not None:
            return label_stems(gain)[0], required | optional, True
    elif loss is not None and sum(s in _GAINS for s in metric) < sum(w.stem in _GAINS for w in words(label)):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    return required, optional, False


def _is_particular(asked: set[str], label: frozenset[str]) -> bool:
    """Whether a label has all that is asked for, and more than the vocabulary of statements."""
    return asked <= label and len(asked - ACCOUNTING) >= _LEAST_PARTICULAR


def _of_total(table: Layout, row: DataRow, cell: Cell) -> frozenset[str]:
    """The line that a row is a part of: the "Total revenues" below, where the rows up to it add up to just that."""
    totals = table.once("totals", lambda: _totals(table))
    return totals.get((row.index, cell.column), frozenset())


def _totals(table: Layout) -> dict[tuple[int, int], frozenset[str]]:
    """For each cell that is part of a total, by row and column, the words of the total's label."""
    found: dict[tuple[int, int], frozenset[str]] = {}
    run: list[DataRow] = []
    for row in table.rows:
        if run and (row.heads is not run[0].heads or row.sections != run[0].sections):
            run = []
        if row.label is None or not _starts_as_total(row):
            run = [*run, row] if row.label is not None else []
            continue
        line = frozenset(content(row.label.text))
        if line and line <= ACCOUNTING and len(run) >= _LEAST_PARTS:
            for value in row.values():
                parts = [[v for v in r.values() if v.column == value.column] for r in run]
                if all(len(p) == 1 for p in parts) and _add_up([p[0] for p in parts], value):
                    found |= {(r.index, value.column): line for r in run}
        run = []
    return found


def _add_up(parts: list[Cell], total: Cell) -> bool:
    """Whether the numbers of the parts give the total's, each as it is printed."""
    numbers = [_printed(c.text) for c in (*parts, total)]
    known = [n for n in numbers if n is not None]
    return len(known) == len(numbers) and sum(known[:-1]) == known[-1] != 0


def _printed(text: str) -> Decimal | None:
    match = _NUMERAL.fullmatch(text.strip())
    if match is None:
        return None
    number = Decimal(match["digits"].replace(",", ""))
    return -number if match["open"] else number


def _whole(table: Layout, row: DataRow) -> frozenset[str]:
    """What a table says that its percentages are of: "as a percentage of revenue"."""
    zone = table.zone
    texts = [line.text for line in (*zone.headings, zone.paragraph, zone.governing) if line is not None]
    texts += [c.text for c in table.captions] + [c.text for c in row.corner()]
    found = [m["whole"] for text in texts for m in _PERCENT_OF.finditer(text)]
    return frozenset(w.stem for whole in found[:1] for w in words(whole) if w.stem not in STOP)


def _is_of_cash(table: Layout) -> bool:
    """Whether a table is a statement of cash flows."""
    texts = [line.text for line in (*table.zone.headings, *table.zone.above)] + [
        c.text for c in table.captions
    ]
    return any("cash flow" in text.casefold() for text in texts)


def _is_of_equity(table: Layout) -> bool:
    """Whether a table is a statement of changes in equity: its sections are the components."""
    texts = [line.text for line in table.zone.headings] + [c.text for c in table.captions]
    return any(_EQUITY.search(text) for text in texts)


def _starts_as_total(row: DataRow) -> bool:
    return row.label is not None and row.label.text.strip().casefold().startswith("total")


def _is_of_changes(row: DataRow, cell: Cell) -> bool:
    """Whether a column is one of changes: then "growth", "increase" and "change" all ask for its figures."""
    return any(is_change(h.text) for cells in row.over(cell) for h in cells)


def _is_for(row: DataRow, cell: Cell) -> bool:
    """Whether a cell of a table of votes counts those for: "for" alone is no word that a query must have."""
    return any(vote_head(h.text) == "for" for cells in row.over(cell) for h in cells)


def _side(asked: set[str], required: frozenset[str]) -> str:
    """Whether a row gives a figure per share as basic or as diluted where the query leaves it open."""
    sides = required & {"basic", "diluted"}
    return next(iter(sides)) if len(sides) == 1 and "per" in asked and not asked & _SIDES else ""


def _is_total_of_columns(row: DataRow, cell: Cell) -> bool:
    """Whether a cell stands under "Total" beside columns of parts."""
    beside = row.heads.once("columns of parts", lambda: tuple(_beside_parts(h) for h in row.headings))
    return any(
        parts and any(c.column > 0 and _TOTAL.fullmatch(c.text.strip()) for c in mine)
        for parts, mine in zip(beside, row.over(cell), strict=True)
    )


def _beside_parts(heading: Row) -> bool:
    """Whether a heading row names different things over its columns."""
    return len({c.text for c in heading.cells if c.column > 0 and without_periods(c.text).strip()}) > 1


def _is_share_of_company(row: DataRow, cell: Cell, company: set[str]) -> bool:
    """Whether a cell stands under the company's own name beside a column of what belongs to others."""
    if row.heads.stems.isdisjoint(_OTHERS):
        return False
    for heading, mine in zip(row.headings, row.over(cell), strict=True):
        beside = {w.stem for c in heading.cells if c.column > 0 for w in words(c.text)}
        own = {w.stem for c in mine for w in words(c.text)} - CORPORATE - STOP - {"shareholder"}
        if own and own <= company and beside & _OTHERS:
            return True
    return False


def _introduced(table: Layout, row: DataRow, asked: set[str]) -> bool:
    """Whether what stands over a table speaks of the asked line, or of the results at large."""
    zone = table.zone
    lines = [*zone.headings, zone.paragraph, zone.governing]
    texts = [line.text for line in lines if line is not None]
    texts += [c.text for c in table.captions] + [c.text for r in row.headings if (c := r.label) is not None]
    said = {s for text in texts for s in content(without_periods(text))}
    about = asked | _DEPRECIATED if {"accumulated", "depreciation"} <= asked else asked
    return table.first or bool(said & (about | _OVERVIEW))


def _labels(table: Layout) -> frozenset[str]:
    return frozenset(w.stem for r in table.rows if r.label is not None for w in words(r.label.text))


def _has_context(table: Layout, row: DataRow) -> bool:
    """Whether anything above a table or in its corner says what it is, or it is the page's first."""
    zone = table.zone
    if zone.headings or zone.paragraph or zone.governing or table.captions or table.first:
        return True
    corner = [without_periods(c.text) for r in row.headings if (c := r.label) is not None]
    return any(
        w.stem not in STOP and w.stem not in NEUTRAL - ACCOUNTING for text in corner for w in words(text)
    )


def _is_statement(table: Layout, row: DataRow) -> bool:
    """Whether a table is one of the statements: its title says so."""
    zone = table.zone
    texts = [line.text for line in (*zone.headings, *zone.above)]
    texts += [zone.governing.text] if zone.governing is not None and zone.above else []
    texts += [c.text for c in table.captions] + [c.text for r in row.headings if (c := r.label) is not None]
    texts += [c.text for c in row.titles()]
    return any(_STATEMENT.search(text) and not _OF_OTHERS.search(text) for text in texts)


def attributed_rivals(subject: Subject, name: Name, table: Layout) -> tuple[DataRow, ...]:
    """The rows that give the asked figure as attributable to the company, for a query that does not say
    which.

    "Net income" and "Net income attributable to the company" differ where others hold a part; which one a
    question means, nobody can tell.
    """
    asked = {s for s in subject.stems if s not in name.stems}
    if "attributable" in asked or "per" in asked:
        return ()
    rivals = []
    for row in table.rows:
        if row.label is None:
            continue
        required, _ = label_stems(without_dates(row.label.text))
        if (
            "attributable" in required
            and asked <= required
            and not required
            & {"common", "shareholder"}  # after preferred dividends: another figure, and called so
            and not required & {"noncontrolling", "minority", "non"}
        ):
            rivals.append(row)
    return tuple(rivals)


def _soft(subject: Subject, row: DataRow) -> frozenset[str]:
    """Words of a query that a row need not repeat."""
    soft = {"expense", "cost", "charge", "value", "reported", "usd"} | neutral_for(set(subject.stems))
    if subject.unit_class in (UnitClass.PERCENT,) or subject.percent:
        soft |= {"percent", "percentage", "rate", "ratio"}
    heads = {vote_head(text) for text in row.heads.texts}
    if "for" in heads and heads & {"against", "withheld", "abstain"}:
        soft |= {
            "vote",
            "cast",
            "share",
            "election",
            "elect",
            "director",
            "nominee",
            "meeting",
            "annual",
            "special",
        }
        soft |= {"general", "shareholder", "receive", "number"}
    return frozenset(soft - {"cost"})
