"""Only judged addresses are dialled: looked at where the sockets are."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import ssl
import sys
from collections.abc import Iterator, Sequence

import pytest
from doublethink_gate.fetching import FetchFailed, FetchRules, Target, UrlRefused, follow
from doublethink_gate.fetching.addresses import Address, judge_address
from doublethink_gate.fetching.rules import Bounds
from doublethink_gate.fetching.transport import Answer, Ask, DirectTransport
from doublethink_gate.sources import DirectPages, SourceError
from hypothesis import given, settings
from hypothesis import strategies as st

RULES = FetchRules(("*",), ("https", "http"), bounds=Bounds(connect_s=2, total_s=5))
_TLS = ssl.create_default_context()
_dialled: list[str] = []
_watching = False


class _Stopped(OSError):
    """The dial was seen, and is not made."""


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event in ("socket.connect", "socket.getaddrinfo"):
        where = arguments[1] if event == "socket.connect" else (arguments[0],)
        if isinstance(where, tuple) and where[0] is not None:
            if event == "socket.connect":
                _dialled.append(str(where[0]))
            else:
                # A library that is given an address asks what it stands for; a name it must never ask.
                ipaddress.ip_address(str(where[0]))
                return
            raise _Stopped


sys.addaudithook(_watch)


@pytest.fixture
def watching() -> Iterator[list[str]]:
    """What is dialled from here on; none of it leaves."""
    global _watching
    _dialled.clear()
    _watching = True
    yield _dialled
    _watching = False


class _Names:
    """Each question of a name gets the next answer."""

    def __init__(self, answers: Sequence[Sequence[Address]]) -> None:
        self._answers = iter(answers)

    async def addresses(self, host: str) -> Sequence[Address]:
        return next(self._answers, ())


class _Redirecting(DirectTransport):
    """Dials in earnest, and then answers with the next redirect."""

    def __init__(self, locations: Sequence[str]) -> None:
        super().__init__(_TLS)
        self._locations = iter(locations)

    async def send(self, ask: Ask, target: Target, addresses: Sequence[Address], bounds: Bounds) -> Answer:
        with contextlib.suppress(FetchFailed):
            await super().send(ask, target, addresses, bounds)
        location = next(self._locations, None)
        return Answer(302 if location else 200, "text/html", b"", False, location, 0)


async def _nothing(target: Target, addresses: tuple[Address, ...]) -> None:
    pass


_ADDRESS = st.one_of(
    st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address),
    st.ip_addresses(v=6),
    st.sampled_from(["8.8.8.8", "1.1.1.1", "2606:4700::1", "127.0.0.1", "169.254.169.254", "::1"]).map(
        ipaddress.ip_address
    ),
)
_LOCATION = st.sampled_from(
    [
        "/a",
        "//b.example.org/",
        "http://127.0.0.1/",
        "https://[::1]/",
        "https://c.example.org:25/",
        "https://d.example.org/x",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(_ADDRESS, min_size=1, max_size=3), min_size=1, max_size=6),
    st.lists(_LOCATION, max_size=5),
)
def test_whatever_names_stand_for_and_servers_send_only_public_addresses_are_dialled(
    answers: list[list[Address]], locations: list[str]
) -> None:
    """Random answers of the resolver and random redirects."""
    global _watching
    _dialled.clear()
    _watching = True
    try:
        asyncio.run(
            follow("https://a.example.org/", RULES, _Names(answers), _Redirecting(locations), _nothing)
        )
    except (UrlRefused, FetchFailed):
        pass
    finally:
        _watching = False
    for address in _dialled:
        judge_address(ipaddress.ip_address(address))


_URL = st.one_of(
    st.sampled_from(
        [
            "https://a.example.org/",
            "http://a.example.org/",
            "https://127.0.0.1/",
            "https://u@a.example.org/",
            "x",
        ]
    ),
    st.text(max_size=60),
    st.builds("https://{}/{}".format, st.text(max_size=20), st.text(max_size=20)),
)


@settings(max_examples=150, deadline=None)
@given(
    _URL,
    st.lists(st.lists(_ADDRESS, min_size=1, max_size=3), min_size=1, max_size=6),
    st.lists(st.one_of(_LOCATION, st.text(max_size=40)), max_size=8),
)
def test_a_page_that_is_asked_hop_by_hop_reaches_public_addresses_alone(
    url: str, answers: list[list[Address]], locations: list[str]
) -> None:
    """As the gate goes: each hop is prepared, sent, and says where to go on. The number of hops is bounded."""
    global _watching
    pages = DirectPages(RULES, _Names(answers), _Redirecting(locations))

    async def hops() -> int:
        chain, onward, made = pages.hops(), url, 0
        while True:
            prepared = pages.prepare(onward, chain.rules)
            # The gate's checks refuse what has no form by now: it is sent here all the same.
            response = await pages.send(prepared, 5, chain.rules)
            made += 1
            if response.location is None:
                return made
            onward = pages.onward(chain, prepared, response.location)

    _dialled.clear()
    _watching = True
    try:
        assert asyncio.run(hops()) <= RULES.bounds.redirects + 1
    except SourceError:
        pass
    finally:
        _watching = False
    for address in _dialled:
        judge_address(ipaddress.ip_address(address))


async def test_a_public_address_is_dialled(watching: list[str]) -> None:
    """The control: the hook sees a dial, and it is that of the address that was judged."""
    names = _Names([[ipaddress.ip_address("93.184.215.14")]])
    await follow("https://a.example.org/", RULES, names, _Redirecting([]), _nothing)
    assert watching == ["93.184.215.14"]


async def test_a_name_that_changes_between_look_and_dial_gains_nothing(watching: list[str]) -> None:
    """It is resolved once a hop: the second answer would be this machine."""
    names = _Names([[ipaddress.ip_address("93.184.215.14")], [ipaddress.ip_address("127.0.0.1")]])
    await follow("https://a.example.org/", RULES, names, _Redirecting([]), _nothing)
    with pytest.raises(UrlRefused, match=r"address\.loopback"):
        await follow("https://a.example.org/", RULES, names, _Redirecting([]), _nothing)
    assert watching == ["93.184.215.14"]


async def test_nothing_is_dialled_before_it_was_written_down(watching: list[str]) -> None:
    """What the call before a hop raises ends the fetch: no row, no packet."""

    async def away(target: Target, addresses: tuple[Address, ...]) -> None:
        raise ConnectionError("the ledger does not answer")

    names = _Names([[ipaddress.ip_address("93.184.215.14")]])
    with pytest.raises(ConnectionError):
        await follow("https://a.example.org/", RULES, names, _Redirecting([]), away)
    assert watching == []
