"""What a process of its own costs each page, beside three other ways to run the same code over the same bytes.

The product copies a process that has loaded the parsers, for each page. Beside it: the same function in this process,
without any confinement; one confined process that stays and reads page after page, of whatever session; and a new
interpreter for each page. The ways take turns; of each the least of several rounds counts. All times are of the
processor, that of the processes included.

    python eval/bench/page_process.py [--pages DIR] [--rounds N] [--quick]

`--pages` is a folder of saved .html files; else those of `$DOUBLETHINK_CASES/corpus/pages`, else the demonstration's.
Besides them, a page of one line, at which nothing counts but the process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from doublethink_gate.pages import PageExtractor, extract_page

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from eval.bench.page_text import ROOT, chosen_pages

_HTML = "text/html; charset=utf-8"
_STAYING = Path(__file__).resolve().parent / "baselines" / "staying_worker.py"
_LINE = b"<title>t</title><p>Revenue was $4.2 million."
_MOST_NEW = 20
"""Pages for which a new interpreter is started."""


def here(pages: Sequence[bytes]) -> None:
    """In this process."""
    for page in pages:
        extract_page(page, _HTML)


def copied(pages: Sequence[bytes]) -> None:
    """A copy for each page, as the gate does it."""

    async def run() -> None:
        async with PageExtractor(processes=1, seconds=60) as extractor:
            for page in pages:
                await extractor.extract(page, _HTML)

    asyncio.run(run())


def staying(pages: Sequence[bytes]) -> None:
    """One process for all of them."""
    with subprocess.Popen(
        [sys.executable, "-I", str(_STAYING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process has no pipes")
        for page in pages:
            header = json.dumps({"content_type": _HTML, "body": len(page)}).encode()
            process.stdin.write(struct.pack(">I", len(header)) + header + page)
            process.stdin.flush()
            (length,) = struct.unpack(">I", process.stdout.read(4))
            process.stdout.read(length)


def new(pages: Sequence[bytes]) -> None:
    """An interpreter for each page."""
    for page in pages:
        copied([page])


def cost(way: Callable[[Sequence[bytes]], None], pages: Sequence[bytes]) -> float:
    """Seconds of the processor, of this process and those that it started and that have ended."""

    def spent() -> float:
        each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in each)

    before = spent()
    way(pages)
    return spent() - before


def report(title: str, pages: Sequence[bytes], rounds: int) -> None:
    """A line for each way. What a way costs to start is measured with one page, and taken off."""
    print(f"{title}: {len(pages)} pages, {sum(map(len, pages)) / 1e6:.2f} MB")
    ways = {"in this process": here, "a process that stays": staying, "a copy for each": copied}
    taken: dict[str, list[float]] = {name: [] for name in [*ways, "a new one for each"]}
    few = pages[:_MOST_NEW]
    for _ in range(rounds):
        for name, way in ways.items():
            taken[name].append((cost(way, pages) - cost(way, pages[:1])) / (len(pages) - 1))
        taken["a new one for each"].append(cost(new, few) / len(few))
    base = min(taken["a process that stays"])
    for name, found in taken.items():
        least = min(found)
        print(
            f"  {name:<20} {least * 1e3:8.2f} ms of the processor a page, {least / base:8.2f} of a process that stays"
        )


def main() -> int:
    """Print what each way costs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=Path, help="a folder of saved .html files")
    parser.add_argument("--rounds", type=int, default=4, help="rounds of each way; the least counts")
    parser.add_argument("--quick", action="store_true", help="one round, over the demo's pages")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.pages = 1, options.pages or ROOT / "demo" / "pages"
    files = chosen_pages(options.pages)
    if len(files) < 2:
        print("NOT RUN: the folder holds fewer than two .html files", file=sys.stderr)
        return 2
    report("saved pages", [file.read_bytes() for file in files], options.rounds)
    report("a line", [_LINE] * (50 if options.quick else 200), options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
