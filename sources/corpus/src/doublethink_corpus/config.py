"""The command line."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .errors import KeyFileError, ListenError

_MAX_KEY_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen: a loopback address and port, or a unix socket, to which `group` lets the process's group too."""

    host: str = ""
    port: int = 0
    socket: Path | None = None
    group: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """What the command line says."""

    pages: Path
    listen: Listen
    request_log: Path
    ready_file: Path | None
    api_key_file: Path | None
    rate_limit: int | None
    plan_limit: int | None


def parse_arguments(arguments: Sequence[str]) -> Config:
    """The configuration. Ends the process with status 2 and a line on stderr for wrong use."""
    parser = argparse.ArgumentParser(
        prog="doublethink-corpus", description="Serve a folder of saved pages in Tavily's wire format."
    )
    parser.add_argument("--pages", required=True, type=Path, help="folder of saved .html pages")
    parser.add_argument(
        "--listen",
        default="127.0.0.1:0",
        help="HOST:PORT on loopback (port 0 takes a free one), or unix:PATH",
    )
    parser.add_argument(
        "--socket-group", action="store_true", help="let the group of this process connect to the unix socket"
    )
    parser.add_argument(
        "--request-log", required=True, type=Path, help="file that every request is appended to"
    )
    parser.add_argument("--ready-file", type=Path, help="file that the address is written to once it answers")
    parser.add_argument("--api-key-file", type=Path, help="file with the key that requests must carry")
    parser.add_argument("--rate-limit", type=int, help="answer 429 beyond this many requests a minute")
    parser.add_argument("--plan-limit", type=int, help="answer 432 beyond this many requests in all")
    found = parser.parse_args(arguments)
    try:
        listen = replace(parse_listen(found.listen), group=found.socket_group)
    except ListenError as error:
        parser.error(str(error))
    return Config(
        pages=found.pages,
        listen=listen,
        request_log=found.request_log,
        ready_file=found.ready_file,
        api_key_file=found.api_key_file,
        rate_limit=found.rate_limit,
        plan_limit=found.plan_limit,
    )


def parse_listen(text: str) -> Listen:
    """An address to listen on. Raises `ListenError`: only loopback and unix sockets are served."""
    if text.startswith("unix:") or text.startswith("/"):
        return Listen(socket=Path(text.removeprefix("unix:")))
    host, colon, port = text.rpartition(":")
    host = host.strip("[]")
    if not colon or not port.isdigit() or int(port) > 65_535:
        raise ListenError("--listen takes HOST:PORT or unix:PATH")
    if host not in ("127.0.0.1", "::1", "localhost"):
        raise ListenError(
            "--listen serves on loopback or a unix socket alone; give 127.0.0.1:PORT or unix:PATH"
        )
    return Listen(host=host, port=int(port))


def read_key(file: Path) -> bytes:
    """The key in a file, white space at its ends off. Raises `KeyFileError`."""
    try:
        with file.open("rb") as opened:
            key = opened.read(_MAX_KEY_BYTES + 1).strip()
    except OSError as error:
        raise KeyFileError(f"key file {file}: {error.strerror}") from None
    if not key or len(key) > _MAX_KEY_BYTES:
        raise KeyFileError(f"key file {file}: must hold a key of at most {_MAX_KEY_BYTES} bytes")
    return key
