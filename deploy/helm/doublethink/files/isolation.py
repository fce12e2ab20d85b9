"""Proves from inside a pod that its network policies are enforced. The standard library alone.

    isolation.py prove  --plan FILE --template DIR --files A=B,C=D --out DIR   before the start; writes the files
    isolation.py watch  --plan FILE --port N                                   beside a mind, until a signal
    isolation.py report --plan FILE                                            once, for people

A plan names what the pod may connect to and what it may not. What may be reached is the positive control: where
nothing answers, a refused attempt shows nothing. The API server is the control of the other side: it is up wherever a
pod starts, and no policy of ours guards it, so that only this pod's own rules can be what keeps the pod from it.

A pod may start before its rules, so `prove` tries again until the rules hold in two rounds one after the other or the
time is up; then it fails, and the process behind it never starts. `watch` answers /held (200 or 503), /live and
/metrics: a mind whose isolation is gone gets no more requests, and is ended once that was so for two rounds.

Exit codes: 0 held, 1 not held or not proven, 2 wrong use.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import ipaddress
import json
import os
import re
import signal
import socket
import struct
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

ATTEMPT_SECONDS = 1.5
ROUND_PAUSE_SECONDS = 2.0
ROUNDS_TO_HOLD = 2
MOST_AT_ONCE = 16
# A query of type A for "control.invalid" (RFC 6761: such a name never exists): any answer shows that a server answers.
DNS_QUERY = (
    struct.pack("!6H", 0x4454, 0x0100, 1, 0, 0, 0) + b"\x07control\x07invalid\x00" + struct.pack("!2H", 1, 1)
)


@dataclass(frozen=True)
class Target:
    """A TCP address, or with `dns` a UDP one. `host` is empty where the kubelet gave no address."""

    name: str
    host: str
    port: int
    dns: bool = False
    always: bool = False


@dataclass(frozen=True)
class Plan:
    """What a component may reach and what it may not."""

    component: str
    allowed: tuple[Target, ...]
    forbidden: tuple[Target, ...]
    wait_s: float
    every_s: float
    enabled: bool
    peers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Round:
    """What one look found: forbidden targets that were reached, controls that were not, and why each."""

    reached: tuple[str, ...]
    silent: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def held(self) -> bool:
        """Nothing forbidden was reached."""
        return not self.reached


def read_plan(path: Path) -> Plan:
    """Raises ValueError or OSError."""
    document = json.loads(path.read_text(encoding="utf-8"))
    allowed = [_target(entry) for entry in document["allowed"]]
    forbidden = [_target(entry) for entry in document["forbidden"]]
    named = [address for address in document["dnsServers"] if _is_address(address)]
    if document["dns"]:
        allowed += [Target(f"DNS at {address}", address, 53, dns=True) for address in _resolvers()]
    else:
        addresses = dict.fromkeys([*named, *(_usual_resolvers() if document["usualDns"] else ())])
        forbidden += [Target(f"DNS at {address}", address, 53, dns=True) for address in addresses]
    return Plan(
        component=document["component"],
        allowed=tuple(allowed),
        forbidden=tuple(forbidden),
        wait_s=float(document["waitSeconds"]),
        every_s=float(document["everySeconds"]),
        enabled=bool(document["enabled"]),
        peers=document["peers"],
    )


def _target(entry: dict[str, Any]) -> Target:
    host = str(entry["host"])
    address = os.environ.get(host[1:], "") if host.startswith("$") else host
    return Target(str(entry["name"]), address, int(entry["port"]), always=bool(entry.get("always")))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _resolvers() -> list[str]:
    lines = Path("/etc/resolv.conf").read_text(encoding="utf-8").splitlines()
    found = [line.split()[1] for line in lines if line.startswith("nameserver ") and len(line.split()) > 1]
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]


def _usual_resolvers() -> list[str]:
    """Where clusters usually have their DNS: the tenth address of the Services' range, and the node-local one."""
    first = os.environ.get("KUBERNETES_SERVICE_HOST", "")
    usual = [str(ipaddress.ip_address(first) + 9)] if _is_address(first) else []
    return [*usual, "169.254.20.10"]


def attempt(target: Target) -> str | None:
    """None if the target answered, else why not, in a word."""
    if not target.host:
        return "no address"
    family = socket.AF_INET6 if ":" in target.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM if target.dns else socket.SOCK_STREAM) as tried:
            tried.settimeout(ATTEMPT_SECONDS)
            tried.connect((target.host, target.port))
            if target.dns:
                tried.send(DNS_QUERY)
                tried.recv(512)
    except TimeoutError:
        return "no answer"
    except ConnectionRefusedError:
        return "refused"
    except OSError as error:
        return f"error {error.errno}"
    return None


def look(plan: Plan) -> Round:
    """Try everything once, side by side."""
    everything = [*plan.allowed, *plan.forbidden]
    with concurrent.futures.ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        results = list(pool.map(attempt, everything))
    reached, silent, lines = [], [], []
    for position, (target, why) in enumerate(zip(everything, results, strict=True)):
        may = position < len(plan.allowed)
        if may and why is not None:
            silent.append(target.name)
        # Without an address nothing was tried, and nothing was shown.
        if not may and (why is None or (why == "no address" and target.always)):
            reached.append(target.name)
        said = "reached" if why is None else why
        right = (why is None) == may
        lines.append(
            f"{'ok  ' if right else 'FAIL'} {'may' if may else 'must not'} reach {target.name}: {said}"
        )
    return Round(tuple(reached), tuple(silent), tuple(lines))


def proven(plan: Plan, found: Round) -> bool:
    """Held, and the positive control answers: every target that this pod may reach."""
    return found.held and bool(plan.allowed) and not found.silent


def say(event: str, **fields: Any) -> None:
    """One JSON line."""
    sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
    sys.stdout.flush()


def prove(plan: Plan) -> bool:
    """Whether the isolation held in two rounds one after the other within the plan's time."""
    deadline = time.monotonic() + plan.wait_s
    rounds = 0
    while True:
        found = look(plan)
        rounds = rounds + 1 if proven(plan, found) else 0
        if rounds == ROUNDS_TO_HOLD:
            say(
                "isolation_proven",
                component=plan.component,
                refused=len(plan.forbidden),
                reached=len(plan.allowed),
            )
            return True
        if time.monotonic() > deadline:
            say(
                "isolation_not_proven",
                component=plan.component,
                reached=found.reached,
                no_control=found.silent,
            )
            return False
        if rounds == 0:
            say("isolation_waiting", component=plan.component, reached=found.reached, no_control=found.silent)
        time.sleep(ROUND_PAUSE_SECONDS)


def write_configuration(plan: Plan, template: Path, files: str, out: Path) -> None:
    """Put addresses in the place of @NAME@. Raises ValueError if one is not known."""
    pod = os.environ["POD_IP"]
    values = {"POD": pod, "EVERY": "::" if ":" in pod else "0.0.0.0"}  # noqa: S104 - the policies say who connects
    values |= {name: os.environ.get(variable, "") for name, variable in plan.peers.items()}

    def address(match: re.Match[str]) -> str:
        value = values.get(match[1], "")
        if not value:
            raise ValueError(f"the address of {match[1]} is not known: its Service was made after this pod")
        return f"[{value}]" if ":" in value else value

    for pair in files.split(","):
        source, target = pair.split("=")
        text = (template / source).read_text(encoding="utf-8")
        (out / target).write_text(re.sub(r"@([A-Z]+)@", address, text), encoding="utf-8")


class Watch:
    """The newest result of the rounds, for the listener."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._lock = threading.Lock()
        self._round = Round((), (), ())
        self._broken_rounds = 0
        self._looked = 0

    def look(self) -> None:
        """One round more."""
        found = look(self._plan)
        with self._lock:
            before = self._round.reached
            self._round = found
            self._broken_rounds = 0 if found.held else self._broken_rounds + 1
            self._looked += 1
        if found.reached and found.reached != before:
            say("isolation_broken", component=self._plan.component, reached=found.reached)
        elif before and found.held:
            say("isolation_held_again", component=self._plan.component)

    def answer(self, path: str) -> tuple[int, str]:
        """Status and text of a request."""
        with self._lock:
            found, broken, looked = self._round, self._broken_rounds, self._looked
        if path == "/held":
            return (200, "held\n") if looked and found.held else (503, "not held\n")
        if path == "/live":
            return (200, "held\n") if broken < ROUNDS_TO_HOLD else (503, "not held\n")
        if path == "/metrics":
            label = f'{{component="{self._plan.component}"}}'
            return 200, (
                "# TYPE doublethink_isolation_held gauge\n"
                f"doublethink_isolation_held{label} {int(bool(looked) and found.held)}\n"
                "# TYPE doublethink_isolation_forbidden_reached gauge\n"
                f"doublethink_isolation_forbidden_reached{label} {len(found.reached)}\n"
                "# TYPE doublethink_isolation_controls_silent gauge\n"
                f"doublethink_isolation_controls_silent{label} {len(found.silent)}\n"
                "# TYPE doublethink_isolation_rounds_total counter\n"
                f"doublethink_isolation_rounds_total{label} {looked}\n"
            )
        return 404, "not found\n"


def watch(plan: Plan, host: str, port: int) -> None:
    """Look again and again; answer probes and Prometheus. Does not return."""
    state = Watch(plan)

    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            status, text = state.answer(self.path)
            body = text.encode()
            self.send_response_only(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    class Listener(HTTPServer):
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    listener = Listener((host, port), Handler)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    while True:
        state.look()
        time.sleep(plan.every_s)


def main() -> int:
    """Run one command; return the exit code."""
    parser = argparse.ArgumentParser(description="network isolation, proven from inside")
    parser.add_argument("command", choices=("prove", "watch", "report"))
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--template", type=Path)
    parser.add_argument("--files", default="")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--port", type=int, default=7446)
    options = parser.parse_args()
    # The first process of a container is not ended by a signal that it does not take.
    signal.signal(signal.SIGTERM, lambda _number, _frame: os._exit(0))
    plan = read_plan(options.plan)
    if options.command == "watch":
        watch(plan, os.environ["POD_IP"], options.port)
    if options.command == "report":
        found = look(plan)
        sys.stdout.write(f"isolation of {plan.component}\n" + "".join(f"  {line}\n" for line in found.lines))
        return 0 if proven(plan, found) else 1
    if plan.enabled and not prove(plan):
        return 1
    if options.template is not None and options.out is not None:
        try:
            write_configuration(plan, options.template, options.files, options.out)
        except ValueError as error:
            sys.stderr.write(f"isolation: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
