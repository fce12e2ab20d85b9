"""Plain questions for a figure, or for a few of one company."""

from __future__ import annotations

import re

from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import (
    ASK_BE,
    NEUTRAL,
    NEUTRAL_PAST,
    THE,
    Asked,
    full,
)
from doublethink_planner.question.subjects import (
    Subject,
    clean_metric,
    has_figure_noun,
    single_company,
    split_companies,
    split_metrics,
    split_subject,
)


def direct(sentence: str, words: MemoWords) -> Asked | None:
    found = full(
        r"how many (?P<metric>employees|people|persons|workers) (?:did|does|do) (?P<co>.+?) employ", sentence
    ) or full(
        r"how many (?P<metric>employees|people|persons|workers) (?:work|worked|were employed"
        r"|are employed) (?:for|at|by) (?P<co>.+)",
        sentence,
    )
    if found:
        return _plain("employees", found["co"], words, lead="how many")
    found = full(
        r"how (?P<many>many|much) (?P<metric>.+?) (?:did|does|do|has|have"
        rf"|had) (?P<co>.+?) (?P<verb>{NEUTRAL}|{NEUTRAL_PAST})(?: as| in total| in| outstanding| on hand)?",
        sentence,
    )
    if found:
        verb = found["verb"].lower()
        metric = _with_verb(found["metric"], verb)
        return _plain(metric, found["co"], words, lead=f"how {found['many']}")
    found = full(
        r"how (?P<many>many) (?P<metric>shares?.*?) of (?P<co>[A-Z].+?)(?:'s"
        r"|(?<=s)')? ?(?P<stock>(?:class \w+ )?(?:common|ordinary|preferred)?(?: stock| shares)?) (?:were"
        r"|are|was|is) (?P<state>outstanding|issued(?: and outstanding)?)",
        sentence,
    )
    if found:
        return _plain(
            f"{found['stock']} shares {found['state']}".strip(), found["co"], words, lead="how many"
        )
    found = full(
        r"how many (?P<np>.+?) (?:were|are|was|is|did|does|had|has)(?: there)? (?:outstanding|(?:at|in|by"
        r"|of) (?P<co>[A-Z].+))",
        sentence,
    )
    if found and found["co"]:
        return _plain(found["np"], found["co"], words, lead="how many")
    found = full(
        r"how much (?:money )?(?:did|does) (?P<co>.+?) (?P<verb>spend|invest|earn|pay|make) (?P<prep>on|in"
        r"|per|out in) (?P<metric>.+)",
        sentence,
    )
    if found:
        return _spending(found["verb"].lower(), found["prep"].lower(), found["metric"], found["co"], words)
    found = full(
        rf"(?:what|which) (?P<metric>.+?) (?:did|does|has|have) (?P<co>.+?) (?P<verb>{NEUTRAL}"
        rf"|{NEUTRAL_PAST})(?: for| in| as| at)?",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        return _plain(found["metric"], found["co"], words)
    found = full(
        r"(?:what|which) (?P<metric>.+?) (?:does|did|is|was) (?P<co>.+?) (?P<verb>expect|target|forecast"
        r"|guide for|guide to|anticipate|plan for|project|aim for)(?:ing)?(?: for| in| to reach)?",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        word = "target" if found["verb"].lower() in ("target", "aim for") else "guidance"
        return _plain(f"{found['metric']} {word}", found["co"], words)
    found = full(
        rf"what (?:did|does) (?P<co>.+?) {NEUTRAL} (?:as|for|in) (?:its |their |the )?(?P<metric>.+)",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        return _plain(found["metric"], found["co"], words)
    found = full(rf"{ASK_BE}{THE}(?P<np>.+)", sentence)
    return noun_phrase(found["np"], sentence, words) if found else None


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


def noun_phrase(phrase: str, sentence: str, words: MemoWords) -> Asked:
    phrase = re.sub(rf" (?:{NEUTRAL_PAST})$", "", phrase)
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
    names = (
        split_companies(company, words)
        if re.search(r", | and ", company)
        else (single_company(company, words),)
    )
    metrics = split_metrics(metric)
    if len(names) > 1 and len(metrics) > 1:
        raise NotUnderstood("companies and metrics both in a list")
    return Asked(tuple(Subject(name, wanted) for name in names for wanted in metrics), lead=lead)
