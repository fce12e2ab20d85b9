"""How long bodies that are made to cost time hold the checks up, how much memory they take, and what becomes of them.

Each body is judged in a process of its own, so that its peak of resident memory is its own; the first line is an
ordinary body of the same size as the others, for comparison. Times are of the processor.

    python eval/bench/hostile.py [--only NAME] [--quick]

Exit status: 0 every hostile body was refused, 1 one was not.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import multiprocessing
import random
import resource
import string
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_fingerprint import build_pack  # noqa: E402 - the project's folder must be on the path
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate  # noqa: E402 - as above
from doublethink_gate.policy import default_policy  # noqa: E402 - as above

from eval.bench.check_query import secrets, text_of  # noqa: E402 - as above

_MEBIBYTE = 1 << 20
# Just below the length from which a text is refused unread.
_TAKEN_APART = 240_000


@dataclass(frozen=True)
class Body:
    """A body and what its headers say."""

    data: bytes
    content_type: str = "text/plain"
    encoding: str | None = None


def _tokens(alphabet: str, length: int, size: int) -> str:
    source = random.Random(7)
    return " ".join("".join(source.choices(alphabet, k=length)) for _ in range(size // (length + 1)))


def _text(text: str) -> Body:
    return Body(text.encode())


def _nested(times: int) -> Body:
    data = b"pump prices " * 30_000
    for _ in range(times):
        data = base64.b64encode(data)
    return Body(data[:_MEBIBYTE])


def _json(text: str) -> Body:
    return Body(text.encode(), "application/json")


def _form(text: str) -> Body:
    return Body(text.encode(), "application/x-www-form-urlencoded")


BODIES: dict[str, Callable[[], Body]] = {
    "base64 of noise": lambda: Body(base64.b64encode(random.Random(7).randbytes(786_432))),
    "base64 three times": lambda: _nested(3),
    "base64 nine times, small": lambda: Body(_layers(b"pump prices", 9)),
    "bomb in base64": lambda: Body(base64.b64encode(zlib.compress(bytes(50_000_000)))),
    "bomb as content encoding": lambda: Body(gzip.compress(bytes(50_000_000)), "application/json", "gzip"),
    "many bombs": lambda: Body(b" ".join([base64.b64encode(zlib.compress(bytes(900_000)))] * 200)[:_TAKEN_APART]),
    "digits": lambda: _text("".join(random.Random(7).choices(string.digits, k=_MEBIBYTE))),
    "digits, spaced": lambda: _text(" ".join(random.Random(7).choices(string.digits, k=_TAKEN_APART // 2))),
    "numbers of nine digits": lambda: _text(_tokens(string.digits, 9, _TAKEN_APART)),
    "letter a": lambda: _text("a" * _MEBIBYTE),
    "letter a, spaced": lambda: _text("a " * (_MEBIBYTE // 2)),
    "brackets of JSON": lambda: _json("[" * (_MEBIBYTE // 2) + "]" * (_MEBIBYTE // 2)),
    "objects of JSON": lambda: _json('{"a":' * 170_000 + "1" + "}" * 170_000),
    "strings of JSON": lambda: _json("[" + '"a",' * 260_000 + "1]"),
    "numbers of JSON": lambda: _json("[" + "1," * (_MEBIBYTE // 2) + "1]"),
    "escapes of JSON": lambda: _json('"' + "\\u0041" * 170_000 + '"'),
    "backslashes of JSON": lambda: _json('"' + "\\" * _MEBIBYTE),
    "keys of JSON": lambda: _json(json.dumps({f"key{number}": f"value{number}" for number in range(9_000)})),
    "fields of a form": lambda: _form("a=b&" * (_MEBIBYTE // 4)),
    "separators of a form": lambda: _form("=" * _MEBIBYTE),
    "percent signs": lambda: _text("%" * _MEBIBYTE),
    "percent signs, spaced": lambda: _text("% " * (_TAKEN_APART // 2)),
    "percent of percent": lambda: _text("%" + "25" * (_MEBIBYTE // 2)),
    "zero-width characters": lambda: _text("\u200b" * (_MEBIBYTE // 3)),
    "zero-width bits, spaced": lambda: _text("\u200b\u200c " * (_TAKEN_APART // 3)),
    "regional indicators": lambda: _text("\U0001f1e6" * (_MEBIBYTE // 4)),
    "regional indicators, spaced": lambda: _text("\U0001f1e6 " * (_TAKEN_APART // 2)),
    "combining marks": lambda: _text("a" + "\u0301" * (_MEBIBYTE // 2)),
    "combining marks, spaced": lambda: _text("a\u0301 " * (_TAKEN_APART // 3)),
    "entities, spaced": lambda: _text("&#65;&amp; " * (_TAKEN_APART // 11)),
    "tags without an end": lambda: _text("<a " * (_TAKEN_APART // 3)),
    "short tokens": lambda: _text(_tokens(string.ascii_letters + string.digits + "+/", 40, _TAKEN_APART)),
    "symbols": lambda: _text(_tokens(string.punctuation, 30, _TAKEN_APART)),
    "pairs of hex": lambda: _text(_tokens("0123456789abcdef", 2, _TAKEN_APART)),
    "two scripts": lambda: _text(_tokens("abвгдеж", 7, 120_000)),
    "kana": lambda: _text(_tokens("アカサタナ", 7, 80_000)),
    "radio alphabet": lambda: _text("alfa bravo charlie delta " * (_TAKEN_APART // 25)),
    "pictures with selectors": lambda: _text("\U0001f600\ufe01 " * (_TAKEN_APART // 3)),
    "white space as bits": lambda: _text("\t " * (_TAKEN_APART // 2)),
}  # fmt: skip
"""Hostile bodies by what they are made of: of a mebibyte, or of what is just short enough to be taken apart."""


def _layers(data: bytes, times: int) -> bytes:
    for _ in range(times):
        data = base64.b64encode(data)
    return data


def judge(body: Body, answer: Connection) -> None:
    """Judge a body in this process, and send seconds, the growth of resident memory in MiB, verdict and rules."""
    pack = build_pack(
        secrets(random.Random(7)), canaries=["bcd7fgh2jkm9npq4rst6"], memo="The memo of the case."
    )
    policy, state = default_policy(), SessionState()
    evaluate(Request(RequestKind.QUERY, b"pump prices"), (pack,), state, policy)
    request = Request(
        RequestKind.BODY, body.data, content_type=body.content_type, content_encoding=body.encoding
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    decision = evaluate(request, (pack,), state, policy)
    took = time.process_time() - started
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    answer.send((took, grown / 1024, decision.verdict, decision.rules[:2]))


def in_a_process(body: Body) -> tuple[float, float, Verdict, tuple[str, ...]]:
    """Judge a body in a fresh process, whose peak of memory is this body's."""
    # Not forked: what a parent's memory holds would count.
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=judge, args=(body, there))
    process.start()
    there.close()
    try:
        answer: tuple[float, float, Verdict, tuple[str, ...]] = here.recv()
    finally:
        process.join()
    return answer


def main() -> int:
    """Print a line for each body, and the slowest and the largest."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=list(BODIES), help="one body alone")
    parser.add_argument("--quick", action="store_true", help="every fourth body")
    options = parser.parse_args()
    names = [options.only] if options.only else list(BODIES)[:: 4 if options.quick else 1]
    plain = Body(text_of(random.Random(7), _TAKEN_APART).encode())
    took, grown, verdict, _ = in_a_process(plain)
    base = took
    print(
        f"{'ordinary prose':<28} {len(plain.data):>8} bytes {took * 1e3:6.0f} ms {grown:5.0f} MiB  {verdict.word}"
    )
    slowest, largest, passed = 0.0, 0.0, 0
    for name in names:
        body = BODIES[name]()
        took, grown, verdict, rules = in_a_process(body)
        slowest, largest = max(slowest, took), max(largest, grown)
        passed += verdict is not Verdict.BLOCK
        print(
            f"{name:<28} {len(body.data):>8} bytes {took * 1e3:6.0f} ms {grown:5.0f} MiB"
            f"  {verdict.word} {', '.join(rules)}"
        )
    print(
        f"{len(names)} hostile bodies, {len(names) - passed} refused; the slowest {slowest * 1e3:.0f} ms,"
        f" {slowest / base:.1f} times the ordinary one; the largest {largest:.0f} MiB more than before it"
    )
    return int(passed > 0)


if __name__ == "__main__":
    sys.exit(main())
