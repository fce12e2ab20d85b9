"""The checks in their order, and the verdict over all findings. Pure and synchronous: no input or output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from doublethink_fingerprint import (
    Explored,
    Hit,
    MemoMark,
    Pack,
    Prepared,
    Strength,
    View,
    WorkSpent,
    bounded_work,
    explore,
    limits,
    matcher_of,
    prepare,
)
from doublethink_fingerprint.marks import hashes_in

from doublethink_gate.checks.container import Opened, open_container, reduced, without
from doublethink_gate.checks.decision import SIZES, Decision, Finding, Verdict
from doublethink_gate.checks.destination import check_destination, is_judged
from doublethink_gate.checks.patterns import PACKS, find_patterns
from doublethink_gate.checks.provenance import check_provenance
from doublethink_gate.checks.request import Request, RequestKind
from doublethink_gate.checks.shape import check_shape, check_size
from doublethink_gate.checks.splits import find_splits
from doublethink_gate.checks.state import SessionState
from doublethink_gate.policy import Policy

_CLUE_CALLS = 20
_VERDICTS = {
    "block": Verdict.BLOCK,
    "rewrite": Verdict.REWRITE,
    "ask": Verdict.ASK,
    "allow": Verdict.ALLOW,
}
_PACK_OF = {f"pattern.{pattern.name}": pack for pack, patterns in PACKS.items() for pattern in patterns}
_TOO_MUCH_WORK = "unreadable.budget"
_ALWAYS_BLOCK = frozenset(["shape", "destination", "taint", "budget"])


def evaluate(request: Request, packs: Sequence[Pack], state: SessionState, policy: Policy) -> Decision:
    """Judge a request.

    Args:
        request: what would be sent.
        packs: fingerprints of all open sessions of the tenant, the session's own first. Confirmed secrets and
            canaries are looked up in all of them; provenance and splits over calls in the first alone.
        state: what the session has sent and seen so far.
        policy: the verdict per family of findings, and the bounds.
    """
    not_evaluated = ["taint"] if is_judged(request) else ["destination", "taint"]
    too_large = list(check_size(request, policy))
    if too_large:
        return _decide(request, too_large, policy, not_evaluated)
    opened = open_container(request)
    for first in (
        check_shape(request, opened, policy),
        check_budget(request, state, policy),
        check_destination(request, opened, policy),
    ):
        refusals = list(first)
        if refusals:
            return _decide(request, refusals, policy, not_evaluated)
    if not policy.provenance.enabled:
        not_evaluated.append("provenance")
    outside, public = _split_off_public(request, opened)
    findings: list[Finding] = []
    try:
        with bounded_work(limits.WORK_UNITS):
            findings.extend(_collect(request, opened, prepare(explore(*outside)), packs, state, policy))
    except WorkSpent:
        findings.append(Finding(_TOO_MUCH_WORK, "unreadable", 0, len(request.payload)))
    notices = find_public(public.text, packs[0]) if public and packs else ()
    return _decide(request, findings, policy, not_evaluated, notices)


# Words, a figure, an address, and what decoders look for, so that every automaton is asked.
_ORDINARY: Final = (
    b"Which company's revenue was $4.2 million in 2024 (https://example.com/report?year=2024), "
    b"SGVsbG8gd29ybGQsIGhlbGxv, 68656c6c6f20776f726c64, r3v3nu3, 01101000 01100101?"
)


def make_ready(policy: Policy) -> None:
    """Judge one query that nobody sends, so that the first real one does not wait while automata and tables are made.

    It takes a second or two of the processor, once in a process.
    """
    evaluate(Request(RequestKind.QUERY, _ORDINARY), (), SessionState(), policy)
    # Looked for where there is a pack, and there is none yet.
    list(hashes_in(_ORDINARY.decode()))


def check_budget(request: Request, state: SessionState, policy: Policy) -> Iterator[Finding]:
    """Yield a finding where one more attempt, or one more payload of this kind, is one too many."""
    budgets = policy.budgets
    size = len(request.payload)
    used, allowed = {
        RequestKind.QUERY: (state.queries, budgets.queries),
        RequestKind.URL: (state.pages, budgets.pages),
        RequestKind.BODY: (state.model_calls, budgets.model_calls),
    }[request.kind]
    if state.attempts >= budgets.attempts:
        yield Finding("budget.attempts", "budget", 0, size)
    if used >= allowed:
        yield Finding(f"budget.{request.kind.value}", "budget", 0, size)
    if state.tokens + request.tokens > budgets.tokens:
        yield Finding("budget.tokens", "budget", 0, size)
    if request.cost_micros is None:
        yield Finding("budget.price", "budget", 0, size)
    elif state.cost_micros + request.cost_micros > budgets.cost_micros:
        yield Finding("budget.dollars", "budget", 0, size)
    if state.sent_bytes + size > budgets.bytes:
        yield Finding("budget.bytes", "budget", 0, size)


def _split_off_public(request: Request, opened: Opened) -> tuple[tuple[View, Sequence[View]], View | None]:
    """Return the payload and its fields to check, and the text in them that is public already."""
    if not request.public_spans:
        return (opened.root, opened.more), None
    spans = tuple(_to_chars(opened, start, end) for start, end in request.public_spans)
    outside, inside = without(opened.root, spans)
    fields = [reduced(view, spans) for view in opened.more]
    return (outside, [view for view in fields if view.segments]), inside


def _to_chars(opened: Opened, start: int, end: int) -> tuple[int, int]:
    text = opened.root.text
    if text.isascii():
        return start, end
    data = text.encode("utf-8")
    # A span that cuts a character in two proves nothing about that character: shrink to whole ones.
    return len(data[:start].decode("utf-8", "ignore")), len(data[:end].decode("utf-8", "ignore"))


def _collect(
    request: Request,
    opened: Opened,
    prepared: Prepared,
    packs: Sequence[Pack],
    state: SessionState,
    policy: Policy,
) -> Iterator[Finding]:
    size = len(request.payload)
    marks = matcher_of(packs[0]).memo_marks(prepared) if packs else []
    hits = [(hit, pack) for pack in packs for hit in matcher_of(pack).hits(prepared)]
    unreadable = dict.fromkeys(prepared.explored.unreadable)
    if prepared.reader.overrun:
        unreadable.setdefault("budget")
    for reason in unreadable:
        yield Finding(f"unreadable.{reason}", "unreadable", 0, size)
    recent_clue = state.clue_call >= 0 and state.calls - state.clue_call <= _CLUE_CALLS
    for hit, pack, beside in _clued(hits, marks):
        finding = _secret(opened, hit, beside=beside or recent_clue)
        if finding is not None:
            earlier = recent_clue and not beside and hit.strength is not Strength.CERTAIN
            yield replace(
                finding,
                calls=(state.clue_call,) if earlier else (),
                size=SIZES[pack.values[hit.value].tier],
                elsewhere=pack is not packs[0],
            )
    for finding in find_splits(prepared, packs[0] if packs else None, state, size):
        # What this payload holds in pieces by itself is a secret like any other.
        yield finding if finding.calls else replace(finding, family="secret")
    patterns: list[Finding] = []
    for match in find_patterns(prepared.explored.views, policy.patterns):
        place = opened.to_bytes(match.start, match.end)
        patterns.append(Finding(match.rule, "pattern", *place, chain=match.chain))
        yield patterns[-1]
    if policy.provenance.enabled:
        for finding in check_provenance(request, opened, marks, state, policy):
            yield _known_form(finding, patterns)


def _known_form(finding: Finding, patterns: list[Finding]) -> Finding:
    """A blob that is a number of a known form, as it is written, is judged as that: nothing about it is unexplained."""
    if finding.rule == "provenance.blob":
        for pattern in patterns:
            if not pattern.chain and pattern.start <= finding.start and finding.end <= pattern.end:
                return replace(finding, family=_PACK_OF[pattern.rule])
    return finding


def _clued(hits: list[tuple[Hit, Pack]], marks: list[MemoMark]) -> Iterator[tuple[Hit, Pack, bool]]:
    """Yield each hit with whether this payload has a second clue: a memo word, or a hit of another value."""
    for hit, pack in hits:
        # What the memo says at the very same place is no second clue.
        beside = any(mark.end <= hit.start or hit.end <= mark.start for mark in marks) or any(
            other.value != hit.value and other.strength >= Strength.ASK and not _overlap(hit, other)
            for other, _ in hits
        )
        yield hit, pack, beside


def _secret(opened: Opened, hit: Hit, *, beside: bool) -> Finding | None:
    """Turn a hit into a finding; a weak one counts more with a clue beside it, and the weakest only then."""
    strength = hit.strength
    if beside and strength is Strength.ASK:
        strength = Strength.CERTAIN
    elif beside and strength is Strength.WITH_CLUE:
        strength = Strength.ASK
    if strength is Strength.WITH_CLUE:
        return None
    family = "canary" if hit.rule.startswith("canary") else "secret"
    if strength is Strength.ASK:
        family = "uncertain"
    return Finding(hit.rule, family, *opened.to_bytes(hit.start, hit.end), chain=hit.path)


def _overlap(one: Hit, other: Hit) -> bool:
    return one.start < other.end and other.start < one.end


def find_public(text: str, pack: Pack) -> tuple[str, ...]:
    """Return the notices about text that is public already, for the owner of the session's own pack.

    It stops nothing, so it is looked up as it stands, without decoding; each rule begins with "public.".
    """
    try:
        with bounded_work(limits.WORK_UNITS):
            hits = matcher_of(pack).hits(prepare(Explored((View(text),), ())))
    except WorkSpent:
        return (f"public.{_TOO_MUCH_WORK}",)
    certain = (hit.rule for hit in hits if hit.strength is Strength.CERTAIN)
    return tuple(dict.fromkeys(f"public.{rule}" for rule in certain))


def _decide(
    request: Request,
    findings: Iterable[Finding],
    policy: Policy,
    not_evaluated: list[str],
    notices: tuple[str, ...] = (),
) -> Decision:
    judged = sorted(
        (replace(finding, verdict=_verdict(request, finding, policy)) for finding in findings),
        key=lambda finding: (-finding.verdict, finding.start, finding.end, finding.rule),
    )
    counted = [finding for finding in judged if finding.verdict is not Verdict.ALLOW]
    return Decision(
        verdict=judged[0].verdict if judged else Verdict.ALLOW,
        rules=tuple(dict.fromkeys(finding.rule for finding in counted)),
        spans=tuple(sorted({(finding.start, finding.end) for finding in counted})),
        notices=notices,
        not_evaluated=tuple(not_evaluated),
        findings=tuple(counted),
    )


def _verdict(request: Request, finding: Finding, policy: Policy) -> Verdict:
    # Nobody can be asked about what was not looked at.
    if finding.family in _ALWAYS_BLOCK or finding.rule == _TOO_MUCH_WORK:
        return Verdict.BLOCK
    verdict = _VERDICTS[policy.verdict_for(_PACK_OF.get(finding.rule, finding.family))]
    if verdict is Verdict.REWRITE and not _may_be_rewritten(request, finding):
        return Verdict.BLOCK
    return verdict


def _may_be_rewritten(request: Request, finding: Finding) -> bool:
    """A query is words, of which some can be left out. A program reads a body or an address: cut, it says another
    thing. A canary, or a part of one, was copied from the memo: then nothing beside it is trusted. Another session's
    value would be known by what is missing.
    """
    planted = finding.rule.startswith(("canary", "split.canary"))
    return request.kind is RequestKind.QUERY and not planted and not finding.elsewhere
