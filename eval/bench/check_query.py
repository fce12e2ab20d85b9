"""How fast are the checks: a 400-character query and a 100 KB body against 200 secrets, beside a bare regex.

Times are of the processor, so that what else the machine does counts little, and ratios are printed beside them;
everything is measured in one run. The
regex baseline looks for the same 200 values, literally and without regard to case, as a filter that decodes
nothing would do.

    python eval/bench/check_query.py [--queries N]
"""

from __future__ import annotations

import argparse
import base64
import random
import re
import resource
import statistics
import string
import time
import zlib
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


def _hostile(source: random.Random) -> dict[str, str]:
    """Bodies of up to a megabyte that are made to cost time."""

    def tokens(alphabet: str, length: int, size: int) -> str:
        return " ".join("".join(source.choices(alphabet, k=length)) for _ in range(size // (length + 1)))

    noise = base64.b64encode(source.randbytes(700_000)).decode()
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()
    nested = base64.b64encode(base64.b64encode(base64.b64encode(b"pump prices " * 35_000))).decode()
    return {
        "base64 of noise": noise,
        "base64 three times": nested,
        "compressed zeros": bomb,
        "short tokens": tokens(string.ascii_letters + string.digits + "+/", 40, 250_000),
        "symbols": tokens(string.punctuation, 30, 250_000),
        "figures": tokens(string.digits, 9, 250_000),
        "hex pairs": tokens("0123456789abcdef", 2, 250_000),
        "entities": "&#65;&amp;" * 25_000,
        "two scripts": tokens("abвгдеж", 7, 120_000),
        "kana": tokens("アカサタナ", 7, 80_000),
        "radio alphabet": "alfa bravo charlie delta " * 10_000,
        "one long list": "[" + ",".join(f'"item{number:05d}"' for number in range(18_000)) + "]",
        "days": "31 december 2027 and " * 12_000,
    }


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
    started = time.process_time()
    pack = build_pack(secrets, canaries=["bcd7fgh2jkm9npq4rst6"], memo="The memo of the case.")
    built = time.process_time() - started
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
        at = time.process_time()
        decision = evaluate(request, (pack,), state, policy)
        ours.append(time.process_time() - at)
        stopped += decision.verdict is not Verdict.ALLOW
        at = time.process_time()
        baseline.search(query)
        plain.append(time.process_time() - at)
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
        at = time.process_time()
        decision = evaluate(request, (pack,), state, policy)
        times.append(time.process_time() - at)
    views = explore(View(body)).views
    best = min(times)
    speed = _BODY_BYTES / best / 1e6
    names = sorted({".".join(view.chain) or "payload" for view in views})
    print(f"body, {_BODY_BYTES // 1024} KiB: {speed:.2f} MB/s, verdict {decision.verdict.word}")
    print(f"views visited: {len(views)}: {', '.join(names)}")
    at = time.process_time()
    baseline.search(body)
    plain_body = time.process_time() - at
    worst = 0.0
    for name, text in _hostile(source).items():
        hostile = Request(RequestKind.BODY, text.encode(), content_type="text/plain")
        at = time.process_time()
        verdict = evaluate(hostile, (pack,), state, policy).verdict.word
        took = time.process_time() - at
        worst = max(worst, took)
        print(f"hostile, {name}: {len(hostile.payload)} bytes, {took * 1e3:.0f} ms, {verdict}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"hostile, the slowest: {worst * 1e3:.0f} ms; largest resident size of this run: {peak} MiB")
    print(f"bare regex on the body: {_BODY_BYTES / plain_body / 1e6:.1f} MB/s; ratio {best / plain_body:.1f}")


if __name__ == "__main__":
    main()
