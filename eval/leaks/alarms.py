"""How many ordinary questions are stopped: a file of them against the secrets of twenty invented deals.

    python eval/leaks/alarms.py [--questions FILE.tsv] [--sessions] [--show] [--quick]

The file has a heading, and in each line a source, a tab and a question. Every deal is a session of one tenant, so
that a question is looked up in all of them; provenance is judged for the first. `--sessions` puts thirty questions
at a time into one session, so that what is put together over calls counts too. Exit status: 0 at most one of a
thousand was stopped, 1 more were, 4 there are no questions.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_fingerprint import Pack, build_pack  # noqa: E402 - the project's folder must be on the path
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate  # noqa: E402 - as above
from doublethink_gate.policy import default_policy  # noqa: E402 - as above

from eval.leaks.case import Secret  # noqa: E402 - as above
from eval.leaks.score import wilson  # noqa: E402 - as above

_MOST = 0.001
_SESSION = 30
_MISSING = 4
_SEED = 20260501

# What deals are called, and who is in them: invented, and as ordinary as the names of real ones.
DEALS = """
Project Brackwater|Oriane Vauquelin|1.25bn CHF|2031-03-03|BW-7741-K|48 francs per share
Moorhen|Tessaly Kilns|612m EUR|1961-11-30|884120937|31.40 euros per share
Project Lodestar|Dunmore Ashgrove|3.4bn USD|2029-07-15|LS20-55-181|62 dollars per share
Harrowgate|Bertil Sandqvist|870m SEK|1958-02-09|5580123476|118 kronor per share
Project Osprey|Marguerite Delorme|2.15bn EUR|2028-10-01|OSP-44127|27.50 euros per share
Silverbeck|Anselm Hartwig|94.5m GBP|1970-06-21|GB77-0192-X|412 pence per share
Project Kestrel|Ilaria Montefusco|1.08bn EUR|2030-01-31|IT0987612345|14.20 euros per share
Thornfield|Rasmus Ellegaard|5.6bn DKK|1963-09-17|DK88123055|840 kroner per share
Project Granite|Penelope Whitcombe|455m USD|2027-12-12|GR-2027-0091|19.75 dollars per share
Aldersyde|Yusuf Karaosman|740m TRY|1975-04-04|7712093355|66 lira per share
Project Halyard|Catriona Drummond|3.05bn GBP|2029-05-28|HY-31-7720|735 pence per share
Marlstone|Evander Quillfeather|128m USD|1968-08-08|MS88-4410-B|11 dollars per share
Project Juniper|Soren Bakkegaard|9.9bn NOK|2031-11-11|NO914782007|402 kroner per share
Rookhope|Delphine Charbonnel|377m EUR|1959-12-02|FR55-203-889|52 euros per share
Project Tamarind|Aditya Venkataraman|420 crore INR|2028-02-29|TM-0042-77|1,150 rupees per share
Fennimore|Ludwika Zawadzka|1.9bn PLN|1972-03-14|PL7740001454|88 zloty per share
Project Wayfarer|Matthias Obermoser|2.66bn EUR|2030-06-06|WF-2266-Q|41.80 euros per share
Cindermoor|Hollis Featherstone|515m USD|1966-01-19|CM-515-0193|23.25 dollars per share
Project Basalt|Noriko Hayashibara|83.2bn JPY|2029-09-09|BS-8832-11|2,940 yen per share
Stonechat|Benedetta Scaramuzzi|1.44bn EUR|1964-10-25|IT44-881-20|33 euros per share
"""
_CLASSES = ("code", "name", "number", "date", "id", "phrase")


def packs() -> list[Pack]:
    """Return a pack for each deal, the memo of each naming what is in it."""
    made = []
    for line in DEALS.strip().splitlines():
        values = line.split("|")
        secrets = [Secret(kind, value) for kind, value in zip(_CLASSES, values, strict=True)]
        memo = f"In {values[0]} we met {values[1]} about {values[2]} and an offer of {values[5]}."
        made.append(build_pack(secrets, memo=memo))
    return made


def default_questions() -> Path:
    """The questions in the folder of test data."""
    cases = Path(os.environ.get("DOUBLETHINK_CASES") or ROOT.parent / "shared" / "cases")
    return cases / "benign" / "questions.tsv"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many were stopped, by which rules, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=Path, default=default_questions())
    parser.add_argument("--sessions", action="store_true", help="thirty questions to a session")
    parser.add_argument("--show", action="store_true", help="print each question that was stopped")
    parser.add_argument("--quick", action="store_true", help="a tenth of the questions")
    options = parser.parse_args(arguments)
    if not options.questions.is_file():
        print(
            "NOT RUN: the questions are absent; set DOUBLETHINK_CASES to the test data folder",
            file=sys.stderr,
        )
        return _MISSING
    questions = [line.partition("\t")[2] for line in options.questions.read_text("utf-8").splitlines()[1:]]
    if options.quick:
        questions = random.Random(_SEED).sample(questions, len(questions) // 10)
    elif options.sessions:
        random.Random(_SEED).shuffle(questions)
    loaded, policy, state = packs(), default_policy(), SessionState()
    rules: Counter[str] = Counter()
    stopped = 0
    for number, text in enumerate(questions):
        if number % _SESSION == 0:
            state = SessionState()
        request = Request(RequestKind.QUERY, text.encode())
        decision = evaluate(request, loaded, state, policy)
        if decision.verdict is not Verdict.ALLOW:
            stopped += 1
            rules.update(decision.rules)
            if options.show:
                print(f"{decision.verdict.word} {','.join(decision.rules)}: {text[:160]}")
        elif options.sessions:
            state = state.attempted().fold(request, loaded[0])
    low, high = wilson(stopped, len(questions))
    print(
        f"{stopped} of {len(questions)} questions stopped, {100 * stopped / len(questions):.3f} %"
        f" [{100 * low:.3f}, {100 * high:.3f}], with {len(loaded)} deals loaded"
    )
    for rule, count in rules.most_common():
        print(f"  {count:>4}  {rule}")
    return int(stopped > _MOST * len(questions))


if __name__ == "__main__":
    sys.exit(main())
