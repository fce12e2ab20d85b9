"""The guard where people have tokens: what lets in, what never does, and the end of a token in mid-stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from doublethink_console.config import Access
from doublethink_console.http.bearer import TokenEntrance
from doublethink_console.http.entrance import who
from doublethink_console.http.guard import Guard
from doublethink_console.http.streams import HEARTBEAT, ServerEvent, event_stream
from doublethink_console.identity.keys import KeyFile
from doublethink_console.identity.people import person_id
from doublethink_console.identity.settings import OidcConfig, TeamOf
from doublethink_console.identity.tokens import Reason, Tokens
from doublethink_console.metrics import Metrics
from sim.identity import AUDIENCE, ISSUER, Provider, made, public_jwk
from sim.logs import caught_log
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

HOST = "console.example.com"
HERE = f"https://{HOST}"
JSON = {"content-type": "application/json"}
COLLECTOR = "c" * 64


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Stage:
    """A guarded application, its provider and its clock."""

    def __init__(self, folder: Path, header: str = "authorization") -> None:
        self.provider = Provider()
        self.file = folder / "jwks.json"
        self.provider.write(self.file)
        self.clock, self.refused = Clock(self.provider.now), list[Reason]()
        config = OidcConfig(
            issuer=ISSUER, audience=AUDIENCE, keys_file=self.file, teams=(TeamOf("deals-a", "a"),), header=header,
            leeway_s=0,
        )  # fmt: skip
        # The file is looked at for every token: its clock runs ahead.
        self._ticks = 0.0
        self.keys = KeyFile(self.file, Metrics(), self._tick)
        access = Access(
            frozenset({HOST}), secure_cookie=True, session_seconds=60, tls_hosts=frozenset({HOST})
        )
        entrance = TokenEntrance(
            access, config, Tokens(config, self.keys, self.clock), self.refused.append, COLLECTOR
        )
        routes = [
            Route("/api/thing", _answer, methods=["GET", "POST", "DELETE"]),
            Route("/api/ledger", _answer),
            Route("/api/events", self._events),
            Route("/api/file", self._file, methods=["POST"]),
            Route("/", _answer),
        ]
        self.app = Guard(Starlette(routes=routes), entrance)
        self.on_event: Any = None

    def _tick(self) -> float:
        self._ticks += 10
        return self._ticks

    async def _events(self, request: Request) -> Response:
        async def events() -> AsyncIterator[ServerEvent | None]:
            for number in range(50):
                yield ServerEvent(number, "row", {"n": number})
                if number == 2 and self.on_event is not None:
                    self.on_event()
                yield HEARTBEAT
                await asyncio.sleep(0.01)

        return event_stream(events())

    async def _file(self, request: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"one"
            if self.on_event is not None:
                self.on_event()
            yield b"two"

        return StreamingResponse(pieces())

    def client(self, token: str | None, name: str = "authorization", **headers: str) -> httpx.AsyncClient:
        """A client that presents a token, or none."""
        if token is not None:
            headers[name] = f"Bearer {token}" if name == "authorization" else token
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers, trust_env=False)


async def _answer(request: Request) -> Response:
    person = who(request)
    return JSONResponse({"id": person.id, "teams": list(person.teams)})


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A stage whose tokens come as bearers."""
    return Stage(tmp_path)


async def test_a_token_opens_and_says_who_it_is(stage: Stage) -> None:
    """The person and the team are the token's."""
    async with stage.client(stage.provider.token("deals-a")) as on:
        answer = await on.get("/api/thing")
    assert answer.json() == {"id": person_id(ISSUER, "person-1"), "teams": ["a"]}


async def test_a_header_that_only_names_somebody_is_worth_nothing(stage: Stage) -> None:
    """Nor is a cookie, a token in the address, a token in another header, or another scheme."""
    token = stage.provider.token("deals-a")
    named = {
        "x-forwarded-user": "person-1", "x-forwarded-email": "a@example.com", "x-auth-request-user": "person-1",
        "x-forwarded-groups": "deals-a", "x-auth-request-groups": "deals-a", "remote-user": "person-1",
        "x-forwarded-preferred-username": "person-1", "x-forwarded-access-token": token, "x-id-token": token,
        "cookie": f"doublethink_console={token}",
    }  # fmt: skip
    async with stage.client(None, **named) as on:
        for path in ("/api/thing", "/api/ledger", "/", f"/api/thing?access_token={token}"):
            assert (await on.get(path)).status_code == 401
        assert (await on.get("/api/thing", headers={"authorization": f"Basic {token}"})).status_code == 401
    assert set(stage.refused) == {Reason.ABSENT, Reason.FORM}


async def test_the_token_comes_in_the_configured_header_alone(tmp_path: Path) -> None:
    """A bearer beside it is not looked at."""
    stage = Stage(tmp_path, "x-forwarded-access-token")
    token = stage.provider.token("deals-a")
    async with stage.client(token, "x-forwarded-access-token") as on:
        assert (await on.get("/api/thing")).status_code == 200
        assert (await on.get("/api/thing", headers={"authorization": "Bearer x"})).status_code == 200
    async with stage.client(token) as on:
        assert (await on.get("/api/thing")).status_code == 401


async def test_two_tokens_are_none(stage: Stage) -> None:
    """A proxy that adds where it should replace lets nobody choose."""
    token = stage.provider.token("deals-a")
    async with stage.client(None) as on:
        twice = [("authorization", f"Bearer {token}"), ("authorization", f"Bearer {token}")]
        assert (await on.get("/api/thing", headers=twice)).status_code == 401


async def test_a_refusal_says_why_in_one_line_and_keeps_the_token(stage: Stage) -> None:
    """In the answer, the log and the count; a browser gets a page."""
    token = stage.provider.token("deals-a", aud="other")
    with caught_log("console") as log:
        async with stage.client(token) as on:
            answer = await on.get("/api/thing")
            page = await on.get("/", headers={"accept": "text/html"})
    words = "The token is not taken: it is for somebody else. Sign in again."
    assert (answer.status_code, answer.json()) == (401, {"error": words})
    assert (page.status_code, words in page.text) == (401, True)
    assert page.headers["content-type"].startswith("text/html")
    assert stage.refused == [Reason.AUDIENCE, Reason.AUDIENCE]
    text = log.getvalue()
    assert '"reason": "AUDIENCE"' in text
    for piece in (*token.split("."), "person-1", "A. Person"):
        assert piece not in text
        assert piece not in answer.text


async def test_no_team_is_a_clear_refusal(stage: Stage) -> None:
    """The person is known and may do nothing here: 403 and not 401, so that nobody is sent to sign in again."""
    async with stage.client(stage.provider.token("other")) as on:
        answer = await on.get("/api/thing")
    assert answer.status_code == 403
    assert "None of your groups" in answer.json()["error"]


@pytest.mark.parametrize("header", ["authorization", "x-forwarded-access-token"])
async def test_a_page_of_another_site_cannot_use_the_proxys_cookie(tmp_path: Path, header: str) -> None:
    """The proxy adds the token to whatever the browser sends: a foreign or missing origin changes nothing."""
    stage = Stage(tmp_path, header)
    async with stage.client(stage.provider.token("deals-a"), header) as on:
        assert (await on.post("/api/thing", headers={**JSON, "origin": HERE})).status_code == 200
        for origin in ("https://evil.example", "null", f"{HERE}.evil.example", f"https://x.{HOST}", "", HOST):
            headers = {**JSON, "origin": origin}
            assert (await on.post("/api/thing", headers=headers)).status_code == 403
            assert (await on.delete("/api/thing", headers={"origin": origin})).status_code == 403
        assert (await on.post("/api/thing", headers=JSON)).status_code == 403
        assert (await on.delete("/api/thing")).status_code == 403
        for site in ("cross-site", "same-site"):
            headers = {**JSON, "origin": HERE, "sec-fetch-site": site}
            assert (await on.post("/api/thing", headers=headers)).status_code == 403
        form = {"content-type": "text/plain", "origin": HERE}
        assert (await on.post("/api/thing", headers=form)).status_code == 415
        assert (await on.options("/api/thing", headers={"origin": HERE})).status_code == 405


async def test_the_last_step_of_a_login_may_open_a_page_and_nothing_else(stage: Stage) -> None:
    """A browser that comes from the provider says cross-site; it gets the page in a window, never in a frame, and
    nothing of the API.
    """
    coming = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    async with stage.client(stage.provider.token("deals-a")) as on:
        assert (await on.get("/", headers=coming)).status_code == 200
        assert (await on.get("/api/thing", headers=coming)).status_code == 403
        assert (await on.get("/", headers={**coming, "sec-fetch-dest": "iframe"})).status_code == 403
        assert (await on.get("/", headers={**coming, "sec-fetch-mode": "no-cors"})).status_code == 403
        assert (await on.post("/", headers={**coming, **JSON, "origin": HERE})).status_code == 403


async def test_a_name_that_is_not_ours_is_refused(stage: Stage) -> None:
    """DNS rebinding, with whatever token."""
    async with stage.client(stage.provider.token("deals-a"), host="evil.example") as on:
        assert (await on.get("/api/thing")).status_code == 421


async def test_a_collector_reads_the_log_and_nothing_else(stage: Stage) -> None:
    """Its token is a machine's, and stays beside those of people."""
    async with stage.client(COLLECTOR) as on:
        assert (await on.get("/api/ledger")).status_code == 200
        assert (await on.get("/api/thing")).status_code == 403
        assert (await on.post("/api/thing", headers={**JSON, "origin": HERE})).status_code == 403


async def read(stage: Stage, path: str, method: str = "GET") -> tuple[int, list[str]]:
    """The status and the lines of a stream."""
    async with (
        stage.client(stage.provider.token("deals-a", exp=stage.clock.now + 100), origin=HERE, **JSON) as on,
        on.stream(method, path) as response,
    ):
        return response.status_code, [line async for line in response.aiter_lines()]


async def test_a_stream_goes_on_while_the_token_is_good(stage: Stage) -> None:
    """The control: nothing ends it, neither a new key beside the one that it was begun with."""

    def add() -> None:
        stage.provider.keys["second"] = ("ES256", made("P-256/next"))
        stage.provider.write(stage.file)

    stage.on_event = add
    status, lines = await read(stage, "/api/events")
    assert status == 200
    assert "id: 49" in lines


async def test_a_stream_ends_when_the_token_does(stage: Stage) -> None:
    """Nothing comes after the last event before its time; the next request is refused."""

    def end() -> None:
        stage.clock.now += 100

    stage.on_event = end
    status, lines = await read(stage, "/api/events")
    assert status == 200
    assert "id: 2" in lines
    assert "id: 3" not in lines
    stage.on_event = None
    assert (await read(stage, "/api/events"))[0] == 200


@pytest.mark.parametrize("kid", ["next", "first"])
async def test_a_stream_ends_when_the_key_is_taken_away(stage: Stage, kid: str) -> None:
    """A key that is gone from the file ends what was begun with it, also where another has its name now."""

    def take() -> None:
        stage.provider.write(stage.file, {"keys": [public_jwk(made("P-256/next"), kid)]})

    stage.on_event = take
    _, lines = await read(stage, "/api/events")
    assert "id: 2" in lines
    assert "id: 3" not in lines
    assert (await read(stage, "/api/events"))[0] == 401


async def test_a_silent_stream_ends_too(stage: Stage) -> None:
    """Also where nothing is sent that could be kept back."""
    token = stage.provider.token("deals-a", exp=stage.clock.now + 0.3)

    async def silent(scope: Any, receive: Any, send: Any) -> None:
        head = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", b"text/event-stream")],
        }
        await send(head)
        await asyncio.sleep(30)

    stage.app._app = silent
    loop = asyncio.get_running_loop()
    begun = loop.time()
    async with stage.client(token) as on:
        assert (await on.get("/api/events")).status_code == 200
    assert loop.time() - begun < 10


async def test_a_page_that_came_without_tls_changes_nothing(stage: Stage) -> None:
    """Somebody on the way can serve one under the console's own name, and a browser adds the proxy's cookie."""
    async with stage.client(stage.provider.token("deals-a"), **JSON) as on:
        for origin, status in (
            (f"http://{HOST}", 403),
            (f"HTTP://{HOST}", 403),
            (HERE, 200),
            (f"ws://{HOST}", 403),
        ):
            assert (await on.post("/api/thing", json={}, headers={"origin": origin})).status_code == status
