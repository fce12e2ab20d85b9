"""`doublethink ask`: one question, or many, answered with quotes and sources."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from doublethink_sdk import cases, output, preflight, present
from doublethink_sdk.asking import Question
from doublethink_sdk.asking import ask as ask_one
from doublethink_sdk.client import Client
from doublethink_sdk.commands.holds import asked_at_terminal
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.inputs import read_text
from doublethink_sdk.launcher.running import read_running
from doublethink_sdk.launcher.stack import Stack
from doublethink_sdk.options import Chosen, build, stack_options
from doublethink_sdk.provider_options import Providers
from doublethink_sdk.terminal import json_line, visible, visible_lines

_MAX_BATCH_LINES = 10_000
_MAX_BATCH_BYTES = 64 * 1024 * 1024
# What a failed run says where something that it needs is not there.
_MISSING = frozenset(
    f"ERROR_CODE_{name}"
    for name in (
        "LEDGER_UNAVAILABLE",
        "SOURCE_UNAVAILABLE",
        "MODEL_UNAVAILABLE",
        "PEER_UNAVAILABLE",
        "PROVIDER_REFUSED",
    )
)


@click.command("ask")
@click.option(
    "--case",
    "case_file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The case file, confirmed by a person.",
)
@click.option("--question", help="The question.")
@click.option(
    "--batch",
    type=click.Path(path_type=Path, dir_okay=False),
    help='Many questions: JSON lines {"id", "question"}.',
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON object an answer on stdout; progress on stderr where that is a terminal.",
)
@click.option(
    "--wait-approval",
    "approval_s",
    metavar="SECONDS",
    type=click.IntRange(0, 1500),
    default=0,
    help="How long a search that the gate is not sure of may wait for a person: you, if this is a terminal, or whoever"
    " uses `doublethink approve`. Without it, it is refused.",
)
@click.option(
    "--markdown",
    "as_markdown",
    is_flag=True,
    help="Each answer on stdout as Markdown for a memo; progress as with --json.",
)
@click.option("--team", metavar="TEAM", help="Whose the case is, for --console, if you are in several teams.")
@stack_options
@console_options
@reporting
def ask(
    case_file: Path,
    question: str | None,
    batch: Path | None,
    as_json: bool,
    approval_s: int,
    as_markdown: bool,
    team: str | None,
    pages: Path | None,
    planner: str,
    model: str,
    model_address: str,
    policy: Path | None,
    no_isolation: bool,
    result_titles: bool,
    data: Path,
    console: str | None,
    token_file: Path | None,
    **providers: Any,
) -> Exit:
    """Ask a question about a case: progress, ledger, and an answer in which every number has its quote.

    Uses the console that --console names, or the `doublethink up` that runs on the same data, else starts
    everything for the time. A case
    that was asked about before is the same case again. Ctrl-C, SIGTERM, a terminal that is closed
    and an output that nobody reads any more cancel the run.

    Exit codes, with --json too: 0 answered; 1 not found, refused or failed; 2 wrong use; 4 a service
    is missing. With --batch, where each line has its own status: 0 every question came to its end, 1
    some run failed, 2 and 4 as above. 128 and a signal's number where one ended it: 130 Ctrl-C,
    129 the terminal, 143 SIGTERM, 141 the output.
    """
    if (question is None) == (batch is None):
        raise click.UsageError("give either --question or --batch")
    if as_json and as_markdown:
        raise click.UsageError("give either --json or --markdown")
    questions = list(_read_batch(batch)) if question is None else [{"question": preflight.question(question)}]
    case = cases.load(case_file, plant=False)
    preflight.case(case_file, case)
    say = teller(as_json=as_json or as_markdown)
    decide = asked_at_terminal if sys.stdin.isatty() and sys.stderr.isatty() else None
    results = []
    with ExitStack() as stack:
        client = _console(
            stack,
            Chosen(
                data,
                pages,
                planner,
                policy,
                no_isolation,
                model,
                model_address,
                Providers(**providers),
                result_titles,
            ),
            say,
            console,
            token_file,
        )
        named = click.get_current_context().get_parameter_source("planner") is ParameterSource.COMMANDLINE
        stored = client.add_case(cases.self_contained(case), team=team)
        for entry in questions:
            say(visible(f"question: {entry['question']}"))
            asked = Question(stored, entry["question"], planner if named else None, approval_s)
            result = ask_one(client, asked, say, decide=decide)
            if as_markdown:
                _show_memo(client, result)
            else:
                _show(result, entry, as_json=as_json)
            results.append(result)
    return _exit_of_batch(results) if batch else _exit_of(results[0])


def _exit_of(result: Mapping[str, Any]) -> Exit:
    if result["status"] == "failed" and result.get("code") in _MISSING:
        return Exit.SERVICE_MISSING
    return Exit.DONE if result["status"] == "answered" else Exit.REFUSED


def _exit_of_batch(results: Sequence[Mapping[str, Any]]) -> Exit:
    return Exit.REFUSED if any(result["status"] == "failed" for result in results) else Exit.DONE


def teller(*, as_json: bool) -> Callable[[str], None]:
    """Where progress goes: with --json a person at a terminal sees it beside the output, and a program sees none."""
    if not as_json:
        return output.say
    return output.say_aside if sys.stderr.isatty() else _silent


def _silent(_line: str) -> None:
    return


def _console(
    stack: ExitStack,
    chosen: Chosen,
    say: Callable[[str], None],
    console: str | None,
    token_file: Path | None,
) -> Client:
    running = None if console else read_running(chosen.data)
    if running is None and console is None:
        started = stack.enter_context(Stack(build(chosen), say=say))
        return stack.enter_context(started.client())
    given = {
        "--pages": chosen.pages is not None,
        "--source": chosen.providers.source is not None,
        "--reader": chosen.providers.reader is not None,
        "--policy": chosen.policy is not None,
        "--no-isolation": chosen.no_isolation,
        "--result-titles": chosen.result_titles,
    }
    for option in (name for name, is_given in given.items() if is_given):
        if running is None:
            raise click.UsageError(
                f"--console names one that runs with options of its own: leave out {option}"
            )
        raise click.UsageError(
            f"a doublethink runs on {chosen.data}, started with options of its own: "
            f"leave out {option}, stop it, or name another --data"
        )
    if running is None:
        return stack.enter_context(client_of(console, token_file, chosen.data))
    return stack.enter_context(Client(running.url, running.token_file))


def _read_batch(path: Path | None) -> Iterator[dict[str, str]]:
    if path is None:
        return
    # Not splitlines: a JSON text may hold other line separators than "\n".
    lines = read_text(path, _MAX_BATCH_BYTES, "a batch").split("\n")
    if len(lines) > _MAX_BATCH_LINES:
        raise fail(f"{path} has {len(lines)} lines; a batch may have {_MAX_BATCH_LINES}", Exit.WRONG_USE)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            asked = {"id": str(entry["id"]), "question": str(entry["question"])}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise fail(f'{path}, line {number}: not {{"id", "question"}} as JSON', Exit.WRONG_USE) from None
        preflight.question(asked["question"], f"{path}, line {number}")
        yield asked


def _show_memo(client: Client, result: Mapping[str, Any]) -> None:
    """The answer as Markdown; of a run that ended before it had a session there is only why."""
    if result["session"]:
        text = str(client.answer(result["session"], "markdown")["text"])
    else:
        text = f"{result['status'].replace('_', ' ')}: {result.get('reason') or 'nothing was proven'}\n"
    output.say(visible_lines(text))


def _show(result: Mapping[str, Any], entry: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        identity = {"id": entry["id"]} if "id" in entry else {}
        output.say(json_line({**result, **identity}))
        return
    for line in present.answer(result):
        output.say(line)
