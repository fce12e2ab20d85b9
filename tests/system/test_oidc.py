"""The console's own process behind a proxy with a login, as in a company: browser, command line, keys that change."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from doublethink.gate.v1 import approval_pb2 as approval
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.identity.people import person_id
from doublethink_sdk.client import Client
from doublethink_sdk.errors import ConsoleRefused
from sim.database import PostgresForTests
from sim.desk import console_database, write_config
from sim.identity import ISSUER, Provider, made, oidc_toml
from sim.login import SESSION, Login, login_before, loopback
from sim.minds import (
    Place,
    SimPlanner,
    SimWorld,
    gate_services,
    minted,
    planner_services,
    serving,
    short_folder,
    validator_services,
)

pytestmark = pytest.mark.postgres

HOLD = minted("hld")
CASE = """
title: Project Nordwind
memo: Codename Nordwind. Our client Bramblewick Holdings offers for the pump maker.
secrets:
  - {class: code, value: Nordwind}
  - {class: name, value: Bramblewick Holdings}
public_terms: [Halvorsen Pumps]
"""
QUESTION = "What were Halvorsen Pumps' net sales in fiscal 2023?"


@dataclass
class Company:
    """A console in use behind its login."""

    url: str
    folder: Path
    login: Login
    world: SimWorld
    process: psutil.Process
    log: Path
    tokens: list[str]

    def token_file(self, name: str, *groups: str, **claims: Any) -> Path:
        """A file with a fresh token of a person."""
        file = self.folder / f"{name}.token"
        self.tokens.append(self.login.provider.token(*groups, subject=name, **claims))
        file.write_text(self.tokens[-1] + "\n")
        return file

    async def keys(self) -> None:
        """What the operator does: put the provider's keys of now where the console reads them."""
        async with httpx.AsyncClient(trust_env=False) as client:
            document = (await client.get(f"http://{self.provider}/jwks.json")).json()
        self.login.provider.write(self.folder / "jwks.json", document)

    provider: str = ""

    async def gauge(self, name: str) -> float:
        """A value that the console shows to Prometheus."""
        transport = httpx.AsyncHTTPTransport(uds=str(self.folder / "metrics.sock"))
        async with httpx.AsyncClient(transport=transport, trust_env=False) as client:
            text = (await client.get("http://console/metrics")).text
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))


def until_serving(log: Path) -> None:
    """Return when the log says that the process serves."""
    for _ in range(1200):
        if "server_started" in log.read_text():
            return
        time.sleep(0.05)
    pytest.fail(f"the console does not serve: {log.read_text()}")


@asynccontextmanager
async def started(config: Path, log: Path) -> AsyncIterator[psutil.Process]:
    """The console's process, once it serves."""
    with log.open("wb") as output:
        running = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", "doublethink_console", "serve", "--config", str(config),
            stdout=output, stderr=output, env={},
        )  # fmt: skip
    try:
        await asyncio.to_thread(until_serving, log)
        yield psutil.Process(running.pid)
    finally:
        running.terminate()
        await running.wait()


@pytest.fixture
async def company(postgres: PostgresForTests) -> AsyncIterator[Company]:
    """Everything, with a planner whose search waits for a person."""
    world = SimWorld()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        world.holds[HOLD] = approval.Hold(
            hold_id=HOLD, n=1, expires_us=1_900_000_000_000_000, commitment=bytes(32), query="zorq pumps",
            rules=["secret.code.short"],
        )  # fmt: skip
        yield research.ResearchEvent(index=0, held=research.Held(figure=0, hold_id=HOLD))
        await world.decision.wait()
        yield research.ResearchEvent(index=1, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    login = Login(Provider())
    with short_folder() as folder, loopback() as provider, loopback() as proxy:
        place = Place(folder)
        login.provider.write(folder / "jwks.json")
        access = f'[access]\nhosts = ["{proxy[1]}"]\n' + oidc_toml(
            extra='sign_out_url = "/oauth2/sign_out"\n'
        )
        async with (
            console_database(postgres) as dsn,
            serving(
                place.server("gate", gate_services(world)),
                place.server("validator", validator_services(world)),
                place.server("planner", planner_services(SimPlanner(script))),
            ),
            started(write_config(place, dsn, access=access)[0], folder / "console.log") as process,
            login_before(login, provider, proxy, str(folder / "http.sock")),
        ):
            yield Company(
                f"http://{proxy[1]}", folder, login, world, process, folder / "console.log", [], provider[1]
            )


def browser(company: Company) -> httpx.AsyncClient:
    """Keeps cookies and follows redirects."""
    return httpx.AsyncClient(base_url=company.url, follow_redirects=True, timeout=60, trust_env=False)


async def command(*arguments: str) -> tuple[int, str]:
    """The command line as a process: its exit code and everything it prints."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "doublethink_sdk", *arguments,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    text, _ = await asyncio.wait_for(running.communicate(), 120)
    assert running.returncode is not None
    return running.returncode, text.decode()


async def run_page(client: httpx.AsyncClient) -> str:
    """The address of the only run's page, once its search waits."""
    for _ in range(600):
        listed = (await client.get("/api/sessions")).json()["sessions"]
        if listed and "zorq pumps" in (await client.get(f"/runs/{listed[0]['run']}")).text:
            return f"/runs/{listed[0]['run']}"
        await asyncio.sleep(0.1)
    pytest.fail("nothing waits")


async def test_a_question_from_the_command_line_and_a_decision_in_the_browser(company: Company) -> None:
    """A member asks with a token from a file; an approver signs in, sees the search and lets it go; the ledger's row
    gets the pseudonym. Pages of other sites, other teams and plain names get nothing, and the console calls nobody.
    """
    case = company.folder / "case.yaml"
    case.write_text(CASE)
    file = company.token_file("analyst", "deals-a")
    asked = asyncio.create_task(
        command(
            "ask", "--console", company.url, "--token-file", str(file), "--case", str(case),
            "--question", QUESTION, "--wait-approval", "90",
        )
    )  # fmt: skip
    company.login.signed_in_as = {"subject": "boss", "groups": ["deals-a", "approvers"], "name": "The <Boss>"}
    async with browser(company) as client:
        first = await client.get("/", headers={"accept": "text/html"})
        assert [each.status_code for each in first.history] == [302, 302, 302]
        assert "The &lt;Boss&gt; · a" in first.text
        assert '<a href="/oauth2/sign_out">' in first.text
        assert client.cookies[SESSION]
        page = await run_page(client)
        session = (await client.get("/api/sessions")).json()["sessions"][0]["session"]
        path, body = f"/api/sessions/{session}/holds/{HOLD}", {"approve": True, "commitment": "00" * 32}
        # The browser's cookie goes along with whatever a page of another site has it send.
        for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {}):
            assert (await client.post(path, json=body, headers=headers)).status_code == 403
        assert company.world.decided == []

        company.token_file("other", "deals-b", "approvers")
        other = {"authorization": f"Bearer {company.tokens[-1]}", "origin": company.url}
        assert (await client.post(path, json=body, headers=other)).status_code == 404
        assert (await client.get(page, headers=other)).status_code == 404
        named = {"authorization": "Bearer x", "x-forwarded-user": "boss", "x-forwarded-groups": "deals-a"}
        assert (await client.get("/api/cases", headers=named)).status_code == 401

        assert (await client.post(path, json=body, headers={"origin": company.url})).status_code == 200
        await client.get("/oauth2/sign_out")
        # Nobody is signed in any more: the proxy leads to the provider again.
        assert (await client.get("/", follow_redirects=False)).status_code == 302
    code, text = await asked
    assert (code, "not found" in text) == (1, True), text
    (decision,) = company.world.decided
    assert decision.approver == person_id(ISSUER, "boss")

    shown = ("ledger", "show", session, "--console", company.url, "--token-file")
    assert (await command(*shown, str(file)))[0] == 0
    code, text = await command(*shown, str(company.folder / "other.token"))
    assert (code, "There is no such session." in text) == (1, True), text
    assert [each for each in company.process.net_connections("inet") if each.raddr] == []
    written = company.log.read_text()
    assert '"event": "hold_decided"' in written
    assert f'"person": "{person_id(ISSUER, "boss")}"' in written
    for secret in (
        "boss",
        "Boss",
        "analyst",
        "deals-a",
        *(part for each in company.tokens for part in each.split(".")),
    ):
        assert secret not in written


async def test_a_token_is_read_anew_and_ends_what_it_began(company: Company) -> None:
    """The command line takes what the file holds now; a stream ends with its token."""
    file = company.token_file("analyst", "deals-a", exp=int(time.time()) - 5)

    def use() -> None:
        with Client(company.url, file) as client:
            with pytest.raises(ConsoleRefused, match="its time is up"):
                client.sessions(limit=1)
            company.token_file("analyst", "deals-a")
            assert client.sessions(limit=1)["sessions"] == []
            case = client.add_case(CASE)
            client.start_run(case, QUESTION, planner="rules", approval_s=60)

    await asyncio.to_thread(use)
    token = company.login.provider.token("deals-a", "auditors", exp=time.time() + 8)
    async with browser(company) as client:
        begun = time.monotonic()
        headers = {"authorization": f"Bearer {token}"}
        async with client.stream("GET", "/api/ledger/tail", headers=headers) as stream:
            assert stream.status_code == 200
            lines = [line async for line in stream.aiter_lines()]
        assert ": still here" in lines
        assert 1 < time.monotonic() - begun < 60
        assert (await client.get("/api/ledger", headers=headers)).status_code == 401


async def test_keys_rotate_and_a_broken_file_locks_nobody_out(company: Company) -> None:
    """As the operations guide says: both keys, then the new one; the old token is worth nothing after that."""
    provider = company.login.provider
    provider.keys["second"] = ("EdDSA", made(f"Ed25519/{secrets.token_hex(4)}"))
    old, new = provider.token("deals-a"), provider.token("deals-a", kid="second")

    async with browser(company) as client:

        async def status(token: str) -> int:
            return (await client.get("/api/cases", headers={"authorization": f"Bearer {token}"})).status_code

        async def becomes(token: str, wanted: int) -> None:
            for _ in range(300):
                if await status(token) == wanted:
                    return
                await asyncio.sleep(0.2)
            pytest.fail(f"it does not become {wanted}")

        assert (await status(old), await status(new)) == (200, 401)
        await company.keys()
        await becomes(new, 200)
        assert await status(old) == 200
        (company.folder / "jwks.json").write_text('{"keys": [')
        for _ in range(300):
            assert await status(new) == 200
            if await company.gauge("console_identity_keys_stale") == 1:
                break
            await asyncio.sleep(0.2)
        gauges = [await company.gauge(f"console_identity_keys{name}") for name in ("_stale", "")]
        assert (await status(old), gauges) == (200, [1, 2])
        del provider.keys["first"]
        await company.keys()
        await becomes(old, 401)
        assert await status(new) == 200
        assert await company.gauge("console_identity_keys_stale") == 0


async def test_a_start_with_both_ways_in_or_neither_says_so(tmp_path: Path) -> None:
    """One line that names both, and exit code 2, before anything is connected to."""
    place = Place(tmp_path)
    Provider().write(tmp_path / "jwks.json")
    for access, word in (("", "none"), ('[access]\ntoken_file = "token"\n' + oidc_toml(), "both")):
        config, _ = write_config(place, "postgresql://nobody@/none", access=access)
        running = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", "doublethink_console", "serve", "--config", str(config),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env={},
        )  # fmt: skip
        text = (await running.communicate())[0].decode()
        assert running.returncode == 2, text
        assert (
            f"access.token_file or the section [oidc] says who may come in: give one of them, not {word}"
            in text
        )
        assert text.count("\n") == 1
