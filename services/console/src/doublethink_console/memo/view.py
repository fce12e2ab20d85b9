"""What is shown of an answer, in the form of the API, as lines that are safe to show anywhere but in markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from .plain import address, one_line

MAX_READ: Final = 100
"""Pages that are named as read."""
_FLAGS: Final = {
    "about": "approximate",
    "guidance": "guidance",
    "non_gaap": "non-GAAP",
    "pro_forma": "pro forma",
    "restated": "restated",
    "hypothetical": "hypothetical",
}
_OPERATIONS: Final = {
    "sum": "Sum",
    "difference": "Difference",
    "ratio": "Ratio",
    "share": "Share",
    "growth": "Growth",
    "cagr": "Compound annual growth rate",
    "median": "Median",
    "mean": "Mean",
    "min": "Lowest",
    "max": "Highest",
}
_UNDECIDED: Final = "Figures that answer the question were found, and they differ."
_ROLES: Final = {"period": "Period", "scale": "Scale", "subject": "Company"}


@dataclass(frozen=True, slots=True)
class Read:
    """A page that was read, and when (UTC)."""

    url: str
    at: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """One figure with what proves it. `beside` are the further spans it rests on, by what they say."""

    number: int
    label: str
    period: str
    company: str
    amount: str
    remarks: tuple[str, ...]
    quote: str
    place: str
    beside: tuple[tuple[str, str], ...]
    title: str
    url: str
    captured: str
    page_sha256: str
    raw_sha256: str
    fact: str

    @property
    def what(self) -> str:
        """Label and period in one line."""
        return ", ".join(part for part in (self.label, self.period) if part) or "Figure"


@dataclass(frozen=True, slots=True)
class Calculation:
    """A figure that was computed, its formula, and the numbers of the figures it comes from, in their order."""

    name: str
    amount: str
    formula: str
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Figures that fit one query and are not the same."""

    evidence: tuple[Evidence, ...]

    @property
    def words(self) -> str:
        """What it means."""
        return "Each figure stands on its page and fits what was asked. None was chosen, and nothing was averaged."

    @property
    def headline(self) -> str:
        """Whether the sources differ on one thing, or the question left open which was meant."""
        periods = {each.period.casefold() for each in self.evidence}
        return "Sources disagree" if len(periods) == 1 else "More than one figure fits"

    @property
    def amounts(self) -> str:
        """The amounts, each once, in the order of their figures."""
        return " vs ".join(dict.fromkeys(each.amount for each in self.evidence))


@dataclass(frozen=True, slots=True)
class Memo:
    """An answer, or why there is none.

    `disagreements` are groups of figures of the answer that should be one and are not. `conflicts` are groups of
    figures that are not of it: each fitted what was asked, and none was chosen. `undecided`: there is no other answer.
    `unchecked` counts the queries whose pages held what could be the figure, and could not be checked.
    """

    question: str
    status: str
    undecided: bool
    reason: str
    calculations: tuple[Calculation, ...]
    evidence: tuple[Evidence, ...]
    disagreements: tuple[tuple[int, ...], ...]
    conflicts: tuple[Conflict, ...]
    read: tuple[Read, ...]
    unnamed: int
    unchecked: int
    queries: int
    stopped: int
    session: str
    asked: str
    back_ends: str


def memo_of(run: Mapping[str, Any], reads: Sequence[Read] = (), *, unchecked: int = 0) -> Memo:
    """The memo of a run in the form of the API. `reads`: the pages of its session; at most MAX_READ are named."""
    answer = run["answer"]
    evidence = tuple(_evidence(number, figure) for number, figure in enumerate(answer["figures"], start=1))
    numbers = {each.fact: each.number for each in evidence}
    counted = count(len(evidence) + 1)
    conflicts = tuple(
        Conflict(tuple(_evidence(next(counted), figure) for figure in conflict["figures"]))
        for conflict in answer.get("conflicts", ())
    )
    undecided = run["status"] == "not_found" and bool(conflicts)
    return Memo(
        question=one_line(run["question"], 600),
        status=run["status"],
        undecided=undecided,
        reason=_UNDECIDED if undecided else one_line(run.get("reason") or ""),
        calculations=tuple(_calculation(derived, numbers) for derived in answer["derived"]),
        evidence=evidence,
        disagreements=tuple(_disagreements(evidence)),
        conflicts=conflicts,
        read=tuple(Read(address(read.url), one_line(read.at)) for read in reads[:MAX_READ]),
        unnamed=max(0, len(reads) - MAX_READ),
        # Those that are shown one by one need no words.
        unchecked=max(0, unchecked - len(conflicts)),
        queries=run["counts"]["queries"],
        stopped=run["counts"]["blocked"],
        session=run["session"] or "",
        asked=_moment(run["created_at"]),
        back_ends=", ".join(f"{role} {name}" for role, name in run["back_ends"].items()),
    )


def unchecked_words(queries: int) -> str:
    """What it means that pages could not be checked; the figures are not named, since none of them is proven."""
    of = "one query" if queries == 1 else f"{queries} queries"
    return (
        f"The pages of {of} could not be checked: what they hold is ambiguous, cut short, or differs from page to page."
        " Nothing was averaged and none was preferred: look at them yourself."
    )


def _evidence(number: int, figure: Mapping[str, Any]) -> Evidence:
    quotes = figure["quotes"]
    own = next((quote for quote in quotes if quote["role"] == "figure"), None)
    company = next((quote["text"] for quote in quotes if quote["role"] == "subject"), "")
    remarks = [_FLAGS.get(flag, flag) for flag in figure["flags"]]
    if figure["direction"] in ("increase", "decrease"):
        remarks.append(f"an {figure['direction']}" if figure["direction"] == "increase" else "a decrease")
    return Evidence(
        number=number,
        label=one_line(figure["label"], 160),
        period=one_line(figure["period"], 120),
        company=one_line(company, 160),
        # Answers that were stored before the composer wrote amounts have digits and unit.
        amount=one_line(figure.get("shown") or f"{figure['value']} {figure['unit'].replace('_', ' ')}"),
        remarks=tuple(remarks),
        quote=one_line(figure["quote"]),
        place=f"bytes {own['start']}–{own['end']}" if own else f"byte {figure['offset']}",
        beside=tuple(
            (_ROLES[quote["role"]], one_line(quote["text"])) for quote in quotes if quote["role"] in _ROLES
        ),
        title=one_line(figure["page_title"], 160),
        url=address(figure["url"]),
        captured=datetime.fromtimestamp(figure["fetched_at_us"] / 1_000_000, UTC).strftime(
            "%Y-%m-%d %H:%M:%S UTC"
        ),
        page_sha256=figure["page_sha256"],
        raw_sha256=figure["raw_sha256"],
        fact=figure["fact_id"],
    )


def _calculation(derived: Mapping[str, Any], numbers: Mapping[str, int]) -> Calculation:
    return Calculation(
        name=_OPERATIONS.get(derived["operation"], derived["operation"]),
        amount=one_line(derived.get("shown") or f"{derived['value']} {derived['unit'].replace('_', ' ')}"),
        formula=one_line(derived["formula"], 1000),
        operands=tuple(numbers[fact] for fact in derived["operands"] if fact in numbers),
    )


def _disagreements(evidence: Sequence[Evidence]) -> Iterable[tuple[int, ...]]:
    """Figures of one label, period and company that are not of one amount: each is shown, none is preferred."""
    groups: dict[tuple[str, str, str], list[Evidence]] = {}
    for each in evidence:
        if each.label and each.period:
            groups.setdefault(
                (each.label.casefold(), each.period.casefold(), each.company.casefold()), []
            ).append(each)
    for group in groups.values():
        if len({each.amount for each in group}) > 1:
            yield tuple(each.number for each in group)


def _moment(text: str) -> str:
    return text.replace("T", " ").replace("Z", " UTC")
