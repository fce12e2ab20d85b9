"""Attacks the isolation of a running compose installation from the place of every service. Exit code 0: all of it held.

    make verify        or        python3 deploy/compose/verify.py [--json] [PLACE ...]

For each service a container is started in its network place (profile `verify`), told what that place may reach, and
attacks everything else: the internet, names and name servers outside, metadata services, private networks, this
machine, ports of other services. `doublethink_sdk.containers.attack` says how. Exit codes: 0 held, 1 open, 3 a control
is dead, so that nothing is proven, 4 docker or the services are not there.

COMPOSE names another compose command (`docker-compose`); its own variables (COMPOSE_FILE, COMPOSE_PROJECT_NAME) hold.
Standard library alone.
"""

from __future__ import annotations

import argparse
import ipaddress
import json
import os
import shlex
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

# As docs/deployment.md has them; a test holds them against doublethink_sdk.containers.places, and that against the
# contracts.
CALLS: Final = (
    *(("console", "gate"), ("console", "planner"), ("console", "validator")),
    *(("planner", "gate"), ("planner", "validator")),
    *(("validator", "gate"), ("validator", "reader"), ("reader", "gate")),
)
DATABASE_CLIENTS: Final = ("gate", "console", "sealer")
PLACES: Final = (
    *("gate", "planner", "validator", "reader", "console"),
    *("sealer", "postgres", "door", "corpus"),
)
# There where a model is beside: docker-compose.model.yml.
MODEL_PLACES: Final = ("forwarder", "model")
PORTS: Final = (7443, 7444, 7445, 8443, 5432, 11434)
RPC_PORT: Final = 7443
POSTGRES_PORT: Final = 5432
MODEL_PORT: Final = 11434
_SECONDS: Final = 180
_GUARD: Final = (
    "containers reach this machine, or the gate what is no internet: sudo deploy/compose/guard closes it"
)
# What the guard closes, of the kinds of attempt.
_GUARDED: Final = ("the machine", "a metadata service", "a private network")
# Where routers of private networks are, and ports on which one answers, with a refusal at least.
_ROUTERS: Final = tuple(
    ipaddress.ip_network(block)
    for block in ("10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16")
)
_ROUTER_PORTS: Final = (80, 443)

Addresses = Mapping[str, Mapping[str, str]]
"""Of each service, its address by the name of the network, without the project's name."""


class Unavailable(Exception):
    """Docker or a service is not there. The text is for a person."""


def allowed_of(place: str) -> list[tuple[str, int]]:
    """Host names and ports that a place may connect to."""
    calls = [(f"{callee}-for-{caller}", RPC_PORT) for caller, callee in CALLS if caller == place]
    if place == "forwarder":
        calls.append(("model", MODEL_PORT))
    return calls + ([("postgres", POSTGRES_PORT)] if place in DATABASE_CLIENTS else [])


def forbidden_of(place: str, addresses: Addresses) -> list[tuple[str, int]]:
    """Every address and port of another service that a place may not connect to."""
    may = {
        (addresses.get(callee, {}).get(f"{place}-to-{callee}"), RPC_PORT)
        for caller, callee in CALLS
        if caller == place
    }
    if place in DATABASE_CLIENTS:
        may.add((addresses.get("postgres", {}).get(f"{place}-to-postgres"), POSTGRES_PORT))
    if place == "forwarder":
        may.add((addresses.get("model", {}).get("forwarder-to-model"), MODEL_PORT))
    found = [
        (address, port)
        for service, networks in sorted(addresses.items())
        if service != place
        for address in networks.values()
        for port in PORTS
    ]
    return [target for target in found if target not in may]


def plan_of(
    place: str,
    addresses: Addresses,
    machine: Sequence[str],
    internet: Sequence[tuple[str, int]] = (),
    private: Sequence[tuple[str, int]] = (),
) -> dict[str, Any]:
    """What the attacker in a place is told."""
    plan: dict[str, Any] = {
        "allowed": allowed_of(place),
        "forbidden": forbidden_of(place, addresses),
        "machine": list(machine),
        "private": list(private),
        "world": place == "gate",
    }
    return {**plan, "internet": list(internet)} if internet else plan


def networks_of(place: str) -> set[str]:
    """The networks that a place belongs on."""
    own = {f"{caller}-to-{callee}" for caller, callee in CALLS if place in (caller, callee)}
    if place in DATABASE_CLIENTS:
        own.add(f"{place}-to-postgres")
    if place in MODEL_PLACES:
        own.add("forwarder-to-model")
    if place == "postgres":
        own |= {f"{client}-to-postgres" for client in (*DATABASE_CLIENTS, "jobs")}
    return own | {"gate": {"outer"}, "door": {"front"}}.get(place, set())


def membership(place: str, addresses: Addresses) -> list[dict[str, str]]:
    """Findings for the networks that a place is on: a foreign one is open, whatever answers there."""
    return [
        {
            "attempt": "a network",
            "target": network,
            "result": "attached",
            "verdict": "works" if network in networks_of(place) else "open",
        }
        for network in sorted(addresses.get(place, {}))
    ]


def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command with its time bounded. Raises Unavailable."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{' '.join(command[:4])} took more than {_SECONDS} seconds") from None


def places_of(compose: Sequence[str]) -> list[str]:
    """The places of what this installation consists of. Raises Unavailable."""
    services = run((*compose, "config", "--services")).stdout.split()
    return [*PLACES, *(place for place in MODEL_PLACES if place in services)]


def addresses_of(compose: Sequence[str], services: Sequence[str]) -> dict[str, dict[str, str]]:
    """Where the running services are. Raises Unavailable if one does not run."""
    found: dict[str, dict[str, str]] = {}
    for service in services:
        listed = run((*compose, "ps", "-q", service)).stdout.split()
        if not listed:
            raise Unavailable(f"{service} does not run: make up")
        inspected = run(("docker", "inspect", listed[0]))
        if inspected.returncode != 0:
            raise Unavailable("docker does not answer")
        details = json.loads(inspected.stdout)[0]
        if not details["State"]["Running"]:
            raise Unavailable(f"{service} does not run: make up, and docker compose logs {service}")
        project = details["Config"]["Labels"]["com.docker.compose.project"]
        networks = details["NetworkSettings"]["Networks"]
        found[service] = {
            name.removeprefix(f"{project}_"): network["IPAddress"]
            for name, network in networks.items()
            if network["IPAddress"]
        }
    return found


def machine_addresses() -> list[str]:
    """Addresses of this machine on other networks: towards its default route, and of docker's own bridge."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as looking:
        try:
            # Nothing is sent: connecting a datagram socket chooses the address that would be used.
            looking.connect(("192.0.2.1", 9))
            found.append(str(looking.getsockname()[0]))
        except OSError:
            pass  # no default route: then there is no such address
    inspected = run(("docker", "network", "inspect", "bridge"))
    if inspected.returncode == 0:
        configured = json.loads(inspected.stdout)[0]["IPAM"]["Config"] or []
        found += [entry["Gateway"] for entry in configured if "Gateway" in entry]
    return found


def routers(table: str) -> list[tuple[str, int]]:
    """This machine's gateways with the ports to try, from the text of /proc/net/route: what is sure to be there."""
    found: list[tuple[str, int]] = []
    for line in table.splitlines()[1:]:
        gateway = ipaddress.IPv4Address(struct.pack("<I", int(line.split()[2], 16)))
        if any(gateway in block for block in _ROUTERS):
            found += [(str(gateway), port) for port in _ROUTER_PORTS]
    return found


def attack(compose: Sequence[str], place: str, plan: Mapping[str, Any]) -> list[dict[str, str]]:
    """The findings from one place. Raises Unavailable if the attacker could not work."""
    command = (*compose, "--profile", "verify", "run", "--rm", "-T", "--no-deps", f"verify-{place}")
    done = run((*command, "--plan", json.dumps(plan)))
    findings = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode not in (0, 1, 3) or not findings:
        words = done.stderr.strip().splitlines()[-1:] or ["no words"]
        raise Unavailable(f"the attacker in the place of {place} did not work: {words[0]}")
    return findings


def tell(place: str, findings: Sequence[Mapping[str, str]]) -> None:
    """One line a place, and one for everything that is not as it should be."""
    held = sum(finding["verdict"] == "held" for finding in findings)
    works = sum(finding["verdict"] == "works" for finding in findings)
    print(f"{place:10} {held} attempts held, {works} controls work")
    for finding in findings:
        if finding["verdict"] in ("open", "dead", "unanswered"):
            words = {"open": "OPEN", "dead": "DEAD CONTROL", "unanswered": "NOT SHOWN"}[finding["verdict"]]
            print(f"{'':10} {words}: {finding['attempt']}, {finding['target']}: {finding['result']}")


def _target(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def main(arguments: Sequence[str]) -> int:
    """Attack from every place, or from those that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = (*PLACES, *MODEL_PLACES)
    parser.add_argument("places", nargs="*", metavar="PLACE", help=f"of {', '.join(known)}; all if none")
    parser.add_argument(
        "--internet",
        action="append",
        default=[],
        type=_target,
        metavar="HOST:PORT",
        help="what stands for the internet, in place of public name servers",
    )
    parser.add_argument(
        "--private",
        action="append",
        default=[],
        type=_target,
        metavar="HOST:PORT",
        help="what nobody may reach in a private network, beside this machine's routers",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a place")
    options = parser.parse_args(arguments)
    for unknown in sorted(set(options.places) - set(known)):
        parser.error(f"{unknown} is no place; there are {', '.join(known)}")
    compose = shlex.split(os.environ.get("COMPOSE", "docker compose"))
    verdicts: set[str] = set()
    guard_is_open = False
    try:
        there = places_of(compose)
        for absent in sorted(set(options.places) - set(there)):
            raise Unavailable(f"{absent} is no part of this installation, see docker-compose.model.yml")
        addresses, machine = addresses_of(compose, there), machine_addresses()
        private = [*routers(Path("/proc/net/route").read_text(encoding="ascii")), *options.private]
        for place in options.places or there:
            findings = membership(place, addresses)
            plan = plan_of(place, addresses, machine, options.internet, private)
            findings += attack(compose, place, plan)
            verdicts.update(finding["verdict"] for finding in findings)
            guard_is_open |= any(
                finding["verdict"] == "open" and finding["attempt"] in _GUARDED for finding in findings
            )
            if options.json:
                print(json.dumps({"place": place, "findings": findings}))
            else:
                tell(place, findings)
            sys.stdout.flush()
    except Unavailable as error:
        print(f"verify: {error}", file=sys.stderr)
        return 4
    if guard_is_open:
        print(f"verify: {_GUARD}", file=sys.stderr)
    if "open" in verdicts:
        return 1
    return 3 if "dead" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
