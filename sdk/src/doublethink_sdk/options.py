"""Options that several commands share, and what they mean for the launcher."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import click

from doublethink_sdk import output, preflight
from doublethink_sdk.client import Client
from doublethink_sdk.exits import demand_ledger
from doublethink_sdk.launcher.interrupted import Choice
from doublethink_sdk.launcher.model_door import LocalModel
from doublethink_sdk.launcher.running import read_running
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.provider_options import Providers, provider_options
from doublethink_sdk.terminal import visible

DEFAULT_MODEL = "qwen3:8b"
DEFAULT_MODEL_ADDRESS = "http://127.0.0.1:11434"
"""Where Ollama listens unless it is told otherwise."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def default_data() -> Path:
    """Where data is kept unless --data or DOUBLETHINK_DATA says otherwise."""
    named = os.environ.get("DOUBLETHINK_DATA")
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "doublethink"


def data_option(function: _Function) -> _Function:
    """The --data option."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        default=default_data,
        show_default="$DOUBLETHINK_DATA, else ~/.local/share/doublethink",
        help="Directory of the ledger, cases and keys.",
    )(function)


def model_options(function: _Function) -> _Function:
    """The options that name the planner's model."""
    for option in (
        click.option(
            "--model",
            default=DEFAULT_MODEL,
            show_default=True,
            help="The planner's model, as its server lists it. Only a local one is used.",
        ),
        click.option(
            "--model-address",
            envvar="DOUBLETHINK_MODEL_ADDRESS",
            default=DEFAULT_MODEL_ADDRESS,
            show_default=True,
            show_envvar=True,
            help="Where the model's server is: http, an IP address of this machine or network, a port.",
        ),
    ):
        function = option(function)
    return function


def stack_options(function: _Function) -> _Function:
    """The options that choose source, models, policy and sandboxes."""
    for option in (
        click.option(
            "--pages",
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder of saved HTML pages to search instead of the web.",
        ),
        click.option(
            "--planner",
            type=click.Choice(["rules", "ollama", "openai"]),
            default="rules",
            show_default=True,
            help="Who plans the searches: rules alone, or with a local model for what they do not understand, "
            "behind Ollama's interface or an OpenAI-compatible one. A console that runs already plans as it was "
            "started, unless this is given.",
        ),
        provider_options,
        click.option(
            "--policy",
            type=click.Path(path_type=Path, dir_okay=False, exists=True, resolve_path=True),
            help="A policy file for the gate; the strict default, which `doublethink policy show` prints, if none.",
        ),
        click.option(
            "--no-isolation", is_flag=True, help="Run the minds without sandboxes. Voids the promise."
        ),
        click.option(
            "--result-titles",
            is_flag=True,
            help="Take a page that names no company to be about the one that its search result's title begins with. "
            "No quote shows that: the answer says so.",
        ),
        model_options,
        data_option,
    ):
        function = option(function)
    return function


@dataclass(frozen=True)
class Chosen:
    """What the `stack_options` of a command were given."""

    data: Path
    pages: Path | None
    planner: str
    policy: Path | None
    no_isolation: bool
    model: str = DEFAULT_MODEL
    model_address: str = DEFAULT_MODEL_ADDRESS
    providers: Providers = field(default_factory=Providers)
    result_titles: bool = False


def build(chosen: Chosen, *, port: int = 0, interrupted: Choice = "hold") -> StackOptions:
    """The launcher's options for a command's.

    Raises click.UsageError if no source is named, and ends the command with one line for pages, a policy or a port
    that cannot be used: before anything starts.
    """
    providers = chosen.providers
    if (chosen.pages is None) == (providers.source is None):
        raise click.UsageError(
            "name one source: a folder of saved pages with --pages DIR, the web with --source tavily or duckduckgo, "
            "or a recording with --source replay:FILE"
        )
    if chosen.policy is not None:
        preflight.policy(chosen.policy)
    recording = providers.chosen_recording()
    return StackOptions(
        data=chosen.data,
        pages=None if chosen.pages is None else preflight.pages(chosen.pages),
        recording=None if recording is None else recording.file,
        source=providers.chosen_source(),
        planner=chosen.planner,
        model=_model(chosen),
        reader=providers.chosen_reader(chosen.policy, recording),
        policy=chosen.policy,
        console_port=preflight.port(port),
        isolate=not chosen.no_isolation,
        result_titles=chosen.result_titles,
        interrupted=interrupted,
    )


def _model(chosen: Chosen) -> LocalModel | None:
    if chosen.planner == "rules":
        return None
    return LocalModel(chosen.planner, chosen.model_address, chosen.model)


@contextmanager
def connect(data: Path) -> Iterator[Client]:
    """A client of the console that runs on `data`; if none runs, one is started without a source.

    Raises LaunchError if it cannot be started; if there is no data at all, the command ends with one line.
    """
    running = read_running(data)
    if running is not None:
        with Client(running.url, running.token_file) as client:
            yield client
        return
    demand_ledger(data)
    # It takes a while, and nothing else is printed until it is done.
    output.say_aside(visible(f"doublethink: nothing runs on {data}: starting it for this command"))
    with Stack(StackOptions(data=data, pages=None, interrupted="hold")) as stack, stack.client() as client:
        yield client
