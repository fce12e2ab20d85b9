"""The last resort for a question that asks for one figure in a way that no structure recognises.

It does not tell company from metric: all words of the question that say something go into one query, and
the validator, which has to find every one of them on a page, decides what they mean there. A question that
could ask for a calculation, or that names two periods, is left alone: its answer would be another figure
than the one on a page.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_figures import find_periods

from . import lexicon
from .asked_periods import AskedPeriod
from .errors import NotUnderstood, Unaskable
from .memo_words import MemoWords
from .period_form import at_date, typed_period
from .subjects import figure_stems, has_figure_noun, split_metrics
from .understood import Sought, Understood
from .unit_class import needs_period, unit_class

_ASKS: Final = re.compile(
    r"^(?:(?:and|in|at|for|on|to|by|of|under|from) )?"
    r"(?:what|which|how (?:much|many|large|big|high|long|old)|give|state|find|i need|we need|provide|report|show)\b",
    re.IGNORECASE,
)
_CALCULATES: Final = re.compile(
    r"\b(?:change[sd]?|increas\w+|decreas\w+|gr[eo]w(?:n|th|s)?|declin\w+|rise[ns]?|rose|risen|fell|fall\w*"
    r"|drop\w*|improv\w+|differ\w*|higher|lower|more|less|fewer|larger|smaller|greater|bigger|exceed\w*"
    r"|compar\w+|versus|vs|than|cagr|compound\w*|median|mean|sum|combined|together|aggregated"
    r"|cumulative|both|each|respectively|portion|proportion|fraction|share of|percent(?:age)? of|part of|ratio of"
    r"|times|double[ds]?|twice|half of|highest|lowest|most|least|largest|smallest|biggest|first|last|latest"
    r"|recent|previous|prior|next|all|any|every|if|could|should|why|when|who|whom|where|whether|year-over-year|yoy"
    r"|average)\b|(?<!\d)%",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:weighted[- ]average|per[\w -]{0,24}share|more than one|first (?:quarter|half|\w+ months|lien)|last day"
    r"|net (?:increase|decrease|change)(?: in)?|compar\w+ (?:store |restaurant |sales|same-store )\w*|unused portion"
    r"|current portion|combined ratio|recurring|like-for-like"
    r"|average (?:daily |monthly |annual )?(?:price|rate|selling|realized|number|revenue per|production|order|ticket|shares?"
    r"|balance|interest|loans|deposits|assets|unit|age|room|basket|yield|life|term|remaining|common|diluted|basic|users?|cost)"
    r"|percent(?:age)? of (?:the )?(?:class|shares outstanding|outstanding shares))\b",
    re.IGNORECASE,
)
"""Words of a metric's or period's own name that only look like a calculation."""

_OWNS: Final = re.compile(
    r"^(?:what|which) (?:percent(?:age)?|per cent|share|proportion|stake|%) (?:of|in) (?P<what>.+?) (?:did|does|do|was|is|were|are) "
    r"(?P<owner>.+?) (?:beneficially )?(?:own|hold|control|owned|held|report|have)(?:ed|s)?(?: beneficially)?(?P<rest> .+)?$",
    re.IGNORECASE,
)
"""The percentage that a filing itself gives of a holding: nothing is computed."""
_CASH_FLOW: Final = re.compile(
    r"^how much (?:net )?cash (?:did|does) (?P<co>.+?) (?P<verb>use|spend|generate|provide|produce)"
    r"(?: (?:in|from|by|on|for))? (?P<kind>operating|investing|financing) activities",
    re.IGNORECASE,
)
_DOES: Final = re.compile(r"\b(?:did|does|do|has|have|had|was|were)\b", re.IGNORECASE)
_DONE: Final = {
    "open": "opened",
    "close": "closed",
    "sell": "sold",
    "repurchase": "repurchased",
    "issue": "issued",
    "grant": "granted",
    "ship": "shipped",
    "produce": "produced",
    "deliver": "delivered",
    "repay": "repaid",
    "borrow": "borrowed",
    "own": "owned",
    "use": "used",
    "redeem": "redeemed",
    "hire": "hired",
    "add": "added",
}
"""Verbs that say what is counted, in the form that a report has them."""
_KEPT_BEFORE: Final = {
    "pay": r"ratio|gap|equity|package|mix",
    "authorized": r"(?:preferred|common|ordinary|share|stock|capital)",
}
"""Words of a verb's form that are part of a name, by what follows them."""
_MAY_BE: Final = re.compile(r"\b(?:may|can|could|will|would) be [a-z]+(?:ed|en)\b")
_PAID: Final = re.compile(r"\b(?:cash|dividends?|distributions?)\b(?!.*\bper\b)", re.IGNORECASE)

_EMPTY: Final = frozenset(
    """
    what which how much many large big high long old did does do was were is are has have had been be being will would
    may might can must the a an its their his her this that these those it they there there's according given
    stated shown listed amount amounted figure value number total reported company size
    in at by to from with under as between into about within upon during through while also so up out not
    for on of and or connection associated related i we you me need
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
"""Words that say nothing of what is asked. Without them a second query is tried; the first keeps some."""

_SOFT: Final = frozenset(["amount", "figure", "value", "number", "total"])
_KEPT_INSIDE: Final = frozenset(["of", "and", "for", "on", "&"])
"""Kept between two words of the query, since names hold them: "Bank of America"."""
_MAX_WORDS: Final = 24
_VERB: Final = re.compile(
    r"(?:report|record|post|generat|earn|recogni[sz]|book|disclos|employ|hold|held|incur|carr|carri"
    r"|spen[dt]|pa[iy]|receiv|achiev|bear|bore|agree|giv|gave|set|expect|anticipat|forecast|provid|contribut|com|came|cost"
    r"|deliver|declar|show|shown|stand|stood|cast|transferr|charg|rais|invest|reali[sz]|owe|offer|authori[sz]|enter|lay"
    r"|laid|off|settl|vot|ow|list|mak|made|get|got|tak|took|entitl|requir|apply|appli|commit|announc|complet|acquir|work"
    r"|gav|serv|ask|need|find|found)"
    r"(?:e|ed|es|s|d|ies|y|red|ing)?",
)
"""Verbs between a company and its figure. Nouns of the same form ("share repurchases") are not among them."""
_NOUNS_OF_THAT_FORM: Final = frozenset(
    """
    costs cost charge charges offering offerings earnings shows commitment holding holdings settlement provided used
    votes vote voting carrying reporting investing acquired acquiring casting bearing lists orders works paid
    """.split()  # noqa: SIM905 - as above
)
_UNDATED: Final = re.compile(
    r"(?<!per )(?<![\w-])(?:quarters?|fiscal|year|half|months|period|ytd|today|now|currently|year-end)(?![\w-])(?! (?:notes|term))",
    re.IGNORECASE,
)
"""Words of time that are left where a period could not be read."""
_WORD: Final = re.compile(r"[^\s,;:()\"]+")
_PARTS: Final = re.compile(r"(?<=\w) (?:segment|division|business unit|business segment)s?\b")


def plain_lookup(sentence: str, words: MemoWords, *, vague: bool = False) -> Understood:
    """One figure, asked for with all the sentence's words. Raises NotUnderstood, Unaskable.

    `vague`: the question had a period without a year, which was taken out.
    """
    asked = _one_period(sentence)
    rest, period_words = sentence, ""
    if asked is not None:
        period_words = asked.words
        rest = _without(sentence, asked)
    rest = re.sub(
        r"^(?:[A-Za-z ]{0,12}, ?)?(?=(?:what|which|how)\b)", "", rest.strip(" ,"), flags=re.IGNORECASE
    )
    rest, unit = _holding(rest)
    holding = unit == figures.UNIT_CLASS_PERCENT
    if not _ASKS.match(rest) or _CALCULATES.search(_SETTLED.sub(" ", rest)):
        raise NotUnderstood("the sentence has no structure that is known")
    expected = re.search(
        r"\b(?:expects?|anticipates?|forecasts?|projects?|guides?|targets?|expected|guided)\b", rest
    )
    rest = _MAY_BE.sub("", _cash_flow(rest))
    rest = re.sub(r"\bon an? ([\w-]+(?: currency)?) basis\b", r"\1", rest)
    said = _said(_PARTS.sub("", rest))
    public = [word for word in said if not words.is_private(word)]
    telling = [word for word in public if word.lower() not in _EMPTY]
    if len(telling) < 2:
        raise (
            Unaskable("no public words are left") if len(public) < len(said) else NotUnderstood("no subject")
        )
    if len(telling) > _MAX_WORDS or not _names_a_figure(rest, telling):
        raise NotUnderstood("the sentence has no structure that is known")
    metric = _metric(rest)
    if len(split_metrics(metric)) > 1:
        raise NotUnderstood("two figures in one query")
    if _UNDATED.search(rest):
        raise NotUnderstood("a period without a date or year")
    if asked is None and not vague and needs_period(metric):
        raise NotUnderstood("a figure of every statement without a period")
    if (
        expected
        and (asked is not None or vague)
        and not {"guidance", "outlook"} & {w.lower() for w in telling}
    ):
        telling, public = [*telling, "guidance"], [*public, "guidance"]
    if asked is not None:
        asked = at_date(asked, metric)
        period_words = asked.words
    first = _joined([word for word in public if word.lower() in _SOFT or _carries(word)], telling)
    second = " ".join(telling)
    if holding and "class" not in second:
        # The cover of an ownership filing calls it so.
        names = [word for word in telling if word[:1].isupper()]
        second = " ".join([*names, "percent of class"])
    return Understood(
        (
            Sought(
                company="",
                metric=second,
                period_words=period_words,
                period=None if asked is None else typed_period(asked),
                unit_class=unit or _unit(metric, rest),
                queries=tuple(f"{query} {period_words}".strip() for query in (first, second)),
            ),
        )
    )


def _holding(rest: str) -> tuple[str, figures.UnitClass]:
    """ "What percentage of Acme's stock does Northgate own": the figure is the percentage that a filing gives."""
    owns = _OWNS.match(rest)
    if owns is None:
        return rest, figures.UNIT_CLASS_UNSPECIFIED
    what = re.sub(r"^(?:the |its |their )", "", owns["what"])
    noun = rest.split()[1]
    rest = f"what {noun} {what} {owns['owner']} {owns['rest'] or ''}".strip()
    return rest, figures.UNIT_CLASS_PERCENT


def _cash_flow(rest: str) -> str:
    """ "How much cash did Acme use in investing activities", as a cash-flow statement says it."""
    found = _CASH_FLOW.match(rest)
    if found is None:
        return rest
    verb = "used in" if found["verb"].lower() in ("use", "spend") else "provided by"
    return f"what was {found['co']} net cash {verb} {found['kind']} activities{rest[found.end() :]}"


def _said(rest: str) -> list[str]:
    """The sentence's words without those that are neither company nor metric."""
    does = _DOES.search(rest) is not None
    said: list[str] = []
    for word in (word.strip(".'\u2019") for word in _WORD.findall(rest)):
        word = re.sub(r"'s$", "", word) if word.lower() not in lexicon.NAMES_WITH_S else word
        if not word:
            continue
        if re.match(_KEPT_BEFORE.get(word, r"(?!)"), rest.partition(f"{word} ")[2]):
            said.append(word)
        elif does and word in _DONE:
            said.append(_DONE[word])
        elif word in ("pay", "paid") and _PAID.search(rest):
            said.append("paid")
        elif word not in _NOUNS_OF_THAT_FORM and _VERB.fullmatch(word):
            continue
        else:
            said.append(word)
    return said


def _carries(word: str) -> bool:
    return word.lower() in _KEPT_INSIDE or word.lower() not in _EMPTY


def _joined(public: list[str], telling: list[str]) -> str:
    """The words of the first query, without small words that stand at an end or beside each other."""
    kept: list[str] = []
    for word in public:
        small = word.lower() in _KEPT_INSIDE
        if small and (not kept or kept[-1].lower() in _KEPT_INSIDE):
            continue
        kept.append(word)
    while kept and kept[-1].lower() in _KEPT_INSIDE:
        kept.pop()
    return " ".join(kept or telling)


def _metric(rest: str) -> str:
    """The noun phrase that the sentence asks for, as far as it goes without the company."""
    found = re.match(
        r"^(?:\w+ )?(?:what|which|how (?:much|many)) (?!was\b|were\b|is\b|are\b|did\b|does\b)(?P<np>.+?) "
        r"(?:did|does|do|has|have|had|will|would|was|were|is|are|can|may|came|voted)\b",
        rest,
        re.IGNORECASE,
    ) or re.match(
        r"^(?:what|which|how (?:much|many|large|big|high)) (?:was|were|is|are) (?P<np>.+?)(?: (?:that|which|did|used)\b.*)?$",
        rest,
        re.IGNORECASE,
    )
    np = found["np"] if found else rest
    if found is None:
        did = re.match(
            r"^(?:what|how much) (?:did|does|do) .+? (?:\w+) (?:for|as|in|on|under|its) (?P<np>.+)$",
            rest,
            re.IGNORECASE,
        )
        np = did["np"] if did else ""
    np = re.sub(
        r"^(?:(?:the|a|an|total|size of|figure for|amount of|amount for|value for) )+",
        "",
        np,
        flags=re.IGNORECASE,
    )
    if np.startswith("number of "):
        return np
    owner = re.match(r"^.*?(?:'s|(?<=s)') (?=[a-z])", np)
    if owner and not re.search(r" (?:of|on|for|in|at|from) ", owner[0]):
        np = np[owner.end() :]
    return np.strip(" ,")


def _unit(metric: str, rest: str) -> figures.UnitClass:
    lead = " ".join(rest.lower().split()[:2])
    unit = unit_class(metric, lead if lead == "how many" else "") if metric or lead == "how many" else 0
    if unit:
        return unit
    if lead == "how much" and not lexicon.NOT_MONEY & set(figure_stems(metric)):
        return figures.UNIT_CLASS_CURRENCY
    if re.match(r"^what (?:did|does) .+ (?:spend|pay|owe|borrow|repay)\b", rest, re.IGNORECASE):
        return figures.UNIT_CLASS_CURRENCY
    return figures.UNIT_CLASS_UNSPECIFIED


def _names_a_figure(sentence: str, telling: list[str]) -> bool:
    """Whether the words hold a name and a thing that is counted or measured, and ask for no forecast."""
    named = any(word[:1].isupper() and not word.isupper() for word in telling)
    measured = has_figure_noun(" ".join(telling)) or sentence.lower().startswith(("how much", "how many"))
    return named and measured and re.search(r"\bwill\b.*\bbe\b", sentence, re.IGNORECASE) is None


def _without(sentence: str, asked: AskedPeriod) -> str:
    before, _, after = sentence.partition(asked.words)
    before = re.sub(
        r"(?:,? ?\b(?:for|in|during|at|as of|as at|on|over|of|the|its|full|from|fiscal|quarter|year) ?)*\(?$",
        "",
        before,
        flags=re.IGNORECASE,
    )
    return f"{before} {after.lstrip(' ,)')}".strip()


def _one_period(sentence: str) -> AskedPeriod | None:
    mentions = find_periods(sentence)
    if not mentions:
        return None
    if len({mention.period for mention in mentions}) > 1:
        raise NotUnderstood("periods stand in two places")
    if len(mentions) > 1:
        raise NotUnderstood("one period in two places")
    (mention,) = mentions
    return AskedPeriod(re.sub(r"^the ", "", mention.span.of(sentence), flags=re.IGNORECASE), mention.period)
