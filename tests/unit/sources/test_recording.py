"""The file of a recording: written and read back, and every way in which another file is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from doublethink_gate.recording_command import main
from doublethink_gate.sources import RecordingError, recording
from doublethink_gate.sources.recording import (
    RecordedExchange,
    RecordedFailure,
    RecordedRequest,
    RecordedResponse,
    parse,
    read_file,
)
from hypothesis import given
from hypothesis import strategies as st
from sim.recordings import COMPLETION, PAGE, SEARCH, SESSION, resealed, written


def test_what_is_written_is_read() -> None:
    """Head, exchanges in order and the sum of the whole file come back as they were given."""
    data = written(SEARCH, PAGE)
    read = parse(data)
    assert (read.session, read.source, read.exchanges) == (SESSION, "corpus", (SEARCH, PAGE))
    assert [each.asked for each in read.exchanges] == ["pumps", "https://pumps.example/"]


_texts = st.text(min_size=1, max_size=50)
_exchanges = st.builds(
    lambda text, body, status, failed: RecordedExchange(
        1,
        "search",
        RecordedRequest("POST", "https://source.example/search", json.dumps({"query": text})),
        None if failed else RecordedResponse(status, "application/json", body),
        RecordedFailure("timed_out", status) if failed else None,
    ),
    _texts.filter(lambda text: not any("\ud800" <= letter <= "\udfff" for letter in text)),
    st.binary(max_size=200),
    st.integers(0, 999),
    st.booleans(),
)


@given(_exchanges)
def test_every_exchange_comes_back(exchange: RecordedExchange) -> None:
    """Whatever text was asked and whatever bytes came back."""
    assert parse(written(exchange)).exchanges == (exchange,)


@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
def test_nothing_else_is_a_recording(data: bytes) -> None:
    """Any bytes at all are refused with the one error, and never with another."""
    with pytest.raises(RecordingError):
        parse(data)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_is_found(place: int, change: int) -> None:
    """Wherever one byte is another, the file is refused."""
    data = bytearray(written(SEARCH, PAGE))
    data[place % len(data)] ^= change
    with pytest.raises(RecordingError):
        parse(bytes(data))


@given(st.integers(0, 10_000))
def test_a_file_that_is_cut_is_found(length: int) -> None:
    """A part of a recording is none."""
    data = written(SEARCH, PAGE)
    with pytest.raises(RecordingError):
        parse(data[: length % len(data)])


def _changed(change: Callable[[dict[str, object]], object]) -> bytes:
    """The recording with its second line changed, and a sum that fits: what somebody makes by hand."""
    lines = written(SEARCH, PAGE).splitlines()
    fields = json.loads(lines[1])
    change(fields)
    lines[1] = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
    return resealed(lines)


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields.update(headers={"authorization": "x"}),
        lambda fields: fields.update(n=-1),
        lambda fields: fields.update(n=True),
        lambda fields: fields.update(n=9),
        lambda fields: fields.update(operation="complete"),
        lambda fields: fields["request"].update(method="GET"),
        lambda fields: fields["request"].update(body='{"query":""}'),
        lambda fields: fields["request"].update(body="[" * 20_000),
        lambda fields: fields["request"].update(body="x" * 70_000),
        lambda fields: fields["response"].update(url="https://pumps.example/"),
        lambda fields: fields["response"].update(body="not base64!"),
        lambda fields: fields["response"].update(status=1000),
        lambda fields: fields.update(failure={"error": "timed_out", "http": 0}),
        lambda fields: fields.pop("response"),
        lambda fields: fields.pop("request"),
    ],
)
def test_a_line_of_another_form_is_refused(change: Callable[[dict[str, object]], object]) -> None:
    """Also where the sum was made to fit: unknown keys, other types, bounds, and lines that contradict themselves."""
    with pytest.raises(RecordingError, match=r"line [23]"):
        parse(_changed(change))


def test_the_error_says_nothing_of_the_content() -> None:
    """A value that does not belong there is not repeated."""
    with pytest.raises(RecordingError) as caught:
        parse(_changed(lambda fields: fields.update(operation="Nordwind")))
    assert "Nordwind" not in str(caught.value)


def test_a_key_that_is_given_twice_is_refused() -> None:
    """A recording has one encoding, so that two readers cannot take it for two things."""
    lines = written(SEARCH, PAGE).splitlines()
    lines[1] = lines[1].replace(b'{"n":', b'{"n":0,"n":', 1)
    with pytest.raises(RecordingError, match="one encoding"):
        parse(resealed(lines))


def test_another_version_is_refused() -> None:
    """A format that this version does not know is no recording."""
    lines = written(SEARCH).splitlines()
    lines[0] = lines[0].replace(b"doublethink-recording/1", b"doublethink-recording/2")
    with pytest.raises(RecordingError, match="line 1"):
        parse(resealed(lines))


def test_a_page_above_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is longer than the largest page makes it is not even parsed."""
    data = written(SEARCH, PAGE)
    monkeypatch.setattr(recording, "MAX_LINE_BYTES", len(data.splitlines()[2]) - 1)
    with pytest.raises(RecordingError, match=r"line [23] has more than"):
        parse(data)


def test_a_page_that_is_larger_than_any_that_is_read_is_refused() -> None:
    """The bound holds for the decoded bytes too."""
    body = bytes(recording.MAX_BODY_BYTES + 1)
    page = RecordedExchange(
        1, "page", PAGE.request, RecordedResponse(200, "text/html", body, "https://pumps.example/", 1)
    )
    with pytest.raises(RecordingError, match="line 2"):
        parse(written(page))


def test_too_many_bytes_or_requests_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither written nor read."""
    whole = written(SEARCH, PAGE)
    monkeypatch.setattr(recording, "MAX_EXCHANGES", 1)
    with pytest.raises(RecordingError, match="more than 1 requests"):
        written(SEARCH, PAGE)
    with pytest.raises(RecordingError, match="more than 1 requests"):
        parse(whole)
    monkeypatch.setattr(recording, "MAX_BYTES", 10)
    with pytest.raises(RecordingError):
        written(SEARCH)
    monkeypatch.setattr(recording, "MAX_BYTES", len(whole) - 1025)
    with pytest.raises(RecordingError, match="it has more than"):
        parse(whole)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A pipe does not hold the start up, and neither a folder nor nothing is read."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "", "absent"):
        with pytest.raises(RecordingError):
            read_file(tmp_path / name)


def test_the_command_says_what_a_file_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for a recording, one on stderr for what is none; a search whose answer is none counts as that."""
    file = tmp_path / "recording"
    file.write_bytes(written(SEARCH, PAGE))
    assert main([str(file)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["session"], told["source"], told["model"]) == (SESSION, "corpus", None)
    assert (told["search"], told["page"], told["completion"]) == (1, 1, 0)
    file.write_bytes(written(SEARCH, PAGE, COMPLETION))
    assert main([str(file)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["completion"], told["model"]) == (1, "claude-sonnet-5-5")
    unread = RecordedExchange(7, "search", SEARCH.request, RecordedResponse(200, "application/json", b"{}"))
    file.write_bytes(written(unread))
    assert main([str(file)]) == 2
    assert capsys.readouterr().err == "the search of row 7 has no answer of the published form\n"
