"""`doublethink up`: start everything on this machine."""

import signal
from pathlib import Path

import click

from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.launcher.stack import Stack
from doublethink_sdk.options import Chosen, build, stack_options
from doublethink_sdk.terminal import visible_lines


@click.command()
@stack_options
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The console's port; 0 takes a free one."
)
@reporting
def up(
    pages: Path | None,
    planner: str,
    reader: str,
    policy: Path | None,
    no_isolation: bool,
    data: Path,
    port: int,
) -> Exit:
    """Start everything on this machine; Ctrl-C stops all of it, cleanly."""
    options = build(Chosen(data, pages, planner, reader, policy, no_isolation), port=port)
    # A supervisor sends SIGTERM: it is to stop as cleanly as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Stack(options, say=lambda line: click.echo(visible_lines(line), err=True)) as stack:
            click.echo(f"console {stack.console_url}")
            click.echo(f"token   {stack.token_file.read_text().strip()}")
            click.echo("Ctrl-C stops everything", err=True)
            stack.wait()
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
    return Exit.DONE
