"""Pages are read in a process of their own, which can be lost without harm."""

import asyncio
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
)

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


async def test_a_process_that_ends_refuses_its_page_only(extractor: PageExtractor) -> None:
    """A crash of the parser is an unreadable page."""
    await extractor.extract(PAGE, HTML)
    (process,) = extractor._idle
    process._process.kill()
    await process._process.wait()
    with pytest.raises(PageUnreadable):
        await extractor.extract(PAGE, HTML)
    assert (await extractor.extract(PAGE, HTML)).title == "t"


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
