"""Runs, steps, cases and ledger rows as JSON for a person's eyes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_console import phrases
from doublethink_console.config import BackEnds
from doublethink_console.explaining.notices import Notice
from doublethink_console.runs.answers import no_answer
from doublethink_console.store.cases import StoredCase
from doublethink_console.store.events import RunEvent
from doublethink_console.store.ledger_rows import Counts, LedgerRow
from doublethink_console.store.runs import Run
from doublethink_console.store.spending import TOKENS

_CONSOLE_STEPS: Final = {
    "opened": "session opened",
    "resumed": "taken up again after an interruption",
    "composing": "composing the answer",
}
_SHOWN_KEYS: Final = (
    "verdict",
    "commit",
    "original",
    "rules",
    "method",
    "of",
    "query",
    "result",
    "status",
    "http",
    "error",
    "cut",
    *TOKENS,
    "cost_micros",
    "credits",
    "page",
    "hidden_elements",
    "hidden_characters",
    "fact",
    "reason",
)


def case_json(stored: StoredCase, *, whole: bool) -> dict[str, Any]:
    """A case; its memo and secrets only where the whole of it is asked for."""
    case = stored.case
    fields: dict[str, Any] = {
        "id": str(stored.id),
        "created_at": time_text(stored.created_at),
        "team": stored.team,
        "title": case.title,
        "secrets_count": len(case.secrets),
        "public_terms": list(case.public_terms),
    }
    if whole:
        fields["memo"] = case.memo
        fields["secrets"] = [
            {"class": str(secret.secret_class), "value": secret.value, "aliases": list(secret.aliases)}
            for secret in case.secrets
        ]
        fields["canaries"] = list(case.canaries)
    return fields


def run_json(
    run: Run,
    answer: dict[str, Any] | None,
    counts: Counts,
    back_ends: BackEnds,
    planned: int,
    notices: Sequence[Notice] = (),
) -> dict[str, Any]:
    """A run in the form of `doublethink ask --json`, and more beside it. `planned`: figures of its plan. `notices`:
    what of the case stood on public pages.
    """
    reason = reason_words(run, planned)
    end = run.ended_at or datetime.now(UTC)
    return {
        "session": run.session_id,
        "question": run.question,
        "status": run.state,
        "answer": {"conflicts": []} | answer
        if run.state == "answered" and answer
        else no_answer(reason, answer),
        "back_ends": {"planner": run.planner, "reader": back_ends.reader, "source": back_ends.source},
        "counts": {
            "queries": counts.queries,
            "pages": counts.pages,
            "blocked": counts.blocked,
            **counts.spent,
        },
        "seconds": round((end - (run.started_at or run.created_at)).total_seconds(), 3),
        "id": str(run.id),
        "case_id": str(run.case_id),
        "reason": reason,
        "code": errors.ErrorCode.Name(errors.ErrorCode.ValueType(run.code)) if run.code else None,
        "created_at": time_text(run.created_at),
        "notices": [notice.as_json() for notice in notices],
    }


def reason_words(run: Run, planned: int) -> str:
    """Why a run is where it is. Words of the case or of a query are never repeated."""
    words = phrases.STATUS_WORDS[run.state]
    if not run.code and not planned:
        # The planner itself came to an end, before the gate was asked anything.
        if run.state == "not_found":
            return phrases.NOT_UNDERSTOOD
        if run.state == "refused":
            return phrases.MEMO_WORD
    if run.state == "refused" and run.code:
        return phrases.error_words(run.code)
    return f"{words} {phrases.error_words(run.code)}" if run.code else words


def planned_by(event: RunEvent, before: int) -> int:
    """How many figures the plan has, after this step."""
    if event.step is not None and event.step.WhichOneof("step") == "planned":
        return event.step.planned.figures
    return before


def event_json(event: RunEvent, planned: int, run: Run) -> dict[str, Any]:
    """One step of a run, in words and in fields. `planned`: figures, where an earlier step said it."""
    fields: dict[str, Any] = {
        "position": event.position,
        "at": time_text(event.at),
        "kind": event.kind,
        "session": run.session_id,
    }
    step = event.step
    if event.kind == "ended":
        return fields | {"status": run.state, "text": reason_words(run, planned)}
    if step is None:
        return fields | {"text": _CONSOLE_STEPS.get(event.kind, event.kind)}
    fields["text"] = phrases.step_words(step, planned)
    match step.WhichOneof("step"):
        case "planned":
            fields["figures"] = step.planned.figures
        case "searched":
            fields |= {
                "figure": step.searched.figure,
                "query": step.searched.query_id,
                "results": step.searched.results,
            }
        case "held":
            fields |= {"figure": step.held.figure, "hold": step.held.hold_id}
        case "refused":
            code = errors.ErrorCode.Name(step.refused.code)
            fields |= {"figure": step.refused.figure, "code": code}
        case "examined":
            verdict = figures.Verdict.Name(step.examined.verdict).removeprefix("VERDICT_").lower()
            fields |= {"figure": step.examined.figure, "query": step.examined.query_id, "verdict": verdict}
            if step.examined.fact_id:
                fields["fact"] = step.examined.fact_id
    return fields


def row_json(row: LedgerRow, *, payload: bool, notice: Notice | None = None) -> dict[str, Any]:
    """A ledger row; with the text that left where it is wanted and was allowed to leave, and its notice."""
    body = row.body
    fields: dict[str, Any] = {
        "session": row.session_id,
        "seq": row.seq,
        "n": row.n,
        "time": time_text(datetime.fromtimestamp(row.at_us / 1_000_000, UTC)),
        "at_us": row.at_us,
        "kind": body.get("kind", "unknown"),
        "destination": body.get("host"),
        "id": row.id.hex(),
        "prev": row.prev.hex(),
        "hash": row.hash.hex(),
    }
    fields |= {key: body[key] for key in _SHOWN_KEYS if key in body}
    fields.setdefault("verdict", None)
    fields.setdefault("rules", [])
    if payload and row.payload is not None:
        fields["payload"] = row.payload
    if notice is not None:
        fields["notice"] = notice.as_json()
    return fields


def time_text(moment: datetime) -> str:
    """A moment in UTC, to the millisecond (RFC 3339)."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
