"""The words for a person."""

from __future__ import annotations

import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console import phrases

CODES = [value for value in errors.ErrorCode.values() if value]


def test_every_code_has_words_and_no_words_are_left_over() -> None:
    """The table is the closed enumeration, without its zero."""
    assert set(phrases.ERROR_WORDS) == set(CODES)
    assert all(words.endswith(".") and words[0].isupper() for words in phrases.ERROR_WORDS.values())
    assert len(set(phrases.ERROR_WORDS.values())) == len(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_never_shown_by_its_name(code: int) -> None:
    """A person reads a sentence, not an enumeration."""
    assert "ERROR_CODE" not in phrases.error_words(code)


def test_an_unknown_code_is_a_fault() -> None:
    """A code of a newer peer has words too."""
    assert phrases.error_words(999) == phrases.error_words(errors.ERROR_CODE_INTERNAL)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (research.ResearchEvent(planned=research.Planned(figures=0)), "planned: no figure to look up"),
        (research.ResearchEvent(planned=research.Planned(figures=1)), "planned: 1 figure to look up"),
        (
            research.ResearchEvent(searched=research.Searched(figure=1, results=1)),
            "figure 2 of 3: searched, 1 result",
        ),
        (
            research.ResearchEvent(examined=research.Examined(figure=0, verdict=figures.VERDICT_FOUND)),
            "figure 1 of 3: proven with a quote",
        ),
        (
            research.ResearchEvent(refused=research.Refused(figure=2, code=errors.ERROR_CODE_HELD)),
            "figure 3 of 3: the gate holds a request until a person approves it; nothing was sent",
        ),
        (
            research.ResearchEvent(plan=research.Plan(status=research.PLAN_STATUS_REFUSED)),
            "plan: the question cannot be asked",
        ),
    ],
)
def test_a_step_is_told_in_words(event: research.ResearchEvent, words: str) -> None:
    """Which figure of how many, and what came of it."""
    assert phrases.step_words(event, 3) == words


def test_every_kind_of_step_has_words() -> None:
    """A step that the contract gains must gain words here."""
    for field in research.ResearchEvent.DESCRIPTOR.oneofs_by_name["step"].fields:
        event = research.ResearchEvent()
        getattr(event, field.name).SetInParent()
        assert phrases.step_words(event, 1) != phrases.step_words(research.ResearchEvent(), 1)
