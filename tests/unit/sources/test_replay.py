"""A source that answers from a recording, and from nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from doublethink_gate import pages, sources
from doublethink_gate.config import SourceConfig, SourceKind
from doublethink_gate.egress import outcomes
from doublethink_gate.process import make_source
from doublethink_gate.sources import NotRecorded, PageUnavailable, ReplaySource, TimedOut
from doublethink_gate.sources.recording import RecordedExchange, RecordedFailure, parse
from doublethink_rpc import StartRefused
from doublethink_settings import SettingsError
from sim.recordings import PAGE, SEARCH, written


def replay(*exchanges: RecordedExchange) -> ReplaySource:
    """A source over the recording of some exchanges."""
    return ReplaySource(parse(written(*exchanges)))


def failed(exchange: RecordedExchange, n: int, error: str) -> RecordedExchange:
    """The same request, which failed."""
    return RecordedExchange(n, exchange.operation, exchange.request, failure=RecordedFailure(error, 503))


async def test_it_answers_what_was_recorded() -> None:
    """Search and page come back byte for byte, the page from where and when it was fetched."""
    source = replay(SEARCH, PAGE)
    answer = await source.search("pumps", 5)
    assert [result.url for result in answer.results] == ["https://pumps.example/"]
    page = await source.fetch("https://pumps.example/")
    assert (page.raw, page.final_url) == (b"<p>Pumps</p>", "https://pumps.example/home")
    assert page.captured_at_us == 1_700_000_000_000_000
    await source.close()


@pytest.mark.parametrize("query", ["pump", "Pumps", "pumps ", "https://pumps.example/"])
async def test_another_request_is_not_recorded(query: str) -> None:
    """Not one letter may be another, and a page's address is no query: an error, never an empty answer."""
    source = replay(SEARCH, PAGE)
    with pytest.raises(NotRecorded):
        await source.search(query, 5)
    with pytest.raises(NotRecorded):
        await source.fetch("https://pumps.example/home")


async def test_a_failure_fails_again() -> None:
    """What timed out then times out now; a page that was not there is not there."""
    source = replay(failed(SEARCH, 1, "timed_out"), failed(PAGE, 2, "page_unavailable"))
    with pytest.raises(TimedOut):
        await source.search("pumps", 5)
    with pytest.raises(PageUnavailable):
        await source.fetch("https://pumps.example/")


async def test_what_was_answered_at_last_counts() -> None:
    """A request that failed and was made again gives its answer, whichever came first."""
    for exchanges in (
        (failed(SEARCH, 0, "timed_out"), SEARCH),
        (SEARCH, failed(SEARCH, 2, "timed_out")),
    ):
        assert (await replay(*exchanges).search("pumps", 5)).results
    with pytest.raises(PageUnavailable):
        await replay(failed(PAGE, 1, "timed_out"), failed(PAGE, 2, "page_unavailable")).fetch(
            "https://pumps.example/"
        )


async def test_every_failure_of_a_source_can_be_replayed() -> None:
    """The ledger's word for a failure is the word that its replay gets."""
    errors = [
        sources.TimedOut(),
        sources.TooLarge(1),
        sources.Unauthorized(),
        sources.RateLimited(None),
        sources.PlanExhausted(),
        sources.RequestRefused(400),
        sources.ServerError(500),
        sources.BadShape("x"),
        sources.PageUnavailable(),
        sources.Unreachable(sent=True),
        sources.NotRecorded(),
        pages.PageTooLarge(1, 1),
        pages.PageUnreadable(),
        pages.PdfEncrypted(),
        pages.PdfWithoutText(),
        pages.PageTimedOut(1),
        pages.UnsupportedCharset("utf-7"),
        pages.UnsupportedContentType("image/png"),
        sources.Challenged(),
        sources.AddressRefused("address.loopback"),
        sources.RedirectRefused("redirect.count"),
    ]
    kinds = {type(error) for error in errors}
    assert {kind for kind in sources.SourceError.__subclasses__() if kind not in kinds} == set()
    for error in errors:
        word = outcomes.failure_of(error)
        assert word is not None
        with pytest.raises(type(error)) as caught:
            await replay(failed(SEARCH, 1, word.word)).search("pumps", 5)
        again = outcomes.failure_of(caught.value)
        assert again is not None
        assert (again.status, again.word) == (word.status, word.word)


def test_a_gate_with_a_recording_has_no_key_and_no_address(tmp_path: Path) -> None:
    """The configuration takes a recording alone, and a file that is none stops the start with its reason."""
    file = tmp_path / "recording"
    file.write_bytes(written(SEARCH))
    assert make_source(SourceConfig(SourceKind.REPLAY, recording=file)).name == "replay"
    for more in ({"base_url": "https://api.tavily.com"}, {"api_key_file": file}, {"socket": file}):
        with pytest.raises((ValueError, SettingsError)):
            SourceConfig(SourceKind.REPLAY, recording=file, **more)
    with pytest.raises(ValueError, match="recording is missing"):
        SourceConfig(SourceKind.REPLAY)
    with pytest.raises(ValueError, match="for kind replay alone"):
        SourceConfig(SourceKind.CORPUS, base_url="http://127.0.0.1:1", recording=file)
    file.write_bytes(written(SEARCH)[:-2])
    with pytest.raises(StartRefused, match="cut short"):
        make_source(SourceConfig(SourceKind.REPLAY, recording=file))
