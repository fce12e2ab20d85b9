"""What the attacker in a container makes of what it meets."""

from __future__ import annotations

import ipaddress
import json
from typing import Any

import pytest
from doublethink_sdk.containers import attack

HEAD = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
INSIDE = HEAD + "eth0\t304DD50A\t00000000\t0001\t0\t0\t0\tF0FFFFFF\t0\t0\t0\n"
OUTSIDE = INSIDE + "eth1\t00000000\tC14DD50A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"


class World:
    """Answers to connections, by host; everything else has no route."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answers: dict[str, str]) -> None:
        def tcp(host: str, port: int, timeout: float = 0) -> str:
            if host == "127.0.0.1":
                return answers.get(f"127.0.0.1:{port}", "refused" if port == 9 else "connected")
            return answers.get(host, "no route")

        monkeypatch.setattr(attack, "tcp", tcp)
        monkeypatch.setattr(
            attack, "udp_name_query", lambda server, name: answers.get(f"udp {server}", "no route")
        )
        monkeypatch.setattr(attack, "resolve", lambda name: answers.get(f"name {name}", "no such name"))


PLAN: dict[str, Any] = {
    "allowed": [["gate-for-reader", 7443]],
    "forbidden": [["10.9.9.9", 5432]],
    "private": [["10.8.8.8", 443]],
    "world": False,
}
GOOD = {"gate-for-reader": "connected", "name gate-for-reader": "resolved"}


def _run(plan: dict[str, Any], table: str) -> dict[str, set[str]]:
    verdicts: dict[str, set[str]] = {}
    for finding in attack.attempts(plan, table):
        verdicts.setdefault(finding.verdict, set()).add(f"{finding.attempt} {finding.target}")
    return verdicts


def test_the_routes_of_a_container_are_read() -> None:
    """Attached subnets, as the kernel writes them: little-endian hexadecimal. A gateway is not one."""
    assert attack.attached(INSIDE) == [ipaddress.ip_network("10.213.77.48/28")]
    assert attack.attached(OUTSIDE) == attack.attached(INSIDE)


def test_a_place_that_is_closed_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing open and every control alive; a neighbour's refusal is closed."""
    World(monkeypatch, {**GOOD, "10.9.9.9": "refused"})
    verdicts = _run(PLAN, INSIDE)
    assert set(verdicts) == {"held", "works"}
    assert len(verdicts["held"]) == 26
    assert {"the machine 10.213.77.49:22", "a port of another 10.9.9.9:5432"} <= verdicts["held"]


@pytest.mark.parametrize(
    ("answers", "table", "found"),
    [
        ({"1.1.1.1": "connected"}, INSIDE, "the internet 1.1.1.1:443"),
        ({"2606:4700:4700::1111": "refused"}, INSIDE, "the internet 2606:4700:4700::1111:443"),
        ({"169.254.169.254": "connected"}, INSIDE, "a metadata service 169.254.169.254:80"),
        ({"168.63.129.16": "connected"}, INSIDE, "a metadata service 168.63.129.16:80"),
        ({"fd00:ec2::254": "connected"}, INSIDE, "a metadata service fd00:ec2::254:80"),
        ({"192.168.1.1": "refused"}, INSIDE, "a private network 192.168.1.1:443"),
        ({"10.8.8.8": "connected"}, OUTSIDE, "a private network 10.8.8.8:443"),
        ({"10.213.77.49": "refused"}, INSIDE, "the machine 10.213.77.49:22"),
        ({"10.9.9.9": "connected"}, INSIDE, "a port of another 10.9.9.9:5432"),
        ({"udp 1.1.1.1": "answered"}, INSIDE, "a name server outside 1.1.1.1"),
        ({"name example.com": "resolved"}, OUTSIDE, "a name outside example.com"),
    ],
)
def test_each_way_out_is_found(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, str], table: str, found: str
) -> None:
    """One thing that answers is open; a refusal of what should not be reached is an answer."""
    World(monkeypatch, {**GOOD, **answers})
    assert found in _run(PLAN, table)["open"]


@pytest.mark.parametrize(
    "answers", [{}, {"gate-for-reader": "connected"}, {**GOOD, "127.0.0.1:9": "timed out"}]
)
def test_silence_without_a_control_is_no_proof(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, str]
) -> None:
    """Where the allowed port, its name or the loopback does not answer as it must, the place is not proven."""
    World(monkeypatch, answers)
    assert "dead" in _run(PLAN, INSIDE)


@pytest.mark.parametrize(("answers", "verdict"), [({"8.8.8.8": "connected"}, "works"), ({}, "unanswered")])
def test_the_gate_shows_that_the_internet_answers(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, str], verdict: str
) -> None:
    """Its own way out is a control, not an attack; a machine without internet says that it shows nothing."""
    World(monkeypatch, answers)
    verdicts = _run({"world": True}, OUTSIDE)
    assert "control: the internet from the gate" in verdicts[verdict]
    assert "open" not in verdicts


@pytest.mark.parametrize(("answers", "code"), [(GOOD, 0), ({**GOOD, "10.9.9.9": "connected"}, 1), ({}, 3)])
def test_the_exit_code_says_what_came_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answers: dict[str, str], code: int
) -> None:
    """0 held, 1 open, 3 a control is dead; each attempt is one line of JSON."""
    World(monkeypatch, answers)
    monkeypatch.setattr(attack, "attached", lambda _table: [])
    assert attack.main(["--plan", json.dumps(PLAN)]) == code
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(set(line) == {"attempt", "target", "result", "verdict"} for line in lines)
