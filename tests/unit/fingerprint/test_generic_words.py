"""Words that thousands of companies and every price have in common identify nothing: not alone, not misspelled."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from doublethink_fingerprint import build_pack
from doublethink_fingerprint.commonwords import is_common
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value,)


_SECRETS = [
    ("name", "Vestrheimar Kapital"),
    ("name", "Tolvadal Industrier"),
    ("name", "Okanagawa Growth Partners"),
    ("name", "Murrumbool Pastoral"),
    ("name", "Santibor Participações"),
    ("phrase", "148.60 kroner per share"),
    ("phrase", "1264 rupees per share"),
    ("phrase", "premium of 34 per cent"),
]
_PACK = build_pack([_Secret(kind, value) for kind, value in _SECRETS])


def _stopped(query: str) -> bool:
    request = Request(RequestKind.QUERY, query.encode())
    return evaluate(request, (_PACK,), SessionState(), default_policy()).verdict is not Verdict.ALLOW


@pytest.mark.parametrize(
    "query",
    [
        "capital",
        "summary of the capital markets day 2025",
        "working capital ratio of listed pump makers",
        "Nordic Kapital funds",
        "industries index",
        "growth partners",
        "pastoral care",
        "participations du groupe en 2024",
        "kroner per share",
        "dividend of 12.40 kroner per share",
        "target price 19.40 zloty per share",
        "dividend of 12 rupees per share",
        "premium of 20 per cent",
        "average premium of 31 per cent in public takeovers",
    ],
)
def test_a_generic_word_or_unit_is_no_finding(query: str) -> None:
    """Neither the generic words of a company's name nor a unit beside another figure stop a question."""
    assert not _stopped(query)


@pytest.mark.parametrize(
    "query",
    [
        "Vestrheimar",
        "vestrhiemar kapital",
        "Okanagawa Partners",
        "Murrumbool",
        "148.60 kroner per share",
        "1264 rupees per share",
        "premium of 34 per cent",
        "a premium of thirty-four per cent",
    ],
)
def test_what_does_identify_is_still_found(query: str) -> None:
    """The rest of such a name, and the phrase with its own figure, are stopped as before."""
    assert _stopped(query)


@pytest.mark.parametrize(
    "word", ["kapital", "gruppe", "partners", "holding", "kroner", "zloty", "beleggings"]
)
def test_generic_words_are_common(word: str) -> None:
    """They are common words, whatever their language."""
    assert is_common(word)
