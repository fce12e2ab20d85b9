"""Aggregates: median, mean, sum, lowest and highest over a list of companies or over time."""

from __future__ import annotations

import re
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import (
    ASK,
    LESS,
    MORE,
    NEUTRAL,
    THE,
    Asked,
    full,
)
from doublethink_planner.question.structures.pair import two_of
from doublethink_planner.question.subjects import (
    Subject,
    clean_metric,
    has_figure_noun,
    split_companies,
    split_subject,
)

_AGGREGATES: Final = {
    "median": figures.OPERATION_KIND_MEDIAN,
    "mean": figures.OPERATION_KIND_MEAN,
    "average": figures.OPERATION_KIND_MEAN,
    "arithmetic mean": figures.OPERATION_KIND_MEAN,
    "sum": figures.OPERATION_KIND_SUM,
    "cumulative": figures.OPERATION_KIND_SUM,
    "cumulated": figures.OPERATION_KIND_SUM,
    "combined": figures.OPERATION_KIND_SUM,
    "total combined": figures.OPERATION_KIND_SUM,
    "combined total": figures.OPERATION_KIND_SUM,
    "aggregate": figures.OPERATION_KIND_SUM,
    "lowest": figures.OPERATION_KIND_MIN,
    "smallest": figures.OPERATION_KIND_MIN,
    "minimum": figures.OPERATION_KIND_MIN,
    "highest": figures.OPERATION_KIND_MAX,
    "largest": figures.OPERATION_KIND_MAX,
    "greatest": figures.OPERATION_KIND_MAX,
    "biggest": figures.OPERATION_KIND_MAX,
    "maximum": figures.OPERATION_KIND_MAX,
}

_AGGREGATE: Final = "(?:" + "|".join(sorted(_AGGREGATES, key=len, reverse=True)) + ")"

_AVERAGE_METRICS: Final = re.compile(
    r"(?:weighted|selling|realized|realised|price|shares?|daily|balances?|rate|cost|order|ticket|basket"
    r"|assets under"
    r"|yield|exchange|life|unit|loans|deposits|age|room|fare|revenue per|earning assets|equity|volatility)\b",
    re.IGNORECASE,
)


def aggregate(sentence: str, words: MemoWords) -> Asked | None:
    """A median, mean, sum, lowest or highest over a list of companies. Raises NotUnderstood or Unaskable."""
    found = full(
        rf"{ASK}{THE}(?P<op>{_AGGREGATE})(?: value| amount)?(?: of)? {THE}(?P<metric>.+?),? (?P<prep>of|for"
        r"|across|among|amongst|at|between|from) (?P<list>.+)",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        listed = _list_of(found["metric"], found["list"], words)
        if listed:
            return Asked(listed, _AGGREGATES[found["op"].lower()])
    found = full(
        r"(?:which|what)(?: company| one| firm)? (?:had|has|reported|posted"
        rf"|recorded) {THE}(?P<op>{_AGGREGATE}) (?P<metric>.+?)[:,]? (?:among |of |between "
        r"|out of )?(?P<list>[A-Z].+)",
        sentence,
    )
    found = found or full(
        r"(?:which|who) of (?P<list>.+?) (?:had|has|reported|posted"
        rf"|recorded) {THE}(?P<op>{_AGGREGATE}) (?P<metric>.+)",
        sentence,
    )
    if found:
        listed = _list_of(found["metric"], found["list"], words)
        return Asked(listed, _AGGREGATES[found["op"].lower()]) if listed else None
    found = full(
        rf"(?:which|what) (?:was|is|were|are) (?P<more>{MORE})[:,]? (?P<a>[A-Z].+?) or (?P<b>.+)", sentence
    )
    if found:
        return two_of(found["a"], found["b"], _extreme(found["more"]), words)
    found = full(
        rf"(?:which(?: company| of the two| one)?|who) (?:had|has|reported|posted|recorded) {THE}(?P<more>{MORE})"
        r" (?P<metric>.+?)[:,]? (?P<list>[A-Z][^,]+ or [A-Z].+)",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        listed = _list_of(found["metric"], found["list"], words)
        return Asked(listed, _extreme(found["more"])) if listed else None
    found = full(
        rf"how much (?P<metric>.+?) did (?P<list>.+?)(?: {NEUTRAL})?,? (?:together|combined|in total"
        rf"|jointly)(?: {NEUTRAL})?",
        sentence,
    )
    if found:
        listed = _list_of(found["metric"], found["list"], words)
        return Asked(listed, figures.OPERATION_KIND_SUM) if listed else None
    found = full(
        rf"{ASK}{THE}(?P<list>[A-Z].+?)(?:'s|(?<=s)') (?P<op>combined|median|average|mean"
        r"|total combined) (?P<metric>.+)",
        sentence,
    )
    if found:
        listed = _list_of(found["metric"], found["list"], words)
        if listed:
            return Asked(listed, _AGGREGATES[found["op"].lower()])
    found = full(
        rf"{ASK}{THE}(?P<op>{_AGGREGATE})(?: of)? (?P<a>[A-Z].+?)(?:'s|(?<=s)') and (?P<b>[A-Z].+?)(?:'s|(?<=s)')"
        r" (?P<metric>.+)",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        listed = _list_of(found["metric"], f"{found['a']} and {found['b']}", words)
        if listed:
            return Asked(listed, _AGGREGATES[found["op"].lower()])
    found = full(
        rf"{ASK}{THE}(?P<op>sum|total|combined total|average|mean) of (?P<a>.+?) and (?P<b>.+)", sentence
    )
    if found and not re.search(r", ", sentence):
        operation = _AGGREGATES.get(found["op"].lower(), figures.OPERATION_KIND_SUM)
        if operation == figures.OPERATION_KIND_SUM or found["b"].count("'"):
            return two_of(found["a"], found["b"], operation, words)
    return None


def _extreme(more: str) -> figures.OperationKind:
    return figures.OPERATION_KIND_MIN if more.lower() in LESS else figures.OPERATION_KIND_MAX


def _list_of(metric: str, companies: str, words: MemoWords) -> tuple[Subject, ...] | None:
    if not re.search(r",| and | or ", companies):
        return None
    names = split_companies(companies, words)
    if len(names) < 2:
        return None
    if any(" for " in name and name not in words.public_terms for name in names):
        raise NotUnderstood("parts of a company in place of companies")
    return tuple(Subject(name, clean_metric(metric, words)) for name in names)


def aggregate_over_time(sentence: str, words: MemoWords) -> Asked | None:
    """The same of one company over several periods. Raises NotUnderstood or Unaskable."""
    found = full(rf"{ASK}{THE}(?P<op>{_AGGREGATE})(?: of)? (?P<np>.+)", sentence) or full(
        rf"{ASK}{THE}(?P<co>[A-Z].+?)(?P<s>'s|(?<=s)') (?P<op>{_AGGREGATE}) (?P<metric>.+)", sentence
    )
    if found is None:
        return None
    groups = found.groupdict()
    phrase = groups.get("np") or f"{groups['co']}{groups['s']} {groups['metric']}"
    if found["op"].lower() in ("average", "mean") and _AVERAGE_METRICS.search(phrase):
        # "average selling price" is a metric of its own, and over two years it could be meant either way.
        return None
    subject = split_subject(phrase, words)
    return Asked((subject,), _AGGREGATES[found["op"].lower()], over_time=True)
