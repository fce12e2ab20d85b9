"""Sentences that list several amounts and as many periods: "depreciation expense was $15.2 billion, $11.0 billion,
and $12.6 billion, respectively".

They prove where the list is the only one of the sentence, has every figure of it, and stands behind the metric's
words as a single amount would; which amount is of which period, the figures library has settled by their order.
"""

import re
from dataclasses import replace
from typing import Final

from doublethink_figures import Figure, Span, find_figures

from .clauses import Sentence, check_after, check_between, check_leading, metric_run, tokens_of
from .errors import NotProven, Reason
from .fit import Fit
from .identity import Identity
from .reading import Reading
from .subject import Subject
from .words import CORPORATE

_AMOUNT: Final = (
    r"(?:US|C|A)?(?:[$€£] ?|EUR |USD |GBP )?[0-9][0-9.,]*[0-9](?: (?:thousand|million|billion)|%| percent)?"
)
_LIST: Final = re.compile(rf"{_AMOUNT}(?:, {_AMOUNT}){{0,8}},? and {_AMOUNT}")


def fit_paired(
    subject: Subject, identity: Identity, sentence: Sentence, figure: Figure, reading: Reading
) -> Fit:
    """How one figure of such a list fits. Raises `NotProven`."""
    named = identity.name_in(subject.stems)
    if named is None:
        raise NotProven(Reason.COMPANY_ABSENT)
    if identity.several or sentence.text.count("respectively") != 1 or reading.period is None:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    name, at = named
    metric = subject.stems[:at] + subject.stems[at + len(name.stems) :]
    known = {s for n in identity.names for s in n.stems} | CORPORATE
    whole = _list_of(sentence, figure)
    tokens = tokens_of(sentence.text)
    before = [w for w in tokens if w.span.end <= whole.start]
    run = metric_run(before, metric, known) if metric else None
    if run is None:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    first, last = run
    check_leading(before[:first], known)
    check_between(subject, sentence, replace(figure, span=whole), before[last + 1 :], reading)
    check_after(sentence, whole.end, [w for w in tokens if w.span.start >= whole.end], known)
    return Fit(name, 0)


def _list_of(sentence: Sentence, figure: Figure) -> Span:
    """The list that has the figure, and every other figure of the sentence. Raises `NotProven`."""
    lists = [Span(m.start(), m.end()) for m in _LIST.finditer(sentence.text)]
    holding = [span for span in lists if span.contains(figure.number_span)]
    if len(holding) != 1:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    others = find_figures(sentence.text)
    if len(others) < 2 or not all(holding[0].contains(f.number_span) for f in others):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return holding[0]
