"""What turning a page into text costs, beside two other ways to get text out of the same bytes.

The baselines: selectolax's own text of the body, on the same parser, which joins cells and shows what is hidden; and
trafilatura, which looks for the main text of an article, in an environment of its own (made once in the user's cache,
out of `requirements/trafilatura.txt`; where its packages are not to be had, it is said to be NOT RUN). Times are of the
processor, each the least of several rounds over all pages; the ways take turns, so that a busy machine is busy for all.

    python eval/bench/page_text.py [--pages DIR] [--rounds N] [--no-trafilatura]

`--pages` is a folder of saved .html files; else those of `$DOUBLETHINK_CASES/corpus/pages`, else the demonstration's.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from doublethink_gate.pages import Limits, PageExtractor, extract_page
from selectolax.lexbor import LexborHTMLParser

ROOT = Path(__file__).resolve().parents[2]
_HERE = Path(__file__).resolve().parent
_LOCK = _HERE / "requirements" / "trafilatura.txt"
_INSTALL_SECONDS = 600
_HTML = "text/html; charset=utf-8"


class NotRunError(Exception):
    """A baseline cannot be run here; the text says why."""


def bare_text(body: bytes) -> str:
    """The body's text as selectolax gives it."""
    page = LexborHTMLParser(body.decode("utf-8", "replace"))
    return "" if page.body is None else page.body.text(separator=" ")


def product_text(body: bytes) -> str:
    """The stored text, in this process."""
    return extract_page(body, _HTML, Limits(text_bytes=4_194_304)).text


def round_of(way: Callable[[bytes], str], pages: Sequence[bytes]) -> tuple[float, int]:
    """Seconds of the processor over all pages, and the characters of text that came out."""
    started = time.process_time()
    size = sum(len(way(page)) for page in pages)
    return time.process_time() - started, size


async def through_process(pages: Sequence[bytes]) -> float:
    """Wall seconds over all pages through the process that the gate uses, once it has started."""
    async with PageExtractor(Limits(text_bytes=4_194_304), processes=1, seconds=60) as extractor:
        await extractor.extract(pages[0], _HTML)
        started = time.perf_counter()
        for page in pages:
            await extractor.extract(page, _HTML)
        return time.perf_counter() - started


class Trafilatura:
    """A process in trafilatura's own environment. Raises NotRunError."""

    def __init__(self) -> None:
        python = _environment()
        self._process = subprocess.Popen(
            [python, str(_HERE / "baselines" / "trafilatura_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if self._process.stdout is None or not self._process.stdout.readline():
            raise NotRunError(f"it did not start; try it: {python}")

    def round_of(self, files: Sequence[Path]) -> tuple[float, int]:
        """As the function of that name."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise NotRunError("the process has no pipes")
        stdin.write(json.dumps([str(file) for file in files]) + "\n")
        stdin.flush()
        answer = json.loads(stdout.readline() or '{"seconds": 0, "characters": 0}')
        return float(answer["seconds"]), int(answer["characters"])

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=30)


def _environment() -> Path:
    """The Python of trafilatura's environment, after making it where it is not whole."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "doublethink"
    environment = cache / f"trafilatura-{hashlib.sha256(_LOCK.read_bytes()).hexdigest()[:12]}"
    python, whole = environment / "bin" / "python", environment / "whole"
    if whole.is_file():
        return python
    cache.mkdir(parents=True, exist_ok=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(environment)],
        [str(python), "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(_LOCK)],
    ):
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as problem:
            raise NotRunError(f"its packages took more than {_INSTALL_SECONDS} s") from problem
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NotRunError(f"its packages are not to be had: {last}")
    whole.touch()
    return python


def chosen_pages(given: Path | None) -> list[Path]:
    """The files, in order."""
    cases = os.environ.get("DOUBLETHINK_CASES")
    folder = given or (Path(cases) / "corpus" / "pages" if cases else ROOT / "demo" / "pages")
    return sorted(file for file in folder.rglob("*.htm*") if file.is_file())


def main() -> int:
    """Print a line for each way, and the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=Path, help="a folder of saved .html files")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each way; the least counts")
    parser.add_argument("--no-trafilatura", action="store_true", help="leave that baseline out")
    parser.add_argument(
        "--quick", action="store_true", help="one round over the demo's pages, without trafilatura"
    )
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.no_trafilatura = 1, True
        options.pages = options.pages or ROOT / "demo" / "pages"
    files = chosen_pages(options.pages)
    if not files:
        print("NOT RUN: the folder holds no .html files", file=sys.stderr)
        return 2
    pages = [file.read_bytes() for file in files]
    megabytes = sum(map(len, pages)) / 1e6
    other: Trafilatura | None = None
    if not options.no_trafilatura:
        try:
            other = Trafilatura()
        except NotRunError as problem:
            print(f"NOT RUN: trafilatura: {problem}", file=sys.stderr)
    taken: dict[str, list[tuple[float, int]]] = {"product": [], "selectolax text": [], "trafilatura": []}
    for _ in range(options.rounds):
        taken["product"].append(round_of(product_text, pages))
        taken["selectolax text"].append(round_of(bare_text, pages))
        if other is not None:
            taken["trafilatura"].append(other.round_of(files))
    if other is not None:
        other.close()
    print(f"{len(pages)} pages, {megabytes:.1f} MB")
    base = min(taken["product"])[0]
    for name, rounds in taken.items():
        if rounds:
            seconds, size = min(rounds)
            print(
                f"{name:<16} {seconds * 1e3:8.0f} ms of the processor, {megabytes / seconds:6.1f} MB/s, "
                f"{size / 1e6:5.2f} M characters, {seconds / base:5.2f} of the product's time"
            )
    wall = asyncio.run(through_process(pages))
    print(f"through its process, one page after the other: {wall * 1e3:.0f} ms by the clock")
    return 0


if __name__ == "__main__":
    sys.exit(main())
