"""Shape: is this a search query, an address, a body of the usual kind at all?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from doublethink_gate.checks.container import Opened
from doublethink_gate.checks.decision import Finding
from doublethink_gate.checks.request import Request, RequestKind
from doublethink_gate.policy import Policy

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Format characters a query has no use for; joiners and selectors beside emoji are let through below.
_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]"
)
_EMOJI_JOIN = re.compile(r"[\u200d\ufe0f]")
_ODD_SPACE = re.compile(r"[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]|(?<= ) ")
_MAX_INVISIBLE = 3
_MAX_ODD_SPACES = 8


def check_shape(request: Request, opened: Opened, policy: Policy) -> Iterator[Finding]:
    """Yield a finding for everything about the payload's outer form that the policy does not let through."""
    size = len(request.payload)
    if opened.refused is not None:
        yield Finding(opened.refused, opened.refused.partition(".")[0], 0, size)
        return
    if size > policy.max_bytes(request.kind.value):
        yield Finding("shape.size", "shape", 0, size)
        return
    text = opened.root.text
    if request.kind is RequestKind.QUERY:
        if not text.strip():
            yield Finding("shape.empty", "shape", 0, size)
        if len(text) > policy.query.max_chars:
            yield Finding("shape.length", "shape", 0, size)
        for rule, pattern in (("shape.control", _CONTROL),):
            if match := pattern.search(text):
                yield Finding(rule, "shape", *opened.to_bytes(*match.span()))
        hidden = [match.start() for match in _INVISIBLE.finditer(text) if not _EMOJI_JOIN.match(match[0])]
        selectors = len(_EMOJI_JOIN.findall(text))
        if len(hidden) > _MAX_INVISIBLE or selectors > _MAX_INVISIBLE * 4:
            yield Finding("shape.hidden", "shape", 0, size)
        if len(_ODD_SPACE.findall(text)) > _MAX_ODD_SPACES:
            yield Finding("shape.whitespace", "shape", 0, size)
