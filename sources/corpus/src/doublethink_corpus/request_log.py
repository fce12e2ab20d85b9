"""The server's own record of what it was asked: one JSON line a request, on disk before the answer goes out.

It is a witness apart from the ledger of whoever asks, so it holds what was asked word for word. It never
holds a header, and so never a key.
"""

import json
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self


class RequestLog:
    """Appends lines to a file."""

    def __init__(self, file: Path) -> None:
        self._descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def write(self, method: str, path: str, asked: dict[str, object], size: int) -> None:
        """Append one request: `asked` is the query or the addresses, `size` the body's bytes."""
        line = {"time": round(time.time(), 6), "method": method, "path": path, **asked, "bytes": size}
        data = (json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n").encode("ascii")
        written = os.write(self._descriptor, data)
        if written != len(data):
            raise OSError("the request log could not be written in full")
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
