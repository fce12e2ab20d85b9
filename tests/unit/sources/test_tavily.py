"""The client of sources in Tavily's wire format."""

import base64
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from doublethink_gate.sources import (
    BadShape,
    Bounds,
    PageUnavailable,
    PlanExhausted,
    RateLimited,
    RequestRefused,
    ServerError,
    SourceClass,
    SourceError,
    TavilyConfig,
    TavilySource,
    TimedOut,
    TooLarge,
    Unauthorized,
    Unreachable,
)

KEY = "tvly-0123456789-never-shown"
RESULT = {"url": "https://www.sec.gov/a", "title": "T", "content": "C", "score": 0.9, "raw_content": None}
ANSWER = {"query": "q", "answer": None, "images": [], "results": [RESULT], "response_time": 0.1}
PAGE = {"url": "https://a.example/", "raw_content": "text"}

Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """A file with a key."""
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    file.chmod(0o600)
    return file


class Streamed(httpx.AsyncByteStream):
    """A body that arrives in pieces, as one from a network does."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), 4096):
            yield self._body[start : start + 4096]


class Server(httpx.AsyncBaseTransport):
    """Answers by a handler, and sends the answer as a stream."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        response = self._handler(request)
        if response.is_stream_consumed:
            return httpx.Response(
                response.status_code, headers=response.headers, stream=Streamed(response.content)
            )
        return response


def source(handler: Handler, **options: Any) -> TavilySource:
    """A source whose answers come from `handler`."""
    return TavilySource(TavilyConfig(**options), Server(handler))


def answering(body: object, status: int = 200, **headers: str) -> Handler:
    """A handler that always gives this JSON."""
    return lambda request: httpx.Response(status, json=body, headers=headers)


async def test_what_is_prepared_is_what_is_sent(key_file: Path) -> None:
    """Method, address, body and every header go out as prepared; only the key is added."""
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=ANSWER)

    tavily = source(handler, key_file=key_file)
    prepared = tavily.prepare_search("Größe of pumps", 5)
    await tavily.send(prepared, 5.0)
    (request,) = seen
    assert (request.method, str(request.url)) == ("POST", "https://api.tavily.com/search")
    assert request.content == prepared.body
    sent = [(name.decode().lower(), value.decode()) for name, value in request.headers.raw]
    assert sorted(sent) == sorted([*prepared.headers, ("authorization", f"Bearer {KEY}")])
    assert prepared.canonical().endswith(b"\n\n" + prepared.body)
    assert KEY.encode() not in prepared.canonical()


async def test_the_search_body_holds_the_query_and_fixed_fields() -> None:
    """Nothing else can go out with a query; the number of results is bounded."""
    prepared = source(answering(ANSWER)).prepare_search('a "b"', 500)
    assert json.loads(prepared.body) == {
        "query": 'a "b"',
        "search_depth": "basic",
        "topic": "general",
        "max_results": 20,
        "include_answer": False,
        "include_raw_content": False,
        "include_images": False,
        "include_usage": True,
    }


async def test_a_search_answer_is_typed() -> None:
    """Results carry address, title, snippet and the class of their host; the raw body is kept."""
    answer = await source(answering(ANSWER)).search("q", 5)
    (result,) = answer.results
    assert (result.url, result.title, result.snippet) == ("https://www.sec.gov/a", "T", "C")
    assert result.source_class is SourceClass.REGULATOR
    assert answer.status == 200
    assert json.loads(answer.raw) == ANSWER
    assert b'"query":"q"' in answer.request


async def test_an_empty_answer_is_one_that_says_so() -> None:
    """An empty list of results is an answer; a missing list is not."""
    assert (await source(answering(ANSWER | {"results": []})).search("q", 5)).results == ()
    with pytest.raises(BadShape):
        await source(answering({"query": "q"})).search("q", 5)


async def test_results_that_cannot_be_fetched_are_dropped_and_counted() -> None:
    """Addresses that are not http, or endless, never become results."""
    urls = [
        "ftp://a.example/",
        "javascript:alert(1)",
        "https://",
        "https://a b/",
        "https://a.example/" + "x" * 2048,
        "h",
    ]
    results = [RESULT | {"url": url} for url in urls] + [RESULT]
    answer = await source(answering(ANSWER | {"results": results})).search("q", 20)
    assert len(answer.results) == 1
    assert answer.dropped == len(urls)


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        ANSWER | {"results": {}},
        ANSWER | {"results": ["x"]},
        ANSWER | {"query": None},
        ANSWER | {"results": [RESULT | {"title": None}]},
        ANSWER | {"results": [RESULT | {"score": "high"}]},
        ANSWER | {"results": [{"url": "https://a.example/"}]},
        ANSWER | {"results": [RESULT] * 21},
        {"detail": {"error": "x"}},
    ],
)
async def test_any_other_shape_is_an_error(body: object) -> None:
    """A layout that was not published is no answer."""
    with pytest.raises(BadShape):
        await source(answering(body)).search("q", 5)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, html="<html>Are you a robot?</html>"),
        httpx.Response(200, content=b"{", headers={"content-type": "application/json"}),
        httpx.Response(200, content=b"[" * 100_000, headers={"content-type": "application/json"}),
        httpx.Response(302, headers={"location": "https://elsewhere.example/"}),
        httpx.Response(204),
    ],
    ids=["challenge", "half", "deep", "redirect", "nothing"],
)
async def test_challenges_and_redirects_are_errors(response: httpx.Response) -> None:
    """Nothing is followed and nothing is guessed."""
    seen: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        return response

    with pytest.raises(BadShape):
        await source(handler).search("q", 5)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, RequestRefused),
        (401, Unauthorized),
        (403, Unauthorized),
        (422, RequestRefused),
        (429, RateLimited),
        (432, PlanExhausted),
        (433, PlanExhausted),
        (500, ServerError),
        (503, ServerError),
    ],
)
async def test_statuses_are_errors_of_their_own_kind(status: int, error: type[SourceError]) -> None:
    """Every failure has its type, and none repeats what the server wrote."""
    with pytest.raises(error) as raised:
        await source(answering({"detail": {"error": "SECRET ECHO q"}}, status)).search("q", 5)
    assert "ECHO" not in str(raised.value)


async def test_retry_after_is_read_and_bounded() -> None:
    """The source's own waiting time, in seconds, at most an hour."""
    for text, seconds in (("7", 7), ("999999", 3600), ("soon", None)):
        with pytest.raises(RateLimited) as raised:
            await source(answering({}, 429, **{"retry-after": text})).search("q", 5)
        assert raised.value.retry_after == seconds


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (httpx.ConnectError("https://h/?q=secret"), Unreachable),
        (httpx.ReadError("secret"), Unreachable),
        (httpx.RemoteProtocolError("secret"), Unreachable),
        (httpx.ReadTimeout("secret"), TimedOut),
        (httpx.ConnectTimeout("secret"), TimedOut),
    ],
)
async def test_broken_connections_are_errors_without_the_query(
    failure: httpx.HTTPError, error: type[SourceError]
) -> None:
    """The library's own message, which may quote the request, is nowhere in the chain."""

    def handler(request: httpx.Request) -> httpx.Response:
        raise failure

    with pytest.raises(error) as raised:
        await source(handler).search("q", 5)
    assert "secret" not in f"{raised.value} {raised.value.__cause__}"
    if isinstance(raised.value, Unreachable):
        assert raised.value.sent is not isinstance(failure, httpx.ConnectError)


async def test_answers_are_bounded_while_they_arrive() -> None:
    """Reading stops at the bound, whether or not the server said how much it would send."""
    chunks = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal chunks
        while True:
            chunks += 1
            yield b"x" * 1000

    bounds = Bounds(response_bytes=10_000)
    with pytest.raises(TooLarge):
        await source(lambda request: httpx.Response(200, content=endless()), bounds=bounds).search("q", 5)
    assert chunks == 11
    with pytest.raises(TooLarge):
        await source(lambda request: httpx.Response(200, content=b"x" * 10_001), bounds=bounds).search("q", 5)


async def test_compressed_answers_are_refused() -> None:
    """No encoding is asked for, so none is accepted: a small answer cannot become a large one."""

    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-encoding": "gzip"}, stream=Streamed(b"\x1f\x8b"))

    with pytest.raises(Unreachable):
        await source(handler).search("q", 5)


async def test_a_page_comes_back_byte_for_byte_from_the_stand_in() -> None:
    """With raw pages the bytes and their content type are the page's own."""
    raw = b"\x00<p>\xff"
    body = {
        "results": [PAGE | {"raw_base64": base64.b64encode(raw).decode(), "content_type": "text/html"}],
        "failed_results": [],
    }
    stand_in = source(answering(body), raw_pages=True, base_url="http://127.0.0.1:1")
    page = await stand_in.fetch("https://a.example/")
    assert (page.raw, page.content_type, page.final_url) == (raw, "text/html", "https://a.example/")
    assert json.loads(stand_in.prepare_fetch("https://a.example/").body)["format"] == "html"


@pytest.mark.parametrize(
    ("usage", "credits"), [(None, None), ({"credits": 0}, 0), ({"credits": 2}, 2), ({"credits": 0.4}, 1)]
)
async def test_credits_are_what_the_answer_says(usage: object, credits: int | None) -> None:
    """A part of a credit counts as one; an answer that does not say is not counted as free."""
    told = {} if usage is None else {"usage": usage}
    assert (await source(answering(ANSWER | told)).search("q", 5)).credits == credits
    # Without failures the published client takes no list of them for an empty one, and so do we.
    assert (
        await source(answering({"results": [PAGE]} | told)).fetch("https://a.example/")
    ).credits == credits


async def test_the_stand_ins_credits_are_not_asked_for() -> None:
    """They are nobody's; Tavily's are asked for with every request."""
    stand_in = source(answering(ANSWER), raw_pages=True, base_url="http://127.0.0.1:1")
    for prepared in (stand_in.prepare_search("q", 5), stand_in.prepare_fetch("https://a.example/")):
        assert "include_usage" not in json.loads(prepared.body)
    assert (
        json.loads(source(answering(ANSWER)).prepare_fetch("https://a.example/").body)["include_usage"]
        is True
    )


async def test_a_page_from_tavily_is_markdown() -> None:
    """Tavily gives its own text of a page, never the page."""
    tavily = source(answering({"results": [PAGE], "failed_results": []}))
    page = await tavily.fetch("https://a.example/")
    assert (page.raw, page.content_type) == (b"text", "text/markdown; charset=utf-8")
    assert json.loads(tavily.prepare_fetch("https://a.example/").body)["urls"] == ["https://a.example/"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"results": [], "failed_results": [{"url": "https://a.example/", "error": "x"}]}, PageUnavailable),
        ({"results": [PAGE | {"raw_content": " "}], "failed_results": []}, PageUnavailable),
        ({"results": [], "failed_results": []}, BadShape),
        ({"results": [], "failed_results": [{"url": "https://b.example/", "error": "x"}]}, BadShape),
        ({"results": [PAGE, PAGE], "failed_results": []}, BadShape),
        ({"results": [PAGE | {"url": "file:///etc/passwd"}], "failed_results": []}, BadShape),
        ({"results": [{"url": "https://a.example/"}], "failed_results": []}, BadShape),
        ({"results": []}, BadShape),
        ({"results": [PAGE], "failed_results": None}, BadShape),
        ({"results": [PAGE], "failed_results": [], "usage": {"credits": -1}}, BadShape),
        ({"results": [PAGE], "failed_results": [], "usage": {}}, BadShape),
    ],
)
async def test_pages_that_did_not_come_are_errors(body: object, error: type[SourceError]) -> None:
    """A failed page and a strange answer are two things."""
    with pytest.raises(error):
        await source(answering(body)).fetch("https://a.example/")


@pytest.mark.parametrize("text", ["!!not base64!!", "====", "YQ"])
async def test_broken_base64_is_no_page(text: str) -> None:
    """The bytes of a page are decoded strictly."""
    body = {"results": [PAGE | {"raw_base64": text, "content_type": "text/html"}], "failed_results": []}
    with pytest.raises(BadShape):
        await source(answering(body), raw_pages=True).fetch("https://a.example/")


async def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP_PROXY and its kin change nothing."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    tavily = TavilySource(TavilyConfig())
    assert tavily._client._mounts == {}
    assert not tavily._client.trust_env
    assert not tavily._client.follow_redirects
    await tavily.close()
