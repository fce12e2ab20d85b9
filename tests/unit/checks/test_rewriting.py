"""Rewriting: the smallest change, nothing of a detail left, judged from the start; else blocked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doublethink_fingerprint import Pack
from doublethink_gate.checks import Decision, Request, RequestKind, SessionState, Verdict, decide, evaluate
from doublethink_gate.checks.rewriting.cutting import Detail, cut
from doublethink_gate.checks.rewriting.rewrite import asks_enough
from doublethink_gate.policy import Policy, default_policy
from hypothesis import given, settings
from hypothesis import strategies as st

CANARY = "bcd7fgh2jkm9npq4rst6"

QUESTIONS = (
    "which documents does a hail damage claim need",
    "What is the deductible for flood damage?",
    "side effects of metformin with amoxicillin",
    "How do I dispute a charge on a stolen card?",
    "notice period for rental contracts in Germany",
)
DETAILS = {
    "123-45-6789": "ssn",
    "4111 1111 1111 1111": "card",
    "4111111111111111": "card",
    "DE89 3704 0044 0532 0130 00": "iban",
    "DE89370400440532013000": "iban",
    "m.rossi@mail.example": "email",
    "+49 30 1234567": "phone",
    "212-555-0187": "phone_us",
}
LEADS = (
    "",
    " ",
    " for ",
    " of patient ",
    ", my number is ",
    " (",
    ": ",
    ". Reach me at ",
    " and ",
    " - ",
    '"',
    " mail ",
)
ENDS = ("", " ", ")", ".", "?", " please", ", thanks", '"', " in Ohio", "'s")


def _query(text: str) -> Request:
    return Request(RequestKind.QUERY, text.encode())


def ask(text: str, pack: Pack, policy: Policy, state: SessionState | None = None) -> Decision:
    """The decision over a query."""
    return decide(_query(text), (pack,), state or SessionState(), policy)


def lenient(policy: Policy, *families: str) -> Policy:
    """A policy that rewrites some more families."""
    given = dict(policy.verdicts) | dict.fromkeys(families, "rewrite")
    return replace(policy, verdicts=tuple(given.items()))


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("What is the dosage of warfarin for patient 123-45-6789?", "What is the dosage of warfarin?"),
        ("My SSN is 123-45-6789. What is the flood deductible?", "What is the flood deductible?"),
        ("what is the flood deductible my SSN is 123-45-6789", "what is the flood deductible"),
        ("does my card 4111 1111 1111 1111 work abroad", "does my card work abroad"),
        ("what happens to my card number 4111111111111111 if stolen", "what happens to my card if stolen"),
        ("transfer fees from DE89370400440532013000 to a US bank", "transfer fees to a US bank"),
        ("is DE89 3704 0044 0532 0130 00 covered abroad", "is an account covered abroad"),
        ("Is mould covered? You can reach me at +49 30 1234567 or m@mail.example.", "Is mould covered?"),
        ("email: a@b.example, phone: +49 30 1234567 - what is the notice period", "what is the notice period"),
        ("Hail damage: which forms (for m.rossi@mail.example)?", "Hail damage: which forms?"),
        ("Should I (SSN 123-45-6789) take the shingles vaccine?", "Should I take the shingles vaccine?"),
        ("rash on penicillin, patient id 123-45-6789, which dose", "rash on penicillin, which dose"),
        ("My name is Peter Moss, SSN 123-45-6789. Is mould covered at all?", "Is mould covered at all?"),
        ('payment terms of "m.rossi@mail.example" for pump orders', "payment terms for pump orders"),
        ("Is mould covered? Born 3.2.1961, I live at 12 Maple Street.", "Is mould covered?"),
        ("dose of lithium for patient Jo Moss Born 3.2.1961, SSN 123-45-6789", "dose of lithium"),
        ("where did darwin live, for m.rossi@mail.example", "where did darwin live"),
        ("where did darwin live for m.rossi@mail.example", "where did darwin live"),
    ],
)  # fmt: skip
def test_the_words_that_lead_up_to_a_detail_go_with_it(
    asked: str, left: str, pack: Pack, policy: Policy
) -> None:
    """And no others; the sentence stays one."""
    decision = ask(asked, pack, policy)
    assert decision.verdict is Verdict.REWRITE
    assert (decision.rewritten or b"").decode() == left


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("Can Mireille Ostervald claim for water damage?", "Can a person claim for water damage?"),
        ("hip recovery time of client Thornquill", "hip recovery time"),
        ("hip recovery time of them Mireille Ostervald", "hip recovery time of them"),
        ("hip replacement recovery time for Mireille Ostervald", "hip replacement recovery time"),
        ("Mireille Ostervald's hip replacement recovery time", "hip replacement recovery time"),
        ("how does Thornquill value pump makers", "how does a project value pump makers"),
        ("pump makers and Thornquill merger synergies", "pump makers and merger synergies"),
    ],
)
def test_confirmed_values_go_where_a_policy_says_so(
    asked: str, left: str, pack: Pack, policy: Policy
) -> None:
    """By the shipped policy they block; a class word stands where the sentence would break."""
    assert ask(asked, pack, policy).verdict is Verdict.BLOCK
    decision = ask(asked, pack, lenient(policy, "secret", "uncertain", "provenance"))
    assert (decision.verdict, (decision.rewritten or b"").decode()) == (Verdict.REWRITE, left)


@settings(max_examples=150, deadline=None)
@given(
    question=st.sampled_from(QUESTIONS),
    details=st.lists(
        st.tuples(st.sampled_from(LEADS), st.sampled_from(sorted(DETAILS)), st.sampled_from(ENDS), st.integers(0, 8)),
        min_size=1,
        max_size=3,
    ),
)  # fmt: skip
def test_what_goes_out_is_clean_and_shorter(question: str, details: list[tuple[str, str, str, int]]) -> None:
    """However details stand in a question: what is left has no finding, is shorter, says nothing of a detail, has no
    word that was not there but a class word, and is left as it is when it is asked again."""
    words = question.split(" ")
    for lead, detail, end, at in details:
        words.insert(at, f"{lead}{detail}{end}".strip() if at < len(words) else f"{lead}{detail}{end}")
    text = " ".join(words)
    decision = decide(_query(text), (), SessionState(), default_policy())
    if decision.rewritten is None:
        assert decision.verdict in (Verdict.BLOCK, Verdict.ALLOW)
        return
    left = decision.rewritten.decode()
    assert evaluate(_query(left), (), SessionState(), default_policy()).verdict is Verdict.ALLOW
    again = decide(_query(left), (), SessionState(), default_policy())
    assert (again.verdict, again.rewritten) == (Verdict.ALLOW, None)
    assert len(decision.rewritten) < len(text.encode())
    assert not [detail for _, detail, _, _ in details if detail in left]
    class_words = {"a", "an", "number", "card", "account", "address", "it"}
    assert set(_words(left)) <= set(_words(text)) | class_words


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(alphabet="ab .,;?!()'\"-:\n Äé漢@1", max_size=60),
    spans=st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=5),
)
def test_cutting_never_lengthens_and_never_joins(text: str, spans: list[tuple[int, int]]) -> None:
    """For any text and any places in it: the result is not longer, ends, and has no word that was not a word before."""
    details = [
        Detail(min(start, len(text)), min(start + size, len(text)), "a thing") for start, size in spans
    ]
    left = cut(text, [detail for detail in details if detail.start < detail.end])
    assert len(left) <= len(text)
    assert set(_words(left)) <= set(_words(text)) | {"a", "thing", "it"}


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text).split()


def test_letters_without_an_end_behind_a_detail_are_no_label() -> None:
    """A label has a whole mark behind it; a long run of letters has one reading, where the ways to cut it into words
    are some hundred million.
    """
    detail = Detail(0, 11, "a person")
    letters = "a" * 360
    assert cut(f"123-45-6789 is my number, {letters}", [detail]) == letters
    assert cut(f"123-45-6789 is my {letters}%", [detail]).endswith(f"is my {letters}%")


def test_a_detail_inside_a_word_takes_the_whole_word() -> None:
    """What stood on either side of it never becomes one word."""
    assert cut("pump makers norXXXdwind today", [Detail(15, 18, "it")]) == "pump makers today"


@pytest.mark.parametrize(
    "text",
    [
        "pump makers Thorn 123-45-6789 quill merger",
        "pump makers Thorn a.b@mail.example quill merger",
        "pump makers Thorn (SSN 123-45-6789) quill merger",
        "makers of Oster 4111 1111 1111 1111 vald pumps",
    ],
)
def test_a_secret_that_would_come_together_is_blocked(text: str, pack: Pack, policy: Policy) -> None:
    """What is left is judged from the start, and the answer is that to what was asked."""
    for rules in (policy, lenient(policy, "secret", "provenance", "uncertain")):
        decision = ask(text, pack, rules)
        if decision.verdict is Verdict.REWRITE:
            # Where a policy takes confirmed values out too, the next round does.
            left = (decision.rewritten or b"").decode().lower()
            assert rules is not policy
            assert not any(piece in left for piece in ("thorn", "quill", "oster", "vald"))
        else:
            assert (decision.verdict, decision.rewritten) == (Verdict.BLOCK, None)


def test_a_canary_is_never_rewritten(pack: Pack, policy: Policy) -> None:
    """Not whole, not in part, not beside a detail, whatever the policy says of everything else."""
    everything = lenient(policy, "secret", "uncertain", "pattern", "provenance")
    for text in (
        f"hail damage claim documents {CANARY}",
        f"hail damage claim documents {CANARY[:12]}",
        f"hail damage claim documents for patient 123-45-6789 {CANARY}",
        f"hail damage claim documents {CANARY[:10]} and also {CANARY[10:]}",
    ):
        decision = ask(text, pack, everything)
        assert (decision.verdict, decision.rewritten) == (Verdict.BLOCK, None), text


@pytest.mark.parametrize(
    "text",
    [
        "hail damage claim documents MTIzLTQ1LTY3ODk=",
        "hail damage claim documents 3132332d34352d36373839",
        "hail damage claim documents m%2Erossi%40mail%2Eexample",
    ],
)
def test_what_was_found_behind_a_decoder_is_not_rewritten(text: str, pack: Pack, policy: Policy) -> None:
    """Somebody hid it: the place in the text is not the detail, and the request is blocked."""
    decision = ask(text, pack, policy)
    assert (decision.verdict, decision.rewritten) == (Verdict.BLOCK, None)
    assert any(rule.startswith("pattern.") for rule in decision.rules)


def test_a_value_that_comes_together_over_calls_is_not_rewritten(pack: Pack, policy: Policy) -> None:
    """It has no place in this payload."""
    everything = lenient(policy, "secret", "uncertain", "pattern", "provenance")
    state = SessionState().attempted().fold(Request(RequestKind.QUERY, b"thorn bushes in hedges"), pack)
    decision = ask("quill pens and paper", pack, everything, state)
    assert decision.verdict is Verdict.BLOCK
    assert any(rule.startswith("split.") for rule in decision.rules)


@pytest.mark.parametrize(
    "text",
    ["who is 123-45-6789", "123-45-6789", "m.rossi@mail.example or +49 30 1234567", "call 212-555-0187"],
)
def test_what_is_no_question_any_more_is_blocked(text: str, pack: Pack, policy: Policy) -> None:
    """Fewer than two words that say something are none; each finding is said to block."""
    decision = ask(text, pack, policy)
    assert {decision.verdict, *(finding.verdict for finding in decision.findings)} == {Verdict.BLOCK}


def test_half_of_what_was_asked_is_not_the_same_question() -> None:
    """Where less than half of the words that say something is left, it is another one."""
    asked = b"alpha bravo charlie delta echo foxtrot"
    assert asks_enough(asked, (), b"alpha bravo charlie")
    assert not asks_enough(asked, (), b"alpha bravo")


@pytest.mark.parametrize(
    ("kind", "payload", "content_type"),
    [
        (RequestKind.URL, b"https://shop.example/q?mail=m.rossi@mail.example", None),
        (RequestKind.BODY, b'{"query": "hail damage for 123-45-6789"}', "application/json"),
        (RequestKind.BODY, b"hail damage for 123-45-6789", "text/plain"),
    ],
)
def test_bodies_and_addresses_are_blocked(
    kind: RequestKind, payload: bytes, content_type: str | None, pack: Pack, policy: Policy
) -> None:
    """A program reads them: cut, they say another thing."""
    request = Request(kind, payload, content_type)
    decision = decide(request, (pack,), SessionState(), policy)
    assert (decision.verdict, decision.rewritten) == (Verdict.BLOCK, None)


def test_a_blocked_finding_beside_it_blocks(pack: Pack, policy: Policy) -> None:
    """With every reason; nothing is rewritten where something else may not go."""
    decision = ask("Thornquill offer for patient 123-45-6789", pack, policy)
    assert decision.verdict is Verdict.BLOCK
    assert {"secret.code.exact", "pattern.ssn"} <= set(decision.rules)


def test_another_sessions_value_is_not_rewritten(pack: Pack, other_pack: Pack, policy: Policy) -> None:
    """What is missing from the query that was sent would tell whose owner it is not."""
    everything = lenient(policy, "secret", "uncertain", "provenance")
    request = Request(RequestKind.QUERY, b"documents for a hail damage claim by Thornquill")
    assert decide(request, (pack, other_pack), SessionState(), everything).verdict is Verdict.REWRITE
    decision = decide(request, (other_pack, pack), SessionState(), everything)
    assert (decision.verdict, decision.rewritten) == (Verdict.BLOCK, None)


def test_an_unspaced_account_number_is_judged_as_one(pack: Pack, policy: Policy) -> None:
    """It looks like a blob; its form explains it. What no form explains blocks."""
    known = ask("transfer fees from DE89370400440532013000 abroad", pack, policy)
    unknown = ask("transfer fees from xQ93kd72LmZ0pw81Vc abroad", pack, policy)
    assert known.verdict is Verdict.REWRITE
    assert (unknown.verdict, unknown.rules) == (Verdict.BLOCK, ("provenance.blob",))


def test_places_count_characters_beside_letters_of_several_bytes(pack: Pack, policy: Policy) -> None:
    """What is cut out is the detail."""
    decision = ask("Größe der Selbstbeteiligung für Hagelschäden 123-45-6789", pack, policy)
    assert (decision.rewritten or b"").decode() == "Größe der Selbstbeteiligung für Hagelschäden"
