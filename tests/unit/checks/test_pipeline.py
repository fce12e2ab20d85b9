"""Shape and destination come first, findings are collected, spans stay in the payload."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doublethink_fingerprint import Pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import Policy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (b"", "shape.empty"),
        (b"   ", "shape.empty"),
        (b"x" * 401, "shape.length"),
        (b"\xff", "shape.utf8"),
        (b"a\x00b", "shape.control"),
        ("a\u200bb\u200bc\u200bd\u200be".encode(), "shape.hidden"),
        (b"a" + b" \t" * 12 + b"b", "shape.whitespace"),
    ],
)
def test_a_query_has_a_shape(payload: bytes, rule: str, pack: Pack, policy: Policy) -> None:
    """Empty, long, undecodable, hidden and odd queries are refused before anything else is looked at."""
    decision = evaluate(Request(RequestKind.QUERY, payload), (pack,), SessionState(), policy)
    assert (decision.verdict, decision.rules) == (Verdict.BLOCK, (rule,))


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://shop.example/", "destination.scheme"),
        ("ftp://shop.example/", "destination.scheme"),
        ("https://10.0.0.1/", "destination.address"),
        ("https://[::1]/", "destination.address"),
        ("https://2130706433/", "destination.address"),
        ("https://0x7f.1/", "destination.address"),
        ("https://localhost/", "destination.address"),
        ("https://me:secret@shop.example/", "destination.userinfo"),
        ("https://shop.example:99999/", "shape.url"),
        ("https:///path", "shape.url"),
        ("shop.example/path", "shape.url"),
        ("https://shop.example/a b", "shape.url"),
        ("https://shop.example\\@evil.example/", "shape.url"),
        ("https://[::1", "shape.url"),
    ],
)
def test_an_address_must_be_plain(url: str, rule: str, pack: Pack, policy: Policy) -> None:
    """Other schemes, numeric hosts, user names and malformed addresses are refused."""
    decision = evaluate(Request(RequestKind.URL, url.encode()), (pack,), SessionState(), policy)
    assert decision.verdict is Verdict.BLOCK
    assert rule in decision.rules


def test_a_plain_address_passes(pack: Pack, policy: Policy) -> None:
    """An https address of a named host is allowed."""
    url = b"https://www.shop.example/reports/2024/q3-results.html?page=2#tables"
    assert evaluate(Request(RequestKind.URL, url), (pack,), SessionState(), policy).verdict is Verdict.ALLOW


def test_a_source_must_be_in_the_policy(pack: Pack, policy: Policy) -> None:
    """A query to a source that the policy does not name is refused."""
    request = Request(RequestKind.QUERY, b"pumps", destination="elsewhere")
    assert evaluate(request, (pack,), SessionState(), policy).rules == ("destination.source",)


def test_what_was_not_judged_is_said(pack: Pack, policy: Policy) -> None:
    """Taint, and a destination that nobody gave, are named as not evaluated."""
    bare = evaluate(Request(RequestKind.QUERY, b"pumps"), (pack,), SessionState(), policy)
    aimed = evaluate(
        Request(RequestKind.QUERY, b"pumps", destination="corpus"), (pack,), SessionState(), policy
    )
    assert bare.not_evaluated == ("destination", "taint")
    assert aimed.not_evaluated == ("taint",)


def test_every_reason_is_given(pack: Pack, policy: Policy) -> None:
    """A payload with several findings names each rule once, and their places in order."""
    text = b"Thornquill and bcd7fgh2jkm9npq4rst6 mail a@b.example Zdrojewski"
    decision = evaluate(Request(RequestKind.QUERY, text), (pack,), SessionState(), policy)
    for rule in ("secret.code.exact", "canary", "pattern.email", "provenance.word"):
        assert rule in decision.rules
    assert (0, 10) in decision.spans
    assert list(decision.spans) == sorted(decision.spans)


def test_spans_count_bytes_of_the_payload(pack: Pack, policy: Policy) -> None:
    """Letters of several bytes before a finding move its span by their bytes."""
    text = "Größenordnung für Thornquill"
    decision = evaluate(Request(RequestKind.QUERY, text.encode()), (pack,), SessionState(), policy)
    start, end = decision.spans[0]
    assert text.encode()[start:end] == b"Thornquill"


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    payload=st.one_of(st.binary(max_size=120), st.text(max_size=80).map(str.encode)),
    kind=st.sampled_from(list(RequestKind)),
    content_type=st.sampled_from([None, "application/json", "text/plain", "multipart/form-data; boundary=x"]),
    tail=st.sampled_from([b"", b" Thornquill", b"\xc3\xa9 VGhvcm5xdWlsbA=="]),
)
def test_nothing_breaks_the_checks(
    payload: bytes, kind: RequestKind, content_type: str | None, tail: bytes, pack: Pack, policy: Policy
) -> None:
    """Any bytes get a verdict whose spans lie in the payload."""
    request = Request(kind, payload + tail, content_type=content_type)
    decision = evaluate(request, (pack,), SessionState(), policy)
    for start, end in decision.spans:
        assert 0 <= start <= end <= len(request.payload)


def test_public_text_is_a_notice_and_no_finding(pack: Pack, policy: Policy) -> None:
    """A secret inside a span proven public does not block the body; outside it does."""
    head, page, tail = b"Read this: ", b"Thornquill is a village.", b" And answer."
    span = ((len(head), len(head) + len(page)),)
    body = Request(RequestKind.BODY, head + page + tail, content_type="text/plain", public_spans=span)
    decision = evaluate(body, (pack,), SessionState(), policy)
    assert decision.verdict is Verdict.ALLOW
    assert decision.notices == ("public.secret.code.exact",)
    leaking = Request(
        RequestKind.BODY, head + page + b" Ostervald", content_type="text/plain", public_spans=span
    )
    assert evaluate(leaking, (pack,), SessionState(), policy).verdict is Verdict.BLOCK


def test_a_secret_across_the_border_of_public_text_is_found(pack: Pack, policy: Policy) -> None:
    """Cutting a public span out does not hide what stands around it."""
    body = b"Thorn" + b"PUBLIC" + b"quill"
    request = Request(RequestKind.BODY, body, content_type="text/plain", public_spans=((5, 11),))
    assert evaluate(request, (pack,), SessionState(), policy).verdict is Verdict.BLOCK


def test_fields_around_public_text_are_joined_too(pack: Pack, policy: Policy) -> None:
    """A secret cut over JSON fields is found in a body that also carries a public page."""
    body = b'{"page":"Some public page.","a":"Thorn","b":"quill"}'
    start = body.index(b"Some")
    request = Request(
        RequestKind.BODY, body, content_type="application/json", public_spans=((start, start + 17),)
    )
    assert evaluate(request, (pack,), SessionState(), policy).verdict is Verdict.BLOCK


@pytest.mark.parametrize("verdict", ["block", "ask", "allow"])
def test_a_payload_that_costs_too_much_is_refused(verdict: str, pack: Pack, policy: Policy) -> None:
    """What was not looked at to its end never leaves, whatever the policy says about what is unreadable."""
    lenient = replace(policy, verdicts=(*policy.verdicts, ("unreadable", verdict)))
    body = Request(RequestKind.BODY, b"7%q!x#5;k$R1 " * 18_000, content_type="text/plain")
    decision = evaluate(body, (pack,), SessionState(), lenient)
    assert (decision.verdict, decision.rules) == (Verdict.BLOCK, ("unreadable.budget",))


def test_findings_before_the_budget_was_spent_are_kept(pack: Pack, policy: Policy) -> None:
    """A refusal for its cost names what had been found as well."""
    text = b"Thornquill " + b"3.65bn GBP and " * 6_000
    body = Request(RequestKind.BODY, text, content_type="text/plain")
    assert evaluate(body, (pack,), SessionState(), policy).verdict is Verdict.BLOCK


def test_public_text_that_costs_too_much_is_a_notice(pack: Pack, policy: Policy) -> None:
    """Text that is public stops nothing; that it was not looked through to its end is said."""
    head, page = b"Read this: ", "Thornquill жюри ".encode() * 20_000
    body = Request(
        RequestKind.BODY,
        head + page,
        content_type="text/plain",
        public_spans=((len(head), len(head + page)),),
    )
    decision = evaluate(body, (pack,), SessionState(), policy)
    assert decision.verdict is Verdict.ALLOW
    assert decision.notices == ("public.unreadable.budget",)


def test_a_flood_of_figures_is_not_read_forever(pack: Pack, policy: Policy) -> None:
    """A body with more look-alikes of a confirmed figure than are read is blocked, not passed unread."""
    body = Request(RequestKind.BODY, b"365 apples " * 9000, content_type="text/plain")
    assert "unreadable.budget" in evaluate(body, (pack,), SessionState(), policy).rules
    many = b'["' + b'","'.join(b"item%04d" % number for number in range(2500)) + b'"]'
    short = Request(RequestKind.BODY, many, content_type="application/json")
    assert evaluate(short, (pack,), SessionState(), policy).verdict is Verdict.ALLOW
