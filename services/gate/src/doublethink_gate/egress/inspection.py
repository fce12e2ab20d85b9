"""From a request to the checks' verdict over exactly the bytes that would be sent.

What is judged is taken from those bytes and not from what a caller said beside them: the query out of the
body of a search, the address out of the body of an extraction, the whole body of a completion.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol, TypeVar
from urllib.parse import urlsplit

from doublethink_fingerprint import Pack
from doublethink_ledger import Verdict

from doublethink_gate import checks
from doublethink_gate.checks import SessionState
from doublethink_gate.egress.outbound import Decision, Method, Outbound
from doublethink_gate.egress.payloads import body_of, estimate_of, page_url, question_of, search_text
from doublethink_gate.fetching import UrlRefused, judge_url
from doublethink_gate.policy import Policy, Prices
from doublethink_gate.reasons import reasons_of
from doublethink_gate.sessions.holds import Hold
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.registry import Registry
from doublethink_gate.sessions.store import SessionRecord

_INLINE_BYTES: Final = 4_096

_T = TypeVar("_T")

_VERDICTS: Final = {
    checks.Verdict.ALLOW: Verdict.ALLOW,
    checks.Verdict.ASK: Verdict.ASK,
    checks.Verdict.BLOCK: Verdict.BLOCK,
}


class Inspector(Protocol):
    """Judges requests against a session's state, and keeps that state up to what left and what came in."""

    async def inspect(self, live: LiveSession, outbound: Outbound) -> Decision:
        """Return the verdict over a request. Raises LedgerUnavailable where it cannot be had."""

    async def notices(self, pack: Pack, text: str) -> tuple[str, ...]:
        """Return rule ids for the confirmed secrets that public text prints, each beginning with "public."."""

    async def sent(self, state: SessionState, pack: Pack, method: str, payload: bytes) -> SessionState:
        """Return the state after a request that was allowed; `payload` is its canonical form."""

    async def seen(self, state: SessionState, pack: Pack, url: str, text: str) -> SessionState:
        """Return the state after public text that came in from an address."""


class ChecksInspector:
    """The shipped checks, with the packs of all open sessions of the tenant.

    Work on large payloads is done beside the event loop. A session's lock is held meanwhile, so that its
    state has one writer.
    """

    def __init__(
        self, policy: Policy, prices: Prices, registry: Registry, clock: Callable[[], int], source: str
    ) -> None:
        self._policy = policy
        self._prices = prices
        self._registry = registry
        self._clock = clock
        self._source = source

    async def inspect(self, live: LiveSession, outbound: Outbound) -> Decision:
        """Return the verdict over a request."""
        packs = await self._registry.tenant_packs(live.record.tenant, self._clock())
        ordered = [live.pack, *(pack for id, pack in packs.items() if id != live.id)]
        request = self._request(outbound.method, outbound.prepared.canonical(), outbound)
        policy = session_policy(self._policy, live.record)
        decision = await _beside(
            len(request.payload) * len(ordered),
            lambda: checks.decide(request, ordered, live.state, policy),
        )
        guarded = guard(outbound, len(request.payload))
        if guarded is not None:
            findings = (guarded, *decision.findings)
            found = tuple(dict.fromkeys((guarded.rule, *decision.rules)))
            return Decision(outbound, Verdict.BLOCK, found, reasons_of(findings, len(request.payload)))
        # A notice is a finding in text that is public already: it stops nothing, and its owner should know.
        rules = decision.rules + decision.notices
        reasons = reasons_of(decision.findings, len(request.payload)) if decision.findings else None
        if outbound.hold is not None:
            return Decision(outbound, _for_approved(decision, outbound.hold), rules, reasons)
        if decision.verdict is not checks.Verdict.REWRITE:
            return Decision(outbound, _VERDICTS[decision.verdict], rules, reasons)
        shorter = _rebuilt(outbound, decision)
        if shorter is not None:
            # The checks saw words; what is judged now is what is taken out of the bytes that would be sent.
            again = self._request(shorter.method, shorter.prepared.canonical(), shorter)
            sure = checks.evaluate(again, ordered, live.state, policy)
            if sure.verdict is checks.Verdict.ALLOW:
                return Decision(shorter, Verdict.REWRITE, rules, reasons, outbound.prepared.canonical())
        return Decision(outbound, Verdict.BLOCK, rules, reasons)

    async def notices(self, pack: Pack, text: str) -> tuple[str, ...]:
        """Return rule ids for the confirmed secrets that public text prints."""
        return await _beside(len(text), lambda: checks.find_public(text, pack))

    async def sent(self, state: SessionState, pack: Pack, method: str, payload: bytes) -> SessionState:
        """Return the state after a request that was allowed."""
        request = self._request(Method(method), payload)
        after = await _beside(len(request.payload), lambda: state.fold(request, pack))
        if method != Method.COMPLETE:
            return after
        # What is remembered of it is its question; what it cost is its whole body.
        return replace(after, sent_bytes=state.sent_bytes + len(body_of(payload)))

    async def seen(self, state: SessionState, pack: Pack, url: str, text: str) -> SessionState:
        """Return the state after public text that came in from an address."""
        host = urlsplit(url).hostname or ""
        return await _beside(len(text), lambda: state.saw_public_text(host, text, pack))

    def _request(self, method: Method, payload: bytes, outbound: Outbound | None = None) -> checks.Request:
        """Return what is judged, or remembered, of a request: the same for a new one and for one read
        back.
        """
        if method is Method.SEARCH:
            text = search_text(payload).encode()
            return checks.Request(checks.RequestKind.QUERY, text, destination=self._source)
        if method is Method.EXTRACT:
            return checks.Request(checks.RequestKind.URL, page_url(payload).encode())
        if outbound is None:
            # Its pages are public and its template is published: only the query is worth remembering.
            return checks.Request(checks.RequestKind.BODY, question_of(payload).encode(), "text/plain")
        estimate = estimate_of(outbound.prepared.body)
        return checks.Request(
            checks.RequestKind.BODY,
            outbound.prepared.body,
            content_type="application/json",
            # A recording has no host that could be allowed or not; that it answers at all is judged with each search.
            destination=outbound.host if outbound.leaves else None,
            public_spans=outbound.public_spans,
            tokens=estimate.tokens,
            cost_micros=estimate.cost_micros(self._prices),
        )


def _for_approved(decision: checks.Decision, hold: Hold) -> Verdict:
    """The verdict over a request that a person has approved. It settles the doubts that he was shown, and no others:
    what is certain by now stays blocked, a new doubt is held anew, and nothing but the approved bytes is sent.
    """
    if decision.verdict is checks.Verdict.REWRITE:
        return Verdict.BLOCK
    if decision.verdict is checks.Verdict.ASK and hold.rules.issuperset(decision.rules):
        return Verdict.ALLOW
    return _VERDICTS[decision.verdict]


def guard(outbound: Outbound, size: int) -> checks.Finding | None:
    """What the guard of addresses has against a page that the gate itself would ask for, out of the bytes that it would
    send. size: of what is judged, in bytes.
    """
    if outbound.rules is None:
        return None
    try:
        judge_url(page_url(outbound.prepared.canonical()), outbound.rules)
    except UrlRefused as refused:
        return checks.Finding(refused.rule, "destination", 0, size, verdict=checks.Verdict.BLOCK)
    return None


def _rebuilt(outbound: Outbound, decision: checks.Decision) -> Outbound | None:
    """The request with the text that the checks left of it; None where it is of a kind that has no other text."""
    if decision.rewritten is None or outbound.rebuild is None:
        return None
    text = decision.rewritten.decode("utf-8")
    return replace(outbound, prepared=outbound.rebuild(text), text=text)


def session_policy(policy: Policy, record: SessionRecord) -> Policy:
    """Return the policy with the budgets that the session was opened with."""
    budgets = replace(
        policy.budgets,
        queries=record.max_queries,
        pages=record.max_pages,
        model_calls=record.max_calls,
        bytes=record.max_bytes,
    )
    return replace(policy, budgets=budgets)


async def _beside(size: int, work: Callable[[], _T]) -> _T:
    return work() if size <= _INLINE_BYTES else await asyncio.to_thread(work)
