"""Every method of every contract against every identity a caller can have."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.options.v1 import options_pb2
from doublethink_rpc.certificates import make_authority
from doublethink_rpc.contract import read_service
from sim.contracts import all_methods, all_services, handler_for, made, make_contract, roles, sample
from sim.wire import CAPABILITY, Bench, bench, raw_call, serving

_METHODS = all_methods()


@pytest.fixture
async def on() -> AsyncIterator[Bench]:
    """A bench whose server offers every service of every contract."""
    async with bench() as made_bench:
        services = [(service, handler_for(service)) for service in all_services()]
        async with serving(made_bench, services):
            yield made_bench


def _metadata(needs_capability: bool) -> list[tuple[str, bytes]]:
    return [("dt-capability-bin", CAPABILITY)] if needs_capability else []


def test_the_walk_finds_the_contracts() -> None:
    """The walk is over all services, and each method names the callers that its proto says."""
    assert len(all_services()) >= 10
    assert len(_METHODS) >= 14
    named = {contract.service: contract.callers for contract in _METHODS}
    assert named["doublethink.gate.v1.SearchService"] == {"planner"}
    assert named["doublethink.reader.v1.ReadingService"] == {"validator"}


@pytest.mark.parametrize("role", sorted(roles()))
async def test_each_method_answers_its_callers_and_nobody_else(on: Bench, role: str) -> None:
    """A role is served by exactly the services that name it; all others refuse it, whatever it sends."""
    channel = on.raw(on.authority.issue(role))
    outcomes = {}
    for contract in _METHODS:
        wire = sample(contract.request.DESCRIPTOR).SerializeToString()
        outcome = await raw_call(channel, contract, [wire], _metadata(contract.needs_capability))
        outcomes[contract.path] = outcome.code
        if role not in contract.callers:
            assert outcome.answers == ()
    expected = {
        contract.path: 0 if role in contract.callers else ErrorCode.ERROR_CODE_CALLER_REFUSED
        for contract in _METHODS
    }
    assert outcomes == expected
    await channel.close()


async def test_no_certificate_no_call(on: Bench) -> None:
    """A caller without a certificate does not get past the handshake, for any method."""
    channel = on.raw(None)
    for contract in _METHODS:
        wire = sample(contract.request.DESCRIPTOR).SerializeToString()
        outcome = await raw_call(channel, contract, [wire], _metadata(contract.needs_capability))
        assert outcome.code == ErrorCode.ERROR_CODE_PEER_UNAVAILABLE, contract.path
    await channel.close()


async def test_plain_text_gets_no_call(on: Bench) -> None:
    """A connection without TLS is not served."""
    async with grpc.aio.insecure_channel(on.target) as channel:
        contract = _METHODS[0]
        wire = sample(contract.request.DESCRIPTOR).SerializeToString()
        outcome = await raw_call(channel, contract, [wire])
    assert outcome.code == ErrorCode.ERROR_CODE_PEER_UNAVAILABLE


async def test_another_authority_is_nobody(on: Bench) -> None:
    """The right names under another authority do not get past the handshake."""
    stranger = make_authority()
    for role in sorted(roles()):
        channel = on.raw(stranger.issue(role))
        contract = next(contract for contract in _METHODS)
        wire = sample(contract.request.DESCRIPTOR).SerializeToString()
        outcome = await raw_call(channel, contract, [wire], _metadata(contract.needs_capability))
        assert outcome.code == ErrorCode.ERROR_CODE_PEER_UNAVAILABLE
        await channel.close()


@pytest.mark.parametrize(
    ("dns", "uri"),
    [
        ("planner.doublethink.internal", "spiffe://doublethink/reader"),
        ("planner.doublethink.internal", "spiffe://elsewhere/planner"),
        ("planner.doublethink.internal", "spiffe://doublethink/planner/extra"),
        ("planner.doublethink.internal", "spiffe://doublethink/"),
        ("planner.doublethink.internal", "spiffe://doublethink/nobody"),
        ("reader.doublethink.internal", "spiffe://doublethink/planner"),
        ("elsewhere.internal", "spiffe://doublethink/planner"),
    ],
)
async def test_names_that_disagree_are_nobody(on: Bench, dns: str, uri: str) -> None:
    """A certificate of our authority whose URI and DNS name are not of one role is refused everywhere."""
    channel = on.raw(on.authority.issue_names("planner", dns, uri))
    for contract in _METHODS:
        wire = sample(contract.request.DESCRIPTOR).SerializeToString()
        outcome = await raw_call(channel, contract, [wire], _metadata(contract.needs_capability))
        assert outcome.code == ErrorCode.ERROR_CODE_CALLER_REFUSED, contract.path
    await channel.close()


@pytest.mark.parametrize("role", ["planner", "reader"])
async def test_all_four_kinds_check_the_caller(role: str) -> None:
    """Unary, both streams and the conversation run the same check, client streaming included."""
    service = make_contract(callers=[options_pb2.ROLE_PLANNER])
    async with bench() as on, serving(on, [(service, handler_for(service))]):
        channel = on.raw(on.authority.issue(role))
        wire = made(service)(word="x").SerializeToString()
        for contract in read_service(service):
            outcome = await raw_call(channel, contract, [wire])
            expected = 0 if role == "planner" else ErrorCode.ERROR_CODE_CALLER_REFUSED
            assert (contract.method, outcome.code) == (contract.method, expected)
        await channel.close()
