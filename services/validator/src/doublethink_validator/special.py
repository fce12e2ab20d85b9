"""Figures that stand in a fixed form of their own, and the words with which a query asks for them.

A cover's count of shares outstanding, the rate in the name of a note, the figures of an ownership report: in
such a form everything that could narrow a figure has its place, so that the form itself says what it is.
"""

from dataclasses import dataclass

from .errors import NotProven, Reason
from .fit import Fit
from .identity import Identity
from .reading import Reading
from .subject import Subject


@dataclass(frozen=True, slots=True)
class Special:
    """A reading, and what a query must say to mean it.

    `needs`: of each set the query has at least one word. `may`: all words that the query may have beside the
    company's name.
    """

    reading: Reading
    needs: tuple[frozenset[str], ...]
    may: frozenset[str]


def fit_special(subject: Subject, identity: Identity, special: Special) -> Fit:
    """How a special reading fits. Raises `NotProven` where the query means something else."""
    if identity.several:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    reason = Reason.COMPANY_ABSENT
    for name in identity.names:
        for at in range(len(subject.stems) - len(name.stems) + 1):
            if subject.stems[at : at + len(name.stems)] != name.stems:
                continue
            asked = set(subject.stems[:at] + subject.stems[at + len(name.stems) :])
            if all(asked & need for need in special.needs) and not asked - special.may:
                return Fit(name, 0)
            reason = Reason.SUBJECT_DIFFERS
    raise NotProven(reason)
