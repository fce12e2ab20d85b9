"""A search through the gate beside the bare HTTP call that it ends in, in one run.

    python eval/bench/gate_search.py [--quick] [--bindir DIR]

Starts a throwaway PostgreSQL with fsync on, a gate in a process of its own and a search source on loopback.
A search through the gate is one call over mutual TLS on a unix socket: capability, checks against a pack, a
durable ledger row with its payload, the HTTP exchange, the stored results, a second durable row. The bare
call is the same HTTP exchange from this process. Both are measured one at a time, then with eight callers;
in the second case every caller has a session of its own, or all share one. Times are in milliseconds; ratios
compare figures of this run only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from doublethink_gate.database.migrate import migrate
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE, GATE_DATABASE, MIGRATOR
from sim.database import folder as database_folder
from sim.gate import GateClient, GateFiles, Opened, SimSecret, gate_process, pack_of, short_folder
from sim.source import SimPage, SimSource
from sim.web import SimWeb, serving

SECRETS = tuple(
    SimSecret("code", f"Vantorquill{word}") for word in ("brack", "stone", "marsh", "field", "crest")
)
PAGES = [
    SimPage(
        f"https://site{n}.example/", f"Result {n}", "<p>x</p>", "A sentence about pumps and revenue. " * 5
    )
    for n in range(8)
]
CALLERS = 8
POLICY = Path(__file__).parents[2] / "services/gate/src/doublethink_gate/policy/default.yaml"


def query(number: int) -> str:
    """An ordinary query, each one different."""
    return f"Halvorsen Pumps revenue fiscal year {1950 + number % 70} segment report part {number % 97}"


async def timed(calls: int, callers: int, one: Callable[[int, int], Awaitable[object]]) -> list[float]:
    """Make calls, `callers` at a time; return the seconds that each took, and as the last item the whole."""
    times: list[float] = []
    numbers = iter(range(calls))

    async def caller(which: int) -> None:
        for number in numbers:
            start = time.perf_counter()
            await one(which, number)
            times.append(time.perf_counter() - start)

    start = time.perf_counter()
    await asyncio.gather(*(caller(which) for which in range(callers)))
    return [*times, time.perf_counter() - start]


def cpu_s(pid: int) -> float:
    """Seconds of processor time that a process has used (proc(5), fields 14 and 15 of stat)."""
    fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(name: str, callers: int, times: Sequence[float], cpu: float) -> dict[str, object]:
    """Print one line; return it as data. cpu: seconds that the gate's process used meanwhile."""
    *each, whole = times
    each = sorted(each)
    figures = {
        "what": name,
        "callers": callers,
        "calls": len(each),
        "p50_ms": round(each[len(each) // 2] * 1000, 2),
        "p99_ms": round(each[min(len(each) - 1, len(each) * 99 // 100)] * 1000, 2),
        "per_s": round(len(each) / whole, 1),
        "gate_cpu_ms": round(cpu / len(each) * 1000, 2),
    }
    print("  ".join(f"{key} {value}" for key, value in figures.items()))
    return figures


async def bare_call(client: httpx.AsyncClient, url: str, text: str) -> None:
    """The HTTP exchange alone, with the body that the gate sends."""
    body = {
        "query": text,
        "search_depth": "basic",
        "topic": "general",
        "max_results": 20,
        "include_answer": False,
        "include_raw_content": False,
        "include_images": False,
    }
    response = await client.post(f"{url}/search", json=body)
    assert response.status_code == 200
    response.json()


async def measure(files: GateFiles, web: SimWeb, pid: int, calls: int) -> list[dict[str, object]]:
    """Measure both ways in turn."""
    results = []
    client = GateClient(files, files.socket())
    pack = pack_of(*SECRETS, memo=" ".join(f"Brackwater{n}" for n in range(200)))
    async with httpx.AsyncClient(trust_env=False) as http:

        async def bare(which: int, number: int) -> None:
            await bare_call(http, web.url, query(number))

        for callers in (1, CALLERS):
            sessions: list[Opened] = [await client.open(pack) for _ in range(callers)]

            async def own(which: int, number: int, sessions: list[Opened] = sessions) -> None:
                await client.search(sessions[which], query(number))

            async def shared(which: int, number: int, sessions: list[Opened] = sessions) -> None:
                await client.search(sessions[0], query(number))

            ways: list[tuple[str, Callable[[int, int], Awaitable[object]]]] = [("bare", bare), ("gate", own)]
            if callers > 1:
                ways.append(("gate, one session", shared))
            for name, one in ways:
                await timed(max(callers, calls // 10), callers, one)
                before = cpu_s(pid)
                times = await timed(calls, callers, one)
                results.append(report(name, callers, times, cpu_s(pid) - before))
            for session in sessions:
                await client.end(session)
    await client.close()
    for callers in (1, CALLERS):
        of = {str(r["what"]): r for r in results if r["callers"] == callers}
        for key in ("p50_ms", "per_s"):
            ratio = float(str(of["gate"][key])) / float(str(of["bare"][key]))
            print(f"ratio gate/bare, {callers} callers, {key}: {ratio:.2f}")
    return results


async def run(calls: int, bindir: Path | None) -> list[dict[str, object]]:
    """Start everything, measure, stop everything."""
    policy = (
        POLICY.read_text()
        .replace("queries: 40", "queries: 100000")
        .replace("attempts: 400", "attempts: 100000")
    )
    policy = policy.replace("bytes: 20000000", "bytes: 900000000")
    with (
        database_folder() as data,
        short_folder() as folder,
        EmbeddedPostgres(data / "data", data / "s", bindir=bindir) as server,
    ):
        migrate(server.dsn(MIGRATOR, GATE_DATABASE))
        async with serving(SimSource(PAGES)) as web:
            files = GateFiles(folder, server.dsn(GATE, GATE_DATABASE), web.url, policy=policy)
            async with gate_process(files) as gate:
                return await measure(files, web, gate.pid, calls)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer calls")
    parser.add_argument("--bindir", type=Path, help="another PostgreSQL's programs")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    options = parser.parse_args()
    results = asyncio.run(run(60 if options.quick else 1000, options.bindir))
    if options.json:
        print(json.dumps(results))


if __name__ == "__main__":
    main()
