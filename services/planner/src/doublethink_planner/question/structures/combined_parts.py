"""The sum of two parts of one company: "combined net sales of the Pumps segment and the Valves segment at Acme"."""

from __future__ import annotations

import re
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question import lexicon
from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import ASK, NEUTRAL, THE, Asked, full
from doublethink_planner.question.subjects import Subject, clean_metric, has_figure_noun, single_company

_MOST_PARTS: Final = 8
_COMBINED: Final = r"(?:combined(?: total)?|total combined|aggregate|sum of(?: the)?|combined amount of)"
_THEIR: Final = r"(?:(?:its|their|the) )?"
_KIND: Final = r"(?: (?:reportable )?(?:segment|business|division|region|unit)s?)?"
_TOGETHER: Final = r"(?:combined|together|in total|in aggregate)"
_FORMS: Final = (
    rf"{ASK}{THE}{_COMBINED} (?P<metric>.+?) (?:of|for|from|in) {_THEIR}(?P<a>.+?){_KIND} and {_THEIR}(?P<b>.+?){_KIND}"
    r" at (?P<co>.+)",
    rf"{ASK}{THE}{_COMBINED} (?P<metric>.+?) (?:of|for|from|in) {_THEIR}(?P<a>.+?){_KIND} and {_THEIR}(?P<b>.+?)"
    rf"{_KIND.removesuffix('?')} (?:of|for) (?P<co>.+)",
    rf"{ASK}{THE}(?P<co>[A-Z].+?)(?:'s|(?<=s)') {_COMBINED} (?P<metric>.+?) (?:of|for|from|in)"
    rf" {_THEIR}(?P<a>.+?){_KIND} and {_THEIR}(?P<b>.+?){_KIND}",
    rf"{ASK}{THE}{_COMBINED} (?P<metric>.+?) (?:of|from|in|for) (?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<a>.+?){_KIND}"
    rf" and {_THEIR}(?P<b>.+?){_KIND}",
    rf"how much (?:in )?{_COMBINED} (?P<metric>.+?) did (?P<co>[A-Z].+?) {NEUTRAL} (?:from|in|for)"
    rf" {_THEIR}(?P<a>.+?){_KIND} and {_THEIR}(?P<b>.+?){_KIND}",
    rf"how much (?P<metric>.+?) did (?P<co>[A-Z].+?) {NEUTRAL} (?:from|in|for) {_THEIR}(?P<a>.+?){_KIND}"
    rf" and {_THEIR}(?P<b>.+?){_KIND},? {_TOGETHER}",
)
_LISTS: Final = (
    rf"{ASK}{THE}{_COMBINED} (?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<metric>.+?) (?:of|for|from|in) (?P<list>.+)",
    rf"{ASK}{THE}(?P<co>[A-Z].+?)(?:'s|(?<=s)') {_COMBINED} (?P<metric>.+?) (?:of|for|from|in) (?P<list>.+)",
    rf"{ASK}{THE}(?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<metric>.+?) (?:of|for|from|in) (?P<list>.+?),? {_TOGETHER}",
    rf"how much (?P<metric>.+?) did (?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<list>.+?){_KIND} {NEUTRAL}"
    rf"(?: in)?,? {_TOGETHER}",
    rf"what (?:did|do) (?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<list>[A-Z].+?){_KIND.removesuffix('?')}(?:'s?)?"
    r" (?P<metric>.+?) (?:add up|amount|come) to(?: together| in total)?",
)
"""A metric over named parts, two or more of them."""
_PART: Final = re.compile(r"[A-Za-z][\w-]*(?: & [A-Z][\w-]*| [A-Z][\w-]*)*")
_TWO_METRICS: Final = (
    rf"{ASK}{THE}(?P<co>[A-Z].+?)(?:'s|(?<=s)') {_COMBINED} (?P<a>.+?) and (?P<b>.+)",
    rf"{ASK}{THE}(?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<a>.+?) and (?P<b>.+?),? {_TOGETHER}",
    rf"{ASK}{THE}{_COMBINED} (?P<a>.+?) and (?P<b>.+?) (?:at|of) (?P<co>[A-Z].+)",
    rf"{ASK}{THE}{_COMBINED} (?P<co>[A-Z].+?)(?:'s|(?<=s)') (?P<a>.+?) and (?P<b>.+)",
)


def combined_parts(sentence: str, words: MemoWords) -> Asked | None:
    """The sum of a metric over two parts, or of two metrics. Raises NotUnderstood or Unaskable."""
    listed = _of_a_list(sentence, words)
    if listed is not None:
        return listed
    if len(re.findall(r" and |,| & ", sentence)) != 1 or " and " not in sentence:
        # More than one joint can be taken apart in several ways.
        return None
    for form in _FORMS:
        found = full(form, sentence)
        if found is None or found["metric"].lower() not in lexicon.SPLITTABLE_METRICS:
            continue
        company = _company(found["co"], words)
        if company is None:
            continue
        if {found["a"].lower(), found["b"].lower()} & (
            lexicon.UNNAMED_SUBJECTS | {"subsidiaries", "affiliates"}
        ):
            raise NotUnderstood("a company in place of a part")
        if has_figure_noun(found["a"]) or has_figure_noun(found["b"]):
            raise NotUnderstood("parts that are figures themselves")
        return _sum(company, f"{found['a']} {found['metric']}", f"{found['b']} {found['metric']}", words)
    for form in _TWO_METRICS:
        found = full(form, sentence)
        company = None if found is None else _company(found["co"], words)
        if found is None or company is None:
            continue
        a, b = found["a"], found["b"]
        if "'" in a or "'" in b:
            continue
        if any(compound in f"{a} and {b}".lower() for compound in lexicon.COMPOUND_METRICS):
            return None
        if has_figure_noun(a) and has_figure_noun(b):
            return _sum(company, a, b, words)
        # "Pumps and Valves net sales": the metric stands once, behind the second part.
        for metric in sorted(lexicon.SPLITTABLE_METRICS, key=len, reverse=True):
            if b.lower().endswith(f" {metric}"):
                part = b[: -len(metric) - 1]
                if has_figure_noun(a) or has_figure_noun(part):
                    return None
                return _sum(company, f"{a} {b[-len(metric) :]}", b, words)
        part, _, noun = b.rpartition(" ")
        if (
            _PART.fullmatch(a)
            and _PART.fullmatch(part)
            and not has_figure_noun(part)
            and has_figure_noun(noun)
        ):
            return _sum(company, f"{a} {noun}", b, words)
    return None


def _of_a_list(sentence: str, words: MemoWords) -> Asked | None:
    """The sum over parts that are names of one word, or of words with capitals: nothing else tells them apart."""
    for form in _LISTS:
        found = full(form, sentence)
        if found is None or found["metric"].lower() not in lexicon.SPLITTABLE_METRICS:
            continue
        company = _company(found["co"], words)
        if company is None or any(compound in found["list"].lower() for compound in lexicon.COMPOUND_METRICS):
            continue
        parts = [
            re.sub(rf"^{_THEIR}(.+?){_KIND}$", r"\1", part) for part in re.split(r",? and |, ", found["list"])
        ]
        if not 2 <= len(parts) <= _MOST_PARTS or len({part.casefold() for part in parts}) != len(parts):
            continue
        if any(not _PART.fullmatch(part) or has_figure_noun(part) for part in parts):
            continue
        metrics = [clean_metric(f"{part} {found['metric']}", words) for part in parts]
        return Asked(tuple(Subject(company, metric) for metric in metrics), figures.OPERATION_KIND_SUM)
    return None


def _company(phrase: str, words: MemoWords) -> str | None:
    try:
        return single_company(phrase, words)
    except NotUnderstood:
        return None


def _sum(company: str, first: str, second: str, words: MemoWords) -> Asked:
    metrics = [clean_metric(metric, words) for metric in (first, second)]
    if metrics[0].casefold() == metrics[1].casefold():
        raise NotUnderstood("one part twice")
    return Asked(tuple(Subject(company, metric) for metric in metrics), figures.OPERATION_KIND_SUM)
