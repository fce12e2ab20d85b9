"""Sentences about something particular: "an annual base salary of $250,000", "operates 445 retail stores".

Where a query names its thing with words that are no line of a report, a sentence that has them all, and one
single figure of the wanted class, leaves little open. It still counts only where the figure stands right
beside a run of those words, where nothing but an article stands before the run, and where no condition is
attached.
"""

import re
from typing import Final

from doublethink_figures import Direction, Figure, Flag

from .clauses import Sentence, tokens_of
from .errors import NotProven, Reason
from .fit import Fit
from .identity import Identity
from .pagetext import Page
from .posts import asked_in, posts_in
from .reading import Reading
from .subject import Subject
from .words import ACCOUNTING, CHANGE, STOP, Word, canonical, listed

LEAST_RUN: Final = 2
_NEXT: Final = re.compile(r";|,? and (?:an?|will|to) |, plus ")
"""Where what follows is said of something else: "a base salary of $650,000 and a target bonus of"."""
_JOINS: Final = listed("of was is were are be to at")
_TITLES: Final = listed("mr ms mrs dr")
_PROMISED: Final = listed("salary bonus retainer severance fee compensation pay award")
"""What an agreement says that somebody "will receive": a term of it, and no forecast."""
_PLAIN_PAY: Final = listed("annual annualized base cash initial target signing")
_UNCLEAR: Final = listed(
    """
    respectively each excluding except without not no former prior previous previously adjusted target pro
    forma segment if would could may might should unless until increase increas decrease decreas reduce
    reduced additional
    """
)


def fit_specific(
    page: Page, subject: Subject, identity: Identity, sentence: Sentence, figure: Figure, reading: Reading
) -> Fit:
    """How a sentence's figure fits a particular query. Raises `NotProven`."""
    named = identity.name_in(subject.stems)
    if named is None or identity.several:
        raise NotProven(Reason.COMPANY_ABSENT)
    name, at = named
    metric = subject.stems[:at] + subject.stems[at + len(name.stems) :]
    plain = set(metric) - ACCOUNTING - CHANGE
    if len(plain) < LEAST_RUN or subject.unit_class is None or subject.change:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    tokens = tokens_of(sentence.text)
    stop = _NEXT.search(sentence.text, figure.span.end)
    near = [t for t in tokens if stop is None or t.span.start < stop.start()]
    stems = {t.stem for t in near}
    if stems & _UNCLEAR - set(metric) or reading.direction is not Direction.NONE:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if reading.flags and not (reading.flags <= {Flag.GUIDANCE} and set(metric) & _PROMISED):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    present = set(canonical(tuple(t.stem for t in tokens))) | stems
    missing = [s for s in metric if s not in present]
    if set(metric) & _PROMISED:
        said, (asked, own) = posts_in(tokens), asked_in(metric)
        if said - asked or (said and asked - said):
            raise NotProven(Reason.ATTACHMENT_UNCLEAR)  # the pay of another post
        if plain - own - _PROMISED - _PLAIN_PAY - set(missing):  # it says whose pay it is
            missing = [s for s in missing if s not in own]
    if any(not _is_first_name(page, s, metric, present) for s in missing):
        raise NotProven(Reason.SUBJECT_DIFFERS)
    run = _run_before(tokens, figure, set(metric)) or _run_after(tokens, figure, set(metric))
    if run is None or len(run & plain) < LEAST_RUN:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return Fit(name, 0)


def _is_first_name(page: Page, stem: str, metric: tuple[str, ...], present: set[str]) -> bool:
    """Whether a missing word is the first name of a person whose family name the sentence has, as the page
    has it.
    """
    at = metric.index(stem)
    if at + 1 >= len(metric) or metric[at + 1] not in present:
        return False
    full = f"{stem} {metric[at + 1]}"
    return full in " ".join(page.text.casefold().split())


def _run_before(tokens: list[Word], figure: Figure, metric: set[str]) -> set[str] | None:
    """The metric's words that lead to the figure: "an annual base salary of"."""
    before = [t for t in tokens if t.span.end <= figure.span.start and t.stem not in ("will", "shall")]
    if not before or before[-1].stem not in _JOINS:
        return None
    at = len(before) - 2
    run: set[str] = set()
    while at >= 0 and before[at].stem in metric:
        run.add(before[at].stem)
        at -= 1
    return run if run and (at < 0 or before[at].stem in STOP | _TITLES) else None


def _run_after(tokens: list[Word], figure: Figure, metric: set[str]) -> set[str] | None:
    """The metric's words that follow the figure: "445 retail stores"."""
    after = [t for t in tokens if t.span.start >= figure.number_span.end]
    run: set[str] = set()
    for token in after:
        if token.stem in metric:
            run.add(token.stem)
        elif not (run and token.stem in ("of", "and", "the")):
            break
    return run or None
