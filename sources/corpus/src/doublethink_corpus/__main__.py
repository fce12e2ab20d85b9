"""`python -m doublethink_corpus`: index a folder, then serve it until SIGTERM or SIGINT."""

import os
import signal
import socket
import sys
from pathlib import Path

import uvicorn

from .config import Config, Listen, parse_arguments, read_key
from .errors import CorpusError, ListenError
from .index import Index
from .limits import Allowance
from .pages import read_folder
from .request_log import RequestLog
from .service import Service


def main() -> int:
    """Exit status: 0 after a clean end, 2 where the server cannot start."""
    config = parse_arguments(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn raises the signal again after its own clean end; this keeps ours clean as well.
        signal.signal(number, lambda _number, _frame: None)
    try:
        return _serve(config)
    except CorpusError as error:
        _say(f"doublethink-corpus: {error}")
        return 2


def _serve(config: Config) -> int:
    key = read_key(config.api_key_file) if config.api_key_file else None
    folder = read_folder(config.pages)
    index = Index(folder.pages)
    listening, address = _listen(config.listen)
    with listening, RequestLog(config.request_log) as log:
        allowance = Allowance(config.rate_limit, config.plan_limit)
        service = Service(index, log, key, allowance)
        server = _Server(
            uvicorn.Config(
                service.application(),
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                limit_concurrency=64,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=5,
            ),
            ready_file=config.ready_file,
            address=address,
            summary=f"{len(folder.pages)} pages, {folder.skipped} skipped, on {address}",
        )
        server.run(sockets=[listening])
    if config.listen.socket is not None:
        config.listen.socket.unlink(missing_ok=True)
    return 0


class _Server(uvicorn.Server):
    """Says where it is once it answers."""

    def __init__(
        self, config: uvicorn.Config, *, ready_file: Path | None, address: str, summary: str
    ) -> None:
        super().__init__(config)
        self._ready_file = ready_file
        self._address = address
        self._summary = summary

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _say(self._summary)
            if self._ready_file is not None:
                _write_whole(self._ready_file, self._address + "\n")


def _listen(listen: Listen) -> tuple[socket.socket, str]:
    try:
        if listen.socket is not None:
            listening = socket.socket(socket.AF_UNIX)
            listening.bind(str(listen.socket))
            os.chmod(listen.socket, 0o660 if listen.group else 0o600)
            return listening, f"unix:{listen.socket}"
        family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((listen.host, listen.port))
        host = f"[{listen.host}]" if ":" in listen.host else listen.host
        return listening, f"http://{host}:{listening.getsockname()[1]}"
    except OSError as error:
        raise ListenError(f"cannot listen there: {error.strerror or error}") from None


def _write_whole(file: Path, text: str) -> None:
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - the person or program that started it


if __name__ == "__main__":
    sys.exit(main())
