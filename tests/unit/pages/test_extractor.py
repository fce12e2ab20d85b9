"""Each page is read in a process of its own, which can be lost without harm."""

import asyncio
import contextlib
import os
import select
import signal
import sys
from collections.abc import AsyncIterator

import pytest
from doublethink_gate.pages import (
    Limits,
    PageExtractor,
    PageTimedOut,
    PageTooLarge,
    PageUnreadable,
    UnsupportedCharset,
    UnsupportedContentType,
    extract_page,
    fork_server,
)
from doublethink_gate.pages.fork_server import PageProcess

HTML = "text/html; charset=utf-8"
PAGE = "<title>t</title><p>é\u200b 1<sup>2</sup></p><table><tr><td>a</td><td>1</td></tr></table>".encode()


@pytest.fixture
async def extractor() -> AsyncIterator[PageExtractor]:
    """An extractor that is closed afterwards."""
    async with PageExtractor(Limits(body_bytes=1_000_000), processes=1, seconds=30) as opened:
        yield opened


async def test_the_process_gives_what_the_function_gives(extractor: PageExtractor) -> None:
    """Same text, same counts, page after page."""
    for _ in range(3):
        assert await extractor.extract(PAGE, HTML) == extract_page(PAGE, HTML)


async def test_errors_come_through_with_their_type(extractor: PageExtractor) -> None:
    """A page that is refused is refused in the same words, and the process goes on."""
    with pytest.raises(UnsupportedCharset, match="utf-7"):
        await extractor.extract(b"<meta charset=utf-7>", "text/html")
    with pytest.raises(UnsupportedContentType):
        await extractor.extract(b"", "image/png")
    with pytest.raises(PageTooLarge):
        await extractor.extract(b"x" * 1_000_001, HTML)
    assert (await extractor.extract(PAGE, HTML)).title == "t"


async def test_a_page_that_takes_too_long_is_refused_and_its_process_ended() -> None:
    """Deep nesting makes the parser slow; the next page finds a new process."""
    async with PageExtractor(processes=1, seconds=0.75) as extractor:
        with pytest.raises(PageTimedOut):
            await extractor.extract(b"<div>" * 400_000, HTML)
        extractor._seconds = 30
        assert (await extractor.extract(PAGE, HTML)).title == "t"


async def test_each_page_has_a_process_of_its_own(extractor: PageExtractor) -> None:
    """Which is gone before the next is read, whether its page was read or refused."""
    await extractor.extract(PAGE, HTML)
    assert extractor._server is not None
    started = extractor._server.page_process

    async def noted() -> PageProcess:
        process = await started()
        assert not select.select([process.handle], [], [], 0)[0]
        held.append(os.dup(process.handle))
        return process

    held: list[int] = []
    extractor._server.page_process = noted  # type: ignore[method-assign]
    for body in (PAGE, b"<meta charset=utf-7>", PAGE):
        with contextlib.suppress(UnsupportedCharset):
            await extractor.extract(body, "text/html")
        # A pidfd is readable once its process has ended.
        assert select.select([held[-1]], [], [], 0)[0]
    assert len(held) == 3
    for handle in held:
        os.close(handle)


async def test_where_the_server_has_ended_another_is_started(extractor: PageExtractor) -> None:
    """No page had been given to it, so none is refused."""
    await extractor.extract(PAGE, HTML)
    for _ in range(2):
        assert extractor._server is not None
        os.kill(extractor._server._process.pid, signal.SIGKILL)
        # Before this process has noted that it ended, as well as after.
        assert (await extractor.extract(PAGE, HTML)).title == "t"


async def test_a_server_is_replaced_after_so_many_pages(
    extractor: PageExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copies lie at the same addresses; the next server's lie at others. The page under way is not lost."""
    monkeypatch.setattr(fork_server, "_MOST_PAGES", 3)
    servers = set()
    async with PageExtractor(processes=2) as two:
        for _ in range(4):
            texts = await asyncio.gather(*(two.extract(PAGE, HTML) for _ in range(2)))
            assert texts[0] == texts[1]
            assert two._server is not None
            servers.add(two._server._process.pid)
        assert len(servers) > 1
    assert not servers & {int(name) for name in os.listdir("/proc") if name.isdecimal()}


async def test_where_no_process_can_be_started_the_page_is_refused(
    extractor: PageExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not read in any other way."""
    async with PageExtractor(command=(sys.executable, "-c", "")) as broken:
        with pytest.raises(PageUnreadable):
            await broken.extract(PAGE, HTML)
    monkeypatch.setattr(fork_server, "_START_SECONDS", 0.3)
    async with PageExtractor(command=(sys.executable, "-c", "import time; time.sleep(60)")) as silent:
        with pytest.raises(PageUnreadable):
            await silent.extract(PAGE, HTML)


async def test_a_cancelled_call_leaves_no_process_with_half_a_page(extractor: PageExtractor) -> None:
    """Cancelling ends the process, so that no answer can reach the wrong caller."""
    await extractor.extract(PAGE, HTML)
    call = asyncio.create_task(extractor.extract(b"<div>" * 150_000, HTML))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await extractor.extract(PAGE, HTML)).title == "t"


async def test_calls_that_are_cancelled_at_any_moment_leave_nothing(extractor: PageExtractor) -> None:
    """No process, no open file, and the server answers the next one."""
    await extractor.extract(PAGE, HTML)
    before = len(os.listdir("/proc/self/fd"))
    for turns in range(40):
        call = asyncio.create_task(extractor.extract(PAGE, HTML))
        for _ in range(turns):
            await asyncio.sleep(0.0005)
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
    assert (await extractor.extract(PAGE, HTML)).title == "t"
    await asyncio.sleep(0.1)
    assert len(os.listdir("/proc/self/fd")) == before
