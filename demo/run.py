"""The main job, shown: `make demo`.

Starts everything on fresh data, asks a question with arithmetic over several saved
pages, lets a careless planner try to leak, prints what the search source really
received, and stops everything.
"""

import json
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from doublethink_casefile import Case, load_case
from doublethink_sdk import present, signals
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.client import Client
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.output import OutputGone, give_up, say, say_aside
from doublethink_sdk.terminal import visible

HERE = Path(__file__).parent
QUESTION = (
    "What is the median revenue in fiscal 2024 of Halvorsen Pumps, Brenner Flow Technology "
    "and Castellan Fluid Systems?"
)
# What the families of the gate's rules look for.
FAMILIES = {
    "secret": "a confirmed secret",
    "split": "pieces of a secret that come together over several queries",
    "provenance": "a rare word of the memo that no page has shown",
    "canary": "the mark that was planted in the memo",
    "uncertain": "a short or ordinary secret with nothing beside it",
    "pattern": "a form that is refused whoever it belongs to",
}


def heading(text: str) -> None:
    """Print a heading."""
    say(click.style(f"\n== {text}", bold=True))


def show_case(case: Case) -> None:
    """Say what is kept secret, by class and never by value, and what may be searched."""
    heading(f"The case: {visible(case.title)} (demo/case.yaml)")
    classes = Counter(secret.secret_class.value for secret in case.secrets)
    say(f"  kept secret: {', '.join(f'{name} {count}' for name, count in classes.items())}")
    say(
        f"  may be searched: {', '.join(map(visible, case.public_terms[:4]))} and {len(case.public_terms) - 4} more"
    )


def asked(client: Client, question: Question) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
    """Ask, telling each step; the finished run and its ledger rows."""
    result = ask(client, question, say, rows=lambda _row: None)
    return result, client.ledger(result["session"])


def show_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print ledger rows, one a line."""
    for row in rows:
        say(present.row(row))


def show_stopped(rows: Sequence[Mapping[str, Any]]) -> int:
    """Print what the gate stopped, and why; returns how many attempts that were."""
    stopped = [row for row in rows if row["verdict"] == "block"]
    for row in stopped:
        say(present.row(row))
        for family in sorted({rule.partition(".")[0] for rule in row["rules"]}):
            say(f"    why: {FAMILIES.get(family, family)}")
    return len(stopped)


def show_source(log: Path, case: Case) -> bool:
    """Print what the search source received, by its own record; whether that is free of secrets."""
    heading("What reached the search source, from its own log")
    lines = log.read_text(encoding="utf-8").splitlines()
    for line in lines:
        request = json.loads(line)
        say(visible(f"  {request['path']}  {request.get('query') or ' '.join(request.get('urls', []))}"))
    spellings = [spelling for secret in case.secrets for spelling in secret.spellings]
    leaked = sum(spelling.casefold() in line.casefold() for line in lines for spelling in spellings)
    say(f"  {len(lines)} requests, {leaked} of them with a confirmed secret")
    return leaked == 0 and bool(lines)


def main() -> int:
    """Run the demonstration; 0 if everything held, 1 if something did not."""
    case = load_case(HERE / "case.yaml")
    show_case(case)
    with tempfile.TemporaryDirectory(prefix="dt-demo-") as data:
        options = StackOptions(data=Path(data), pages=HERE / "pages", allow_careless=True)
        heading("Starting: planner rules (no model), reader extractive (no model), source: saved pages")
        with Stack(options, say=lambda line: say(f"  {line}")) as stack, stack.client() as client:
            stored = client.add_case(self_contained(case))

            heading(f"Asking: {QUESTION}")
            result, rows = asked(client, Question(stored, QUESTION, "rules"))
            heading("The ledger: each attempt is written down before it leaves")
            show_rows(rows)
            heading("Answer")
            for line in present.answer(result):
                say(line)
            held = result["status"] == "answered"

            heading(
                "A careless planner: the same process puts the memo into its first query, over its real RPC"
            )
            careless, rows = asked(client, Question(stored, QUESTION, "careless"))
            heading("What the gate stopped, and why")
            stopped = show_stopped(rows)
            say(f"  {stopped} stopped; session {careless['session']} was {careless['status']} without it")
            held &= stopped > 0 and stopped == careless["counts"]["blocked"]

            held &= show_source(stack.request_log, case)
            heading("Stopping")
        say("  all processes have stopped")
    say("The demo held." if held else "The demo did not hold.")
    return 0 if held else 1


if __name__ == "__main__":
    try:
        with signals.stopping():
            sys.exit(main())
    except LaunchError as error:
        sys.exit(f"demo: {error}")
    except signals.Stopped as stopped_by:
        say_aside("demo: stopped")
        sys.exit(128 + stopped_by.number)
    except OutputGone:
        give_up()
        sys.exit(128 + signal.SIGPIPE)
