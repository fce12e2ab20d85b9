"""NetworkPolicies as an nftables ruleset for the forward hook of a router between pods: a third reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chart.policies import Place, directions, matches, selects


def ruleset(policies: Sequence[Mapping[str, Any]], pods: Sequence[Place]) -> str:
    """The rules for pods whose addresses are known. What no policy selects passes, as in a cluster."""
    chains: list[str] = []
    jumps: dict[str, list[str]] = {"Egress": [], "Ingress": []}
    for number, pod in enumerate(pods):
        for direction, own, other in (("Egress", "saddr", "daddr"), ("Ingress", "daddr", "saddr")):
            applying = [one for one in policies if direction in directions(one) and selects(one, pod)]
            if not applying:
                continue
            name = f"{direction.lower()}_{number}"
            lines = [
                f"    {line} return"
                for policy in applying
                for rule in policy["spec"].get(direction.lower()) or []
                for line in _lines(rule, policy["metadata"]["namespace"], direction, other, pods)
            ]
            chains.append("\n".join([f"  chain {name} {{", *lines, "    drop", "  }"]))
            jumps[direction] += [
                f"    {_family(address)} {own} {address} jump {name}" for address in pod.addresses
            ]
    return "\n".join(
        [
            "flush ruleset",
            "table inet policies {",
            *chains,
            "  chain forwarded {",
            "    type filter hook forward priority 0; policy accept;",
            "    ct state established,related accept",
            # Neighbour discovery is how IPv6 finds the next hop; no policy is about it.
            "    meta l4proto ipv6-icmp accept",
            *jumps["Egress"],
            *jumps["Ingress"],
            "  }",
            "}",
            "",
        ]
    )


def _family(address: str) -> str:
    return "ip6" if ":" in address else "ip"


def _lines(
    rule: Mapping[str, Any], namespace: str, direction: str, side: str, pods: Sequence[Place]
) -> Iterator[str]:
    peers = rule.get("to" if direction == "Egress" else "from")
    ports = [_port(port) for port in rule.get("ports") or []] or [""]
    addresses = [text for peer in peers for text in _peer(peer, namespace, side, pods)] if peers else [""]
    for address in addresses:
        for port in ports:
            yield f"{address} {port}".strip()


def _port(port: Mapping[str, Any]) -> str:
    protocol = str(port.get("protocol") or "TCP").lower()
    if port.get("port") is None:
        return f"meta l4proto {protocol}"
    last = f"-{port['endPort']}" if port.get("endPort") else ""
    return f"{protocol} dport {port['port']}{last}"


def _peer(peer: Mapping[str, Any], namespace: str, side: str, pods: Sequence[Place]) -> Iterator[str]:
    if "ipBlock" in peer:
        block = peer["ipBlock"]
        family = _family(block["cidr"])
        text = f"{family} {side} {block['cidr']}"
        if block.get("except"):
            text += f" {family} {side} != {{ {', '.join(block['except'])} }}"
        yield text
        return
    for pod in pods:
        if peer.get("namespaceSelector") is not None:
            if not matches(peer["namespaceSelector"], pod.namespace_labels):
                continue
        elif pod.namespace != namespace:
            continue
        if matches(peer.get("podSelector") or {}, pod.labels):
            for address in pod.addresses:
                yield f"{_family(address)} {side} {address}"
