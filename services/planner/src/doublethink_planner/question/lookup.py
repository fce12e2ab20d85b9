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
from .other_names import other_names
from .period_form import at_date, typed_period
from .subjects import figure_stems, has_figure_noun, split_metrics
from .telling_words import EMPTY, SOFT, carries, joined, said_words
from .understood import Sought, Understood
from .unit_class import needs_period, unit_class
from .wording import as_reported

_ASKS: Final = re.compile(
    r"^(?:(?:and|in|at|for|on|to|by|of|under|from) )?"
    r"(?:what|which|how (?:much|many|large|big|high|long|old)|give|state|find|i need|we need|provide|report|show)\b",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:what|which) (?:(?:is|was|are|were) (?:the )?)?(?:[\w-]+ ){0,3}(?:dates?|day|month|year)\b(?! fair)",
    re.IGNORECASE,
)
"""Questions for a date: no figure."""
_NO_FIGURE: Final = re.compile(
    r"(?:who|whom|whose|when|where|why|whether|did|does|do|is|are|was|were|has|have|had|can|could|will|would|should"
    r"|how (?:did|does|do|has|have|is|was|were|come)|if|because|describe|explain|discuss|summari[sz]e|list|tell"
    r"|compare)\b"
    r"|.*\bfor (?:which|what) (?:year|quarter|period)\b",
    re.IGNORECASE,
)
"""How a text begins that asks for no figure, though it need not be a question: key words ask for one too."""
_FRONT: Final = re.compile(
    r"^(?P<front>(?:at|in|for|on|under|during|within|from) [^,]{2,80}), (?P<rest>(?:how|what|which) .+)$",
    re.IGNORECASE,
)
_CALCULATES: Final = re.compile(
    r"\b(?:changed?|increas(?:ed|ing)|decreas(?:ed|ing)|gr[eo]wn?|declined|risen?|rose|fell|fall\w*"
    r"|dropp\w+|improv\w+|differ\w*|higher|lower|more|less|fewer|larger|smaller|greater|bigger|exceed\w*"
    r"|compar\w+|versus|vs|than|cagr|compound\w*|median|mean|sum|combined(?! (?:notional|principal|amount|loss"
    r"|expense))|together|aggregated"
    r"|cumulative|both|each(?= of\b|,|$| (?:of|in|for|fiscal|quarter|year|month|half|period))|respectively"
    r"|portion|proportion|fraction|share of|percent(?:age)? of|part of|ratio of"
    r"|times|double[ds]?|twice|half of|highest|lowest|most|least|largest|smallest|biggest|last|latest"
    r"|recent|previous|prior|next|every|if|should|why|when|who|whom|where|whether|year-over-year|yoy"
    r"|drove|drives?|driven|caus\w+|led|explain\w*"
    r"|minus|divided|multiplied|(?:calculated|computed|defined) (?:as|from|using|by)"
    r"|(?<!-)says?(?!-)|said|comment\w*|think|happen\w*|affect\w*|impacted|reasons?|beat|missed"
    r"|average(?= of\b| (?:quarterly|monthly|annual|yearly|weekly)\b|.* and )|on average)\b|(?<!\d)%| [/÷*=] "
    r"|\([^()]* (?:plus|minus|less|over) ",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:weighted[- ]average|per[\w -]{0,24}share|(?:more|less|fewer|greater) than (?:one|[$€£]?\d[\d,.]*)"
    r"|each (?=(?:(?-i:[A-Z])[\w&.'-]* ){0,3}(?:share|unit|warrant|right|note|holder"
    r"|(?:non-employee |independent |outside )?director)\b)"
    r"|(?:largest|biggest) (?=(?:single )?(?:customer|supplier|client|tenant|shareholder|stockholder)s?\b)|last day"
    r"|net (?:increase|decrease|change)(?: in)?|compar\w+ (?:store |restaurant |sales|same-store )\w*|unused portion"
    r"|current portion|combined ratio|recurring|like-for-like|(?:same-store|comparable|organic) (?:\w+ ){1,3}growth"
    r"|average (?:daily |monthly |annual )?(?:price|rate|selling|realized|number|revenue per|production|order"
    r"|ticket|shares?"
    r"|balance|interest|loans|deposits|assets|unit|age|room|basket|yield|life|term|remaining|common|diluted"
    r"|basic|users?|cost)"
    r"|^what percent(?:age)? of (?=.+ (?:will|would|is|are|was|were|to) (?:be )?[a-z]+(?:ed|en|id|ld|de)\b)"
    r"|percent(?:age)? of (?:the )?(?:class|shares outstanding|outstanding shares))\b",
    re.IGNORECASE,
)
"""Words of a metric's or period's own name that only look like a calculation."""

_OWNS: Final = re.compile(
    r"^(?:what|which) (?:percent(?:age)?|per cent|share|proportion|stake|%) (?:of|in) (?P<what>.+?) (?:did|does"
    r"|do|was|is|were|are|will|would) (?P<owner>.+?) (?:beneficially )?"
    r"(?:(?:own|hold|control|owned|held|report|have)(?:ed|s)?|(?P<verb>retain|keep))(?: beneficially)?(?P<rest> .+)?$",
    re.IGNORECASE,
)
"""The percentage that a filing itself gives of a holding: nothing is computed."""
_PLANS: Final = re.compile(
    r"^(?:what|which) (?:percent(?:age)?|per cent|share|proportion|portion) of (?:its |their |the )?(?P<what>.+?)"
    r" (?:will|(?:does|do|did|is|are)(?= .+? (?:plan|aim|intend|expect|going)(?:s|ning|ing)? to ))"
    r" (?P<who>.+?) (?:(?:plan|aim|intend|expect|going)(?:s|ning|ing)? to )?"
    r"(?P<does>(?:continue to )?(?:invest|spend|allocate|concentrate|dedicate|use|distribute|sell|close|cut) .+)$",
    re.IGNORECASE,
)
"""A part that somebody means to take: a page says it, and no two figures give it."""
_CASH_FLOW: Final = re.compile(
    r"^how much (?:net )?cash (?:did|does) (?P<co>.+?) (?P<verb>use|spend|generate|provide|produce)"
    r"(?: (?:in|from|by|on|for))? (?P<kind>operating|investing|financing) activities",
    re.IGNORECASE,
)
_MAY_BE: Final = re.compile(r"\b(?:may|can|could|will|would) be (?=([a-z]+(?:ed|en|id|ld|de))\b)")
_NAME: Final = re.compile(r"[A-Z]|\d[\d-]*[A-Z]")
_MAX_WORDS: Final = 24
_MEASURED: Final = re.compile(
    r"how (?:much|many)\b|what (?:amount|number)\b|what (?:is|was|were|are) the (?:total )?(?:number|amount) of\b"
    r"|(?:what|which) .+ (?:did|does) .+ (?:report|record|post|achieve|generate|show|disclose|deliver)\b",
    re.IGNORECASE,
)
"""Questions that ask for a figure whatever its name is."""
_IS: Final = re.compile(r"(?:what|how (?:high|large|big)) (?:was|were|is|are)\b", re.IGNORECASE)
_MOVES: Final = re.compile(
    r"\b(?:pay|paid|used?|spen[dt]|receive|generate|provide|raise|repay|borrow)\b", re.IGNORECASE
)
_NOW: Final = re.compile(r",? \b(?:currently|now|today|at present|presently)\b", re.IGNORECASE)
"""As of the page: what asks for no period asks for that. A figure of every statement is not asked without one."""
_UNDATED: Final = re.compile(
    r"(?<!per )(?<![\w-])(?:quarters?|fiscal|year|half|months|period|ytd|year-end)(?![\w-])(?! (?:notes|term))",
    re.IGNORECASE,
)
"""Words of time that are left where a period could not be read."""


def plain_lookup(sentence: str, words: MemoWords) -> Understood:
    """One figure, asked for with all the sentence's words. Raises NotUnderstood, Unaskable."""
    asked = _one_period(sentence)
    rest, period_words = sentence, ""
    if asked is not None:
        period_words = asked.words
        rest = _without(sentence, asked)
    rest = re.sub(
        r"^(?:[A-Za-z ]{0,12}, ?)?(?=(?:what|which|how)\b)", "", rest.strip(" ,"), flags=re.IGNORECASE
    )
    rest = _FRONT.sub(r"\g<rest> \g<front>", re.sub(r" +,", ",", rest))
    rest = _NOW.sub("", rest)
    owns = _OWNS.match(rest)
    holding = owns is not None and not owns["verb"]
    rest, unit = _holding(rest)
    terse = _NO_FIGURE.match(rest) is None and not _ASKS.match(rest)
    if not (terse or _ASKS.match(rest)) or _DATE.match(rest) or _CALCULATES.search(_SETTLED.sub(" ", rest)):
        raise NotUnderstood("the sentence has no structure that is known")
    if terse:
        first = rest.partition(" ")[0]
        rest = f"what was the {rest[:1].lower() if words.is_plain(first) else rest[:1]}{rest[1:]}"
    rest = re.sub(r"^(?:for|at|by|to|in|on|of|under) (?=(?:what|which|how)\b)", "", rest, flags=re.IGNORECASE)
    expected = re.search(
        r"\b(?:expects?|anticipates?|forecasts?|projects?|guides?|targets?|expected|guided)\b", rest
    )
    rest = _cash_flow(rest if expected is None else rest.replace(expected[0], " ", 1))
    rest, done = _MAY_BE.sub("", rest), frozenset(_MAY_BE.findall(rest))
    rest = re.sub(r"\bon an? ([\w-]+(?: currency)?) basis\b", r"\1", rest)
    said = said_words(rest, done)
    public = [word for word in said if not words.is_private(word)]
    telling = [word for word in public if word.lower() not in EMPTY]
    if len(telling) < 2:
        raise (
            Unaskable("no public words are left") if len(public) < len(said) else NotUnderstood("no subject")
        )
    open_word = (
        asked is not None
        and (terse or _IS.match(rest) is not None)
        and not lexicon.NOT_A_FIGURE & _lower(telling)
    )
    if len(telling) > _MAX_WORDS or not _names_a_figure(rest, telling, open_word=open_word):
        raise NotUnderstood("the sentence has no structure that is known")
    metric = _metric(rest)
    if len(split_metrics(metric)) > 1:
        raise NotUnderstood("two figures in one query")
    if _UNDATED.search(rest):
        raise NotUnderstood("a period without a date or year")
    if asked is None and needs_period(metric):
        raise NotUnderstood("a figure of every statement without a period")
    if expected and asked is not None and not {"guidance", "outlook"} & {w.lower() for w in telling}:
        telling, public = [*telling, "guidance"], [*public, "guidance"]
    if asked is not None:
        asked = asked if _MOVES.search(rest) else at_date(asked, metric)
        period_words = asked.words
    first = joined([word for word in public if word.lower() in SOFT or carries(word)], telling)
    second = " ".join(telling)
    reworded = said_words(as_reported(rest), done)
    if reworded != said and not any(words.is_private(word) for word in reworded if word not in said):
        second = joined([word for word in reworded if carries(word) and not words.is_private(word)], telling)
    if holding and "class" not in second:
        # The cover of an ownership filing calls it so.
        names = [word for word in telling if word[:1].isupper()]
        second = " ".join([*names, "percent of class"])
    others = tuple(first.replace(metric, other, 1) for other in other_names(metric) if metric in first)
    return Understood(
        (
            Sought(
                company="",
                metric=second,
                period_words=period_words,
                period=None if asked is None else typed_period(asked),
                unit_class=unit or _unit(metric, rest),
                queries=tuple(f"{query} {period_words}".strip() for query in (first, second, *others)),
            ),
        )
    )


def _holding(rest: str) -> tuple[str, figures.UnitClass]:
    """ "What percentage of Acme's stock does Northgate own": the figure is the percentage that a filing gives."""
    owns = _OWNS.match(rest)
    plans = _PLANS.match(rest) if owns is None else None
    if plans is not None:
        return f"what percentage {plans['what']} {plans['who']} {plans['does']}", figures.UNIT_CLASS_PERCENT
    if owns is None:
        return rest, figures.UNIT_CLASS_UNSPECIFIED
    what = re.sub(r"^(?:the |its |their )", "", owns["what"])
    noun = rest.split()[1]
    rest = f"what {noun} {what} {owns['owner']} {owns['verb'] or ''}{owns['rest'] or ''}".strip()
    return rest, figures.UNIT_CLASS_PERCENT


def _cash_flow(rest: str) -> str:
    """ "How much cash did Acme use in investing activities", as a cash-flow statement says it."""
    found = _CASH_FLOW.match(rest)
    if found is None:
        return rest
    verb = "used in" if found["verb"].lower() in ("use", "spend") else "provided by"
    return f"what was {found['co']} net cash {verb} {found['kind']} activities{rest[found.end() :]}"


def _metric(rest: str) -> str:
    """The noun phrase that the sentence asks for, as far as it goes without the company."""
    found = re.match(
        r"^(?:\w+ )?(?:what|which|how (?:much|many)) (?!was\b|were\b|is\b|are\b|did\b|does\b)(?P<np>.+?) "
        r"(?:did|does|do|has|have|had|will|would|was|were|is|are|can|may|came|voted)\b",
        rest,
        re.IGNORECASE,
    ) or re.match(
        r"^(?:what|which|how (?:much|many|large|big|high)) (?:was|were|is|are) (?P<np>.+?)(?: (?:that|which|did"
        r"|used)\b.*)?$",
        rest,
        re.IGNORECASE,
    )
    np = found["np"] if found else rest
    if found is None:
        amounted = re.match(
            r"^what (?:did|does) (?P<np>[a-z].+?) (?:amount|come|add up) to\b", rest, re.IGNORECASE
        )
        if amounted:
            return amounted["np"]
        did = re.match(
            r"^(?:what|how much) (?:did|does|do) .+? (?:for|as|in|on|under|its) (?P<np>.+)$",
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
    unit = (
        unit_class(metric, lead if lead == "how many" else "")
        if metric or lead == "how many"
        else figures.UNIT_CLASS_UNSPECIFIED
    )
    if unit == figures.UNIT_CLASS_CURRENCY and re.search(r"\bper (?:\w+ ){0,2}(?:share|unit|ADS)\b", rest):
        return figures.UNIT_CLASS_CURRENCY_PER
    if unit:
        return unit
    if re.match(r"what percent(?:age)? of\b", rest, re.IGNORECASE):
        return figures.UNIT_CLASS_PERCENT
    if lead == "how much" and not lexicon.NOT_MONEY & set(figure_stems(metric)):
        return figures.UNIT_CLASS_CURRENCY
    if re.match(r"^what (?:did|does) .+ (?:spend|pay|owe|borrow|repay)\b", rest, re.IGNORECASE):
        return figures.UNIT_CLASS_CURRENCY
    return figures.UNIT_CLASS_UNSPECIFIED


def _lower(words: list[str]) -> frozenset[str]:
    return frozenset(stem for word in words for stem in (word.lower(), *figure_stems(word)))


def _names_a_figure(sentence: str, telling: list[str], *, open_word: bool) -> bool:
    """Whether the words hold a name and a thing that is counted or measured, and ask for no forecast.

    `open_word`: what a thing was in a period may be a figure whatever its name is; the page has to have the name.
    """
    named = any(_NAME.match(word) and word not in lexicon.ACRONYMS for word in telling)
    measured = has_figure_noun(" ".join(telling)) or _MEASURED.match(sentence) is not None or open_word
    named = named and not all(_NAME.match(word) and not re.search(r"[a-z][A-Z]", word) for word in telling)
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
