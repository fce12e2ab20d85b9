"""Asks the same 30 questions with each planner, and puts what came of it into one table.

    python eval/planner/run.py --planner rules
    python eval/planner/run.py --planner ollama --model NAME --model-address http://127.0.0.1:11434

Exit status: 0 no figure was wrong, 1 one was, 2 the keys cannot be used, 4 the product did not run to its end.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from eval.answers.keys import KeyFileError, read_keys  # noqa: E402 - the project's folder must be on the path
from eval.answers.page_text import SavedPages  # noqa: E402 - as above
from eval.answers.product import Product  # noqa: E402 - as above
from eval.answers.report import Asked, false_answer  # noqa: E402 - as above
from eval.answers.run import ask_all, planner_of, unfounded  # noqa: E402 - as above
from eval.answers.score import Verdict  # noqa: E402 - as above

_FOLDERS = (ROOT / "demo" / "pages", HERE / "pages")
_FALSE, _WRONG_USE, _MISSING = 1, 2, 4
HEAD = (
    "| planner | right | wrong | not answered | rightly not found | queries a question | seconds, median and most "
    "| stopped by the gate |\n|---|---|---|---|---|---|---|---|"
)


def gather(target: Path) -> Path:
    """Put the pages of both folders into one, with one table of addresses."""
    lines: list[str] = []
    for folder in _FOLDERS:
        for page in folder.glob("*.html"):
            shutil.copy(page, target / page.name)
        head, *rows = (folder / "pages.tsv").read_text(encoding="utf-8").splitlines()
        lines += rows if lines else [head, *rows]
    (target / "pages.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target


def row(name: str, run: Sequence[Asked]) -> str:
    """The table's row for one planner."""
    counted = Counter(asked.score.verdict for asked in run)
    lines = [asked.line for asked in run if asked.line is not None]
    queries = [int(line["counts"]["queries"]) for line in lines]
    seconds = [float(line["seconds"]) for line in lines]
    stopped = sum(int(line["counts"]["blocked"]) for line in lines)
    answerable = sum(asked.key.expected == "answered" for asked in run)
    wrong = counted[Verdict.WRONG] + counted[Verdict.WRONGLY_ANSWERED]
    if not lines:
        return f"| {name} | the product gave no line |"
    return (
        f"| {name} | {counted[Verdict.RIGHT]} of {answerable} | {wrong} | {counted[Verdict.NOT_ANSWERED]} "
        f"| {counted[Verdict.RIGHTLY_NOT_FOUND]} of {len(run) - answerable} | {statistics.mean(queries):.2f} "
        f"| {statistics.median(seconds):.1f} / {max(seconds):.1f} | {stopped} |"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as the command line says; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        keys = read_keys(HERE / "questions.jsonl")
    except KeyFileError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return _WRONG_USE
    with tempfile.TemporaryDirectory(prefix="dt-planner-pages-") as folder:
        pages = gather(Path(folder))
        saved = SavedPages(pages)
        doubts = list(unfounded(keys, saved))
        for doubt in doubts:
            print(f"KEY IN DOUBT: {doubt}")
        if options.check_keys:
            print(f"{len(keys)} keys, {len(doubts)} in doubt")
            return _FALSE if doubts else 0
        product = Product(options.program, pages, 300, options.question_seconds, planner_of(options))
        run, failures = ask_all(product, keys, [HERE / "case.yaml"], saved, options.out)
    print("\n" + HEAD)
    print(row("rules" if options.planner == "rules" else f"rules, then {options.model}", run))
    false = [asked for asked in run if asked.score.verdict.is_false]
    for asked in false:
        print("\n" + "\n".join(false_answer(asked)))
    for failure in failures:
        print(f"NOT COMPLETE: {failure}")
    return _FALSE if false else _MISSING if failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Ask the same questions with one planner, and score them.")
    add = parser.add_argument
    add("--planner", choices=("rules", "ollama", "openai"), default="rules", help="who plans (%(default)s)")
    add("--model", default="", help="the model's name, as its server lists it")
    add("--model-address", default="http://127.0.0.1:11434", help="where its server is (%(default)s)")
    add("--out", type=Path, help="where to keep every output line with its verdict")
    add("--program", type=Path, default=ROOT / ".venv" / "bin" / "doublethink", help="the command line")
    add("--question-seconds", type=int, default=180, help="time for a question, on average (%(default)s)")
    add("--check-keys", action="store_true", help="only check that the keys' quotes stand on their pages")
    return parser


if __name__ == "__main__":
    sys.exit(main())
