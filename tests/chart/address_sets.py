"""The same question answered another way: policies compiled to sets of numbers, then looked up.

Nothing is shared with `policies`. Selectors are resolved to addresses first, blocks to intervals of whole numbers,
excepts are cut out of these, and what remains is one list of boxes (interval of addresses, protocol, interval of
ports) for each pod and direction. A packet passes if it lies in a box. The two agreeing shows that neither has a slip
of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

Interval = tuple[int, int]
_V6 = 1 << 128  # An IPv6 address is counted from here on, so that families cannot be taken for each other.
_EVERY_ADDRESS: Interval = (0, 2 * _V6)
_EVERY_PORT: Interval = (0, 65535)


@dataclass(frozen=True)
class Box:
    """Addresses, a protocol ("" for any) and ports."""

    addresses: Interval
    protocol: str
    ports: Interval


def number_of(address: str) -> int:
    """An address as a number that is different for the two families."""
    parsed = ip_address(address)
    return int(parsed) + (_V6 if parsed.version == 6 else 0)


class Compiled:
    """Boxes by pod and direction; `pods` maps (namespace, name) to (namespace labels, labels, addresses)."""

    def __init__(
        self,
        policies: Iterable[Mapping[str, Any]],
        pods: Mapping[tuple[str, str], tuple[Mapping[str, str], Mapping[str, str], Sequence[str]]],
    ) -> None:
        self._pods = pods
        self._boxes: dict[tuple[str, str, str], list[Box]] = {}
        for policy in policies:
            spec, namespace = policy["spec"], policy["metadata"]["namespace"]
            kinds = spec.get("policyTypes", ["Ingress"] + (["Egress"] if spec.get("egress") else []))
            subjects = [key for key in self._chosen(spec["podSelector"]) if key[0] == namespace]
            for kind in kinds:
                side = "from" if kind == "Ingress" else "to"
                rules = spec.get(kind.lower(), [])
                boxes = [box for rule in rules for box in self._boxes_of(rule, side, namespace)]
                for subject in subjects:
                    self._boxes.setdefault((*subject, kind), []).extend(boxes)

    def passes(self, pod: tuple[str, str], direction: str, address: str, protocol: str, port: int) -> bool:
        """Whether a packet to (Egress) or from (Ingress) an address passes at a pod."""
        boxes = self._boxes.get((*pod, direction))
        if boxes is None:
            return True
        number = number_of(address)
        return any(
            box.addresses[0] <= number <= box.addresses[1]
            and box.protocol in ("", protocol)
            and box.ports[0] <= port <= box.ports[1]
            for box in boxes
        )

    def _chosen(self, selector: Mapping[str, Any] | None) -> set[tuple[str, str]]:
        return {key for key, (_, labels, _) in self._pods.items() if _fits(selector, labels)}

    def _boxes_of(self, rule: Mapping[str, Any], side: str, namespace: str) -> Iterator[Box]:
        ports = [_ports(port) for port in rule.get("ports") or []] or [("", _EVERY_PORT)]
        peers = rule.get(side) or []
        intervals = [one for peer in peers for one in self._intervals(peer, namespace)]
        for addresses in intervals if peers else [_EVERY_ADDRESS]:
            for protocol, numbers in ports:
                yield Box(addresses, protocol, numbers)

    def _intervals(self, peer: Mapping[str, Any], namespace: str) -> Iterator[Interval]:
        if block := peer.get("ipBlock"):
            yield from _without(
                [_span(ip_network(block["cidr"]))],
                [_span(ip_network(one)) for one in block.get("except", [])],
            )
            return
        wanted = peer.get("namespaceSelector")
        for key in self._chosen(peer.get("podSelector")):
            namespace_labels, _, addresses = self._pods[key]
            if (key[0] == namespace) if wanted is None else _fits(wanted, namespace_labels):
                for address in addresses:
                    number = number_of(address)
                    yield (number, number)


def _span(network: IPv4Network | IPv6Network) -> Interval:
    base = _V6 if network.version == 6 else 0
    return (base + int(network.network_address), base + int(network.broadcast_address))


def _without(kept: list[Interval], removed: Sequence[Interval]) -> list[Interval]:
    for low, high in removed:
        parts: list[Interval] = []
        for start, end in kept:
            if high < start or low > end:
                parts.append((start, end))
                continue
            if start < low:
                parts.append((start, low - 1))
            if end > high:
                parts.append((high + 1, end))
        kept = parts
    return kept


def _ports(port: Mapping[str, Any]) -> tuple[str, Interval]:
    first = port.get("port")
    numbers = _EVERY_PORT if first is None else (int(first), int(port.get("endPort", first)))
    return str(port.get("protocol", "TCP")), numbers


def _fits(selector: Mapping[str, Any] | None, labels: Mapping[str, str]) -> bool:
    wanted = dict((selector or {}).get("matchLabels") or {})
    if wanted.items() - labels.items():
        return False
    for entry in (selector or {}).get("matchExpressions") or ():
        value = labels.get(entry["key"])
        operator, values = entry["operator"], entry.get("values", ())
        if operator == "In" and (value is None or value not in values):
            return False
        if operator == "NotIn" and value is not None and value in values:
            return False
        if operator == "Exists" and value is None:
            return False
        if operator == "DoesNotExist" and value is not None:
            return False
    return True
