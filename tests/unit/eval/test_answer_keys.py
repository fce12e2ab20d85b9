"""Keys are read whole or refused by line."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from eval.answers.keys import Key, KeyFileError, key_of, read_keys

_ENTRY = {
    "id": "A1",
    "question": "What was Ardent's revenue?",
    "expected": "answered",
    "value": "7",
    "unit": "EUR",
}
_OWN = Path(__file__).resolve().parents[3] / "eval" / "answers" / "own_questions.jsonl"


def _written(folder: Path, *lines: str) -> Path:
    file = folder / "keys.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_key_is_read_to_the_digit(tmp_path: Path) -> None:
    """Values are Decimal; one quote or many, and fields that nobody knows, are fine."""
    entry = {
        **_ENTRY,
        "value": "0.10",
        "quote": "€ 0.10",
        "pages": ["ardent"],
        "scale": "million",
        "trap": None,
    }
    (key,) = read_keys(_written(tmp_path, json.dumps(entry), ""))
    assert key == Key(
        "A1", _ENTRY["question"], "answered", Decimal("0.10"), "EUR", Decimal(0), ("ardent",), ("€ 0.10",), ""
    )


@pytest.mark.parametrize("tolerance", ["0.05", 0.05])
def test_a_tolerance_may_be_text_or_number(tolerance: object) -> None:
    """Both forms give the same exact decimal."""
    assert key_of({**_ENTRY, "tolerance_abs": tolerance}).tolerance == Decimal("0.05")


def test_a_question_without_an_answer_needs_no_value() -> None:
    """Whatever stands in `value` of such a key is not read."""
    key = key_of({**_ENTRY, "expected": "not_found", "value": None, "unit": None})
    assert (key.value, key.unit) == (None, None)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"value": "about 7"}, "value"),
        ({"value": "NaN"}, "value"),
        ({"value": True}, "value"),
        ({"value": None}, "value"),
        ({"unit": ""}, "unit"),
        ({"expected": "maybe"}, "expected"),
        ({"question": None}, "question"),
        ({"quotes": [7]}, "quotes"),
        ({"tolerance_abs": "some"}, "tolerance_abs"),
    ],
)
def test_a_field_of_the_wrong_form_is_named_with_its_line(
    tmp_path: Path, change: dict[str, object], named: str
) -> None:
    """The error says which line and which field."""
    file = _written(tmp_path, json.dumps(_ENTRY), json.dumps({**_ENTRY, "id": "A2", **change}))
    with pytest.raises(KeyFileError, match=f"line 2: .*{named}"):
        read_keys(file)


@pytest.mark.parametrize("lines", [[], ["[]"], ["{"], [json.dumps(_ENTRY)] * 2])
def test_a_file_that_is_no_list_of_keys_is_refused(tmp_path: Path, lines: list[str]) -> None:
    """Empty, not objects, not JSON, the same id twice."""
    with pytest.raises(KeyFileError, match=r"keys\.jsonl"):
        read_keys(_written(tmp_path, *lines))


def test_the_projects_own_questions_are_keys() -> None:
    """They can be read, and both kinds are among them."""
    keys = read_keys(_OWN)
    assert {key.expected for key in keys} == {"answered", "not_found"}
    assert all(key.quotes and key.pages for key in keys if key.expected == "answered")
