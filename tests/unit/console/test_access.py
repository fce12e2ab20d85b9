"""Who may come in: token, cookie, host, origin, size, and the headers of every answer."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from doublethink_console.config import Access, AccessConfig, Config, Listen, access_of
from doublethink_console.http.access import COOKIE, Doorkeeper
from doublethink_console.http.bodies import read_object
from doublethink_console.http.guard import MAX_BODY_BYTES, Guard
from doublethink_settings import SettingsError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

TOKEN = secrets.token_hex(32)
ACCESS = Access(frozenset({"localhost:8443"}), secure_cookie=False, session_seconds=60)
HERE = "http://localhost:8443"


class Clock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def _answer(request: Request) -> Response:
    return JSONResponse({"ok": True})


async def _login(request: Request) -> Response:
    await request.body()
    return JSONResponse({"ok": True})


async def _broken(request: Request) -> Response:
    raise ValueError("Nordwind")


def client(clock: Clock | None = None, app: Any = None, **headers: str) -> httpx.AsyncClient:
    """A client of a guarded application."""
    routes = [
        Route("/api/thing", _answer, methods=["GET", "POST", "DELETE"]),
        Route("/api/login", _login, methods=["POST"]),
        Route("/api/broken", _broken),
    ]
    guarded = Guard(app or Starlette(routes=routes), Doorkeeper(TOKEN, ACCESS, clock or Clock()))
    transport = httpx.ASGITransport(app=guarded, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers, trust_env=False)


def bearer(token: str = TOKEN) -> dict[str, str]:
    """The header that presents a token."""
    return {"authorization": f"Bearer {token}"}


async def test_the_token_opens_and_nothing_else_does() -> None:
    """A wrong, cut, longer or missing token is refused."""
    async with client() as on:
        assert (await on.get("/api/thing", headers=bearer())).status_code == 200
        for wrong in (TOKEN[:-1], TOKEN + "0", secrets.token_hex(32), "", "é"):
            response = await on.get("/api/thing", headers={b"authorization": f"Bearer {wrong}".encode()})
            assert response.status_code == 401
        assert (await on.get("/api/thing")).status_code == 401
        assert (await on.get("/api/thing", headers={"authorization": TOKEN})).status_code == 401


async def test_a_token_in_the_address_is_worth_nothing() -> None:
    """Addresses are written down in many places: no parameter is looked at."""
    async with client() as on:
        assert (await on.get(f"/api/thing?token={TOKEN}")).status_code == 401


async def test_a_cookie_opens_until_it_ends() -> None:
    """It is HttpOnly and SameSite=Strict, holds no token, and dies with its time and with a changed byte."""
    clock = Clock()
    header = Doorkeeper(TOKEN, ACCESS, clock).cookie()
    assert "HttpOnly" in header
    assert "SameSite=Strict" in header
    assert TOKEN not in header
    value = header.partition(";")[0].partition("=")[2]
    async with client(clock) as on:
        cookie = {"cookie": f"{COOKIE}={value}"}
        assert (await on.get("/api/thing", headers=cookie)).status_code == 200
        last = "0" if value[-1] != "0" else "1"
        for wrong in (value[:-1] + last, "9" + value, value.partition(".")[0], f"{value}.x"):
            response = await on.get("/api/thing", headers={"cookie": f"{COOKIE}={wrong}"})
            assert response.status_code == 401
        clock.now += 61
        assert (await on.get("/api/thing", headers=cookie)).status_code == 401


async def test_a_cookie_of_another_token_is_worth_nothing() -> None:
    """A new token ends every cookie."""
    other = Doorkeeper(secrets.token_hex(32), ACCESS, Clock()).cookie().partition(";")[0]
    async with client() as on:
        assert (await on.get("/api/thing", headers={"cookie": other})).status_code == 401


async def test_a_page_of_another_site_cannot_speak_with_the_cookie() -> None:
    """Cross-site request forgery: a foreign or missing origin is refused for whatever changes something."""
    cookie = Doorkeeper(TOKEN, ACCESS, Clock()).cookie().partition(";")[0]
    async with client(cookie=cookie) as on:
        json_body = {"content-type": "application/json"}
        ours = await on.post("/api/thing", headers={**json_body, "origin": HERE})
        assert ours.status_code == 200
        for origin in (
            "https://evil.example",
            "null",
            "http://localhost:9999",
            "http://localhost:8443.evil.example",
        ):
            refused = await on.post("/api/thing", headers={**json_body, "origin": origin})
            assert refused.status_code == 403
        assert (await on.post("/api/thing", headers=json_body)).status_code == 403
        assert (await on.delete("/api/thing")).status_code == 403
        cross = {**json_body, "origin": HERE, "sec-fetch-site": "cross-site"}
        assert (await on.post("/api/thing", headers=cross)).status_code == 403
        form = {"content-type": "application/x-www-form-urlencoded", "origin": HERE}
        assert (await on.post("/api/thing", headers=form)).status_code == 415


async def test_a_foreign_origin_is_refused_even_with_the_token() -> None:
    """Also a page that got hold of the token may not use it."""
    async with client(authorization=f"Bearer {TOKEN}") as on:
        response = await on.get("/api/thing", headers={"origin": "https://evil.example"})
        assert response.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "localhost", "localhost:80", "127.0.0.1:8443", ""])
async def test_a_name_that_is_not_ours_is_refused(host: str) -> None:
    """DNS rebinding: a page's own name that points here does not lead in, with whatever token."""
    async with client(authorization=f"Bearer {TOKEN}") as on:
        response = await on.get("/api/thing", headers={"host": host})
        assert response.status_code == 421


async def test_a_large_body_is_refused_whether_it_says_so_or_not() -> None:
    """One mebibyte is the most, by its stated length and by what comes."""

    async def chunks() -> Any:
        for _ in range(3):
            yield b" " * (MAX_BODY_BYTES // 2)

    headers = {**bearer(), "content-type": "application/json"}
    async with client() as on:
        assert (
            await on.post("/api/login", headers=headers, content=b" " * MAX_BODY_BYTES)
        ).status_code == 200
        stated = await on.post("/api/login", headers=headers, content=b" " * (MAX_BODY_BYTES + 1))
        assert stated.status_code == 413

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()

    async with client(app=reading) as on:
        assert (await on.post("/api/login", headers=headers, content=chunks())).status_code == 413


async def test_every_answer_has_the_headers() -> None:
    """Also a refusal and a fault are not stored, not framed, not guessed."""
    async with client() as on:
        for response in (
            await on.get("/api/thing", headers=bearer()),
            await on.get("/api/thing"),
            await on.get("/api/nothing", headers=bearer()),
            await on.get("/api/broken", headers=bearer()),
            await on.get("/api/thing", headers={"host": "evil.example"}),
        ):
            assert response.headers["cache-control"] == "no-store"
            assert response.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in response.headers["content-security-policy"]
            assert "access-control-allow-origin" not in response.headers


async def test_a_fault_says_nothing_of_what_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither the answer nor the log has the exception's text."""
    async with client() as on:
        response = await on.get("/api/broken", headers=bearer())
        assert response.status_code == 500
        assert "Nordwind" not in response.text
    output = "".join(capfd.readouterr())
    assert "request_failed" in output
    assert "Nordwind" not in output


@pytest.mark.parametrize(
    "body",
    [b"[]", b"{", b'{"a":1,"a":2}', b'{"a":NaN}', b"\xff", b'"text"', b'{"Nordwind":1}', b"[" * 5000],
)
async def test_a_body_is_an_object_with_known_keys_once(body: bytes) -> None:
    """Everything else is refused, and the refusal repeats nothing of it."""
    from doublethink_console.errors import Refused

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    request = Request({"type": "http", "method": "POST", "headers": [], "path": "/"}, receive)
    with pytest.raises(Refused) as refused:
        await read_object(request, ("a",))
    assert refused.value.status == 400
    assert "Nordwind" not in json.dumps(refused.value.words)


@pytest.mark.parametrize("token", ["", "short", "Z" * 64, "0" * 63])
def test_a_weak_token_file_is_refused(token: str) -> None:
    """A token has 256 bits."""
    with pytest.raises(SettingsError):
        Doorkeeper(token, ACCESS)


def test_behind_tls_a_public_name_needs_it(tmp_path: Path) -> None:
    """`secure_cookie` says that browsers come over TLS: to the named hosts, and not to a port-forward's loopback."""
    hosts = ("deals.example.com", "127.0.0.1:8443", "localhost:9")
    listen = Listen("unix:/run/http.sock", "unix:/run/health.sock")
    for secure, expected in ((True, {"deals.example.com"}), (False, set())):
        config = SimpleNamespace(
            listen=listen, access=AccessConfig(tmp_path / "token", hosts=hosts, secure_cookie=secure)
        )
        access = access_of(cast(Config, config))
        assert access.tls_hosts == expected
        keeper = Doorkeeper("a" * 64, access)
        assert keeper.origin_is_ours("http://deals.example.com") is not secure
        assert keeper.origin_is_ours("https://deals.example.com")
        assert keeper.origin_is_ours("http://127.0.0.1:8443")
        assert not keeper.origin_is_ours("http://127.0.0.1:8444")
