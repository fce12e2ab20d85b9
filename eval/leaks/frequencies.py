"""Count the words of ordinary questions for the estimate that a person sees before a value is confirmed.

    python eval/leaks/frequencies.py [--questions FILE.tsv] [--out FILE]

The table holds numbers under hashes, of words and pairs that two questions or more have, and no text. The shipped one
was made of the questions that `alarms.py` asks. Exit status: 0 written, 4 there are no questions.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_fingerprint.alarms import keys_of, made_table  # noqa: E402 - the project's folder must be on the path

from eval.leaks.alarms import default_questions  # noqa: E402 - as above

_SHIPPED = ROOT / "libs/fingerprint/src/doublethink_fingerprint/frequencies.bin"
_MISSING = 4


def main() -> int:
    """Write the table and say how large it is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=Path, default=default_questions())
    parser.add_argument("--out", type=Path, default=_SHIPPED)
    options = parser.parse_args()
    if not options.questions.is_file():
        print(
            "NOT RUN: the questions are absent; set DOUBLETHINK_CASES to the test data folder",
            file=sys.stderr,
        )
        return _MISSING
    questions = [line.partition("\t")[2] for line in options.questions.read_text("utf-8").splitlines()[1:]]
    counts: Counter[str] = Counter()
    for question in questions:
        counts.update(keys_of(question))
    # In order of their text, so that the same questions give the same bytes.
    table = made_table(sorted(counts.items()), len(questions))
    options.out.write_bytes(table)
    kept = sum(count > 1 for count in counts.values())
    print(f"{len(questions)} questions, {kept} words and pairs, {len(table)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
