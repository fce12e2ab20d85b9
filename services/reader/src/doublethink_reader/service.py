"""`ReadingService`: a query and its pages in, claims out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final, Protocol

from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.gate.v1 import completion_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink_rpc import Call, Peer, RpcError, log
from doublethink_rpc.failpoint import reach

from .claims import MAX_CLAIMS, MAX_CLAIMS_PER_PAGE, Claim, to_message
from .completion import parse_answer
from .errors import AnswerRefused, RequestRefused
from .extractive import extract
from .failpoints import Point
from .query import Query, understand
from .wire import period_in, unit_class_in

MAX_PAGES: Final = 8
MAX_TEXT_BYTES: Final = 16 * 1024 * 1024
COMPLETE: Final = "doublethink.gate.v1.CompletionService/Complete"
_MARGIN_S: Final = 2.0
_REQUESTS_AT_ONCE: Final = 4
"""Requests of one call that are under way, each with one page."""


@dataclass(frozen=True, slots=True)
class Given:
    """What one call was given: the query and its pages, as (id, text)."""

    query_id: str
    query: Query
    pages: tuple[tuple[str, str], ...]


class BackEnd(Protocol):
    """What turns pages into claims."""

    def read(self, given: Given, call: Call) -> AsyncIterator[Claim]:
        """The claims, as they are found."""


class Extractive:
    """The back end without a model."""

    async def read(self, given: Given, call: Call) -> AsyncIterator[Claim]:
        """The claims of each page, found apart from the event loop."""
        most = min(MAX_CLAIMS_PER_PAGE, MAX_CLAIMS // max(1, len(given.pages)))
        for page_id, text in given.pages:
            for claim in await asyncio.to_thread(extract, page_id, text, given.query, most):
                yield claim


class Model:
    """The back end with a model behind the gate, which assembles each request itself.

    Each page is a request of its own: what one page says, a hostile one too, changes nothing of what the model answers
    about another; a request's size and cost are those of one page; and a page that the model will not or cannot answer
    about is left out alone.
    """

    def __init__(self, gate: Peer) -> None:
        self._gate = gate

    async def read(self, given: Given, call: Call) -> AsyncIterator[Claim]:
        """The claims of the model's answers, page by page in the order in which they were given.

        Raises `RpcError` with the gate's code where that is about more than one page, and MODEL_ANSWER_REFUSED where no
        page has an answer that can be used. Then and when nobody listens any more, nothing new is asked.
        """
        at_once = asyncio.Semaphore(_REQUESTS_AT_ONCE)
        most = MAX_CLAIMS // max(1, len(given.pages))
        asked = [
            asyncio.create_task(self._of_page(given.query_id, page_id, call, at_once))
            for page_id, _ in given.pages
        ]
        refused = 0
        try:
            for answer in asked:
                try:
                    claims = await answer
                except AnswerRefused:
                    refused += 1
                    continue
                for claim in claims[:most]:
                    yield claim
        finally:
            for answer in asked:
                answer.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
        if refused:
            log().warning("pages_left_out", query_id=given.query_id, pages=len(given.pages), left_out=refused)
        if refused == len(given.pages) > 0:
            raise RpcError(ErrorCode.ERROR_CODE_MODEL_ANSWER_REFUSED)

    async def _of_page(
        self, query_id: str, page_id: str, call: Call, at_once: asyncio.Semaphore
    ) -> tuple[Claim, ...]:
        """The claims about one page. Raises `AnswerRefused`, `RpcError`."""
        async with at_once:
            try:
                response = await self._gate.call(
                    COMPLETE,
                    completion_pb2.CompleteRequest(
                        template=completion_pb2.TEMPLATE_EXTRACT_CLAIMS,
                        query_id=query_id,
                        page_ids=[page_id],
                    ),
                    completion_pb2.CompleteResponse,
                    capability=call.capability,
                    deadline_s=max(0.0, call.remaining() - _MARGIN_S),
                )
            except RpcError as error:
                if error.code != ErrorCode.ERROR_CODE_MODEL_ANSWER_REFUSED:
                    raise
                raise AnswerRefused("the gate refused the model's answer") from None
        try:
            return parse_answer(response.completion, [page_id])
        except AnswerRefused:
            log().warning("model_answer_refused", bytes=len(response.completion))
            raise


class ReadingService:
    """The handler of the contract's one method."""

    def __init__(self, back_end: BackEnd) -> None:
        self._back_end = back_end

    async def Read(
        self, requests: AsyncIterator[reading_pb2.ReadRequest], call: Call
    ) -> AsyncIterator[reading_pb2.ReadResponse]:
        """Claims about the pages of one query. Raises `RpcError`."""
        try:
            given = await _receive(requests)
        except RequestRefused:
            raise RpcError(ErrorCode.ERROR_CODE_MALFORMED) from None
        await reach(Point.BEFORE_CLAIMS)
        sent = left_out = 0
        async for claim in self._back_end.read(given, call):
            message = to_message(claim)
            if message is None or sent >= MAX_CLAIMS:
                left_out += 1
                continue
            sent += 1
            yield message
        log().info("read", query_id=given.query_id, pages=len(given.pages), claims=sent, left_out=left_out)


async def _receive(requests: AsyncIterator[reading_pb2.ReadRequest]) -> Given:
    """The query, then its pages. Raises `RequestRefused`."""
    query: reading_pb2.ReadQuery | None = None
    pages: dict[str, str] = {}
    octets = 0
    async for request in requests:
        if request.WhichOneof("item") == "query":
            if query is not None:
                raise RequestRefused("the query was sent twice")
            query = request.query
            continue
        if query is None:
            raise RequestRefused("the query comes first")
        octets += len(request.page.text.encode())
        if request.page.page_id in pages or len(pages) >= MAX_PAGES or octets > MAX_TEXT_BYTES:
            raise RequestRefused("a page was sent twice, or there are too many")
        pages[request.page.page_id] = request.page.text
    if query is None:
        raise RequestRefused("there is no query")
    try:
        period = period_in(query.period) if query.HasField("period") else None
    except ValueError:
        raise RequestRefused("the period contradicts itself") from None
    return Given(
        query.query_id, understand(query.text, unit_class_in(query.unit_class), period), tuple(pages.items())
    )
