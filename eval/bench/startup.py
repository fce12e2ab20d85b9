"""From nothing to healthy, and again: the whole stack beside its database alone, in one run.

    python eval/bench/startup.py [--quick]

Prints seconds and the ratio of the medians. The first start makes the database cluster,
the later ones find it.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.postgres import EmbeddedPostgres

PAGES = Path(__file__).parents[2] / "demo" / "pages"


def stack_seconds(data: Path) -> tuple[float, float]:
    """Seconds until every process is healthy, and seconds until everything has stopped."""
    began = time.perf_counter()
    with Stack(StackOptions(data=data, pages=PAGES)):
        healthy = time.perf_counter()
    return healthy - began, time.perf_counter() - healthy


def database_seconds(data: Path) -> float:
    """Seconds until the database alone answers."""
    with tempfile.TemporaryDirectory(prefix="dt-") as sockets:
        began = time.perf_counter()
        with EmbeddedPostgres(data, Path(sockets) / "s"):
            return time.perf_counter() - began


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two warm starts instead of eight")
    rounds = 2 if parser.parse_args().quick else 8
    with tempfile.TemporaryDirectory(prefix="dt-bench-") as folder:
        data = Path(folder)
        first, _ = stack_seconds(data / "stack")
        first_database = database_seconds(data / "database")
        starts, stops, databases = [], [], []
        for _ in range(rounds):
            start, stop = stack_seconds(data / "stack")
            starts.append(start)
            stops.append(stop)
            databases.append(database_seconds(data / "database"))
    start, database = statistics.median(starts), statistics.median(databases)
    print(f"first start      stack {first:6.2f} s   database alone {first_database:6.2f} s")
    print(
        f"later starts     stack {start:6.2f} s   database alone {database:6.2f} s   ({rounds} each, medians)"
    )
    spread = f"from {min(starts):.2f} to {max(starts):.2f} s"
    print(f"                 {spread}; ratio of the medians {start / database:.1f}")
    print(f"stop             stack {statistics.median(stops):6.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
