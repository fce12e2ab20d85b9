"""A sentence before the question that only gives context: whom it is about, and which period.

"Acme filed its 10-Q for the quarter ended July 30, 2023. What was its net income?" A sentence that says anything
more may narrow what is asked, so that the question is not understood.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink_figures import find_periods

from . import lexicon
from .errors import NotUnderstood
from .lexicon import listed
from .memo_words import MemoWords
from .whereabouts import DOCUMENT, with_owner, without_places

_FILLER: Final = listed(
    """
    i we i'm we're am are is was were be a an the this that here it its their our my about at on in of for from to and
    with please looking look looked reviewing review reviewed reading read analyzing analysing studying
    considering consider
    interested following covering regarding concerning take suppose assume focus focusing
    company firm issuer corporation inc corp co ltd plc question case
    report reports reported reporting release releases released publish published announce announced file filed files
    submitted issued disclosed posted result results earnings financial financials quarterly annual figures numbers
    filing filings statement statements quarter year period first second third fourth fiscal half have has had
    just recently
    need know want data now only m ve re d ll
    """
)
_NAME: Final = re.compile(
    r"(?:[A-Z][\w&.-]*(?:'s)?|[a-z][A-Z]\w*)(?:(?: (?:of|and|&|the))* (?:[A-Z][\w&.-]*(?:'s)?))*(?:, (?:Inc|Ltd"
    r"|LLC)\.?)?"
)


def fold_context(context: list[str], sentence: str, words: MemoWords) -> str:
    """The asking sentence with the name and the period that the sentences before it give.

    Raises NotUnderstood where those say more than that.
    """
    names: list[str] = []
    periods: list[str] = []
    for said in context:
        said = _folded(said, names, periods)
        if said:
            raise NotUnderstood("a sentence beside the question says something of its own")
    if len(names) > 1 or len(periods) > 1:
        raise NotUnderstood("the context names several companies or periods")
    bare = sentence
    for mention in reversed(find_periods(sentence)):
        bare = f"{bare[: mention.span.start]} {bare[mention.span.end :]}"
    own = [name for name in _names(bare) if not words.is_plain(name)]
    if names and (not own or any(name in names[0] or names[0] in name for name in own)):
        sentence = with_owner(sentence, names[0])
    elif names:
        raise NotUnderstood("the context and the question name different companies")
    if periods and not find_periods(sentence):
        sentence = f"{sentence} for {periods[0]}"
    return sentence


def _folded(said: str, names: list[str], periods: list[str]) -> str:
    """Take name and period out of a sentence; what it says beside them is left."""
    said = said.strip(" .!:")
    said = re.sub(r"^([A-Z][a-z']+)(?= )", lambda word: _small(word[1]), said)
    rest = without_places(said)
    for mention in reversed(find_periods(rest)):
        words = re.sub(r"^the ", "", mention.span.of(rest), flags=re.IGNORECASE)
        if words not in periods:
            periods.append(words)
        rest = rest[: mention.span.start] + " " + rest[mention.span.end :]
    for name in _names(rest):
        if name not in names:
            names.append(name)
        rest = rest.replace(name, " ")
    rest = DOCUMENT.sub(" ", rest)
    left = [word for word in re.findall(r"[\w&-]+", rest.lower()) if word not in _FILLER and word != "s"]
    return " ".join(left)


def _small(word: str) -> str:
    return word.lower() if word.lower() in _FILLER else word


def _names(text: str) -> list[str]:
    found = []
    for mark in _NAME.finditer(text):
        name = re.sub(r"'s?$", "", mark[0])
        if mark.start() == 0 and name.lower() in _FILLER | lexicon.NOT_IN_A_SUBJECT:
            continue
        if len(name) > 1 and not re.fullmatch(
            r"(?:Q[1-4]|H[12]|FY\d*|I|GAAP|EPS|EBITDA|R&D|SG&A|ROIC|ROE|IPO)", name
        ):
            found.append(name)
    return found
