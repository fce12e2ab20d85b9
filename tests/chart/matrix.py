"""All places of a release and around it, every ordered pair, and what the two evaluators say about each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from chart.address_sets import Compiled
from chart.declared import Setup, Way, ways
from chart.policies import Direction, Packet, Place, passes
from chart.rendering import NAMESPACE, Document, of_kind, pod_specs

PORTS: Final = (
    *(
        ("TCP", port)
        for port in (22, 53, 80, 443, 5432, 6443, 7443, 7444, 7445, 7446, 7454, 7455, 8000, 8443)
    ),
    *(("TCP", port) for port in (9000, 10250, 11434, 65535)),
    *(("UDP", port) for port in (53, 123, 443)),
)

# What is not the release's, by the name under which `declared` knows it. Pods: namespace and labels.
FOREIGN_PODS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "dns": ("kube-system", {"k8s-app": "kube-dns"}),
    "monitoring": ("monitoring", {"app": "prometheus"}),
    "ingress": ("ingress-nginx", {"app": "controller"}),
    "login proxy": ("login", {"app.kubernetes.io/name": "oauth2-proxy"}),
    "beside the login proxy": ("login", {"app.kubernetes.io/name": "redis"}),
    "login proxy elsewhere": ("elsewhere", {"app.kubernetes.io/name": "oauth2-proxy"}),
    "databases": ("databases", {"cnpg.io/cluster": "doublethink"}),
    "other database": ("databases", {"cnpg.io/cluster": "somebody-else"}),
    "system pod": ("kube-system", {"k8s-app": "something"}),
    "stranger": ("elsewhere", {"app": "anything"}),
    "neighbour": (NAMESPACE, {"app": "anything"}),
    "DNS elsewhere": ("elsewhere", {"k8s-app": "kube-dns"}),
    "database elsewhere": ("elsewhere", {"cnpg.io/cluster": "doublethink"}),
    # Labels of ours in a namespace that is not ours.
    "impostor": ("elsewhere", {"app.kubernetes.io/name": "doublethink", "app.kubernetes.io/instance": "t",
                               "app.kubernetes.io/component": "gate"}),
}  # fmt: skip

# Addresses that are nobody's pod. "internet" is what the gate may reach; each of the rest is in a range of its own that
# it may not.
ADDRESSES: Final[Mapping[str, tuple[str, ...]]] = {
    "internet": ("1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::200e"),
    "API server": ("10.96.0.1", "fd00:96::1"),
    "node": ("10.20.3.4",),
    "model server": ("10.30.0.9",),
    "beside the model server": ("10.30.0.10",),
    "object store": ("10.40.0.5",),
    "beside the object store": ("10.40.0.6",),
    "this network": ("0.0.0.1",),
    "shared (RFC 6598)": ("100.64.0.1", "100.100.100.200"),
    "loopback": ("127.0.0.53", "::1", "::"),
    "metadata": ("169.254.169.254", "fd00:ec2::254"),
    "metadata at a public address": ("168.63.129.16",),
    "node-local DNS": ("169.254.20.10",),
    "private": ("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1"),
    "protocol assignments": ("192.0.0.192",),
    "benchmark": ("198.18.0.1",),
    "multicast": ("224.0.0.1", "ff02::1"),
    "reserved": ("240.0.0.1", "255.255.255.255"),
    "NAT64": ("64:ff9b::a00:1", "64:ff9b:1::1"),
    "discard": ("100::1",),
    "Teredo": ("2001::1",),
    "6to4": ("2002:a00:1::1",),
    "link-local": ("fe80::1",),
}


@dataclass(frozen=True)
class Cell:
    """One question: may `pod` send to, or take from, an address of `other`?"""

    pod: Place
    direction: Direction
    other: Place
    address: str
    protocol: str
    port: int


@dataclass(frozen=True)
class World:
    """The release's pods, by place and by the component that each is, and all other places."""

    own: Mapping[Place, str]
    others: Mapping[Place, str]
    policies: Sequence[Document]

    def cells(self, pods: Sequence[Place] | None = None) -> Iterator[Cell]:
        """Every question, about all pods of the namespace or some of them."""
        everybody = {**self.own, **self.others}
        asked = [*self.own, *(one for one in self.others if one.namespace == NAMESPACE)]
        for pod in asked if pods is None else pods:
            for other in everybody:
                if other == pod:
                    continue
                for address in other.addresses:
                    for protocol, port in PORTS:
                        yield Cell(pod, "Egress", other, address, protocol, port)
                        yield Cell(pod, "Ingress", other, address, protocol, port)

    def name(self, place: Place) -> str:
        """As `declared` has it."""
        return self.own.get(place) or self.others[place]


def world_of(documents: Sequence[Document]) -> World:
    """The places around a rendered release. Every pod has an address of each family."""
    own: dict[Place, str] = {}
    for number, (name, pod) in enumerate(sorted(pod_specs(list(documents)).items()), start=10):
        labels = pod["metadata"]["labels"]
        addresses = (f"10.244.0.{number}", f"fd00:244::{number:x}")
        place = Place(name, addresses, NAMESPACE, _namespace_labels(NAMESPACE), labels)
        own[place] = labels["app.kubernetes.io/component"]
    others: dict[Place, str] = {}
    for number, (name, (namespace, labels)) in enumerate(FOREIGN_PODS.items(), start=10):
        addresses = (f"10.244.9.{number}", f"fd00:244:9::{number:x}")
        others[Place(name, addresses, namespace, _namespace_labels(namespace), labels)] = name
    for name, outside in ADDRESSES.items():
        others[Place(name, outside)] = name
    return World(own, others, policies_of(documents))


def policies_of(documents: Sequence[Document]) -> list[Document]:
    """The rendered policies, in the namespace that they are installed in."""
    return [
        {**one, "metadata": {"namespace": NAMESPACE, **one["metadata"]}}
        for one in of_kind(list(documents), "NetworkPolicy")
    ]


def by_labels(world: World, cell: Cell) -> bool:
    """What the first evaluator says."""
    family: Literal[4, 6] = 6 if ":" in cell.address else 4
    # One address at a time: a place may have several.
    other = Place(
        cell.other.name, (cell.address,), cell.other.namespace, cell.other.namespace_labels, cell.other.labels
    )
    return passes(world.policies, cell.pod, cell.direction, other, Packet(cell.protocol, cell.port, family))


class ByAddresses:
    """What the second evaluator says."""

    def __init__(self, world: World) -> None:
        pods = {
            (place.namespace, place.name): (place.namespace_labels, place.labels, place.addresses)
            for place in (*world.own, *world.others)
            if place.is_pod
        }
        self._compiled = Compiled(world.policies, pods)

    def __call__(self, cell: Cell) -> bool:
        """Whether it passes."""
        pod = (cell.pod.namespace, cell.pod.name)
        return self._compiled.passes(pod, cell.direction, cell.address, cell.protocol, cell.port)


class Declared:
    """What the declared table says."""

    def __init__(self, world: World, setup: Setup) -> None:
        self._world = world
        self._ways = ways(setup)

    def __call__(self, cell: Cell) -> bool:
        """Whether it is allowed."""
        pod, other = self._world.name(cell.pod), self._world.name(cell.other)
        source, target = (pod, other) if cell.direction == "Egress" else (other, pod)
        return Way(source, target, cell.protocol, cell.port) in self._ways


def _namespace_labels(name: str) -> dict[str, str]:
    return {"kubernetes.io/metadata.name": name}


def setup_of(values: str, world: World) -> Setup:
    """What the files of ci/ switch on, said here once more and by hand."""
    components = frozenset(world.own.values())
    known: dict[str, dict[str, Any]] = {
        "trial": {},
        "model": {"forwarder": True},
        "offline": {"internet": False},
        "identity": {"login": True},
        "production": {
            "monitoring": True,
            "ingress": True,
            "external_database": True,
            "external_model": 8000,
            "object_store": 9000,
            "forwarder": True,
            "nodes": True,
        },
    }
    return Setup(components, **known[values])
