"""The main job in containers, and the isolation attacked while it runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from doublethink_sdk.client import Client
from sim import engine

QUESTION = "What was the operating margin of Halvorsen Pumps in fiscal 2024?"
PLACES = ("gate", "planner", "validator", "reader", "console", "sealer", "postgres", "door", "corpus")


def _doublethink(token: Path, *arguments: str) -> str:
    command = (sys.executable, "-m", "doublethink_sdk", *arguments)
    return engine.run(*command, "--console", "http://127.0.0.1:8443", "--token-file", str(token)).stdout


@pytest.fixture(scope="session")
def answer(installation: Path) -> dict[str, object]:
    """One question, answered."""
    given = ("ask", "--case", "demo/case.yaml", "--question", QUESTION, "--json")
    found: dict[str, object] = json.loads(_doublethink(installation, *given))
    return found


def test_a_question_is_answered_without_the_internet(answer: dict[str, object]) -> None:
    """Over the published port, from saved pages, with a number and its quote."""
    assert answer["status"] == "answered"
    found = json.dumps(answer["answer"])
    assert "11.8" in found
    assert "Operating margin 11.8" in found


def test_the_record_verifies_with_the_key_of_the_set_up(
    installation: Path, answer: dict[str, object], tmp_path: Path
) -> None:
    """What left is sealed by the sealer in its container, and proven outside with the public key alone."""
    shown = engine.compose("--profile", "setup", "run", "--rm", "-T", "setup", "vkey", "--out", "/out")
    key, bundle = tmp_path / "ledger.vkey", tmp_path / "session.dtbundle"
    key.write_text(shown.stdout)
    with Client("http://127.0.0.1:8443", installation) as client:
        bundle.write_bytes(b"".join(client.bundle(str(answer["session"]))))
    command = (sys.executable, "-m", "doublethink_sdk", "verify", str(bundle), "--key", str(key))
    assert "COMPLETE" in engine.run(*command).stdout
    tampered = bytearray(bundle.read_bytes())
    tampered[len(tampered) // 2] ^= 1
    bundle.write_bytes(tampered)
    assert engine.run(*command, check=False).returncode == 1
    assert re.search(r"outcome +.*sent", _doublethink(installation, "ledger", "show", str(answer["session"])))


def test_every_container_is_what_the_file_says(installation: Path) -> None:
    """Asked of the engine: read-only root, no capabilities, no new privileges, not root, bounded."""
    for service in PLACES:
        container = json.loads(engine.run("docker", "inspect", engine.container_of(service)).stdout)[0]
        host = container["HostConfig"]
        assert host["ReadonlyRootfs"] is True, service
        assert host["CapDrop"] == ["ALL"], service
        assert host["Privileged"] is False, service
        assert "no-new-privileges:true" in host["SecurityOpt"], service
        assert host["Memory"] > 0, service
        assert host["PidsLimit"] > 0, service
        assert host["Init"] is True, service
        assert container["RestartCount"] == 0, service
        if service != "postgres":
            assert not host["CapAdd"], service
            assert re.fullmatch(r"64\d{3}:64\d{3}", container["Config"]["User"]), service


def test_the_isolation_holds(installation: Path, outside: Sequence[str]) -> None:
    """Every attack from every place fails, every control works; where the hole to the machine cannot be closed by
    this user, it is all that is open, and it is named.
    """
    code, findings, said = engine.verify(*outside)
    assert set(findings) == set(PLACES)
    opened = [
        (place, one["attempt"], one["target"], one["result"])
        for place, found in findings.items()
        for one in found
        if one["verdict"] in ("open", "dead")
    ]
    if engine.guard_possible():
        assert opened == []
        assert code == 0
        assert any(
            one["attempt"] == "control: the internet" and one["verdict"] == "works"
            for one in findings["gate"]
        )
    else:
        assert {attempt for _, attempt, _, _ in opened} <= {
            *("the machine", "a metadata service", "a private network"),
        }
        assert "guard" in said or not opened
    for place in ("planner", "reader", "validator", "console", "sealer"):
        held = [one for one in findings[place] if one["verdict"] == "held"]
        assert {one["attempt"] for one in held} >= {
            *(
                "the internet",
                "a name outside",
                "a name server outside",
                "a metadata service",
                "a private network",
                "a port of another",
            ),
            "the machine",
        }
        assert any(one["attempt"] == "control: an allowed port" for one in findings[place])


@pytest.mark.parametrize(
    ("service", "network", "attempt"),
    [
        ("planner", "outer", "a network"),
        ("reader", "gate-to-postgres", "a port of another"),
        ("planner", "validator-to-reader", "a port of another"),
    ],
)
def test_a_network_that_was_tampered_with_is_found(
    installation: Path, outside: Sequence[str], service: str, network: str, attempt: str
) -> None:
    """A mind that somebody attaches to a foreign network: verify is red from its place, and green again after."""
    with engine.joined(service, network):
        code, findings, _ = engine.verify(*outside, service)
        found = {one["attempt"] for one in findings[service] if one["verdict"] == "open"}
        assert code == 1
        assert {attempt, "a network"} <= found
        if network == "outer" and outside:
            assert "the internet" in found
    if engine.guard_possible():
        code, findings, _ = engine.verify(*outside, service)
        assert code == 0, [one for one in findings[service] if one["verdict"] not in ("held", "works")]


def test_the_hole_to_the_machine_is_found_and_its_closing_named(
    installation: Path, outside: Sequence[str]
) -> None:
    """Without the guard's rules a mind reaches what listens on this machine: verify says so, and what closes it."""
    if not engine.guard_possible():
        pytest.skip(
            "NOT RUN: opening and closing the hole needs root, iptables and the engine on this machine"
        )
    engine.guard("open")
    try:
        assert engine.guard("show").returncode == 1
        code, findings, said = engine.verify(*outside, "planner")
    finally:
        engine.guard("close")
    assert engine.guard("show").returncode == 0
    found = {one["attempt"] for one in findings["planner"] if one["verdict"] == "open"}
    # An engine that isolates its internal networks by itself (28 and newer can) has no such hole.
    assert (code, found) in ((1, {"the machine"}), (0, set()))
    assert ("sudo deploy/compose/guard closes it" in said) is bool(found)


def test_the_gate_reaches_no_private_network_but_what_is_named(
    installation: Path, outside: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers of a private network answer the gate while the guard is open, and not after; one that is named does."""
    if not outside:
        pytest.skip(
            "NOT RUN: a private network of one's own, and the guard, need root, iproute2 and iptables"
        )

    def opened() -> set[str]:
        _, findings, _ = engine.verify(*outside, "gate")
        assert any(
            one["attempt"] == "control: the internet" and one["verdict"] == "works"
            for one in findings["gate"]
        )
        found = [one for one in findings["gate"] if one["attempt"] == "a private network"]
        return {one["target"] for one in found if one["verdict"] == "open"}

    servers = {outside[at + 1] for at, word in enumerate(outside) if word == "--private"}
    assert len(servers) == 2
    engine.guard("open")
    try:
        assert servers <= opened()
        engine.guard("close")
        assert opened() == set()
        named = min(servers)
        monkeypatch.setenv("DOUBLETHINK_GATE_MAY", named)
        engine.guard("close")
        assert opened() == {named}
    finally:
        monkeypatch.delenv("DOUBLETHINK_GATE_MAY", raising=False)
        engine.guard("close")
    assert opened() == set()


def _log(*options: str) -> tuple[int, str]:
    """What the sealer's own reading of the whole log ends with, and says."""
    command = (
        *("run", "--rm", "-T", "--no-deps", "sealer", "verify"),
        *("--config", "/etc/doublethink/config/config.toml", *options),
    )
    done = engine.compose(*command, check=False)
    return done.returncode, done.stdout


def _rows() -> int:
    """How many rows the log has, all of them as they were sealed."""
    code, said = _log("--json")
    assert code == 0, said
    return int(json.loads(said)["rows"])


def _exported(token: Path, session: object) -> bytes:
    """The session's bundle, which there is once its rows are sealed."""
    with Client("http://127.0.0.1:8443", token) as client:
        return b"".join(client.bundle(str(session)))


def _restored(folder: Path) -> subprocess.CompletedProcess[str]:
    """A fresh volume in place of the database's, filled from a dump."""
    engine.compose("down", "-t", "10")
    engine.run("docker", "volume", "rm", f"{engine.PROJECT}_postgres-data")
    return engine.run("deploy/compose/backup", "restore", str(folder), check=False)


def test_a_dump_is_restored_into_a_fresh_volume_and_an_older_one_is_found_out(
    installation: Path, answer: dict[str, object], tmp_path: Path
) -> None:
    """The log reads as before, to the row; sessions of before are shown, a new question is answered and sealed. A dump
    from before the last sealed rows is refused by name, and so is a restore over a database that is there.
    """
    older, newer = tmp_path / "older", tmp_path / "newer"
    _exported(installation, answer["session"])
    first = _rows()
    engine.run("deploy/compose/backup", "dump", str(older))
    asked = json.loads(
        _doublethink(installation, "ask", "--case", "demo/case.yaml", "--question", QUESTION, "--json")
    )
    kept = _exported(installation, asked["session"])
    second = _rows()
    assert second > first
    engine.run("deploy/compose/backup", "dump", str(newer))
    assert {path.stat().st_mode & 0o777 for path in newer.iterdir()} == {0o600}
    before = _log("--json")
    again = engine.run("deploy/compose/backup", "restore", str(newer), check=False)
    assert (again.returncode, "services run" in again.stderr) == (2, True)

    refused = _restored(older)
    assert refused.returncode == 1
    assert "rolled_back" in refused.stdout + refused.stderr
    engine.compose("down", "-t", "10")
    over = engine.run("deploy/compose/backup", "restore", str(newer), check=False)
    assert (over.returncode, "not empty" in over.stderr) == (2, True)

    done = _restored(newer)
    assert done.returncode == 0, done.stdout + done.stderr
    assert _log("--json") == before
    engine.compose("up", "-d")
    engine.run("python3", "deploy/compose/wait.py", "300")
    for session in (answer["session"], asked["session"]):
        assert re.search(r"outcome +.*sent", _doublethink(installation, "ledger", "show", str(session)))
    assert _exported(installation, asked["session"]).splitlines()[:1] == kept.splitlines()[:1]
    later = json.loads(
        _doublethink(installation, "ask", "--case", "demo/case.yaml", "--question", QUESTION, "--json")
    )
    assert later["status"] == "answered"
    _exported(installation, later["session"])
    assert _rows() > second


def test_the_set_up_again_changes_nothing_and_all_goes_on(
    installation: Path, answer: dict[str, object]
) -> None:
    """Stopped and started, with the set-up run again: the same session is still there, and sealing goes on."""
    engine.compose("--profile", "setup", "run", "--rm", "setup")
    engine.compose("stop", "-t", "10")
    engine.compose("up", "-d")
    engine.run("python3", "deploy/compose/wait.py", "300")
    rows = _doublethink(installation, "ledger", "show", str(answer["session"]))
    assert re.search(r"outcome +.*sent", rows)


def test_memory_stays_within_its_bounds(installation: Path, answer: dict[str, object]) -> None:
    """After a question no service uses more than three quarters of what it may; the figures are printed."""
    ids = engine.compose("ps", "-q").stdout.split()
    stats = engine.run("docker", "stats", "--no-stream", "--format", "{{json .}}", *ids).stdout
    used = {}
    for line in stats.splitlines():
        entry = json.loads(line)
        name = entry["Name"].removeprefix(f"{engine.PROJECT}-")
        used[name] = (entry["MemUsage"], float(entry["MemPerc"].rstrip("%")))
    print("\nmemory after one question:", {name: text for name, (text, _) in sorted(used.items())})
    print("seconds from up to ready:", (installation.parent / "ready").read_text())
    assert len(used) == len(PLACES)
    assert all(percent < 75 for _, percent in used.values()), used
