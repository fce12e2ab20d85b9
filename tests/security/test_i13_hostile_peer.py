"""I13: gRPC carries nothing beside its messages, whatever a peer tries.

A hostile peer has a certificate of its role and a gRPC of its own. All that it
says beside a message of the contract is refused or stripped, and no word of it
gets into a handler, an exception, a log or a metric.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode, ErrorDetail
from doublethink.errors.v1.status_pb2 import Status
from doublethink.gate.v1 import search_pb2
from doublethink_rpc import Call, Peer, RpcError
from doublethink_rpc.contract import MethodContract, read_service
from doublethink_rpc.status import wire_of
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from sim.contracts import made, make_contract, make_field
from sim.logs import caught_log, records
from sim.wire import Bench, bench, hostile, raw_call, serving

_WORD = "Nordwind"
_KINDS = ("Single", "Down", "Up", "Both")
_SERVICE = make_contract(
    fields=[
        make_field("word", max_bytes=64, optional=True),
        make_field("inner", 2, 11, type_name=".made.v1.Made", optional=True),
        make_field("number", 3, 5, min=0, max=9),
    ]
)
_MADE = made(_SERVICE)
_CONTRACTS = {contract.method: contract for contract in read_service(_SERVICE)}
_GOOD = _MADE(word="x", number=3).SerializeToString()
_UNKNOWN = b"\xc2\x3e\x08" + _WORD.encode()  # field 1000, which no contract has

# Bytes that are not a message of the contract, each with something to smuggle.
_BAD_WIRES = {
    "unknown field": _GOOD + _UNKNOWN,
    "unknown field first": _UNKNOWN + _GOOD,
    "unknown field inside": b"\x12" + bytes([len(_UNKNOWN)]) + _UNKNOWN,
    "sent twice": b"\x0a\x08" + _WORD.encode() + _GOOD,
    "too long": b"\x0a\x50" + _WORD.encode() * 10,
    "oversize": b"\x0a\x88\x27" + _WORD.encode() * 625,
    "not utf-8": b"\x0a\x09" + _WORD.encode() + b"\xff",
    "huge number": b"\x18\xff\xff\xff\xff\x07",
    "noise": b"\xff" + _WORD.encode(),
}


@pytest.fixture
async def on() -> AsyncIterator[Bench]:
    """A bench without a server."""
    async with bench() as made_bench:
        yield made_bench


class _Recorder:
    """A handler that keeps what reached it."""

    def __init__(self) -> None:
        self.reached: list[Any] = []

    async def Single(self, request: Any, call: Call) -> Any:  # noqa: N802 - names of the contract
        self.reached.append(request)
        return request

    async def Down(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
        self.reached.append(request)
        yield request

    async def Up(self, requests: Any, call: Call) -> Any:  # noqa: N802 - as above
        async for request in requests:
            self.reached.append(request)
        return _MADE(word="x")

    async def Both(self, requests: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
        async for request in requests:
            self.reached.append(request)
            yield request


# A hostile client against our server.


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize(
    "pair",
    [
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("baggage", f"deal={_WORD}"),
        ("x-word", _WORD),
        (_WORD.lower(), "x"),
        ("authorization", f"Bearer {_WORD}"),
        ("dt-attempt-bin", _WORD.encode()),
        ("dt-capability-bin", b"c" * 32),
    ],
    ids=lambda pair: pair[0],
)
async def test_a_server_refuses_other_metadata(on: Bench, kind: str, pair: tuple[str, Any]) -> None:
    """Trace context or any other header ends the call before the handler, in all four kinds."""
    handler = _Recorder()
    with caught_log() as log:
        async with serving(on, [(_SERVICE, handler)]):
            channel = on.raw(on.authority.issue("planner"))
            outcome = await raw_call(channel, _CONTRACTS[kind], [_GOOD], [pair])
            metrics = await on.metrics()
            await channel.close()
    assert outcome.code == ErrorCode.ERROR_CODE_METADATA_REFUSED
    assert outcome.message == ""
    assert handler.reached == []
    assert _WORD.lower() not in (log.getvalue() + metrics + repr(outcome)).lower()


@pytest.mark.parametrize("key", ["grpc-trace-bin", "grpc-tags-bin"])
async def test_grpc_strips_the_tracing_headers_that_it_knows(on: Bench, key: str) -> None:
    """Two headers of old tracing systems are taken out by gRPC's core: no server in Python sees them."""
    seen: list[tuple[Any, ...]] = []

    async def behaviour(request: bytes, context: Any) -> bytes:
        seen.extend(context.invocation_metadata())
        return request

    contract = _CONTRACTS["Single"]
    async with hostile(on, contract, behaviour):
        channel = on.raw(on.authority.issue("planner"))
        pairs = [(key, _WORD.encode()), ("x-word", "seen")]
        assert (await raw_call(channel, contract, [_GOOD], pairs)).code == 0
        await channel.close()
    assert sorted(name for name, _ in seen) == ["user-agent", "x-word"]


async def test_a_server_refuses_a_user_agent_of_free_words(on: Bench) -> None:
    """The one header whose value a client may choose has a fixed form."""
    handler = _Recorder()
    async with serving(on, [(_SERVICE, handler)]):
        for option in ("grpc.primary_user_agent", "grpc.secondary_user_agent"):
            channel = on.raw(on.authority.issue("planner"), options=[(option, _WORD)])
            outcome = await raw_call(channel, _CONTRACTS["Single"], [_GOOD])
            assert outcome.code == ErrorCode.ERROR_CODE_METADATA_REFUSED
            await channel.close()
    assert handler.reached == []


async def test_a_server_does_not_expand_compressed_bytes(on: Bench) -> None:
    """A compressed request is refused by gRPC itself; nothing is unpacked for the handler."""
    handler = _Recorder()
    wire = _MADE(word="x" * 60).SerializeToString()
    async with serving(on, [(_SERVICE, handler)]):
        algorithm = ("grpc.default_compression_algorithm", 2)
        channel = on.raw(on.authority.issue("planner"), options=[algorithm])
        outcome = await raw_call(channel, _CONTRACTS["Single"], [wire])
        await channel.close()
    assert outcome.code != 0
    assert handler.reached == []


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("what", sorted(_BAD_WIRES))
async def test_a_server_refuses_what_is_not_the_message(on: Bench, kind: str, what: str) -> None:
    """Unknown fields at any depth, doubled values, broken text, wrong sizes: MALFORMED, nothing logged."""
    handler = _Recorder()
    with caught_log() as log:
        async with serving(on, [(_SERVICE, handler)]):
            channel = on.raw(on.authority.issue("planner"))
            outcome = await raw_call(channel, _CONTRACTS[kind], [_BAD_WIRES[what]])
            metrics = await on.metrics()
            await channel.close()
    assert outcome.code == ErrorCode.ERROR_CODE_MALFORMED
    assert outcome.message == ""
    assert handler.reached == []
    assert _WORD not in log.getvalue() + metrics
    assert "request_refused" in {record["event"] for record in records(log)}


async def test_a_server_answers_an_endless_message_with_an_error(on: Bench) -> None:
    """A message above every contract's limit never reaches the library; the call fails, the server lives."""
    handler = _Recorder()
    async with serving(on, [(_SERVICE, handler)]):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _CONTRACTS["Single"], [b"\x0a" + b"x" * (9 * 1024 * 1024)])
        assert outcome.code != 0
        assert handler.reached == []
        assert (await raw_call(channel, _CONTRACTS["Single"], [_GOOD])).code == 0
        await channel.close()


async def test_a_method_without_a_contract_is_not_served(on: Bench) -> None:
    """The path of a call is not a place for words either: no handler, no log, no metric."""
    with caught_log() as log:
        async with serving(on, [(_SERVICE, _Recorder())]):
            channel = on.raw(on.authority.issue("planner"))
            call = channel.unary_unary(f"/made.v1.MadeService/{_WORD}")(_GOOD)
            assert await call.code() is grpc.StatusCode.UNIMPLEMENTED
            metrics = await on.metrics()
            await channel.close()
    assert _WORD not in log.getvalue() + metrics


# A hostile server against our client.


def _details(**changes: Any) -> bytes:
    packed = Packed()
    packed.Pack(ErrorDetail(code=ErrorCode.ERROR_CODE_BLOCKED))
    code = grpc.StatusCode.FAILED_PRECONDITION.value[0]
    fields = {"code": code, "details": [packed], **changes}
    return Status(**fields).SerializeToString()


_STATUS = "grpc-status-details-bin"
_OTHER = Packed(type_url=f"type.googleapis.com/{_WORD}", value=_WORD.encode())
_FAILED = grpc.StatusCode.FAILED_PRECONDITION
_BLOCKED = wire_of(ErrorCode.ERROR_CODE_BLOCKED)

# What the hostile server does with the context, and the error that its caller sees.
_ABORTS: dict[str, tuple[grpc.StatusCode, str, tuple[tuple[str, Any], ...], ErrorCode]] = {
    "honest": (_FAILED, "", ((_STATUS, _BLOCKED),), ErrorCode.ERROR_CODE_BLOCKED),
    "words": (_FAILED, _WORD, ((_STATUS, _BLOCKED),), ErrorCode.ERROR_CODE_MALFORMED),
    "words alone": (_FAILED, _WORD, (), ErrorCode.ERROR_CODE_MALFORMED),
    "words as if from grpc": (grpc.StatusCode.UNAVAILABLE, _WORD, (), ErrorCode.ERROR_CODE_PEER_UNAVAILABLE),
    "words in the details": (
        _FAILED,
        "",
        ((_STATUS, _details(message=_WORD)),),
        ErrorCode.ERROR_CODE_MALFORMED,
    ),
    "another detail": (_FAILED, "", ((_STATUS, _details(details=[_OTHER])),), ErrorCode.ERROR_CODE_MALFORMED),
    "unknown field in the details": (
        _FAILED,
        "",
        ((_STATUS, _BLOCKED + _UNKNOWN),),
        ErrorCode.ERROR_CODE_MALFORMED,
    ),
    "junk details": (_FAILED, "", ((_STATUS, _WORD.encode()),), ErrorCode.ERROR_CODE_MALFORMED),
    "trailing metadata": (
        _FAILED,
        "",
        ((_STATUS, _BLOCKED), ("x-word", _WORD)),
        ErrorCode.ERROR_CODE_METADATA_REFUSED,
    ),
    "trace context": (
        _FAILED,
        "",
        ((_STATUS, _BLOCKED), ("traceparent", _WORD)),
        ErrorCode.ERROR_CODE_METADATA_REFUSED,
    ),
    "details twice": (
        _FAILED,
        "",
        ((_STATUS, _BLOCKED), (_STATUS, _WORD.encode())),
        ErrorCode.ERROR_CODE_METADATA_REFUSED,
    ),
}


async def _ask(peer: Peer, kind: str) -> list[Message]:
    """Calls a made method of a kind that a peer calls, and takes all that comes."""
    name, request = f"made.v1.MadeService/{kind}", _MADE(word="x", number=3)

    async def requests() -> AsyncIterator[Any]:
        yield request

    if kind == "Single":
        return [await peer.call(name, request, _MADE)]
    if kind == "Down":
        return [answer async for answer in peer.stream(name, request, _MADE)]
    return [answer async for answer in peer.converse(name, requests(), _MADE)]


def _behaving(
    contract: MethodContract, act: Callable[[Any], Any], answers: list[bytes]
) -> Callable[..., Any]:
    """A raw behaviour: takes what is sent, acts on the context, then answers with the given bytes.

    Were a call ended while its client still writes, grpc's client would put a fault of its own in the place of what the
    server said.
    """

    async def taken(request: Any) -> None:
        if contract.streams_requests:
            async for _ in request:
                pass

    async def single(request: Any, context: Any) -> bytes:
        await taken(request)
        await act(context)
        return answers[0]

    async def streamed(request: Any, context: Any) -> AsyncIterator[bytes]:
        await taken(request)
        await act(context)
        for answer in answers:
            yield answer

    return streamed if contract.streams_responses else single


async def _nothing(context: Any) -> None:
    return None


def _everything_said(error: BaseException) -> str:
    """All texts that hang on an exception: arguments, notes, causes, contexts."""
    texts, waiting, seen = [], [error], set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        texts += [repr(one), str(one), repr(one.args), repr(getattr(one, "__dict__", {}))]
        waiting += [other for other in (one.__cause__, one.__context__) if other is not None]
    return "\n".join(texts)


async def _refused(on: Bench, kind: str, behaviour: Callable[..., Any]) -> ErrorCode:
    """The code with which a call of a hostile server fails; checks that no word came through."""
    with caught_log("planner") as log:
        async with hostile(on, _CONTRACTS[kind], behaviour):
            peer = on.peer("planner")
            with pytest.raises(RpcError) as failed:
                await _ask(peer, kind)
            await peer.close()
    assert _WORD not in _everything_said(failed.value)
    assert _WORD not in log.getvalue()
    return failed.value.code


@pytest.mark.parametrize("kind", ["Single", "Down", "Both"])
@pytest.mark.parametrize("what", sorted(_ABORTS))
async def test_a_client_reads_an_error_as_its_code_alone(on: Bench, kind: str, what: str) -> None:
    """Words in a status, its details or its metadata do not get past the client; the honest error does."""
    code, words, trailing, expected = _ABORTS[what]

    async def act(context: Any) -> None:
        await context.abort(code, words, trailing)

    behaviour = _behaving(_CONTRACTS[kind], act, [_GOOD])
    assert await _refused(on, kind, behaviour) == expected


@pytest.mark.parametrize("kind", ["Single", "Down", "Both"])
async def test_a_client_takes_no_words_beside_a_good_answer(on: Bench, kind: str) -> None:
    """Initial or trailing metadata beside a right message makes the call fail."""

    async def initial(context: Any) -> None:
        await context.send_initial_metadata((("x-word", _WORD),))

    async def trailing(context: Any) -> None:
        context.set_trailing_metadata((("x-word", _WORD),))

    async def details(context: Any) -> None:
        context.set_trailing_metadata(((_STATUS, _WORD.encode()),))

    for act, expected in (
        (initial, ErrorCode.ERROR_CODE_METADATA_REFUSED),
        (trailing, ErrorCode.ERROR_CODE_METADATA_REFUSED),
        (details, ErrorCode.ERROR_CODE_MALFORMED),
    ):
        assert await _refused(on, kind, _behaving(_CONTRACTS[kind], act, [_GOOD])) == expected


@pytest.mark.parametrize("kind", _KINDS)
async def test_grpc_strips_the_status_message_of_a_success(on: Bench, kind: str) -> None:
    """Words in the message of a status that says OK are not there for any client in Python."""

    async def act(context: Any) -> None:
        context.set_details(_WORD)

    async with hostile(on, _CONTRACTS[kind], _behaving(_CONTRACTS[kind], act, [_GOOD])):
        channel = on.raw(on.authority.issue("planner"))
        outcome = await raw_call(channel, _CONTRACTS[kind], [_GOOD])
        await channel.close()
    assert (outcome.code, outcome.message, outcome.metadata) == (0, "", ())


async def test_initial_metadata_is_refused_before_the_first_message_is_used(on: Bench) -> None:
    """In a stream the first message is not handed on once its headers hold a word."""

    async def act(context: Any) -> None:
        await context.send_initial_metadata((("x-word", _WORD),))

    got: list[Any] = []
    async with hostile(on, _CONTRACTS["Down"], _behaving(_CONTRACTS["Down"], act, [_GOOD, _GOOD])):
        peer = on.peer("planner")
        answers = peer.stream("made.v1.MadeService/Down", _MADE(word="x"), _MADE)
        with pytest.raises(RpcError, match="ERROR_CODE_METADATA_REFUSED"):
            got.append(await anext(answers))
        await peer.close()
    assert got == []


@pytest.mark.parametrize("kind", ["Single", "Down", "Both"])
@pytest.mark.parametrize("what", sorted(_BAD_WIRES))
async def test_a_client_refuses_what_is_not_the_message(on: Bench, kind: str, what: str) -> None:
    """A response is checked as a request is: MALFORMED, and nothing of it is handed on or logged."""
    behaviour = _behaving(_CONTRACTS[kind], _nothing, [_BAD_WIRES[what]])
    assert await _refused(on, kind, behaviour) == ErrorCode.ERROR_CODE_MALFORMED


@pytest.mark.parametrize("kind", ["Single", "Down", "Both"])
async def test_a_client_refuses_an_endless_answer(on: Bench, kind: str) -> None:
    """A response above every contract's limit is malformed."""
    endless = b"\x0a" + b"x" * (9 * 1024 * 1024)
    behaviour = _behaving(_CONTRACTS[kind], _nothing, [endless])
    assert await _refused(on, kind, behaviour) == ErrorCode.ERROR_CODE_MALFORMED


@pytest.mark.parametrize("kind", ["Single", "Down", "Both"])
async def test_a_servers_exception_text_stops_at_the_client(on: Bench, kind: str) -> None:
    """A server that lets gRPC write its exception into the status tells our client nothing."""

    async def act(context: Any) -> None:
        raise ValueError(_WORD)

    behaviour = _behaving(_CONTRACTS[kind], act, [_GOOD])
    assert await _refused(on, kind, behaviour) == ErrorCode.ERROR_CODE_MALFORMED


async def test_an_enum_from_outside_its_set_is_refused(on: Bench) -> None:
    """A number that an enum does not name could carry 31 bits; the client refuses it."""
    contract = read_service(search_pb2.DESCRIPTOR.services_by_name["SearchService"])[0]
    # query_id, and a ClassCount whose source_class is 2^31 - 1.
    wire = b"\x0a\x1e" + b"qry_" + b"a" * 26 + b"\x12\x08\x08\xff\xff\xff\xff\x07\x10\x01"
    async with hostile(on, contract, _behaving(contract, _nothing, [wire])):
        peer = on.peer("planner")
        with pytest.raises(RpcError, match="ERROR_CODE_MALFORMED"):
            await peer.call(
                "doublethink.gate.v1.SearchService/Search",
                search_pb2.SearchRequest(query="x"),
                search_pb2.SearchResponse,
                capability=b"c" * 32,
            )
        await peer.close()


async def test_a_client_sends_nothing_beside_its_message(on: Bench) -> None:
    """What arrives at a raw server is the message, the capability, the attempt id and grpc's own headers."""
    seen: list[tuple[Any, tuple[Any, ...]]] = []
    contract = read_service(search_pb2.DESCRIPTOR.services_by_name["SearchService"])[0]

    async def behaviour(request: bytes, context: Any) -> bytes:
        seen.append((request, tuple(context.invocation_metadata())))
        return search_pb2.SearchResponse(query_id="qry_" + "a" * 26).SerializeToString()

    request = search_pb2.SearchRequest(query="x")
    request.MergeFromString(_UNKNOWN)
    async with hostile(on, contract, behaviour):
        peer = on.peer("planner")
        await peer.call(
            "doublethink.gate.v1.SearchService/Search",
            request,
            search_pb2.SearchResponse,
            capability=b"c" * 32,
            attempt_id=b"a" * 16,
        )
        await peer.close()
    ((wire, metadata),) = seen
    assert wire == b"\x0a\x01x"
    assert {key for key, _ in metadata} == {"user-agent", "dt-capability-bin", "dt-attempt-bin"}


# Our own server, when its own code fails.


class _Note(Exception):
    pass


def _failures() -> dict[str, BaseException]:
    chained = ValueError("outer")
    chained.__cause__ = KeyError(_WORD)
    noted = _Note("noted")
    noted.add_note(_WORD)
    return {
        "text": ValueError(_WORD),
        "bytes": OSError(5, _WORD, f"/{_WORD}"),
        "cause": chained,
        "note": noted,
        "group": ExceptionGroup(_WORD, [ValueError(_WORD)]),
        "decode": UnicodeDecodeError("utf-8", _WORD.encode(), 0, 1, _WORD),
    }


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("what", sorted(_failures()))
async def test_a_handlers_exception_says_nothing(on: Bench, kind: str, what: str) -> None:
    """An exception with a secret in it: INTERNAL on the wire, its type in the log, its words nowhere."""
    error = _failures()[what]

    class Failing(_Recorder):
        async def Single(self, request: Any, call: Call) -> Any:  # noqa: N802 - names of the contract
            raise error

        async def Down(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
            yield request
            raise error

        async def Up(self, requests: Any, call: Call) -> Any:  # noqa: N802 - as above
            raise error

        async def Both(self, requests: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
            async for request in requests:
                yield request
            raise error

    with caught_log() as log:
        async with serving(on, [(_SERVICE, Failing())]):
            channel = on.raw(on.authority.issue("planner"))
            outcome = await raw_call(channel, _CONTRACTS[kind], [_GOOD])
            metrics = await on.metrics()
            await channel.close()
    assert outcome.code == ErrorCode.ERROR_CODE_INTERNAL
    assert outcome.message == ""
    assert {key for key, _ in outcome.metadata} == {_STATUS}
    assert _WORD not in repr(outcome) + metrics + log.getvalue()
    failed = [record for record in records(log) if record["event"] == "handler_failed"]
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    assert [record["error"] for record in failed] == [name]


@pytest.mark.parametrize("kind", _KINDS)
async def test_a_handlers_wrong_answer_does_not_leave(on: Bench, kind: str) -> None:
    """A response out of form stays inside: INTERNAL, and the log names the field."""
    wrong = _MADE(word=_WORD * 10)

    class Careless(_Recorder):
        async def Single(self, request: Any, call: Call) -> Any:  # noqa: N802 - names of the contract
            return wrong

        async def Down(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
            yield wrong

        async def Up(self, requests: Any, call: Call) -> Any:  # noqa: N802 - as above
            return wrong

        async def Both(self, requests: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
            yield wrong

    with caught_log() as log:
        async with serving(on, [(_SERVICE, Careless())]):
            channel = on.raw(on.authority.issue("planner"))
            outcome = await raw_call(channel, _CONTRACTS[kind], [_GOOD])
            await channel.close()
    assert (outcome.code, outcome.answers) == (ErrorCode.ERROR_CODE_INTERNAL, ())
    assert _WORD not in log.getvalue()
    assert "made.v1.Made.word" in log.getvalue()
