"""From a question to the figures to look up: sentence, periods, structure and subjects put together."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_figures import Part, PeriodKind

from .asked_periods import (
    AskedPeriod,
    AskedPeriods,
    Shape,
    in_time_order,
    marked_periods,
    take_periods,
    year_before,
    years_between,
)
from .claims import figure_of_claim, is_claim
from .errors import NotUnderstood, Unaskable
from .lookup import plain_lookup
from .memo_words import MemoWords
from .named_dates import NamedDates, mask_named_dates
from .one_period import Timed, say_periods_once
from .other_names import other_names
from .own_periods import hang_periods, unhung
from .period_form import at_date, typed_period
from .plain_speech import in_plain_words
from .relative_periods import name_month_quarters
from .repeated_period import without_repeats
from .sentence import asking_sentence
from .structures import Asked, understand_structure
from .subjects import Subject, split_metrics, without_suffix
from .trailing_at import join_trailing
from .turned import turned
from .two_periods import over_two_periods
from .understood import Sought, Understood
from .unit_class import needs_period, unit_class
from .whereabouts import without_places
from .wording import as_reported

MAX_FIGURES: Final = 32
"""The most figures of a plan, as the contract has it."""

MAX_QUERY_BYTES: Final = 1600
_FLOWS: Final = re.compile(
    r"\b(?:sales|revenues?|income|profit|loss|earnings|eps|ebitda|expenses?|cash flows?|expenditures|capex)\b",
    re.IGNORECASE,
)
_NO_FLOW: Final = re.compile(
    r"\b(?:deferred|unearned|accrued|accumulated|prepaid|payable|receivables?|allowance|reserves?|held|assets|liabilit\w+)\b",
    re.IGNORECASE,
)
_IN_MONEY: Final = re.compile(
    r"\bin (?:(?:thousands|millions|billions) of )?(?:us |u\.s\. )?"
    r"(?:dollars|euros?|pounds(?: sterling)?|usd|eur|gbp)\b(?! per)",
    re.IGNORECASE,
)
_AGGREGATES: Final = frozenset(
    {
        figures.OPERATION_KIND_MEDIAN,
        figures.OPERATION_KIND_MEAN,
        figures.OPERATION_KIND_SUM,
        figures.OPERATION_KIND_MIN,
        figures.OPERATION_KIND_MAX,
    }
)


def understand(question: str, words: MemoWords) -> Understood:
    """What the question asks for. Raises NotUnderstood or Unaskable."""
    money = _IN_MONEY.search(question) is not None
    sentence = in_plain_words(without_repeats(without_places(asking_sentence(question, words))))
    sentence = turned(sentence)
    named = mask_named_dates(sentence)
    trailing = join_trailing(name_month_quarters(named.text))
    timed = say_periods_once(trailing.sentence)
    if timed.vague:
        # Without it the query would ask for any period: a page of annual figures would answer for a quarter.
        raise NotUnderstood("a period without a date or year")
    try:
        understood = _by_structure(timed, words)
    except NotUnderstood:
        apart = _by_own_periods(timed, words) or _by_two_periods(timed, words)
        if apart is not None:
            return _finished(apart, named, words, money=money)
        asking = figure_of_claim(timed.sentence) if is_claim(timed.sentence) else timed.sentence
        understood = _direct_only(asking, timed, words)
    if trailing.words:
        understood = _with_length(understood, trailing.words)
    return _finished(understood, named, words, money=money)


def _finished(understood: Understood, named: NamedDates, words: MemoWords, *, money: bool) -> Understood:
    if money:
        understood = replace(understood, sought=tuple(_in_money(sought) for sought in understood.sought))
    understood = replace(understood, sought=tuple(_restored(sought, named) for sought in understood.sought))
    return replace(understood, sought=tuple(_public(sought, words) for sought in understood.sought))


def _in_money(sought: Sought) -> Sought:
    """The figure as an amount, where nothing else says its unit."""
    if sought.unit_class != figures.UNIT_CLASS_UNSPECIFIED:
        return sought
    return replace(sought, unit_class=figures.UNIT_CLASS_CURRENCY)


def _by_own_periods(timed: Timed, words: MemoWords) -> Understood | None:
    """The reading in which each of several figures has a period of its own, or None."""
    try:
        marked, periods = marked_periods(timed.sentence)
        if len(periods) < 2:
            return None
        asked = understand_structure(hang_periods(marked), words, has_period=False, several_periods=False)
        own = [unhung(subject) for subject in asked.subjects]
        if (
            asked.over_time
            or asked.points
            or sorted(number for _, number in own) != list(range(len(periods)))
        ):
            return None
        sought = tuple(_sought(subject, periods[number], asked) for subject, number in own)
    except NotUnderstood:
        return None
    return Understood(sought[::-1] if asked.reversed_order else sought, asked.operation)


def _by_two_periods(timed: Timed, words: MemoWords) -> Understood | None:
    """The reading in which the words say what is done with one figure of two periods, or None."""
    try:
        marked, periods = marked_periods(timed.sentence)
        if len(periods) != 2 or (is_claim(timed.sentence) and "how much" not in marked):
            return None
        asked = over_two_periods(marked, words)
        if asked.operation and asked.operation != figures.OPERATION_KIND_RATIO:
            return _over_time(asked, AskedPeriods(Shape.PAIR, periods, ""))
        in_time_order(periods)
        return Understood(
            tuple(_sought(subject, period, asked) for subject in asked.subjects for period in periods),
            asked.operation,
        )
    except NotUnderstood:
        return None


def _public(sought: Sought, words: MemoWords) -> Sought:
    """The figure without a rewording that would hold a private word. Raises Unaskable where its first query would."""
    if words.private_in(sought.queries[0]):
        raise Unaskable("a query would hold the memo's own words")
    return replace(sought, queries=tuple(query for query in sought.queries if not words.private_in(query)))


def _with_length(understood: Understood, length: str) -> Understood:
    """The one figure with the words of a trailing length that has no closing date in its queries."""
    if len(understood.sought) != 1:
        raise NotUnderstood("a trailing length beside several figures")
    (sought,) = understood.sought
    queries = tuple(_query(query, length) for query in sought.queries)
    return replace(understood, sought=(replace(sought, queries=queries),))


def _direct_only(asking: str, timed: Timed, words: MemoWords) -> Understood:
    """A second reading, of questions for one figure alone."""
    if asking != timed.sentence:
        try:
            understood = _by_structure(replace(timed, sentence=asking), words)
        except NotUnderstood:
            pass
        else:
            if len(understood.sought) == 1:
                return understood
    return plain_lookup(asking, words)


def _restored(sought: Sought, named: NamedDates) -> Sought:
    return replace(
        sought,
        company=named.restore(sought.company),
        metric=named.restore(sought.metric),
        queries=tuple(named.restore(query) for query in sought.queries),
    )


def _by_structure(timed: Timed, words: MemoWords) -> Understood:
    periods = take_periods(timed.sentence)
    adjunct = re.match(
        r"^(?i:at|for|from|in the case of|as for|regarding) (?P<co>[A-Z][^,]*?(?:, Inc\.?"
        r"|, Ltd\.?)?), (?P<rest>.+)$",
        periods.rest,
    )
    rest = _moved(adjunct["rest"], adjunct["co"]) if adjunct else periods.rest
    asked = understand_structure(
        rest.strip(" ,"),
        words,
        has_period=bool(periods.mentioned),
        several_periods=len(periods.mentioned) > 1,
    )
    understood = _combine(asked, periods)
    if not 1 <= len(understood.sought) <= MAX_FIGURES:
        raise NotUnderstood("too many figures")
    return understood


def _moved(rest: str, company: str) -> str:
    """ "At Acme, what were total assets" -> "what were total assets of Acme"."""
    return f"{rest} of {company}" if "'s" not in rest else rest


def _combine(asked: Asked, periods: AskedPeriods) -> Understood:
    if asked.over_time:
        return _over_time(asked, periods)
    if periods.shape is Shape.NONE:
        if any(needs_period(subject.metric) for subject in asked.subjects):
            raise NotUnderstood("a figure of every statement without a period")
        wanted: tuple[AskedPeriod | None, ...] = (None,)
    elif periods.shape is Shape.SINGLE or (periods.shape is Shape.LIST and not asked.operation):
        wanted = periods.mentioned
    elif periods.shape is Shape.PAIR and not asked.operation:
        # "What were net sales in fiscal 2024 compared with fiscal 2023": both figures are the answer.
        wanted = periods.mentioned
    else:
        raise NotUnderstood("several periods beside several subjects")
    if len(wanted) > 1 and len(asked.subjects) > 1:
        raise NotUnderstood("several periods beside several subjects")
    sought = tuple(_sought(subject, period, asked) for subject in asked.subjects for period in wanted)
    if asked.reversed_order:
        sought = sought[::-1]
    return Understood(sought, asked.operation)


def _over_time(asked: Asked, periods: AskedPeriods) -> Understood:
    (subject,) = asked.subjects
    if len(split_metrics(subject.metric)) > 1:
        raise NotUnderstood("two figures over time")
    operation = asked.operation
    mentioned = periods.mentioned
    moments = any(asked.period.kind is PeriodKind.INSTANT and asked.period.end for asked in mentioned)
    if moments and _FLOWS.search(subject.metric) and not _NO_FLOW.search(subject.metric):
        raise NotUnderstood("a figure of a period between two dates")
    if operation in _AGGREGATES:
        if periods.shape is Shape.SPAN:
            mentioned = years_between(*in_time_order(mentioned))
        elif periods.shape is not Shape.LIST and periods.shape is not Shape.PAIR:
            raise NotUnderstood("an aggregate of one figure")
        return Understood(tuple(_sought(subject, period, asked) for period in mentioned), operation)
    if (
        len(mentioned) == 1
        and mentioned[0].period.part is Part.YEAR
        and operation != figures.OPERATION_KIND_CAGR
    ):
        # The change "in fiscal 2024" is the one from the year before; of a quarter it could be either.
        mentioned = (year_before(mentioned[0]), mentioned[0])
    if len(mentioned) == 1 and operation == figures.OPERATION_KIND_GROWTH:
        # A quarter's closing date a year before cannot be told: what the report itself says is asked for.
        told = Subject(subject.company, f"{subject.metric} growth percentage")
        return Understood((_sought(told, mentioned[0], Asked((told,))),))
    if len(mentioned) != 2:
        raise NotUnderstood("a change is between two periods")
    if asked.lead == "than" and operation == figures.OPERATION_KIND_GROWTH:
        if in_time_order(mentioned) != (mentioned[1], mentioned[0]):
            raise NotUnderstood("a change in percent that counts backwards")
    elif asked.lead == "than":
        # "How much higher in P than in Q": in the order of the sentence.
        first, second = mentioned
        pair = (second, first) if asked.reversed_order else (first, second)
        if not asked.subtracted:
            in_time_order(mentioned)
        return Understood(tuple(_sought(subject, period, asked) for period in pair), operation)
    earlier, later = in_time_order(mentioned)
    if operation == figures.OPERATION_KIND_DIFFERENCE:
        pair = (later, earlier) if not asked.reversed_order else (earlier, later)
        return Understood(tuple(_sought(subject, period, asked) for period in pair), operation)
    sought = tuple(_sought(subject, period, asked) for period in (earlier, later))
    if any(figure.unit_class == figures.UNIT_CLASS_PERCENT for figure in sought):
        raise NotUnderstood("the growth of a percentage can mean two things")
    return Understood(
        sought, operation, _years(earlier, later) if operation == figures.OPERATION_KIND_CAGR else 0
    )


def _years(earlier: AskedPeriod, later: AskedPeriod) -> int:
    a, b = earlier.period, later.period
    first = a.year if a.year is not None else a.end.year if a.end else None
    last = b.year if b.year is not None else b.end.year if b.end else None
    if first is None or last is None or not 0 < last - first <= 100 or a.part is not b.part:
        raise NotUnderstood("not whole years apart")
    return last - first


def _sought(subject: Subject, asked: AskedPeriod | None, sentence: Asked) -> Sought:
    lead = sentence.lead if sentence.lead.startswith("how") else ""
    asked = None if asked is None else at_date(asked, subject.metric)
    words = "" if asked is None else asked.words
    short = without_suffix(subject.company)
    first = _query(subject.company, subject.metric, words)
    reported = as_reported(subject.metric)
    second = _query(reported, short, words)
    others = (_query(short, other, words) for other in other_names(reported) or other_names(subject.metric))
    return Sought(
        company=subject.company,
        metric=subject.metric,
        period_words=words,
        period=None if asked is None else typed_period(asked),
        unit_class=_unit(subject.metric, lead, sentence),
        queries=(first, second, *others),
    )


def _unit(metric: str, lead: str, asked: Asked) -> figures.UnitClass:
    unit = unit_class(metric, lead)
    if asked.points:
        if unit not in (figures.UNIT_CLASS_UNSPECIFIED, figures.UNIT_CLASS_PERCENT):
            raise NotUnderstood("percentage points between figures that are no percentages")
        return figures.UNIT_CLASS_PERCENT
    if asked.operation == figures.OPERATION_KIND_SHARE and unit == figures.UNIT_CLASS_PERCENT:
        if re.search(r"\b(?:gross|contribution|segment) margin$", metric, re.IGNORECASE):
            # "Gross margin as a percentage of net sales": the margin is an amount.
            return figures.UNIT_CLASS_CURRENCY
        raise NotUnderstood("a percentage of a percentage")
    return unit


def _query(*parts: str) -> str:
    query = " ".join(" ".join(part for part in parts if part).split())
    if len(query.encode()) > MAX_QUERY_BYTES:
        raise NotUnderstood("a query beyond the contract's size")
    return query
