"""What the words around a figure say about it: modality flags, denial, and the direction of a change."""

import re
from typing import Final

from .clauses import clauses, enclosing, fold_words
from .figure import Direction, Flag
from .span import Span

_I: Final = re.IGNORECASE

_ABOUT_BEFORE: Final = re.compile(
    r"(?:\b(?:about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca\.|c\.|some|close to"
    r"|an estimated|estimated"
    r"|just (?:over|under|above|below|shy of)|slightly (?:over|under|above|below|more than|less than)"
    r"|in the region of"
    r"|near|rund|etwa|ungefähr|knapp|zirka|environ|près de|quelque|autour de)|[~≈∼])"
    r"[ ]?(?:an? )?(?:[A-Z]{0,3}[$€£¥] ?)?\Z",
    _I,
)
_ABOUT_AFTER: Final = re.compile(r"[ ]or so\b", _I)

_NOT_GUIDANCE: Final = re.compile(
    r"\b(?:than|as|of) (?:\w+ )?(?:expected|anticipated|forecast|projected|guided)\b"
    r"|\bexpected (?:credit loss(?:es)?|returns?|volatility|term|life|useful)"
    r"|, which [^,;]{0,40}\bexpect(?:s|ed)? to (?:be )?recogni[sz]ed?\b"
    r"|\bestimated useful\b|\bwill be (?:held|available|paid on|webcast)|\b(?:above|below|exceed(?:ed|ing)?"
    r"|beat(?:ing)?|missed|missing) (?:\w+ ){0,3}(?:guidance|forecasts?|expectations|estimates|target)",
    _I,
)
_GUIDANCE: Final = re.compile(
    r"\b(?:expect(?:s|ed|ing)?|anticipat(?:e|es|ed|ing)|forecast(?:s|ed|ing)?|guid(?:ance|es|ed|ing)|outlook"
    r"|project(?:s|ed|ing|ion|ions)"
    r"|target(?:s|ed|ing)?|estimates(?= (?:that|it|its|to|revenue|sales|earnings|the))|plans? to|intends? to"
    r"|aims? (?:to|for)|budget(?:s|ed)?|on track (?:to|for)"
    r"|will|(?:is|are) (?:likely|set|due|scheduled) to|foresees?|sees(?= (?:\w+ ){0,4}(?:of|at|between))"
    r"|long-term (?:goal|ambition)|consensus|(?:is|are) (?:estimated|planned|seen) (?:at|to)"
    r"|should (?:reach|total|amount to|come to|rise|fall|grow|exceed|be(?= [$€£0-9]))"
    r"|erwart(?:et|en|ete|eten)|prognos(?:e|tiziert)|geplant|voraussichtlich|sollen?|ausblick|angestrebt|wird|werden"
    r"|attendue?s?|s['’]attend|prévoi(?:t|ent)|prévisions?|devrai(?:t|ent)|sera|seront|vise(?:nt)?|objectifs?)\b",
    _I,
)
_NON_GAAP: Final = re.compile(
    r"\bnon[- ](?:GAAP|IFRS)\b"
    r"|(?<!seasonally )(?<!inflation-)(?<!inflation )(?<!risk-)(?<!un)\badjusted\b(?! for (?:inflation"
    r"|seasonal))"
    r"|\bas[- ]adjusted\b|\bunderlying\b(?! (?:asset|security|securities|shares?|loan|collateral))"
    r"|\bnormali[sz]ed\b|\bconstant[- ]currenc(?:y|ies)\b"
    r"|\bexclud(?:ing|es|ed) (?:\w+[ -]){0,5}(?:items?|charges?|costs?|expenses?|gains?|losses|impacts?"
    r"|effects?|amortization|compensation)\b",
    _I,
)
_NON_GAAP_ABROAD: Final = re.compile(
    r"\bbereinigte?[nmrs]?\b|\b(?:ajustée?s?|hors éléments exceptionnels)\b", _I
)
_PRO_FORMA: Final = re.compile(r"\bpro[- ]?forma\b", _I)
_RESTATED: Final = re.compile(
    r"\b(?:restated?|restatement|recast|as revised|angepasste?[nmrs]?|retraitée?s?)\b", _I
)
_HYPOTHETICAL: Final = re.compile(
    r"\b(?:if|could|would|might|assum(?:es?|ing|ed)|hypothetical(?:ly)?|in the event|potential(?:ly)?"
    r"|were to|scenarios?|unless|should(?= \w+ (?:occur|fail|close|be))"
    r"|wenn|könnten?|würden?|pourrai(?:t|ent)|éventuellement"
    r"|supposedly|allegedly|rumou?red|reportedly|speculat\w+)\b"
)
_MAY: Final = re.compile(r"\bmay (?=[a-z])")
_NOT_DENIED: Final = re.compile(
    r"\b(?:not (?:only|including|applicable|less than|more than|fewer than|exceed(?:ing)?|later than"
    r"|necessarily limited)|whether or not|no (?:less|more|fewer|later|greater) than|if not more"
    r"|last but not least"
    r"|not meaningful)\b",
    _I,
)
_NEGATED: Final = re.compile(
    r"\b(?:not|never|cannot|neither|nor|den(?:y|ies|ied|ying)|denials?|refut(?:e|es|ed|ing)|reject(?:s|ed"
    r"|ing)?|disput(?:e|es|ed|ing)|false(?:ly)?|incorrect(?:ly)?|untrue|wrong(?:ly)?"
    r"|nicht|kein(?:e[nmrs]?)?|niemals|dementier(?:t|en|te)|bestreite(?:t|n)"
    r"|n[e'’] ?(?:\w+[ ]){1,3}(?:pas|jamais|plus)|aucune?|dément(?:ent|i)?"
    r"|contrary to|erroneous(?:ly)?|mistaken(?:ly)?|no longer|failed to|instead of|rather than)\b|n't\b",
    _I,
)

_PATTERNS: Final = (
    (Flag.NON_GAAP, _NON_GAAP, None),
    (Flag.NON_GAAP, _NON_GAAP_ABROAD, None),
    (Flag.PRO_FORMA, _PRO_FORMA, None),
    (Flag.RESTATED, _RESTATED, None),
    (Flag.GUIDANCE, _GUIDANCE, _NOT_GUIDANCE),
    (Flag.NEGATED, _NEGATED, _NOT_DENIED),
)


def modality(text: str, span: Span) -> frozenset[Flag]:
    """The flags that the clause around `span`, a figure's place in `text`, puts on it.

    In a table row (text with tabs) the row's label speaks for its cells.
    """
    folded = fold_words(text)
    scope = _scope(text, folded, span)
    flags = {flag for flag, pattern, exempt in _PATTERNS if _says(scope, pattern, exempt)}
    if _HYPOTHETICAL.search(scope.lower()) or _MAY.search(scope):
        flags.add(Flag.HYPOTHETICAL)
    if _ABOUT_BEFORE.search(folded[max(0, span.start - 40) : span.start]) or _ABOUT_AFTER.match(
        folded, span.end
    ):
        flags.add(Flag.ABOUT)
    return frozenset(flags)


def _says(scope: str, pattern: re.Pattern[str], exempt: re.Pattern[str] | None) -> bool:
    if exempt is not None:
        scope = exempt.sub(" ", scope)
    return pattern.search(scope) is not None


def _scope(text: str, folded: str, span: Span) -> str:
    """The clause around the figure; in a table its row's label and its own cell."""
    line_start = folded.rfind("\n", 0, span.start) + 1
    line_end = folded.find("\n", span.end)
    line = folded[line_start : len(folded) if line_end < 0 else line_end]
    if "\t" in line:
        label = line.split("\t", 1)[0]
        cell_start = max(folded.rfind("\t", 0, span.start) + 1, line_start)
        cell_end = re.compile(r"[\t\n]").search(folded, span.end)
        return f"{label} {folded[cell_start : cell_end.start() if cell_end else len(folded)]}"
    clause = enclosing(clauses(text), span)
    return line if clause is None else folded[clause.start : clause.end]


_FILLER: Final = (
    r"(?: (?:by|of|about|approximately|around|roughly|nearly|almost|some|another|an?|the|additional|further"
    r"|more than|less than|over|at least|up to|um|von|auf(?! )|de|d['’]"
    r"|slightly|modestly|sharply|significantly|strongly|organically|sequentially|year[- ]over[- ]year"
    r"|year[- ]on[- ]year|only|just|record|total|nominal))*,? ?(?:\()?\Z"
)
_UP: Final = (
    r"\b(?:up|increas(?:e|es|ed|ing)|rose|rise|rises|risen|rising|grew|grow|grows|grown|growing|growth"
    r"|gain(?:s|ed)?|climb(?:s|ed)?|jump(?:s|ed)?|improv(?:e|es|ed|ement|ements)|advanc(?:e|es|ed)"
    r"|stieg(?:en)?|gestiegen|wuchs(?:en)?|zuwachs|anstieg|hausse|augment(?:é|e|ation)|progress(?:é|e|ion)"
    r"|surg(?:e|es|ed)|soar(?:s|ed)?|expand(?:s|ed)?|expansion|higher|raised)"
)
_DOWN: Final = (
    r"\b(?:down|decreas(?:e|es|ed|ing)|fell|fall|falls|fallen|falling|declin(?:e|es|ed|ing)|drop(?:s|ped)?"
    r"|dropping|reduc(?:e|es|ed|tion|tions)|lower(?:ed)?|shrank|slid|slipped|contract(?:ed|ion)"
    r"|sank(?:en)?|gesunken|fiel(?:en)?|gefallen|rückgang|baisse|baissé|recul|reculé|diminu(?:é|e|tion)"
    r"|lost|plunged|tumbled|cut)"
)
_UP_BEFORE: Final = re.compile(_UP + _FILLER, _I)
_DOWN_BEFORE: Final = re.compile(_DOWN + _FILLER, _I)
_UP_AFTER: Final = re.compile(
    r"[ -](?:\w+ )?(?:increase|rise|gain|growth|improvement|jump|surge|higher|more(?! than)|above|uplift"
    r"|expansion)\b",
    _I,
)
_DOWN_AFTER: Final = re.compile(
    r"[ -](?:\w+ )?(?:decrease|decline|drop|fall|reduction|lower|less(?! than)|below|contraction|loss)\b", _I
)
_LOSS: Final = re.compile(
    r"\b(?:net |operating |pre-?tax |diluted |basic )*(?:loss(?:es)?|deficit"
    r"|\w*verlust(?:e|es)?|pertes?(?: nettes?)?|déficit)\b(?![ ]*(?:ratio|rate|carry"
    r"|reserve|allowance|provision))"
    r"(?:[^.;:$€£0-9]{0,80}?\b(?:of|was|were|is|to|at|totall?ed|amounted to|reached"
    r"|betrug|belief sich auf|von|de|d['’]|s['’]élève à|s['’]établit à|était de))?:?(?: (?:about"
    r"|approximately|nearly|around|over|an?|the|roughly))* ?\(?\Z",
    _I,
)
_SET_ASIDE: Final = re.compile(
    r"\b(?:provisions?|allowances?|reserves?|recaptures?) (?:\w+ )?(?:for|against|of) (?:\w+ ){0,3}loss(?:es)?\b"
    r"|\b(?:credit|loan|lease|catastrophe) loss(?:es)?\b",
    _I,
)
"""Losses of a kind that a company sets money aside for: the amount is a cost or a balance, and no loss that it made."""
_DOWN_ABROAD: Final = re.compile(
    r"\b(?:sank(?:en)?|gesunken|fiel(?:en)?|verringerten?(?: sich)?)\b[^.;:]{0,60}\bum \Z"
    r"|\b\w*verlust(?:e|es)?\b[^.;:]{0,60}\Z|\bpertes?\b[^.;:]{0,60}\Z",
    _I,
)
"""In German and French the period stands between the verb and the figure."""
_UP_ABROAD: Final = re.compile(
    r"\b(?:stieg(?:en)?|wuchs(?:en)?|erhöhten?(?: sich)?)\b[^.;:]{0,60}\bum \Z", _I
)
_APPOSITION: Final = re.compile(
    r"(?P<amount>(?:[A-Z]{0,3}[$€£] ?)?[0-9][0-9.,]*(?: ?(?:%|percent|thousand|million|billion|basis points?"
    r"|bn|m))?),? or "
    r"(?:[A-Z]{0,3}[$€£] ?)?\Z"
)
"""The first of two names of one change: "increased $828 million, or 17%"."""
_LOSS_LABEL: Final = re.compile(r"\bloss(?:es)?\b|\bdeficit\b", _I)
_BOTH_WAYS: Final = re.compile(
    r"\b(?:income|profit|gain|earnings|\(loss|loss\)|surplus|benefit)\b|\(loss", _I
)


def direction(text: str, span: Span) -> Direction:
    """The direction that the words directly around `span` give the figure: a rise, a fall or a loss by it.

    A level reached ("rose to $4 billion") has none. In a table row only a label that speaks of losses alone
    counts.
    """
    folded = fold_words(text)
    line_start = max(folded.rfind("\n", 0, span.start), folded.rfind("\t", 0, span.start)) + 1
    row_start = folded.rfind("\n", 0, span.start) + 1
    if "\t" in folded[row_start : span.start]:
        label = folded[row_start : span.start].split("\t", 1)[0]
        if _LOSS_LABEL.search(_SET_ASIDE.sub(" ", label)) and not _BOTH_WAYS.search(label):
            return Direction.DECREASE
        return Direction.NONE
    apposition = _APPOSITION.search(folded[line_start : span.start])
    if apposition:
        at = line_start + apposition.start("amount")
        return direction(text, Span(at, line_start + apposition.end("amount")))
    clause = enclosing(clauses(text), span)
    start = max(line_start, span.start - 160, clause.start if clause else 0)
    before = folded[start : span.start].rstrip("($€£ ") + " "
    made = _LOSS.search(_SET_ASIDE.sub(" ", before))
    if _DOWN_BEFORE.search(before) or made or _DOWN_ABROAD.search(before):
        return Direction.DECREASE
    if _UP_BEFORE.search(before) or _UP_ABROAD.search(before):
        return Direction.INCREASE
    if _DOWN_AFTER.match(folded, span.end):
        return Direction.DECREASE
    if _UP_AFTER.match(folded, span.end):
        return Direction.INCREASE
    return Direction.NONE
