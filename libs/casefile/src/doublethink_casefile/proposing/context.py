"""What the words around a name say: that it is on our side, or that the market compares it with others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from doublethink_casefile.proposing.shapes import Span

_SIDE: Final = r"(?:client|principal|buyer|bidder|acquirer|acquiror|purchaser|sponsor|offeror)"
_BEFORE: Final = re.compile(
    rf"(?i)(?:\b{_SIDE}s?['’]?s?\b|\b(?:advis(?:e|es|ed|ing)|act(?:s|ed|ing)? for|on behalf of|retained by"
    r"|mandated by|engaged by|instructed by|mandate (?:from|of)))"
    r"(?:[\s,:;(\"“'|*_–—-]|\b(?:is|are|the|named|called|company|firm|group|family|fund|being|our)\b){0,12}$"
)
_AFTER: Final = re.compile(
    rf"(?i)^[\s\"”'|*_]{{0,3}}[,(–—:|-]?\s{{0,2}}(?:who is|which is|is|being|as)?\s{{0,2}}"
    rf"(?:our|the|your)?\s{{0,2}}[\"“']?{_SIDE}\b"
)
_LOOK: Final = 60
_CLIENT_BEFORE: Final = re.compile(rf"(?i)\b{_SIDE}\b[^.\n;,]{{0,40}}$")
_CLIENT_AFTER: Final = re.compile(
    rf"(?i)^[\"”'’]?\s{{0,2}}[(,]?\s?(?:is|for|means|stands for)?\s?(?:the|our)?\s?{_SIDE}\b"
)
_PEERS: Final = re.compile(
    r"(?i)\b(?:peers?(?: group| companies)?|comparables?|comparable companies|comps|competitors?|rivals?"
    r"|compar(?:e|es|ed|ing|ison)|benchmark(?:s|ed|ing)?)\b"
)
_IS_A_PEER: Final = re.compile(
    r"(?i)^[\s\"”'|*_,(]{0,3}(?:is|are|was|were|remains?|counts? as|(?:is )?listed as)?\s{1,2}"
    r"(?:also\s)?(?:an?\s|the\s|one of (?:the|its|their|our)\s|among (?:the|its|their|our)\s)?(?:[\w-]{1,20}\s)?"
    r"(?:peers?|competitors?|comparables?|rivals?)\b"
)
_END: Final = re.compile(r"\n[ \t]*\n|(?<=[^\W\d_]{3})[.!?](?=\s|$)|(?<=\))[.!?](?=\s|$)")
_ENTRIES: Final = re.compile(r"(?:\s*\n[ \t]*(?:[-*•–·]|\d{1,2}[.)])[ \t]+[^\n]*)+")


def our_side(memo: str, span: Span) -> bool:
    """Whether the words just before or after say that this is who we work for."""
    before = memo[max(0, span[0] - _LOOK) : span[0]]
    return bool(_BEFORE.search(before)) or bool(_AFTER.match(memo[span[1] : span[1] + _LOOK]))


def beside(memo: str, span: Span, codes: Iterable[str]) -> bool:
    """Whether one of the code names stands in brackets behind a name, or the name in brackets behind it."""
    before, after = memo[max(0, span[0] - _LOOK) : span[0]], memo[span[1] : span[1] + _LOOK]
    opened = re.search(r"([\w-]+)[\"”'’]?\s{0,2}[(\[]\s{0,2}$", before)
    closed = re.match(r"\s{0,2}[(\[]\s{0,2}[\"“„'‘]?([\w-]+)", after)
    return any(found is not None and found[1] in codes for found in (opened, closed))


def clients_code(memo: str, span: Span) -> bool:
    """Whether the sentence of a code name says, close before or after it, that it is the client's."""
    before = memo[max(0, span[0] - _LOOK) : span[0]]
    after = memo[span[1] : span[1] + _LOOK]
    return bool(_CLIENT_BEFORE.search(before)) or bool(_CLIENT_AFTER.match(after))


def said_peer(memo: str, span: Span) -> bool:
    """Whether the words just after say that it is a peer or a competitor."""
    return bool(_IS_A_PEER.match(memo[span[1] : span[1] + _LOOK]))


def peer_lists(memo: str) -> Iterator[Span]:
    """From a word like "peers" or "compare with" to the end of its sentence, or of the list that follows."""
    for match in _PEERS.finditer(memo):
        end = _END.search(memo, match.end())
        stop = end.start() if end else len(memo)
        if memo[match.end() : stop].rstrip().endswith(":"):
            entries = _ENTRIES.match(memo, stop if memo[stop : stop + 1] == "\n" else match.end())
            stop = entries.end() if entries else stop
        yield match.start(), stop
