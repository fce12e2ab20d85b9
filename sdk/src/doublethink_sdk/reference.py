"""The command line's own help as one page: `python -m doublethink_sdk.reference > docs/cli.md`."""

import sys
from collections.abc import Iterator

import click

from doublethink_sdk.cli import main

_WIDTH = 100


def pages(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[tuple[str, str]]:
    """Each command's whole name and its help, in the order in which the help lists them."""
    # Made as a call makes it, so that what a command inherits from its group is shown.
    context = command.make_context(
        name, [], parent, resilient_parsing=True, terminal_width=_WIDTH, max_content_width=_WIDTH
    )
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            found = command.get_command(context, part)
            if found is not None:
                yield from pages(found, part, context)


def reference() -> str:
    """The whole page as Markdown."""
    parts = ["# Command line\n\nMade by `make docs` from the program's own help; a test compares the two.\n"]
    parts += [f"\n## {name}\n\n```\n{text}\n```\n" for name, text in pages(main, "doublethink")]
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(reference())
