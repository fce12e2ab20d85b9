"""One network namespace a pod, all behind one router namespace, and one more for everything outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from chart.policies import Place
from cluster.inside import PROBE

_LISTEN: Final = """
import selectors, socket, sys, json
chosen = selectors.DefaultSelector()
for host, port, udp in json.loads(sys.argv[1]):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_DGRAM if udp else socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    if not udp:
        listening.listen(256)
    listening.setblocking(False)
    chosen.register(listening, selectors.EVENT_READ, udp)
print("listening", flush=True)
while True:
    for key, _ in chosen.select():
        try:
            if key.data:
                asked, who = key.fileobj.recvfrom(512)
                key.fileobj.sendto(asked, who)
            else:
                key.fileobj.accept()[0].close()
        except OSError:
            pass
"""
_PREFIX: Final = "dtp"
_PROBE_SECONDS: Final = 90

Target = tuple[str, int, bool]


class Network:
    """The namespaces, and what listens in them."""

    def __init__(
        self, pods: Sequence[Place], outside: Sequence[str], ports: Sequence[tuple[int, bool]]
    ) -> None:
        self.pods = pods
        self._tag = f"{_PREFIX}{os.getpid()}"
        self._outside = outside
        self._ports = ports
        self._listeners: list[subprocess.Popen[str]] = []
        self._made: list[str] = []

    def start(self) -> None:
        """Make all of it. Raises CalledProcessError."""
        self._namespace("r")
        self._in("r", "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        self._in("r", "sysctl", "-qw", "net.ipv4.conf.all.rp_filter=0", "net.ipv4.conf.default.rp_filter=0")
        places: list[tuple[str, Sequence[str]]] = [
            *((f"p{number}", pod.addresses) for number, pod in enumerate(self.pods)),
            ("out", self._outside),
        ]
        for number, (name, addresses) in enumerate(places):
            self._connect(number, name, addresses)
        for name, addresses in places:
            targets = [[address, port, udp] for address in addresses for port, udp in self._ports]
            self._listeners.append(
                subprocess.Popen(
                    (*self._enter(name), sys.executable, "-I", "-c", _LISTEN, json.dumps(targets)),
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
        for listener in self._listeners:
            assert listener.stdout is not None
            assert listener.stdout.readline() == "listening\n"

    def stop(self) -> None:
        """End what was started here and remove what was made here."""
        for listener in self._listeners:
            listener.send_signal(signal.SIGKILL)
            listener.wait()
            if listener.stdout is not None:
                listener.stdout.close()
        for name in self._made:
            subprocess.run(("ip", "netns", "del", name), check=False)

    def load(self, ruleset: str) -> None:
        """Put a ruleset in force in the router. Raises CalledProcessError."""
        subprocess.run((*self._enter("r"), "nft", "-f", "-"), input=ruleset, text=True, check=True)

    def probe(self, wanted: Mapping[Place, Sequence[Target]]) -> dict[Place, dict[Target, bool]]:
        """Try targets from the places of pods, all pods at once: whether each answered."""
        numbers = {pod: number for number, pod in enumerate(self.pods)}
        running = {
            pod: subprocess.Popen(
                (*self._enter(f"p{numbers[pod]}"), sys.executable, "-I", "-c", PROBE, json.dumps(targets)),
                stdout=subprocess.PIPE,
                text=True,
            )
            for pod, targets in wanted.items()
        }
        found = {}
        for pod, process in running.items():
            said, _ = process.communicate(timeout=_PROBE_SECONDS)
            found[pod] = dict(zip(wanted[pod], json.loads(said), strict=True))
        return found

    def _enter(self, name: str) -> tuple[str, ...]:
        return ("ip", "netns", "exec", f"{self._tag}-{name}")

    def _in(self, name: str, *command: str) -> None:
        subprocess.run((*self._enter(name), *command), check=True, capture_output=True)

    def _namespace(self, name: str) -> None:
        subprocess.run(("ip", "netns", "add", f"{self._tag}-{name}"), check=True, capture_output=True)
        self._made.append(f"{self._tag}-{name}")
        self._in(
            name, "sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0", "net.ipv6.conf.all.accept_dad=0"
        )
        self._in(name, "ip", "link", "set", "lo", "up")

    def _connect(self, number: int, name: str, addresses: Sequence[str]) -> None:
        self._namespace(name)
        self._in(
            "r",
            "ip",
            "link",
            "add",
            f"v{number}",
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            f"{self._tag}-{name}",
        )
        self._in("r", "ip", "link", "set", f"v{number}", "up")
        self._in("r", "ip", "address", "add", "169.254.1.1/32", "dev", f"v{number}")
        self._in("r", "ip", "-6", "address", "add", "fe80::1/64", "dev", f"v{number}", "nodad")
        self._in(name, "ip", "link", "set", "eth0", "up")
        for address in addresses:
            family, bits = ("-6", "128") if ":" in address else ("-4", "32")
            self._in(
                name,
                "ip",
                family,
                "address",
                "add",
                f"{address}/{bits}",
                "dev",
                "eth0",
                *(["nodad"] * (bits == "128")),
            )
            self._in("r", "ip", family, "route", "add", f"{address}/{bits}", "dev", f"v{number}")
        self._in(name, "ip", "route", "add", "169.254.1.1", "dev", "eth0", "scope", "link")
        self._in(name, "ip", "route", "add", "default", "via", "169.254.1.1", "dev", "eth0")
        self._in(name, "ip", "-6", "route", "add", "default", "via", "fe80::1", "dev", "eth0")


@contextmanager
def network(
    pods: Sequence[Place], outside: Sequence[str], ports: Sequence[tuple[int, bool]]
) -> Iterator[Network]:
    """A network that lives as long as the block."""
    made = Network(pods, outside, ports)
    try:
        made.start()
        yield made
    finally:
        made.stop()
