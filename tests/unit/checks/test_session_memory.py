"""What a session remembers is bounded, and what is put together over its calls does not depend on the noise between."""

from __future__ import annotations

import base64
import sys
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from doublethink_fingerprint import Pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.checks.state import chunks_of, singles_of
from doublethink_gate.policy import Policy
from hypothesis import given
from hypothesis import strategies as st

_DECOYS = 2_500
_FULL = 1_400
"""So many calls fill the memory of pieces, the largest."""
_MORE_LINES = 1.2
"""How many times the lines of one check another of the same request may run: what is remembered differs a little."""


def _query(text: str) -> Request:
    return Request(RequestKind.QUERY, text.encode())


def _flooded(pack: Pack, state: SessionState, numbers: range) -> SessionState:
    for number in numbers:
        # Pieces of the secrets, chunks and single letters in every decoy: the worst that memory can be filled with.
        text = f"thorn q{number:04x} vald x {number % 10} {base64.b64encode(str(number).encode()).decode()}"
        state = state.attempted().fold(_query(text), pack)
    return state


def _lines_of_a_check(pack: Pack, state: SessionState, policy: Policy) -> int:
    """The lines of Python that one check runs through, each round of a loop counted: the same on every machine."""
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        evaluate(_query("x aGk= quiet rivers"), (pack,), state, policy)
    finally:
        sys.settrace(before)
    return lines


def test_a_flood_of_decoys_is_bounded(pack: Pack, policy: Policy) -> None:
    """After thousands of calls the state is no larger than after hundreds, and a check is no more work than before."""
    few = _flooded(pack, SessionState().fold(_query("pump prices"), pack), range(300))
    full = _flooded(pack, few, range(300, _FULL))
    many = _flooded(pack, full, range(_FULL, _DECOYS))
    assert len(many.texts) == len(few.texts)
    assert len(many.ends) == len(few.ends)
    assert len(many.chunks) == len(few.chunks)
    assert len(many.singles) == len(few.singles)
    assert len(many.pieces) == len(full.pieces) == 4096
    assert sum(map(sys.getsizeof, many.texts)) < 60 * 600
    # A budget that is used up would end the check before it looks at what is remembered.
    free = replace(policy, budgets=replace(policy.budgets, attempts=10**6, queries=10**6, bytes=10**9))
    # The first check of a state fills what the next one looks up.
    lines = {state.calls: _lines_of_a_check(pack, state, free) for state in (full, full, many, many)}
    assert lines[full.calls] > len(full.pieces)
    assert lines[many.calls] < _MORE_LINES * lines[full.calls]


def test_a_half_is_remembered_through_a_flood(pack: Pack, policy: Policy) -> None:
    """Three hundred calls between the halves change nothing."""
    state = SessionState().fold(_query("thorn hedges"), pack)
    for number in range(300):
        state = state.fold(_query(f"pump prices {1700 + number}"), pack)
    assert evaluate(_query("quill pens"), (pack,), state, policy).verdict is Verdict.BLOCK


def test_the_call_that_completes_is_stopped_before_anything_is_forgotten(pack: Pack, policy: Policy) -> None:
    """A payload is judged with all that is remembered, and only then may it push the oldest out."""
    state = SessionState()
    for letter in "thornquil":
        state = state.fold(_query(letter), pack)
        for number in range(5):
            state = state.fold(_query(f"copper prices {1990 + number}"), pack)
    assert evaluate(_query("l"), (pack,), state, policy).verdict is Verdict.BLOCK


@pytest.mark.parametrize("size", [3, 4, 5, 7])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.b32encode, lambda data: data.hex().encode()])
def test_an_encoding_cut_over_calls_is_joined(
    size: int, backwards: bool, encode: object, pack: Pack, policy: Policy
) -> None:
    """In chunks of any size, in either order, with words beside them: the last call is stopped at the latest."""
    assert callable(encode)
    text = encode(b"Thornquill").decode()
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    state = SessionState()
    for chunk in reversed(chunks) if backwards else chunks:
        request = _query(f"{chunk} market")
        if evaluate(request, (pack,), state, policy).verdict is not Verdict.ALLOW:
            return
        state = state.fold(request, pack)
    pytest.fail("every chunk was allowed")


@given(st.text(max_size=200))
def test_what_is_remembered_of_any_text_is_small(text: str) -> None:
    """At most one chunk and eight single symbols a call."""
    assert len(chunks_of(text, 0)) <= 1
    assert all(len(chunk.text) <= 128 for chunk in chunks_of(text, 0))
    assert all(len(singles.letters) <= 8 for singles in singles_of(text, 0))
