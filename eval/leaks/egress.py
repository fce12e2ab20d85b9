"""What the checks make of the outbound cases of a public benchmark of egress filters, read as bodies.

    python eval/leaks/egress.py [--cases FILE.jsonl] [--show]

Each line has `payload`, `expected` ("block" or "allow"), `category` and `why`. The payload is checked as JSON text and
nothing else: no secret is loaded, no destination judged, and what a tool's description tells an agent to do is no leak.
Exit status: 0, or 4 where there are no cases.
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many of either kind were stopped, by category, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    folder = Path(os.environ.get("DOUBLETHINK_CASES") or Path(__file__).resolve().parents[3] / "shared/cases")
    parser.add_argument("--cases", type=Path, default=folder / "aeb_outbound.jsonl")
    parser.add_argument("--show", action="store_true", help="print each case that was judged otherwise")
    options = parser.parse_args(arguments)
    if not options.cases.is_file():
        print("NOT RUN: the cases are absent; set DOUBLETHINK_CASES to the test data folder", file=sys.stderr)
        return _MISSING
    policy = default_policy()
    total: Counter[tuple[str, str]] = Counter()
    stopped: Counter[tuple[str, str]] = Counter()
    for line in options.cases.read_text("utf-8").splitlines():
        case = json.loads(line)
        body = json.dumps(case["payload"], ensure_ascii=False).encode()
        request = Request(RequestKind.BODY, body, content_type="application/json")
        decision = evaluate(request, (), SessionState(), policy)
        caught = decision.verdict is not Verdict.ALLOW
        key = (case["expected"], case["category"])
        total[key] += 1
        stopped[key] += caught
        if options.show and caught != (case["expected"] == "block"):
            print(f"{case['expected']}: {case['category']}: {case['why']} {' '.join(decision.rules)}")
    for key in sorted(total):
        print(f"expected {key[0]:<5} {key[1]:<24} {stopped[key]:>3} of {total[key]:>3} stopped")
    for expected in ("block", "allow"):
        chosen = [key for key in total if key[0] == expected]
        print(
            f"expected {expected}: {sum(stopped[k] for k in chosen)} of {sum(total[k] for k in chosen)} stopped"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
