"""Scores an output line of `doublethink ask --json` against a key. No input, no output, no clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from eval.answers.keys import Key
from eval.answers.page_text import UnknownPage, compact
from eval.answers.units import UNKNOWN_DOLLAR, compatible, spelled

SourceText = Callable[[Mapping[str, Any]], str]
_HUNDRED = Decimal(100)
UNSEARCHED = "without a single query"
UNSAID = "with a dollar whose country the page does not say, where the key names one"


class Verdict(StrEnum):
    """What an answer was worth."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_ANSWERED = "not answered"
    RIGHTLY_NOT_FOUND = "rightly not found"
    WRONGLY_ANSWERED = "wrongly answered"

    @property
    def is_false(self) -> bool:
        """Whether the answer claims something that is not so."""
        return self in (Verdict.WRONG, Verdict.WRONGLY_ANSWERED)


class Mismatch(Exception):
    """Why an answer does not hold, in one line."""


class DollarUnsaid(Mismatch):
    """The value is right, and the unit claims less than the key: a dollar that the page does not place."""


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one question; `reason` is empty where there is nothing to explain."""

    id: str
    verdict: Verdict
    reason: str = ""


def score(key: Key, line: Mapping[str, Any] | None, source_text: SourceText) -> Score:
    """The verdict on `line`, the decoded output line for `key`, or None if there was none.

    `source_text` gives the compared text of the page that a figure names, and raises `UnknownPage`.
    """
    status = None if line is None else line.get("status")
    if line is None or status not in ("answered", "not_found"):
        return Score(key.id, Verdict.NOT_ANSWERED, "no output line" if line is None else f"status {status}")
    if status == "not_found":
        found_nothing = key.expected == "not_found"
        verdict = Verdict.RIGHTLY_NOT_FOUND if found_nothing else Verdict.NOT_ANSWERED
        return Score(key.id, verdict, "" if _searched(line) else UNSEARCHED)
    if key.expected == "not_found":
        return Score(key.id, Verdict.WRONGLY_ANSWERED, f"the pages do not say; answered {_shown(line)}")
    try:
        figures, derived = _parts(line)
        for figure in figures:
            check_quotes(figure, source_text)
        _check_result(key, figures[-1], derived[-1] if derived else None)
    except DollarUnsaid:
        # The product is not to claim USD where the page says "$": the figure itself is not wrong.
        return Score(key.id, Verdict.RIGHT, UNSAID)
    except Mismatch as mismatch:
        return Score(key.id, Verdict.WRONG, str(mismatch))
    return Score(key.id, Verdict.RIGHT)


def check_quotes(figure: Mapping[str, Any], source_text: SourceText) -> None:
    """A figure has a quote, and every one of its quotes stands on the page it names. Raises `Mismatch`."""
    quotes = [figure.get("quote")]
    for other in figure.get("quotes") or ():
        quotes.append(other.get("text") if isinstance(other, Mapping) else other)
    if not isinstance(quotes[0], str) or not compact(quotes[0]):
        raise Mismatch(f"the figure {figure.get('value')} has no quote")
    try:
        page = source_text(figure)
    except UnknownPage as unknown:
        raise Mismatch(f"the figure {figure.get('value')}: {unknown}") from unknown
    for quote in quotes:
        if not isinstance(quote, str) or compact(quote) not in page:
            raise Mismatch(f"{figure.get('value')}: a quote does not stand on its page: {quote!r}")


def check_value(key: Key, result: Mapping[str, Any]) -> None:
    """The value and unit of a figure or derived figure are those of the key. Raises `Mismatch`.

    A figure whose direction is given as a decrease may carry it there instead of in its sign.
    """
    assert key.value is not None, "a key with an answer has a value"
    assert key.unit is not None, "a key with an answer has a unit"
    unit = str(result.get("unit") or "")
    values = _readings(result)
    fits = any(abs(value - key.value) <= key.tolerance for value in values)
    if fits and compatible(key.unit, unit):
        return
    given, wanted = f"{values[0]:f} {unit or 'without unit'}", f"{key.value:f} {key.unit}"
    if not fits:
        if spelled(key.unit) == ("percent",) and unit != "percent" and _is_fraction_of(key, values):
            raise Mismatch(f"{given} is a ratio; the key asks for {wanted}")
        raise Mismatch(f"{given}; the key is {wanted}")
    if spelled(unit)[0] == UNKNOWN_DOLLAR:
        raise DollarUnsaid(f"{given}: the key is {wanted}")
    raise Mismatch(f"{given}: the value is right, the unit is not; the key is {wanted}")


def _check_result(key: Key, figure: Mapping[str, Any], derived: Mapping[str, Any] | None) -> None:
    """Either the figure or the derived figure named last is the answer."""
    refusals: list[str] = []
    for result in (derived, figure):
        if result is None:
            continue
        try:
            check_value(key, result)
        except DollarUnsaid:
            raise
        except Mismatch as mismatch:
            refusals.append(str(mismatch))
        else:
            return
    raise Mismatch("; ".join(refusals))


def _parts(line: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    answer = line.get("answer")
    if not isinstance(answer, Mapping):
        raise Mismatch("answered without an answer")
    figures, derived = answer.get("figures") or [], answer.get("derived") or []
    for part in (figures, derived):
        if not isinstance(part, list) or not all(isinstance(item, Mapping) for item in part):
            raise Mismatch("the answer does not have the form of the command line")
    if not figures:
        raise Mismatch("answered without a figure that has a quote")
    return figures, derived


def _readings(result: Mapping[str, Any]) -> tuple[Decimal, ...]:
    try:
        value = Decimal(str(result.get("value")))
    except InvalidOperation:
        raise Mismatch(f"{result.get('value')!r} is not a number") from None
    if not value.is_finite():
        raise Mismatch(f"{value} is not a number")
    return (value, -value) if result.get("direction") == "decrease" and value > 0 else (value,)


def _is_fraction_of(key: Key, values: tuple[Decimal, ...]) -> bool:
    return key.value is not None and any(
        abs(value * _HUNDRED - key.value) <= max(key.tolerance, Decimal("0.005")) for value in values
    )


def _searched(line: Mapping[str, Any]) -> bool:
    counts = line.get("counts")
    return isinstance(counts, Mapping) and bool(counts.get("queries"))


def _shown(line: Mapping[str, Any]) -> str:
    try:
        figures, derived = _parts(line)
    except Mismatch as mismatch:
        return str(mismatch)
    return ", ".join(f"{item.get('value')} {item.get('unit')}" for item in [*figures, *derived])
