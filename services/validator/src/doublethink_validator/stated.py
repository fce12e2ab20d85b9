"""Sentences in which the figure comes before its name: "we generated $12.2 billion of cash flow from
operations", "the Company repurchased 208 million shares".

They prove in a form as narrow as the other: the company itself as the subject, a verb that states, the
figure, the metric's words and no other, then nothing that could narrow them.
"""

import re
from typing import Final

from doublethink_figures import Direction, Figure, Flag, UnitClass

from .clauses import BEFORE_METRIC, Sentence, check_after, tokens_of
from .errors import NotProven, Reason
from .fit import Fit
from .identity import Identity
from .reading import Reading
from .subject import Subject
from .words import CORPORATE, STOP, Word, canonical, listed, parts_of

_STATES: Final = listed(
    "had generated recorded reported recognized recognised incurred achieved posted delivered funded spent"
)
_HOLDS: Final = listed("had have has operate operated employ employed were are")
_DOES: Final = listed("repurchase open closed acquired issued granted opened sold hired")
_SUBJECTS: Final = listed("we it company there currently also addition approximately about additionally")
_ABOUT: Final = listed("approximately about roughly nearly a an")
_PEOPLE: Final = listed("people person employee associate individual")
_WHERE: Final = re.compile(
    r"\s*(?:,? ?(?:worldwide|globally|around the world)|of (?:its|our|the company's|the company’s) "
    r"(?:class [a-z] )?common stock"
    r"|with (?:\w+ ){1,4}in (?:more than |over |about |approximately )?[0-9]+ countries"
    r"|in [0-9a-z-]+ (?:u\.s\. )?(?:states|countries|provinces))\b",
    re.IGNORECASE,
)


def fit_stated(
    subject: Subject, identity: Identity, sentence: Sentence, figure: Figure, reading: Reading
) -> Fit:
    """How the figure of such a sentence fits. Raises `NotProven`."""
    named = identity.name_in(subject.stems)
    if named is None:
        raise NotProven(Reason.COMPANY_ABSENT)
    if identity.several or "respectively" in sentence.text or reading.direction is not Direction.NONE:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    if reading.flags - {Flag.ABOUT}:
        raise NotProven(Reason.FLAGS_DIFFER)
    name, at = named
    metric = set(subject.stems[:at] + subject.stems[at + len(name.stems) :])
    known = {s for n in identity.names for s in n.stems} | CORPORATE
    tokens = tokens_of(sentence.text)
    before = [w for w in tokens if w.span.end <= figure.span.start]
    after = [w for w in tokens if w.span.start >= figure.number_span.end]
    if figure.scale_span is not None:
        after = [w for w in after if w.span.start >= figure.scale_span.end]
    while before and before[-1].stem in _ABOUT:
        before.pop()
    if len(before) > 2 and before[-2].stem == "and":
        if subject.period is not None:
            raise NotProven(
                Reason.PERIOD_AMBIGUOUS
            )  # the period of the statement before it need not be its own
        before = _subject_of(before[:-2]) + before[-1:]
    if not before or any(w.stem not in BEFORE_METRIC | STOP | _SUBJECTS | known for w in before[:-1]):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    counted = reading.unit.unit_class is UnitClass.COUNT
    verb = before[-1].stem
    wanted = _counted(metric, verb) if counted else metric
    if not counted and (verb not in _STATES or not after or after.pop(0).stem not in ("of", "in")):
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    last = _run(after, wanted, sentence)
    if last is None:
        raise NotProven(Reason.SUBJECT_DIFFERS)
    end = after[last].span.end
    where = _WHERE.match(sentence.text, end)
    end = where.end() if where is not None else end
    check_after(sentence, end, [w for w in after if w.span.start >= end], known)
    return Fit(name, 0)


def _subject_of(before: list[Word]) -> list[Word]:
    """The words up to the first verb: "Acme" in "Acme generated sales of $5 million and employs"."""
    at = next((i for i, w in enumerate(before) if w.stem in _STATES | _HOLDS), None)
    if at is None:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return before[:at]


def _counted(metric: set[str], verb: str) -> set[str]:
    """The nouns that must follow the number. A verb that does something must itself be asked for."""
    nouns = metric - {"count"}
    if verb in _DOES and verb in metric:
        nouns -= {verb}
    elif verb not in _HOLDS:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return nouns


def _run(after: list[Word], wanted: set[str], sentence: Sentence) -> int | None:
    """The last of the words right behind the figure that are exactly those wanted."""
    parts = parts_of(frozenset(wanted))
    stems: list[str] = []
    for index, word in enumerate(after):
        if index and re.search(r"[,;:()]", sentence.text[after[index - 1].span.end : word.span.start]):
            return None
        if word.stem not in STOP:
            stems.append("employee" if wanted == {"employee"} and word.stem in _PEOPLE else word.stem)
        elif not stems:
            return None
        if stems and set(canonical(tuple(stems))) == wanted and not _goes_on(after[index + 1 :], parts):
            return index
        if stems and stems[-1] not in wanted and stems[-1] not in parts:
            return None
    return None


def _goes_on(rest: list[Word], parts: frozenset[str]) -> bool:
    """Whether the next word, a stop word between aside, still belongs to a fixed expression."""
    following = [w.stem for w in rest[:2] if w.stem not in STOP]
    return bool(following) and following[0] in parts
