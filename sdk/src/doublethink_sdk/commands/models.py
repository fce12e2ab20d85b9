"""`doublethink models`: whether a local model is fit to plan."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from doublethink_sdk import output
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.launcher.directories import Directories
from doublethink_sdk.launcher.model_door import NAME, LocalModel, make_door
from doublethink_sdk.launcher.processes import Supervisor, minimal_environment
from doublethink_sdk.options import model_options
from doublethink_sdk.terminal import visible

_MOST_SECONDS = 3600


@click.group()
def models() -> None:
    """The planner's local model."""


@models.command("check")
@click.option(
    "--planner",
    type=click.Choice(["ollama", "openai"]),
    default="ollama",
    show_default=True,
    help="Whose interface the model's server speaks.",
)
@model_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a check on stdout.")
@reporting
def check(planner: str, model: str, model_address: str, as_json: bool) -> Exit:
    """Ask the model a few questions with known answers; run it again after every change of model or server.

    The questions are about companies that do not exist, and go through the same door as the
    planner's. Every check says what would go wrong without it.

    Exit codes: 0 all checks passed, 1 one did not, 4 the model cannot be reached.
    """
    with tempfile.TemporaryDirectory(prefix="doublethink-models-") as data:
        Path(data).chmod(0o700)
        with Directories(Path(data)) as directories, Supervisor() as supervisor:
            door = make_door(directories, LocalModel(planner, model_address, model))
            supervisor.start(door.process(directories.log(NAME)))
            digest = door.listed_digest()
            if not as_json:
                output.say(visible(f"{model}, digest {digest or 'not listed'}"))
            return _checked(planner, model, door.socket, as_json=as_json)


def _checked(planner: str, model: str, socket: Path, *, as_json: bool) -> Exit:
    argv = [sys.executable, "-I", "-m", "doublethink_planner", "check-model"]
    argv += ["--dialect", planner, "--name", model, "--socket", str(socket)]
    done = subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=minimal_environment(),
        timeout=_MOST_SECONDS,
        check=False,
    )
    for line in done.stdout.splitlines():
        finding = json.loads(line)
        told = f"{'ok  ' if finding['passed'] else 'FAIL'} {finding['check']} {finding['why']}".rstrip()
        output.say(line if as_json else visible(told))
    if done.returncode not in (0, 1):
        raise fail("the model did not answer in its time: see its server", Exit.SERVICE_MISSING)
    return Exit.DONE if done.returncode == 0 else Exit.REFUSED
