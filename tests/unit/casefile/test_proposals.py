"""Proposals find what is shaped like a secret, and the file written from them reads back."""

from __future__ import annotations

from doublethink_casefile import Proposals, Secret, SecretClass, parse_case, propose, render_case
from hypothesis import given, settings
from hypothesis import strategies as st

MEMO = """\
Memo on Project Glasswort. Our client Brackwater Holdings wants to buy Tessaly Pumps AG for 1.25bn CHF, or
$48.20 per share or 6.1x EBITDA. The chair, Oriane Vauquelin, agreed on 3 March 2031 under reference BH-GW-19.
The account is DE89370400440532013000. She said "we would rather sell than merge with anyone" in private.
"""


def test_each_kind_is_proposed() -> None:
    """Codes, amounts, dates, accounts, phrases, people and our own company become secrets."""
    found = {secret.value: secret.secret_class for secret in propose(MEMO).secrets}
    assert found["Project Glasswort"] is SecretClass.CODE
    assert found["BH-GW-19"] is SecretClass.CODE
    assert found["1.25bn CHF"] is SecretClass.NUMBER
    assert found["$48.20 per share"] is SecretClass.NUMBER
    assert found["6.1x"] is SecretClass.NUMBER
    assert found["3 March 2031"] is SecretClass.DATE
    assert found["DE89370400440532013000"] is SecretClass.ID
    assert found["we would rather sell than merge with anyone"] is SecretClass.PHRASE
    assert found["Oriane Vauquelin"] is SecretClass.NAME
    assert found["Brackwater Holdings"] is SecretClass.NAME


def test_another_company_is_a_public_term() -> None:
    """A company that is not on our side is proposed for searching, not as a secret."""
    proposals = propose(MEMO)
    assert "Tessaly Pumps AG" in proposals.public_terms
    assert "Tessaly Pumps AG" not in {secret.value for secret in proposals.secrets}


def test_the_written_file_reads_back() -> None:
    """What is rendered parses to the same title, memo, secrets and terms."""
    proposals = propose(MEMO)
    case = parse_case(render_case("Glasswort", MEMO, proposals, ["abcdefgh23456789"]))
    assert case.secrets == proposals.secrets
    assert case.public_terms == proposals.public_terms
    assert case.memo.startswith(MEMO.rstrip("\n"))


# A case holds no control characters but white space, see test_what_is_no_text_is_refused.
_WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from("\t\n\r\f\x85"),
    min_size=1,
    max_size=40,
).filter(lambda text: text.strip())


@settings(max_examples=80, deadline=None)
@given(title=_WORDS, memo=_WORDS, value=_WORDS, alias=_WORDS)
def test_any_text_survives_rendering(title: str, memo: str, value: str, alias: str) -> None:
    """Quotes, backslashes, line ends and odd characters come back unchanged."""
    proposals = Proposals((Secret(SecretClass.PHRASE, value, (alias,)),), (value,))
    case = parse_case(render_case(title, memo, proposals, ["abcdefgh23456789"]))
    assert case.title == title
    assert case.secrets == proposals.secrets
    assert case.memo.startswith(memo.rstrip("\n"))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_no_memo_breaks_the_proposals(memo: str) -> None:
    """Any text gives proposals whose values stand in the text, white space aside."""
    for secret in propose(memo).secrets:
        assert "".join(secret.value.split()) in "".join(memo.split())
