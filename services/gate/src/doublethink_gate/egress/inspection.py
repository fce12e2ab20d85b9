"""From a request to the checks' verdict over exactly the bytes that would be sent.

What is judged is taken from those bytes and not from what a caller said beside them: the query out of the body
of a search, the address out of the body of an extraction, the whole body of a completion.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from doublethink_ledger import Verdict

from doublethink_gate import checks
from doublethink_gate.egress.outbound import Decision, Method, Outbound
from doublethink_gate.egress.payloads import page_url, question_of, search_text
from doublethink_gate.policy import Policy
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.registry import Registry

_INLINE_BYTES: Final = 16_384


class Inspector(Protocol):
    """Judges requests against a session's state, and keeps that state up to what left and what came in."""

    async def inspect(self, live: LiveSession, outbound: Outbound) -> Decision:
        """Return the verdict over a request. Raises LedgerUnavailable where it cannot be had."""

    async def sent(self, live: LiveSession, method: str, payload: bytes) -> None:
        """Take a request that was allowed into the state; `payload` is its canonical form."""

    async def seen(self, live: LiveSession, url: str, text: str) -> None:
        """Take public text that came in from an address into the state."""


class ChecksInspector:
    """The shipped checks, with the packs of all open sessions of the tenant."""

    def __init__(self, policy: Policy, registry: Registry, clock: Callable[[], int], source: str) -> None:
        self._policy = policy
        self._registry = registry
        self._clock = clock
        self._source = source

    async def inspect(self, live: LiveSession, outbound: Outbound) -> Decision:
        """Return the verdict over a request."""
        packs = await self._registry.tenant_packs(live.record.tenant, self._clock())
        others = [pack for id, pack in packs.items() if id != live.id]
        request = self._request(outbound)
        if len(request.payload) <= _INLINE_BYTES:
            decision = checks.evaluate(request, [live.pack, *others], live.state, self._policy)
        else:
            decision = await asyncio.to_thread(
                checks.evaluate, request, [live.pack, *others], live.state, self._policy
            )
        return Decision(outbound, Verdict(decision.verdict.word), decision.rules)

    async def sent(self, live: LiveSession, method: str, payload: bytes) -> None:
        """Take a request that was allowed into the state."""

    async def seen(self, live: LiveSession, url: str, text: str) -> None:
        """Take public text that came in from an address into the state."""

    def _request(self, outbound: Outbound) -> checks.Request:
        payload = outbound.prepared.canonical()
        if outbound.method is Method.SEARCH:
            text = search_text(payload).encode()
            return checks.Request(checks.RequestKind.QUERY, text, destination=self._source)
        if outbound.method is Method.EXTRACT:
            return checks.Request(checks.RequestKind.URL, page_url(payload).encode())
        return checks.Request(
            checks.RequestKind.BODY,
            outbound.prepared.body,
            content_type="application/json",
            destination=outbound.host,
            public_spans=outbound.public_spans,
        )
