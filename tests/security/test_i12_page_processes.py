"""I12: a page that has taken over the process that reads it has one page: its own.

Each page here is a program that runs in that process, confined as it is (`sim.taken_page`). The controls show that what
is not found could be found.
"""

from __future__ import annotations

import asyncio
import builtins
import functools
import gc
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import doublethink_gate.process
import pytest
from doublethink_gate.pages import Limits, PageError, PageExtractor, PageTimedOut, PageUnreadable
from sim import taken_page
from sim.database import GateDatabase
from sim.gate import NORDWIND, pack_of
from sim.scan import memory_of
from sim.source import SimPage
from sim.taken_page import page
from sim.world import world_of

HTML = "text/html; charset=utf-8"
MARK = "Halvorsen is the word of another session"
FOREVER = "\nwhile True: pass"
EMPTY = "answer = said('')"

PLANT = """
import builtins, gc, sys
builtins.planted = sys.planted = worker.planted = "planted"
worker.extract_page = worker.read_results = worker.confine = worker._served = lambda *_: said("planted")
worker.TASKS.clear()
gc.callbacks.append(lambda *_: None)
"""
LOOK = """
import builtins, gc, json, sys
found = {"planted": [hasattr(o, "planted") for o in (builtins, sys, worker)], "tasks": sorted(worker.TASKS),
    "callbacks": len(gc.callbacks)}
answer = said(json.dumps(found))
"""
CLEAN = {"planted": [False, False, False], "tasks": ["page", "results"], "callbacks": 0}


@pytest.fixture
async def extractor() -> AsyncIterator[PageExtractor]:
    """One whose pages run."""
    limits = Limits(text_bytes=100_000)
    async with PageExtractor(limits, processes=2, seconds=30, command=taken_page.COMMAND) as made:
        await made.extract(page(EMPTY), HTML)
        yield made


def server_of(extractor: PageExtractor) -> int:
    """The process that starts the others."""
    assert extractor._server is not None
    return extractor._server._process.pid


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, twenty seconds at most."""
    for _ in range(200):
        if await asyncio.to_thread(holds):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come to hold")


async def processes_of(extractor: PageExtractor, wanted: int) -> set[int]:
    """The processes that it has started and that still run, once there are so many. Waits ten seconds at most."""
    running: set[int] = set()
    for _ in range(500):
        running = await asyncio.to_thread(_running, server_of(extractor))
        if len(running) == wanted:
            break
        await asyncio.sleep(0.02)
    assert len(running) == wanted
    return running


def _running(server: int) -> set[int]:
    running = set()
    for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            continue  # it has ended in between
        if state != "Z":
            running.add(int(child))
    return running


def _open_files(pid: int) -> dict[int, str]:
    return {int(file.name): str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()}


def _holds(pid: int, mark: str) -> bool:
    return any(mark.encode() in part for part in memory_of(pid))


async def told(extractor: PageExtractor, program: str) -> Any:
    """What a page's program says."""
    return json.loads((await extractor.extract(page(program), HTML)).text)


def test_i12_control_one_process_for_both_would_show_the_second_what_the_first_left() -> None:
    """The planting works, and so does the look for it."""
    scope: dict[str, Any] = {
        "worker": SimpleNamespace(TASKS={"page": None, "results": None}),
        "frame": lambda _, text: text,
    }
    before = len(gc.callbacks)
    try:
        for program in (PLANT, LOOK):
            exec(page(program), scope)  # noqa: S102 - as a process does that is taken over
    finally:
        del gc.callbacks[before:], builtins.planted, sys.planted  # type: ignore[attr-defined]
    assert json.loads(scope["answer"]) == {
        "planted": [True, True, True],
        "tasks": [],
        "callbacks": before + 1,
    }


async def test_i12_what_a_page_leaves_in_its_process_no_other_page_finds(extractor: PageExtractor) -> None:
    """Globals, replaced functions, hooks: gone with the page's process."""
    assert await told(extractor, LOOK) == CLEAN
    assert (await extractor.extract(page(PLANT + "answer = said('done')"), HTML)).text == "done"
    assert await told(extractor, LOOK) == CLEAN


async def test_i12_no_byte_of_another_page_or_query_is_in_a_pages_memory(extractor: PageExtractor) -> None:
    """Read from outside, all of it: of a page before, of one that is read at the same moment, and in the process that
    starts both. The control is the other page's own process.
    """
    other = asyncio.create_task(extractor.extract(page(f"kept = '{MARK}'" + FOREVER), HTML))
    try:
        (others,) = await processes_of(extractor, 1)
        mine = asyncio.create_task(extractor.extract(page("kept = 'mine alone'" + FOREVER), HTML))
        try:
            (own,) = await processes_of(extractor, 2) - {others}
            await until(lambda: _holds(others, MARK) and _holds(own, "mine alone"))
            assert not await asyncio.to_thread(_holds, own, MARK)
            assert not await asyncio.to_thread(_holds, server_of(extractor), MARK)
        finally:
            mine.cancel()
    finally:
        other.cancel()
    await asyncio.gather(mine, other, return_exceptions=True)
    await processes_of(extractor, 0)


async def test_i12_a_page_has_no_connection_but_its_own(extractor: PageExtractor) -> None:
    """Three open files: its connection twice, and one that leads nowhere. So it can neither listen to another page's
    connection nor answer in its place, nor ask the process that starts the others.
    """
    calls = [asyncio.create_task(extractor.extract(page("while True: pass"), HTML)) for _ in range(2)]
    try:
        processes = await processes_of(extractor, 2)
        # They close what else they had before they read their page.
        await until(lambda: all(len(_open_files(pid)) == 3 for pid in processes))
        connections = set()
        for pid in processes:
            files = await asyncio.to_thread(_open_files, pid)
            assert sorted(files) == [0, 1, 2]
            assert files[0].startswith("socket:")
            assert files[1] == files[0]
            assert files[2] == "/dev/null"
            connections.add(files[0])
        assert len(connections) == 2
    finally:
        for call in calls:
            call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


async def test_i12_a_page_cannot_reach_or_outlive_its_process(extractor: PageExtractor) -> None:
    """No process is started, however often it is tried, none is signalled, and no bound is lifted."""
    program = """
import ctypes, json, os, resource, signal
tried = {}
def attempt(name, function):
    try: function()
    except (OSError, ValueError) as error: tried[name] = type(error).__name__
    else: tried[name] = "done"
def bomb():
    for _ in range(1000):
        try: os.fork()
        except OSError as error: refused = error
        else: return
    raise refused
attempt("fork", bomb)
attempt("kill the server", lambda: os.kill(os.getppid(), signal.SIGKILL))
attempt("kill all", lambda: os.kill(-1, signal.SIGKILL))
attempt("more of the processor", lambda: resource.setrlimit(resource.RLIMIT_CPU, (-1, -1)))
attempt("more memory", lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
attempt("open", lambda: os.open("/proc/self/mem", os.O_RDONLY))
attempt("live on", lambda: ctypes.CDLL(None).prctl(1, 0) and (_ for _ in ()).throw(OSError()))
answer = said(json.dumps(tried))
"""
    tried = await told(extractor, program)
    assert "done" not in tried.values(), tried
    assert len(tried) == 7
    await processes_of(extractor, 0)


FLOOD = "import os\nwhile True: os.write(1, b'x' * 65536)"
TWICE = "import os\nos.write(1, said('one') + said('two') + said('three'))" + FOREVER
_MISBEHAVIOUR: dict[str, tuple[str, type[PageError] | None]] = {
    "ends": ("import os; os._exit(0)", PageUnreadable),
    "crashes": ("import ctypes; ctypes.string_at(0)", PageUnreadable),
    "raises": ("1 / 0", PageUnreadable),
    "hangs": ("while True: pass", PageTimedOut),
    "hangs after half an answer": ("import os; os.write(1, said('x' * 999)[:-9])" + FOREVER, PageTimedOut),
    "hangs behind a closed connection": ("import os; os.close(0); os.close(1)" + FOREVER, PageUnreadable),
    "writes without end": (FLOOD, PageUnreadable),
    "names a header of 4 GiB": ("answer = b'\\xff' * 4096", PageUnreadable),
    "names more text than there may be": (
        "answer = frame({'body': 100_001}, b'x' * 100_001)",
        PageUnreadable,
    ),
    "names less than nothing": ("answer = frame({'body': -1}, b'')", PageUnreadable),
    "names a truth as size": ("answer = frame({'body': True}, b'x')", PageUnreadable),
    "answers no JSON": ("answer = b'\\0\\0\\0\\x04oops'", PageUnreadable),
    "answers a list": ("answer = b'\\0\\0\\0\\x02[]'", PageUnreadable),
    "answers with nests": (
        "answer = (lambda n: len(n).to_bytes(4, 'big') + n)(b'[' * 60_000)",
        PageUnreadable,
    ),
    "takes all memory": ("held = [bytearray(1 << 28) for _ in range(99)]", PageUnreadable),
    "answers three times, and stays": (TWICE, None),
}


@pytest.mark.parametrize("name", _MISBEHAVIOUR)
async def test_i12_whatever_a_page_does_it_alone_is_refused(extractor: PageExtractor, name: str) -> None:
    """Its process is gone, the reason is said, and the next page is read as if there had been none."""
    program, error = _MISBEHAVIOUR[name]
    if error is PageTimedOut:
        extractor._seconds = 1
    server = server_of(extractor)
    if error is None:
        assert (await extractor.extract(page(program), HTML)).text == "one"
    else:
        with pytest.raises(error):
            await extractor.extract(page(program), HTML)
    extractor._seconds = 30
    await processes_of(extractor, 0)
    assert await told(extractor, LOOK) == CLEAN
    assert server_of(extractor) == server


async def test_i12_processes_are_bounded_in_number(extractor: PageExtractor) -> None:
    """Of many pages that never end two are read at a time; the others wait, and their turn comes."""
    extractor._seconds = 2
    calls = [asyncio.create_task(extractor.extract(page("while True: pass"), HTML)) for _ in range(4)]
    most = 0
    while not all(call.done() for call in calls):
        most = max(most, len(await asyncio.to_thread(_running, server_of(extractor))))
        await asyncio.sleep(0.02)
    assert most == 2
    assert all(isinstance(call.exception(), PageTimedOut) for call in calls)
    await processes_of(extractor, 0)


@pytest.mark.postgres
async def test_i12_a_page_that_takes_over_changes_nothing_of_another_session(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a whole gate: one session's page plants all it can, and the page of another, read next, is clean. What
    the first makes of its own text is its own.
    """
    made: Callable[..., PageExtractor] = functools.partial(PageExtractor, command=taken_page.COMMAND)
    monkeypatch.setattr(doublethink_gate.process, "PageExtractor", made)
    hostile = SimPage("https://a.example/hostile.html", "A", page(PLANT + "answer = said('mine')").decode())
    honest = SimPage("https://b.example/honest.html", "B", page(LOOK).decode())
    async with world_of(gate_database.dsn(), hostile, honest) as world:
        texts = []
        for shown in (hostile, honest):
            world.source.pages = [shown]
            session = await world.client.open(pack_of(NORDWIND))
            found = await world.client.search(session, "pumps revenue")
            _, message = await world.client.fetch(session, found.query_id)
            texts.append(message.page.text)
    assert texts[0] == "mine"
    assert json.loads(texts[1]) == CLEAN
