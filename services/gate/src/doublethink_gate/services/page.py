"""PageService: the validator's pages, fetched by rank and never by an address that a caller wrote."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import page_pb2
from doublethink_rpc import Call

from doublethink_gate.egress.retrying import retrying
from doublethink_gate.errors import (
    Blocked,
    BudgetExhausted,
    Held,
    Malformed,
    NotInRecording,
    PageTooLarge,
    PageUnreadable,
    Refusal,
    SourceRateLimited,
    SourceUnavailable,
)
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.services.fetching import PageFetcher
from doublethink_gate.services.queries import approved_text
from doublethink_gate.services.search import source_class_number
from doublethink_gate.sessions import capabilities
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.material import Page, Result

MAX_PAGES: Final = 8
_MAX_TITLE_BYTES: Final = 1_024

_OUTCOMES: Final[tuple[tuple[type[Refusal], page_pb2.PageOutcome], ...]] = (
    (PageTooLarge, page_pb2.PAGE_OUTCOME_TOO_LARGE),
    (PageUnreadable, page_pb2.PAGE_OUTCOME_UNREADABLE),
    (Blocked, page_pb2.PAGE_OUTCOME_BLOCKED),
    (Held, page_pb2.PAGE_OUTCOME_BLOCKED),
    (BudgetExhausted, page_pb2.PAGE_OUTCOME_BUDGET_EXHAUSTED),
    (SourceUnavailable, page_pb2.PAGE_OUTCOME_FETCH_FAILED),
    (SourceRateLimited, page_pb2.PAGE_OUTCOME_FETCH_FAILED),
    (NotInRecording, page_pb2.PAGE_OUTCOME_FETCH_FAILED),
)


class PageService:
    """The handler of `doublethink.gate.v1.PageService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._fetcher = PageFetcher(runtime)

    async def FetchPages(
        self, request: page_pb2.FetchPagesRequest, call: Call
    ) -> AsyncIterator[page_pb2.FetchPagesResponse]:
        """Stream the query, then its first pages in rank order, each fetched unless the session has it already.

        Raises CapabilityRefused, SessionClosed, IdRefused, Malformed, Overloaded, LedgerUnavailable,
        Conflict, ProviderRefused.
        """
        runtime = self._runtime
        now_us = runtime.clock()
        grant = await authorise(runtime.store, call, now_us)
        if not 1 <= request.pages <= MAX_PAGES:
            raise Malformed
        query = await runtime.material.query(grant.session.id, request.query_id)
        live = await runtime.registry.live(grant.session, now_us)
        text = await approved_text(runtime, query)
        reader = capabilities.mint()
        await runtime.store.bind_reader(live.id, query.id, reader, runtime.limits.readers_per_query)
        yield page_pb2.FetchPagesResponse(
            query=page_pb2.ApprovedQuery(query_id=query.id, text=text, reader_capability=reader.secret)
        )
        results = await runtime.material.results(live.id, query.id)
        wanted = [result for result in results if _is_of(result, request.source_class)]
        async for message in self._in_order(live, query.id, wanted[: request.pages], call):
            yield message

    async def GetPage(self, request: page_pb2.GetPageRequest, call: Call) -> page_pb2.GetPageResponse:
        """Return a stored page of the session. Raises CapabilityRefused, SessionClosed, IdRefused."""
        grant = await authorise(self._runtime.store, call, self._runtime.clock())
        page = await self._runtime.material.page(grant.session.id, request.page_id)
        return page_pb2.GetPageResponse(page=_message(page))

    async def _in_order(
        self, live: LiveSession, query_id: str, results: list[Result], call: Call
    ) -> AsyncIterator[page_pb2.FetchPagesResponse]:
        """Give a message a result in rank order, while the next few are being fetched."""
        places = asyncio.Semaphore(self._runtime.limits.pages_at_once)

        async def one(result: Result, stored: Page | None) -> page_pb2.FetchPagesResponse:
            if stored is not None:
                return page_pb2.FetchPagesResponse(page=_message(stored, result.title))
            async with places:
                return await self._one(live, query_id, result, call)

        # Looked up before any fetch begins: from there on each one waits its turn for the session's lock in
        # the order in which it came, so that a budget which does not suffice goes to the first ranks.
        known = await self._fetcher.stored(live.id, results)
        tasks = [asyncio.create_task(one(result, known.get(result.id))) for result in results]
        try:
            for task in tasks:
                yield await task
        finally:
            # A caller that has enough stops the rest: what was not written down yet is not sent.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(
        self, live: LiveSession, query_id: str, result: Result, call: Call
    ) -> page_pb2.FetchPagesResponse:
        try:
            page = await retrying(
                lambda: self._fetcher.fetch(live, query_id, result, call),
                call,
                self._runtime.limits.source_attempts,
                self._runtime.limits,
            )
        except Refusal as refusal:
            for kind, outcome in _OUTCOMES:
                if isinstance(refusal, kind):
                    failed = page_pb2.FailedPage(outcome=outcome, rank=result.rank)
                    return page_pb2.FetchPagesResponse(failed=failed)
            raise
        return page_pb2.FetchPagesResponse(page=_message(page, result.title))


def _is_of(result: Result, source_class: figures_pb2.SourceClass) -> bool:
    if source_class == figures_pb2.SOURCE_CLASS_UNSPECIFIED:
        return True
    return source_class_number(result.source_class) == source_class


def _message(page: Page, title: str = "") -> page_pb2.Page:
    """The message of a page; `title` is its search result's, cut to what the contract holds."""
    return page_pb2.Page(
        page_id=page.id,
        url=page.url,
        text=page.text.decode(),
        raw_sha256=page.raw_sha256,
        text_sha256=page.text_sha256,
        fetched_at_us=page.fetched_at_us,
        source_class=source_class_number(page.source_class),
        cut=page.cut,
        extractor=page.extractor,
        result_title=title.encode()[:_MAX_TITLE_BYTES].decode("utf-8", errors="ignore"),
    )
