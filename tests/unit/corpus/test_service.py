"""The wire format of the stand-in, its ranking and its request log."""

import base64
import stat
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from doublethink_corpus.__main__ import _listen
from doublethink_corpus.config import parse_arguments
from doublethink_corpus.index import Index, query_words
from doublethink_corpus.limits import Allowance
from doublethink_corpus.pages import read_folder
from doublethink_corpus.request_log import RequestLog
from doublethink_corpus.service import MAX_BODY_BYTES, Service

Logged = Callable[[], list[dict[str, object]]]
Connected = Callable[[Service], httpx.AsyncClient]


async def test_search_answers_in_the_published_form(client: httpx.AsyncClient) -> None:
    """Query, results with their fields, and the fields around them."""
    answer = (await client.post("/search", json={"query": "Halvorsen revenue", "max_results": 2})).json()
    assert answer["query"] == "Halvorsen revenue"
    assert answer["answer"] is None
    assert answer["images"] == []
    assert {"response_time", "request_id"} <= set(answer)
    first = answer["results"][0]
    assert set(first) == {"url", "title", "content", "score", "raw_content"}
    assert first["url"] == "https://halvorsen.pages.example/"
    assert first["title"] == "Halvorsen Pumps results"
    assert "1,284.6" in first["content"]
    assert 0 < answer["results"][1]["score"] < first["score"] < 1


async def test_a_word_in_the_title_counts_more(client: httpx.AsyncClient) -> None:
    """Both pages name Halvorsen; the one whose title does comes first, and the order does not change."""
    answers = [
        (await client.post("/search", json={"query": "halvorsen"})).json()["results"] for _ in range(3)
    ]
    assert [result["url"] for result in answers[0]] == [
        "https://halvorsen.pages.example/",
        "https://ir.brenner.example/2024",
    ]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("query", ["zzzz", "!!!", '"', "NEAR(", "zz OR", "* AND title:"])
async def test_odd_queries_are_searches_and_may_find_nothing(client: httpx.AsyncClient, query: str) -> None:
    """No query is a syntax of its own; nothing found is an answer with no results."""
    response = await client.post("/search", json={"query": query})
    assert response.status_code == 200
    assert response.json()["results"] == []


async def test_domains_are_kept_or_left_out(client: httpx.AsyncClient) -> None:
    """include_domains and exclude_domains take hosts and what is below them."""
    kept = await client.post("/search", json={"query": "halvorsen", "include_domains": ["brenner.example"]})
    left = await client.post("/search", json={"query": "halvorsen", "exclude_domains": ["brenner.example"]})
    assert [r["url"] for r in kept.json()["results"]] == ["https://ir.brenner.example/2024"]
    assert [r["url"] for r in left.json()["results"]] == ["https://halvorsen.pages.example/"]


async def test_hidden_words_are_not_found(client: httpx.AsyncClient) -> None:
    """The index holds what a page shows."""
    assert (await client.post("/search", json={"query": "ink"})).json()["results"] == []


async def test_extract_gives_text_and_saved_bytes(client: httpx.AsyncClient, folder: Path) -> None:
    """With format html the page comes back byte for byte; an unknown address is a failed result."""
    urls = ["https://ir.brenner.example/2024", "https://nowhere.example/"]
    answer = (await client.post("/extract", json={"urls": urls, "format": "html"})).json()
    (result,) = answer["results"]
    assert base64.b64decode(result["raw_base64"]) == (folder / "brenner.html").read_bytes()
    assert result["content_type"] == "text/html; charset=utf-8"
    assert answer["failed_results"] == [{"url": urls[1], "error": "Failed to fetch url"}]
    plain = (await client.post("/extract", json={"urls": urls[0]})).json()["results"][0]
    assert "raw_base64" not in plain
    assert "972,318" in plain["raw_content"]


async def test_a_page_that_changed_is_not_given(client: httpx.AsyncClient, folder: Path) -> None:
    """A file that is not the one that was indexed is a failed result."""
    (folder / "weather.html").write_text("<p>Sun.</p>")
    answer = (
        await client.post("/extract", json={"urls": ["https://weather.pages.example/"], "format": "html"})
    ).json()
    assert answer["results"] == []
    assert len(answer["failed_results"]) == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/search", b"{", 422),
        ("/search", b"[]", 422),
        ("/search", b"{}", 422),
        ("/search", b'{"query": 5}', 422),
        ("/search", b'{"query": "x", "max_results": true}', 422),
        ("/search", b'{"query": "x", "api_key": "k"}', 422),
        ("/search", b'{"query": " "}', 400),
        ("/search", b'{"query": "x", "max_results": 21}', 400),
        ("/search", b'{"query": "x", "topic": "sport"}', 400),
        ("/extract", b'{"urls": []}', 400),
        ("/extract", b'{"urls": [1]}', 422),
        ("/extract", b'{"urls": ["https://a.example/"], "format": "pdf"}', 400),
        ("/search", b"[" * 60_000, 422),
        ("/search", b'{"query": "' + b"x" * MAX_BODY_BYTES + b'"}', 400),
        ("/other", b"{}", 404),
    ],
)
async def test_faults_are_errors_in_the_published_form(
    client: httpx.AsyncClient, logged: Logged, path: str, body: bytes, status: int
) -> None:
    """What cannot be answered gets detail.error with its status, and is written down all the same."""
    response = await client.post(path, content=body)
    assert response.status_code == status
    assert isinstance(response.json()["detail"]["error"], str)
    assert logged()[-1]["path"] == path


async def test_too_many_urls_are_refused(client: httpx.AsyncClient) -> None:
    """Twenty addresses are the most."""
    urls = [f"https://a.example/{n}" for n in range(21)]
    assert (await client.post("/extract", json={"urls": urls})).status_code == 400


async def test_every_request_is_logged_word_for_word(client: httpx.AsyncClient, logged: Logged) -> None:
    """Queries, addresses, and requests on any other path or method."""
    await client.post("/search", json={"query": "Größe \u200b?"})
    await client.post("/extract", json={"urls": ["https://a.example/?q=1"]})
    await client.get("/anything", params={"q": "secret"})
    assert [(line["method"], line["path"]) for line in logged()] == [
        ("POST", "/search"),
        ("POST", "/extract"),
        ("GET", "/anything?q=secret"),
    ]
    assert logged()[0]["query"] == "Größe \u200b?"
    assert logged()[1]["urls"] == ["https://a.example/?q=1"]


async def test_nothing_is_answered_that_is_not_written_down(
    folder: Path, log_file: Path, connected: Connected
) -> None:
    """When the log cannot be written, the request fails."""
    log = RequestLog(log_file)
    log.close()
    async with connected(Service(Index(read_folder(folder).pages), log, None, Allowance())) as client:
        with pytest.raises(OSError, match="descriptor"):
            await client.post("/search", json={"query": "halvorsen"})


async def test_key_is_required_and_never_logged(
    folder: Path, log: RequestLog, logged: Logged, connected: Connected
) -> None:
    """Without the right bearer key: 401. The key stands in no line."""
    service = Service(Index(read_folder(folder).pages), log, b"tvly-right", Allowance())
    async with connected(service) as client:
        for header in ({}, {"authorization": "Bearer tvly-wrong"}, {"authorization": "tvly-right"}):
            response = await client.post("/search", json={"query": "x"}, headers=header)
            assert response.status_code == 401
        good = await client.post(
            "/search", json={"query": "x"}, headers={"authorization": "Bearer tvly-right"}
        )
    assert good.status_code == 200
    assert len(logged()) == 4
    assert "tvly" not in str(logged())


async def test_limits_answer_as_the_real_service_does(
    folder: Path, log: RequestLog, connected: Connected
) -> None:
    """429 with a time to wait beyond the rate, 432 beyond the plan."""
    now = [0.0]
    service = Service(Index(read_folder(folder).pages), log, None, Allowance(2, 3, clock=lambda: now[0]))
    async with connected(service) as client:
        statuses = []
        for seconds in (0, 1, 2, 61, 62):
            now[0] = seconds
            response = await client.post("/search", json={"query": "x"})
            statuses.append(response.status_code)
            if response.status_code == 429:
                assert response.headers["retry-after"] == "58"
    assert statuses == [200, 200, 429, 200, 432]


def test_query_words() -> None:
    """Stop words go unless there is nothing else, each word counts once, and there is a bound."""
    assert query_words("What is the revenue of the Revenue?") == ["revenue"]
    assert query_words("who is it") == ["who", "is", "it"]
    assert len(query_words(" ".join(f"w{n}" for n in range(500)))) == 64


def test_the_snippet_is_the_piece_with_the_most_words_and_is_short(tmp_path: Path) -> None:
    """The best of the first places; a page that repeats a word without end costs no more than those."""
    far = "filler " * 100
    (tmp_path / "one.html").write_text(f"<p>pumps {far} revenue of pumps in 2024 {far}</p>")
    (tmp_path / "two.html").write_text(f"<p>{'Pumps revenue. ' * 60_000}</p>")
    (tmp_path / "three.html").write_text("<p>A pump's revenues</p>")
    hits = {
        hit.page.slug: hit.snippet
        for hit in Index(read_folder(tmp_path).pages).search("pumps revenue 2024", 9)
    }
    assert "revenue of pumps in 2024" in hits["one"]
    assert hits["one"].startswith("... ")
    assert all(0 < len(snippet) <= 330 for snippet in hits.values())
    assert hits["three"] == "A pump's revenues"


@pytest.mark.parametrize("group", [False, True])
def test_the_socket_is_open_to_its_group_where_that_is_said(tmp_path: Path, group: bool) -> None:
    """A gate of another user with the same group may connect, and nobody else."""
    given = ["--pages", "p", "--request-log", "l", "--listen", f"unix:{tmp_path / 's'}"]
    config = parse_arguments([*given, "--socket-group"] if group else given)
    listening, _ = _listen(config.listen)
    listening.close()
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == (0o660 if group else 0o600)
