"""Asks questions with known answers through the command line and scores what comes back.

    python eval/answers/run.py --questions eval/answers/own_questions.jsonl [--pages DIR] [--out FILE.jsonl]

Exit status: 0 no figure was wrong, 1 one was, 2 the keys cannot be used, 4 the pages or the product are
missing or the product did not run to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from eval.answers.keys import Key, KeyFileError, read_keys  # noqa: E402 - the project's folder must be on the path
from eval.answers.page_text import SavedPages, UnknownPage, compact  # noqa: E402 - as above
from eval.answers.product import Product, ProductError  # noqa: E402 - as above
from eval.answers.report import Asked, false_answer, progress, summary  # noqa: E402 - as above
from eval.answers.score import Verdict, score  # noqa: E402 - as above

_FALSE, _WRONG_USE, _MISSING = 1, 2, 4


def default_pages() -> Path:
    """The corpus' pages in the folder of test data."""
    return Path(os.environ.get("DOUBLETHINK_CASES") or ROOT.parent / "shared" / "cases") / "corpus" / "pages"


def shares(keys: Sequence[Key], cases: Sequence[Path]) -> Iterator[tuple[Path, list[Key]]]:
    """Deal the questions out to the cases in turn, so that each question is asked once."""
    for number, case in enumerate(cases):
        if dealt := list(keys[number :: len(cases)]):
            yield case, dealt


def unfounded(keys: Sequence[Key], pages: SavedPages) -> Iterator[str]:
    """What the keys say stands on a page and does not, one line each."""
    for key in keys:
        try:
            texts = [pages.compact_text(name.removesuffix(".html")) for name in key.pages]
        except UnknownPage as unknown:
            yield f"{key.id}: {unknown}"
            continue
        for quote in key.quotes:
            if not any(compact(quote) in text for text in texts):
                yield f"{key.id}: not on its page: {quote!r}"


def ask_all(
    product: Product, keys: Sequence[Key], cases: Sequence[Path], pages: SavedPages, out: Path | None
) -> tuple[list[Asked], list[str]]:
    """Ask every question once. Returns them scored, in the order of `keys`, and the program's failures."""
    by_id: dict[str, Asked] = {}
    failures: list[str] = []
    with ExitStack() as stack:
        kept = stack.enter_context(out.open("w", encoding="utf-8")) if out else None

        def keep(asked: Asked) -> None:
            by_id[asked.key.id] = asked
            print(progress(asked), flush=True)
            if kept:
                result = {"verdict": asked.score.verdict, "reason": asked.score.reason, "output": asked.line}
                kept.write(json.dumps({"id": asked.key.id, **result}, ensure_ascii=False) + "\n")
                kept.flush()

        for case, dealt in shares(keys, cases):
            waiting = {key.id: key for key in dealt}
            try:
                for line in product.answers(dealt, case):
                    key = waiting.pop(str(line.get("id")), None)
                    if key is None:
                        failures.append("an output line with the id of no open question")
                    else:
                        keep(Asked(key, line, score(key, line, pages.source_text)))
            except ProductError as error:
                failures.append(f"{case.name}: {error}")
            for key in waiting.values():
                keep(Asked(key, None, score(key, None, pages.source_text)))
    return [by_id[key.id] for key in keys], failures


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as the command line says; the exit status."""
    options = _parser().parse_args(arguments)
    if not options.pages.is_dir():
        print(f"NOT RUN: there is no folder of pages {options.pages}; give --pages, or set DOUBLETHINK_CASES")
        return 0 if options.optional else _MISSING
    try:
        keys = read_keys(options.questions)
    except KeyFileError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return _WRONG_USE
    pages = SavedPages(options.pages)
    doubts = list(unfounded(keys, pages))
    for doubt in doubts:
        print(f"KEY IN DOUBT: {doubt}")
    if options.check_keys:
        print(f"{len(keys)} keys, {len(doubts)} in doubt")
        return _FALSE if doubts else 0
    cases = sorted(options.memos.glob("*.yaml")) if options.memos else [options.case]
    if options.funnel:
        return _trace(keys, options.pages, cases[0], titled=options.result_titles)
    if not cases or not all(case.is_file() for case in cases):
        print(f"run.py: no case file at {options.memos or options.case}", file=sys.stderr)
        return _WRONG_USE
    titles = ("--result-titles",) if options.result_titles else ()
    how = (*planner_of(options), *titles)
    product = Product(options.program, options.pages, options.start_seconds, options.question_seconds, how)
    run, failures = ask_all(product, keys, cases, pages, options.out)
    return _conclude(run, failures, options.least)


def planner_of(options: argparse.Namespace) -> tuple[str, ...]:
    """The command line's options for the planner that was chosen."""
    if options.planner == "rules":
        return ("--planner", "rules")
    return ("--planner", options.planner, "--model", options.model, "--model-address", options.model_address)


def _trace(keys: Sequence[Key], pages: Path, case: Path, *, titled: bool) -> int:
    """Say where answers are lost: the id and the step of each, then how many were lost where."""
    from eval.answers.funnel import Funnel, Stage, table  # the product's parts are needed for this alone

    funnel = Funnel(pages, case, titled)
    traced = []
    for key in keys:
        traced.append(funnel.trace(key))
        print(f"{key.id:<6} {traced[-1].stage}", flush=True)
    print("\n" + "\n".join(table(traced)))
    return _FALSE if any(one.stage is Stage.WRONG for one in traced) else 0


def _conclude(run: Sequence[Asked], failures: Sequence[str], least: int) -> int:
    right = sum(asked.score.verdict is Verdict.RIGHT for asked in run)
    false = [asked for asked in run if asked.score.verdict.is_false]
    print("\n" + "\n".join(summary(run)))
    for asked in false:
        print("\n" + "\n".join(false_answer(asked)))
    for failure in failures:
        print(f"NOT COMPLETE: {failure}")
    if right < least:
        print(f"TOO FEW: {right} right answers, and --least asks for {least}")
    if false or right < least:
        return _FALSE
    return _MISSING if failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Ask questions with known answers and score the product's.")
    add = parser.add_argument
    add("--questions", type=Path, required=True, help="answer keys, JSON lines")
    add("--pages", type=Path, default=default_pages(), help="folder of saved pages (%(default)s)")
    add("--case", type=Path, default=HERE / "case.yaml", help="the case all questions are asked in")
    add("--memos", type=Path, help="folder of case files, used in turn instead of --case")
    add("--out", type=Path, help="where to keep every output line with its verdict")
    add("--program", type=Path, default=ROOT / ".venv" / "bin" / "doublethink", help="the command line")
    add("--planner", choices=("rules", "ollama", "openai"), default="rules", help="who plans (%(default)s)")
    add("--model", default="", help="the planner's model, as its server lists it")
    add("--model-address", default="http://127.0.0.1:11434", help="where that server is (%(default)s)")
    add("--result-titles", action="store_true", help="take a nameless page's company from its search result")
    add("--start-seconds", type=int, default=180, help="time for a start (%(default)s)")
    add("--question-seconds", type=int, default=60, help="time for a question, on average (%(default)s)")
    add("--check-keys", action="store_true", help="only check that the keys' quotes stand on their pages")
    add(
        "--funnel", action="store_true", help="ask in this process, and say at which step each answer is lost"
    )
    add("--least", type=int, default=0, help="exit with 1 below this many right answers (%(default)s)")
    add("--optional", action="store_true", help="exit with 0 if there are no pages")
    return parser


if __name__ == "__main__":
    sys.exit(main())
