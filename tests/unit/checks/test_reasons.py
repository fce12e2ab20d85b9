"""What a finding says of how it was found: the chain, the calls that took part, whose value it is."""

from __future__ import annotations

import base64
import codecs
from dataclasses import replace
from itertools import pairwise

import pytest
from doublethink_fingerprint import Pack
from doublethink_gate.checks import Decision, Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.checks.splits import _best_cover, _cover
from doublethink_gate.policy import Policy
from hypothesis import given
from hypothesis import strategies as st

_SPELLING = ("trio", "hound", "otter", "rhino", "newts", "quail", "urchin", "ibis", "lynx")


def judged(pack: Pack, policy: Policy, *queries: str) -> Decision:
    """The decision over the last query, after the earlier ones that were allowed."""
    state = SessionState()
    decision = Decision(Verdict.ALLOW)
    for query in queries:
        request = Request(RequestKind.QUERY, query.encode())
        decision = evaluate(request, (pack,), state, policy)
        state = state.attempted()
        if decision.verdict is Verdict.ALLOW:
            state = state.fold(request, pack)
    return decision


def b64(text: str) -> str:
    """The text in base64."""
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("query", "rule", "chain"),
    [
        ("see Thornquill", "secret.code.exact", ("exact", "letters")),
        (b64("Thornquill"), "secret.code.base64", ("base64", "exact", "letters")),
        (b64(b64("lliuqnrohT")), "secret.code.base64", ("base64", "base64", "reversed", "letters")),
        ("t h o r n q u i l l", "secret.code.spaced", ("spaced", "letters")),
        (codecs.encode("Thornquill", "rot13"), "secret.code.rot", ("rot", "letters")),
        ("three point six five billion pounds", "secret.number.words", ("words", "number")),
        ("about 3.65bn GBP", "secret.number.value", ("value", "number")),
        (b64("card 4111 1111 1111 1111 ok"), "pattern.card", ("base64",)),
        ("%4besterholm", "provenance.word", ("escapes",)),
        ("Kesterholm", "provenance.word", ()),
    ],
)
def test_a_finding_tells_its_chain(
    query: str, rule: str, chain: tuple[str, ...], pack: Pack, policy: Policy
) -> None:
    """Decoders come from the outside in, then the form of the value and the reading that found it."""
    findings = judged(pack, policy, query).findings
    assert chain in [finding.chain for finding in findings if finding.rule == rule]
    assert all(0 <= finding.start < finding.end <= len(query) for finding in findings)


@pytest.mark.parametrize(
    ("queries", "rule", "calls"),
    [
        (("thorn x", "weather", "quill y"), "split.code.pieces", (0,)),
        (("weather", "report thornqu", "ill and"), "split.code.joined", (1,)),
        (
            tuple(f"{word} is nice" for word in _SPELLING),
            "split.code.calls",
            tuple(range(8)),
        ),
        (
            ("weather", b64("Thornquill deal")[:8], "sport", b64("Thornquill deal")[8:]),
            "split.code.encoded",
            (1,),
        ),
        (("nice", "see t h", "see o r", "see n q", "see u i l l"), "split.code.calls", (1, 2, 3)),
    ],
)
def test_a_split_names_the_calls_that_took_part(
    queries: tuple[str, ...], rule: str, calls: tuple[int, ...], pack: Pack, policy: Policy
) -> None:
    """Every way over several calls says which earlier ones it needs, and not itself."""
    (finding,) = [finding for finding in judged(pack, policy, *queries).findings if finding.rule == rule]
    assert set(calls) <= set(finding.calls) <= set(range(len(queries) - 1))
    assert (finding.start, finding.end) == (0, len(queries[-1]))


def test_a_clue_from_an_earlier_call_is_named(pack: Pack, policy: Policy) -> None:
    """A short value that counts because of an earlier memo word says which call had it; one beside it in the same
    payload is no other call.
    """
    lenient = replace(
        policy, verdicts=tuple((k, "allow" if k == "provenance" else v) for k, v in policy.verdicts)
    )
    (finding,) = judged(pack, lenient, "weather", "Kesterholm news", "Vyx report").findings
    assert (finding.family, finding.calls, finding.size) == ("secret", (1,), "short")
    findings = judged(pack, lenient, "Vyx of Kesterholm").findings
    assert [(finding.family, finding.calls) for finding in findings] == [("secret", ())]


def test_a_value_of_another_session_is_marked(pack: Pack, other_pack: Pack, policy: Policy) -> None:
    """Whoever is told of a finding can see that it is not the session's own value."""
    request = Request(RequestKind.QUERY, b"see Thornquill")
    own = evaluate(request, (pack, other_pack), SessionState(), policy).findings
    other = evaluate(request, (other_pack, pack), SessionState(), policy).findings
    assert own
    assert other
    assert {finding.elsewhere for finding in own} == {False}
    assert {finding.elsewhere for finding in other} == {True}


@given(
    st.sets(
        st.tuples(st.integers(0, 12), st.integers(3, 8), st.booleans()).filter(
            lambda tile: tile[0] + tile[1] <= 14
        ),
        max_size=12,
    )
)
def test_the_tiles_told_are_a_cover(tiles: set[tuple[int, int, bool]]) -> None:
    """What is told of a cover is one: tiles that were there, at most six, apart, one uncommon, as long as the best."""
    best, told = _best_cover(tiles, 14), sorted(_cover(tiles, 14))
    if best < 0:
        return
    assert set(told) <= tiles
    assert len(told) <= 6
    assert all(one[0] + one[1] <= two[0] for one, two in pairwise(told))
    assert any(not common and length >= 4 for _, length, common in told)
    assert sum(length for _, length, _ in told) == best
