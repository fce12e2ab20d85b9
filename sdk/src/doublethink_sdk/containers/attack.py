"""Attacks the isolation from inside one service's network place, and says what came of each attempt.

    python -m doublethink_sdk.containers.attack --plan JSON

Run in the network namespace of a service; `deploy/compose/verify.py` does that for every service and knows the
addresses. The plan: {"allowed": [[HOST, PORT], ...], "forbidden": [[HOST, PORT], ...], "private": [[HOST, PORT], ...],
"world": true|false}, where `private` is targets in private networks beside those that are tried anyway, and `world`
whether this place is one that may reach the internet.

Prints a JSON line an attempt: {"attempt", "target", "result", "verdict"}. Verdicts: `held`; `open`, forbidden and
possible; `works`, a control; `dead`, a control that does not work, so that silence here proves nothing; `unanswered`,
the gate may ask the internet, which did not answer. Exit codes: 0 everything held, 1 something is open, 2 wrong use,
3 a control is dead.

Standard library alone. What is attempted: connections to the internet, to metadata addresses, to private networks, to
every address of the machine that this place can name, and to ports of other services, each over IPv4 and where there is
one IPv6; names of the outside; a name server of the outside.
"""

from __future__ import annotations

import argparse
import errno
import ipaddress
import json
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

TIMEOUT_S: Final = 2.0
AT_ONCE: Final = 32
# Resolvers that answer on TCP 53 and 443 all over the world, in both families.
INTERNET: Final = (
    ("1.1.1.1", 443),
    ("8.8.8.8", 53),
    ("2606:4700:4700::1111", 443),
    ("2001:4860:4860::8888", 53),
)
# AWS, Azure, GCP and others; Alibaba; Oracle; Azure's other one, at a public address; AWS over IPv6.
METADATA: Final = (
    ("169.254.169.254", 80),
    ("100.100.100.200", 80),
    ("192.0.0.192", 80),
    ("168.63.129.16", 80),
    ("fd00:ec2::254", 80),
)
# Where routers and servers of a private network like to be. Where nothing is there, silence shows little: the plan
# names what is known to be there.
PRIVATE: Final = (
    ("10.0.0.1", 443),
    ("172.16.0.1", 443),
    ("192.168.0.1", 443),
    ("192.168.1.1", 443),
    ("fd00::1", 443),
)
# What a machine may listen on. A port without a listener answers, too: with a refusal.
HOST_PORTS: Final = (22, 80, 443, 2375, 5432, 10250)
OUTSIDE_NAMES: Final = ("example.com", "one.one.one.one")
_REFUSED: Final = frozenset({errno.ECONNREFUSED, errno.ECONNRESET})


@dataclass(frozen=True)
class Finding:
    """One attempt. result: `connected`, `refused`, `timed out`, `no route`, or what else came of it."""

    attempt: str
    target: str
    result: str
    verdict: str


def tcp(host: str, port: int, timeout: float = TIMEOUT_S) -> str:
    """Try to connect; the name of what happened."""
    try:
        with closing(socket.create_connection((host, port), timeout)):
            return "connected"
    except TimeoutError:
        return "timed out"
    except socket.gaierror:
        return "no such name"
    except OSError as error:
        if error.errno in _REFUSED:
            return "refused"
        if error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL):
            return "no route"
        return errno.errorcode.get(error.errno or 0, "failed")


def udp_name_query(server: str, name: str, timeout: float = TIMEOUT_S) -> str:
    """Ask a name server on the outside for an address (RFC 1035)."""
    question = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    query = struct.pack(">HHHHHH", 0x4454, 0x0100, 1, 0, 0, 0) + question + b"\0" + struct.pack(">HH", 1, 1)
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with closing(socket.socket(family, socket.SOCK_DGRAM)) as asking:
        asking.settimeout(timeout)
        try:
            asking.sendto(query, (server, 53))
            asking.recv(512)
        except TimeoutError:
            return "timed out"
        except OSError as error:
            return "no route" if error.errno in (errno.ENETUNREACH, errno.EADDRNOTAVAIL) else "refused"
    return "answered"


def resolve(name: str, timeout: float = 15.0) -> str:
    """Look a name up the way every program here does. The system's own call has no bound: it gets one."""
    found: list[str] = []

    def ask() -> None:
        try:
            socket.getaddrinfo(name, 443)
            found.append("resolved")
        except OSError:
            found.append("no such name")

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(timeout)
    return found[0] if found else "timed out"


def reached(result: str) -> bool:
    """Whether an answer came from there: a refusal is one, too."""
    return result in ("connected", "refused", "answered", "resolved")


@contextmanager
def _listener() -> Iterator[int]:
    """A port of this place's own that accepts."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        yield int(listening.getsockname()[1])


def attached(table: str) -> list[ipaddress.IPv4Network]:
    """Subnets that are attached here, from the text of /proc/net/route.

    A default route is no finding: some engines give one to internal networks, too, and drop what takes it.
    """
    found = []
    for line in table.splitlines()[1:]:
        _, destination, gateway, _, _, _, _, mask = line.split()[:8]
        network, via, bits = (
            ipaddress.IPv4Address(struct.pack("<I", int(text, 16))) for text in (destination, gateway, mask)
        )
        if not int(via):
            found.append(ipaddress.IPv4Network(f"{network}/{bits}"))
    return found


def attempts(plan: dict[str, Any], table: str) -> Iterator[Finding]:
    """All attempts of one place."""
    world = bool(plan.get("world"))
    yield from controls(plan)
    tries: list[Callable[[], Finding]] = []
    internet = [(str(host), int(port)) for host, port in plan.get("internet", INTERNET)]
    if world:
        yield _world(internet)
    else:
        tries += [partial(_forbidden, "the internet", host, port) for host, port in internet]
        tries += [partial(_name_server, server) for server in ("1.1.1.1", "2606:4700:4700::1111")]
        tries += [partial(_name, name) for name in OUTSIDE_NAMES]
    tries += [partial(_forbidden, "a metadata service", host, port) for host, port in METADATA]
    private = [(str(host), int(port)) for host, port in plan.get("private", [])]
    tries += [partial(_forbidden, "a private network", host, port) for host, port in (*PRIVATE, *private)]
    # The bridge's own address, the first of each attached subnet, is the machine itself.
    machine = [str(next(network.hosts())) for network in attached(table)]
    for host in dict.fromkeys([*machine, *plan.get("machine", [])]):
        tries += [partial(_forbidden, "the machine", host, port) for port in HOST_PORTS]
    tries += [partial(_neighbour, str(host), int(port)) for host, port in plan.get("forbidden", [])]
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        yield from pool.map(lambda attempt: attempt(), tries)


def controls(plan: dict[str, Any]) -> Iterator[Finding]:
    """The same code where it has to work: without these, silence proves nothing."""
    with _listener() as port:
        result = tcp("127.0.0.1", port)
        yield Finding("control: an open port", "own", result, "works" if result == "connected" else "dead")
    result = tcp("127.0.0.1", 9)
    yield Finding("control: a closed port", "own", result, "works" if result == "refused" else "dead")
    for host, port in plan.get("allowed", []):
        result = tcp(host, port)
        yield Finding(
            "control: an allowed port",
            f"{host}:{port}",
            result,
            "works" if result == "connected" else "dead",
        )
        found = resolve(host)
        yield Finding("control: a name inside", host, found, "works" if found == "resolved" else "dead")


def _world(internet: Sequence[tuple[str, int]]) -> Finding:
    """Whether the internet answers where it may be reached: without that, a time-out elsewhere is no proof."""
    results = [tcp(host, port) for host, port in internet]
    verdict = "works" if any(map(reached, results)) else "unanswered"
    return Finding("control: the internet", "from the gate", ", ".join(results), verdict)


def _name_server(server: str) -> Finding:
    result = udp_name_query(server, OUTSIDE_NAMES[0])
    return Finding("a name server outside", server, result, "open" if reached(result) else "held")


def _name(name: str) -> Finding:
    result = resolve(name)
    return Finding("a name outside", name, result, "open" if reached(result) else "held")


def _neighbour(host: str, port: int) -> Finding:
    """Refused is closed here: the neighbour is there, and nothing listens for this place."""
    result = tcp(host, port)
    return Finding("a port of another", f"{host}:{port}", result, "open" if result == "connected" else "held")


def _forbidden(attempt: str, host: str, port: int) -> Finding:
    result = tcp(host, port)
    return Finding(attempt, f"{host}:{port}", result, "open" if reached(result) else "held")


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_sdk.containers.attack",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--plan", required=True, help="JSON, see above")
    options = parser.parse_args(arguments)
    try:
        plan = json.loads(options.plan)
        table = Path("/proc/net/route").read_text(encoding="ascii")
    except (ValueError, OSError):
        parser.error("--plan takes a JSON object; /proc must be there")
    verdicts = set()
    for finding in attempts(plan, table):
        verdicts.add(finding.verdict)
        sys.stdout.write(json.dumps(asdict(finding)) + "\n")
        sys.stdout.flush()
    if "open" in verdicts:
        return 1
    return 3 if "dead" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
