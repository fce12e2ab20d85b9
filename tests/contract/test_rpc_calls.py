"""Calls over real connections: all kinds, deadlines, bounds, errors, and nothing left behind."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.gate.v1 import ledger_pb2, search_pb2
from doublethink.options.v1 import options_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink_rpc import Call, RpcError, StartRefused
from doublethink_rpc.contract import MethodContract, read_service
from google.protobuf.descriptor import ServiceDescriptor
from sim.contracts import LIMITS, handler_for, made, make_contract, sample
from sim.wire import CAPABILITY, Bench, NothingHeld, bench, raw_call, serving

_SEARCH = search_pb2.DESCRIPTOR.services_by_name["SearchService"]
_LEDGER = ledger_pb2.DESCRIPTOR.services_by_name["LedgerService"]
_READING = reading_pb2.DESCRIPTOR.services_by_name["ReadingService"]
_SEARCH_NAME = "doublethink.gate.v1.SearchService/Search"
_READ_NAME = "doublethink.reader.v1.ReadingService/Read"


@pytest.fixture
async def on() -> AsyncIterator[Bench]:
    """A bench without a server."""
    async with bench() as made_bench:
        yield made_bench


def _contract(service: ServiceDescriptor, name: str) -> MethodContract:
    return next(contract for contract in read_service(service) if contract.method == name)


class _Single:
    """A handler of one unary method that a test fills in."""

    def __init__(self, work: Any) -> None:
        self._work = work

    async def Single(self, request: Any, call: Call) -> Any:  # noqa: N802 - the contract's name
        return await self._work(request, call)


_ONE = {"Single": (False, False)}


async def test_a_call_reaches_its_handler_and_comes_back(on: Bench) -> None:
    """The handler sees who calls, the capability, the attempt and the time; the caller gets the response."""
    seen: list[Call] = []

    class Handler(NothingHeld):
        async def Search(self, request: search_pb2.SearchRequest, call: Call) -> Any:  # noqa: N802 - contract
            seen.append(call)
            assert request.query == "pump revenue"
            assert 0 < call.remaining() < 30  # the contract's own would be 60
            return sample(search_pb2.SearchResponse.DESCRIPTOR)

    async with serving(on, [(_SEARCH, Handler())]):
        planner = on.peer("planner")
        response = await planner.call(
            _SEARCH_NAME,
            search_pb2.SearchRequest(query="pump revenue"),
            search_pb2.SearchResponse,
            capability=CAPABILITY,
            attempt_id=b"a" * 16,
            deadline_s=7,
        )
        await planner.close()
    assert response.query_id == "qry_" + "a" * 26
    assert [(call.caller, call.capability, call.attempt_id) for call in seen] == [
        ("planner", CAPABILITY, b"a" * 16)
    ]
    assert "ccc" not in repr(seen[0])


async def test_a_stream_arrives_in_order_and_can_be_left(on: Bench) -> None:
    """Streamed responses come one by one; leaving early ends the call at the server."""
    left = asyncio.Event()

    class Handler:
        async def ListRows(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - contract
            try:
                for n in range(1000):
                    response = sample(ledger_pb2.ListRowsResponse.DESCRIPTOR)
                    response.row.n = n
                    yield response
                    if n >= 2:
                        await asyncio.Event().wait()
            finally:
                left.set()

        async def OpenPayload(self, request: Any, call: Call) -> Any: ...  # noqa: N802 - contract
        async def ExplainAttempt(self, request: Any, call: Call) -> Any: ...  # noqa: N802 - contract

    async with serving(on, [(_LEDGER, Handler())]):
        console = on.peer("console")
        rows = console.stream(
            "doublethink.gate.v1.LedgerService/ListRows",
            ledger_pb2.ListRowsRequest(after_n=-1),
            ledger_pb2.ListRowsResponse,
            capability=CAPABILITY,
        )
        got = []
        async for response in rows:
            got.append(response.row.n)
            if len(got) == 3:
                break
        await rows.aclose()  # type: ignore[attr-defined]  # an async generator behind its interface
        await asyncio.wait_for(left.wait(), 10)
        await console.close()
    assert got == [0, 1, 2]


def _query() -> Any:
    query = reading_pb2.ReadQuery(query_id="qry_" + "a" * 26, text="pump revenue")
    return reading_pb2.ReadRequest(query=query)


class _Echo:
    """Answers each page with a claim."""

    async def Read(self, requests: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - contract
        async for request in requests:
            if request.WhichOneof("item") == "page":
                response = sample(reading_pb2.ReadResponse.DESCRIPTOR)
                response.claim.quote = request.page.text
                yield response


def _page(text: str) -> Any:
    return reading_pb2.ReadRequest(page=reading_pb2.ReadPage(page_id="pag_" + "a" * 26, text=text))


async def test_a_conversation_goes_both_ways(on: Bench) -> None:
    """Requests may depend on responses: each page is sent after the claim of the one before."""
    answered = asyncio.Semaphore(1)
    sent = []

    async def requests() -> AsyncIterator[Any]:
        yield _query()
        for text in ("one", "two", "three"):
            await answered.acquire()
            sent.append(text)
            yield _page(text)

    got = []
    async with serving(on, [(_READING, _Echo())], role="reader"):
        validator = on.peer("validator", "reader")
        async for response in validator.converse(
            _READ_NAME, requests(), reading_pb2.ReadResponse, capability=CAPABILITY
        ):
            assert sent[-1] == response.claim.quote
            got.append(response.claim.quote)
            answered.release()
        await validator.close()
    assert got == ["one", "two", "three"]


async def test_large_pages_pass(on: Bench) -> None:
    """A page of the largest size that the contract allows crosses; one byte more is not sent."""

    class Handler:
        async def ListRows(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - contract
            yield sample(ledger_pb2.ListRowsResponse.DESCRIPTOR)

        async def OpenPayload(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
            size = 4194304 if request.row_id == b"r" * 16 else 4194305
            return ledger_pb2.OpenPayloadResponse(payload=b"x" * size)

        async def ExplainAttempt(self, request: Any, call: Call) -> Any: ...  # noqa: N802 - contract

    name = "doublethink.gate.v1.LedgerService/OpenPayload"
    async with serving(on, [(_LEDGER, Handler())]):
        console = on.peer("console")
        request = ledger_pb2.OpenPayloadRequest(row_id=b"r" * 16)
        kind = ledger_pb2.OpenPayloadResponse
        response = await console.call(name, request, kind, capability=CAPABILITY)
        assert len(response.payload) == 4194304
        with pytest.raises(RpcError, match="ERROR_CODE_INTERNAL"):
            await console.call(
                name, ledger_pb2.OpenPayloadRequest(row_id=b"s" * 16), kind, capability=CAPABILITY
            )
        await console.close()


async def test_a_request_that_cannot_be_made_ends_the_conversation(on: Bench) -> None:
    """An error of the requests, or one out of form, reaches the caller; the server's side ends."""

    async def failing() -> AsyncIterator[Any]:
        yield _query()
        raise KeyError("the caller's own")

    async def malformed() -> AsyncIterator[Any]:
        yield _query()
        yield reading_pb2.ReadRequest()

    async with serving(on, [(_READING, _Echo())], role="reader"):
        validator = on.peer("validator", "reader")
        with pytest.raises(KeyError, match="the caller's own"):
            async for _ in validator.converse(
                _READ_NAME, failing(), reading_pb2.ReadResponse, capability=CAPABILITY
            ):
                pass
        with pytest.raises(RpcError, match="ERROR_CODE_MALFORMED"):
            async for _ in validator.converse(
                _READ_NAME, malformed(), reading_pb2.ReadResponse, capability=CAPABILITY
            ):
                pass
        await validator.close()


@pytest.mark.parametrize("code", [code for code in ErrorCode.values() if code])
async def test_a_handlers_error_crosses_as_its_code(on: Bench, code: ErrorCode) -> None:
    """Each code that a handler raises is the code that the caller sees, with no words anywhere."""

    class Handler(NothingHeld):
        async def Search(self, request: Any, call: Call) -> Any:  # noqa: N802 - contract
            raise RpcError(code)

    async with serving(on, [(_SEARCH, Handler())]):
        planner = on.peer("planner")
        with pytest.raises(RpcError) as error:
            await planner.call(
                _SEARCH_NAME,
                search_pb2.SearchRequest(query="x"),
                search_pb2.SearchResponse,
                capability=CAPABILITY,
            )
        assert error.value.code == code
        assert error.value.__context__ is None
        await planner.close()


async def test_an_absent_peer_is_unavailable(on: Bench) -> None:
    """Nobody listens, or somebody of another role: the same code."""
    planner = on.peer("planner")
    with pytest.raises(RpcError, match="ERROR_CODE_PEER_UNAVAILABLE"):
        await planner.call(
            _SEARCH_NAME,
            search_pb2.SearchRequest(query="x"),
            search_pb2.SearchResponse,
            capability=CAPABILITY,
        )
    await planner.close()
    async with serving(on, [(_SEARCH, handler_for(_SEARCH))]):
        confused = on.peer("planner", "validator")
        with pytest.raises(RpcError, match="ERROR_CODE_PEER_UNAVAILABLE"):
            await confused.call(
                _SEARCH_NAME,
                search_pb2.SearchRequest(query="x"),
                search_pb2.SearchResponse,
                capability=CAPABILITY,
            )
        await confused.close()


async def test_a_method_is_called_as_its_contract_says(on: Bench) -> None:
    """Unknown methods, other kinds and other types are found before anything is sent."""
    planner = on.peer("planner")
    request = search_pb2.SearchRequest(query="x")
    for name in ("doublethink.gate.v1.SearchService/None", "nowhere.v1.Service/Search", "Search", _READ_NAME):
        with pytest.raises(StartRefused):
            await planner.call(name, request, search_pb2.SearchResponse)
    with pytest.raises(StartRefused):
        await planner.call(_SEARCH_NAME, request, search_pb2.ClassCount)
    with pytest.raises(RpcError, match="ERROR_CODE_MALFORMED"):
        await planner.call(
            _SEARCH_NAME, ledger_pb2.ListRowsRequest(), search_pb2.SearchResponse, capability=CAPABILITY
        )
    await planner.close()


async def test_a_stream_that_ends_badly_is_closed(on: Bench) -> None:
    """When a response cannot be sent, the handler's generator is closed before the caller hears of it."""
    service = make_contract(kinds={"Down": (False, True)})
    closed = asyncio.Event()

    class Handler:
        async def Down(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - contract
            try:
                yield made(service)(word="x" * 65)
            finally:
                closed.set()

    wire = made(service)(word="x").SerializeToString()
    async with serving(on, [(service, Handler())]):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _contract(service, "Down"), [wire])
        assert outcome.code == ErrorCode.ERROR_CODE_INTERNAL
        assert closed.is_set()
        await channel.close()


async def test_a_call_has_the_shorter_of_two_deadlines(on: Bench) -> None:
    """Without a deadline or with a longer one a call gets the contract's; with a shorter one its own."""
    service = make_contract(kinds=_ONE, limits={**LIMITS, "deadline_ms": 60_000})
    remaining: list[float] = []

    async def work(request: Any, call: Call) -> Any:
        remaining.append(call.remaining())
        return request

    wire = made(service)(word="x").SerializeToString()
    contract = _contract(service, "Single")
    async with serving(on, [(service, _Single(work))]):
        channel = on.raw(on.authority.issue("planner"))
        for wished in (None, 600.0, 30.0):
            assert (await raw_call(channel, contract, [wire], timeout=wished)).code == 0
        await channel.close()
    # grpc rounds a deadline up on the wire, by less than the distance taken here.
    assert [seconds > 45 for seconds in remaining] == [True, True, False]
    assert all(0 < seconds <= 60 for seconds in remaining)


async def test_a_handler_is_ended_at_the_contracts_deadline(on: Bench) -> None:
    """A handler that never answers is cancelled, and the caller gets DEADLINE."""
    service = make_contract(kinds=_ONE, limits={**LIMITS, "deadline_ms": 50})
    ended = asyncio.Event()

    async def work(request: Any, call: Call) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    wire = made(service)(word="x").SerializeToString()
    async with serving(on, [(service, _Single(work))]):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _contract(service, "Single"), [wire], timeout=None)
        assert outcome.code == ErrorCode.ERROR_CODE_DEADLINE
        assert outcome.message == ""
        assert ended.is_set()
        assert 'code="ERROR_CODE_DEADLINE"' in await on.metrics()
        await channel.close()


async def test_a_handlers_own_timeout_is_not_the_deadline(on: Bench) -> None:
    """A TimeoutError that a handler lets out is a fault of the handler."""
    service = make_contract(kinds=_ONE)

    async def work(request: Any, call: Call) -> Any:
        raise TimeoutError("Nordwind")

    wire = made(service)(word="x").SerializeToString()
    async with serving(on, [(service, _Single(work))]):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _contract(service, "Single"), [wire])
        assert outcome.code == ErrorCode.ERROR_CODE_INTERNAL
        await channel.close()


async def test_a_handler_that_cancels_itself_still_answers(on: Bench) -> None:
    """A cancellation that is not the caller's is a fault of the handler; the caller does not wait for it."""
    service = make_contract(kinds=_ONE)

    async def work(request: Any, call: Call) -> Any:
        own = asyncio.create_task(asyncio.Event().wait())
        own.cancel()
        await own

    wire = made(service)(word="x").SerializeToString()
    async with serving(on, [(service, _Single(work))]):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _contract(service, "Single"), [wire])
        assert outcome.code == ErrorCode.ERROR_CODE_INTERNAL
        await channel.close()


async def test_a_caller_that_goes_away_ends_the_handler(on: Bench) -> None:
    """Cancelling a call cancels its handler and gives the slot back."""
    service = make_contract(kinds=_ONE)
    running, ended = asyncio.Event(), asyncio.Event()

    async def work(request: Any, call: Call) -> Any:
        if request.word == "quick":
            return request
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    kind = made(service)
    async with serving(on, [(service, _Single(work))], max_concurrent=1, queue=0):
        planner = on.peer("planner")
        call = asyncio.create_task(planner.call("made.v1.MadeService/Single", kind(word="slow"), kind))
        await asyncio.wait_for(running.wait(), 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(ended.wait(), 10)
        assert await planner.call("made.v1.MadeService/Single", kind(word="quick"), kind) == kind(
            word="quick"
        )
        await planner.close()


async def test_calls_beyond_the_queue_are_refused_at_once(on: Bench) -> None:
    """Two run, three wait, the next is refused; when there is room, those that waited are served."""
    service = make_contract(kinds=_ONE)
    go, arrived = asyncio.Event(), asyncio.Semaphore(0)
    running = most = 0

    async def work(request: Any, call: Call) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        arrived.release()
        await go.wait()
        running -= 1
        return request

    kind = made(service)
    async with serving(on, [(service, _Single(work))], max_concurrent=2, queue=3):
        planner = on.peer("planner")

        async def ask() -> str:
            try:
                return str((await planner.call("made.v1.MadeService/Single", kind(word="x"), kind)).word)
            except RpcError as error:
                return str(error)

        asked = [asyncio.create_task(ask()) for _ in range(9)]
        await asyncio.wait_for(arrived.acquire(), 10)
        await asyncio.wait_for(arrived.acquire(), 10)
        for done in itertools.islice(asyncio.as_completed(asked, timeout=10), 4):
            assert await done == "ERROR_CODE_OVERLOADED"
        assert "dt_rpc_active 2.0" in await on.metrics()
        assert "dt_rpc_waiting 3.0" in await on.metrics()
        go.set()
        outcomes = [await task for task in asked]
        assert sorted(outcomes) == ["ERROR_CODE_OVERLOADED"] * 4 + ["x"] * 5
        assert most == 2
        assert "dt_rpc_active 0.0" in await on.metrics()
        await planner.close()


async def test_a_wait_in_the_queue_counts_towards_the_deadline(on: Bench) -> None:
    """A call that gets no slot in its time ends with DEADLINE, and its handler never ran."""
    service = make_contract(kinds=_ONE, limits={**LIMITS, "deadline_ms": 10_000})
    go, running = asyncio.Event(), asyncio.Event()
    words: list[str] = []

    async def work(request: Any, call: Call) -> Any:
        words.append(request.word)
        running.set()
        await go.wait()
        return request

    kind = made(service)
    name = "made.v1.MadeService/Single"
    async with serving(on, [(service, _Single(work))], max_concurrent=1, queue=3):
        planner = on.peer("planner")
        first = asyncio.create_task(planner.call(name, kind(word="first"), kind))
        await asyncio.wait_for(running.wait(), 10)
        with pytest.raises(RpcError, match="ERROR_CODE_DEADLINE"):
            await planner.call(name, kind(word="second"), kind, deadline_s=0.05)
        go.set()
        await first
        await planner.close()
    assert words == ["first"]


@pytest.mark.parametrize("name", ["Single", "Down", "Up", "Both"])
async def test_every_kind_refuses_what_is_out_of_form(on: Bench, name: str) -> None:
    """Out of form, oversize, unknown fields and broken text: MALFORMED in each of the four kinds."""
    service = make_contract()
    kind = made(service)
    contract = _contract(service, name)
    good = kind(word="x").SerializeToString()
    bad = {
        "too long": kind(word="x" * 65).SerializeToString(),
        "too large": kind(word="x" * 2000).SerializeToString(),
        "unknown field": good + b"\xc2\x3e\x01x",
        "not utf-8": b"\x0a\x02\xff\xff",
        "noise": b"\xff\xff\xff",
        "empty": b"",
    }
    async with serving(on, [(service, handler_for(service))]):
        channel = on.raw(on.authority.issue("planner"))
        assert (await raw_call(channel, contract, [good, good])).code == 0
        for what, wire in bad.items():
            outcome = await raw_call(channel, contract, [wire])
            assert (what, outcome.code) == (what, ErrorCode.ERROR_CODE_MALFORMED)
            assert (outcome.message, outcome.answers) == ("", ())
            if contract.streams_requests:
                outcome = await raw_call(channel, contract, [good, wire])
                assert (what, outcome.code) == (what, ErrorCode.ERROR_CODE_MALFORMED)
        await channel.close()


async def test_a_handler_cannot_make_light_of_a_broken_stream(on: Bench) -> None:
    """A handler that catches the error of its requests does not turn it into success."""
    service = make_contract(kinds={"Up": (True, False)})

    class Handler:
        async def Up(self, requests: Any, call: Call) -> Any:  # noqa: N802 - contract
            try:
                async for _ in requests:
                    pass
            except RpcError:
                pass
            return made(service)(word="fine")

    async with serving(on, [(service, Handler())]):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _contract(service, "Up"), [b"\xff"])
        assert outcome.code == ErrorCode.ERROR_CODE_MALFORMED
        await channel.close()


@pytest.mark.parametrize("name", ["Single", "Down", "Up", "Both"])
async def test_every_kind_needs_its_capability(on: Bench, name: str) -> None:
    """A method that declares a session is not served without one, whatever its kind."""
    service = make_contract(capability=options_pb2.CAPABILITY_SESSION)
    contract = _contract(service, name)
    wire = made(service)(word="x").SerializeToString()
    async with serving(on, [(service, handler_for(service))]):
        channel = on.raw(on.authority.issue("planner"))
        key = "dt-capability-bin"
        assert (await raw_call(channel, contract, [wire], [(key, CAPABILITY)])).code == 0
        metadata: list[tuple[str, Any]]
        for metadata in ([], [(key, b"short")], [(key, CAPABILITY + b"x")]):
            outcome = await raw_call(channel, contract, [wire], metadata)
            assert outcome.code == ErrorCode.ERROR_CODE_CAPABILITY_REFUSED
        for metadata in ([(key, CAPABILITY), (key, CAPABILITY)], [(key, CAPABILITY), ("x-word", "x")]):
            outcome = await raw_call(channel, contract, [wire], metadata)
            assert outcome.code == ErrorCode.ERROR_CODE_METADATA_REFUSED
        await channel.close()
