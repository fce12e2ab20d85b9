"""Who reaches whom: every ordered pair of pods and addresses, both directions, two evaluators, one declared table.

Egress and ingress are asked apart, so that a policy on one side cannot hide a hole in the other.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest
import yaml
from chart.declared import MINDS, SERVING, calls, ways
from chart.matrix import ByAddresses, Declared, by_labels, setup_of, world_of
from chart.rendering import CHART, NAMESPACE, VALUES, Document, of_kind, render


def test_the_chart_s_table_is_that_of_the_contracts() -> None:
    """files/flows.yaml names a call exactly where a service names the caller."""
    flows = yaml.safe_load((CHART / "files" / "flows.yaml").read_text(encoding="utf-8"))
    assert {(caller, callee) for caller, callees in flows["rpc"].items() for callee in callees} == calls()


@pytest.mark.parametrize("values", VALUES)
def test_every_pair_is_as_declared(values: str) -> None:
    """Both evaluators give the declared table, for every pair, port, protocol, direction and address family."""
    world = world_of(render(values))
    declared, by_addresses = Declared(world, setup_of(values, world)), ByAddresses(world)
    asked = allowed = 0
    for cell in world.cells():
        expected = declared(cell)
        assert (by_labels(world, cell), by_addresses(cell)) == (expected, expected), (
            f"{cell.pod.name} {cell.direction} {cell.other.name} {cell.address} {cell.protocol} {cell.port}"
        )
        asked, allowed = asked + 1, allowed + expected
    assert asked > 50_000
    assert allowed > 50


@pytest.mark.parametrize("values", VALUES)
def test_every_declared_way_is_there(values: str) -> None:
    """The table names no component or place that the matrix does not have: each way is a cell of it."""
    world = world_of(render(values))
    names = {*world.own.values(), *world.others.values()}
    for way in ways(setup_of(values, world)):
        assert {way.source, way.target} <= names, way


@pytest.mark.parametrize("mind", MINDS)
def test_a_mind_reaches_no_dns_and_nothing_outside(mind: str) -> None:
    """Said once more without the table: no port 53 and no address outside of the release's own pods."""
    world = world_of(render("trial"))
    for pod, component in world.own.items():
        if component != mind:
            continue
        for cell in world.cells([pod]):
            if cell.direction == "Egress" and by_labels(world, cell):
                assert cell.port == 7443
                assert world.own.get(cell.other) in SERVING


def _mutations(documents: list[Document]) -> Iterator[tuple[str, str, list[Document]]]:
    """Every policy removed, and every part of every policy loosened, one at a time."""
    policies = of_kind(documents, "NetworkPolicy")
    rest = [document for document in documents if document["kind"] != "NetworkPolicy"]

    def changed(position: int, change: Document) -> list[Document]:
        return [*rest, *(change if at == position else one for at, one in enumerate(policies))]

    for position, policy in enumerate(policies):
        name = policy["metadata"]["name"]
        component = policy["metadata"]["labels"]["app.kubernetes.io/component"]
        yield f"{name} removed", component, [*rest, *(one for one in policies if one is not policy)]
        for kind in ("Ingress", "Egress"):
            opened = copy.deepcopy(policy)
            opened["spec"].setdefault(kind.lower(), []).append({})
            yield f"{name} {kind} opened", component, changed(position, opened)
            for at, rule in enumerate(policy["spec"].get(kind.lower()) or []):
                side = "from" if kind == "Ingress" else "to"
                for key in ("ports", side):
                    looser = copy.deepcopy(policy)
                    del looser["spec"][kind.lower()][at][key]
                    yield f"{name} {kind} {at} without {key}", component, changed(position, looser)
                for number, port in enumerate(rule["ports"]):
                    wider = copy.deepcopy(policy)
                    wider["spec"][kind.lower()][at]["ports"][number] = {**port, "endPort": 65535}
                    yield f"{name} {kind} {at} port {number} to the end", component, changed(position, wider)
                for number, peer in enumerate(rule[side]):
                    for key in peer:
                        looser = copy.deepcopy(policy)
                        target = looser["spec"][kind.lower()][at][side][number]
                        if key == "ipBlock":
                            target[key] = {"cidr": "::/0" if ":" in peer[key]["cidr"] else "0.0.0.0/0"}
                        else:
                            target[key] = {}
                        if target != peer:
                            yield (
                                f"{name} {kind} {at} {side} {number} any {key}",
                                component,
                                changed(position, looser),
                            )
                    for excepted in peer.get("ipBlock", {}).get("except", []):
                        looser = copy.deepcopy(policy)
                        looser["spec"][kind.lower()][at][side][number]["ipBlock"]["except"].remove(excepted)
                        yield f"{name} {kind} without except {excepted}", component, changed(position, looser)


@pytest.mark.parametrize("values", ["trial", "production", "model"])
def test_every_loosened_policy_is_seen(values: str) -> None:
    """The matrix can fail: each policy that is removed, and each part that is loosened, turns it red.

    What the cluster's own addresses are is not looked for: the values name them for the reader's example.
    """
    documents = render(values)
    seen = 0
    for name, component, mutated in _mutations(documents):
        if "198.51.100.7" in name or "2001:db8:7" in name:
            continue
        world = world_of(mutated)
        declared = Declared(world, setup_of(values, world))
        # The pods that the policy is about come first: there the difference is.
        own = sorted(world.own, key=lambda place: world.own[place] != component)
        pods = [*own, *(one for one in world.others if one.namespace == NAMESPACE)]
        assert any(by_labels(world, cell) != declared(cell) for cell in world.cells(pods)), name
        seen += 1
    assert seen > 60


def test_labels_elsewhere_open_nothing() -> None:
    """A pod with the gate's labels in another namespace reaches nobody of the release."""
    world = world_of(render("trial"))
    impostor = next(place for place, name in world.others.items() if name == "impostor")
    for cell in world.cells():
        if cell.other == impostor and cell.pod in world.own:
            assert not by_labels(world, cell)
