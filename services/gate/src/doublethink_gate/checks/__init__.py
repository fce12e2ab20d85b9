"""The checks: a pure function from a request, the packs, the session's state and the policy to a decision.

Order: shape, destination, taint, canary, confirmed secrets, patterns, provenance. The first three end the
matter when they refuse; of the rest every finding is collected, and the strongest verdict wins: block >
rewrite > ask > allow. `decide` rewrites a query beyond that, where the policy says so.
"""

from doublethink_gate.checks.decision import Decision, Finding, Verdict
from doublethink_gate.checks.pipeline import evaluate, find_public, make_ready
from doublethink_gate.checks.request import Request, RequestKind
from doublethink_gate.checks.rewriting import decide
from doublethink_gate.checks.state import SessionState
from doublethink_gate.policy.version import RULE_SET_VERSION

__all__ = [
    "RULE_SET_VERSION",
    "Decision",
    "Finding",
    "Request",
    "RequestKind",
    "SessionState",
    "Verdict",
    "decide",
    "evaluate",
    "find_public",
    "make_ready",
]
