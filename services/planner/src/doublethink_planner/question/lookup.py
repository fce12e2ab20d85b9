"""The last resort for a question that asks for one figure in a way that no structure recognises.

It does not tell company from metric: all words of the question that say something go into one query, and
the validator, which has to find every one of them on a page, decides what they mean there. A question that
could ask for a calculation, or that names two periods, is left alone: its answer would be another figure
than the one on a page.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink_figures import Period, PeriodMention, find_periods

from .errors import NotUnderstood, Unaskable
from .memo_words import MemoWords
from .period_form import period_message
from .sentence import asking_sentence
from .subjects import has_figure_noun
from .understood import Sought, Understood
from .unit_class import needs_period, unit_class

_ASKS: Final = re.compile(
    r"^(?:(?:and|in|at|for|on|to|by|of|under|from) )?"
    r"(?:what|which|how (?:much|many|large|big|high|long|old))\b",
    re.IGNORECASE,
)
_CALCULATES: Final = re.compile(
    r"\b(?:change[sd]?|increas\w+|decreas\w+|gr[eo]w(?:n|th|s)?|declin\w+|rise[ns]?|rose|risen|fell|fall\w*"
    r"|drop\w*|improv\w+|differ\w*|higher|lower|more|less|fewer|larger|smaller|greater|bigger|exceed\w*"
    r"|compar\w+|versus|vs|than|ratio|cagr|compound\w*|median|mean|average|sum|combined|together|aggregated"
    r"|cumulative|both|each|respectively|portion|proportion|fraction|share of|percent(?:age)? of|part of"
    r"|times|double[ds]?|twice|half of|highest|lowest|most|least|largest|smallest|biggest|first|last|latest"
    r"|recent|previous|prior|next|all|any|every|if|would|could|should|why|when|who|whom|where|whether)\b|%",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:weighted[- ]average|per share|more than one|first (?:quarter|half|\w+ months)|last day"
    r"|net (?:increase|decrease)(?: in)?|average (?:price|rate|selling price|number))\b",
    re.IGNORECASE,
)
"""Words of a metric's or period's own name that only look like a calculation."""

_EMPTY: Final = frozenset(
    [
        "what",
        "which",
        "how",
        "much",
        "many",
        "large",
        "big",
        "high",
        "long",
        "old",
        "did",
        "does",
        "do",
        "was",
        "were",
        "is",
        "are",
        "has",
        "have",
        "had",
        "been",
        "be",
        "will",
        "the",
        "a",
        "an",
        "its",
        "their",
        "his",
        "her",
        "this",
        "that",
        "these",
        "those",
        "it",
        "they",
        "there",
        "there's",
        "according",
        "given",
        "stated",
        "shown",
        "listed",
        "amount",
        "amounted",
        "figure",
        "value",
        "number",
        "total",
        "reported",
        "company",
    ]
)
"""Words that say nothing of what is asked. Without them a second query is tried; the first keeps some."""

_SOFT: Final = frozenset(["amount", "figure", "value", "number", "total", "company"])
_MAX_WORDS: Final = 24
_VERB: Final = re.compile(
    r"(?:report|record|post|generat|earn|recogni[sz]|book|disclos|employ|own|hold|held|incur|carr|carri"
    r"|spen[dt]|pa[iy]|us|receiv|achiev|bear|bore|agree|giv|gave|set|expect|provid|contribut|com|came|cost"
    r"|deliver|declar|show|shown|stand|stood|cast|transferr|charg|rais|invest|reali[sz])"
    r"(?:e|ed|es|s|d|ies|y|red)?",
    re.IGNORECASE,
)
"""Verbs between a company and its figure. Nouns of the same form ("share repurchases") are not among them."""

_WORD: Final = re.compile(r"[^\s,;:()\"]+")


def plain_lookup(question: str, words: MemoWords) -> Understood:
    """One figure, asked for with all the question's words. Raises NotUnderstood, Unaskable."""
    sentence = asking_sentence(question, words)
    if not _ASKS.match(sentence) or _CALCULATES.search(_SETTLED.sub(" ", sentence)):
        raise NotUnderstood("the sentence has no structure that is known")
    mention = _one_period(find_periods(sentence))
    rest, period_words = sentence, ""
    if mention is not None:
        period_words = re.sub(r"^the ", "", mention.span.of(sentence), flags=re.IGNORECASE)
        rest = f"{sentence[: mention.span.start]} {sentence[mention.span.end :]}"
    said = [word.strip(".'’") for word in _WORD.findall(rest)]
    said = [word for word in said if word and not _VERB.fullmatch(word)]
    public = [word for word in said if not words.is_private(word)]
    telling = [word for word in public if word.lower() not in _EMPTY]
    if len(telling) < 2:
        raise (
            Unaskable("no public words are left") if len(public) < len(said) else NotUnderstood("no subject")
        )
    if len(telling) > _MAX_WORDS or not _names_a_figure(sentence, telling):
        raise NotUnderstood("the sentence has no structure that is known")
    if mention is None and needs_period(" ".join(telling)):
        raise NotUnderstood("a figure of every statement without a period")
    first = [word for word in public if word.lower() in _SOFT or word.lower() not in _EMPTY]
    lead = sentence if sentence.lower().startswith("how many") else ""
    queries = tuple(" ".join([*chosen, period_words]).strip() for chosen in (first, telling))
    period: Period | None = None if mention is None else mention.period
    return Understood(
        (
            Sought(
                company="",
                metric=" ".join(telling),
                period_words=period_words,
                period=None if period is None else period_message(period),
                unit_class=unit_class(" ".join(telling), " ".join(lead.split()[:2])),
                queries=queries,
            ),
        )
    )


def _names_a_figure(sentence: str, telling: list[str]) -> bool:
    """Whether the words hold a name and a thing that is counted or measured, and ask for no forecast."""
    named = any(word[:1].isupper() and not word.isupper() for word in telling)
    measured = has_figure_noun(" ".join(telling)) or sentence.lower().startswith(("how much", "how many"))
    return named and measured and re.search(r"\bwill\b.*\bbe\b", sentence, re.IGNORECASE) is None


def _one_period(mentions: tuple[PeriodMention, ...]) -> PeriodMention | None:
    if not mentions:
        return None
    if len({mention.period for mention in mentions}) > 1:
        raise NotUnderstood("periods stand in two places")
    if len(mentions) > 1:
        raise NotUnderstood("one period in two places")
    return mentions[0]
