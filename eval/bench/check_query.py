"""How fast are the checks: a 400-character query and a 100 KB body against 200 secrets, beside a bare regex.

Prints ratios as well as times, since times depend on the machine; everything is measured in one run. The
regex baseline looks for the same 200 values, literally and without regard to case, as a filter that decodes
nothing would do.

    python eval/bench/check_query.py [--queries N]
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import string
import time
from dataclasses import dataclass

from doublethink_fingerprint import View, build_pack, encode_pack, explore
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy

_SECRETS = 200
_QUERY_CHARS = 400
_BODY_BYTES = 100 * 1024
_BODY_RUNS = 3
_SYLLABLES = "bra cor dun el fen gar hol is jun kel lor mer nis ol pra quen ros sil tor ul ver wis"
_PLAIN = """
what was the change in net revenue of the company from the first quarter to the second quarter and how does it
compare with the figures that other makers of industrial pumps reported for the same period in their annual
report as filed with the regulator before the end of the fiscal year ended december 31 2019 and 2018
"""


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value,)


def _secrets(source: random.Random) -> list[_Secret]:
    """Invented code names, people, amounts, days and ids in equal parts."""

    def word(parts: int) -> str:
        return "".join(source.choice(_SYLLABLES.split()) for _ in range(parts)).capitalize()

    symbols = string.ascii_uppercase + string.digits
    makers = {
        "code": lambda: word(3),
        "name": lambda: f"{word(2)} {word(3)}",
        "number": lambda: f"{source.randrange(1, 900)}.{source.randrange(11, 99)} million EUR",
        "date": lambda: f"20{source.randrange(27, 60)}-0{source.randrange(1, 10)}-{source.randrange(10, 29)}",
        "id": lambda: "".join(source.choice(symbols) for _ in range(12)),
    }
    kinds = list(makers)
    return [_Secret(kinds[at % 5], makers[kinds[at % 5]]()) for at in range(_SECRETS)]


def _text(source: random.Random, chars: int) -> str:
    words: list[str] = []
    size = 0
    while size < chars:
        words.append(source.choice(_PLAIN.split()))
        size += len(words[-1]) + 1
    return " ".join(words)[:chars]


def _middle_and_tail(calls: list[float]) -> tuple[float, float]:
    ordered = sorted(calls)
    return statistics.median(ordered), ordered[len(ordered) * 99 // 100]


def main() -> None:
    """Run the benchmark and print its lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="a fifth of the queries")
    options = parser.parse_args()
    count = max(1, options.queries // 5) if options.quick else options.queries
    source = random.Random(7)
    secrets = _secrets(source)
    started = time.perf_counter()
    pack = build_pack(secrets, canaries=["bcd7fgh2jkm9npq4rst6"], memo="The memo of the case.")
    built = time.perf_counter() - started
    print(f"pack: {len(secrets)} secrets, {len(encode_pack(pack))} bytes, built in {built * 1e3:.0f} ms")

    policy, state = default_policy(), SessionState()
    baseline = re.compile("|".join(re.escape(secret.value) for secret in secrets), re.IGNORECASE)
    queries = [_text(source, _QUERY_CHARS) for _ in range(count)]
    evaluate(Request(RequestKind.QUERY, queries[0].encode()), (pack,), state, policy)
    ours: list[float] = []
    plain: list[float] = []
    stopped = 0
    for query in queries:
        request = Request(RequestKind.QUERY, query.encode())
        at = time.perf_counter()
        decision = evaluate(request, (pack,), state, policy)
        ours.append(time.perf_counter() - at)
        stopped += decision.verdict is not Verdict.ALLOW
        at = time.perf_counter()
        baseline.search(query)
        plain.append(time.perf_counter() - at)
    p50, p99 = _middle_and_tail(ours)
    r50, r99 = _middle_and_tail(plain)
    print(
        f"query, {_QUERY_CHARS} characters: p50 {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, alarms {stopped}"
    )
    print(f"bare regex: p50 {r50 * 1e3:.3f} ms, p99 {r99 * 1e3:.3f} ms; ratio at p50 {p50 / r50:.1f}")

    body = _text(source, _BODY_BYTES)
    request = Request(RequestKind.BODY, body.encode(), content_type="text/plain")
    times = []
    for _ in range(_BODY_RUNS):
        at = time.perf_counter()
        decision = evaluate(request, (pack,), state, policy)
        times.append(time.perf_counter() - at)
    views = explore(View(body)).views
    best = min(times)
    speed = _BODY_BYTES / best / 1e6
    names = sorted({".".join(view.chain) or "payload" for view in views})
    print(f"body, {_BODY_BYTES // 1024} KiB: {speed:.2f} MB/s, verdict {decision.verdict.word}")
    print(f"views visited: {len(views)}: {', '.join(names)}")
    at = time.perf_counter()
    baseline.search(body)
    plain_body = time.perf_counter() - at
    print(f"bare regex on the body: {_BODY_BYTES / plain_body / 1e6:.1f} MB/s; ratio {best / plain_body:.1f}")


if __name__ == "__main__":
    main()
