"""`python -m doublethink_gate check`: the checks over JSON lines; nothing is sent.

Standard input begins with the fingerprint pack, framed by its length as four bytes, big-endian, so that no
secret is in an argument, a file or the environment. Then one JSON object per line. A line that cannot be used
gives a line with "error", and the rest goes on.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import sys
import time
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TextIO

from doublethink_fingerprint import Pack, PackFormatError, decode_pack
from doublethink_fingerprint.limits import PACK_BYTES

from doublethink_gate.checks import Decision, Finding, Request, RequestKind, SessionState, Verdict, decide
from doublethink_gate.policy import Policy, PolicyError, load_policy

_MAX_LINE_BYTES = 32 * 1024 * 1024
_MAX_SESSIONS = 10_000
_KINDS = {kind.value: kind for kind in RequestKind}


class LineError(Exception):
    """A line that is no request; the message never repeats its payload."""


def main(arguments: list[str]) -> int:
    """Run the command; return 0, or 2 where the pack or the policy cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate check", description=__doc__)
    parser.add_argument("--policy", type=Path, help="policy file; the shipped one is strict")
    parser.add_argument("--session-field", default="session", help="name of the field that holds the session")
    options = parser.parse_args(arguments)
    try:
        policy = load_policy(options.policy)
        return run_check(sys.stdin.buffer, sys.stdout, policy, options.session_field)
    except (PolicyError, PackFormatError) as error:
        sys.stderr.write(f"check: {error}\n")
    except OSError as error:
        sys.stderr.write(f"check: the policy file cannot be read ({error.strerror})\n")
    return 2


def run_check(stdin: BinaryIO, stdout: TextIO, policy: Policy, session_field: str = "session") -> int:
    """Read the pack, then judge every line in order; write one line for each.

    Raises:
        PackFormatError: the stream does not begin with a pack.
    """
    pack = _read_pack(stdin)
    sessions: OrderedDict[str, SessionState] = OrderedDict()
    for raw in iter(lambda: stdin.readline(_MAX_LINE_BYTES + 1), b""):
        if not raw.strip():
            continue
        if len(raw) > _MAX_LINE_BYTES:
            while raw and not raw.endswith(b"\n"):
                raw = stdin.readline(_MAX_LINE_BYTES + 1)
            _write(stdout, {"id": None, "error": "the line is too long"})
            continue
        _write(stdout, _answer(raw, pack, sessions, policy, session_field))
    return 0


def _read_pack(stdin: BinaryIO) -> Pack:
    head = stdin.read(4)
    size = int.from_bytes(head, "big")
    if len(head) != 4 or size > PACK_BYTES:
        raise PackFormatError("the input does not begin with a fingerprint pack")
    data = stdin.read(size)
    if len(data) != size:
        raise PackFormatError("the fingerprint pack is cut short")
    return decode_pack(data)


def _answer(
    raw: bytes,
    pack: Pack,
    sessions: OrderedDict[str, SessionState],
    policy: Policy,
    session_field: str,
) -> dict[str, object]:
    identifier: object = None
    try:
        line = _object(raw)
        identifier = line.get("id")
        request = _request(line)
        session = line.get(session_field, "")
        if not isinstance(session, str):
            raise LineError(f"{session_field} must be text")
    except LineError as error:
        return {"id": identifier, "error": str(error)}
    started = time.perf_counter_ns()
    state = sessions.pop(session, SessionState())
    decision = decide(request, (pack,), state, policy)
    state = state.attempted()
    if decision.verdict is Verdict.ALLOW:
        state = state.fold(request, pack)
    elif decision.rewritten is not None:
        state = state.fold(replace(request, payload=decision.rewritten), pack)
    sessions[session] = state
    if len(sessions) > _MAX_SESSIONS:
        sessions.popitem(last=False)
    micros = (time.perf_counter_ns() - started) // 1000
    return _line(identifier, line, request, decision, micros)


def _object(raw: bytes) -> dict[str, object]:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        raise LineError("not a JSON object") from None
    if not isinstance(line, dict):
        raise LineError("not a JSON object")
    return line


def _request(line: dict[str, object]) -> Request:
    kind = _KINDS.get(str(line.get("kind")))
    if kind is None:
        raise LineError("kind must be query, url or body")
    payload = line.get("payload")
    if not isinstance(payload, str):
        raise LineError("payload must be text")
    if line.get("b64") is True:
        try:
            data = base64.b64decode(payload, validate=True)
        except (binascii.Error, ValueError):
            raise LineError("payload is not base64 although b64 is true") from None
    elif line.get("b64") in (None, False):
        try:
            data = payload.encode("utf-8")
        except UnicodeEncodeError:
            raise LineError("payload holds a lone surrogate, which cannot be sent") from None
    else:
        raise LineError("b64 must be true or false")
    return Request(
        kind,
        data,
        content_type=_header(line, "content_type") or ("text/plain" if kind is RequestKind.BODY else None),
        content_encoding=_header(line, "content_encoding"),
    )


def _header(line: dict[str, object], key: str) -> str | None:
    value = line.get(key)
    if value is not None and not isinstance(value, str):
        raise LineError(f"{key} must be text")
    return value


def _line(
    identifier: object, line: dict[str, object], request: Request, decision: Decision, micros: int
) -> dict[str, object]:
    spans = decision.spans
    if line.get("b64") is not True:
        # A text payload's offsets count its characters, as the caller sees them; raw bytes count bytes.
        spans = tuple(sorted({_characters(request.payload, start, end) for start, end in spans}))
    rewritten = decision.rewritten
    return {
        "id": identifier,
        "verdict": decision.verdict.word,
        "rules": list(decision.rules),
        "spans": [list(span) for span in spans],
        "rewritten": None if rewritten is None else rewritten.decode("utf-8", "replace"),
        "micros": micros,
        "not_evaluated": list(decision.not_evaluated),
        "findings": [_finding(line, request, finding) for finding in dict.fromkeys(decision.findings)],
    }


def _finding(line: dict[str, object], request: Request, finding: Finding) -> dict[str, object]:
    """One reason in full; `calls` numbers the earlier payloads of the session that were let go, from 0."""
    span = (finding.start, finding.end)
    return {
        "rule": finding.rule,
        "verdict": finding.verdict.word,
        "span": list(span if line.get("b64") is True else _characters(request.payload, *span)),
        "chain": list(finding.chain),
        "over": "session" if finding.calls else "payload",
        "calls": list(finding.calls),
        "size": finding.size or None,
    }


def _characters(payload: bytes, start: int, end: int) -> tuple[int, int]:
    if payload.isascii():
        return start, end
    first = len(payload[:start].decode("utf-8", "ignore"))
    return first, first + len(payload[start:end].decode("utf-8", "ignore"))


def _write(stdout: TextIO, line: dict[str, object]) -> None:
    stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    stdout.flush()
