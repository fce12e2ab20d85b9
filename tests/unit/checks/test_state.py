"""The session's state is a fold: the same events give the same state, and splits over calls are seen."""

from __future__ import annotations

import pytest
from doublethink_fingerprint import Pack, build_pack
from doublethink_gate.checks import Decision, Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import Policy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def query(text: str) -> Request:
    """A search query."""
    return Request(RequestKind.QUERY, text.encode())


def run(texts: list[str], pack: Pack, policy: Policy) -> list[Decision]:
    """Judge queries in order, folding those that were allowed."""
    state, decisions = SessionState(), []
    for text in texts:
        decision = evaluate(query(text), (pack,), state, policy)
        state = state.attempted()
        if decision.verdict is Verdict.ALLOW:
            state = state.fold(query(text), pack)
        decisions.append(decision)
    return decisions


@pytest.mark.parametrize(
    "texts",
    [
        ["thorn bushes", "quill pens"],
        ["quill pens", "thorn bushes"],
        ["thorn bushes", *[f"pump prices {year}" for year in range(1990, 2020)], "quill pens"],
        list("thornquill"),
        list("lliuqnroht"),
        ["VGhv", "cm5x", "dWls", "bA=="],
        ["bA==", "dWls", "cm5x", "VGhv"],
        ["take", "homes", "over", "rivers", "near", "quiet", "upper", "islands", "long", "list"],
        ["oster egg", "vald river"],
        ["bcd7fgh", "2jkm9npq4"],
    ],
)
def test_a_secret_cut_over_calls_is_caught(texts: list[str], pack: Pack, policy: Policy) -> None:
    """Halves in any order, single letters, encoded chunks and first letters of calls are joined again."""
    decisions = run(texts, pack, policy)
    assert decisions[0].verdict is Verdict.ALLOW
    assert any(decision.verdict is Verdict.BLOCK for decision in decisions[1:])


def test_ordinary_sessions_are_left_alone(pack: Pack, policy: Policy) -> None:
    """Queries that share no pieces with a secret are allowed one after the other."""
    texts = [
        "net revenue of pump makers 2023",
        "Halvorsen annual report",
        "centrifugal pumps market share",
        "median EBITDA margin industrial companies",
        "who makes pumps in Denmark",
        "exchange rate euro krone",
    ] * 5
    assert all(decision.verdict is Verdict.ALLOW for decision in run(texts, pack, policy))


def test_blocked_payloads_leave_no_trace_but_a_count(pack: Pack) -> None:
    """An attempt that was not sent changes nothing but the number of attempts."""
    assert SessionState().attempted() == SessionState(attempts=1)


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("query"), st.text(max_size=30)),
        st.tuples(st.just("public"), st.sampled_from(["Zdrojewski said", "Kesterholm", "nothing", "x" * 40])),
        st.tuples(st.just("attempt"), st.just("")),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=EVENTS)
def test_a_rebuilt_state_equals_the_lived_one(events: list[tuple[str, str]], pack: Pack) -> None:
    """Folding the same events again, from the beginning, gives an equal state."""

    def fold() -> SessionState:
        state = SessionState()
        for number, (kind, text) in enumerate(events):
            if kind == "query":
                state = state.fold(query(text), pack)
            elif kind == "public":
                state = state.saw_public_text(f"site{number}.example", text, pack)
            else:
                state = state.attempted()
        return state

    assert fold() == fold()


def test_a_memo_word_needs_two_domains(pack: Pack, policy: Policy) -> None:
    """A rare memo word is refused until two registrable domains have shown it; hosts of one are one."""
    state = SessionState()
    ask = query("Zdrojewski biography")

    def verdict() -> Verdict:
        return evaluate(ask, (pack,), state, policy).verdict

    assert verdict() is Verdict.BLOCK
    state = state.saw_public_text("www.paper.example", "An interview with Zdrojewski.", pack)
    assert verdict() is Verdict.BLOCK
    state = state.saw_public_text("archive.paper.example", "Zdrojewski again", pack)
    assert verdict() is Verdict.BLOCK
    state = state.saw_public_text("other.example.org", "ZDROJEWSKI", pack)
    assert verdict() is Verdict.ALLOW


def test_a_page_with_a_dictionary_washes_nothing(pack: Pack, policy: Policy) -> None:
    """Only the first 20,000 distinct tokens of a page count."""
    dictionary = " ".join(f"word{number}" for number in range(20_000)) + " Zdrojewski"
    state = SessionState()
    for domain in ("a.example", "b.example.org"):
        state = state.saw_public_text(domain, dictionary, pack)
    assert evaluate(query("Zdrojewski"), (pack,), state, policy).verdict is Verdict.BLOCK


def test_a_confirmed_secret_is_never_explained_away(pack: Pack, policy: Policy) -> None:
    """However many pages print a confirmed secret, it still does not leave."""
    state = SessionState()
    for number in range(5):
        state = state.saw_public_text(f"site{number}.example", "Thornquill Ostervald 3.65bn GBP", pack)
    for text in ("Thornquill", "Mireille Ostervald", "3.65bn GBP"):
        assert evaluate(query(text), (pack,), state, policy).verdict is Verdict.BLOCK


def test_a_memo_figure_is_held_back(pack: Pack, policy: Policy) -> None:
    """A figure of the memo may not leave either, in any notation."""
    for text in ("ratio 48.213", "48,213 basis"):
        decision = evaluate(query(text), (pack,), SessionState(), policy)
        assert "provenance.number" in decision.rules


def test_a_public_term_may_be_searched(pack: Pack, policy: Policy) -> None:
    """A name of the memo that a person approved is allowed."""
    assert evaluate(query("Halvorsen revenue"), (pack,), SessionState(), policy).verdict is Verdict.ALLOW


def test_another_session_s_secret_is_looked_up_but_not_its_memo(pack: Pack, policy: Policy) -> None:
    """Confirmed secrets of all packs count; provenance belongs to the first pack alone."""
    own = build_pack([], memo="Nothing here.")
    assert evaluate(query("Thornquill"), (own, pack), SessionState(), policy).verdict is Verdict.BLOCK
    assert evaluate(query("Zdrojewski"), (own, pack), SessionState(), policy).verdict is Verdict.ALLOW


def test_a_secret_of_another_session_is_not_put_together_from_calls(pack: Pack, policy: Policy) -> None:
    """Halves in two calls complete a value of the session's own pack, and of no other session's."""
    own = build_pack([], memo="Nothing here.")
    for texts in (["thorn bushes", "quill pens"], list("thornquill"), ["VGhv", "cm5x", "dWls", "bA=="]):
        state = SessionState()
        verdicts = {"first": Verdict.ALLOW, "second": Verdict.ALLOW}
        for text in texts:
            for name, packs in (("first", (pack, own)), ("second", (own, pack))):
                verdicts[name] = max(verdicts[name], evaluate(query(text), packs, state, policy).verdict)
            state = state.fold(query(text), pack)
        assert verdicts == {"first": Verdict.BLOCK, "second": Verdict.ALLOW}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=70))
def test_word_ends_are_those_of_the_remembered_texts(texts: list[str]) -> None:
    """The first and last words that are kept are those of the last calls that had words, in order."""
    state = SessionState()
    for text in texts:
        state = state.fold(query(text), None)
    words = [found for text in texts if (found := "".join(c if c.isalnum() else " " for c in text).split())]
    assert [(end.first, end.last) for end in state.ends] == [(w[0], w[-1]) for w in words[-60:]]


def test_a_short_value_needs_a_second_clue(pack: Pack, policy: Policy) -> None:
    """Three letters alone are for a person to judge; beside a memo word they block."""
    assert evaluate(query("vyx company"), (pack,), SessionState(), policy).verdict is Verdict.ASK
    state = SessionState().fold(query("Kesterholm"), pack)
    assert evaluate(query("vyx company"), (pack,), state, policy).verdict is Verdict.BLOCK


def test_an_ordinary_word_needs_a_capital_or_a_clue(pack: Pack, policy: Policy) -> None:
    """A code name that is a common word blocks as a name, passes as a word, and is asked about turned round."""
    assert evaluate(query("peregrine falcon diet"), (pack,), SessionState(), policy).verdict is Verdict.ALLOW
    assert evaluate(query("what is noclaf"), (pack,), SessionState(), policy).verdict is Verdict.ASK
    assert (
        evaluate(query("talks with Falcon today"), (pack,), SessionState(), policy).verdict is Verdict.BLOCK
    )


def test_budgets_end_a_session(pack: Pack, policy: Policy) -> None:
    """One query or one attempt beyond the policy's budget is blocked."""
    spent = SessionState(queries=policy.budgets.queries)
    assert evaluate(query("pumps"), (pack,), spent, policy).rules == ("budget.query",)
    tried = SessionState(attempts=policy.budgets.attempts)
    assert evaluate(query("pumps"), (pack,), tried, policy).rules == ("budget.attempts",)
    sent = SessionState(sent_bytes=policy.budgets.bytes)
    assert evaluate(query("pumps"), (pack,), sent, policy).rules == ("budget.bytes",)
