"""What `deploy/compose/guard` lets pass, with real packets of both families, and without an engine.

Network namespaces stand for the machine, for the gate's container on the bridge `outer`, for the container of the door,
and for everything beyond. Without the rules every target answers: the positive control of each attempt that is held.
"""

from __future__ import annotations

import ipaddress
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Final

import pytest
from cluster.inside import PROBE
from sim.engine import ROOT

Target = tuple[str, int, bool]
"""Address, port, whether UDP."""

BRIDGE: Final = "dtg"
MACHINE, GATE, DOOR, WORLD = (f"{BRIDGE}-{name}" for name in ("machine", "gate", "door", "world"))
PUBLIC: Final = ("198.51.100.10", "2001:db8:1::10")
NAME_SERVERS: Final = ("10.7.0.53", "fd00:7::53")
OWN_SERVERS: Final = (("10.7.0.80", 8443), ("fd00:7::80", 8443))
FORBIDDEN: Final = (
    *("10.1.2.3", "172.16.5.5", "192.168.1.1", "100.64.0.7", "198.18.0.1"),
    *("169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16"),
    *("fd00:ec2::254", "fc00:1::1", "64:ff9b::a00:1", "2002:a00:1::1"),
)
"""Private networks, metadata services (the second and the third line begin with them), and IPv4 inside of IPv6."""
PORTS: Final = (53, 80, 443, 8443)
# On the machine's side of the two bridges.
BRIDGES: Final = {
    "outer": (GATE, "10.213.79.1", "2001:db8:79::1"),
    "front": (DOOR, "10.213.79.17", "2001:db8:7a::1"),
}
_LISTENING: Final = """
import selectors, socket, sys
ready = selectors.DefaultSelector()
for port in map(int, sys.argv[1:]):
    ready.register(socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True), 1, True)
for family, place in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
    asked = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        asked.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    # An answer has to come from the address that was asked.
    level, option = ((socket.IPPROTO_IP, 8) if family == socket.AF_INET
                     else (socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO))
    asked.setsockopt(level, option, 1)
    asked.bind((place, 53))
    ready.register(asked, 1, False)
print("up", flush=True)
while True:
    for key, _ in ready.select():
        if key.data:
            key.fileobj.accept()[0].close()
        else:
            data, told, _, peer = key.fileobj.recvmsg(512, 256)
            own = [(level, 8 if level == 0 else socket.IPV6_PKTINFO, at if level else bytes(4) + at[8:] + bytes(4))
                   for level, _, at in told]
            key.fileobj.sendmsg([data], own, 0, peer)
"""


def _ip(*arguments: str) -> None:
    subprocess.run(("ip", *arguments), check=True, timeout=20)


def _inside(name: str, *command: str, settings: Mapping[str, str] | None = None, stdin: str = "") -> str:
    """Run a command in a namespace; return what it prints. Its exit code is 0."""
    done = _ended(name, *command, settings=settings, stdin=stdin)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _ended(
    name: str, *command: str, settings: Mapping[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ("ip", "netns", "exec", name, *command),
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DOUBLETHINK_BRIDGE": BRIDGE, **(settings or {})},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def _guard(action: str, *, shell: str = "sh", **settings: str) -> subprocess.CompletedProcess[str]:
    given = {"DOUBLETHINK_NAME_SERVERS": " ".join(NAME_SERVERS), **settings}
    return _ended(MACHINE, shell, "deploy/compose/guard", action, settings=given)


def _cable(one: str, name_one: str, other: str, name_other: str) -> None:
    _ip("-n", one, "link", "add", name_one, "type", "veth", "peer", "name", name_other, "netns", other)
    for name, device in ((one, name_one), (other, name_other)):
        _ip("-n", name, "link", "set", device, "up")


def _bits(address: str) -> str:
    return f"{address}/{128 if ':' in address else 32}"


def _build() -> None:
    for name in (MACHINE, GATE, DOOR, WORLD):
        _ip("netns", "add", name)
        _inside(name, "sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.default.accept_dad=0")
        _ip("-n", name, "link", "set", "lo", "up")
    _inside(MACHINE, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
    for bridge, (container, four, six) in BRIDGES.items():
        device = f"{BRIDGE}-{bridge}"
        _ip("-n", MACHINE, "link", "add", device, "type", "bridge")
        _cable(MACHINE, f"to-{bridge}", container, "eth0")
        _ip("-n", MACHINE, "link", "set", f"to-{bridge}", "master", device)
        _ip("-n", MACHINE, "link", "set", device, "up")
        for here, bits in ((four, 28), (six, 64)):
            family = "-6" if ":" in here else "-4"
            there = str(ipaddress.ip_address(here) + 1)
            _ip("-n", MACHINE, "addr", "add", f"{here}/{bits}", "dev", device)
            _ip("-n", container, "addr", "add", f"{there}/{bits}", "dev", "eth0")
            _ip("-n", container, family, "route", "add", "default", "via", here)
    _cable(MACHINE, "out", WORLD, "in")
    for here, there, bits in (("203.0.113.1", "203.0.113.2", 24), ("2001:db8:2::1", "2001:db8:2::2", 64)):
        family = "-6" if ":" in here else "-4"
        _ip("-n", MACHINE, "addr", "add", f"{here}/{bits}", "dev", "out")
        _ip("-n", WORLD, "addr", "add", f"{there}/{bits}", "dev", "in")
        _ip("-n", MACHINE, family, "route", "add", "default", "via", there)
        _ip("-n", WORLD, family, "route", "add", "default", "via", here)
    for address in (*PUBLIC, *NAME_SERVERS, *(host for host, _ in OWN_SERVERS), *FORBIDDEN):
        _ip("-n", WORLD, "addr", "add", _bits(address), "dev", "lo")


def _probe(container: str, targets: list[Target]) -> dict[Target, bool]:
    said = _inside(container, sys.executable, "-I", "-", json.dumps(targets), stdin=PROBE)
    return dict(zip(targets, json.loads(said), strict=True))


def _targets(bridge: str) -> list[Target]:
    """Everything beyond, on every port; and the machine, by its address on the bridge, another and the link's own."""
    _, four, six = BRIDGES[bridge]
    hosts = (*PUBLIC, *NAME_SERVERS, *(host for host, _ in OWN_SERVERS), *FORBIDDEN)
    found = [(host, port, False) for host in hosts for port in PORTS]
    found += [(host, 53, True) for host in hosts]
    shown = _inside(MACHINE, "ip", "-6", "addr", "show", "dev", f"{BRIDGE}-{bridge}", "scope", "link")
    link = shown.split("inet6 ")[1].split("/")[0] + "%eth0"
    return found + [(host, port, False) for host in (four, six, link, "203.0.113.1") for port in PORTS]


@pytest.fixture(scope="module")
def network() -> Iterator[None]:
    """The four namespaces, with listeners on the machine and beyond."""
    if os.geteuid() != 0 or any(shutil.which(tool) is None for tool in ("ip", "iptables", "ip6tables")):
        pytest.skip("NOT RUN: network namespaces need root and iproute2, the guard iptables and ip6tables")
    listening: list[subprocess.Popen[str]] = []
    try:
        _build()
        for name in (MACHINE, WORLD):
            command = (
                *("ip", "netns", "exec", name, sys.executable, "-I", "-c", _LISTENING),
                *map(str, PORTS),
            )
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            listening.append(process)
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "up"
        yield
    finally:
        for process in listening:
            process.kill()
            process.wait(10)
            if process.stdout is not None:
                process.stdout.close()
        for name in (MACHINE, GATE, DOOR, WORLD):
            subprocess.run(("ip", "netns", "del", name), capture_output=True, timeout=20, check=False)


@pytest.fixture(params=[False, True], ids=["without docker's chain", "with docker's chain"])
def chains(network: None, request: pytest.FixtureRequest) -> Iterator[None]:
    """The machine as a plain one, and as one on which docker filters both families."""
    tools = ("iptables", "ip6tables") if request.param else ()
    for tool in tools:
        _inside(MACHINE, tool, "-N", "DOCKER-USER")
        _inside(MACHINE, tool, "-I", "FORWARD", "-j", "DOCKER-USER")
        _inside(MACHINE, tool, "-A", "FORWARD", "-i", f"{BRIDGE}-+", "-j", "ACCEPT")
    yield
    assert _guard("open").returncode == 0
    for tool in tools:
        _inside(MACHINE, tool, "-F", "FORWARD")
        _inside(MACHINE, tool, "-F", "DOCKER-USER")
        _inside(MACHINE, tool, "-X", "DOCKER-USER")


def test_the_gate_reaches_the_web_and_the_name_servers_alone(chains: None) -> None:
    """TCP 443 of public addresses and port 53 of the name servers: no private network, no metadata service, no other
    port, no address of the machine, over neither family. All of it answers while the guard is open.
    """
    targets = _targets("outer")
    assert all(_probe(GATE, targets).values()), "the control: without rules everything answers"
    assert _guard("close").returncode == 0
    may = {(host, 443, False) for host in PUBLIC}
    may |= {(host, 53, udp) for host in NAME_SERVERS for udp in (False, True)}
    assert {target for target, reached in _probe(GATE, targets).items() if reached} == may
    assert _guard("open").returncode == 0
    assert all(_probe(GATE, targets).values())


def test_the_door_reaches_nothing(chains: None) -> None:
    """Neither the machine nor anything beyond, over neither family."""
    targets = _targets("front")
    assert all(_probe(DOOR, targets).values())
    assert _guard("close").returncode == 0
    assert not any(_probe(DOOR, targets).values())


def test_a_server_of_one_s_own_is_let_through_by_address_and_port(chains: None) -> None:
    """DOUBLETHINK_GATE_MAY opens one port of one address in a private network, and a second call takes it away."""
    targets = _targets("outer")
    named = " ".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in OWN_SERVERS)
    assert _guard("close").returncode == 0
    before = _probe(GATE, targets)
    assert _guard("close", DOUBLETHINK_GATE_MAY=named).returncode == 0
    after = _probe(GATE, targets)
    assert {target for target in targets if after[target] and not before[target]} == {
        (host, port, False) for host, port in OWN_SERVERS
    }
    assert _guard("close").returncode == 0
    assert _probe(GATE, targets) == before


def test_show_misses_a_rule_and_finds_a_foreign_one(network: None) -> None:
    """Any rule of any chain that is taken out is noticed, in both families, and so is one that lets more pass."""
    assert _guard("show").returncode == 1
    assert _guard("close").returncode == 0
    assert _guard("close").returncode == 0
    assert _guard("show").returncode == 0
    for tool in ("iptables", "ip6tables"):
        rules = [
            line.split()
            for line in _inside(MACHINE, tool, "-S").splitlines()
            if (line.startswith("-A") and f"DOUBLETHINK-{BRIDGE}" in line) or f"-i {BRIDGE}-front" in line
        ]
        assert len(rules) >= 12
        for _, place, *rule in rules:
            _inside(MACHINE, tool, "-D", place, *rule)
            assert _guard("show").returncode == 1, rule
            assert _guard("close").returncode == 0
            assert _guard("show").returncode == 0, rule
        _inside(MACHINE, tool, "-I", f"DOUBLETHINK-{BRIDGE}", "-j", "RETURN")
        assert _guard("show").returncode == 1
        assert _guard("close").returncode == 0
    assert _guard("open").returncode == 0
    assert BRIDGE not in _inside(MACHINE, "iptables", "-S") + _inside(MACHINE, "ip6tables", "-S")


@pytest.mark.parametrize(
    "settings",
    [
        {"DOUBLETHINK_GATE_MAY": "10.0.0.1"},
        {"DOUBLETHINK_GATE_MAY": "host.example:443"},
        {"DOUBLETHINK_GATE_MAY": "10.0.0.0/8:443"},
        {"DOUBLETHINK_NAME_SERVERS": "dns.example"},
    ],
)
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_a_setting_that_is_no_address_is_refused(network: None, settings: dict[str, str], shell: str) -> None:
    """One line says which, and no rule was made of it. `sh` may be bash, which has rules of its own for -e."""
    if shutil.which(shell) is None:
        pytest.skip(f"NOT RUN: there is no {shell} here")
    done = _guard("close", shell=shell, **settings)
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1
    assert next(iter(settings.values())).split(":")[0].split("/")[0] in done.stderr
    assert BRIDGE not in _inside(MACHINE, "iptables", "-S")
