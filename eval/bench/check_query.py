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
from dataclasses import dataclass, replace

from doublethink_fingerprint import Explored, Pack, View, build_pack, encode_pack, explore
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import Policy, default_policy

_SECRETS = 200
_QUERY_CHARS = 400
_BODY_BYTES = 100 * 1024
_BODY_RUNS = 3
_PLAIN_SHARE = 0.93
_SESSION_CALLS = 10_000
_SESSION_CHECKS = 50
_WARM = 60
_SYLLABLES = "bra cor dun el fen gar hol is jun kel lor mer nis ol pra quen ros sil tor ul ver wis"
# Of these no secret is made.
_OTHER_SYLLABLES = "ash bel chi dov ewe gat hov kim lun mok nob pet rud sev tav wob yar zim"
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


def secrets(source: random.Random) -> list[_Secret]:
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


def text_of(source: random.Random, chars: int) -> str:
    words: list[str] = []
    size = 0
    while size < chars:
        words.append(source.choice(_PLAIN.split()))
        size += len(words[-1]) + 1
    return " ".join(words)[:chars]


def _mixed_text(source: random.Random, chars: int) -> str:
    """Prose with what real questions have in it: names, figures, days, marks, addresses, and a code here and there."""
    makers = (
        lambda: "".join(source.choice(_OTHER_SYLLABLES.split()) for _ in range(2)).capitalize(),
        lambda: f"{source.randrange(1, 9999)}.{source.randrange(10)}%",
        lambda: f"{source.randrange(1990, 2026)}?",
        lambda: f"{source.randrange(1, 28)} March {source.randrange(1990, 2026)},",
        lambda: source.choice(
            ["10-K", "(non-current)", "e-mail", "Q3", "the company's", "i've", "EBITDA", "top-up?"]
        ),
        lambda: f"https://example.com/{source.randrange(10**6)}?page={source.randrange(9)}",
    )
    words: list[str] = []
    size = 0
    while size < chars:
        plain = source.random() < _PLAIN_SHARE
        words.append(source.choice(_PLAIN.split()) if plain else source.choice(makers)())
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
    confirmed = secrets(source)
    started = time.process_time()
    pack = build_pack(confirmed, canaries=["bcd7fgh2jkm9npq4rst6"], memo="The memo of the case.")
    built = time.process_time() - started
    print(f"pack: {len(confirmed)} secrets, {len(encode_pack(pack))} bytes, built in {built * 1e3:.0f} ms")

    policy, state = default_policy(), SessionState()
    # Compiled once, as ours is made ready once.
    baseline = re.compile("|".join(re.escape(secret.value) for secret in confirmed), re.IGNORECASE)
    for warm in range(_WARM):
        # What a gate that runs knows already: tables, and words that come again and again.
        text = (text_of, _mixed_text)[warm % 2](source, _QUERY_CHARS)
        evaluate(Request(RequestKind.QUERY, text.encode()), (pack,), state, policy)
    for name, make in (("plain prose", text_of), ("mixed prose", _mixed_text)):
        queries = [make(source, _QUERY_CHARS) for _ in range(count)]
        ours, plain, stopped, decoded = _over_queries(queries, pack, policy, baseline)
        p50, p99 = _middle_and_tail(ours)
        r50, r99 = _middle_and_tail(plain)
        print(
            f"query of {_QUERY_CHARS} characters, {name}: p50 {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms,"
            f" stopped {stopped} of {count}; {statistics.mean(decoded):.1f} views, at most {max(decoded)}"
        )
        print(f"  bare regex: p50 {r50 * 1e3:.3f} ms, p99 {r99 * 1e3:.3f} ms; ratio at p50 {p50 / r50:.1f}")
    for name, make in (("plain prose", text_of), ("mixed prose", _mixed_text)):
        # Each body once: what is remembered of one would make it look faster.
        _over_body(name, [make(source, _BODY_BYTES) for _ in range(_BODY_RUNS)], pack, policy, baseline)
    _over_session(source, pack, policy)
    print(f"largest resident size: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


def _over_queries(
    queries: list[str], pack: Pack, policy: Policy, baseline: re.Pattern[str]
) -> tuple[list[float], list[float], int, list[int]]:
    """Return the seconds of our check and of the baseline, how many were stopped, and the views of each."""
    ours: list[float] = []
    plain: list[float] = []
    decoded: list[int] = []
    stopped = 0
    for query in queries:
        request = Request(RequestKind.QUERY, query.encode())
        at = time.process_time()
        decision = evaluate(request, (pack,), SessionState(), policy)
        ours.append(time.process_time() - at)
        stopped += decision.verdict is not Verdict.ALLOW
        at = time.process_time()
        baseline.search(query)
        plain.append(time.process_time() - at)
        decoded.append(len(_explored(query).views))
    return ours, plain, stopped, decoded


def _explored(text: str) -> Explored:
    """The views of a text. A view that was left out for its size would be said in `unreadable`."""
    explored = explore(View(text))
    if explored.unreadable:
        print(f"  NOT ALL READ: {', '.join(explored.unreadable)}")
    return explored


def _over_body(name: str, bodies: list[str], pack: Pack, policy: Policy, baseline: re.Pattern[str]) -> None:
    times = []
    for body in bodies:
        request = Request(RequestKind.BODY, body.encode(), content_type="text/plain")
        at = time.process_time()
        decision = evaluate(request, (pack,), SessionState(), policy)
        times.append(time.process_time() - at)
    best = min(times)
    at = time.process_time()
    baseline.search(body)
    plain = time.process_time() - at
    views = _explored(body)
    names = sorted({".".join(view.chain) or "payload" for view in views.views})
    print(
        f"body of {_BODY_BYTES // 1024} KiB, {name}: {_BODY_BYTES / best / 1e6:.2f} MB/s,"
        f" verdict {decision.verdict.word}; bare regex {_BODY_BYTES / plain / 1e6:.1f} MB/s,"
        f" ratio {best / plain:.1f}"
    )
    print(
        f"  views visited: {len(views.views)}, with {sum(len(view.text) for view in views.views)} characters,"
        f" left out for their size: {len(views.unreadable)}: {', '.join(names)}"
    )


def _over_session(source: random.Random, pack: Pack, policy: Policy) -> None:
    """Check with a memory that is as full as calls can make it, beside an empty one."""
    large = 10**9
    free = replace(policy, budgets=replace(policy.budgets, attempts=large, queries=large, bytes=large))
    letters = "".join(_SYLLABLES.split())
    state = SessionState()
    started = time.process_time()
    for number in range(_SESSION_CALLS // 10):
        start = source.randrange(len(letters) - 4)
        code = base64.b64encode(str(number).encode()).decode()
        request = Request(RequestKind.QUERY, f"{letters[start : start + 4]} bracor x {code}".encode())
        state = state.attempted().fold(request, pack)
    folded = time.process_time() - started
    # Nothing that is remembered grows with the number of calls: the rest of them is only counted.
    state = replace(state, calls=_SESSION_CALLS, attempts=_SESSION_CALLS, queries=_SESSION_CALLS)
    queries = [Request(RequestKind.QUERY, text_of(source, 80).encode()) for _ in range(_SESSION_CHECKS)]
    times: dict[str, list[float]] = {}
    for name, memory in (("empty", SessionState()), ("full", state)):
        times[name] = []
        for request in queries:
            at = time.process_time()
            evaluate(request, (pack,), memory, free)
            times[name].append(time.process_time() - at)
    empty, full = statistics.median(times["empty"]), statistics.median(times["full"])
    print(
        f"query of 80 characters in a session of {_SESSION_CALLS} calls: {full * 1e3:.2f} ms, in its first call"
        f" {empty * 1e3:.2f} ms, ratio {full / empty:.1f}; {len(state.pieces)} pieces, {len(state.texts)} texts,"
        f" {len(state.chunks)} chunks; a call folded in {folded / (_SESSION_CALLS // 10) * 1e3:.2f} ms"
    )


if __name__ == "__main__":
    main()
