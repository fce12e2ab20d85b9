"""Runs the command line over a batch of questions and gives its output lines as they come."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.answers.keys import Key

# 0 done, 1 some question refused; everything else means that the batch did not run to its end.
_COMPLETE = (0, 1)
_SECONDS_TO_STOP = 30


class ProductError(Exception):
    """The command line could not be run, or did not run to its end."""


@dataclass(frozen=True, slots=True)
class Product:
    """The command line and what every call of it has in common. planner: the options that name who plans, and more."""

    program: Path
    pages: Path
    start_seconds: int
    question_seconds: int
    planner: tuple[str, ...] = ("--planner", "rules")

    def answers(self, keys: Sequence[Key], case: Path) -> Iterator[dict[str, Any]]:
        """The decoded output lines for `keys`, asked in `case`, each as soon as it is there.

        The product gets ids and questions only, in a file of their own, and fresh data. Raises `ProductError`
        after the last line if the program failed or took too long.
        """
        with tempfile.TemporaryDirectory(prefix="dt-answers-") as scratch:
            batch = Path(scratch) / "batch.jsonl"
            asked = ({"id": key.id, "question": key.question} for key in keys)
            batch.write_text(
                "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in asked), encoding="utf-8"
            )
            yield from self._lines(self._command(batch, case, Path(scratch) / "data"), len(keys))

    def _command(self, batch: Path, case: Path, data: Path) -> list[str]:
        return [
            str(self.program), "ask", "--batch", str(batch), "--json", "--case", str(case),
            "--pages", str(self.pages), *self.planner, "--reader", "extractive", "--data", str(data),
        ]  # fmt: skip

    def _lines(self, command: Sequence[str], questions: int) -> Iterator[dict[str, Any]]:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise ProductError(f"{command[0]} cannot be started: {error}") from error
        assert process.stdout is not None, "stdout is a pipe"
        late = threading.Event()
        bound = self.start_seconds + self.question_seconds * questions
        alarm = threading.Timer(bound, _out_of_time, (process, late))
        alarm.start()
        try:
            for line in process.stdout:
                yield _decoded(line)
            code = process.wait()
        finally:
            alarm.cancel()
            _stop(process)
            process.stdout.close()
        if late.is_set():
            raise ProductError(f"stopped after {bound} seconds for {questions} questions")
        if code not in _COMPLETE:
            raise ProductError(f"{command[0]} ended with status {code}")


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        decoded = json.loads(line)
    except ValueError:
        decoded = None
    if not isinstance(decoded, dict):
        print(f"not a JSON object on the program's stdout: {line[:200]!r}", file=sys.stderr)
        return {}
    return decoded


def _out_of_time(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the program if it still runs: as Ctrl-C does, and if that is not enough with its whole group."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
