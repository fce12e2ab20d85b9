"""Provenance: a rare memo word may leave only if public text of this session has shown it.

Rare alone cannot block: up to a quarter of ordinary queries hold a rare word. Rare, in the memo, not approved
and not yet seen can: then the memo is where it comes from. Long tokens that look like ciphertext or a hash
are held back too, in queries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from doublethink_fingerprint import MemoMark

from doublethink_gate.checks.blobs import is_blob, rare_scripts
from doublethink_gate.checks.container import Opened
from doublethink_gate.checks.decision import Finding
from doublethink_gate.checks.request import Request, RequestKind
from doublethink_gate.checks.state import SessionState
from doublethink_gate.policy import Policy

_TOKEN = re.compile(r"[A-Za-z0-9+/=_-]{16,}")


def check_provenance(
    request: Request, opened: Opened, marks: Collection[MemoMark], state: SessionState, policy: Policy
) -> Iterator[Finding]:
    """Yield a finding for every memo word, memo figure and unexplained blob."""
    explained = state.explained({mark.digest for mark in marks}, policy.provenance.trusted_hosts)
    for mark in marks:
        if mark.digest not in explained:
            rule = "provenance.number" if mark.is_number else "provenance.word"
            yield Finding(rule, "provenance", *opened.to_bytes(mark.start, mark.end), chain=mark.chain)
    if request.kind is RequestKind.QUERY:
        for match in _TOKEN.finditer(opened.root.text):
            if match[0] not in state.public_blobs and is_blob(match[0]):
                yield Finding("provenance.blob", "provenance", *opened.to_bytes(*match.span()))
        for span in rare_scripts(opened.root.text):
            yield Finding("provenance.script", "provenance", *opened.to_bytes(*span))
