"""The sentence structures that are recognised, one function each, tried in order.

Every function gets the sentence without its periods and gives an `Asked`, or None where the sentence does not have its
structure. What none of them recognises is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from . import lexicon
from .errors import NotUnderstood
from .memo_words import MemoWords
from .subjects import (
    Subject,
    clean_metric,
    has_figure_noun,
    single_company,
    split_companies,
    split_metrics,
    split_subject,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sentence asks of its subjects.

    `operation` is UNSPECIFIED for the figures themselves. `over_time`: the operation compares two periods of the one
    subject. `reversed_order`: the second-named operand is the minuend ("how much lower was A than B").
    `lead` is the part of the sentence that tells the unit ("how many").
    """

    subjects: tuple[Subject, ...] = field(repr=False)
    operation: figures.OperationKind = figures.OPERATION_KIND_UNSPECIFIED
    over_time: bool = False
    reversed_order: bool = False
    lead: str = ""


Structure = Callable[[str, MemoWords], "Asked | None"]

_WHAT: Final = (
    r"(?:what|which|how much|how large|how big|how high)(?:'s| is| was| were| are| has been| had been)?"
)
_ASK: Final = (
    rf"(?:(?:{_WHAT}|calculate|compute|determine|find|give(?: me)?|show(?: me)?|tell me|state|report|look up|get|provide"
    r"|i need|we need|what about)(?: what)?(?: is| was| were| are)? ?)"
)
_ASK_BE: Final = (
    r"(?:(?:what|how much|how large|how big|how high)(?:'s| is| was| were| are| has been| had been) |what about "
    r"|(?:calculate|compute|determine|find|give(?: me)?|show(?: me)?|tell me|state|report|look up|get|provide|i need|we need)"
    r"(?: what (?:is|was|were|are))? )"
)
"""As `_ASK`, with the verb that makes the rest a noun phrase."""
_THE: Final = r"(?:(?:the|a|an) )?"
_CHANGE_NOUN: Final = r"(?:change|increase|decrease|growth|decline|rise|drop|fall|reduction|improvement|gain|difference|movement)"
_CHANGE_VERB: Final = "(?:" + "|".join(sorted(lexicon.MOVE - {"higher", "lower"})) + ")"
_PERCENT_NOUN: Final = r"(?:percentage|percent|per cent|%|relative)"
_MORE: Final = r"(?:more|less|fewer|higher|lower|larger|smaller|greater|bigger)"
_LESS: Final = frozenset({"less", "fewer", "lower", "smaller"})
_NEUTRAL: Final = (
    r"(?:report|have|record|post|generate|earn|make|recogni[sz]e|book|disclose|own|operate|employ|hold|carry|owe|incur|spend|show"
    r"|achieve|produce|sell|ship|deliver|take|realize|realise|log|see|bring in|total|amount to|run|maintain|declare|issue|repurchase"
    r"|invest)"
)
_NEUTRAL_PAST: Final = (
    r"(?:reported|had|recorded|posted|generated|earned|made|recogni[sz]ed|booked|disclosed|owned|operated|employed|held|carried"
    r"|incurred|spent|shown|achieved)"
)


def understand_structure(
    sentence: str, words: MemoWords, *, has_period: bool, several_periods: bool
) -> Asked:
    """The first structure that fits. Raises NotUnderstood where none does.

    `has_period` admits key words without a verb ("Acme net sales", beside "fiscal 2023"); `several_periods`
    an aggregate over time.
    """
    for structure in _STRUCTURES:
        if structure is _aggregate_over_time and not several_periods:
            continue
        asked = structure(sentence, words)
        if asked is not None:
            return asked
    if has_period and sentence[:1].isupper():
        return _noun_phrase(sentence, sentence, words)
    raise NotUnderstood("the sentence has no structure that is known")


def _compound_growth(sentence: str, words: MemoWords) -> Asked | None:
    found = _full(
        rf"{_ASK}{_THE}(?:compound(?:ed)? annual(?:i[sz]ed)? (?:growth )?rate(?: of growth)?(?: \(CAGR\))?|CAGR) (?:of|in|for) (?P<np>.+)",
        sentence,
    ) or _full(
        rf"{_ASK}{_THE}(?P<np>.+?) (?:CAGR|compound(?:ed)? annual growth rate(?: \(CAGR\))?)", sentence
    )
    if found is None:
        return None
    return Asked((split_subject(found["np"], words),), figures.OPERATION_KIND_CAGR, over_time=True)


def _growth(sentence: str, words: MemoWords) -> Asked | None:
    patterns = (
        rf"{_ASK}{_THE}{_PERCENT_NOUN} (?:of )?{_CHANGE_NOUN}(?: or {_CHANGE_NOUN}| ?/ ?\(?{_CHANGE_NOUN}\)?)? (?:in|of) (?P<np>.+)",
        rf"{_ASK}{_THE}(?:(?:annual|sales|yearly) )?(?:growth rate|rate of growth|rate of change) (?:in|of|for) (?P<np>.+)",
        rf"{_ASK}{_THE}(?P<np>.+?) (?:percentage |percent )?growth(?: rate)?(?: in percent(?:age terms)?)?",
        rf"(?:by )?(?:what|how many|which) {_PERCENT_NOUN}(?:age)? (?:did|has|have) (?P<np>.+?) {_CHANGE_VERB}(?: by)?",
        rf"(?:by )?how much (?:did|has|have) (?P<np>.+?) {_CHANGE_VERB},? (?:in (?:percent|percentage terms|relative terms|%)|percentage-wise|as a percentage)",
        rf"how (?:fast|quickly|strongly) (?:did|has|have) (?P<np>.+?) {_CHANGE_VERB}",
        rf"in (?:percent|percentage terms),? (?:by )?how much (?:did|has|have) (?P<np>.+?) {_CHANGE_VERB}",
    )
    for pattern in patterns:
        found = _full(pattern, sentence)
        if found:
            return Asked((split_subject(found["np"], words),), figures.OPERATION_KIND_GROWTH, over_time=True)
    return None


def _change(sentence: str, words: MemoWords) -> Asked | None:
    patterns = (
        rf"(?:by )?how much (?:did|has|have) (?P<np>.+?) {_CHANGE_VERB}(?: or {_CHANGE_VERB})?(?: by)?",
        rf"(?:did|has|have) (?P<np>.+?) {_CHANGE_VERB}(?: or {_CHANGE_VERB})?",
        rf"how (?:did|has|have) (?P<np>.+?) {_CHANGE_VERB}",
        r"by how much (?:was|were|is) (?P<np>.+?) (?:up|down|higher|lower)",
        rf"{_ASK}{_THE}(?:(?:absolute|dollar|total|net|overall) )?{_CHANGE_NOUN}(?: or {_CHANGE_NOUN}| ?/ ?\(?{_CHANGE_NOUN}\)?)? (?:in|of) (?P<np>.+)",
        rf"(?:by )?how much (?P<more>{_MORE}) (?:was|were|is|are) (?P<np>.+)",
        rf"how (?P<many>many|much) (?P<more>{_MORE}) (?P<metric>.+?) (?:did|does|had|has) (?P<co>.+?)(?: {_NEUTRAL})?",
    )
    for pattern in patterns:
        found = _full(pattern, sentence)
        if found is None or re.search(r"\bbetween\b|\bthan\b", sentence):
            continue
        groups = found.groupdict()
        if groups.get("co"):
            subject = _of(groups["metric"] or "", groups["co"] or "", words)
        else:
            subject = split_subject(found["np"], words)
        # "How much lower in P than in Q" wants the size of the fall; "how much did it fall" wants the change.
        more = groups.get("more")
        return Asked(
            (subject,),
            figures.OPERATION_KIND_DIFFERENCE,
            over_time=True,
            reversed_order=(more or "").lower() in _LESS,
            lead="how many" if groups.get("many") == "many" else ("than" if more else ""),
        )
    return None


def _comparison(sentence: str, words: MemoWords) -> Asked | None:
    """Two companies, or two metrics of one, in one period."""
    found = _full(
        rf"(?:by )?how much (?P<more>{_MORE}) (?:was|were|is|are) (?P<a>.+?) than (?P<b>.+)", sentence
    )
    if found:
        first = split_subject(found["a"], words)
        second = _other(found["b"], first, words)
        return Asked(
            (first, second), figures.OPERATION_KIND_DIFFERENCE, reversed_order=found["more"].lower() in _LESS
        )
    found = _full(
        rf"how (?P<many>much|many) (?P<more>{_MORE}) (?P<metric>.+?) (?:did|does|had|has) (?P<a>.+?)(?: {_NEUTRAL})? than (?P<b>.+?)"
        r"(?: (?:did|does|had|has))?",
        sentence,
    )
    if found:
        pair = tuple(_of(found["metric"], name, words) for name in (found["a"], found["b"]))
        return Asked(
            pair,
            figures.OPERATION_KIND_DIFFERENCE,
            reversed_order=found["more"].lower() in _LESS,
            lead="how many" if found["many"].lower() == "many" else "",
        )
    found = _full(
        r"how much (?P<more>more|less) did (?P<a>.+?) (?:spend|invest|earn|pay) (?:on|in) (?P<metric>.+?) than (?P<b>.+?)(?: did)?",
        sentence,
    )
    if found:
        pair = tuple(_of(found["metric"], name, words) for name in (found["a"], found["b"]))
        return Asked(pair, figures.OPERATION_KIND_DIFFERENCE, reversed_order=found["more"].lower() == "less")
    found = _full(rf"{_ASK}{_THE}difference (?:in|of) (?P<metric>.+?) between (?P<list>.+)", sentence)
    if found:
        return _two_companies(found["metric"], found["list"], words)
    found = _full(rf"{_ASK}{_THE}difference between (?P<a>.+?) and (?P<b>.+)", sentence)
    if found:
        return _two_of(found["a"], found["b"], figures.OPERATION_KIND_DIFFERENCE, words)
    found = _full(rf"{_ASK}{_THE}difference between (?P<np>.+)", sentence)
    if found:
        return Asked((split_subject(found["np"], words),), figures.OPERATION_KIND_DIFFERENCE, over_time=True)
    return None


def _two_companies(metric: str, companies: str, words: MemoWords) -> Asked:
    names = split_companies(companies, words)
    if len(names) != 2:
        raise NotUnderstood("a difference is between two")
    subjects = tuple(Subject(name, clean_metric(metric, words)) for name in names)
    return Asked(subjects, figures.OPERATION_KIND_DIFFERENCE)


def _two_of(first: str, second: str, operation: figures.OperationKind, words: MemoWords) -> Asked:
    """ "A's x and B's x", "A's x and y", "x and y of A"."""
    try:
        a = split_subject(first, words)
    except NotUnderstood:
        b = split_subject(second, words)
        return Asked((Subject(b.company, clean_metric(first, words)), b), operation)
    return Asked((a, _other(second, a, words)), operation)


def _other(phrase: str, first: Subject, words: MemoWords) -> Subject:
    """The second of two: "B's net sales", "B's", "that of B", "its y"."""
    text = re.sub(r"^(?:that|those) (?:of|at) ", "", phrase.strip())
    text = re.sub(r"^(?:its|their) ", "", text)
    bare = re.fullmatch(r"(?P<co>.+?)(?:'s|(?<=s)')", text)
    if bare or (text != phrase.strip() and phrase.strip().startswith(("that ", "those "))):
        names = split_companies(bare["co"] if bare else text, words)
        if len(names) == 1:
            return Subject(names[0], first.metric)
        raise NotUnderstood("not one company")
    try:
        return split_subject(text, words)
    except NotUnderstood:
        if text[:1].isupper() and not has_figure_noun(text):
            names = split_companies(text, words)
            if len(names) == 1:
                return Subject(names[0], first.metric)
        metric = clean_metric(text, words)
        if not has_figure_noun(metric):
            raise
        return Subject(first.company, metric)


def _ratio(sentence: str, words: MemoWords) -> Asked | None:
    found = _full(rf"{_ASK}{_THE}ratio of (?P<a>.+?) to (?P<b>.+)", sentence)
    if found:
        return _two_of(found["a"], found["b"], figures.OPERATION_KIND_RATIO, words)
    share = rf"(?:{_PERCENT_NOUN}|share|proportion|fraction|portion|part)"
    found = _full(
        rf"(?:{_ASK})?{_THE}(?P<a>.+?),? (?:as|expressed as|measured as|in) (?:a|an) {share} of (?P<b>.+)",
        sentence,
    )
    if found:
        return _two_of(
            re.sub(r"^(?:was|were|is|are) ", "", found["a"]), found["b"], figures.OPERATION_KIND_RATIO, words
        )
    found = _full(
        rf"(?:what|which|how much) ?{share}? of (?P<b>.+?) (?:came|comes|was|were|is|are|stemmed|derived|resulted)"
        r"(?: (?:generated|contributed|made up|derived|attributable|attributed|accounted|due|coming|earned|represented))?"
        r"(?: (?:from|by|to|for|of))? (?:the )?(?P<a>.+)",
        sentence,
    ) or _full(
        rf"(?:what|which|how much) ?{share}? of (?P<b>.+?) did (?:the )?(?P<a>.+?)"
        r" (?:account for|represent|make up|contribute|constitute|generate|bring in|provide|comprise)",
        sentence,
    )
    if found is None:
        return None
    return _part_of_whole(found["a"], found["b"], words)


def _part_of_whole(part: str, whole: str, words: MemoWords) -> Asked:
    """ "services" of "Acme's total revenue": the part takes the whole's noun where it has none of its own."""
    try:
        total = split_subject(whole, words)
        metric = clean_metric(part, words)
    except NotUnderstood:
        subject = _part_with_company(part, words)
        total = Subject(subject.company, clean_metric(whole, words))
        metric = subject.metric
    metric = re.sub(r" segment$| business$| division$", "", metric)
    if not has_figure_noun(metric):
        metric = f"{metric} {re.sub(r'^(?:total|overall|consolidated) ', '', total.metric)}"
    if metric.casefold() == total.metric.casefold():
        raise NotUnderstood("a part that is the whole")
    return Asked((Subject(total.company, metric), total), figures.OPERATION_KIND_RATIO)


def _part_with_company(part: str, words: MemoWords) -> Subject:
    found = re.fullmatch(r"(?P<metric>.+?),? (?:at|of|for|by) (?P<co>.+)", part)
    if found:
        return _of(found["metric"], found["co"], words)
    found = re.fullmatch(r"(?P<co>.+?)(?:'s|(?<=s)') (?P<metric>.+)", part)
    if found:
        return _of(found["metric"], found["co"], words)
    raise NotUnderstood("no company in the part")


_AGGREGATES: Final = {
    "median": figures.OPERATION_KIND_MEDIAN,
    "mean": figures.OPERATION_KIND_MEAN,
    "average": figures.OPERATION_KIND_MEAN,
    "arithmetic mean": figures.OPERATION_KIND_MEAN,
    "sum": figures.OPERATION_KIND_SUM,
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
    r"(?:weighted|selling|realized|realised|price|shares?|daily|balances?|rate|cost|order|ticket|basket|assets under"
    r"|yield|exchange|life|unit|loans|deposits|age|room|fare|revenue per|earning assets|equity|volatility)\b",
    re.IGNORECASE,
)


def _aggregate(sentence: str, words: MemoWords) -> Asked | None:
    found = _full(
        rf"{_ASK}{_THE}(?P<op>{_AGGREGATE})(?: value| amount)?(?: of)? {_THE}(?P<metric>.+?),? (?P<prep>of|for|across|among|amongst|at|between|from) (?P<list>.+)",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        listed = _list_of(found["metric"], found["list"], words)
        if listed:
            return Asked(listed, _AGGREGATES[found["op"].lower()])
    found = _full(
        rf"(?:which|what) (?:company|one|firm) (?:had|has|reported|posted|recorded) {_THE}(?P<op>{_AGGREGATE}) (?P<metric>.+?)[:,]? (?:among |of |between |out of )?(?P<list>[A-Z].+)",
        sentence,
    )
    found = found or _full(
        rf"(?:which|who) of (?P<list>.+?) (?:had|has|reported|posted|recorded) {_THE}(?P<op>{_AGGREGATE}) (?P<metric>.+)",
        sentence,
    )
    if found:
        listed = _list_of(found["metric"], found["list"], words)
        return Asked(listed, _AGGREGATES[found["op"].lower()]) if listed else None
    found = _full(
        rf"how much (?P<metric>.+?) did (?P<list>.+?)(?: {_NEUTRAL})?,? (?:together|combined|in total|jointly)(?: {_NEUTRAL})?",
        sentence,
    )
    if found:
        listed = _list_of(found["metric"], found["list"], words)
        return Asked(listed, figures.OPERATION_KIND_SUM) if listed else None
    found = _full(
        rf"{_ASK}{_THE}(?P<list>[A-Z].+?)(?:'s|(?<=s)') (?P<op>combined|median|average|mean|total combined) (?P<metric>.+)",
        sentence,
    )
    if found:
        listed = _list_of(found["metric"], found["list"], words)
        if listed:
            return Asked(listed, _AGGREGATES[found["op"].lower()])
    return None


def _list_of(metric: str, companies: str, words: MemoWords) -> tuple[Subject, ...] | None:
    if not re.search(r",| and | or ", companies):
        return None
    names = split_companies(companies, words)
    if len(names) < 2:
        return None
    return tuple(Subject(name, clean_metric(metric, words)) for name in names)


def _aggregate_over_time(sentence: str, words: MemoWords) -> Asked | None:
    found = _full(rf"{_ASK}{_THE}(?P<op>{_AGGREGATE})(?: of)? (?P<np>.+)", sentence) or _full(
        rf"{_ASK}{_THE}(?P<co>[A-Z].+?)(?P<s>'s|(?<=s)') (?P<op>{_AGGREGATE}) (?P<metric>.+)", sentence
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


def _direct(sentence: str, words: MemoWords) -> Asked | None:
    found = _full(
        r"how many (?P<metric>employees|people|persons|workers) (?:did|does|do) (?P<co>.+?) employ", sentence
    ) or _full(
        r"how many (?P<metric>employees|people|persons|workers) (?:work|worked|were employed|are employed) (?:for|at|by) (?P<co>.+)",
        sentence,
    )
    if found:
        return _plain("employees", found["co"], words, lead="how many")
    found = _full(
        rf"how (?P<many>many|much) (?P<metric>.+?) (?:did|does|do|has|have|had) (?P<co>.+?) (?P<verb>{_NEUTRAL}|{_NEUTRAL_PAST})(?: as| in total| in| outstanding| on hand)?",
        sentence,
    )
    if found:
        verb = found["verb"].lower()
        metric = _with_verb(found["metric"], verb)
        return _plain(metric, found["co"], words, lead=f"how {found['many']}")
    found = _full(
        r"how (?P<many>many) (?P<metric>shares?.*?) of (?P<co>[A-Z].+?)(?:'s|(?<=s)')? ?(?P<stock>(?:class \w+ )?(?:common|ordinary|preferred)?(?: stock| shares)?) (?:were|are|was|is) (?P<state>outstanding|issued(?: and outstanding)?)",
        sentence,
    )
    if found:
        return _plain(
            f"{found['stock']} shares {found['state']}".strip(), found["co"], words, lead="how many"
        )
    found = _full(
        r"how many (?P<np>.+?) (?:were|are|was|is|did|does|had|has)(?: there)? (?:outstanding|(?:at|in|by|of) (?P<co>[A-Z].+))",
        sentence,
    )
    if found and found["co"]:
        return _plain(found["np"], found["co"], words, lead="how many")
    found = _full(
        r"how much (?:money )?(?:did|does) (?P<co>.+?) (?P<verb>spend|invest|earn|pay|make) (?P<prep>on|in|per|out in) (?P<metric>.+)",
        sentence,
    )
    if found:
        return _spending(found["verb"].lower(), found["prep"].lower(), found["metric"], found["co"], words)
    found = _full(
        rf"(?:what|which) (?P<metric>.+?) (?:did|does|has|have) (?P<co>.+?) (?P<verb>{_NEUTRAL}|{_NEUTRAL_PAST})(?: for| in| as| at)?",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        return _plain(found["metric"], found["co"], words)
    found = _full(
        r"(?:what|which) (?P<metric>.+?) (?:does|did|is|was) (?P<co>.+?) (?P<verb>expect|target|forecast|guide for|guide to|anticipate|plan for|project|aim for)(?:ing)?(?: for| in| to reach)?",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        word = "target" if found["verb"].lower() in ("target", "aim for") else "guidance"
        return _plain(f"{found['metric']} {word}", found["co"], words)
    found = _full(
        rf"what (?:did|does) (?P<co>.+?) {_NEUTRAL} (?:as|for|in) (?:its |their |the )?(?P<metric>.+)",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        return _plain(found["metric"], found["co"], words)
    found = _full(rf"{_ASK_BE}{_THE}(?P<np>.+)", sentence)
    return _noun_phrase(found["np"], sentence, words) if found else None


def _with_verb(metric: str, verb: str) -> str:
    metric = re.sub(r"^(?:money|total) in ", "", metric)
    past = {
        "repurchase": "repurchased",
        "issue": "issued",
        "sell": "sold",
        "ship": "shipped",
        "produce": "produced",
    }
    return f"{metric} {past[verb]}" if verb in past else metric


def _spending(verb: str, prep: str, metric: str, company: str, words: MemoWords) -> Asked | None:
    if verb in ("earn", "make") and prep == "per" and metric.lower().startswith("share"):
        return _plain("earnings per share", company, words)
    if verb in ("spend", "invest") and prep in ("on", "in"):
        return _plain(metric, company, words, lead="how much")
    if verb == "pay" and prep in ("in", "out in") and has_figure_noun(metric):
        return _plain(f"{metric} paid", company, words)
    return None


def _noun_phrase(phrase: str, sentence: str, words: MemoWords) -> Asked:
    phrase = re.sub(rf" (?:{_NEUTRAL_PAST})$", "", phrase)
    phrase = re.sub(r" equal to$| come to$| stand at$| amount to$", "", phrase)
    subject = split_subject(phrase, words)
    much = sentence.lower().startswith(("how much", "how many"))
    if not much and not has_figure_noun(subject.metric):
        raise NotUnderstood("the metric names no figure")
    metrics = split_metrics(subject.metric)
    return Asked(tuple(Subject(subject.company, metric) for metric in metrics))


def _plain(metric: str, company: str, words: MemoWords, lead: str = "") -> Asked:
    metric = clean_metric(metric, words)
    if not lead and not has_figure_noun(metric):
        raise NotUnderstood("the metric names no figure")
    names = split_companies(company, words) if re.search(r", | and ", company) else (_one(company, words),)
    metrics = split_metrics(metric)
    if len(names) > 1 and len(metrics) > 1:
        raise NotUnderstood("companies and metrics both in a list")
    return Asked(tuple(Subject(name, wanted) for name in names for wanted in metrics), lead=lead)


def _of(metric: str, company: str, words: MemoWords) -> Subject:
    return Subject(_one(company, words), clean_metric(metric, words))


def _one(company: str, words: MemoWords) -> str:
    return single_company(company, words)


def _full(pattern: str, sentence: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, sentence, re.IGNORECASE)


_STRUCTURES: Final[tuple[Structure, ...]] = (
    _compound_growth,
    _ratio,
    _growth,
    _change,
    _comparison,
    _aggregate,
    _aggregate_over_time,
    _direct,
)
