"""Changes over time: growth in percent, compound growth, and differences between two periods."""

from __future__ import annotations

import re
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_planner.question.memo_words import MemoWords
from doublethink_planner.question.structures.asked import (
    ASK,
    CHANGE_NOUN,
    CHANGE_VERB,
    LESS,
    MORE,
    NEUTRAL,
    PERCENT_NOUN,
    THE,
    Asked,
    full,
)
from doublethink_planner.question.subjects import (
    Subject,
    single_company,
    split_subject,
    subject_of,
)

_IN_PERCENT: Final = (
    r"(?:expressed |stated )?(?:in (?:percent|percentage terms|relative terms|%)|as an? percent(?:age)?)"
)
_MOVED: Final = (
    r"(?:grew|increased|rose|declined|decreased|fell|dropped|changed|improved|climbed|shrank|contracted)"
)


_COMPOUND: Final = (
    r"(?:compound(?:ed)? annual(?:i[sz]ed)? (?:growth )?rate(?: of growth)?(?: \(CAGR\))?|CAGR)"
)
_REPORTED: Final = re.compile(
    r"\b(?:same[- ](?:store|restaurant|property)|comparable|like-for-like|organic|constant[- ]currenc(?:y|ies)"
    r"|local[- ]currency)\b",
    re.IGNORECASE,
)
"""Growth that companies report themselves: it follows from no two other figures."""


def reported_change(sentence: str, words: MemoWords) -> Asked | None:
    """The comparable or organic growth that a report gives, in percent. Raises NotUnderstood or Unaskable."""
    if not _REPORTED.search(sentence):
        return None
    patterns = (
        rf"{ASK}{THE}(?:{PERCENT_NOUN} )?(?P<metric>.+?) {CHANGE_NOUN}(?: rate)? (?:at|of|for|by)"
        r" (?P<co>(?-i:[A-Z]).+)",
        rf"(?:by )?(?:how much|(?:what|how many) {PERCENT_NOUN}(?:age)?) (?:did|has|have) (?P<np>.+?)"
        rf" {CHANGE_VERB}(?: by)?",
        rf"{ASK}{THE}(?:{PERCENT_NOUN} )?{CHANGE_NOUN}(?: or {CHANGE_NOUN})? (?:in|of) (?P<np>.+)",
        rf"(?:what|which) (?:{PERCENT_NOUN} )?(?P<metric>.+?)(?: {CHANGE_NOUN})(?: rate)? did (?P<co>.+?) {NEUTRAL}",
        rf"{ASK}{THE}(?P<np>.+?)(?: {PERCENT_NOUN})? {CHANGE_NOUN}(?: rate)?(?: in percent)?",
    )
    for pattern in patterns:
        found = full(pattern, sentence)
        if found is None:
            continue
        groups = found.groupdict()
        if groups.get("metric") == "organic":
            subject = Subject(single_company(groups["co"], words), "organic growth")
        elif groups.get("np"):
            # "Organic growth" has its noun in the word that was taken off.
            subject = split_subject(re.sub(r"(?<=organic)$", " sales", groups["np"]), words)
            if groups["np"].endswith("organic"):
                subject = Subject(subject.company, "organic growth")
        else:
            subject = subject_of(groups["metric"], groups["co"], words)
        if _REPORTED.search(subject.metric):
            # Of these a percentage is a change already, and pages call it by its thing alone.
            return Asked((Subject(subject.company, f"{subject.metric} percentage"),))
    return None


def compound_growth(sentence: str, words: MemoWords) -> Asked | None:
    """The compound annual growth rate of one metric. Raises NotUnderstood or Unaskable."""
    found = (
        full(rf"{ASK}{THE}{_COMPOUND} (?:of|in|for) (?P<np>.+)", sentence)
        or full(rf"{ASK}{THE}(?P<np>.+?) {_COMPOUND}", sentence)
        or full(rf"{ASK}(?P<np>(?-i:[A-Z]).+?(?:'s|(?<=s)') {_COMPOUND} (?:of|in|for) .+)", sentence)
    )
    if found is None:
        return None
    phrase = re.sub(  # "Acme's CAGR of revenue"
        rf"^(?P<co>(?-i:[A-Z]).+?(?:'s|(?<=s)')) {_COMPOUND} (?:of|in|for) (?P<metric>.+)$",
        r"\g<co> \g<metric>",
        found["np"],
    )
    return Asked((split_subject(phrase, words),), figures.OPERATION_KIND_CAGR, over_time=True)


def growth(sentence: str, words: MemoWords) -> Asked | None:
    """The change in percent of one metric, always computed. Raises NotUnderstood or Unaskable."""
    patterns = (
        rf"{ASK}{THE}{PERCENT_NOUN} (?:of )?{CHANGE_NOUN}(?: or {CHANGE_NOUN}"
        rf"| ?/ ?\(?{CHANGE_NOUN}\)?)? (?:in|of) (?P<np>.+)",
        rf"{ASK}{THE}(?:(?:annual|sales|yearly) )?(?:growth rate|rate of growth|rate of change) (?:in|of"
        r"|for) (?P<np>.+)",
        rf"{ASK}{THE}(?:overall |total )?growth(?: {_IN_PERCENT})? (?:in|of) (?P<np>(?!.* {_IN_PERCENT}$).+)",
        rf"{ASK}{THE}(?:(?:overall|total) )?{CHANGE_NOUN} (?:in|of) (?P<np>.+?),? {_IN_PERCENT}",
        rf"{ASK}{THE}(?P<np>.+?) (?:percentage |percent )?growth(?: rate)?(?: in percent(?:age terms)?)?",
        rf"(?:by )?(?:what|how many|which) {PERCENT_NOUN}(?:age)? (?:did|has"
        rf"|have) (?P<np>.+?) {CHANGE_VERB}(?: by)?",
        rf"(?:by )?how much (?:did|has|have) (?P<np>.+?) {CHANGE_VERB},? (?:in (?:percent|percentage terms"
        r"|relative terms|%)|percentage-wise|as a percentage)",
        rf"(?P<np>[A-Z].+?) {_MOVED} by (?:what|how (?:much|many)) {PERCENT_NOUN}(?:age)?",
        rf"at what (?:percentage |percent )?rate did (?P<np>.+?) {CHANGE_VERB}",
        rf"(?:by )?what {PERCENT_NOUN} (?:was|were) (?P<np>.+?) (?:up|down|higher|lower)",
        rf"(?:what|how much) {PERCENT_NOUN} {CHANGE_NOUN} did (?P<np>.+?)"
        r" (?:see|show|have|experience|post|record|register)",
        rf"{ASK}{THE}rate of {CHANGE_NOUN} (?:in|of|for) (?P<np>.+)",
        rf"how (?:fast|quickly|strongly) (?:did|has|have) (?P<np>.+?) {CHANGE_VERB}",
        rf"in (?:percent|percentage terms),? (?:by )?how much (?:did|has|have) (?P<np>.+?) {CHANGE_VERB}",
    )
    if _REPORTED.search(sentence):
        return None
    for pattern in patterns:
        found = full(pattern, sentence)
        if found:
            # "Higher in P than in Q": Q is the base, whichever is the earlier.
            than = "than" if re.search(r" (?:higher|lower)$", sentence, re.IGNORECASE) else ""
            subject = split_subject(found["np"], words)
            return Asked((subject,), figures.OPERATION_KIND_GROWTH, over_time=True, lead=than)
    return None


def change(sentence: str, words: MemoWords) -> Asked | None:
    """The later figure less the earlier. Raises NotUnderstood or Unaskable."""
    patterns = (
        rf"(?:(?:by )?how much|by what amount) (?:did|has|have) (?P<np>.+?) {CHANGE_VERB}"
        rf"(?: or {CHANGE_VERB})?(?: by)?",
        rf"(?:did|has|have) (?P<np>.+?) {CHANGE_VERB}(?: or {CHANGE_VERB})?",
        rf"how (?:did|has|have) (?P<np>.+?) {CHANGE_VERB}",
        r"by how much (?:was|were|is) (?P<np>.+?) (?:up|down|higher|lower)",
        rf"{ASK}{THE}(?:(?:absolute|dollar|total|net|overall) )?{CHANGE_NOUN}(?: or {CHANGE_NOUN}"
        rf"| ?/ ?\(?{CHANGE_NOUN}\)?)? (?:in|of) (?P<np>.+)",
        rf"(?:by )?how much (?P<more>{MORE}) (?:was|were|is|are) (?P<np>.+)",
        rf"how (?P<many>many|much) (?P<more>{MORE}) (?P<metric>.+?) (?:did|does|had"
        rf"|has) (?P<co>.+?)(?: {NEUTRAL})?(?: (?P<state>outstanding))?",
    )
    for pattern in patterns:
        found = full(pattern, sentence)
        if found is None or re.search(
            r"\bbetween\b|\bthan\b|\bnet (?:increase|decrease|change) in cash\b", sentence
        ):
            continue
        groups = found.groupdict()
        if groups.get("co"):
            metric = f"{groups['metric']} {groups.get('state') or ''}".strip()
            subject = subject_of(metric, groups["co"] or "", words)
        else:
            subject = split_subject(found["np"], words)
        # "How much lower in P than in Q" wants the size of the fall; "how much did it fall" wants the change.
        more = groups.get("more")
        return Asked(
            (subject,),
            figures.OPERATION_KIND_DIFFERENCE,
            over_time=True,
            reversed_order=(more or "").lower() in LESS,
            lead="how many" if groups.get("many") == "many" else ("than" if more else ""),
        )
    return None
