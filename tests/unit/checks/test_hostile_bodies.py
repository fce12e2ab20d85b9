"""Payloads that are made to cost time or memory are refused, each by a bound that is counted and not timed."""

from __future__ import annotations

import json

import pytest
from doublethink_fingerprint import Pack, bounded_work
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.checks.container import open_container
from doublethink_gate.policy import Policy

FIELDS = 20_000
"""The most strings of JSON and fields of a form that are taken apart."""


def _json(value: object) -> Request:
    return Request(RequestKind.BODY, json.dumps(value).encode(), content_type="application/json")


@pytest.mark.parametrize("more", [0, 1])
def test_fields_are_taken_apart_up_to_a_number(more: int) -> None:
    """The last number of fields that is opened, and the first that is not, in JSON and in a form."""
    refused = "unreadable.budget" if more else None
    assert open_container(_json(["x"] * (FIELDS + more))).refused == refused
    form = "&".join(["a=b"] * (FIELDS + more)).encode()
    request = Request(RequestKind.BODY, form, content_type="application/x-www-form-urlencoded")
    assert open_container(request).refused == refused


@pytest.mark.parametrize("more", [0, 1])
def test_brackets_are_nested_up_to_a_depth(more: int) -> None:
    """Brackets in strings do not count; those outside do, whatever stands between them."""
    depth = 64 + more
    text = '{"a[[[[": ' * (depth // 2) + "[" * (depth - depth // 2) + '"]]]]{\\"["'
    text += "]" * (depth - depth // 2) + "}" * (depth // 2)
    request = Request(RequestKind.BODY, text.encode(), content_type="application/json")
    assert open_container(request).refused == ("shape.json" if more else None)


def test_a_key_is_told_from_a_value_by_its_colon(pack: Pack, policy: Policy) -> None:
    """White space before the colon changes nothing: what is cut over values is joined without the keys."""
    text = '{"one" \n:"thorn", "two"\t: "quill"}'
    request = Request(RequestKind.BODY, text.encode(), content_type="application/json")
    views = {view.chain[-1]: view.text for view in open_container(request).more}
    assert (views["values"].strip(), views["keys"].strip()) == ("thornquill", "onetwo")
    assert evaluate(request, (pack,), SessionState(), policy).verdict is Verdict.BLOCK


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (Request(RequestKind.URL, b"https://a.example/" + b"?" * 100_000), "shape.size"),
        (Request(RequestKind.QUERY, b"pump " * 100_000), "shape.length"),
    ],
)
def test_what_is_too_large_is_not_opened(request_: Request, rule: str, pack: Pack, policy: Policy) -> None:
    """Neither an address nor a query beyond its size is looked at."""
    assert evaluate(request_, (pack,), SessionState(), policy).rules == (rule,)


def test_a_payload_as_sent_costs_no_more_to_remember_than_to_check(pack: Pack) -> None:
    """Public text in a body may cost more to take apart than a check may: it is counted, and gives no pieces."""
    costly = "алфа abвгд " * 20_000
    request = Request(RequestKind.BODY, costly.encode(), content_type="text/plain")
    state = SessionState().fold(request, pack)
    assert (state.calls, state.pieces) == (1, ())
    # The bound is its own: what is around it is neither used up nor raised.
    with bounded_work(10):
        assert SessionState().fold(request, pack) == state
