"""A console that runs on another machine, or under another supervisor than the launcher."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from doublethink_sdk.client import Client
from doublethink_sdk.options import connect

_Function = TypeVar("_Function", bound=Callable[..., Any])
_UNIX = "unix:"


def console_options(function: _Function) -> _Function:
    """Options that name such a console and the file of its token."""
    file = click.Path(path_type=Path, dir_okay=False)
    for option in (
        click.option("--token-file", type=file, help="The token for --console; read again for each request."),
        click.option("--console", help="Address of a console, or unix:PATH, in place of --data."),
    ):
        function = option(function)
    return function


@contextmanager
def client_of(console: str | None, token_file: Path | None, data: Path) -> Iterator[Client]:
    """A client of the console that is named, else of the one on `data`. Raises click.UsageError."""
    if console is None:
        with connect(data) as client:
            yield client
        return
    if token_file is None:
        raise click.UsageError(
            "--console needs --token-file FILE: the console's token, a collector's, or yours from an identity provider"
        )
    if console.startswith(_UNIX):
        with Client("http://localhost", token_file, socket=Path(console.removeprefix(_UNIX))) as client:
            yield client
        return
    if not console.startswith(("https://", "http://")):
        raise click.UsageError("--console must be an address with https:// or http://, or unix:PATH")
    with Client(console, token_file) as client:
        yield client
