"""Who may connect to whom, declared apart from the chart: calls from the contracts, the rest written down here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sim.contracts import all_methods

RPC: Final = 7443
HTTP: Final = 8443
METRICS: Final = 7445
ISOLATION: Final = 7446

MINDS: Final = ("planner", "reader", "validator")
SERVING: Final = ("console", "planner", "gate", "validator", "reader", "sealer")
DATABASE_CLIENTS: Final = ("console", "gate", "sealer", "migrate", "retention")
DNS_CLIENTS: Final = (*DATABASE_CLIENTS, "bootstrap", "model-pull")


def calls() -> frozenset[tuple[str, str]]:
    """Caller and callee of every RPC service, out of the contracts' own options."""
    return frozenset(
        (caller, contract.service.split(".")[1]) for contract in all_methods() for caller in contract.callers
    )


@dataclass(frozen=True)
class Way:
    """A connection that is allowed. `source` and `target` are components, or places outside of the release."""

    source: str
    target: str
    protocol: str
    port: int


@dataclass(frozen=True)
class Setup:
    """What a set of values switches on."""

    components: frozenset[str]
    internet: bool = True
    monitoring: bool = False
    ingress: bool = False
    login: bool = False
    external_database: bool = False
    external_model: int = 0
    object_store: int = 0
    forwarder: bool = False
    nodes: bool = False


def ways(setup: Setup) -> frozenset[Way]:
    """Every connection that a release of this set-up may make or take; all others are forbidden."""
    found = {Way(caller, callee, "TCP", RPC) for caller, callee in calls()}
    found |= set(_rest(setup))
    return frozenset(way for way in found if {way.source, way.target} & setup.components)


def _rest(setup: Setup) -> Iterator[Way]:
    there = setup.components
    for client in DATABASE_CLIENTS:
        if client in there:
            yield Way(client, "databases" if setup.external_database else "postgres", "TCP", 5432)
    for client in DNS_CLIENTS:
        if client in there:
            yield Way(client, "dns", "UDP", 53)
            yield Way(client, "dns", "TCP", 53)
    if setup.internet:
        yield Way("gate", "internet", "TCP", 443)
        if "model-pull" in there:
            yield Way("model-pull", "internet", "TCP", 443)
    if "model" in there:
        yield Way("planner", "model", "TCP", 11434)
    if setup.external_model:
        yield Way("planner", "model server", "TCP", setup.external_model)
    if setup.object_store:
        yield Way("sealer", "object store", "TCP", setup.object_store)
    if "bootstrap" in there:
        yield Way("bootstrap", "API server", "TCP", 6443)
        yield Way("bootstrap", "API server", "TCP", 443)
    for component in SERVING:
        if setup.monitoring:
            yield Way("monitoring", component, "TCP", METRICS)
            yield Way("monitoring", component, "TCP", ISOLATION)
        if setup.nodes:
            yield Way("node", component, "TCP", 7444)
            yield Way("node", component, "TCP", ISOLATION)
    if setup.forwarder and setup.monitoring:
        yield Way("monitoring", "planner", "TCP", 7455)
    if setup.forwarder and setup.nodes:
        yield Way("node", "planner", "TCP", 7454)
    if setup.ingress:
        yield Way("ingress", "console", "TCP", HTTP)
    if setup.login:
        yield Way("login proxy", "console", "TCP", HTTP)
