"""The abbreviations that a page defines itself: "return on invested capital (ROIC)".

A word in capitals in brackets stands for the words right before it whose initials it is, and so does the first of
two cells in a list of terms. What a page spells in two ways stands for nothing.
"""

import re
from collections.abc import Mapping, Set
from typing import Final

from .words import STOP, canonical, words

Abbreviations = Mapping[str, frozenset[str]]
"""From an abbreviation's stem to the stems of what it stands for."""

_DEFINED: Final = re.compile(r"\([“\"‘']?(?P<short>[A-Z]{3,6})[,.]?[”\"’']?\)")
_LISTED: Final = re.compile(r"^(?P<short>[A-Z]{3,6})\t(?P<spelled>[A-Za-z][^\t\n]{3,120})$", re.MULTILINE)
_LOOK_BACK: Final = 160
"""Characters before the bracket in which the words stand."""
_SMALL: Final = STOP | {"before", "after", "per", "or"}
"""Words that an abbreviation may leave out."""
_MOST: Final = 64


def abbreviations(text: str, names: Set[str]) -> dict[str, frozenset[str]]:
    """What the page's abbreviations stand for; `names`: words that are names, and so no abbreviations."""
    found: dict[str, frozenset[str]] = {}
    unclear: set[str] = set()
    defined = [
        (m["short"], text[max(0, m.start() - _LOOK_BACK) : m.start()]) for m in _DEFINED.finditer(text)
    ]
    for capitals, before in (*defined, *((m["short"], m["spelled"]) for m in _LISTED.finditer(text))):
        short = capitals.casefold()
        spelled = _spelled(before, short)
        if spelled is None or short in names or len(found) >= _MOST:
            continue
        if found.setdefault(short, spelled) != spelled:
            unclear.add(short)
    return {short: spelled for short, spelled in found.items() if short not in unclear}


def _spelled(before: str, short: str) -> frozenset[str] | None:
    """The stems of the last words of `before` whose initials are `short`."""
    line = before.rpartition("\n")[2].rpartition("\t")[2]
    at = len(short)
    kept: list[str] = []
    for word in reversed(words(line)):
        initial = line[word.span.start].casefold()
        if at and initial == short[at - 1]:
            at -= 1
        elif word.stem not in _SMALL:
            return None
        kept.insert(0, word.stem)
        if at == 0:
            stems = canonical(tuple(s for s in kept if s not in STOP))
            return frozenset(stems) if len(stems) > 1 else None
    return None


def spell(stems: frozenset[str], known: Abbreviations) -> frozenset[str]:
    """`stems` with the abbreviations among them spelled out."""
    if not known or known.keys().isdisjoint(stems):
        return stems
    return frozenset().union(*(known.get(s, frozenset({s})) for s in stems))
