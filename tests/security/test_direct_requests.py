"""A gate that asks web servers itself: whatever names stand for and servers answer, only public addresses are dialled.

The whole gate runs, from a search to a page; a hook looks at every socket of the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from doublethink.gate.v1 import page_pb2
from doublethink_gate.fetching.addresses import Address
from sim.database import GateDatabase
from sim.duckduckgo import ADDRESS, SEARCH_HOST, Hit, SimDuckDuckGo, redirect, standing_in, text_page
from sim.gate import NORDWIND, GateClient, GateFiles, gate_running, pack_of, short_folder
from sim.web import SimWeb

pytestmark = pytest.mark.postgres

PUBLIC = "93.184.215.14"
HERE = "press.example"
EVIL = "evil.example.org"
QUERY = "Halvorsen Pumps revenue"

_dialled: list[tuple[str, int]] = []
_watching = False


class _Stopped(OSError):
    """A dial to the internet, which a test never makes."""


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if not _watching or event != "socket.connect":
        return
    address = arguments[1]
    if isinstance(address, tuple):
        _dialled.append((str(address[0]), int(address[1])))
        if not ipaddress.ip_address(address[0]).is_loopback:
            raise _Stopped(111, "not from a test")


sys.addaudithook(_hook)


@pytest.fixture
def dialled() -> Iterator[list[tuple[str, int]]]:
    """What is dialled over the internet's protocols from here on."""
    global _watching
    _dialled.clear()
    _watching = True
    yield _dialled
    _watching = False


@dataclass
class Names:
    """A resolver that gives one answer after the other, the last one for good."""

    answers: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def addresses(self, host: str) -> Sequence[Address]:
        """The next answer."""
        self.asked.append(host)
        queue = self.answers.get(host)
        if queue is None:
            raise OSError("no such name")
        return [ipaddress.ip_address(each) for each in (queue.pop(0) if len(queue) > 1 else queue[0])]


@dataclass
class World:
    """A gate, its web and its names."""

    client: GateClient
    answers: SimDuckDuckGo
    web: SimWeb
    names: Names


@pytest.fixture
async def world(gate_database: GateDatabase, tmp_path: Path) -> AsyncIterator[World]:
    """One result, whose server leads on to wherever a test says."""
    answers = SimDuckDuckGo(hits=[Hit(f"https://{HERE}/")])
    async with standing_in(answers, tmp_path, HERE) as (web, policy):
        with short_folder() as place:
            files = GateFiles(
                place,
                gate_database.dsn(),
                ADDRESS,
                policy=policy,
                source_kind="duckduckgo",
                limits={"retry_wait_s": 0.01, "source_attempts": 1},
            )
            names = Names()
            async with gate_running(files, resolver=names) as client:
                yield World(client, answers, web, names)


async def outcome(world: World) -> tuple[page_pb2.FetchPagesResponse, list[dict[str, object]]]:
    """What became of the one result, and the rows."""
    session = await world.client.open(pack_of(NORDWIND))
    answer = await world.client.search(session, QUERY)
    (page,) = (await world.client.fetch(session, answer.query_id))[1:]
    return page, await world.client.bodies(session)


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("127.0.0.1", "address.loopback"),
        ("169.254.169.254", "address.link_local"),
        ("10.0.0.1", "address.private"),
        ("168.63.129.16", "address.wire_server"),
        ("100.100.100.200", "address.shared"),
        ("0.0.0.0", "address.this_network"),  # noqa: S104 - nobody listens
        ("::1", "address.not_global"),
        ("::ffff:127.0.0.1", "address.not_global"),
        ("fd00:ec2::254", "address.not_global"),
        ("64:ff9b::a9fe:a9fe", "address.nat64"),
        ("2002:7f00:1::", "address.six_to_four"),
    ],
)
async def test_a_name_that_stands_for_an_inner_address_is_not_dialled(
    world: World, dialled: list[tuple[str, int]], address: str, rule: str
) -> None:
    """Whether a result has it or a redirect leads there; one such address among public ones is enough."""
    for names in ([address], [PUBLIC, address]):
        world.names.answers = {EVIL: [names]}
        for hits, pages in (
            ([Hit(f"https://{EVIL}/")], {}),
            ([Hit(f"https://{HERE}/")], {f"https://{HERE}/": redirect(f"https://{EVIL}/latest/meta-data/")}),
        ):
            world.answers.hits, world.answers.pages = hits, dict(pages)
            page, rows = await outcome(world)
            assert page.failed.outcome == page_pb2.PAGE_OUTCOME_FETCH_FAILED
            refused = rows[-1]
            assert (refused["error"], refused["rules"], refused["sent"]) == ("address_refused", [rule], 0)
    assert set(dialled) == {("127.0.0.1", world.web.port)}
    assert {request.header("host") for request in world.web.seen} == {SEARCH_HOST, HERE}


@pytest.mark.parametrize(
    "location",
    [
        "https://169.254.169.254/latest/meta-data/",
        "https://[fd00:ec2::254]/",
        "https://0x7f.1/",
        "https://user@press.example/",
        "http://press.example/",
        "https://press.example:22/",
        "//localhost/",
        "ftp://press.example/",
        "file:///etc/passwd",
        "https://press.example\\@evil.example.org/",
        "https://evil.example.org\t/",
        "https://" + "a" * 5000 + ".example/",
        "https://metadata.google.internal/",
    ],
)
async def test_a_redirect_that_the_guard_refuses_is_not_looked_up(
    world: World, dialled: list[tuple[str, int]], location: str
) -> None:
    """Addresses, ports, schemes, users, spellings: no name is asked for and nothing dialled."""
    world.answers.pages = {f"https://{HERE}/": redirect(location.replace("\t", "%09"))}
    page, rows = await outcome(world)
    assert page.failed.outcome in (page_pb2.PAGE_OUTCOME_BLOCKED, page_pb2.PAGE_OUTCOME_FETCH_FAILED)
    assert world.names.asked == []
    assert set(dialled) == {("127.0.0.1", world.web.port)}
    assert len(world.web.seen) == 2
    # Either its own row is a blocked one, or the outcome of the hop that led there says why it ends.
    assert any(row.get("verdict") == "block" for row in rows) or rows[-1]["error"] == "redirect_refused"


async def test_a_name_that_changes_is_dialled_as_it_was_judged(
    world: World, dialled: list[tuple[str, int]]
) -> None:
    """Looked up once a hop: the second answer would be this machine."""
    world.names.answers = {EVIL: [[PUBLIC], ["127.0.0.1"]]}
    world.answers.hits = [Hit(f"https://{EVIL}/")]
    page, _ = await outcome(world)
    assert page.failed.outcome == page_pb2.PAGE_OUTCOME_FETCH_FAILED
    assert world.names.asked == [EVIL]
    assert dialled == [("127.0.0.1", world.web.port), (PUBLIC, 443)]


async def test_no_name_is_looked_up_before_its_row_is_there(
    world: World, dialled: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look-up leaves the machine too, with the name in it."""
    session = await world.client.open(pack_of(NORDWIND))
    world.answers.hits = [Hit(f"https://{EVIL}/")]
    answer = await world.client.search(session, QUERY)
    seen: list[int] = []

    async def addresses(host: str) -> Sequence[Address]:
        seen.append(len(await world.client.rows(session)))
        raise OSError("no such name")

    monkeypatch.setattr(world.names, "addresses", addresses)
    await world.client.fetch(session, answer.query_id)
    rows = await world.client.bodies(session)
    # Opening, search, its outcome, and the attempt that the look-up belongs to.
    assert seen == [4]
    assert [row["kind"] for row in rows[3:]] == ["attempt", "outcome"]
    assert (rows[4]["error"], rows[4]["sent"]) == ("unreachable", 0)


async def test_a_caller_who_goes_away_is_not_followed_by_further_hops(world: World) -> None:
    """The hop that is under way has its outcome; the next is not begun."""
    reached, go_on = asyncio.Event(), asyncio.Event()
    original = world.answers.__call__

    async def slow(request: object) -> object:
        answer = await original(request)  # type: ignore[arg-type]  # it is one
        if getattr(request, "target", "") == "/slow":
            reached.set()
            await go_on.wait()
        return answer

    world.answers.pages = {f"https://{HERE}/slow": redirect("/next"), f"https://{HERE}/next": text_page("x")}
    world.answers.hits = [Hit(f"https://{HERE}/slow")]
    world.web._handler = slow  # type: ignore[assignment]  # it answers alike
    session = await world.client.open(pack_of(NORDWIND))
    answer = await world.client.search(session, QUERY)
    call = asyncio.create_task(world.client.fetch(session, answer.query_id))
    await reached.wait()
    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await call
    await asyncio.sleep(0.2)
    go_on.set()
    for _ in range(100):
        rows = await world.client.bodies(session)
        if len(rows) == 5:
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.3)
    rows = await world.client.bodies(session)
    assert [row["kind"] for row in rows[3:]] == ["attempt", "outcome"]
    assert rows[4]["http"] == 302
    assert [request.target for request in world.web.seen] == ["/html/", "/slow"]
