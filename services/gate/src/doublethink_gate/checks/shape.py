"""Shape: is this a search query, an address, a body of the usual kind at all?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from doublethink_fingerprint.fold import is_invisible

from doublethink_gate.checks.container import Opened
from doublethink_gate.checks.decision import Finding
from doublethink_gate.checks.request import Request, RequestKind
from doublethink_gate.policy import Policy

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Joiners and selectors have a use beside pictures, and between letters of scripts that join (Arabic to Sinhala).
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")
_JOINED = re.compile(r"[\u0600-\u0dff]")
_MAX_JOINERS = 12
_ODD_SPACE = re.compile(r"[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]|(?<= ) ")
_MAX_ODD_SPACES = 8


def check_size(request: Request, policy: Policy) -> Iterator[Finding]:
    """Yield a finding where a payload is too large to be opened at all."""
    size = len(request.payload)
    # No character takes more than four bytes.
    most = (
        4 * policy.query.max_chars
        if request.kind is RequestKind.QUERY
        else policy.max_bytes(request.kind.value)
    )
    if size > most:
        yield Finding("shape.length" if request.kind is RequestKind.QUERY else "shape.size", "shape", 0, size)


def check_shape(request: Request, opened: Opened, policy: Policy) -> Iterator[Finding]:
    """Yield a finding for everything about the payload's outer form that the policy does not let through."""
    size = len(request.payload)
    if opened.refused is not None:
        yield Finding(opened.refused, opened.refused.partition(".")[0], 0, size)
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
        for at in _hidden(text):
            yield Finding("shape.hidden", "shape", *opened.to_bytes(at, at + 1))
        if len(_ODD_SPACE.findall(text)) > _MAX_ODD_SPACES:
            yield Finding("shape.whitespace", "shape", 0, size)


def _hidden(text: str) -> Iterator[int]:
    """Yield where characters stand that take no room on a screen, but for joiners where they do something: people
    do not type the others.
    """
    if text.isascii():
        return
    joiners = 0
    for at, char in enumerate(text):
        if char < "\x7f" or not is_invisible(char):
            continue
        beside = text[at - 1 : at], text[at + 1 : at + 2]
        if char in _JOINERS and (
            unicodedata.category(beside[0] or " ") in ("So", "Sk", "Mn") or all(map(_JOINED.match, beside))
        ):
            joiners += 1
            if joiners <= _MAX_JOINERS:
                continue
        yield at
