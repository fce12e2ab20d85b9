"""The words for a person. Every code and every step of a run is turned into words here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research

ERROR_WORDS: Final[Mapping[int, str]] = {
    errors.ERROR_CODE_CALLER_REFUSED: (
        "A service did not accept this console as its caller: check the certificates."
    ),
    errors.ERROR_CODE_CAPABILITY_REFUSED: (
        "The session's authority was not accepted: it has ended, or belongs to another role."
    ),
    errors.ERROR_CODE_MALFORMED: (
        "A message did not have the agreed form: the services may be of different versions."
    ),
    errors.ERROR_CODE_METADATA_REFUSED: "A call carried something beside its message and was refused.",
    errors.ERROR_CODE_ID_REFUSED: "An id of another session or query was refused.",
    errors.ERROR_CODE_BLOCKED: (
        "The gate stopped a request, because it could have told something of the case; nothing was sent."
    ),
    errors.ERROR_CODE_HELD: "The gate holds a request until a person approves it; nothing was sent.",
    errors.ERROR_CODE_BUDGET_EXHAUSTED: "A budget of the session is used up; nothing more was sent.",
    errors.ERROR_CODE_LEDGER_UNAVAILABLE: (
        "The ledger could not be written, so nothing was sent: check the gate's database."
    ),
    errors.ERROR_CODE_SOURCE_UNAVAILABLE: "The search source did not answer in a form that is known.",
    errors.ERROR_CODE_SOURCE_RATE_LIMITED: "The search source asks to wait: try again later.",
    errors.ERROR_CODE_MODEL_UNAVAILABLE: (
        "A model that is needed did not answer in its time, or is not the one that the start found: check the model's"
        " server and ask again; after a change of the model start anew."
    ),
    errors.ERROR_CODE_MODEL_ANSWER_REFUSED: (
        "A model declined, or its answers did not have the promised form, however often it was asked: whether a local"
        " one is fit tells `doublethink models check`."
    ),
    errors.ERROR_CODE_SESSION_CLOSED: "The session is closed, or its time is up: ask again in a new one.",
    errors.ERROR_CODE_OVERLOADED: "A service has too much to do: try again later.",
    errors.ERROR_CODE_DEADLINE: "The time for this step ran out.",
    errors.ERROR_CODE_PEER_UNAVAILABLE: "A service cannot be reached, or is not the one it should be.",
    errors.ERROR_CODE_OPERATION_REFUSED: (
        "The figures were found, but may not be combined: their units or periods do not agree."
    ),
    errors.ERROR_CODE_PAGE_UNREADABLE: "A page could not be read.",
    errors.ERROR_CODE_INTERNAL: "A service failed; its log has the event.",
    errors.ERROR_CODE_CANCELLED: "The run was cancelled.",
    errors.ERROR_CODE_BACK_END_UNKNOWN: "The planner does not offer this back end.",
    errors.ERROR_CODE_CONFLICT: "Somebody else works on the same session: try again later.",
    errors.ERROR_CODE_MODEL_RATE_LIMITED: "The model's vendor asks to wait: try again later.",
    errors.ERROR_CODE_PROVIDER_REFUSED: (
        "The search source or the model's vendor refused the key, or its plan is used up: check both."
    ),
    errors.ERROR_CODE_NOT_RECORDED: (
        "Searches are answered from a recording, and this one is not in it: nothing was searched on the web."
    ),
}
"""Every member of the closed enumeration; a test compares the two."""

STATUS_WORDS: Final[Mapping[str, str]] = {
    "queued": "The run waits for its turn.",
    "running": "The run goes on.",
    "answered": "Every number of the answer stands in a quote.",
    "not_found": "No figure that answers the question was proven.",
    "refused": "The question was not asked, since that would have said something of the case.",
    "failed": "The run failed.",
}

NOT_UNDERSTOOD: Final = (
    "The question was not understood: nothing was searched. Ask for one figure with company and period, for example:"
    " What was the revenue of Example Pumps in fiscal 2024?"
)
MEMO_WORD: Final = (
    "The question was not asked: it holds a word that only the memo has. Ask without it, or add it to the case's"
    " public terms if the market may know it."
)

_VERDICTS: Final[Mapping[int, str]] = {
    figures.VERDICT_FOUND: "proven with a quote",
    figures.VERDICT_NOT_FOUND: "not found on the pages read",
    figures.VERDICT_CANNOT_CHECK: "cannot be checked: the pages leave more than one reading",
}
_PLANS: Final[Mapping[int, str]] = {
    research.PLAN_STATUS_ANSWERED: "all figures are there",
    research.PLAN_STATUS_NOT_FOUND: "no figure that answers the question was proven",
    research.PLAN_STATUS_REFUSED: "the question cannot be asked",
}


def error_words(code: int) -> str:
    """What a code means for a person."""
    return ERROR_WORDS.get(code, ERROR_WORDS[errors.ERROR_CODE_INTERNAL])


def step_words(event: research.ResearchEvent, figures_planned: int) -> str:
    """One step of a run in words. `figures_planned` is how many figures the plan has."""
    match event.WhichOneof("step"):
        case "planned":
            return _planned_words(event.planned.figures)
        case "searched":
            count = event.searched.results
            which = _which(event.searched.figure, figures_planned)
            return f"{which}: searched, {count} {_plural('result', count)}"
        case "refused":
            return (
                f"{_which(event.refused.figure, figures_planned)}: {_lower(error_words(event.refused.code))}"
            )
        case "held":
            return (
                f"{_which(event.held.figure, figures_planned)}: the gate is not sure of the query, and it waits for a"
                " person to let it go"
            )
        case "examined":
            verdict = _VERDICTS.get(event.examined.verdict, "no verdict")
            return f"{_which(event.examined.figure, figures_planned)}: {verdict}"
        case "plan":
            return f"plan: {_PLANS.get(event.plan.status, 'no status')}"
        case "failed":
            return f"planner: {_lower(error_words(event.failed.code))}"
        case _:
            return "a step of an unknown kind"


def _planned_words(count: int) -> str:
    return (
        f"planned: {count} {_plural('figure', count)} to look up"
        if count
        else "planned: no figure to look up"
    )


def _which(figure: int, planned: int) -> str:
    return f"figure {figure + 1} of {max(planned, figure + 1)}"


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else f"{noun}s"


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")
