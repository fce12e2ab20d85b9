"""The answer of a model is parsed strictly: every bad kind is refused, and a bad claim refuses the whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from doublethink_figures import Direction, Flag
from doublethink_reader.claims import MAX_CLAIMS, to_message
from doublethink_reader.completion import parse_answer
from doublethink_reader.errors import AnswerRefused
from hypothesis import given, settings
from hypothesis import strategies as st

PAGES = ("pag_" + "a" * 26, "pag_" + "b" * 26)


def _claim(**changes: Any) -> dict[str, Any]:
    return {
        "page": 1,
        "quote": "Net sales\t$ 1,204.5",
        "heading_quotes": ["(in millions)"],
        "value": "1,204.5",
        "scale": "in millions",
        "unit": "$",
        "period": "Three Months Ended June 30, 2024",
        "direction": "none",
        "flags": ["non_gaap"],
    } | changes


def _answer(*claims: dict[str, Any]) -> str:
    return json.dumps({"claims": list(claims)})


def test_a_good_answer_becomes_claims() -> None:
    """Page number to id, direction and flags to their members; the quote stays as the model gave it."""
    (claim,) = parse_answer(_answer(_claim(page=2)), PAGES)
    assert claim.page_id == PAGES[1]
    assert claim.quote == "Net sales\t$ 1,204.5"
    assert (claim.scale, claim.direction, claim.flags) == (
        "millions",
        Direction.NONE,
        frozenset({Flag.NON_GAAP}),
    )


def test_an_empty_answer_is_no_claims() -> None:
    """A model that found nothing says so with an empty list."""
    assert parse_answer('{"claims": []}', PAGES) == ()


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot help with that.",
        '{"claims": [',
        "[]",
        "null",
        '{"claims": {}}',
        '{"claims": [], "note": "done"}',
        '{"claims": [1]}',
        '{"claims": [], "claims": []}',
        '```json\n{"claims": []}\n```',
        _answer(_claim(page=0)),
        _answer(_claim(page=3)),
        _answer(_claim(page=True)),
        _answer(_claim(page="1")),
        _answer(_claim(value=1204.5)),
        _answer(_claim(direction="sideways")),
        _answer(_claim(flags=["negated"])),
        _answer(_claim(flags="about")),
        _answer(_claim(heading_quotes=[1])),
        _answer(_claim(confidence=0.99)),
        _answer({"page": 1}),
        _answer(_claim(), _claim(page=9)),
        '{"claims": [{"page": NaN}]}',
        "[" * 100_000,
    ],
)
def test_every_bad_kind_of_answer_is_refused(answer: str) -> None:
    """Refusals, broken JSON, other shapes, unknown keys and members, pages that were not given."""
    with pytest.raises(AnswerRefused):
        parse_answer(answer, PAGES)


def test_an_answer_without_end_is_refused_and_many_claims_are_cut() -> None:
    """Bounds hold on both the bytes and the number of claims."""
    with pytest.raises(AnswerRefused):
        parse_answer(_answer(_claim(quote="x" * 300_000)), PAGES)
    assert (
        len(parse_answer(_answer(*[_claim(quote="q", period="")] * (MAX_CLAIMS + 50)), PAGES)) == MAX_CLAIMS
    )


def test_an_invented_quote_passes() -> None:
    """Whether a quote stands on the page is not this reader's question."""
    (claim,) = parse_answer(_answer(_claim(quote="Never written anywhere.")), PAGES)
    assert claim.quote == "Never written anywhere."


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": ""},
        {"value": ""},
        {"unit": ""},
        {"quote": "x" * 4001},
        {"value": "1" * 65},
        {"period": "p" * 201},
        {"scale": "s" * 33},
    ],
)
def test_a_claim_that_the_contract_cannot_hold_is_left_out(changes: dict[str, Any]) -> None:
    """An over-long or empty field gives no message, and no error of the call."""
    (claim,) = parse_answer(_answer(_claim(**changes)), PAGES)
    assert to_message(claim) is None


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from([*_claim(), "claims", "x"]), inner, max_size=9)
        ),
        max_leaves=12,
    )
)
def test_any_json_is_parsed_or_refused(document: object) -> None:
    """Nothing but claims or the one refusal comes out, whatever a model answers."""
    try:
        claims = parse_answer(json.dumps(document), PAGES)
    except AnswerRefused:
        return
    assert isinstance(claims, tuple)
