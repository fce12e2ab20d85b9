"""A model that answers from a recording, and from nothing else."""

from __future__ import annotations

import json

import pytest
from doublethink_gate.completion import ModelError, ReplayModel, read_answer
from doublethink_gate.completion import errors as model
from doublethink_gate.config import ModelConfig, ModelKind
from doublethink_gate.egress import outcomes
from doublethink_gate.process import make_model
from doublethink_gate.sources import NotRecorded, RecordingError, ReplaySource, TavilyConfig, TavilySource
from doublethink_gate.sources.recording import (
    MAX_REQUEST_BYTES,
    RecordedExchange,
    RecordedFailure,
    RecordedRequest,
    parse,
)
from doublethink_rpc import StartRefused
from msgspec.structs import replace
from sim.recordings import COMPLETION, PAGE, SEARCH, written

BODY = COMPLETION.request.body.encode()


def replay(*exchanges: RecordedExchange) -> ReplayModel:
    """A model over the recording of some exchanges, read back from its file."""
    return ReplayModel(ReplaySource(parse(written(*exchanges))).completions)


def failed(n: int, error: str, http: int = 0) -> RecordedExchange:
    """The same request, which failed."""
    return replace(COMPLETION, n=n, response=None, failure=RecordedFailure(error, http))


def answering(text: str) -> RecordedExchange:
    """The same request with an answer of other bytes."""
    assert COMPLETION.response is not None
    return replace(COMPLETION, response=replace(COMPLETION.response, body=text.encode()))


async def test_the_same_request_gets_the_same_bytes() -> None:
    """And is read as an answer with what it cost then; name and bound are those of the recorded request."""
    known = replay(SEARCH, PAGE, COMPLETION)
    assert (known.name, known.max_tokens) == ("claude-sonnet-5-5", 4096)
    prepared = known.prepare(BODY)
    assert prepared.headers == ()
    text, usage = read_answer(await known.send(prepared, 1))
    assert (text, usage.input, usage.output) == ('{"claims":[]}', 7, 3)
    await known.close()


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace(b"pumps", b"pump"),
        BODY.replace(b"4096", b"4097"),
        BODY.replace(b"sonnet-5-5", b"opus-5"),
        BODY + b" ",
    ],
    ids=["query", "bound", "model", "space"],
)
async def test_another_request_is_not_recorded(body: bytes) -> None:
    """One byte makes it another: an error, never an answer about something else."""
    known = replay(COMPLETION)
    with pytest.raises(NotRecorded):
        await known.send(known.prepare(body), 1)


async def test_what_was_answered_at_last_counts() -> None:
    """A request that was made again gives its answer, whichever came first; one that only failed fails again."""
    for exchanges in (
        (failed(1, "model_overloaded"), COMPLETION),
        (COMPLETION, failed(9, "model_overloaded")),
    ):
        known = replay(*exchanges)
        assert (await known.send(known.prepare(BODY), 1)).status == 200
    known = replay(failed(1, "model_cut", 200), failed(2, "model_declined", 200))
    with pytest.raises(model.Declined):
        await known.send(known.prepare(BODY), 1)


async def test_every_failure_of_a_model_can_be_replayed() -> None:
    """The ledger's word for a failure is the word that its replay gets."""
    errors: list[Exception] = [
        model.Unreachable(sent=True),
        model.TimedOut(),
        model.TooLarge(1),
        model.KeyRefused(401),
        model.RateLimited(None),
        model.Overloaded(None),
        model.ServerError(500),
        model.RequestRefused(400),
        model.BadShape("x"),
        model.Cut(None),
        model.Declined(None),
        NotRecorded(),
    ]
    assert set(ModelError.__subclasses__()) <= {type(error) for error in errors}
    for error in errors:
        known_failure = outcomes.failure_of(error)
        assert known_failure is not None
        known = replay(failed(1, known_failure.word, 503))
        with pytest.raises(type(error)) as caught:
            await known.send(known.prepare(BODY), 1)
        again = outcomes.failure_of(caught.value)
        assert again is not None
        assert (again.status, again.word) == (known_failure.status, known_failure.word)


@pytest.mark.parametrize(
    "exchanges",
    [(SEARCH,), (answering("{}"),), (answering("[" * 9000),), (COMPLETION, replace(answering("no"), n=9))],
    ids=["none", "no message", "no json", "one of two"],
)
def test_a_recording_whose_answers_are_none_is_refused(exchanges: tuple[RecordedExchange, ...]) -> None:
    """At the start, and not at the first question."""
    with pytest.raises(RecordingError):
        replay(*exchanges)


@pytest.mark.parametrize(
    "body",
    ["[]", "{}", '{"model": "m"}', '{"model": 7, "max_tokens": 1}', '{"model": "m", "max_tokens": true}'],
)
def test_a_request_that_no_model_was_asked_is_refused(body: str) -> None:
    """With the number of its line."""
    strange = replace(COMPLETION, request=RecordedRequest("POST", COMPLETION.request.url, body))
    with pytest.raises(RecordingError, match="line 2 asks for nothing"):
        parse(written(strange))


def test_only_a_model_is_asked_with_a_page() -> None:
    """What goes to a source is short; what goes to a model has the text of a page in it."""
    fields = {"query": "x" * MAX_REQUEST_BYTES}
    long = replace(SEARCH, request=RecordedRequest("POST", SEARCH.request.url, json.dumps(fields)))
    with pytest.raises(RecordingError, match="more than a source is asked"):
        parse(written(long))
    whole = json.loads(COMPLETION.request.body) | {"system": "x" * MAX_REQUEST_BYTES}
    read = replace(COMPLETION, request=RecordedRequest("POST", COMPLETION.request.url, json.dumps(whole)))
    assert parse(written(read)).exchanges == (read,)


def test_a_model_is_replayed_only_where_a_recording_answers() -> None:
    """A gate with another source, or whose recording has no answers of a model, does not start."""
    config = ModelConfig(ModelKind.REPLAY)
    source = ReplaySource(parse(written(SEARCH, COMPLETION)))
    assert isinstance(make_model(config, source), ReplayModel)
    with pytest.raises(StartRefused, match="no answers of a model"):
        make_model(config, ReplaySource(parse(written(SEARCH))))
    with pytest.raises(StartRefused, match=r"source\.recording"):
        make_model(config, TavilySource(TavilyConfig(base_url="http://127.0.0.1:1", raw_pages=True)))
    with pytest.raises(ValueError, match="nothing else"):
        ModelConfig(ModelKind.REPLAY, name="claude-sonnet-5-5")
