"""Reads figures in sentences, and decides whether a sentence says of the query's thing what it says.

A sentence is proof only in a narrow form: the metric's words in one run, nothing before them that could
narrow them to a part, then a verb that states a level, then the figure, then nothing that could narrow it.
Whatever else a sentence may mean, it is not taken as proof.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Final

from doublethink_figures import (
    Ambiguous,
    Context,
    Direction,
    Figure,
    Flag,
    Measure,
    PeriodMention,
    Span,
    Unit,
    UnitClass,
    bind,
    clauses,
    direction,
    find_figures,
    find_periods,
    modality,
)
from doublethink_figures.figure import Bound

from .errors import NotProven, Reason
from .fit import Fit
from .identity import Identity
from .pagetext import Line, Page
from .reading import Reading, Source
from .subject import Subject
from .words import ACCOUNTING, CORPORATE, STOP, Word, canonical, listed, parts_of, words

MAX_SENTENCE: Final = 2_000
MAX_NUMERALS: Final = 60
"""A sentence with more of them is a list: it says of none of its figures what that is of."""
_NUMERAL: Final = re.compile(r"[0-9][0-9.,]*")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Inc|Corp|Co|Ltd|No|Nos|vs|St|Jr|Sr|U\.S|U\.K|approx|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept|Sep|Oct|Nov|Dec|Mrd|Mio|Tsd|ca|bzw)|\b[A-Z]|\b(?:zum|am|per|bis|vom|seit|des|dem|im) [0-3]?[0-9])\.$"
)
_REACH: Final = 32
_BOUND_ABROAD: Final = re.compile(
    r"\b(?:mehr als|über|mindestens|höchstens|maximal|weniger als|bis zu|zwischen|unter|plus de|moins de|au moins"
    r"|au plus|au maximum|jusqu['’]à|entre|supérieure? à|inférieure? à)\s+(?:\w{1,4}\s+)?$",
    re.IGNORECASE,
)
"""Bounds in German and French: what follows is no one value."""
_AMOUNT: Final = r"(?:US|C|A)?[$€£] ?[0-9][0-9.,]*(?: (?:thousand|million|billion))?"
_SECOND: Final = re.compile(rf"\bof (?:approximately )?{_AMOUNT},? and (?:an? )?(?:total )?$", re.IGNORECASE)
_NEXT_AMOUNT: Final = rf"\band (?:an? )?(?:[a-z’'-]+ ){{1,7}}of (?:approximately )?{_AMOUNT}"
_NEXT_VERB: Final = r"\band (?:currently )?(?:employs?|has|have|had|operates?|serves?)\b"
"""Where another statement about the same subject begins."""
_OWNS: Final = listed("had have reported generated recorded held achieved posted delivered")
"""Where a second amount is said of the same subject: "cash of $96.2 million and total debt of $12.0 million"."""
_PER_SHARE_SAID: Final = re.compile(
    r"\b(?:earnings|income|loss|dividends?) per (?:(?:diluted|basic|common|ordinary) ){0,2}share\b"
    r"(?: \((?:diluted|basic|“?EPS”?)\))?[^.;,$€£]{0,70}\b(?:was|were|is|of)\s+(?:approximately |about )?$",
    re.IGNORECASE,
)
_PER_SHARE_REACH: Final = 160
_BASE: Final = re.compile(
    r"\b(?:from|over|versus|vs\.?|than|against|relative to|compared (?:to|with)|as compared)\b", re.IGNORECASE
)
"""Behind it stands what a figure is compared with, with a period of its own."""
_LEVEL: Final = listed(
    """
    was were is are be of to total totaled totalled amounted reached at stood came hit
    """
)
_CHANGED: Final = listed(
    """
    increas decreas declin rose rise fell fall grew grow improved dropped climbed up down reduced
    gained slipped advanced jumped surged
    """
)
BEFORE_METRIC: Final = listed(
    """
    reported report report released release announced today that had generated recorded achieved posted delivered our
    total consolidated record had we it nyse nasdaq said company quarterly fiscal quarter year period
    month week ended ending during first second third fourth six nine three twelve thirteen u
    """
)
_BETWEEN: Final = (
    _LEVEL
    | _CHANGED
    | listed(
        """
    percent by compared versus fiscal quarter year period month week ended ending during
    approximately about for the in total reported company
    """
    )
)
_AFTER: Final = listed(
    """
    for in during at as on compared versus up down increas decreas an or and from period quarter
    year fiscal month week ended ending which represent represented representing million billion
    """
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a line."""

    text: str
    start: int


def sentences(line: Line) -> Iterator[Sentence]:
    """The sentences of a paragraph, long ones left out."""
    start = 0
    cuts = [
        m
        for m in _SENTENCE_END.finditer(line.text)
        # The last few characters decide: to look at all that went before would take quadratic time.
        if not _ABBREVIATION.search(line.text[max(0, m.start() - _REACH) : m.start()].rstrip('"”’)'))
    ]
    for begin, end in ([(m.end(), m.start()) for m in cuts] and _pairs(cuts, len(line.text))) or [
        (0, len(line.text))
    ]:
        text = line.text[begin:end]
        start = line.span.start + begin
        if text.strip() and len(text) <= MAX_SENTENCE:
            yield Sentence(text, start)


def _pairs(cuts: list[re.Match[str]], length: int) -> list[tuple[int, int]]:
    starts = [0, *(m.end() for m in cuts)]
    ends = [*(m.start() for m in cuts), length]
    return list(zip(starts, ends, strict=True))


def read_sentence(page: Page, sentence: Sentence) -> tuple[tuple[Figure, Reading], ...]:
    """The figures of a sentence that have one reading each."""
    if len(_NUMERAL.findall(sentence.text)) > MAX_NUMERALS:
        return ()
    figures = find_figures(sentence.text, context=Context(decimal_convention=page.convention))
    mentions = find_periods(sentence.text)
    out: list[tuple[Figure, Reading]] = []
    for figure in figures:
        try:
            out.append((figure, _read(sentence, figure, _own(sentence, figure, mentions))))
        except NotProven:
            continue
    return tuple(out)


def _own(
    sentence: Sentence, figure: Figure, mentions: tuple[PeriodMention, ...]
) -> tuple[PeriodMention, ...]:
    """The periods that may be the figure's: not the one of what it is compared with.

    "Sales for the quarter ended May 4 fell 0.7 percent from sales for the prior year quarter ended May 6": the second
    period belongs to the base. Where nothing else is left, all stay.
    """
    end = figure.span.end
    own = tuple(
        mention
        for mention in mentions
        if not (end <= mention.span.start and _BASE.search(sentence.text[end : mention.span.start]))
    )
    return own or mentions


def _read(sentence: Sentence, figure: Figure, mentions: tuple[PeriodMention, ...]) -> Reading:
    if figure.ambiguous or figure.bound not in (Bound.EXACT, Bound.ABOUT) or figure.unit is None:
        raise NotProven(Reason.VALUE_AMBIGUOUS)
    if _BOUND_ABROAD.search(sentence.text[max(0, figure.span.start - _REACH) : figure.span.start]):
        raise NotProven(Reason.VALUE_AMBIGUOUS)
    flags = modality(sentence.text, figure.span)
    if Flag.NEGATED in flags:
        raise NotProven(Reason.NEGATED)
    if figure.bound is Bound.ABOUT:
        flags |= {Flag.ABOUT}
    bound = bind(sentence.text, figure, mentions)
    if isinstance(bound, Ambiguous):
        raise NotProven(Reason.PERIOD_AMBIGUOUS)
    return Reading(
        source=Source.PROSE,
        stated=figure.value / figure.scale,
        scale=figure.scale,
        unit=_unit(sentence, figure),
        period=bound.period if bound is not None else None,
        direction=direction(sentence.text, figure.span),
        flags=frozenset(flags),
        label=_clause(sentence, figure).strip(),
        figure=figure.span.shifted(sentence.start),
        quote=Span(sentence.start, sentence.start + len(sentence.text)),
        period_span=bound.span.shifted(sentence.start) if bound is not None else None,
        scale_span=None,
    )


def _unit(sentence: Sentence, figure: Figure) -> Unit:
    """The figure's unit; an amount of which the words right before it say that it is one per share is that."""
    assert figure.unit is not None  # noqa: S101 - the caller has looked
    before = sentence.text[max(0, figure.span.start - _PER_SHARE_REACH) : figure.span.start]
    plain = figure.unit.unit_class is UnitClass.CURRENCY and not figure.stated_scale
    if plain and figure.unit.per is None and _PER_SHARE_SAID.search(before):
        return Unit(figure.unit.measure, Measure.SHARE)
    return figure.unit


def _clause(sentence: Sentence, figure: Figure) -> str:
    for clause in clauses(sentence.text):
        if clause.contains(figure.span):
            return clause.of(sentence.text)
    return sentence.text


def fit_sentence(
    subject: Subject, identity: Identity, sentence: Sentence, figure: Figure, reading: Reading
) -> Fit:
    """How a sentence's figure fits. Raises `NotProven` where the sentence is not in the narrow form."""
    named = identity.name_in(subject.stems)
    if named is None:
        raise NotProven(Reason.COMPANY_ABSENT)
    if identity.several or "respectively" in sentence.text:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    name, at = named
    metric = subject.stems[:at] + subject.stems[at + len(name.stems) :]
    if not metric:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    known = {s for n in identity.names for s in n.stems} | CORPORATE
    tokens = tokens_of(sentence.text)
    before = [w for w in tokens if w.span.end <= figure.span.start]
    run = metric_run(before, metric, known)
    if run is None:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    first, last = run
    _check_before(subject, metric, sentence, before, first, known)
    check_between(subject, sentence, figure, before[last + 1 :], reading)
    end = figure.span.end
    check_after(sentence, end, [w for w in tokens if w.span.start >= end], known)
    return Fit(name, 0)


def _check_before(
    subject: Subject,
    metric: tuple[str, ...],
    sentence: Sentence,
    before: list[Word],
    first: int,
    known: set[str],
) -> None:
    """Raises `NotProven` where a word before the metric's, which begin at `first`, could narrow them."""
    leading = before[:first]
    harmless: set[str] = set()
    if (
        leading
        and leading[-1].stem == "or"
        and sentence.text[: leading[-1].span.start].rstrip().endswith(",")
    ):
        harmless |= ACCOUNTING | {
            "percentage"
        }  # "Gross profit as a percentage of sales, or gross margin, was"
    if {"tax", "rate"} <= set(metric):
        harmless |= {"combined"}  # of the taxes of federation and states
    if leading and _SECOND.search(sentence.text[: before[first].span.start]):
        leading = _up_to_verb(leading)
    check_leading(leading, known | harmless)


def check_leading(leading: list[Word], known: Set[str]) -> None:
    """Raises `NotProven` where one of the words that lead to a metric's could narrow it."""
    harmless = BEFORE_METRIC | STOP | known
    if any(w.stem not in harmless and not w.stem.isdigit() for w in leading):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)


def _up_to_verb(leading: list[Word]) -> list[Word]:
    """Who has what a list of several amounts names: "we had cash of $96.2 million and" up to "had".

    All of it where no such verb stands in it.
    """
    at = next((i for i, w in enumerate(leading) if w.stem in _OWNS), None)
    return leading if at is None else leading[: at + 1]


def tokens_of(text: str) -> list[Word]:
    """The words of a sentence, periods and bracketed asides left out."""
    return list(words(tokens_masked(text)))


def tokens_masked(text: str) -> str:
    """A sentence with blanks for its periods and bracketed asides, every other character in its place."""
    masked = list(text)
    for match in re.finditer(r"\([^()]*\)", text):
        masked[match.start() : match.end()] = " " * len(match.group())
    for mention in find_periods(text):
        masked[mention.span.start : mention.span.end] = " " * (mention.span.end - mention.span.start)
    return "".join(masked)


def metric_run(before: list[Word], metric: tuple[str, ...], known: set[str]) -> tuple[int, int] | None:
    """The last run of words, company and articles aside, that is exactly the metric."""
    wanted = set(metric)
    parts = parts_of(frozenset(wanted))
    for last in range(len(before) - 1, -1, -1):
        if before[last].stem in STOP:
            continue
        stems: list[str] = []
        for first in range(last, max(-1, last - 16), -1):
            stem = before[first].stem
            if (stem not in STOP and stem not in known) or (stem in known and stem in wanted):
                stems.insert(0, stem)
            if set(canonical(tuple(stems))) == wanted:
                return _all_of_it(before, first, wanted), last
            if stem not in STOP and stem not in known and stem not in wanted and stem not in parts:
                break
    return None


def _all_of_it(before: list[Word], first: int, wanted: set[str]) -> int:
    """Where a run begins that has a word of the metric twice: "cash and cash equivalents"."""
    while first:
        back = first - 1
        while back and before[back].stem in STOP:
            back -= 1
        if before[back].stem not in wanted:
            break
        first = back
    return first


def check_between(
    subject: Subject, sentence: Sentence, figure: Figure, between: list[Word], reading: Reading
) -> None:
    gap = sentence.text[between[0].span.start if between else figure.span.start : figure.span.start]
    if any(mark in gap for mark in ";:—"):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    foreign = [w for w in between if w.stem not in _BETWEEN | STOP and not re.fullmatch(r"[0-9.,]+", w.stem)]
    if foreign or not between:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    leading = [w for w in between if w.stem not in ("approximately", "about", "a", "an", "the")]
    if [w.stem for w in leading] == ["of"]:
        # "net sales of $5 million from stores that were bought" is a part of them
        if re.match(r"\s*(?:from|relat|attribut|associated|due)", sentence.text[figure.span.end :]):
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    elif not leading or leading[-1].stem not in _LEVEL or (subject.change and leading[-1].stem == "to"):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    changed = any(w.stem in _CHANGED for w in between)
    if changed and leading[-1].stem != "to":
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if any(w.stem in ("from", "by") for w in between[-2:]) or any(
        w.stem in ("compared", "versus") for w in between
    ):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    numbers = [w for w in between if re.fullmatch(r"[0-9.,]+", w.stem)]
    if numbers and not changed:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    loss = {"loss", "deficit"} & set(subject.stems)
    if reading.direction is not Direction.NONE and not (loss and reading.direction is Direction.DECREASE):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)


def check_after(sentence: Sentence, end: int, after: list[Word], known: set[str]) -> None:
    """Raises `NotProven` where the words after `end`, up to the next break, could narrow what stands before."""
    tail = sentence.text[end:]
    stop = re.search(rf"[,;()]|\.\s*$|\bcompared\b|\bversus\b|\bfrom\b|{_NEXT_AMOUNT}|{_NEXT_VERB}", tail)
    limit = end + (stop.start() if stop else len(tail))
    for word in after:
        if word.span.start >= limit:
            break
        if word.stem not in _AFTER | STOP | known and not word.stem.isdigit():
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    rest = {w.stem for w in after}
    if rest & {"excluding", "exclud", "except", "attributable", "adjusted", "proforma", "segment"}:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)


def wanted_class(reading: Reading, unit_class: UnitClass | None) -> bool:
    """Whether the reading is of the class of unit that is wanted."""
    return unit_class is None or reading.unit.unit_class is unit_class
