"""Memos of many shapes: what each proposes, and that every value is a piece of its memo."""

from __future__ import annotations

import pytest
from doublethink_casefile import Proposals, SecretClass, parse_case, propose, render_case
from hypothesis import given, settings
from hypothesis import strategies as st

_CODE, _NAME, _ID = SecretClass.CODE, SecretClass.NAME, SecretClass.ID


def _of(proposals: Proposals, kind: SecretClass) -> list[str]:
    return [secret.value for secret in proposals.secrets if secret.secret_class is kind]


@pytest.mark.parametrize(
    ("memo", "codes"),
    [
        ("Code name of the client in this project: Gannet\nMore text.", ["Gannet"]),
        ("The code name is Gannet. It must stay here.", ["Gannet"]),
        ("codename Gannet, since May", ["Gannet"]),
        ("The code word for the target is “Heron”.", ["Heron"]),
        ("The deal (codenamed Osprey) goes on.", ["Osprey"]),
        ("Code names: Gannet for the client, Osprey for the target.", ["Gannet", "Osprey"]),
        ("| Code name | Tern |\n| Buyer | somebody |", ["Tern"]),
        ('Known internally as "Blue Door" from now on.', ["Blue Door"]),
        ("the pump maker (“Osprey”) and we", ["Osprey"]),
        ("This is about Project Glasswort and no other.", ["Project Glasswort"]),
        ("No code name was given to it. Anna and Per know.", []),
        ('The pump maker (the "Company") and the bank ("Seller").', []),
    ],
)
def test_code_names_are_found_however_they_are_said(memo: str, codes: list[str]) -> None:
    """Before or after, in a table, in quotation marks; and a defined term such as "Company" is none."""
    assert _of(propose(memo), _CODE) == codes


def test_the_bare_word_of_a_project_is_an_alias() -> None:
    """What is called "Project Glasswort" leaks as "Glasswort" too."""
    (secret,) = propose("About Project Glasswort.").secrets
    assert secret.aliases == ("Glasswort",)


@pytest.mark.parametrize(
    ("memo", "found"),
    [
        ("Write to oriane.v+deal@brackwater.example.", "oriane.v+deal@brackwater.example"),
        ("mobile +45 20 12 34 56 only", "+45 20 12 34 56"),
        ("Tel.: 0171 555 0199, evenings", "0171 555 0199"),
        ("call her on (212) 555-0143.", "(212) 555-0143"),
        ("phone: 20123456", "20123456"),
        ("Tel. (direct) 33 14 15 16", "33 14 15 16"),
        ("See https://dataroom.example.com/x/991.", "https://dataroom.example.com/x/991"),
        ("passport K12345678 of the chair", "K12345678"),
        ("born 140268-1234 in Aarhus", "140268-1234"),
    ],
)
def test_what_identifies_a_person_or_place_is_an_id(memo: str, found: str) -> None:
    """Addresses of mail, telephone numbers, links, numbers of documents."""
    assert found in _of(propose(memo), _ID)


@pytest.mark.parametrize(
    "memo", ["Order 4 to 6 pumps at 1,234 each.", "in 2019-2024 and 2025", "3 000 people"]
)
def test_ordinary_figures_are_no_telephone_numbers(memo: str) -> None:
    """Years, counts and thousands stay out."""
    assert _of(propose(memo), _ID) == []


@pytest.mark.parametrize(
    "company",
    [
        "Nordhavn Ventilation A/S",
        "Acme Widgets, Inc",
        "Quillon Pumps GmbH & Co. KG",
        "KSB SE & Co. KGaA",
        "Johnson & Weir S.p.A",
        "Halton Group Oy",
        "Philips Lighting N.V",
        "J.P. Marchetti Capital LLC",
        "3M Company",
        "Bank of Ulster plc",
    ],
)
def test_a_company_is_whole_to_its_legal_form(company: str) -> None:
    """A legal form with a slash, full stops, a comma or an ampersand belongs to the name."""
    assert propose(f"We look at {company} and at its margins.").public_terms == (company,)


@pytest.mark.parametrize(
    "memo",
    [
        "Peers: Sulzer Pumps, Brenner Flow Technology and Weir Group plc.",
        "Peers:\n\n- Sulzer Pumps\n- Brenner Flow Technology\n- Weir Group plc\n",
        "The peers are\nSulzer Pumps\nBrenner Flow Technology\nWeir Group plc\n",
        "Compare with Sulzer Pumps; Brenner Flow Technology; Weir Group plc.",
        "1. Sulzer Pumps\n2. Brenner Flow Technology\n3. Weir Group plc",
    ],
)
def test_each_peer_of_a_list_is_a_term_of_its_own(memo: str) -> None:
    """Commas, "and", bullets and bare lines part names."""
    assert propose(memo).public_terms == ("Sulzer Pumps", "Brenner Flow Technology", "Weir Group plc")


def test_a_peer_of_one_word_is_a_term() -> None:
    """A list of peers says what a single capitalised word is."""
    assert propose("Peers: Sulzer, Grundfos and KSB.").public_terms == ("Sulzer", "Grundfos", "KSB")


@pytest.mark.parametrize(
    "memo",
    [
        "Our client is Zephyr Holdings plc. Peers: Weir Group plc and Zephyr Holdings plc.",
        "We act for Zephyr Holdings plc. Please compare Zephyr Holdings plc with Weir Group plc.",
        "Buyer: Zephyr Holdings plc\nZephyr Holdings is also a competitor of Weir Group plc.",
        "Zephyr Holdings plc, our client, wants to buy. Competitors: Zephyr Holdings and Weir Group plc.",
    ],
)
def test_a_client_that_is_a_peer_too_is_a_secret_with_a_note(memo: str) -> None:
    """It stays secret, the file says that a person must decide, and still reads back."""
    proposals = propose(memo)
    assert _of(proposals, _NAME) == ["Zephyr Holdings plc"]
    assert set(proposals.notes) == {"Zephyr Holdings plc"}
    assert not any("Zephyr" in term for term in proposals.public_terms)
    rendered = render_case("t", memo, proposals)
    assert "# LOOK: on our side" in rendered
    assert parse_case(rendered, plant=False).secrets == proposals.secrets


@pytest.mark.parametrize(
    "memo",
    [
        "Code name of the client: Gannet\n\nGannet (Zephyr Holdings plc) has signed. Peers: Weir Group plc.",
        "Zephyr Holdings plc (“Gannet”) has signed. The code name of our client is Gannet. So is Weir Group plc.",
        "Code names: Gannet for the client, Osprey for Weir Group plc. Zephyr Holdings plc (Gannet) pays.",
    ],
)
def test_who_stands_beside_the_clients_code_name_is_the_client(memo: str) -> None:
    """In brackets before or after it, anywhere in the memo."""
    proposals = propose(memo)
    assert _of(proposals, _NAME) == ["Zephyr Holdings plc"]
    assert proposals.public_terms == ("Weir Group plc",)


def test_shares_in_words_are_numbers() -> None:
    """A stake is written "31 per cent" as often as 31 %."""
    memo = "She holds 31 per cent, he 12.5 percent, they 7,5 % of it."
    assert _of(propose(memo), SecretClass.NUMBER) == ["31 per cent", "12.5 percent", "7,5 %"]


def test_people_are_secrets_without_their_titles() -> None:
    """Full names, initials, particles; a single name only behind a title."""
    memo = "Dr. Anna-Lena von Hohenfels and J.P. Marchetti met Mr Ravn in Milan."
    assert _of(propose(memo), _NAME) == ["Anna-Lena von Hohenfels", "J.P. Marchetti", "Ravn"]


def test_a_name_over_a_line_break_of_wrapped_text_is_one() -> None:
    """Found where the text was wrapped, and spelled without the break where the memo has that too."""
    wrapped = "For the valuation we need the revenue of all companies, and of Brenner Flow\nTechnology too."
    assert propose(wrapped).public_terms == ("Brenner Flow\nTechnology",)
    assert propose(wrapped + " Brenner Flow Technology grew.").public_terms == ("Brenner Flow Technology",)


_PIECES = st.sampled_from(
    [
        "Code name of the client: ", "codename ", "Project ", "Our client ", "Peers: ", "compare ", " A/S",
        " GmbH & Co. KG",
        "Gannet", "Nordhavn Ventilation", "Anna Lindqvist", "Mr ", "Dr. ", ", ", " and ", ".\n", "\n", "\n\n- ", "| ",
        "“", "”",
        "a.b@c.example", "+45 20 12 34 56", "(212) 555-0143", "4.2bn EUR", "42 euros per share", "3 March 2031",
        "NW-7731",
        " of ", "von ", "&", "'", "DE89370400440532013000", "tel. ", "🙂", "é", "\u00a0", "x" * 310,
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES | st.text(max_size=12), max_size=30).map("".join))
def test_every_value_is_a_piece_of_the_memo(memo: str) -> None:
    """Character by character, aliases too; no value is there twice or both secret and public; the file reads back."""
    proposals = propose(memo)
    spellings = [spelling for secret in proposals.secrets for spelling in secret.spellings]
    assert all(value and value in memo for value in (*spellings, *proposals.public_terms))
    values = [" ".join(secret.value.split()).casefold() for secret in proposals.secrets]
    assert len(set(values)) == len(values)
    assert not set(values) & {" ".join(term.split()).casefold() for term in proposals.public_terms}
    assert set(proposals.notes) <= {secret.value for secret in proposals.secrets}


@settings(max_examples=100, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=20).map("".join).filter(str.strip))
def test_what_is_proposed_can_be_written_and_read(memo: str) -> None:
    """The case file made from any such memo loads to the proposals."""
    proposals = propose(memo)
    case = parse_case(render_case("t", memo, proposals), plant=False)
    assert case.secrets == proposals.secrets
    assert case.public_terms == proposals.public_terms
