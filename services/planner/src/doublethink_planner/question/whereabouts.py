"""Words that say where a figure stands: "on its balance sheet", "according to the proxy statement", "in Acme's 10-Q".

They never enter a query, since a page does not say them of itself beside its figures. What such words tell beside
the place is kept: whose document it is, and, where the question names no other period, the document's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from doublethink_figures import find_periods

_STATEMENT: Final = (
    r"income statements?|profit and loss (?:accounts?|statements?)|balance sheets?|cash[- ]flow statements?"
    r"|statements? of (?:consolidated )?(?:operations|income|earnings|cash flows?|financial (?:position|condition)"
    r"|comprehensive (?:income|loss)|changes in (?:stockholders'|shareholders')? ?equity"
    r"|(?:stockholders'|shareholders') equity)|financial statements|financials|footnotes?"
    r"|notes to (?:the |its )?(?:consolidated )?financial statements|MD&A|summary compensation table"
)
_DOCUMENT: Final = (
    r"(?:form )?(?:10-?[kq]|8-?k|6-?k|20-?f|40-?f|s-1|f-1|def ?14a|(?:sc(?:hedule)? ?)?13[dgf])(?:/a)?"
    r"(?: (?:filings?|reports?))?"
    r"|proxy(?: (?:statements?|filings?))?|prospectus(?: supplement)?"
    r"|(?:press|earnings|news|results?) (?:releases?|announcements?|reports?|statements?)"
    r"|(?:annual|quarterly|interim|half-year(?:ly)?|current|trading|sustainability) (?:reports?|filings?|updates?"
    r"|statements?|accounts)|sec filings?|shareholder letters?|earnings calls?|filings?|reports?|releases?"
)
_SAYS: Final = (
    r"reported|stated|shown|disclosed|given|presented|listed|set (?:out|forth)|recorded|published|noted|filed"
)
_BEFORE: Final = (
    rf"(?:(?:as|and|it|that was|which was|was|were) )?(?:(?:{_SAYS}|contained|included|found|indicated"
    rf"|reflected|carried"
    r"|found) )?"
    r"(?:in|on|from|per|under|within|by|according to|based on|as per|looking at|reading|using|going by"
    r"|reviewing|regarding|concerning|considering)"
)
_OWNER: Final = (
    r"(?:(?:its|their|the|an?|this|that|his|her|the company's"
    r"|(?P<owner>(?-i:[A-Z])[^,;?]{0,60}?(?:'s|(?<=s)'))) )?"
)
_KIND: Final = (
    r"(?:(?:latest|most recent|recent|consolidated|condensed|unaudited|audited|interim|annual|quarterly|half-yearly|own"
    r"|results|earnings|definitive|preliminary|published|joint|amended|year-end|full-year|form|corresponding|same"
    r"|(?:(?:first|second|third|fourth)[- ](?:fiscal )?(?:quarter|half)|q[1-4]|h[12]|fy ?'?\d\d(?:\d\d)?"
    r"|(?:of )?(?:fiscal |calendar )?(?:year )?(?:19|20)\d\d)"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2},)?) )*"
)
_AFTER: Final = (
    r"(?:,? (?:on form [\w-]+(?:/a)?|(?:that (?:was )?|which (?:was )?)?(?:filed|furnished|dated|issued"
    r"|released|published)"
    r"(?: with the sec)?(?: (?:on|in|at))?(?: [A-Z][a-z]+ \d{1,2}, \d{4}| [A-Z][a-z]+ \d{4}| \d{4})?|with the sec))*"
)
_PLACE: Final = re.compile(
    rf"(?P<lead>^|,? )(?:{_BEFORE}) (?:the (?:cover(?: page)?|front page|face|text) of )?"
    rf"{_OWNER}(?P<kind>{_KIND})(?P<what>{_STATEMENT}|{_DOCUMENT}){_AFTER}"
    r"(?=[,:;).]|$| )(?P<comma>[,:;])?",
    re.IGNORECASE,
)
DOCUMENT: Final = re.compile(rf"\b(?:{_STATEMENT}|{_DOCUMENT})(?![\w-])", re.IGNORECASE)
"""A document or a statement in it, without anything around."""
_IS_STATEMENT: Final = re.compile(_STATEMENT, re.IGNORECASE)
_SHOWS: Final = re.compile(
    rf"(?P<owner>[A-Z][^,;?]{{0,60}}?)(?:'s|(?<=s)') (?P<kind>{_KIND})(?:{_STATEMENT}|{_DOCUMENT})"
    r"(?= (?:show|list|report|give|state|disclose|present|record|contain|indicate|say)s?\b)",
)
_OF_ITS_PERIOD: Final = re.compile(r" (?:for|covering|of|from) (?:the )?$", re.IGNORECASE)
_NOT_OF_THE_YEAR_NAMED: Final = re.compile(r"proxy|def ?14a|13[dgf]|prospectus|8-?k", re.IGNORECASE)
"""Documents that are named after the year they are published in."""
_BOOKS: Final = re.compile(r",? \bon (?:its|their|the) books\b", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"\b(?:(?P<its>its|their|the company's)|(?P<it>it|they|the company))\b")
_MAX_PLACES: Final = 6


@dataclass(frozen=True, slots=True)
class Place:
    """What is known from the words that were taken out: the document's owner and its period, empty where not said."""

    owner: str = ""
    period: str = ""


def without_places(sentence: str) -> str:
    """The sentence without them; owner and period of a document are said in its own words instead.

    A document's period stays only where the sentence has no other.
    """
    places: list[Place] = []
    sentence = _BOOKS.sub("", sentence)
    sentence = _SHOWS.sub(lambda found: found["owner"], sentence)
    for _ in range(_MAX_PLACES):
        found = _PLACE.search(sentence)
        if found is None:
            break
        end, period = found.end(), _period_in(found["kind"], found["what"])
        follow = _following_period(sentence, found.end("what"))
        if follow and not found["comma"]:
            end, period = follow[1], follow[0]
        places.append(Place(re.sub(r"(?:'s|')$", "", found["owner"] or ""), period))
        dated = re.match(r" dated (?=[A-Z0-9])", sentence[found.end("what") :])
        if dated and _IS_STATEMENT.fullmatch(found["what"]):
            # A statement's date is the figure's; a document's is not.
            sentence = f"{sentence[: found.end('what')]} at {sentence[found.end('what') + dated.end() :]}"
            end = found.end("what")
        before, after = sentence[: found.start()].rstrip(" ,"), sentence[end:].lstrip(" ,:;")
        sentence = f"{before} {after}".strip()
    for place in places:
        if place.owner:
            sentence = with_owner(sentence, place.owner)
    if not find_periods(sentence):
        stated = {place.period for place in places if place.period}
        if len(stated) == 1:
            sentence = f"{sentence} for {stated.pop()}"
    return sentence


def with_owner(sentence: str, owner: str) -> str:
    """The sentence with a name for its pronoun, or with the name behind where it has neither."""
    if owner in sentence:
        return sentence
    if _PRONOUN.search(sentence):
        return _PRONOUN.sub(lambda found: f"{owner}'s" if found["its"] else owner, sentence)
    return f"{sentence} of {owner}"


def _period_in(kind: str, what: str) -> str:
    if _NOT_OF_THE_YEAR_NAMED.search(what):
        return ""
    mentions = find_periods(kind)
    if len(mentions) == 1:
        return mentions[0].span.of(kind)
    vague = re.search(r"(?:first|second|third|fourth)[- ](?:quarter|half)|\bq[1-4]\b", kind, re.IGNORECASE)
    return f"the {vague[0].replace('-', ' ')}" if vague and not mentions else ""


def _following_period(sentence: str, at: int) -> tuple[str, int] | None:
    """The period that follows a document: "10-Q for the quarter ended ...", and where it ends."""
    for mention in find_periods(sentence):
        if mention.span.start >= at and _OF_ITS_PERIOD.fullmatch(sentence[at : mention.span.start]):
            return mention.span.of(sentence), mention.span.end
        if mention.span.start >= at and re.fullmatch(
            r" (?:for|covering) ", sentence[at : mention.span.start]
        ):
            return mention.span.of(sentence), mention.span.end
    return None
