"""How fast the grammar of figures reads: megabytes of page text a second, by function.

The baseline is a plain scan of the same text for numbers, one regular expression and nothing understood. `one reading`
is what proves a claim (numbers, units and bounds; periods are a pass of their own), `all readings` what looks for a
secret. Texts are read a line at a time, as validator and reader do; the hostile ones are built to cost as much as they
can. Times are of the processor, each the least of several rounds; the functions take turns.

    python eval/bench/figures.py [--pages DIR] [--rounds N] [--quick]

`--pages` is a folder of saved .html files; else those of `$DOUBLETHINK_CASES/corpus/pages`, else the demonstration's.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from doublethink_figures import all_readings, find_figures, find_periods
from doublethink_gate.pages import Limits, extract_page

from eval.bench.page_text import ROOT, chosen_pages

_NUMBERS = re.compile(r"[-(]?[$€£]? ?[0-9][0-9.,]*")
_LONGEST = 4_000
"""Characters of a line; a longer one is read in pieces, as a quote is no longer."""

WAYS: dict[str, Callable[[str], object]] = {
    "a plain scan": lambda line: sum(1 for _ in _NUMBERS.finditer(line)),
    "one reading": find_figures,
    "periods": find_periods,
    "all readings": all_readings,
}
HOSTILE = {
    "digits and separators": "1,234.567'890 " * 8_000,
    "words for numbers": "twenty one hundred and five thousand million and " * 2_000,
    "ranges without end": "3-4-5-6 to 7 and between " * 4_000,
    "scales and currencies": "$ 5 m bn USD € million " * 4_000,
    "years and quarters": "Q3 FY2024/25 three months ended June 30, " * 2_500,
    "brackets": "((((1(2)(3" * 10_000,
}


def lines_of(text: str) -> list[str]:
    """The lines of a text, long ones in pieces."""
    return [line[at : at + _LONGEST] for line in text.split("\n") for at in range(0, len(line), _LONGEST)]


def report(title: str, lines: Sequence[str], rounds: int) -> None:
    """A line for each function."""
    megabytes = sum(len(line.encode()) for line in lines) / 1e6
    taken: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(rounds):
        for name, way in WAYS.items():
            started = time.process_time()
            for line in lines:
                way(line)
            taken[name].append(time.process_time() - started)
    scan = min(taken["a plain scan"])
    print(f"{title}: {megabytes:.2f} MB")
    for name, each in taken.items():
        least = max(min(each), 1e-6)
        print(
            f"  {name:<14} {megabytes / least:8.2f} MB/s, {least / max(scan, 1e-6):8.1f} times the plain scan"
        )


def main() -> int:
    """Print the speeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=Path, help="a folder of saved .html files")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each function; the least counts")
    parser.add_argument(
        "--quick", action="store_true", help="one round, the demo's pages, a tenth of the hostile texts"
    )
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.pages = 1, options.pages or ROOT / "demo" / "pages"
    files = chosen_pages(options.pages)
    if not files:
        print("NOT RUN: the folder holds no .html files", file=sys.stderr)
        return 2
    limits = Limits(text_bytes=4_194_304)
    texts = [extract_page(file.read_bytes(), "text/html; charset=utf-8", limits).text for file in files]
    lines = [line for text in texts for line in lines_of(text)]
    report("tables", [line for line in lines if "\t" in line], options.rounds)
    report("prose", [line for line in lines if "\t" not in line], options.rounds)
    for name, text in HOSTILE.items():
        report(name, lines_of(text[: len(text) // 10] if options.quick else text), options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
