"""Which class of unit a metric has, where its words leave no doubt."""

from __future__ import annotations

import re
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from . import lexicon
from .subjects import figure_stems

_PER: Final = re.compile(r"\bper (?!cent\b)|\ba share\b|\beps\b|\bper-share\b", re.IGNORECASE)
_MONEY_WORDS: Final = re.compile(
    r"\b(?:dollars?|euros?|pounds|yen|francs?|us\$|usd|eur|gbp)\b", re.IGNORECASE
)


_WITHOUT_SAYING: Final = re.compile(
    r"(?<!shares) outstanding$|, net$"
    r"|\b(?:guidance|outlook|forecast|target|preliminary|estimated|expected|projected)\b",
    re.IGNORECASE,
)
"""Words beside a metric that leave its unit as it is."""
_MONEY_PHRASES: Final = re.compile(
    r"\bcash flows?\b|\bcash (?:provided|used|generated|paid)\b|\bequipment(?:, net)?$|^r&d$|^sg&a$"
    r"|research and development$|general,? and administrative(?: expenses?| costs?)?$"
    r"|sales and marketing(?: expenses?)?$"
    r"|\bmarket cap(?:itali[sz]ation)?$|\bpurchase (?:price|consideration)\b|\bnet interest income$|\bnii$"
    r"|\bprincipal(?: amount| balance)?\b|\b(?:credit facility|term loan|revolver|revolving facility)$"
    r"|\b(?:share|stock) (?:repurchases?|buybacks?)(?: (?:program|programme|authorization))?$|\border intake$"
    r"|\bproceeds\b|\bnet (?:increase|decrease|change) in cash|\bcarrying (?:value|amount)\b|\bfair value\b"
    r"|\bborrowing capacity$|\btreasury stock\b|\bamount outstanding$|^amount$"
    r"|\bcommercial paper$|\bfinished goods$|\braw materials$|\bwork[- ]in[- ]pro(?:cess|gress)$|\bland$"
    r"|\bdividends? (?:declared|paid)$|\bperformance obligations?$|\bacquisitions(?:, net of cash acquired)?$"
)


def unit_class(metric: str, question: str = "") -> figures.UnitClass:
    """The class, or UNSPECIFIED where two are possible. `question` is the sentence's lead: "how many"."""
    metric = _WITHOUT_SAYING.sub(" ", metric).strip()
    lowered, lead = metric.lower(), question.lower()
    if "percentage point" in lead or "percentage point" in lowered:
        return figures.UNIT_CLASS_PERCENTAGE_POINTS
    if "basis point" in lead or "basis point" in lowered:
        return figures.UNIT_CLASS_BASIS_POINTS
    if re.search(r"\bnotional\b", lowered):
        return figures.UNIT_CLASS_CURRENCY
    stems = figure_stems(metric)
    if _PER.search(lowered):
        return (
            figures.UNIT_CLASS_CURRENCY_PER
            if _is_money_per(lowered, stems)
            else figures.UNIT_CLASS_UNSPECIFIED
        )
    if lexicon.PERCENT_WORDS & set(stems) or any(phrase in lowered for phrase in lexicon.PERCENT_PHRASES):
        return figures.UNIT_CLASS_PERCENT
    if re.search(r"\bhow many (?:percent|per cent)\b", lead) or re.match(r"(?:percent|per cent)\b", lowered):
        return figures.UNIT_CLASS_PERCENT
    if _MONEY_WORDS.search(lowered):
        return figures.UNIT_CLASS_CURRENCY
    if (
        re.match(r"(?:average |total )?number of ", lowered)
        or re.search(r"\bhow many$", lead.strip())
        or "headcount" in stems
    ):
        return figures.UNIT_CLASS_COUNT
    if re.search(r"\bshares? (?:issued and )?outstanding\b|\bweighted[- ]average.* shares\b", lowered):
        return figures.UNIT_CLASS_COUNT
    if re.search(r"\b(?:inventory|asset|receivables?|staff|employee) turn(?:over|s)\b", lowered):
        return figures.UNIT_CLASS_UNSPECIFIED
    if re.search(r"\bshare count\b", lowered):
        return figures.UNIT_CLASS_COUNT
    if re.search(r"\b(?:same-store|comparable|like-for-like|organic)\b.*\bgrowth\b", lowered):
        return figures.UNIT_CLASS_PERCENT
    stems_said = set(stems)
    head = _head(lowered)
    if head in lexicon.COUNTED and not lexicon.CURRENCY_HEADS & stems_said:
        return figures.UNIT_CLASS_COUNT
    if head in lexicon.CURRENCY_HEADS and not lexicon.NOT_MONEY & stems_said:
        return figures.UNIT_CLASS_CURRENCY
    if _MONEY_PHRASES.search(lowered) and not re.search(r"\bnumber\b|\bratio\b|\brate\b|\bvolume\b", lowered):
        return figures.UNIT_CLASS_CURRENCY
    if "money" in lead and not (lexicon.NOT_MONEY - {"share", "unit"}) & stems_said:
        return figures.UNIT_CLASS_CURRENCY
    return figures.UNIT_CLASS_UNSPECIFIED


def is_balance(metric: str) -> bool:
    """Whether the metric stands at a date rather than over a period."""
    stems = set(figure_stems(metric))
    return (
        bool(lexicon.BALANCE_HEADS & stems)
        and not {"flow", "expense", "change", "sale", "revenue", "income"} & stems
    )


def stands_at_a_date(text: str) -> bool:
    """Whether a text names a line of a balance sheet and nothing that moves over a period."""
    stems = set(figure_stems(text))
    if re.fullmatch(r"cash|cash,? (?:and )?(?:cash )?equivalents", text.strip(), re.IGNORECASE):
        return True
    return bool(lexicon.BALANCE_LINES & stems) and not lexicon.MOVEMENTS & stems


def needs_period(metric: str) -> bool:
    """Whether every statement has a figure of this metric, so that without a period it is not certain."""
    return bool(lexicon.FLOW_WITHOUT_PERIOD & set(figure_stems(metric)))


def _is_money_per(lowered: str, stems: object) -> bool:
    return bool(
        re.search(
            r"\b(?:eps|earnings?|loss|income|dividends?|price|book value|consideration|premium|cost|revenue"
            r"|value|distribution"
            r"|fee|profit)\b",
            lowered,
        )
    )


def _head(lowered: str) -> str:
    """The last noun before the first complement: of "loss from operations" it is "loss"."""
    noun_phrase = re.split(
        r"\b(?:of|from|for|in|on|to|by|before|after|held|attributable|excluding|net of|related|paid|due|at"
        r"|with)\b|[,(]",
        lowered,
    )[0]
    if (
        re.match(
            r"(?:cost|provision|proceeds|payment|repayment|purchase|allowance|loss|income|sale|charge)s?\b",
            lowered,
        )
        and noun_phrase
    ):
        return figure_stems(noun_phrase)[-1]
    stems = figure_stems(noun_phrase) or figure_stems(lowered)
    return stems[-1] if stems else ""
