"""Where a collector begins again when it is killed before it has seen a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doublethink_sdk.collecting import Cursor, Wanted, collect

WANTED = Wanted("json", 10, {})


class Killed(BaseException):
    """Stands for the end of the process."""


class SimConsole:
    """Answers `log` as a console does; it is asked for whatever was written from `at` on."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.dies = False
        self.asked: list[tuple[int | None, int]] = []

    def log(self, at: int | None, *, wait: int, **rest: object) -> dict[str, Any]:
        """See Client.log."""
        self.asked.append((at, wait))
        if self.dies:
            raise Killed
        first = self.rows if at is None else at
        found = [{"seq": seq} for seq in range(first, self.rows)]
        return {"rows": found, "next": self.rows, "end": True}


@pytest.mark.parametrize("first", [0, 3])
def test_the_start_is_noted_before_the_first_request(tmp_path: Path, first: int) -> None:
    """Killed in its first request it has a cursor already, and a start that names no seq goes on from there."""
    console, cursor = SimConsole(5), Cursor(tmp_path / "cursor")
    console.dies = True
    with pytest.raises(Killed):
        collect(console, WANTED, list, first=first, cursor=cursor, once=True)  # type: ignore[arg-type]  # the simulator
    assert cursor.read() == first
    console.dies = False
    lines: list[str] = []
    collect(console, WANTED, lines.extend, first=cursor.read(), cursor=cursor, once=True)  # type: ignore[arg-type]  # as above
    assert len(lines) == 5 - first
    assert cursor.read() == 5


def test_the_end_of_the_log_is_noted_before_there_is_a_row(tmp_path: Path) -> None:
    """Whoever begins with the next row asks where that is without waiting, and notes it; what is written while he is
    dead comes when he is back.
    """
    console, cursor = SimConsole(5), Cursor(tmp_path / "cursor")

    def die(lines: list[str]) -> None:
        raise Killed

    def log(at: int | None, *, wait: int, **rest: object) -> dict[str, Any]:
        piece = SimConsole.log(console, at, wait=wait, **rest)
        console.rows += 2
        return piece

    console.log = log  # type: ignore[method-assign]  # rows come between two requests
    with pytest.raises(Killed):
        collect(console, WANTED, die, first=None, cursor=cursor, once=False)  # type: ignore[arg-type]  # as above
    assert console.asked[0] == (None, 0)
    assert cursor.read() == 5


def test_a_cursor_that_is_there_is_not_set_back(tmp_path: Path) -> None:
    """A start from a cursor's seq leaves it as it is until rows have come."""
    console, cursor = SimConsole(9), Cursor(tmp_path / "cursor")
    cursor.write(7)
    console.dies = True
    with pytest.raises(Killed):
        collect(console, WANTED, list, first=0, cursor=cursor, once=True)  # type: ignore[arg-type]  # as above
    assert cursor.read() == 7
