"""From nothing to healthy, and again: the whole stack beside its database alone, in one run.

    python eval/bench/startup.py [--quick]

Prints seconds, the ratio of the medians, the median seconds of each step of a start, and the processor time of a start
and its stop, which depends less on what else the machine does. The first start makes the database cluster, the later
ones find it.
"""

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.postgres import EmbeddedPostgres

PAGES = Path(__file__).parents[2] / "demo" / "pages"
# What a start says when it takes a step; in this order.
STEPS = (
    "starting source",
    "starting postgres",
    "isolation proven",
    "starting sealer",
    "starting console",
    "all healthy",
)


@dataclass(frozen=True)
class Start:
    """Seconds until every process is healthy, of each step, until all have stopped, and of the processors."""

    healthy: float
    steps: Mapping[str, float]
    stop: float
    processor: float


def _processor() -> float:
    """Processor seconds of this process and of all that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def stack_start(data: Path) -> Start:
    """Start the stack and stop it."""
    steps: dict[str, float] = {}
    before = _processor()
    began = last = time.perf_counter()

    def say(line: str) -> None:
        nonlocal last
        now = time.perf_counter()
        # What is said at a step ends the one before it.
        steps[line] = now - last
        last = now

    with Stack(StackOptions(data=data, pages=PAGES), say=say):
        healthy = time.perf_counter()
    stop = time.perf_counter() - healthy
    return Start(healthy - began, steps, stop, _processor() - before)


def database_seconds(data: Path) -> float:
    """Seconds until the database alone answers."""
    with tempfile.TemporaryDirectory(prefix="dt-") as sockets:
        began = time.perf_counter()
        with EmbeddedPostgres(data, Path(sockets) / "s"):
            return time.perf_counter() - began


def show_steps(starts: Sequence[Start]) -> None:
    """Print the median seconds until each thing was said."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for start in starts:
        for line, taken in start.steps.items():
            for step in STEPS:
                if line.startswith(step):
                    seconds[step].append(taken)
    for step in STEPS:
        print(f"  until {step:17} {statistics.median(seconds[step]):6.2f} s")


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two warm starts instead of eight")
    rounds = 2 if parser.parse_args().quick else 8
    with tempfile.TemporaryDirectory(prefix="dt-bench-") as folder:
        data = Path(folder)
        first = stack_start(data / "stack")
        first_database = database_seconds(data / "database")
        starts, databases = [], []
        for _ in range(rounds):
            starts.append(stack_start(data / "stack"))
            databases.append(database_seconds(data / "database"))
    healthy = [start.healthy for start in starts]
    start, database = statistics.median(healthy), statistics.median(databases)
    print(f"first start      stack {first.healthy:6.2f} s   database alone {first_database:6.2f} s")
    print(
        f"later starts     stack {start:6.2f} s   database alone {database:6.2f} s   ({rounds} each, medians)"
    )
    spread = f"from {min(healthy):.2f} to {max(healthy):.2f} s"
    print(f"                 {spread}; ratio of the medians {start / database:.1f}")
    show_steps(starts)
    print(f"stop             stack {statistics.median(one.stop for one in starts):6.2f} s")
    print(f"processor time of a start and a stop {statistics.median(one.processor for one in starts):6.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
