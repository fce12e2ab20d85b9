"""The program that proves the isolation, run against real listeners: it holds, it fails, and it fails closed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from chart.rendering import CHART

PROGRAM: Final = CHART / "files" / "isolation.py"
# An address of a range for documentation (RFC 5737): nobody answers there, and here nothing leads there.
NOBODY: Final = "192.0.2.1"


@contextmanager
def _listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def _closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _plan(folder: Path, **changes: Any) -> Path:
    plan = {
        "component": "planner",
        "allowed": [],
        "forbidden": [],
        "dns": False,
        # Here somebody may answer where clusters have their DNS.
        "usualDns": False,
        "dnsServers": [],
        "waitSeconds": 1,
        "everySeconds": 0.2,
        "enabled": True,
        "peers": {},
        **changes,
    }
    file = folder / "plan.json"
    file.write_text(json.dumps(plan), encoding="utf-8")
    return file


def _target(port: int, host: str = "127.0.0.1", **more: Any) -> dict[str, Any]:
    return {"name": f"port {port}", "host": host, "port": port, **more}


def _run(command: str, plan: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, "-I", str(PROGRAM), command, "--plan", str(plan)),
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_is_proven_where_the_allowed_answers_and_the_forbidden_does_not(tmp_path: Path) -> None:
    """Two rounds one after the other, and a line that counts them."""
    with _listener() as port:
        done = _run("prove", _plan(tmp_path, allowed=[_target(port)], forbidden=[_target(_closed_port())]))
    assert done.returncode == 0
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["event"] == "isolation_proven"


def test_a_forbidden_answer_fails_it(tmp_path: Path) -> None:
    """It waits for the rules, then ends with 1 and names what it reached."""
    with _listener() as allowed, _listener() as forbidden:
        done = _run("prove", _plan(tmp_path, allowed=[_target(allowed)], forbidden=[_target(forbidden)]))
    assert done.returncode == 1
    assert json.loads(done.stdout.splitlines()[-1])["reached"] == [f"port {forbidden}"]


def test_without_a_positive_control_nothing_is_proven(tmp_path: Path) -> None:
    """A network on which nothing answers looks isolated and shows nothing."""
    silent = _closed_port()
    done = _run("prove", _plan(tmp_path, allowed=[_target(silent)], forbidden=[_target(_closed_port())]))
    assert done.returncode == 1
    assert json.loads(done.stdout.splitlines()[-1])["no_control"] == [f"port {silent}"]
    assert _run("prove", _plan(tmp_path, forbidden=[_target(silent)])).returncode == 1


def test_a_control_that_must_be_there_and_has_no_address_fails_it(tmp_path: Path) -> None:
    """The API server's address comes from the kubelet: without it egress was not tried at all."""
    with _listener() as port:
        forbidden = [_target(443, "$KUBERNETES_SERVICE_HOST", always=True)]
        plan = _plan(tmp_path, allowed=[_target(port)], forbidden=forbidden)
        assert _run("prove", plan).returncode == 1
        assert _run("prove", plan, KUBERNETES_SERVICE_HOST=NOBODY).returncode == 0


def test_a_dns_server_that_answers_is_a_way_out(tmp_path: Path) -> None:
    """Any answer to its query counts."""
    script = (
        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('127.0.0.53', 53));"
        "print('bound', flush=True)\nwhile True:\n q, a = s.recvfrom(512); s.sendto(q, a)"
    )
    answering = subprocess.Popen(
        (sys.executable, "-c", script), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert answering.stdout
        if answering.stdout.readline() != b"bound\n":
            pytest.skip("NOT RUN: port 53 of loopback cannot be bound here")
        with _listener() as port:
            done = _run("report", _plan(tmp_path, allowed=[_target(port)], dnsServers=["127.0.0.53"]))
    finally:
        answering.kill()
        answering.wait()
        if answering.stdout:
            answering.stdout.close()
    assert done.returncode == 1
    assert "FAIL must not reach DNS at 127.0.0.53: reached" in done.stdout


def test_the_report_has_a_line_for_each_target(tmp_path: Path) -> None:
    """For people: what may be reached and was, what must not be and was not."""
    with _listener() as port:
        closed = _closed_port()
        done = _run("report", _plan(tmp_path, allowed=[_target(port)], forbidden=[_target(closed)]))
    assert done.returncode == 0
    assert f"ok   may reach port {port}: reached" in done.stdout
    assert f"ok   must not reach port {closed}: refused" in done.stdout


def _ask(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except urllib.error.URLError:
        return 0, ""


def _until(port: int, path: str, status: int) -> str:
    deadline = time.monotonic() + 30
    while True:
        found, text = _ask(port, path)
        if found == status:
            return text
        assert time.monotonic() < deadline, f"{path} says {found}, not {status}"
        time.sleep(0.05)


def test_it_ends_at_once_as_the_first_process_of_a_container(tmp_path: Path) -> None:
    """There a signal without a handler is ignored, and every pod would take its whole time of grace to end."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("NOT RUN: a namespace of processes needs root and unshare")
    port = _closed_port()
    with _listener() as allowed:
        plan = _plan(tmp_path, allowed=[_target(allowed)])
        inside = ("unshare", "--pid", "--fork", "--kill-child", sys.executable, "-I", str(PROGRAM))
        watching = subprocess.Popen(
            (*inside, "watch", "--plan", str(plan), "--port", str(port)),
            env={**os.environ, "POD_IP": "127.0.0.1"},
        )
        try:
            _until(port, "/held", 200)
            first = Path(f"/proc/{watching.pid}/task/{watching.pid}/children").read_text(encoding="utf-8")
            os.kill(int(first), signal.SIGTERM)
            assert watching.wait(timeout=10) == 0
        finally:
            watching.kill()
            watching.wait()


def test_the_watch_alarms_when_a_way_opens_and_rests_when_it_closes(tmp_path: Path) -> None:
    """Readiness goes first, liveness after a second look, the gauge is 0, and all come back."""
    port, forbidden = _closed_port(), _closed_port()
    with _listener() as allowed:
        plan = _plan(tmp_path, allowed=[_target(allowed)], forbidden=[_target(forbidden)])
        watching = subprocess.Popen(
            (sys.executable, "-I", str(PROGRAM), "watch", "--plan", str(plan), "--port", str(port)),
            env={"POD_IP": "127.0.0.1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            _until(port, "/held", 200)
            assert 'doublethink_isolation_held{component="planner"} 1' in _until(port, "/metrics", 200)
            with socket.create_server(("127.0.0.1", forbidden)):
                _until(port, "/held", 503)
                _until(port, "/live", 503)
                assert 'doublethink_isolation_held{component="planner"} 0' in _until(port, "/metrics", 200)
            _until(port, "/held", 200)
            _until(port, "/live", 200)
            assert _ask(port, "/anything")[0] == 404
        finally:
            watching.terminate()
            said, _ = watching.communicate(timeout=30)
    events = [json.loads(line)["event"] for line in said.splitlines()]
    assert events == ["isolation_broken", "isolation_held_again"]
