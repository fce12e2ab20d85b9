"""A console that runs on another machine, or under another supervisor than the launcher."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

import click
import httpx

from doublethink_sdk.client import Client
from doublethink_sdk.options import connect

_Function = TypeVar("_Function", bound=Callable[..., Any])
_UNIX = "unix:"
_PLAIN_HTTP = "doublethink.plain_http"


def console_options(function: _Function) -> _Function:
    """Options that name such a console and the file of its token."""
    file = click.Path(path_type=Path, dir_okay=False)
    for option in (
        click.option(
            "--plain-http",
            is_flag=True,
            expose_value=False,
            callback=_keep,
            help="Let --console be http:// beyond this machine: whoever is on the way reads token and case.",
        ),
        click.option("--token-file", type=file, help="The token for --console; read again for each request."),
        click.option("--console", help="Address of a console, or unix:PATH, in place of --data."),
    ):
        function = option(function)
    return function


@contextmanager
def client_of(console: str | None, token_file: Path | None, data: Path) -> Iterator[Client]:
    """A client of the console that is named, else of the one on `data`. Raises click.UsageError.

    No token is sent in the clear to another machine, unless --plain-http was given.
    """
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
    if not (_is_private(console) or click.get_current_context().meta.get(_PLAIN_HTTP)):
        raise click.UsageError(
            "--console is http:// on another machine, where anybody on the way reads the token: give https://, or "
            "--plain-http if something else protects the way"
        )
    with Client(console, token_file) as client:
        yield client


def _keep(context: click.Context, _option: click.Parameter, given: bool) -> None:
    context.meta[_PLAIN_HTTP] = given


def _is_private(address: str) -> bool:
    """Whether nobody can read along: TLS, or this machine's loopback. Raises click.UsageError."""
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        raise click.UsageError("--console is no address") from None
    if not url.host or url.userinfo:
        raise click.UsageError("--console is https:// or http:// and a host, without a name and password")
    if url.scheme == "https" or url.host == "localhost":
        return True
    try:
        return ip_address(url.host).is_loopback
    except ValueError:
        return False
