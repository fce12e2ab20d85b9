"""Waits until every service of the compose installation is healthy. Exit code 0 ready, 4 not in time.

python3 deploy/compose/wait.py [SECONDS]

For engines and composes that cannot (`up --wait` takes a job that has ended for a failure in some). Standard library
alone.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from typing import Final

_SECONDS: Final = 300.0
_POLL_S: Final = 1.0
# The model server's image has nothing to ask its health with: its forwarder's tells.
_READY: Final = ("healthy", "done", "running")


def states(compose: list[str]) -> dict[str, str]:
    """Of each container its state: `healthy`, `done` for a job that has ended well, `running` for one that nobody asks
    about its health, or what else docker says.
    """
    listed = subprocess.run(
        (*compose, "ps", "-a", "-q"), capture_output=True, text=True, check=True, timeout=60
    )
    names = listed.stdout.split()
    if not names:
        return {}
    inspected = subprocess.run(
        ("docker", "inspect", *names), capture_output=True, text=True, check=False, timeout=60
    )
    found = {}
    for container in json.loads(inspected.stdout or "[]"):
        state, labels = container["State"], container["Config"]["Labels"]
        health = state.get("Health", {}).get("Status")
        once = state["Status"] == "exited" and state["ExitCode"] == 0
        found[labels["com.docker.compose.service"]] = "done" if once else health or state["Status"]
    return found


def main(arguments: list[str]) -> int:
    """Poll until nothing is left to wait for."""
    seconds = float(arguments[0]) if arguments else _SECONDS
    compose = shlex.split(os.environ.get("COMPOSE", "docker compose"))
    began = time.monotonic()
    while True:
        found = states(compose)
        waiting = {name: state for name, state in found.items() if state not in _READY}
        if found and not waiting:
            print(f"all {len(found)} ready after {time.monotonic() - began:.0f} s")
            return 0
        if time.monotonic() - began > seconds:
            said = ", ".join(f"{name} is {state}" for name, state in sorted(waiting.items()))
            print(f"not ready after {seconds:.0f} s: {said or 'nothing was started'}", file=sys.stderr)
            return 4
        time.sleep(_POLL_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
