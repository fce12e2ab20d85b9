"""`doublethink up`: start everything on this machine."""

from pathlib import Path
from typing import Any

import click

from doublethink_sdk import output
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.launcher.stack import Stack
from doublethink_sdk.options import Chosen, build, stack_options
from doublethink_sdk.provider_options import Providers
from doublethink_sdk.terminal import visible_lines


@click.command()
@stack_options
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The console's port; 0 takes a free one."
)
@click.option(
    "--no-resume",
    is_flag=True,
    help="Cancel the runs that an earlier start left unfinished, instead of taking them up again.",
)
@reporting
def up(
    pages: Path | None,
    planner: str,
    model: str,
    model_address: str,
    policy: Path | None,
    no_isolation: bool,
    result_titles: bool,
    data: Path,
    port: int,
    no_resume: bool,
    **providers: Any,
) -> Exit:
    """Start everything on this machine; Ctrl-C stops all of it, cleanly.

    So do SIGTERM and a terminal that is closed. Runs that an earlier start left unfinished are
    taken up again: their ids are said before anything of them is searched.

    Exit codes: 0 stopped as asked, 2 wrong use, 4 something cannot be started, or died.
    """
    options = build(
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
        port=port,
        interrupted="cancel" if no_resume else "resume",
    )
    try:
        with Stack(options, say=lambda line: output.say_aside(visible_lines(line))) as stack:
            output.say(f"console {stack.console_url}")
            output.say(f"token   {stack.token_file.read_text().strip()}")
            output.say_aside("Ctrl-C stops everything")
            stack.wait()
    except KeyboardInterrupt:
        output.say_aside("stopped")
    return Exit.DONE
