"""The launcher's table and the contracts are one truth."""

import re
from importlib import import_module
from pathlib import Path

from doublethink.options.v1 import options_pb2
from doublethink_sdk.launcher.roles import ROLES

_FILES = (
    "gate.v1.session",
    "gate.v1.search",
    "gate.v1.page",
    "gate.v1.completion",
    "gate.v1.record",
    "gate.v1.ledger",
    "gate.v1.log",
    "gate.v1.opening",
    "gate.v1.proof",
    "planner.v1.research",
    "reader.v1.reading",
    "validator.v1.examination",
    "validator.v1.composition",
)


def _calls() -> set[tuple[str, str]]:
    """Every pair of caller and callee that the contracts name."""
    pairs = set()
    for name in _FILES:
        descriptor = import_module(f"doublethink.{name}_pb2").DESCRIPTOR
        callee = descriptor.package.split(".")[1]
        for service in descriptor.services_by_name.values():
            for caller in service.GetOptions().Extensions[options_pb2.callers]:
                pairs.add((options_pb2.Role.Name(caller).removeprefix("ROLE_").lower(), callee))
    return pairs


def test_every_role_is_given_exactly_the_peers_that_it_may_call() -> None:
    """The sockets that a role sees on one machine are those of the services that name it as a caller."""
    assert {(role.name, peer) for role in ROLES for peer in role.peers} == _calls()


def test_the_console_starts_after_the_peers_that_it_calls() -> None:
    """It alone calls by itself, to take up interrupted runs: its peers are healthy before it starts."""
    orders = {role.name: role.order for role in ROLES}
    assert all(orders[name] < orders["console"] for name in orders if name != "console")


def test_the_readmes_diagram_shows_every_call_and_no_other() -> None:
    """The arrows that a reader sees are the callers that the contracts name."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^    (\w+) --> (\w+)$", readme, re.MULTILINE)) == _calls()
