"""Plain questions for a figure, or for a few of one company."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import ASK_BE, NEUTRAL, NEUTRAL_PAST, THE, Asked, full
from doublethink_planner.question.subjects import (
    Subject,
    clean_metric,
    companies_in,
    has_figure_noun,
    single_company,
    split_companies,
    split_metrics,
    split_subject,
)

_VERB: Final = rf"(?P<verb>{NEUTRAL}|{NEUTRAL_PAST})"
_DID: Final = r"(?:did|does|do|has|have|had)"
_BE: Final = r"(?:was|were|is|are)"
_STAFF: Final = r"(?:employees|people|persons|workers)"
_STOCK: Final = r"(?P<stock>(?:class \w+ )?(?:common|ordinary|preferred)?(?: stock| shares)?)"
_DONE: Final = {
    "repurchase": "repurchased",
    "issue": "issued",
    "sell": "sold",
    "ship": "shipped",
    "produce": "produced",
}
"""Verbs that are part of what is counted: shares repurchased, units sold."""


def direct(sentence: str, words: MemoWords) -> Asked | None:
    """The figure itself: "what was", "how much did", "how many". Raises NotUnderstood or Unaskable."""
    for form in _FORMS:
        asked = form(sentence, words)
        if asked is not None:
            return asked
    found = full(rf"{ASK_BE}{THE}(?P<np>.+)", sentence)
    return noun_phrase(found["np"], sentence, words) if found else None


def noun_phrase(phrase: str, sentence: str, words: MemoWords) -> Asked:
    """The figure that a noun phrase names. Raises NotUnderstood or Unaskable."""
    phrase = re.sub(rf" (?:{NEUTRAL_PAST})$", "", phrase)
    phrase = re.sub(r" equal to$| come to$| stand at$| amount to$| total$", "", phrase)
    two = re.fullmatch(
        r"(?P<a>[A-Z].*?)(?:'s|(?<=s)') and (?P<b>[A-Z].*?)(?:'s|(?<=s)') (?P<metric>[^']+)", phrase
    )
    if two and has_figure_noun(two["metric"]):
        metric = clean_metric(two["metric"], words)
        return Asked(tuple(Subject(single_company(two[name], words), metric) for name in ("a", "b")))
    subject = split_subject(phrase, words)
    much = sentence.lower().startswith(("how much", "how many"))
    if not much and not has_figure_noun(subject.metric):
        raise NotUnderstood("the metric names no figure")
    names, metrics = companies_in(subject.company, words), split_metrics(subject.metric)
    if len(names) > 1 and len(metrics) > 1:
        raise NotUnderstood("companies and metrics both in a list")
    return Asked(tuple(Subject(name, metric) for name in names for metric in metrics))


def _staff(sentence: str, words: MemoWords) -> Asked | None:
    """ "How many people did Acme employ": whatever they are called, they are its employees."""
    found = full(rf"how many {_STAFF} (?:did|does|do) (?P<co>.+?) (?:employ|have)", sentence) or full(
        rf"how many {_STAFF} (?:work|worked|were employed|are employed) (?:for|at|by) (?P<co>.+)", sentence
    )
    return _plain("employees", found["co"], words, lead="how many") if found else None


def _shares(sentence: str, words: MemoWords) -> Asked | None:
    """ "How many shares of Acme common stock were outstanding"."""
    found = full(
        rf"how many shares of (?P<co>.+?)(?:'s|(?<=s)')? ?{_STOCK} {_BE}"
        r" (?P<state>outstanding|issued(?: and outstanding)?)",
        sentence,
    )
    if found is None:
        found = full(
            rf"how many shares of {_STOCK} {_BE} (?P<state>outstanding|issued(?: and outstanding)?)"
            r" (?:at|by|for) (?P<co>.+)",
            sentence,
        )
    if found is None:
        return None
    return _plain(f"{found['stock']} shares {found['state']}".strip(), found["co"], words, lead="how many")


def _how_many_there(sentence: str, words: MemoWords) -> Asked | None:
    """ "How many stores were there at Acme"."""
    found = full(rf"how many (?P<np>.+?) {_BE}(?: there)? (?:at|in|by|of) (?P<co>.+)", sentence)
    return _plain(found["np"], found["co"], words, lead="how many") if found else None


def _how_much_did(sentence: str, words: MemoWords) -> Asked | None:
    """ "How much revenue did Acme report", "... generate from services"."""
    found = full(
        rf"how (?P<many>many|much) (?P<metric>.+?) {_DID} (?P<co>.+?) {_VERB}"
        r"(?: (?:as|in total|in|on hand)| (?P<outstanding>(?:issued and )?outstanding)| (?:from|on|for) (?P<of>.+))?",
        sentence,
    )
    if found is None:
        return None
    metric, lead = re.sub(r"^(?:money|total) in ", "", found["metric"]), f"how {found['many']}"
    verb = found["verb"].lower()
    if metric == "cash" and re.fullmatch(r"(?:operating|investing|financing) activities", found["of"] or ""):
        return _plain(f"net cash provided by {found['of']}", found["co"], words, lead=lead)
    if found["outstanding"]:
        metric = f"{metric} {found['outstanding']}"
    if verb == "own" and metric.lower().startswith("shares"):
        metric = f"{metric} owned"
    if verb in _DONE:
        metric = f"{metric} {_DONE[verb]}"
    return _plain(_with_part(metric, found["of"]), found["co"], words, lead=lead)


def _how_much_was(sentence: str, words: MemoWords) -> Asked | None:
    """ "How much revenue was reported by Acme"."""
    found = full(rf"how much (?P<metric>.+?) (?:was|were) (?:{NEUTRAL_PAST}) (?:by|at) (?P<co>.+)", sentence)
    return _plain(found["metric"], found["co"], words, lead="how much") if found else None


def _spending(sentence: str, words: MemoWords) -> Asked | None:
    """ "How much did Acme spend on research and development", "... earn per share"."""
    found = full(
        r"how much (?:money )?(?:did|does) (?P<co>.+?) (?P<verb>spend|invest|earn|pay|make)"
        r" (?P<prep>on|in|per|out in) (?P<metric>.+)",
        sentence,
    )
    if found is None:
        return None
    verb, prep, metric = found["verb"].lower(), found["prep"].lower(), found["metric"]
    if verb in ("earn", "make") and prep == "per" and re.fullmatch(r"(?:\w+ )?share", metric, re.IGNORECASE):
        return _plain(f"earnings per {metric}", found["co"], words)
    if verb in ("spend", "invest") and prep in ("on", "in"):
        return _plain(metric, found["co"], words, lead="how much money")
    if verb == "pay" and prep in ("in", "out in") and has_figure_noun(metric):
        return _plain(f"{metric} paid", found["co"], words)
    return None


def _what_did(sentence: str, words: MemoWords) -> Asked | None:
    """ "What gross margin did Acme report", "what amount did Acme record for goodwill"."""
    found = full(rf"what amount did (?P<co>.+?) {_VERB} (?:for|in|as) (?P<metric>.+)", sentence) or full(
        rf"what (?:did|does) (?P<co>.+?) {_VERB} (?:as|for|in) (?:its |their |the )?(?P<metric>.+)", sentence
    )
    if found and has_figure_noun(found["metric"]):
        return _plain(found["metric"], found["co"], words)
    found = full(
        rf"(?:what|which) (?P<metric>.+?) {_DID} (?P<co>.+?) {_VERB}"
        r"(?: (?:for|in|as|at)| (?:from|for|on) (?P<of>.+))?",
        sentence,
    )
    if found and has_figure_noun(found["metric"]):
        return _plain(_with_part(found["metric"], found["of"]), found["co"], words)
    return None


def _what_that_reported(sentence: str, words: MemoWords) -> Asked | None:
    """ "What was the net loss that Acme reported"."""
    found = full(rf"{ASK_BE}{THE}(?P<metric>.+?) (?:that|which) (?P<co>.+?) (?:{NEUTRAL_PAST})", sentence)
    if found and has_figure_noun(found["metric"]):
        return _plain(found["metric"], found["co"], words)
    return None


def _expectation(sentence: str, words: MemoWords) -> Asked | None:
    """ "What margin does Acme target": the query says that it is a target, or guidance."""
    found = full(
        r"(?:what|which) (?P<metric>.+?) (?:does|did|is|was) (?P<co>.+?)"
        r" (?P<verb>expect|target|forecast|guide for|guide to|anticipate|plan for|project|aim for)(?:ing)?"
        r"(?: for| in| to reach)?",
        sentence,
    )
    if found is None or not has_figure_noun(found["metric"]):
        return None
    word = "target" if found["verb"].lower() in ("target", "aim for") else "guidance"
    return _plain(f"{found['metric']} {word}", found["co"], words)


_FORMS: Final[tuple[Callable[[str, MemoWords], Asked | None], ...]] = (
    _staff,
    _shares,
    _how_much_did,
    _how_much_was,
    _how_many_there,
    _spending,
    _what_did,
    _what_that_reported,
    _expectation,
)


def _with_part(metric: str, part: str | None) -> str:
    """ "revenue" from "cloud services" is "cloud services revenue"."""
    return metric if part is None else f"{re.sub(r'^(?:its|their|the) ', '', part)} {metric}"


def _plain(metric: str, company: str, words: MemoWords, lead: str = "") -> Asked:
    metric = clean_metric(metric, words)
    if not lead and not has_figure_noun(metric):
        raise NotUnderstood("the metric names no figure")
    several = re.search(r", | and ", company)
    names = split_companies(company, words) if several else (single_company(company, words),)
    metrics = split_metrics(metric)
    if len(names) > 1 and len(metrics) > 1:
        raise NotUnderstood("companies and metrics both in a list")
    return Asked(tuple(Subject(name, wanted) for name in names for wanted in metrics), lead=lead)
