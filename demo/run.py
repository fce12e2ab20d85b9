"""The main job, shown: `make demo`.

Starts everything on fresh data, asks a question with arithmetic over several saved
pages, lets a careless planner try to leak, prints what the search source really
received, proves the record and shows that a changed byte is found, and stops everything.
"""

import json
import sys
import tempfile
from pathlib import Path

import click
from doublethink_casefile import load_case
from doublethink_sdk import present, tampering, verifier
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.exits import Exit
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.stack import Stack, StackOptions

HERE = Path(__file__).parent
QUESTION = (
    "What is the median revenue in fiscal 2024 of Halvorsen Pumps, Brenner Flow Technology "
    "and Castellan Fluid Systems?"
)


def heading(text: str) -> None:
    """Print a heading."""
    click.echo(click.style(f"\n== {text}", bold=True))


def source_requests(log: Path) -> list[str]:
    """The lines of the search source's own request log."""
    return log.read_text(encoding="utf-8").splitlines()


def main() -> int:
    """Run the demonstration; 0 if everything held, 1 if something did not."""
    case = load_case(HERE / "case.yaml")
    spellings = [spelling for secret in case.secrets for spelling in secret.spellings]
    held = True
    with tempfile.TemporaryDirectory(prefix="dt-demo-") as data:
        options = StackOptions(data=Path(data), pages=HERE / "pages", allow_careless=True)
        heading("Starting: planner rules (no model), reader extractive (no model), source: saved pages")
        with Stack(options, say=lambda line: click.echo(f"  {line}")) as stack, stack.client() as client:
            stored = client.add_case(self_contained(case))

            heading(f"Asking: {QUESTION}")
            result = ask(client, Question(stored, QUESTION, "rules"), click.echo)
            heading("Answer")
            for line in present.answer(result):
                click.echo(line)
            held &= result["status"] == "answered"

            heading("A careless planner: the same process puts the memo into its query, over its real RPC")
            careless = ask(client, Question(stored, QUESTION, "careless"), click.echo)
            for line in present.answer(careless):
                click.echo(line)
            held &= careless["counts"]["blocked"] > 0

            heading("What reached the search source, from its own log")
            requests = source_requests(stack.request_log)
            for line in requests:
                click.echo(f"  {line}")
            leaked = sum(s.casefold() in line.casefold() for line in requests for s in spellings)
            held &= leaked == 0 and bool(requests)
            click.echo(f"  {len(requests)} requests, {leaked} of them with a confirmed secret")

            heading(
                "The careless session's record: exported, checked by the standalone verifier, one byte changed"
            )
            bundle = Path(data) / "careless.dtbundle"
            bundle.write_bytes(b"".join(client.bundle(careless["session"])))
            key = stack.directories.data / "ledger.vkey"
            held &= verifier.run(bundle, key) is Exit.DONE
            bundle.write_bytes(tampering.change_row(bundle.read_bytes(), 1).data)
            held &= verifier.run(bundle, key) is Exit.REFUSED
            heading("Stopping")
        click.echo("  all processes have stopped")
    click.echo(json.dumps({"demo": "held" if held else "did not hold"}))
    return 0 if held else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LaunchError as error:
        sys.exit(f"demo: {error}")
