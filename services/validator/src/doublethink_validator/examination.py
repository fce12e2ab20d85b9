"""Examines an approved query: pages from the gate, claims from the reader, and a verdict on what is proven.

Pure: everything that was fetched and said comes in, a verdict with its evidence goes out. The service
around it does the calling and the recording.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Final

from doublethink_figures import Period, UnitClass, find_periods

from .errors import NotProven, QueryNotUnderstood, Reason
from .fit import Fit
from .proof import Claim, prove
from .reading import Reading, Source, agree, significant_digits
from .subject import Subject, understand
from .survey import Examined, best, survey

MAX_OBSERVATIONS: Final = 4
MAX_RIVALS: Final = 8
"""Figures of one query that stand against each other."""
MAX_CLAIMS_PER_PAGE: Final = 256
_DIGITS_OF_A_FIGURE: Final = 4
"""With fewer, text rounds what a table gives: "$42.9 billion"."""


class Verdict(Enum):
    """The three answers. They are never merged."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    CANNOT_CHECK = "cannot_check"


@dataclass(frozen=True, slots=True)
class Proven:
    """A proven reading, its fit, and the page it stands on."""

    page: Examined
    reading: Reading
    fit: Fit


@dataclass(frozen=True, slots=True)
class Examination:
    """The answer. `proven` is empty unless the verdict is FOUND; `reasons` counts why claims were not
    kept. `rivals` are what fits and does not agree, where that is why nothing was found.
    """

    verdict: Verdict
    proven: tuple[Proven, ...] = ()
    rivals: tuple[Proven, ...] = ()
    reasons: dict[Reason, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Material:
    """A page with what the reader says of it. `cut`: its text stops before the page's end."""

    page_id: str
    text: str
    cut: bool
    claims: Sequence[Claim]
    title: str = ""
    """What the search result calls the page: it may tell whom a page is about that does not say so itself."""


def examine(
    query: str,
    period: Period | None,
    unit_class: UnitClass | None,
    pages: Sequence[Material],
    *,
    unread: int = 0,
    take: Callable[[str, str, str], Examined] = Examined,
) -> Examination:
    """The verdict on a query over its pages, in rank order.

    `unread` counts the pages that could not be read. `take` makes of a page's id, text and title what is
    worked out of it; who examines the same pages many times may keep that.
    """
    try:
        subject = understand(query, period, unit_class)
    except QueryNotUnderstood:
        return Examination(Verdict.CANNOT_CHECK, reasons={Reason.QUERY_UNCLEAR: 1})
    reasons: dict[Reason, int] = {}
    proven: list[Proven] = []
    fitting: list[Proven] = []
    try:
        for material in pages:
            page_proven, page_fitting = _examine_page(subject, material, reasons, take)
            proven += page_proven
            fitting += page_fitting
    except NotProven as error:
        _count(reasons, error.reason)
        return Examination(Verdict.CANNOT_CHECK, reasons=reasons)
    if proven and not _unanimous(subject, [each.reading for each in fitting]):
        _count(reasons, Reason.RIVAL_FITS)
        return Examination(Verdict.CANNOT_CHECK, rivals=_rivals(fitting), reasons=reasons)
    if proven:
        asked = frozenset(_plain(mention.span.of(query)) for mention in find_periods(query))
        return Examination(Verdict.FOUND, _chosen(proven, asked), reasons=reasons)
    if fitting or unread or not pages or any(material.cut for material in pages):
        return Examination(Verdict.CANNOT_CHECK, reasons=reasons)
    unclear = [r for r in reasons if not NotProven(r).absent]
    return Examination(Verdict.CANNOT_CHECK if unclear else Verdict.NOT_FOUND, reasons=reasons)


def _examine_page(
    subject: Subject,
    material: Material,
    reasons: dict[Reason, int],
    take: Callable[[str, str, str], Examined],
) -> tuple[list[Proven], list[Proven]]:
    """What is proven on a page, and everything on it that fits.

    Raises `NotProven` where nothing on it can be.
    """
    try:
        examined = take(material.page_id, material.text, material.title)
    except ValueError:
        _count(reasons, Reason.PAGE_TOO_LONG)
        return [], []
    if examined.cut:
        _count(reasons, Reason.PAGE_TOO_LONG)
    fits = best(survey(examined, subject))
    proven: dict[tuple[int, int], Proven] = {}
    for claim in material.claims[:MAX_CLAIMS_PER_PAGE]:
        try:
            reading = prove(examined, claim)
        except NotProven as error:
            _count(reasons, error.reason)
            continue
        fitting = next((f for f in fits if _is_same_place(f.reading, reading)), None)
        if fitting is None:
            _count(reasons, Reason.SUBJECT_DIFFERS)
        else:
            figure = fitting.reading.figure
            proven[figure.start, figure.end] = Proven(examined, fitting.reading, fitting.fit)
    return list(proven.values()), [Proven(examined, f.reading, f.fit) for f in fits]


def _is_same_place(one: Reading, other: Reading) -> bool:
    """Whether two readings are of the same number: a form of its own may begin elsewhere than a sentence."""
    return one.figure.overlaps(other.figure) and (one.stated, one.scale, one.unit) == (
        other.stated,
        other.scale,
        other.unit,
    )


def _unanimous(subject: Subject, fitting: Sequence[Reading]) -> bool:
    """Whether all that fits says one amount, and, for a query that names no period, of one period."""
    if any(not agree(fitting[0], other) for other in fitting[1:]):
        return False
    return subject.period is not None or len({r.period for r in fitting}) == 1


def _chosen(proven: Sequence[Proven], asked: frozenset[str]) -> tuple[Proven, ...]:
    """One of each page, pages in rank order, the best of all first among equals.

    The best is what a sentence says in the very words in which the period was asked for, and to four digits at least
    ("$838.5 million"); else the most precise.
    """
    best_of_all = min(_rank(p, asked) for p in proven)
    kept: dict[str, Proven] = {}
    for candidate in proven:
        held = kept.get(candidate.page.page_id)
        if held is None or _rank(candidate, asked) < _rank(held, asked):
            kept[candidate.page.page_id] = candidate
    ordered = sorted(kept.values(), key=lambda p: _rank(p, asked) != best_of_all)
    return tuple(ordered[:MAX_OBSERVATIONS])


def _rivals(fitting: Sequence[Proven]) -> tuple[Proven, ...]:
    """What stands against each other, in page order: of each page an amount once, in the most precise form.

    Where there is more than can be given, every amount comes before any amount a second time.
    """
    of_pages: dict[tuple[object, ...], Proven] = {}
    for each in fitting:
        said = next(
            (key for key, held in of_pages.items() if held.page is each.page and _same(held, each)),
            (len(of_pages),),
        )
        if said not in of_pages or each.reading.step < of_pages[said].reading.step:
            of_pages[said] = each
    kept = list(of_pages.values())
    first = [each for at, each in enumerate(kept) if not any(_same(each, other) for other in kept[:at])]
    again = [each for each in kept if not any(each is other for other in first)]
    chosen = (first + again)[:MAX_RIVALS]
    return tuple(each for each in kept if any(each is other for other in chosen))


def _same(one: Proven, other: Proven) -> bool:
    return one.reading.period == other.reading.period and agree(one.reading, other.reading)


def _rank(candidate: Proven, asked: frozenset[str]) -> tuple[bool, Decimal]:
    reading = candidate.reading
    told = (
        reading.source is Source.PROSE
        and reading.period_span is not None
        and _plain(reading.period_span.of(candidate.page.page.text)) in asked
        and significant_digits(reading.stated) >= _DIGITS_OF_A_FIGURE
    )
    return not told, reading.step


def _plain(words: str) -> str:
    return " ".join(words.casefold().split()).removeprefix("the ")


def _count(reasons: dict[Reason, int], reason: Reason) -> None:
    reasons[reason] = reasons.get(reason, 0) + 1
