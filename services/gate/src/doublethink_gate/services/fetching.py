"""How a result gets its page: the session's own stored one if there is one, and else by a request.

Where the source gives pages, one request brings one. Where the gate asks the page's own server, each redirect is a
request of its own, with its own verdict, row and outcome, and the last of them brings the page.

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

from doublethink_gate.egress.outbound import Admitted, Method, Outbound, Received
from doublethink_gate.fetching.hops import Hops
from doublethink_gate.ids import IdType, from_bytes, mint
from doublethink_gate.runtime import Runtime
from doublethink_gate.sessions.address import canonical
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.material import Page, Result
from doublethink_gate.sessions.replay import seen_page
from doublethink_gate.sessions.turns import Turns
from doublethink_gate.sources import RawResponse

MAX_TEXT_BYTES: Final = 4_194_304
_MOST: Final = 2**31 - 1


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
        delivery: asyncio.Task[Page | str] | None = None
        try:
            if address in live.fetched:
                stored = await self.stored(live.id, [result])
                if result.id in stored:
                    return stored[result.id]
            hops = None if self._runtime.direct is None else self._runtime.direct.hops()
            onward = result.url
            while True:
                delivery = await self._begin(live, query_id, result, onward, hops, call)
                arrived = await asyncio.shield(delivery)
                if isinstance(arrived, Page):
                    return arrived
                onward = arrived
        finally:
            # The turn ends with the request and not with a caller who goes away.
            if delivery is None or delivery.done():
                self._turns.leave(turn)
            else:
                delivery.add_done_callback(lambda _: self._turns.leave(turn))

    async def _shared(self, session: str, page: Page, result: str) -> Page:
        return await self._runtime.material.share_page(session, mint(IdType.PAGE), page.fetched, result)

    async def _begin(
        self, live: LiveSession, query_id: str, result: Result, url: str, hops: Hops | None, call: Call
    ) -> asyncio.Task[Page | str]:
        """Ask for a result's page at an address; the task ends with the page, or the address where it leads on to."""
        runtime = self._runtime
        direct = runtime.direct
        prepared = (
            runtime.source.prepare_fetch(url)
            if direct is None or hops is None
            else direct.prepare(url, hops.rules)
        )
        outbound = Outbound(
            method=Method.EXTRACT,
            prepared=prepared,
            text=url,
            query=query_id,
            result=result.id,
            rules=None if hops is None else hops.rules,
        )

        async def receive(
            admitted: Admitted, response: RawResponse, outcome_id: uuid.UUID
        ) -> tuple[Page | str, Received]:
            if direct is not None and hops is not None and response.location is not None:
                return direct.onward(hops, prepared, response.location), Received({})
            fetched = runtime.source.read_page(url if direct is None else prepared.url, response)
            extracted = await runtime.extractor.extract(fetched.raw, fetched.content_type)
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
                hidden_elements=min(extracted.hidden_elements, _MOST),
                hidden_characters=min(extracted.hidden_characters, _MOST),
                cut=extracted.cut or fetched.cut,
                fetched=id,
            )
            # Before the outcome row, so that whoever reads that row finds what it speaks of.
            address = canonical(result.url)
            await runtime.material.insert_page(live.id, page, fetched.raw, address, fetched.content_type)
            live.fetched.add(address)
            keys: dict[str, BodyValue] = {
                "page": page.id,
                "response": page.raw_sha256.hex(),
                "cut": page.cut,
            }
            for key, count in (
                ("hidden_elements", page.hidden_elements),
                ("hidden_characters", page.hidden_characters),
            ):
                if count:
                    keys[key] = count
            if fetched.credits is not None:
                keys["credits"] = fetched.credits
            return page, Received(keys, seen=seen_page(page))

        return await runtime.exchange.begin(live, outbound, runtime.source.send, receive, call)
