"""What the checks make of the outbound cases of a public benchmark of egress filters, read as bodies.

    python eval/leaks/egress.py [--cases FILE.jsonl] [--show]

Each line has `payload`, `expected` ("block" or "allow"), `category` and `why`. The payload is checked as JSON text and
nothing else: no secret is loaded, no destination judged, so what is stopped is stopped by its form: credentials,
personal data, addresses of inner machines, and orders to machines and agents.

Every case that was judged otherwise is named with the reason for it. Exit status: 0 all cases as expected, or each
exception has a reason; 1 one has none; 4 there are no cases.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy

_MISSING = 4
_UNEXPLAINED = "none: a miss"

# By the benchmark's own word for what a case is about. A reason says which part of the product answers for it.
REASONS = {
    "domain_on_blocklist": "destination: an ordinary address of a host that only a list of hosts can refuse; the "
    "policy's `destinations.hosts` is such a list, and no destination is judged here",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many of either kind were stopped, by category, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    folder = Path(os.environ.get("DOUBLETHINK_CASES") or Path(__file__).resolve().parents[3] / "shared/cases")
    parser.add_argument("--cases", type=Path, default=folder / "aeb_outbound.jsonl")
    parser.add_argument("--show", action="store_true", help="print which rules stopped how many")
    options = parser.parse_args(arguments)
    if not options.cases.is_file():
        print("NOT RUN: the cases are absent; set DOUBLETHINK_CASES to the test data folder", file=sys.stderr)
        return _MISSING
    policy = default_policy()
    total: Counter[tuple[str, str]] = Counter()
    stopped: Counter[tuple[str, str]] = Counter()
    rules: Counter[str] = Counter()
    exceptions: list[tuple[str, str]] = []
    for line in options.cases.read_text("utf-8").splitlines():
        case = json.loads(line)
        body = json.dumps(case["payload"], ensure_ascii=False).encode()
        request = Request(RequestKind.BODY, body, content_type="application/json")
        decision = evaluate(request, (), SessionState(), policy)
        caught = decision.verdict is not Verdict.ALLOW
        key = (case["expected"], case["category"])
        total[key] += 1
        stopped[key] += caught
        if caught == (case["expected"] == "block"):
            rules.update(rule for rule in decision.rules if caught)
            continue
        reason = REASONS.get(case["why"], _UNEXPLAINED)
        exceptions.append(
            (
                f"expected {case['expected']}: {case['category']}: {case['why']} {' '.join(decision.rules)}",
                reason,
            )
        )
    for key in sorted(total):
        print(f"expected {key[0]:<5} {key[1]:<24} {stopped[key]:>3} of {total[key]:>3} stopped")
    for expected in ("block", "allow"):
        chosen = [key for key in total if key[0] == expected]
        print(
            f"expected {expected}: {sum(stopped[k] for k in chosen)} of {sum(total[k] for k in chosen)} stopped"
        )
    if options.show:
        for rule, count in rules.most_common():
            print(f"  {count:>4}  {rule}")
    for name, reason in exceptions:
        print(f"exception: {name}\n  reason: {reason}")
    return int(any(reason == _UNEXPLAINED for _, reason in exceptions))


if __name__ == "__main__":
    sys.exit(main())
