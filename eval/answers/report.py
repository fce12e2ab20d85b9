"""What a run came to, in words and numbers."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.answers.keys import Key
from eval.answers.score import UNSAID, UNSEARCHED, Score, Verdict


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the program's output line for it if there was one, and the verdict."""

    key: Key
    line: Mapping[str, Any] | None
    score: Score


def progress(asked: Asked) -> str:
    """One line for one question."""
    reason = f"  {asked.score.reason}" if asked.score.reason else ""
    return f"{asked.key.id:<6} {asked.score.verdict:<18}{reason}"


def summary(run: Sequence[Asked]) -> Iterator[str]:
    """The table of a whole run."""
    counted = Counter(asked.score.verdict for asked in run)
    answerable = sum(asked.key.expected == "answered" for asked in run)
    of = {
        Verdict.RIGHT: answerable,
        Verdict.WRONG: answerable,
        Verdict.NOT_ANSWERED: len(run),
        Verdict.RIGHTLY_NOT_FOUND: len(run) - answerable,
        Verdict.WRONGLY_ANSWERED: len(run) - answerable,
    }
    yield f"{len(run)} questions: {answerable} with an answer on the pages, {len(run) - answerable} without"
    for verdict in Verdict:
        yield f"  {verdict:<18} {counted[verdict]:>4} of {of[verdict]}"
    if unsearched := sum(asked.score.reason == UNSEARCHED for asked in run):
        yield f"  of these found nothing {UNSEARCHED}: {unsearched}"
    if unsaid := sum(asked.score.reason == UNSAID for asked in run):
        yield f"  of the right ones {UNSAID}: {unsaid}"
    queries = [number for asked in run if (number := _number(asked.line, "counts", "queries")) is not None]
    seconds = [number for asked in run if (number := _number(asked.line, "seconds")) is not None]
    blocked = sum(_number(asked.line, "counts", "blocked") or 0 for asked in run)
    if queries:
        mean = statistics.mean(queries)
        yield f"  queries a question {mean:.2f} (of {len(queries)}), stopped {blocked:.0f}"
    if seconds:
        most = max(seconds)
        yield f"  seconds, median    {statistics.median(seconds):.2f}, most {most:.1f} (of {len(seconds)})"


def false_answer(asked: Asked) -> Iterator[str]:
    """Everything about an answer that is not so: question, key, trap, reason, figures with their quotes."""
    key = asked.key
    yield f"{key.id} {asked.score.verdict}: {key.question}"
    yield f"    key      {key.expected}" + (f" {key.value:f} {key.unit}" if key.value is not None else "")
    yield f"    pages    {', '.join(key.pages) or '-'}"
    yield from (f"    key says “{quote}”" for quote in key.quotes)
    if key.trap:
        yield f"    trap     {key.trap}"
    yield f"    reason   {asked.score.reason}"
    answer = (asked.line or {}).get("answer")
    if not isinstance(answer, Mapping):
        return
    yield f"    text     {answer.get('text')}"
    for figure in answer.get("figures") or ():
        if isinstance(figure, Mapping):
            yield f"    figure   {figure.get('value')} {figure.get('unit')} {figure.get('period')}"
            yield f"             “{' '.join(str(figure.get('quote')).split())}” {figure.get('url')}"
    for derived in answer.get("derived") or ():
        if isinstance(derived, Mapping):
            yield f"    derived  {derived.get('operation')} = {derived.get('value')} {derived.get('unit')}"


def _number(line: Mapping[str, Any] | None, *path: str) -> float | None:
    value: Any = line
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
