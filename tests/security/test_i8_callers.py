"""I8: every service names its callers, unnamed means nobody, and who cannot tell does not start."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink.options.v1 import options_pb2
from doublethink_rpc import Call, Server, ServerConfig, StartRefused
from doublethink_rpc.certificates import make_authority
from doublethink_rpc.contract import read_service
from sim.contracts import all_methods, handler_for, made, make_contract, roles
from sim.wire import bench, raw_call, serving

# Who may call what, as the architecture has it; the contracts must say the same.
_EDGES = {
    "doublethink.gate.v1.SessionService": {"console"},
    "doublethink.gate.v1.SearchService": {"planner"},
    "doublethink.gate.v1.ApprovalService": {"console"},
    "doublethink.gate.v1.PageService": {"validator"},
    "doublethink.gate.v1.CompletionService": {"reader"},
    "doublethink.gate.v1.RecordService": {"validator"},
    "doublethink.gate.v1.LedgerService": {"console"},
    "doublethink.gate.v1.LogService": {"console"},
    "doublethink.gate.v1.OpeningService": {"console"},
    "doublethink.gate.v1.ProofService": {"console"},
    "doublethink.gate.v1.RecordingService": {"console"},
    "doublethink.planner.v1.ResearchService": {"console"},
    "doublethink.reader.v1.ReadingService": {"validator"},
    "doublethink.validator.v1.ExaminationService": {"planner"},
    "doublethink.validator.v1.CompositionService": {"console"},
}


def test_the_contracts_name_these_callers() -> None:
    """Each service has the callers of the architecture, no more and no fewer; no service is left out."""
    assert {contract.service: set(contract.callers) for contract in all_methods()} == _EDGES


def test_no_mind_can_reach_the_other() -> None:
    """The planner is no caller of the reader or of pages, and the reader none of planner or validator."""
    by_caller = {
        role: {service for service, callers in _EDGES.items() if role in callers} for role in roles()
    }
    assert by_caller["reader"] == {"doublethink.gate.v1.CompletionService"}
    assert not any(".reader." in name or "PageService" in name for name in by_caller["planner"])
    assert by_caller["gate"] == set()


@pytest.mark.parametrize("callers", [[], [0], [options_pb2.ROLE_PLANNER, 0], [99]])
def test_a_server_that_cannot_tell_does_not_start(tmp_path: Path, callers: list[int]) -> None:
    """A service without callers, or with one that is no role, is refused, whatever stands beside it."""
    config = ServerConfig(
        "gate", "unix:/nowhere", make_authority().issue("gate").write(tmp_path), "unix:/nowhere", None
    )
    good, bad = make_contract(), make_contract(callers=callers)
    with pytest.raises(StartRefused, match="caller"):
        Server(config, [(good, handler_for(good)), (bad, object())])


@pytest.mark.parametrize("named", sorted(roles()))
async def test_only_the_named_reach_a_handler(named: str) -> None:
    """Of all roles the named one alone reaches the handler, in all four kinds of method."""
    service = make_contract(callers=[options_pb2.Role.Value(f"ROLE_{named.upper()}")])
    reached: list[tuple[str, str]] = []

    class Handler:
        async def Single(self, request: Any, call: Call) -> Any:  # noqa: N802 - names of the contract
            reached.append(("Single", call.caller))
            return request

        async def Down(self, request: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
            reached.append(("Down", call.caller))
            yield request

        async def Up(self, requests: Any, call: Call) -> Any:  # noqa: N802 - as above
            reached.append(("Up", call.caller))
            return await anext(aiter(requests))

        async def Both(self, requests: Any, call: Call) -> AsyncIterator[Any]:  # noqa: N802 - as above
            reached.append(("Both", call.caller))
            async for request in requests:
                yield request

    wire = made(service)(word="x").SerializeToString()
    async with bench() as on, serving(on, [(service, Handler())]):
        for role in sorted(roles()):
            channel = on.raw(on.authority.issue(role))
            for contract in read_service(service):
                outcome = await raw_call(channel, contract, [wire])
                assert (outcome.code == 0) == (role == named)
                assert outcome.code in (0, ErrorCode.ERROR_CODE_CALLER_REFUSED)
            await channel.close()
    assert sorted(reached) == sorted((kind, named) for kind in ("Single", "Down", "Up", "Both"))
