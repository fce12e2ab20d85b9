"""`prove` over JSON lines: three verdicts, bad lines answered and passed over."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from doublethink_validator import prove
from doublethink_validator.prove import lines_of, prove_lines
from sim.pagetexts import BALANCE, INCOME


def _line(claim: dict[str, Any] | None = None, **changes: Any) -> str:
    said = {
        "value": "1,204.5",
        "scale": "million",
        "unit": "$",
        "period": "Three Months Ended June 30, 2024",
        "period_kind": "duration",
        "direction": "none",
        "flags": [],
    } | (claim or {})
    text = INCOME.text()
    row = next(line for line in text.split("\n") if line.startswith("Net sales"))
    item = {"id": "a", "page_text": text, "quote": row, "heading_quotes": [INCOME.scale], "claim": said}
    return json.dumps(item | changes)


def _answer(line: str) -> dict[str, Any]:
    (answer,) = prove_lines([line])
    return json.loads(answer)  # type: ignore[no-any-return]  # an object, as written


def test_a_true_claim_is_found() -> None:
    """Quote, value, scale, unit and period of one cell."""
    assert _answer(_line())["verdict"] == "found"


def test_a_text_needs_no_title() -> None:
    """Text from elsewhere may begin with the sentence that is quoted, and end without a line's end."""
    sentence = "Net sales were $4.2 billion in fiscal 2024."
    claim = {"value": "4.2", "scale": "billion", "unit": "$", "period": "fiscal 2024"}
    answer = _answer(_line(claim, page_text=sentence, quote=sentence, heading_quotes=[]))
    assert answer["verdict"] == "found"
    claim["value"] = "4.3"
    assert (
        _answer(_line(claim, page_text=sentence, quote=sentence, heading_quotes=[]))["verdict"] == "not_found"
    )


def test_the_full_value_may_stand_without_a_scale() -> None:
    """A value in base units, scale null, or a multiplier for the scale."""
    assert _answer(_line({"value": "1204500000", "scale": None}))["verdict"] == "found"
    assert _answer(_line({"scale": "1000000"}))["verdict"] == "found"


def test_a_quote_may_run_from_the_heading_to_the_row() -> None:
    """A table quote that begins with its heading rows is of its last row."""
    text = INCOME.text()
    start = text.index("\tThree Months")
    end = text.index("\n", text.index("Net sales\t"))
    assert _answer(_line(quote=text[start:end].strip()))["verdict"] == "found"


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ({"value": "1,204.6"}, "value_absent"),
        ({"unit": "USD"}, "unit_differs"),
        ({"scale": "billion"}, "scale_differs"),
        ({"period": "Six Months Ended June 30, 2024"}, "period_differs"),
        ({"period_kind": "instant"}, "period_differs"),
        ({"flags": ["guidance"]}, "flags_differ"),
    ],
)
def test_a_false_claim_is_not_found(claim: dict[str, Any], why: str) -> None:
    """The verdict says not found, and why."""
    answer = _answer(_line(claim))
    assert (answer["verdict"], answer["why"]) == ("not_found", why)


def test_what_could_be_two_things_cannot_be_checked() -> None:
    """An amount over which no scale is stated."""
    text = INCOME.text().replace(INCOME.scale, "(unaudited)")
    answer = _answer(_line(page_text=text, heading_quotes=[]))
    assert (answer["verdict"], answer["why"]) == ("cannot_check", "scale_unknown")


def test_a_balance_is_a_moment() -> None:
    """The kind of the period is checked against the page's."""
    text = BALANCE.text()
    row = next(line for line in text.split("\n") if line.startswith("Total assets"))
    claim = {"value": "976,270", "scale": "thousand", "period": "June 30, 2024", "period_kind": "instant"}
    assert _answer(_line(claim, page_text=text, quote=row, heading_quotes=[]))["verdict"] == "found"
    claim["period_kind"] = "duration"
    assert _answer(_line(claim, page_text=text, quote=row, heading_quotes=[]))["verdict"] == "not_found"


def test_bad_lines_are_answered_and_the_rest_goes_on() -> None:
    """Each line that cannot be read gets an error of its own, and the good one after them its verdict."""
    bad = ["nonsense", "[]", '{"id": 1}', _line({"unit": 5}), _line({"flags": ["negated"]}), _line(extra=1)]
    answers = [json.loads(answer) for answer in prove_lines([*bad, "", _line()])]
    assert [("error" in answer) for answer in answers] == [True] * len(bad) + [False]
    assert answers[-1]["verdict"] == "found"


class _Stream(io.BytesIO):
    """Notes the longest piece that was asked for."""

    most = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read as BytesIO does."""
        assert size is not None
        assert size >= 0, "an unbounded read"
        piece = super().readline(size)
        self.most = max(self.most, len(piece))
        return piece


@pytest.mark.parametrize("more", [0, 1, 2, 300])
def test_a_line_without_an_end_is_never_held(monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    """What is beyond the bound is passed over in pieces, and the next line is proven."""
    good = _line()
    bound = len(good.encode()) + 1
    monkeypatch.setattr(prove, "MAX_LINE_BYTES", bound)
    stream = _Stream(b"x" * (bound + more) + b"\n" + good.encode() + b"\n\xff\n" + good.encode())
    answers = [json.loads(answer) for answer in prove_lines(lines_of(stream))]
    assert [answer.get("verdict", "error") for answer in answers] == ["error", "found", "error", "found"]
    assert stream.most <= bound + 1
