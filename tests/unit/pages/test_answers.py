"""What comes back from the process that read a page is a stranger's word too."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from doublethink_gate.pages import PageTooLarge, PageUnreadable, ResultsUnrecognised, extract_page
from doublethink_gate.pages.answers import error_of, page_of, results_of

PAGE = extract_page(
    b"<html lang=en><title>t</title><p>Revenue was 1.5\xe2\x80\x8b m", "text/html; charset=utf-8"
)


def answered(**changed: object) -> dict[str, Any]:
    """An answer's header with some keys changed."""
    fields: dict[str, Any] = {
        name: getattr(PAGE, name) for name in ("title", "replaced", "cut", "charset", "extractor")
    }
    return fields | {"stripped": dict(PAGE.stripped), "hints": asdict(PAGE.hints)} | changed


def test_an_answer_in_form_is_the_page() -> None:
    """The control: nothing changed."""
    assert page_of(answered(), PAGE.text) == PAGE


@pytest.mark.parametrize(
    "changed",
    [
        {"title": "x" * 501},
        {"title": "a\nb"},
        {"title": 7},
        {"stripped": {"zero_width": "many"}},
        {"stripped": {"zero_width": -1}},
        {"stripped": {"A word of the page": 1}},
        {"stripped": {f"kind_{number}": 1 for number in range(65)}},
        {"stripped": [1]},
        {"replaced": True},
        {"cut": 1},
        {"charset": "utf-7"},
        {"extractor": "another/1"},
        {"hints": {"language": "<b>", "decimal": ""}},
        {"hints": {"language": "", "decimal": ";"}},
        {"hints": None},
        {"further": 1},
    ],
)
def test_another_form_is_no_page(changed: dict[str, object]) -> None:
    """Each key has its type, its bound and its words."""
    with pytest.raises(PageUnreadable):
        page_of(answered(**changed), PAGE.text)


def listed(result: object, **changed: object) -> str:
    """An answer with one result."""
    return json.dumps({"results": [result], "ads": 0, "dropped": 0} | changed)


GOOD = {"url": "https://pumps.example/", "title": "Pumps", "snippet": "All of them"}


def test_results_in_form_are_taken() -> None:
    """The control."""
    assert results_of(listed(GOOD)).results[0].title == "Pumps"


@pytest.mark.parametrize(
    "text",
    [
        listed(GOOD | {"url": "https://pumps.example/" + "x" * 2048}),
        listed(GOOD | {"title": ["Pumps"]}),
        listed(GOOD | {"snippet": "x" * 4001}),
        listed(GOOD, ads="none"),
        listed(GOOD, dropped=-1),
        listed(None),
        json.dumps({"results": [GOOD] * 101}),
        "[]",
        "[" * 200_000,
    ],
)
def test_results_of_another_form_are_none(text: str) -> None:
    """Wrong types, too long, too many, too deep."""
    with pytest.raises(PageUnreadable):
        results_of(text)


def test_errors_say_numbers_and_fixed_words_alone() -> None:
    """A word that is none of a parser's own does not get into a message."""
    assert isinstance(error_of({"error": "PageTooLarge", "with": {"size": 9, "bound": 3}}), PageTooLarge)
    assert isinstance(
        error_of({"error": "ResultsUnrecognised", "with": {"what": "layout"}}), ResultsUnrecognised
    )
    for answer in (
        {"error": "ResultsUnrecognised", "with": {"what": "Project Granite: 42"}},
        {"error": "PageTooLarge", "with": {"size": "Granite", "bound": 3}},
        {"error": "PageTooLarge", "with": {"size": 1, "bound": 3, "more": 1}},
        {"error": "ValueError", "with": {}},
        {"error": "re", "with": {}},
        {"error": 7, "with": {}},
        {"error": "PageTooLarge"},
        {"error": "PageTooLarge", "with": "size"},
    ):
        assert type(error_of(answer)) is PageUnreadable
