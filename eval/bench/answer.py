"""Answers, step by step, beside the bare requests that they end in, in one run.

    python eval/bench/answer.py [--quick] [--pages DIR] [--question TEXT]

Asks one question again and again of a whole stack, and prints the median seconds of each step as the console tells
it, and the processor time of each process. The steps of an answer depend on the machine and what else it does; the
processor time hardly does. The bare requests are those that reached the search source, made once more from here.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
from doublethink_casefile import load_case
from doublethink_sdk.cases import self_contained
from doublethink_sdk.client import Client
from doublethink_sdk.launcher.stack import Stack, StackOptions

DEMO = Path(__file__).parents[2] / "demo"
QUESTION = (
    "What is the median revenue in fiscal 2024 of Halvorsen Pumps, Brenner Flow Technology "
    "and Castellan Fluid Systems?"
)


@dataclass(frozen=True)
class Answer:
    """One answer: its state, seconds in all and of each kind of step, processor seconds of each process."""

    status: str
    seconds: float
    steps: Mapping[str, float]
    processor: Mapping[str, float]


def processor_seconds(pids: Mapping[str, int]) -> dict[str, float]:
    """What each process has used so far, with all that it started."""
    used = {}
    for name, pid in pids.items():
        process = psutil.Process(pid)
        total = 0.0
        for one in (process, *process.children(recursive=True)):
            try:
                # The children's are those that have ended.
                total += sum(one.cpu_times()[:4])
            except psutil.NoSuchProcess:
                continue
        used[name] = total
    return used


def ask(client: Client, pids: Mapping[str, int], case: str, question: str) -> Answer:
    """Ask once."""
    before, steps = processor_seconds(pids), defaultdict[str, float](float)
    began = last = time.perf_counter()
    run = client.start_run(case, question, planner="rules")
    for event in client.run_events(run):
        now = time.perf_counter()
        steps[event.data["kind"]] += now - last
        last = now
    after = processor_seconds(pids)
    used = {name: after[name] - before[name] for name in pids}
    return Answer(client.run(run)["status"], last - began, steps, used)


def bare_seconds(address: str, requests: Sequence[Mapping[str, object]]) -> float:
    """Seconds for the same searches and fetches, one after the other, from this process."""
    with httpx.Client(base_url=address, trust_env=False) as client:
        began = time.perf_counter()
        for request in requests:
            body = {key: request[key] for key in ("query", "urls") if request.get(key)}
            client.post(str(request["path"]), json=body)
        return time.perf_counter() - began


def requests_in(log: Path) -> list[Mapping[str, object]]:
    """The requests in the source's own log."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def measure(stack: Stack, question: str, rounds: int) -> tuple[list[Answer], float]:
    """The answers after a first one that is not counted, and the median seconds of one's bare requests."""
    with stack.client() as client:
        case = client.add_case(self_contained(load_case(DEMO / "case.yaml")))
        ask(client, stack.pids, case, question)
        start = len(requests_in(stack.request_log))
        answers = [ask(client, stack.pids, case, question) for _ in range(rounds)]
    sent = requests_in(stack.request_log)[start:]
    one = sent[: len(sent) // rounds]
    address = (stack.directories.run / "source.address").read_text().strip()
    return answers, statistics.median(bare_seconds(address, one) for _ in range(rounds))


def show(answers: Sequence[Answer], bare: float) -> None:
    """Print medians and the ratio."""
    whole = statistics.median(answer.seconds for answer in answers)
    states = sorted({answer.status for answer in answers})
    print(f"answer           {whole:6.2f} s   median of {len(answers)}, {', '.join(states)}")
    print(f"bare requests    {bare:6.2f} s   ratio of the medians {whole / bare:.0f}")
    for kind in dict.fromkeys(kind for answer in answers for kind in answer.steps):
        seconds = statistics.median(answer.steps.get(kind, 0.0) for answer in answers)
        print(f"  until {kind:10} {seconds:6.2f} s")
    used = statistics.median(sum(answer.processor.values()) for answer in answers)
    print(f"processor time   {used:6.2f} s")
    for name in answers[0].processor:
        print(f"  {name:16} {statistics.median(answer.processor[name] for answer in answers):6.2f} s")


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three answers instead of fifteen")
    parser.add_argument(
        "--pages", type=Path, default=DEMO / "pages", help="folder of saved pages (%(default)s)"
    )
    parser.add_argument("--question", default=QUESTION, help="the question (%(default)s)")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="dt-bench-") as data,
        Stack(StackOptions(data=Path(data), pages=options.pages)) as stack,
    ):
        answers, bare = measure(stack, options.question, 3 if options.quick else 15)
    show(answers, bare)
    return 0


if __name__ == "__main__":
    sys.exit(main())
