"""Sentences that tell a change or a share: "net sales increased 6.3% to $812.4 million", "gross profit was $284.3
million, or 35.0% of net sales", "net income was $42.1 million, or $0.87 per diluted share".

Each proves in a form as narrow as the others: nothing before the metric's words that could narrow them, between
them and the figure nothing but the verb and an amount, and after it nothing but a period or a comparison. The
period is the one that the sentence names before it compares.
"""

import re
from dataclasses import replace
from typing import Final

from doublethink_figures import (
    Direction,
    Figure,
    Flag,
    Measure,
    Part,
    PeriodMention,
    UnitClass,
    find_figures,
    find_periods,
)

from .clauses import BEFORE_METRIC, Sentence, check_after, fit_sentence, metric_run, tokens_masked, tokens_of
from .errors import NotProven, Reason
from .fit import Fit
from .identity import Identity
from .reading import Reading
from .subject import Subject
from .words import CHANGE, CORPORATE, STOP, Word, canonical, listed, words

_UP: Final = listed("increas increase grew grow rose rise climbed up improved")
_DOWN: Final = listed("decreas decrease declin decline fell fall down dropped")
_NOUNS: Final = listed("increase increas growth decrease decreas decline declin")
_ASKS_UP: Final = listed("change growth grow grew increase increas rise rose")
_ASKS_DOWN: Final = listed("decrease decreas decline declin fall fell drop")
_LEVEL: Final = listed("was were is are of to total totaled totalled amounted reached")
_CLOSE: Final = listed("by of or approximately about")
_BY: Final = re.compile(r"\bby (?:approximately |about )?$", re.IGNORECASE)
_FILLER: Final = listed(
    "by approximately about the for in a an company quarter year fiscal period month week"
)
_WHOLES: Final = (("net", "sale"), ("net", "revenue"), ("total", "revenue"), ("sale",), ("revenue",))
_SIDES: Final = frozenset({"basic", "diluted"})
_COMPARES: Final = re.compile(r"\b(?:compared|versus|vs\.?|from|over|against|as opposed)\b", re.IGNORECASE)
_OF_WHOLE: Final = re.compile(
    r"\s*of (?:our |its |the company[’']s |consolidated |total )?(?P<whole>(?:net |total )?(?:sales|revenues?))\b",
    re.IGNORECASE,
)
_SHARE_FIRST: Final = re.compile(
    r"^as a (?:percentage|percent|%) of (?P<whole>(?:net |total )?(?:sales|revenues?)),?\s+", re.IGNORECASE
)
_NOT_A_COMPARISON: Final = re.compile(
    r"\s*,? ?(?:from|over|against|on) (?!(?:the|a) (?:prior|previous|same|first|second|third|fourth|corresponding"
    r"|comparable|year)|\$|prior|last|[0-9])\w+",
    re.IGNORECASE,
)
"""What is not compared with another period narrows: "increased 6.3% from acquired stores"."""
_SEQUENTIAL: Final = re.compile(
    r"\bsequential(?:ly)?\b|\b(?:prior|previous|preceding|last|linked)[- ]quarter\b(?! of)"
    r"|\bquarter[- ]over[- ]quarter\b",
    re.IGNORECASE,
)
_QUARTERS: Final = frozenset({Part.Q1, Part.Q2, Part.Q3, Part.Q4})
_OWN_BASE: Final = re.compile(
    r"\s*(?:to \$ ?[0-9][0-9.,]*(?: (?:thousand|million|billion))?)?,? ?(?:from|over|against)"
    r" (?P<base>[^,;.()$€£]{1,80}?) (?:of|for|in|during)\b",
    re.IGNORECASE,
)
"""The same thing at another time: "decreased 3.2 percent from net sales of $303.5 million for the prior year"."""
_OR: Final = re.compile(r"[,\s]+or (?:approximately |about )?$")
_CHANGE_OF: Final = re.compile(
    r",? (?:(?:which )?represent(?:s|ing|ed) )?(?:an? |up |down )?"
    r"(?P<word>increase|decrease|growth|decline)?(?: of)? ?(?:approximately )?$",
    re.IGNORECASE,
)
_BEFORE_PERIOD: Final = re.compile(r",? (?:in|for|during|at|as of|on) (?:the )?(?:same )?|,? ", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s++")
_MOST_BETWEEN: Final = 200
"""Characters between a figure and the one that it is compared with. What is longer, or made of white space, says no
comparison, and would take long to be read as one."""
_COMPARED_TO: Final = re.compile(
    # Over text in which white space is one space.
    r" ?(?:in|for|during|at|as of|on)? ?(?:the)? ?"
    r"(?:,? (?:an? )?(?:increase|decrease|growth|decline|up|down) (?:of )?[0-9.]+(?:%| percent))?"
    r" ?,? (?:as )?(?:compared (?:to|with)|versus|vs\.?) ",
    re.IGNORECASE,
)
_PERCENT_LATER: Final = re.compile(r"[,\s]+or (?:approximately |about )?$", re.IGNORECASE)


def fit_told(
    subject: Subject, identity: Identity, sentence: Sentence, figure: Figure, reading: Reading
) -> tuple[Reading, Fit]:
    """How the figure of such a sentence fits, and its reading with the period that the sentence gives it.

    Raises `NotProven` where the sentence is in none of the forms.
    """
    named = identity.name_in(subject.stems)
    if named is None:
        raise NotProven(Reason.COMPANY_ABSENT)
    if identity.several or "respectively" in sentence.text or reading.flags - {Flag.ABOUT}:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    name, at = named
    metric = subject.stems[:at] + subject.stems[at + len(name.stems) :]
    known = {s for n in identity.names for s in n.stems} | CORPORATE
    asks_change = bool(set(metric) & CHANGE)
    if asks_change and reading.unit.unit_class is UnitClass.CURRENCY:
        if not _BY.search(sentence.text[: figure.span.start]):
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)
        _check_change(metric, sentence, figure, reading, known)
    elif figure.unit is not None and figure.unit.measure is Measure.PERCENT:
        if asks_change or {"comparable", "same"} & set(metric):
            _check_change(metric, sentence, figure, reading, known)
        else:
            _check_share(subject, metric, sentence, figure, reading, known)
    elif reading.unit.unit_class is UnitClass.CURRENCY_PER:
        _check_per_share(metric, sentence, figure, reading, known)
    else:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    mention = _period(sentence, figure)
    if mention is None:
        return reading, Fit(name, 0)
    span = mention.span.shifted(sentence.start)
    return replace(reading, period=mention.period, period_span=span), Fit(name, 0)


def fit_compared(
    subject: Subject,
    identity: Identity,
    sentence: Sentence,
    figure: Figure,
    reading: Reading,
    others: tuple[tuple[Figure, Reading], ...],
) -> tuple[Reading, Fit]:
    """How the figure fits that a plain statement is compared with: "was $812.4 million in the third quarter of 2022,
    compared to $764.2 million in the third quarter of 2021". Its period must stand right behind it.

    Raises `NotProven` for any other sentence.
    """
    text = sentence.text
    before = [(f, r) for f, r in others if f.span.end <= figure.span.start and r.unit == reading.unit]
    following = next((m for m in find_periods(text) if m.span.start >= figure.span.end), None)
    if len(before) != 1 or following is None or reading.flags or reading.direction is not Direction.NONE:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if not _BEFORE_PERIOD.fullmatch(text[figure.span.end : following.span.start]):
        raise NotProven(Reason.PERIOD_AMBIGUOUS)
    (first, stated) = before[0]
    masked = tokens_masked(text)[first.span.end : figure.span.start]
    if len(masked) > _MOST_BETWEEN or not _COMPARED_TO.fullmatch(_SPACE.sub(" ", masked)):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if not re.match(r"\s*(?:[.,;]|$)", text[following.span.end :]):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if stated.period is None or stated.period == following.period:
        raise NotProven(Reason.PERIOD_AMBIGUOUS)
    fit = fit_sentence(subject, identity, sentence, first, stated)
    return replace(reading, period=following.period, period_span=following.span.shifted(sentence.start)), fit


def _period(sentence: Sentence, figure: Figure) -> PeriodMention | None:
    """The one period that a sentence names before it compares. Raises `NotProven` for more than one."""
    stop = _COMPARES.search(sentence.text, figure.span.end)
    early = _COMPARES.search(sentence.text[: figure.span.start])
    if early is not None:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    mentions = find_periods(sentence.text[: stop.start() if stop is not None else len(sentence.text)])
    if len({m.period for m in mentions}) > 1:
        raise NotProven(Reason.PERIOD_AMBIGUOUS)
    return mentions[0] if mentions else None


def _run(metric: tuple[str, ...], sentence: Sentence, end: int, known: set[str]) -> list[Word]:
    """The words between the metric's run and `end`. Raises `NotProven` where something stands before the run."""
    before = [w for w in tokens_of(sentence.text) if w.span.end <= end]
    run = metric_run(before, metric, known)
    if run is None:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    harmless = BEFORE_METRIC | STOP | known
    if any(w.stem not in harmless and not w.stem.isdigit() for w in before[: run[0]]):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return before[run[1] + 1 :]


def _check_change(
    metric: tuple[str, ...], sentence: Sentence, figure: Figure, reading: Reading, known: set[str]
) -> None:
    """A percentage by which the metric changed."""
    asked = set(metric) & CHANGE
    level = tuple(s for s in metric if s not in CHANGE)
    if not level or asked - _ASKS_UP - _ASKS_DOWN or {"margin", "rate"} & set(level):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    between = _run(level, sentence, figure.span.start, known)
    said = [w for w in between if w.stem in _UP | _DOWN | _NOUNS]
    rest = [w for w in between if w not in said and w.stem not in _FILLER | STOP and not w.stem.isdigit()]
    amount = _amount_between(sentence, between, figure)
    noun = _CHANGE_OF.search(sentence.text[: figure.span.start])
    if amount is not None:
        rest = [w for w in rest if not (amount[0] <= w.span.start < amount[1])]
        rest = [w for w in rest if w.stem not in _LEVEL | {"or"}]
        tail = sentence.text[amount[1] : figure.span.start]
        by_noun = noun is not None and noun["word"] is not None and not find_figures(tail)
        if not by_noun and not (_PERCENT_LATER.fullmatch(tail) and said):
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if rest or len(said) != 1:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    close = [w for w in between if w.span.start > said[0].span.start]
    if amount is not None:
        close = [w for w in close if not (amount[0] <= w.span.start < amount[1])]
    if any(w.stem not in _CLOSE for w in close):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)  # "increased to 35.0%" says how much it is
    down = said[0].stem in _DOWN or said[0].stem in _ASKS_DOWN
    if reading.direction is not (Direction.DECREASE if down else Direction.INCREASE) or reading.stated < 0:
        raise NotProven(Reason.DIRECTION_DIFFERS)
    if asked & _ASKS_DOWN and not down:
        raise NotProven(Reason.DIRECTION_DIFFERS)
    _check_rest(sentence, figure.span.end, known, level)
    _check_year_before(sentence, figure, reading)


def _check_year_before(sentence: Sentence, figure: Figure, reading: Reading) -> None:
    """A change is the one from a year before, as an unqualified question means it. Raises `NotProven` for another."""
    tail = sentence.text[figure.span.end :]
    if _SEQUENTIAL.search(sentence.text):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    compared = _COMPARES.search(tail)
    if compared is None or reading.period is None:
        return
    own = reading.period.part
    for mention in find_periods(tail[compared.start() :]):
        if own in _QUARTERS and mention.period.part in _QUARTERS and mention.period.part is not own:
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)


def _amount_between(sentence: Sentence, between: list[Word], figure: Figure) -> tuple[int, int] | None:
    """Where the one amount stands between the metric and the figure. Raises `NotProven` for more than one."""
    if not between:
        return None
    start = between[0].span.start
    found = [
        f for f in find_figures(sentence.text) if start <= f.span.start and f.span.end <= figure.span.start
    ]
    if len(found) > 1:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return (found[0].span.start, found[0].span.end) if found else None


def _check_share(
    subject: Subject,
    metric: tuple[str, ...],
    sentence: Sentence,
    figure: Figure,
    reading: Reading,
    known: set[str],
) -> None:
    """A percentage that the metric is of sales or revenue."""
    if not subject.percent or reading.direction is not Direction.NONE:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    text, first, end = sentence.text, _SHARE_FIRST.match(sentence.text), figure.span.end
    after = _OF_WHOLE.match(text, end)
    whole = first or after
    if whole is None or (first is not None and after is not None):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    stems = tuple(
        s for s in whole["whole"].casefold().replace("sales", "sale").replace("revenues", "revenue").split()
    )
    stems = tuple(s for s in stems if s not in STOP)
    part = metric[: -len(stems)]
    if metric[-len(stems) :] != stems or not part or stems not in _WHOLES:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    if stems in (("sale",), ("revenue",)) and part[-1:] in (("net",), ("total",)):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    cut = Sentence(text[first.end() :], sentence.start + first.end()) if first is not None else sentence
    shift = first.end() if first is not None else 0
    between = _run(part, cut, figure.span.start - shift, known)
    _check_level(cut, between, figure.span.start - shift)
    end = after.end() if after is not None else end
    _check_rest(sentence, end, known)


def _check_level(sentence: Sentence, between: list[Word], end: int) -> None:
    """Between the metric and its figure only "was", or "was $284.3 million, or"."""
    if not between:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    found = [
        f
        for f in find_figures(sentence.text[:end])
        if f.span.start >= between[0].span.start and f.span.end <= end
    ]
    if len(found) > 1 or (found and not _OR.fullmatch(sentence.text[found[0].span.end : end])):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    stop = found[0].span.start if found else end
    words = [w for w in between if w.span.start < stop and w.stem not in ("approximately", "about")]
    if not words or words[-1].stem not in _LEVEL:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if any(w.stem not in _LEVEL | _FILLER | STOP for w in words):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)


def _check_per_share(
    metric: tuple[str, ...], sentence: Sentence, figure: Figure, reading: Reading, known: set[str]
) -> None:
    """ "Net income was $42.1 million, or $0.87 per diluted share": earnings per share."""
    if reading.direction is not Direction.NONE and "loss" not in metric:
        raise NotProven(Reason.DIRECTION_DIFFERS)
    text = sentence.text[figure.number_span.end :]
    said = re.match(
        r"\s*per (?P<side>(?:fully )?diluted|basic)?(?: common| ordinary)? ?share\b(?P<on> on a diluted basis)?",
        text,
        re.IGNORECASE,
    )
    side = (
        "diluted"
        if said is not None and (said["on"] or "diluted" in (said["side"] or "").lower())
        else "basic"
    )
    if said is None or not (said["side"] or said["on"]) or set(metric) & _SIDES != {side}:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    if set(metric) - _SIDES != {"earning", "per", "share"}:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    if not _OR.search(sentence.text[: figure.span.start]):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    between = None
    for line in (("net", "income"), ("net", "earning"), ("earning",)):
        try:
            between = _run(canonical(line), sentence, figure.span.start, known)
            break
        except NotProven:
            continue
    if between is None:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    _check_level(sentence, between, figure.span.start)
    _check_rest(sentence, figure.number_span.end + said.end(), known)


def _check_rest(sentence: Sentence, end: int, known: set[str], level: tuple[str, ...] = ()) -> None:
    after = [w for w in tokens_of(sentence.text) if w.span.start >= end]
    check_after(sentence, end, after, known)
    base = _OWN_BASE.match(sentence.text, end)
    own = base is not None and {w.stem for w in words(base["base"]) if w.stem not in STOP} == set(level)
    if not own and _NOT_A_COMPARISON.match(sentence.text, end) is not None:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
