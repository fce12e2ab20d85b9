"""Which packets networking.k8s.io/v1 policies let pass: an evaluator by labels.

The meaning is that of https://kubernetes.io/docs/concepts/services-networking/network-policies/: a pod that no policy
of its namespace selects for a direction is open in it; else the union of the rules of those that do is what passes.
An ipBlock is matched against every address, that of a pod too, which is the stricter reading for what must be closed.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Direction = Literal["Ingress", "Egress"]
Policy = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """A pod with its namespace's and its own labels, or an address that is none (`namespace` is "")."""

    name: str
    addresses: tuple[str, ...]
    namespace: str = ""
    namespace_labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def is_pod(self) -> bool:
        """Whether policies can select it."""
        return self.namespace != ""


@dataclass(frozen=True)
class Packet:
    """The first packet of a connection: protocol and port of its destination, and the family of both addresses."""

    protocol: str
    port: int
    family: Literal[4, 6]


def matches(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """LabelSelector: everything in it must hold; an empty one matches all."""
    for key, value in (selector.get("matchLabels") or {}).items():
        if labels.get(key) != value:
            return False
    for rule in selector.get("matchExpressions") or []:
        values, present = rule.get("values") or [], rule["key"] in labels
        holds = {
            "In": present and labels.get(rule["key"]) in values,
            "NotIn": not present or labels.get(rule["key"]) not in values,
            "Exists": present,
            "DoesNotExist": not present,
        }[rule["operator"]]
        if not holds:
            return False
    return True


def directions(policy: Policy) -> Sequence[str]:
    """The directions that a policy closes."""
    spec = policy["spec"]
    return spec.get("policyTypes") or (["Ingress", "Egress"] if "egress" in spec else ["Ingress"])


def selects(policy: Policy, pod: Place) -> bool:
    """Whether a policy is about a pod."""
    return policy["metadata"]["namespace"] == pod.namespace and matches(
        policy["spec"].get("podSelector") or {}, pod.labels
    )


def passes(
    policies: Iterable[Policy], pod: Place, direction: Direction, other: Place, packet: Packet
) -> bool:
    """Whether `pod` may send to `other` (Egress), or take from it (Ingress)."""
    applying = [one for one in policies if direction in directions(one) and selects(one, pod)]
    if not applying:
        return True
    return any(
        _rule_matches(rule, policy["metadata"]["namespace"], direction, other, packet)
        for policy in applying
        for rule in policy["spec"].get(direction.lower()) or []
    )


def _rule_matches(
    rule: Mapping[str, Any], namespace: str, direction: Direction, other: Place, packet: Packet
) -> bool:
    ports = rule.get("ports")
    if ports and not any(_port_matches(port, packet) for port in ports):
        return False
    peers = rule.get("to" if direction == "Egress" else "from")
    return not peers or any(_peer_matches(peer, namespace, other, packet) for peer in peers)


def _port_matches(port: Mapping[str, Any], packet: Packet) -> bool:
    if (port.get("protocol") or "TCP") != packet.protocol:
        return False
    number = port.get("port")
    if number is None:
        return True
    if not isinstance(number, int):
        raise TypeError("a named port: the chart names numbers, which mean the same everywhere")
    return number <= packet.port <= int(port.get("endPort", number))


def _peer_matches(peer: Mapping[str, Any], namespace: str, other: Place, packet: Packet) -> bool:
    if "ipBlock" in peer:
        return any(_in_block(peer["ipBlock"], address, packet.family) for address in other.addresses)
    if not other.is_pod:
        return False
    if peer.get("namespaceSelector") is not None:
        if not matches(peer["namespaceSelector"], other.namespace_labels):
            return False
    elif other.namespace != namespace:
        return False
    return matches(peer.get("podSelector") or {}, other.labels)


def _in_block(block: Mapping[str, Any], text: str, family: int) -> bool:
    address = ipaddress.ip_address(text)
    network = ipaddress.ip_network(block["cidr"])
    if address.version != family or address not in network:
        return False
    return not any(address in ipaddress.ip_network(one) for one in block.get("except") or [])
