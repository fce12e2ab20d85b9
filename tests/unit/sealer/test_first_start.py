"""The mark of a log that was never sealed lets one start go on, and is gone once the log is published."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from doublethink_sealer import __main__ as command
from doublethink_sealer import service
from doublethink_sealer.config import Config
from doublethink_sealer.resume import Allowed

SETTINGS = """
[listen]
health = "unix:/h"
[database]
dsn_file = "dsn"
[log]
origin = "log.example/one"
[keys]
sign = ["log.pem"]
[places]
folders = ["published"]
"""


class Publisher:
    """One whose place has everything at once, or never."""

    def __init__(self, *, complete: bool) -> None:
        self.complete = asyncio.Event()
        if complete:
            self.complete.set()


class Health:
    """Says when it was told to serve."""

    def __init__(self) -> None:
        self.told = asyncio.Event()

    async def serving(self) -> None:
        self.told.set()


@pytest.mark.parametrize("marked", [True, False])
def test_the_mark_allows_a_first_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marked: bool) -> None:
    """While it is there nothing needs to be published; without it a log without checkpoints is refused, as ever."""
    given: list[Any] = []

    async def serve(config: Config, allowed: Allowed, mark: Path | None) -> None:
        given.extend((allowed.first_start, mark))

    monkeypatch.setattr(command, "serve", serve)
    (tmp_path / "sealer.toml").write_text(SETTINGS)
    mark = tmp_path / "first-start"
    if marked:
        mark.touch()
    arguments = ["serve", "--config", str(tmp_path / "sealer.toml"), "--first-start-mark", str(mark)]
    assert command.main(arguments) == 0
    assert given == [marked, mark]


@pytest.mark.parametrize("complete", [True, False])
async def test_the_mark_goes_when_the_log_is_published_and_not_before(tmp_path: Path, complete: bool) -> None:
    """A start that is killed before it has published is the first one still."""
    mark, health = tmp_path / "first-start", Health()
    mark.touch()
    publishers: Any = [Publisher(complete=complete), Publisher(complete=False)]
    saying = asyncio.create_task(service._say_serving(health, publishers, mark))  # type: ignore[arg-type]  # a stand-in
    try:
        async with asyncio.timeout(5 if complete else 0.2):
            await health.told.wait()
    except TimeoutError:
        assert not complete
    assert mark.exists() is not complete
    saying.cancel()
    await asyncio.wait({saying})
