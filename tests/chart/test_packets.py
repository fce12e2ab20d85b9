"""Real packets: one network namespace a pod, the rendered policies as rules of the kernel between them.

Without the rules every target must answer everybody: the positive control of each attempt that the rules refuse.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import pytest
from chart.declared import Way, ways
from chart.matrix import World, setup_of, world_of
from chart.network import Network, Target, network
from chart.nft import ruleset
from chart.policies import Place
from chart.rendering import render

PORTS: Final = (
    (443, False),
    (5432, False),
    (7443, False),
    (7444, False),
    (7445, False),
    (8443, False),
    (53, True),
)
# Addresses that a network of our own can have: no multicast, no loopback, nothing reserved.
OUTSIDE: Final = (
    "internet",
    "API server",
    "node",
    "object store",
    "shared (RFC 6598)",
    "metadata",
    "metadata at a public address",
    "node-local DNS",
    "private",
    "benchmark",
    "NAT64",
    "6to4",
)
ASKING: Final = ("console", "planner", "gate", "validator", "reader", "sealer", "neighbour", "stranger")


@pytest.fixture(scope="module")
def world() -> World:
    """The pods of a trial, one of each component, and those around it."""
    return world_of(render("trial"))


def _pods(world: World) -> list[Place]:
    first: dict[str, Place] = {}
    for place, name in {**world.own, **world.others}.items():
        # A test pod has a component's labels and is one more of it: the one that serves stands for both.
        if place.is_pod and (name not in first or place.labels.get("doublethink.dev/serves")):
            first[name] = place
    return list(first.values())


@pytest.fixture(scope="module")
def wired(world: World) -> Iterator[Network]:
    """The network without rules."""
    if os.geteuid() != 0 or not all(shutil.which(program) for program in ("ip", "nft", "sysctl")):
        pytest.skip("NOT RUN: network namespaces and rules need root, ip, nft and sysctl")
    outside = [
        address for place, name in world.others.items() if name in OUTSIDE for address in place.addresses
    ]
    with network(_pods(world), outside, PORTS) as made:
        yield made


def _targets(world: World, pod: Place, network: Network) -> dict[Target, str]:
    """Everything that a pod can try, and whose it is."""
    outside = [place for place, name in world.others.items() if name in OUTSIDE]
    return {
        (address, port, udp): world.name(place)
        for place in (*network.pods, *outside)
        if place != pod
        for address in place.addresses
        for port, udp in PORTS
    }


def _asking(world: World, network: Network) -> Mapping[Place, Sequence[Target]]:
    return {pod: list(_targets(world, pod, network)) for pod in network.pods if world.name(pod) in ASKING}


def test_without_rules_everything_answers_everybody(world: World, wired: Network) -> None:
    """The positive control of every attempt."""
    found = wired.probe(_asking(world, wired))
    silent = [
        (world.name(pod), target)
        for pod, seen in found.items()
        for target, answered in seen.items()
        if not answered
    ]
    assert silent == []
    assert sum(map(len, found.values())) > 2000


def test_with_the_rules_only_declared_ways_are_open(world: World, wired: Network) -> None:
    """The kernel lets through what the table declares, and nothing else, over both families."""
    wired.load(ruleset(world.policies, wired.pods))
    found = wired.probe(_asking(world, wired))
    allowed = ways(setup_of("trial", world))
    own = set(world.own.values()) | {"neighbour"}
    wrong, opened = [], 0
    for pod, seen in found.items():
        source = world.name(pod)
        whose = _targets(world, pod, wired)
        for target, answered in seen.items():
            name, (_, port, udp) = whose[target], target
            # Of pods that are not the release's nothing is promised among themselves.
            free = source not in own and name not in own
            may = free or Way(source, name, "UDP" if udp else "TCP", port) in allowed
            opened += may and not free
            if answered != may:
                wrong.append((source, name, target, answered))
    assert wrong == []
    assert opened > 20


def test_a_removed_policy_is_felt(world: World, wired: Network) -> None:
    """Without the reader's own policy, and without the denial, the reader reaches the internet: the test can fail."""
    reader = next(pod for pod in wired.pods if world.name(pod) == "reader")
    left = [
        one for one in world.policies if one["metadata"]["name"].rpartition("-")[2] not in ("reader", "deny")
    ]
    wired.load(ruleset(left, wired.pods))
    found = wired.probe({reader: [("1.1.1.1", 443, False), ("2606:4700:4700::1111", 443, False)]})
    assert list(found[reader].values()) == [True, True]
