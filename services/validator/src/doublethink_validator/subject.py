"""What an approved query asks for: words to be found, a period, a class of unit.

A query is the public words of a question: "The Home Depot net sales quarter ended July 30, 2023". It does
not say which of its words name the company and which the metric. That is settled against each page: the
company is the run of words that is a name the page gives itself, the metric is all the rest, and every word
must be accounted for.
"""

import re
from dataclasses import dataclass
from typing import Final

from doublethink_figures import Match, Period, UnitClass, find_periods, period_matches

from .errors import QueryNotUnderstood
from .words import CHANGE, STOP, canonical, listed, words

_FORMS: Final = re.compile(
    r"\b(?:form )?(?:10-[QK]|8-K|6-K|20-F|40-F|DEF ?14A|SC ?13[GD])(?:/A)?\b"
    r"|\b(?:annual|quarterly|current|interim) report\b|\b(?:press|earnings) release\b|\bWikipedia\b"
    r"|\bEDGAR\b",
    re.IGNORECASE,
)
_PERIOD_WORDS: Final = listed(
    """
    fiscal financial quarter quarterly half month week year yearly period ended ending end ltm ttm
    ytd q1 q2 q3 q4 h1 h2 during
    """
)
_COUNTING: Final = listed(
    """
    first second third fourth one two three six nine twelve thirteen fourteen latest recent last
    current full same most
    """
)
"""Words that belong to a period only where a period word follows: "second quarter", but "third-party"."""
_LOOSE: Final = listed(
    """
    quarter half month week ytd ltm ttm q1 q2 q3 q4 h1 h2
    """
)
_UNIT_WORDS: Final = listed(
    """
    million billion thousand trillion usd eur gbp chf jpy dollar euro pound percent percentage
    filing currency
    """
)
_WEEKS_OF: Final = re.compile(
    r"\b((?:[0-9]{1,2}|[a-z]+)[- ](?:weeks?|months?)) fiscal (period|quarter|year)\b", re.IGNORECASE
)
_PER_EACH: Final = re.compile(
    r"\bfor (?:an?|each|every|one) (?=(?:(?:metric|common|ordinary|diluted) )?(?:share|ton|tonne|barrel|unit|ounce)\b)",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(r"\b(?:the )?(?:whole|entire|full)(?: of)?(?: the)?\W*$", re.IGNORECASE)
"""What only stresses the period behind it: "the whole of 2020"."""
_LENGTH: Final = re.compile(r"\b[0-9]{1,2}[ -](?:weeks?|months?)\b", re.IGNORECASE)
_DAY: Final = re.compile(r"\b[0-3]?[0-9](?:st|nd|rd|th)?\b", re.IGNORECASE)
_MATURITY: Final = re.compile(r"(?<!\bpast )\b(?:due|maturing|matures?)(?: (?:in|on))? *$", re.IGNORECASE)
_FAVOUR: Final = re.compile(r"\b(?:for|in favou?r|received?|elect\w*)\b", re.IGNORECASE)
_FISCAL: Final = re.compile(r"\b(?:fiscal|financial year|FY ?'?[0-9]{2})", re.IGNORECASE)
MAX_WORDS: Final = 60


@dataclass(frozen=True, slots=True)
class Subject:
    """A query, understood as far as it can be without a page.

    `stems`: what must be found, in order. `period`: the one wanted, None if the query names none. `percent`
    tells whether the query says percent, `change` whether it asks for a difference, `fiscal` whether it calls
    its period fiscal, `favour` whether it speaks of votes for, `month` whether it gives the end of its period by
    the month alone. `passing`: words of time that need not be found, but may be in a label: "due within one year".
    """

    stems: tuple[str, ...]
    period: Period | None
    unit_class: UnitClass | None
    percent: bool
    change: bool
    fiscal: bool = False
    favour: bool = False
    month: bool = False
    passing: frozenset[str] = frozenset()


def understand(text: str, period: Period | None, unit_class: UnitClass | None) -> Subject:
    """The subject of a query with the typed period and unit class of the request.

    Raises `QueryNotUnderstood` where the query and the typed period contradict each other, where it names
    more than one period or one that cannot be read, or where no word is left to look for.
    """
    text = _PER_EACH.sub("per ", _WEEKS_OF.sub(r"\1 \2", text))
    mentions = tuple(m for m in find_periods(text) if not _MATURITY.search(text[: m.span.start]))
    if not mentions and any(m.period == period for m in find_periods(text)):
        period = None  # the year of a note's name, typed as if it were the figure's
    blanked = list(text)
    for mention in mentions:
        stressed = _WHOLE.search(text[: mention.span.start])
        for index in range(stressed.start() if stressed else mention.span.start, mention.span.end):
            blanked[index] = " "
    rest = _FORMS.sub(" ", "".join(blanked))
    found = words(rest)
    if len(found) > MAX_WORDS:
        raise QueryNotUnderstood("the query has too many words")
    wanted = _one_period(tuple({m.period: None for m in mentions}), period)
    stems: list[str] = []
    loose = False
    passing: set[str] = set()
    for word, following in zip(found, [*(w.stem for w in found[1:]), ""], strict=False):
        if word.stem in _PERIOD_WORDS:
            loose = loose or word.stem in _LOOSE
            passing.add(word.stem)
        elif (word.stem in _COUNTING or word.stem.isdigit()) and following in _PERIOD_WORDS:
            passing.add(word.stem)
        elif word.stem == "currency":
            passing.add(word.stem)  # "in its own currency", or "foreign currency translation"
        elif word.stem not in STOP and word.stem not in _UNIT_WORDS:
            stems.append(word.stem)
    if loose and wanted is None:
        raise QueryNotUnderstood("the query names a period that cannot be read")
    if not stems:
        raise QueryNotUnderstood("the query names nothing to look for")
    lowered = text.casefold()
    return Subject(
        stems=canonical(tuple(stems)),
        period=wanted,
        unit_class=unit_class,
        percent="percent" in lowered or "%" in lowered,
        change=any(stem in CHANGE for stem in stems),
        fiscal=_FISCAL.search(text) is not None,
        favour=_FAVOUR.search(text) is not None,
        month=wanted is not None and any(_is_of_month(m.span.of(text), m.period, wanted) for m in mentions),
        passing=frozenset(passing),
    )


def _is_of_month(said: str, period: Period, wanted: Period) -> bool:
    """Whether a mention gives the wanted period's end by its month alone: "quarter ended June 2025"."""
    return wanted.end is not None and period.end == wanted.end and not _DAY.search(_LENGTH.sub(" ", said))


def _one_period(named: tuple[Period, ...], typed: Period | None) -> Period | None:
    if typed is None:
        if len(named) > 1:
            raise QueryNotUnderstood("the query names more than one period")
        return named[0] if named else None
    if named and all(period_matches(period, typed) is Match.NO for period in named):
        raise QueryNotUnderstood("the query's period and the request's period contradict each other")
    return typed
