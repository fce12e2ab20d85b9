"""How a result gets its page: the session's own stored one if there is one, and else by a request.

Within one session an address is fetched once. Another query that finds it gets a page of its own, with an id
that is valid for that query, which shares the bytes of the first. Nothing of this crosses sessions. Two
replicas that are asked for the same address at the same moment both fetch it: they share nothing but the
database.
"""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import Sequence
from typing import Final

from doublethink_ledger import BodyValue
from doublethink_rpc import Call

from doublethink_gate import pages
from doublethink_gate.egress.outbound import Admitted, Method, Outbound, Received
from doublethink_gate.ids import IdType, from_bytes, mint
from doublethink_gate.runtime import Runtime
from doublethink_gate.sessions.address import canonical
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.material import Page, Result
from doublethink_gate.sessions.replay import seen_page
from doublethink_gate.sessions.turns import Turns
from doublethink_gate.sources import RawResponse

MAX_TEXT_BYTES: Final = 4_194_304
_LIMITS: Final = pages.Limits(text_bytes=MAX_TEXT_BYTES)
_INLINE_BYTES: Final = 4096


class PageFetcher:
    """Pages for results. Its methods raise LedgerUnavailable, and `fetch` what `Exchange.run` raises."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._turns = Turns()

    async def stored(self, session: str, results: Sequence[Result]) -> dict[str, Page]:
        """Return the pages that need no request, each as the page of its result (the key)."""
        wanted = {result.id: canonical(result.url) for result in results}
        found = await self._runtime.material.stored_pages(session, wanted)
        return {
            id: page if page.result == id else await self._shared(session, page, id)
            for id, page in found.items()
        }

    async def fetch(self, live: LiveSession, query_id: str, result: Result, call: Call) -> Page:
        """Return the page of a result that was not stored when the call began.

        Of several calls that want one address, one makes the request; the others wait for what it stores,
        and the next of them tries for itself if it stored nothing.
        """
        address = canonical(result.url)
        turn = live.id, address
        await self._turns.take(turn)
        delivery: asyncio.Task[Page] | None = None
        try:
            if address in live.fetched:
                stored = await self.stored(live.id, [result])
                if result.id in stored:
                    return stored[result.id]
            delivery = await self._begin(live, query_id, result, address, call)
            # The turn ends with the request and not with a caller who goes away.
            delivery.add_done_callback(lambda _: self._turns.leave(turn))
        finally:
            if delivery is None:
                self._turns.leave(turn)
        return await asyncio.shield(delivery)

    async def _shared(self, session: str, page: Page, result: str) -> Page:
        return await self._runtime.material.share_page(session, mint(IdType.PAGE), page.fetched, result)

    async def _begin(
        self, live: LiveSession, query_id: str, result: Result, address: str, call: Call
    ) -> asyncio.Task[Page]:
        runtime = self._runtime
        outbound = Outbound(
            method=Method.EXTRACT,
            prepared=runtime.source.prepare_fetch(result.url),
            text=result.url,
            query=query_id,
            result=result.id,
        )

        async def receive(
            admitted: Admitted, response: RawResponse, outcome_id: uuid.UUID
        ) -> tuple[Page, Received]:
            fetched = runtime.source.read_page(result.url, response)
            extracted = await _extract(fetched.raw, fetched.content_type)
            text = extracted.text.encode()
            id = from_bytes(IdType.PAGE, admitted.row_id.bytes)
            page = Page(
                id=id,
                query=query_id,
                result=result.id,
                row_id=outcome_id,
                url=fetched.final_url,
                title=extracted.title,
                source_class=result.source_class,
                fetched_at_us=runtime.clock() if fetched.captured_at_us is None else fetched.captured_at_us,
                raw_sha256=hashlib.sha256(fetched.raw).digest(),
                text=text,
                text_sha256=hashlib.sha256(text).digest(),
                extractor=extracted.extractor.replace(" ", "/"),
                hidden_elements=0,
                hidden_characters=min(sum(extracted.stripped.values()), 2**31 - 1),
                cut=extracted.cut,
                fetched=id,
            )
            # Before the outcome row, so that whoever reads that row finds what it speaks of.
            await runtime.material.insert_page(live.id, page, fetched.raw, address, fetched.content_type)
            live.fetched.add(address)
            keys: dict[str, BodyValue] = {
                "page": page.id,
                "response": page.raw_sha256.hex(),
                "cut": page.cut,
            }
            if fetched.credits is not None:
                keys["credits"] = fetched.credits
            return page, Received(keys, seen=seen_page(page))

        return await runtime.exchange.begin(live, outbound, runtime.source.send, receive, call)


async def _extract(raw: bytes, content_type: str) -> pages.ExtractedPage:
    """Turn a page into text, a large one beside the event loop. Raises pages.PageError."""
    if len(raw) <= _INLINE_BYTES:
        return pages.extract_page(raw, content_type, _LIMITS)
    return await asyncio.to_thread(pages.extract_page, raw, content_type, _LIMITS)
