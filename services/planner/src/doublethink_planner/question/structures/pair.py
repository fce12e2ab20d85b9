"""Two things side by side in one period: differences between companies or metrics, and shares of a whole."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question.errors import NotUnderstood
from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import (
    ASK,
    LESS,
    MORE,
    NEUTRAL,
    PERCENT_NOUN,
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
    split_subject,
    subject_of,
)
from doublethink_planner.question.unit_class import unit_class


def comparison(sentence: str, words: MemoWords) -> Asked | None:
    """Two companies, or two metrics of one, in one period."""
    found = full(
        rf"(?:by )?how much (?P<more>{MORE}) (?:was|were|is|are) (?P<a>.+?) than (?P<b>.+)",
        sentence,
    )
    if found:
        first = split_subject(found["a"], words)
        second = _other(found["b"], first, words)
        return Asked(
            (first, second), figures.OPERATION_KIND_DIFFERENCE, reversed_order=found["more"].lower() in LESS
        )
    found = full(
        r"(?:by )?how much (?:did|does|do) (?P<a>.+?) (?:exceed|surpass|outstrip) (?P<b>.+)", sentence
    ) or full(rf"{ASK}{THE}excess of (?P<a>.+?) over (?P<b>.+)", sentence)
    if found:
        return two_of(found["a"], found["b"], figures.OPERATION_KIND_DIFFERENCE, words)
    found = full(
        rf"by how much (?:was|were|is|are) (?P<a>.+?) (?P<more>{MORE}) than (?P<b>.+)", sentence
    ) or full(rf"how much (?P<more>{MORE}) than (?P<b>.+?) (?:was|were|is|are) (?P<a>.+)", sentence)
    if found:
        asked = two_of(found["a"], found["b"], figures.OPERATION_KIND_DIFFERENCE, words)
        return replace(asked, reversed_order=found["more"].lower() in LESS)
    found = full(
        rf"how (?P<many>much|many) (?P<more>{MORE}) (?P<a>.+?) than (?P<b>.+?) (?:did|does|had|has) (?P<co>.+?)"
        rf"(?: {NEUTRAL})?",
        sentence,
    )
    if found and has_figure_noun(found["a"]) and has_figure_noun(found["b"]):
        return Asked(
            tuple(subject_of(metric, found["co"], words) for metric in (found["a"], found["b"])),
            figures.OPERATION_KIND_DIFFERENCE,
            reversed_order=found["more"].lower() in LESS,
            lead="how many" if found["many"].lower() == "many" else "",
        )
    found = full(
        rf"how (?P<many>much|many) (?P<more>{MORE}) (?P<metric>.+?) (?:did|does|had"
        rf"|has) (?P<a>.+?)(?: {NEUTRAL})? than (?P<b>.+?)"
        r"(?: (?:did|does|had|has))?",
        sentence,
    )
    if found:
        pair = tuple(subject_of(found["metric"], name, words) for name in (found["a"], found["b"]))
        return Asked(
            pair,
            figures.OPERATION_KIND_DIFFERENCE,
            reversed_order=found["more"].lower() in LESS,
            lead="how many" if found["many"].lower() == "many" else "",
        )
    found = full(
        r"how much (?P<more>more|less) did (?P<co>.+?) (?:spend|invest) (?P<prep>on|in) (?P<a>.+?) than (?P=prep)"
        r" (?P<b>.+)",
        sentence,
    )
    if found:
        pair = tuple(subject_of(metric, found["co"], words) for metric in (found["a"], found["b"]))
        if not all(has_figure_noun(subject.metric) for subject in pair):
            raise NotUnderstood("a difference of things that are no figures")
        return Asked(pair, figures.OPERATION_KIND_DIFFERENCE, reversed_order=found["more"].lower() == "less")
    found = full(
        r"how much (?P<more>more|less) did (?P<a>.+?) (?:spend|invest|earn|pay) (?:on"
        r"|in) (?P<metric>.+?) than (?P<b>.+?)(?: did)?",
        sentence,
    )
    if found:
        pair = tuple(subject_of(found["metric"], name, words) for name in (found["a"], found["b"]))
        return Asked(pair, figures.OPERATION_KIND_DIFFERENCE, reversed_order=found["more"].lower() == "less")
    found = full(
        rf"{ASK}{THE}(?P<a>[^,]+?) (?:minus|less(?= (?:its|their|that|those|(?-i:[A-Z])))) (?P<b>.+)",
        sentence,
    )
    if found and has_figure_noun(found["a"]) and has_figure_noun(found["b"]):
        return two_of(found["a"], found["b"], figures.OPERATION_KIND_DIFFERENCE, words)
    found = full(rf"{ASK}{THE}difference (?:in|of) (?P<metric>.+?) between (?P<list>.+)", sentence)
    if found:
        return _two_companies(found["metric"], found["list"], words)
    found = full(rf"{ASK}{THE}difference between (?P<a>.+?) and (?P<b>.+)", sentence)
    if found:
        return two_of(found["a"], found["b"], figures.OPERATION_KIND_DIFFERENCE, words)
    found = full(rf"{ASK}{THE}difference between (?P<np>.+)", sentence)
    if found:
        return Asked((split_subject(found["np"], words),), figures.OPERATION_KIND_DIFFERENCE, over_time=True)
    return None


def _two_companies(metric: str, companies: str, words: MemoWords) -> Asked:
    names = split_companies(companies, words)
    if len(names) != 2:
        raise NotUnderstood("a difference is between two")
    subjects = tuple(Subject(name, clean_metric(metric, words)) for name in names)
    return Asked(subjects, figures.OPERATION_KIND_DIFFERENCE)


_SHARED_NOUN: Final = re.compile(
    r"(?:net |gross |operating )?\b(?:revenues?|sales|eps|(?:earnings|income|loss)(?: per (?:\w+ )?share)?"
    r"|expenses?|costs?|profits?|margins?|assets|liabilities|debt|deposits|loans|inventor(?:y|ies))$",
    re.IGNORECASE,
)


def two_of(first: str, second: str, operation: figures.OperationKind, words: MemoWords) -> Asked:
    """ "A's x and B's x", "A's x and y", "x and y of A", "A's basic and diluted x"."""
    bare = re.fullmatch(r"(?P<co>[A-Z].*?)(?:'s|(?<=s)')", first.strip())
    try:
        if bare:
            b = split_subject(second, words)
            a = Subject(single_company(bare["co"], words), b.metric)
            return Asked((a, b), operation)
        a = split_subject(first, words)
    except NotUnderstood:
        b = split_subject(second, words)
        a = Subject(b.company, clean_metric(first, words))
    else:
        b = _other(second, a, words)
    if has_figure_noun(a.metric):
        return Asked((a, b), operation)
    noun = _SHARED_NOUN.search(b.metric)
    if noun is None:
        raise NotUnderstood("the first of two names no figure")
    return Asked((Subject(a.company, f"{a.metric} {noun[0]}"), b), operation)


def _other(phrase: str, first: Subject, words: MemoWords) -> Subject:
    """The second of two: "B's net sales", "B's", "that of B", "its y"."""
    part = re.fullmatch(r"(?P<prep>of|for|from|in) (?P<part>.+)", phrase.strip())
    if part and f" {part['prep']} " in first.metric:
        # "Net sales of products than of services".
        whole = first.metric.rpartition(f" {part['prep']} ")[0]
        return Subject(first.company, f"{whole} {phrase.strip()}")
    text = re.sub(r"^(?:that|those) (?:of|at) |^at (?=[A-Z])", "", phrase.strip())
    own = re.match(r"(?:its|their) (?P<metric>.+)", text)
    if own and not re.search(r"'s |s' ", text):
        # "Its Mac net sales" is a metric of the first one, whatever has a capital in it.
        metric = clean_metric(own["metric"], words)
        if not has_figure_noun(metric):
            raise NotUnderstood("the second of two names no figure")
        return Subject(first.company, metric)
    text = re.sub(r"^(?:its|their) ", "", text)
    bare = re.fullmatch(r"(?P<co>.+?)(?:'s|(?<=s)')", text)
    if bare or (text != phrase.strip() and phrase.strip().startswith(("that ", "those ", "at "))):
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


_MEANT: Final = re.compile(r"\b(?:going|plan\w*|intend\w*|aim\w*) to\b", re.IGNORECASE)
"""What somebody means to do: a page says its percentage, and no two figures give it."""


_AS_PERCENT: Final = r"(?:in (?:percent|percentage terms|%)|as an? (?:percentage|percent|share))"


def ratio(sentence: str, words: MemoWords) -> Asked | None:
    """A ratio of two metrics, or the share that a part has in a whole. Raises NotUnderstood or Unaskable."""
    found = full(rf"{ASK}{THE}ratio of (?P<a>.+?) to (?P<b>.+)", sentence) or full(
        rf"{ASK}{THE}ratio between (?P<a>.+?) and (?P<b>.+)", sentence
    )
    if found:
        return two_of(found["a"], found["b"], figures.OPERATION_KIND_RATIO, words)
    found = full(rf"{ASK}{THE}(?P<co>[A-Z].+?(?:'s|(?<=s)')) ratio of (?P<a>.+?) to (?P<b>.+)", sentence)
    if found:
        return two_of(f"{found['co']} {found['a']}", found["b"], figures.OPERATION_KIND_RATIO, words)
    found = full(
        rf"{ASK}{THE}(?P<a>.+? (?:segment|division|business|unit|region))'s share of (?P<b>.+)", sentence
    )
    if found:
        return _part_of_whole(found["a"], found["b"], words)
    share = rf"(?:{PERCENT_NOUN}|share|proportion|fraction|portion|part)"
    found = full(
        rf"(?:{ASK})?{THE}(?P<a>.+?) (?:relative to|as against|measured against) (?P<b>.+?),? {_AS_PERCENT}",
        sentence,
    )
    if found:
        return _share(found["a"], re.sub(r"^(?:its|their|the) ", "", found["b"]), words)
    found = full(
        rf"(?:{ASK})?{THE}(?P<a>.+?)(?:'s|(?<=s)') (?:share|proportion|portion) of (?P<b>[A-Z].+(?:'s|s') .+)",
        sentence,
    )
    if found:
        return _part_of_whole(found["a"], found["b"], words)
    found = full(
        rf"(?:{ASK})?{THE}(?P<a>.+?),? (?:(?:as|expressed as|measured as)(?: an?)?|in an?) {share} of (?P<b>.+)",
        sentence,
    )
    if found:
        return _share(re.sub(r"^(?:was|were|is|are) ", "", found["a"]), found["b"], words)
    found = full(rf"(?:expressed )?as an? {share} of (?P<b>.+?),? {ASK}{THE}(?P<a>.+)", sentence) or full(
        rf"(?P<a>.+?) (?:made up|accounted for|represented|constituted|comprised|was|were|is) (?:what|which) {share}"
        r" of (?P<b>.+)",
        sentence,
    )
    if found and not found["a"].lower().startswith(("what", "how", "which")):
        # At the sentence's start a capital makes no name.
        part = (
            found["a"] if "'" in found["a"] or found.start("a") else found["a"][:1].lower() + found["a"][1:]
        )
        return _share(part, found["b"], words)
    found = full(
        rf"(?:what|which) {share} of (?P<b>.+?) did (?P<co>.+?) (?P<verb>generate|derive|earn|get|receive|make|book"
        r"|record|report|obtain|spend|invest|pay|put|devote) (?:from|into|to|in|through|on|for) (?P<a>.+)",
        sentence,
    )
    if found:
        return _generated(found, words)
    found = full(
        rf"(?:what|which|how much) ?{share}? of (?P<b>.+?) (?:came|comes|was|were|is|are|stemmed|derived"
        r"|resulted)"
        r"(?: (?:generated|contributed|made up|derived|attributable|attributed|accounted|due|coming|earned"
        r"|represented))?"
        r"(?: (?:from|by|to|for|of|in|within))? (?:the )?(?P<a>.+)",
        sentence,
    ) or full(
        rf"(?:what|which|how much) ?{share}? of (?P<b>.+?) did (?:the )?(?P<a>.+?)"
        r" (?:account for|represent|make up|contribute|constitute|generate|bring in|provide|comprise)"
        r"(?: (?:at|for) (?P<co>[A-Z].+))?",
        sentence,
    )
    if found is None or _MEANT.search(found["a"]):
        return None
    company = found.groupdict().get("co")
    part = f"{found['a']} at {company}" if company else found["a"]
    shared = _part_of_whole(part, found["b"], words)
    if re.match(rf"how much (?!{share})of\b", sentence, re.IGNORECASE):
        # "How much of the revenue came from services" is the amount, not the share.
        return Asked(shared.subjects[:1])
    return shared


def _share(part: str, whole: str, words: MemoWords) -> Asked:
    """ "R&D expense" of "revenue", which both are figures, or "services" of "revenue"."""
    try:
        if not has_figure_noun(part):
            return _part_of_whole(part, whole, words)
        return two_of(part, whole, figures.OPERATION_KIND_SHARE, words)
    except NotUnderstood:
        return _part_of_whole(part, whole, words)


def _generated(found: re.Match[str], words: MemoWords) -> Asked:
    """ "What share of revenue did Acme generate from services", "... spend on research and development"."""
    company = single_company(found["co"], words)
    whole = re.sub(rf"^(?:its|their|the|{re.escape(found['co'])}(?:'s|')) ", "", found["b"])
    part = re.sub(r"^(?:its|their|the) ", "", found["a"])
    if found["verb"].lower() in ("spend", "invest", "pay", "put", "devote") and not has_figure_noun(part):
        raise NotUnderstood("a part that is no figure")
    return _part_of_whole(part, f"{whole} of {company}", words)


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
    money = figures.UNIT_CLASS_CURRENCY
    if not has_figure_noun(metric) or (unit_class(total.metric) == money and unit_class(metric) != money):
        metric = f"{metric} {re.sub(r'^(?:total|overall|consolidated) ', '', total.metric)}"
    if metric.casefold() == total.metric.casefold():
        raise NotUnderstood("a part that is the whole")
    return Asked((Subject(total.company, metric), total), figures.OPERATION_KIND_SHARE)


def _part_with_company(part: str, words: MemoWords) -> Subject:
    try:
        return split_subject(part, words)
    except NotUnderstood:
        pass
    found = re.fullmatch(r"(?P<metric>.+?),? (?:at|of|for|by) (?P<co>.+)", part)
    if found:
        return subject_of(found["metric"], found["co"], words)
    found = re.fullmatch(r"(?P<co>.+?)(?:'s|(?<=s)') (?P<metric>.+)", part)
    if found:
        return subject_of(found["metric"], found["co"], words)
    raise NotUnderstood("no company in the part")
