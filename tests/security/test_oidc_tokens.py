"""Behind an identity provider a running console lets in whoever has a good token, and by nothing else.

Each forgery goes over real HTTP to a page, to the API and to what changes something; a good token is the control.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from doublethink.planner.v1 import research_pb2 as research
from sim.database import PostgresForTests
from sim.desk import CASE, Desk, desk
from sim.identity import Provider, encoded, made, part, pem, public_jwk, signed
from sim.logs import caught_log
from sim.minds import SimPlanner

pytestmark = pytest.mark.postgres

ORIGIN = {"origin": "http://localhost"}
WAYS = (("GET", "/api/cases"), ("GET", "/"), ("POST", "/api/cases"), ("GET", "/api/ledger/tail"))


@dataclass
class Door:
    """A console behind a provider."""

    desk: Desk
    provider: Provider

    def client(self, token: str | None, **headers: str) -> httpx.AsyncClient:
        """A client that presents a token, or none."""
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        socket = self.desk.config.listen.http.removeprefix("unix:")
        return httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(uds=socket),
            base_url="http://localhost",
            headers={**ORIGIN, **headers},
            timeout=30.0,
            trust_env=False,
        )

    async def statuses(self, client: httpx.AsyncClient) -> set[int]:
        """What every way in answers."""
        found = set()
        for method, path in WAYS:
            body = CASE if method == "POST" else None
            async with client.stream(method, path, json=body) as response:
                found.add(response.status_code)
        return found

    def refused(self, reason: str) -> float:
        """How often the console has counted a reason."""
        value = self.desk.console.metrics.registry.get_sample_value(
            "console_tokens_refused_total", {"reason": reason}
        )
        return value or 0.0


@pytest.fixture
async def door(postgres: PostgresForTests) -> AsyncIterator[Door]:
    """A console whose planner finds nothing."""

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    provider = Provider()
    async with desk(postgres, SimPlanner(script), provider=provider) as on:
        yield Door(on, provider)


def header(**changed: Any) -> dict[str, Any]:
    """The header of a good token, changed."""
    return {"alg": "ES256", "kid": "first", "typ": "JWT", **changed}


def good(provider: Provider, **changed: Any) -> dict[str, Any]:
    """The claims of somebody who may see everything of team a."""
    return provider.claims("deals-a", "approvers", "auditors", **changed)


def confused(provider: Provider) -> str:
    """Signed with the public key as the secret of an HMAC."""
    return signed(header(alg="HS256"), good(provider), pem(provider.keys["first"][1]))


def unsigned(provider: Provider) -> str:
    """Without a signature, and it says so."""
    return f"{part(header(alg='none'))}.{part(good(provider))}."


def unsigned_under_another_name(provider: Provider) -> str:
    """Without a signature under an algorithm that has one."""
    return f"{part(header())}.{part(good(provider))}."


def of_another_provider(provider: Provider) -> str:
    """Signed rightly, for another issuer."""
    return provider.token("deals-a", "auditors", iss="https://login.example.org/realms/deals")


def for_somebody_else(provider: Provider) -> str:
    """Signed rightly, for another audience."""
    return provider.token("deals-a", "auditors", aud="payroll")


def old(provider: Provider) -> str:
    """Signed rightly, some time ago."""
    return provider.token("deals-a", "auditors", exp=int(provider.now) - 1)


def under_a_known_kid(provider: Provider) -> str:
    """Signed by a stranger who names a key of the provider's."""
    return signed(header(), good(provider), made("P-256/stranger"))


def with_its_own_key(provider: Provider) -> str:
    """Signed by a stranger who brings the key along."""
    key = made("P-256/stranger")
    return signed(header(kid="mine", jwk=public_jwk(key, "mine")), good(provider), key)


def changed_afterwards(provider: Provider) -> str:
    """A good token of team b whose claims were replaced."""
    first, _, last = provider.token("deals-b").split(".")
    return f"{first}.{part(good(provider))}.{last}"


def with_a_zero_signature(provider: Provider) -> str:
    """r and s are zero, which some have taken for a signature of anything (CVE-2022-21449)."""
    return f"{part(header())}.{part(good(provider))}.{encoded(bytes(64))}"


FORGERIES: dict[Callable[[Provider], str], str] = {
    confused: "algorithm",
    unsigned: "algorithm",
    unsigned_under_another_name: "signature",
    of_another_provider: "issuer",
    for_somebody_else: "audience",
    old: "expired",
    under_a_known_kid: "signature",
    with_its_own_key: "key",
    changed_afterwards: "signature",
    with_a_zero_signature: "signature",
}


async def test_a_good_token_opens_every_way(door: Door) -> None:
    """The control of all that follows."""
    async with door.client(door.provider.token("deals-a", "auditors")) as client:
        assert await door.statuses(client) <= {200, 201}


async def test_no_forgery_opens_any_way(door: Door) -> None:
    """Each is refused and counted under its reason; no case was added, and nothing of a token is in the log."""
    with caught_log("console") as log:
        for forge, reason in FORGERIES.items():
            token = forge(door.provider)
            async with door.client(token) as client:
                assert await door.statuses(client) == {401}, forge.__name__
            assert door.refused(reason) >= len(WAYS), forge.__name__
            assert not any(piece in log.getvalue() for piece in token.split(".") if piece)
    assert sum(door.refused(reason) for reason in set(FORGERIES.values())) == len(WAYS) * len(FORGERIES)
    async with door.client(door.provider.token("deals-a")) as client:
        assert (await client.get("/api/cases")).json() == {"cases": []}


async def test_names_in_headers_open_nothing(door: Door) -> None:
    """What proxies say of a person beside the token, alone or beside a bad one."""
    names = {
        "x-forwarded-user": "person-1", "x-forwarded-email": "a@example.com", "x-forwarded-groups": "deals-a,auditors",
        "x-auth-request-user": "person-1", "x-auth-request-groups": "deals-a,auditors", "remote-user": "person-1",
        "x-forwarded-access-token": door.provider.token("deals-a"),
        "x-forwarded-client-cert": "Subject=person-1", "cookie": "_oauth2_proxy=x; doublethink_console=9.0",
    }  # fmt: skip
    for token in (None, old(door.provider)):
        async with door.client(token, **names) as client:
            assert await door.statuses(client) == {401}
    # Nor do they add anything to a good one.
    async with door.client(door.provider.token("deals-b"), **names) as client:
        assert (await client.get("/api/ledger")).status_code == 403


async def test_a_key_that_is_taken_away_opens_nothing(door: Door) -> None:
    """Within seconds of the file's change, for requests and for a stream that was open."""
    folder = door.desk.config.oidc
    assert folder is not None
    token = door.provider.token("deals-a", "auditors")
    async with door.client(token) as client:
        async with client.stream("GET", "/api/ledger/tail") as stream:
            assert stream.status_code == 200
            door.provider.write(folder.keys_file, {"keys": [public_jwk(made("P-256/next"), "next")]})
            async with asyncio.timeout(60):
                async for _ in stream.aiter_lines():
                    pass
        assert await door.statuses(client) == {401}


async def test_a_stream_ends_with_its_token(door: Door) -> None:
    """The log's own stream, which would go on for ever."""
    begun = time.monotonic()
    async with (
        door.client(door.provider.token("deals-a", "auditors", exp=time.time() + 6)) as client,
        client.stream("GET", "/api/ledger/tail") as stream,
    ):
        assert stream.status_code == 200
        async with asyncio.timeout(60):
            assert [line async for line in stream.aiter_lines()]
    assert time.monotonic() - begun > 1


async def test_a_page_of_another_site_changes_nothing(door: Door) -> None:
    """The proxy adds the token to whatever a browser sends: without an origin of the console's own nothing happens."""
    async with door.client(door.provider.token("deals-a")) as client:
        for origin in (
            "https://evil.example",
            "null",
            "http://localhost.evil.example",
            "http://localhost:1",
            "",
        ):
            answer = await client.post("/api/cases", json=CASE, headers={"origin": origin})
            assert answer.status_code == 403
        del client.headers["origin"]
        assert (await client.post("/api/cases", json=CASE)).status_code == 403
        cross = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
        assert (await client.get("/api/cases", headers=cross)).status_code == 403
        text = {"content-type": "text/plain", **ORIGIN}
        assert (await client.post("/api/cases", content=b"{}", headers=text)).status_code == 415
        assert (await client.get("/api/cases")).json() == {"cases": []}


async def raw(door: Door, head: bytes) -> bytes:
    """What a request that no client would write is answered."""
    reader, writer = await asyncio.open_unix_connection(door.desk.config.listen.http.removeprefix("unix:"))
    writer.write(head + b"Host: localhost\r\nConnection: close\r\n\r\n")
    async with asyncio.timeout(30):
        answer = await reader.read()
    writer.close()
    return answer


async def test_what_no_client_would_write_opens_nothing(door: Door) -> None:
    """Two tokens, a good one beside another, methods and paths that a proxy and the console might read differently."""
    good_token = door.provider.token("deals-a", "auditors").encode()
    bearer = b"Authorization: Bearer " + good_token + b"\r\n"
    assert (await raw(door, b"GET /api/cases HTTP/1.1\r\n" + bearer)).startswith(b"HTTP/1.1 200")
    assert (await raw(door, b"GET /api/cases HTTP/1.1\r\n" + bearer.upper()[:13] + bearer[13:])).startswith(
        b"HTTP/1.1 200"
    )
    for lines in (
        bearer + bearer,
        bearer + b"Authorization: Bearer " + old(door.provider).encode() + b"\r\n",
        b"Authorization: Bearer x\r\n" + bearer,
        b"Authorization: Bearer " + good_token + b", Bearer " + good_token + b"\r\n",
        b"Authorization: Bearer  " + good_token + b"\r\n",
        b"Authorization: " + good_token + b"\r\n",
        b"Proxy-" + bearer,
        b"Authorization_: Bearer " + good_token + b"\r\n",
        b"Authorization : Bearer " + good_token + b"\r\n",
    ):
        answer = await raw(door, b"GET /api/cases HTTP/1.1\r\n" + lines)
        assert answer.split()[1] in (b"400", b"401"), lines[:40]
    for path in (
        b"/static/style.css/../../api/cases", b"/static/style.css/..;/api/cases", b"//api/cases", b"/api//cases",
        b"/static/%2e%2e/api/cases", b"/api%2fcases", b"/api/cases/", b"/API/cases", b"/api/cases;x", b"/api/cases%00",
        b"http://localhost/api/cases", b"/static/style.css%2f..%2f..%2fapi%2fcases", b"/./api/cases",
    ):  # fmt: skip
        answer = await raw(door, b"GET " + path + b" HTTP/1.1\r\n")
        assert answer.split()[1] in (b"400", b"401"), path
        assert b'"cases"' not in answer
    for method in (b"OPTIONS", b"TRACE", b"PUT", b"PATCH", b"CONNECT", b"PROPFIND"):
        answer = await raw(door, method + b" /api/cases HTTP/1.1\r\n" + bearer)
        assert answer.split()[1] in (b"400", b"405"), method
        assert good_token not in answer
    head = await raw(door, b"HEAD /api/cases HTTP/1.1\r\n")
    assert head.startswith(b"HTTP/1.1 401")


async def test_a_page_of_a_neighbour_changes_nothing(door: Door) -> None:
    """A site under the same domain gets the proxy's cookie sent along where that is `Lax` or for the domain."""
    same_site = {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
    async with door.client(door.provider.token("deals-a")) as client:
        for origin in (
            "http://neighbour.localhost",
            "http://localhost.",
            "http://localhost@evil.example",
            "file://",
        ):
            answer = await client.post("/api/cases", json=CASE, headers={"origin": origin})
            assert answer.status_code == 403, origin
        assert (await client.post("/api/cases", json=CASE, headers=same_site)).status_code == 403
        assert (await client.get("/api/cases", headers=same_site)).status_code == 403
        form = {**same_site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
        assert (await client.post("/api/cases", json=CASE, headers=form)).status_code == 403
        assert (await client.get("/api/cases")).json() == {"cases": []}
