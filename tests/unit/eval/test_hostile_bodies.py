"""The hostile bodies of the benchmark, without its clock."""

from __future__ import annotations

import pytest
from doublethink_fingerprint import build_pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy

from eval.bench.hostile import BODIES

PACK = build_pack([], memo="The figure of 48.213 was named by Przybylski.")


@pytest.mark.parametrize("name", BODIES)
def test_a_hostile_body_is_refused(name: str) -> None:
    """Each kind of body ends in a block because it cannot be read completely or has no such form."""
    body = BODIES[name]()
    request = Request(
        RequestKind.BODY, body.data, content_type=body.content_type, content_encoding=body.encoding
    )
    decision = evaluate(request, (PACK,), SessionState(), default_policy())
    assert decision.verdict is Verdict.BLOCK
    assert any(rule.startswith(("unreadable.", "shape.")) for rule in decision.rules)
