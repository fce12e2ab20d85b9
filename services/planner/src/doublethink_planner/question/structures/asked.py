"""What a sentence asks of its subjects, and the pieces that the patterns of several structures share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question import lexicon
from doublethink_planner.question.subjects import Subject


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sentence asks of its subjects.

    `operation` is UNSPECIFIED for the figures themselves. `over_time`: the operation compares two periods of
    the one subject. `reversed_order`: the second-named operand is the minuend ("how much lower was A than
    B"). `points`: both figures are percentages, and their difference is wanted in percentage points.
    `subtracted`: the sentence itself takes one figure from the other, so that the periods may be of any length.
    `lead` is the part of the sentence that tells the unit ("how many").
    """

    subjects: tuple[Subject, ...] = field(repr=False)
    operation: figures.OperationKind = figures.OPERATION_KIND_UNSPECIFIED
    over_time: bool = False
    reversed_order: bool = False
    points: bool = False
    lead: str = ""
    subtracted: bool = False


WHAT: Final = (
    r"(?:what|which|how much|how large|how big|how high)(?:'s| is| was| were| are| has been| had been)?"
)
ASK: Final = (
    rf"(?:(?:{WHAT}|calculate|compute|determine|find|give(?: me)?|show(?: me)?|tell me|state|report|look up"
    r"|get|provide"
    r"|i need|we need|what about)(?: what)?(?: is| was| were| are)? ?)"
)
ASK_BE: Final = (
    r"(?:(?:what|how much|how large|how big|how high)(?:'s| is| was| were| are| has been| had been) "
    r"|what about "
    r"|(?:calculate|compute|determine|find|give(?: me)?|show(?: me)?|tell me|state|report|look up|get"
    r"|provide|i need|we need)"
    r"(?: what (?:is|was|were|are))? )"
)
"""As `ASK`, with the verb that makes the rest a noun phrase."""
THE: Final = r"(?:(?:the|a|an) )?"
CHANGE_NOUN: Final = (
    r"(?:change|increase|decrease|growth|decline|rise|drop|fall|reduction|improvement|gain|difference"
    r"|movement)"
)
CHANGE_VERB: Final = "(?:" + "|".join(sorted(lexicon.MOVE - {"higher", "lower"})) + ")"
PERCENT_NOUN: Final = r"(?:percentage|percent|per cent|%|relative)"
MORE: Final = r"(?:more|less|fewer|higher|lower|larger|smaller|greater|bigger)"
LESS: Final = frozenset({"less", "fewer", "lower", "smaller"})
NEUTRAL: Final = (
    r"(?:report|have|record|post|generate|earn|make|recogni[sz]e|book|disclose|own|operate|employ|hold"
    r"|carry|owe|incur|spend|show"
    r"|achieve|produce|sell|ship|deliver|take|realize|realise|log|see|bring in|total|amount to|run|maintain"
    r"|declare|issue|repurchase|do|print|suffer|enjoy|register|clock|notch|sustain|experience|collect|bear|face"
    r"|invest|expense)"
)
NEUTRAL_PAST: Final = (
    r"(?:reported|had|recorded|posted|generated|earned|made|recogni[sz]ed|booked|disclosed|owned|operated"
    r"|employed|held|carried"
    r"|incurred|spent|shown|achieved)"
)


def full(pattern: str, sentence: str) -> re.Match[str] | None:
    """The match of a whole sentence, whatever its capitals."""
    return re.fullmatch(pattern, sentence, re.IGNORECASE)
