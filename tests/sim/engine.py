"""A real engine and a compose installation on it, for the tests beside."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = "dt-compose-test"
# Names and addresses of its own, so that an installation on the same machine stays as it is.
BRIDGE: Final = "dtt"
NET: Final = "10.213.78"
_SECONDS: Final = 600


def environment() -> dict[str, str]:
    """That of the tests, with the installation's own names."""
    return {
        **os.environ,
        "COMPOSE_PROJECT_NAME": PROJECT,
        "DOUBLETHINK_BRIDGE": BRIDGE,
        "DOUBLETHINK_NET": NET,
        "DOUBLETHINK_VERSION": "dev",
    }


def run(*command: str, check: bool = True, seconds: float = _SECONDS) -> subprocess.CompletedProcess[str]:
    """Run a command in the repository. A failure shows the end of what was said."""
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=seconds, check=False
    )
    if check and done.returncode != 0:
        raise AssertionError(
            f"{shlex.join(command)}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        )
    return done


def compose(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run compose on the installation."""
    return run(*shlex.split(os.environ.get("COMPOSE", "docker compose")), *arguments, check=check)


def verify(*arguments: str) -> tuple[int, dict[str, list[dict[str, str]]], str]:
    """Attack; the exit code, the findings by place, and what was said beside."""
    done = run(sys.executable, "deploy/compose/verify.py", "--json", *arguments, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, {line["place"]: line["findings"] for line in lines}, done.stderr


def missing() -> str | None:
    """Why there is nothing to test on; None where there is."""
    if shutil.which("docker") is None:
        return "NOT RUN: there is no docker command"
    if run("docker", "version", check=False).returncode != 0:
        return "NOT RUN: no Docker engine answers (DOCKER_HOST names another)"
    if compose("version", check=False).returncode != 0:
        return "NOT RUN: docker has no compose (COMPOSE names another command)"
    base = os.environ.get("BASE", "python:3.11-slim-bookworm")
    for image in (base, os.environ.get("POSTGRES_IMAGE", "postgres:15")):
        here = run("docker", "image", "inspect", image, check=False).returncode == 0
        if not here and run("docker", "pull", "--quiet", image, check=False).returncode != 0:
            return f"NOT RUN: the image {image} is not here and cannot be pulled"
    return None


def guard_possible() -> bool:
    """Whether this user may close the hole to the machine: root with iptables, and the engine on this machine."""
    local = not os.environ.get("DOCKER_HOST", "unix:").startswith(("tcp:", "ssh:"))
    return os.geteuid() == 0 and shutil.which("iptables") is not None and local


def guard(action: str) -> subprocess.CompletedProcess[str]:
    """Close the hole, open it, or tell."""
    return run("deploy/compose/guard", action, check=action != "show")


def files_of(image: str) -> tarfile.TarFile:
    """All files of an image."""
    container = run("docker", "create", image).stdout.strip()
    try:
        exported = subprocess.run(
            ("docker", "export", container), capture_output=True, timeout=300, check=True
        )
    finally:
        run("docker", "rm", container)
    return tarfile.open(fileobj=io.BytesIO(exported.stdout))


def about(image: str) -> dict[str, Any]:
    """What the engine knows of an image."""
    found: list[dict[str, Any]] = json.loads(run("docker", "image", "inspect", image).stdout)
    return found[0]


def container_of(service: str) -> str:
    """The id of a service's container."""
    return compose("ps", "-q", service).stdout.split()[0]


@contextmanager
def joined(service: str, network: str) -> Iterator[None]:
    """A service that somebody has attached to a network which is not its own."""
    names = (f"{PROJECT}_{network}", container_of(service))
    run("docker", "network", "connect", *names)
    try:
        yield
    finally:
        run("docker", "network", "disconnect", *names)


@contextmanager
def outside() -> Iterator[Sequence[str]]:
    """What stands for the internet and for servers of a private network: listeners in a network namespace of their
    own, to which this machine has routes.

    Gives the options for verify; none where this user may not make it.
    """
    if not guard_possible() or shutil.which("ip") is None:
        yield ()
        return
    name, here, there = "dtt-outside", "198.51.100.1", "198.51.100.10"
    private = ("10.211.55.10", "192.168.213.10")
    steps = (
        ("ip", "netns", "add", name),
        ("ip", "link", "add", "dtt-out0", "type", "veth", "peer", "name", "dtt-out1", "netns", name),
        ("ip", "addr", "add", f"{here}/24", "dev", "dtt-out0"),
        ("ip", "link", "set", "dtt-out0", "up"),
        ("ip", "-n", name, "addr", "add", f"{there}/24", "dev", "dtt-out1"),
        ("ip", "-n", name, "link", "set", "dtt-out1", "up"),
        ("ip", "-n", name, "route", "add", "default", "via", here),
        *(("ip", "-n", name, "addr", "add", f"{host}/32", "dev", "dtt-out1") for host in private),
        *(("ip", "route", "add", f"{host}/32", "via", there) for host in private),
    )
    listening = (
        "import socket,time; s=socket.create_server(('', 443)); print('up', flush=True); time.sleep(3600)"
    )
    process: subprocess.Popen[str] | None = None
    try:
        for step in steps:
            run(*step)
        process = subprocess.Popen(
            ("ip", "netns", "exec", name, sys.executable, "-c", listening), stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "up"
        yield (
            "--internet",
            f"{there}:443",
            *(word for host in private for word in ("--private", f"{host}:443")),
        )
    finally:
        if process is not None:
            process.kill()
            process.wait(10)
            if process.stdout is not None:
                process.stdout.close()
        run("ip", "netns", "del", name, check=False)
        run("ip", "link", "del", "dtt-out0", check=False)
