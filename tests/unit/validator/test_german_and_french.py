"""German and French prose: numbers, scales, periods, and the words that make a figure another one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doublethink_figures import Direction, Flag
from doublethink_validator.errors import NotProven
from doublethink_validator.proof import Claim, prove
from doublethink_validator.survey import Examined


def _proven(sentence: str, claim: Claim) -> bool:
    examined = Examined("pag_" + "a" * 26, f"Brenner Anlagen AG\n\n{sentence}\n")
    try:
        prove(examined, replace(claim, quote=sentence))
    except NotProven:
        return False
    return True


def _claim(value: str, scale: str | None, unit: str, period: str, *flags: Flag) -> Claim:
    return Claim("", (), -1, value, scale, unit, period, Direction.NONE, frozenset(flags))


TRUE = [
    ("Der Umsatz betrug im Geschäftsjahr 2024 4,2 Mrd. EUR.", _claim("4.2", "billion", "EUR", "fiscal 2024")),
    (
        "Im dritten Quartal 2024 lag das Ergebnis bei 12,5 Mio. €.",
        _claim("12.5", "million", "EUR", "Q3 2024"),
    ),
    (
        "Die Bilanzsumme betrug zum 31. Dezember 2024 1.234,5 Mio. EUR.",
        _claim("1234.5", "million", "EUR", "31 December 2024"),
    ),
    (
        "Le chiffre d'affaires de l'exercice 2024 s'élève à 3,4 milliards d'euros.",
        _claim("3.4", "billion", "EUR", "fiscal 2024"),
    ),
    (
        "Au troisième trimestre 2024, le résultat net était de 1 234,5 millions d'euros.",
        _claim("1234.5", "million", "EUR", "Q3 2024"),
    ),
    ("La marge était de 12,5 % au premier semestre 2024.", _claim("12.5", None, "percent", "H1 2024")),
]


@pytest.mark.parametrize(("sentence", "claim"), TRUE)
def test_a_true_claim_is_proven_and_one_that_is_nearly_true_is_not(sentence: str, claim: Claim) -> None:
    """Number with a decimal comma, scale word and period are read; another of any of them is refused."""
    assert _proven(sentence, claim)
    year = "2023" if "2024" in claim.period else "2024"
    for wrong in (
        replace(claim, value=claim.value.replace(claim.value[0], "7", 1)),
        replace(claim, value=f"-{claim.value}"),
        replace(claim, scale="thousand"),
        replace(claim, unit="USD"),
        replace(claim, period=claim.period.replace("2024", year)),
        replace(claim, period="Q1 2024"),
        replace(claim, direction=Direction.DECREASE),
        replace(claim, flags=frozenset({Flag.GUIDANCE})),
    ):
        assert not _proven(sentence, wrong), wrong


PLAIN = _claim("4.2", "million", "EUR", "fiscal 2024")


@pytest.mark.parametrize(
    "sentence",
    [
        "Der Vorstand erwartet im Geschäftsjahr 2024 einen Umsatz von 4,2 Mio. EUR.",
        "Der Umsatz wird im Geschäftsjahr 2024 4,2 Mio. EUR betragen.",
        "Der Umsatz betrug im Geschäftsjahr 2024 nicht 4,2 Mio. EUR.",
        "Der Umsatz betrug im Geschäftsjahr 2024 mehr als 4,2 Mio. EUR.",
        "Der Umsatz betrug im Geschäftsjahr 2024 rund 4,2 Mio. EUR.",
        "Der Umsatz sank im Geschäftsjahr 2024 um 4,2 Mio. EUR.",
        "Der Umsatz könnte im Geschäftsjahr 2024 4,2 Mio. EUR betragen.",
        "Das bereinigte Ergebnis betrug im Geschäftsjahr 2024 4,2 Mio. EUR.",
        "Der Nettoverlust betrug im Geschäftsjahr 2024 4,2 Mio. EUR.",
        "Le groupe prévoit pour l'exercice 2024 un chiffre d'affaires de 4,2 millions d'euros.",
        "Le résultat de l'exercice 2024 n'était pas de 4,2 millions d'euros.",
        "Le résultat de l'exercice 2024 est de plus de 4,2 millions d'euros.",
        "Le résultat ajusté de l'exercice 2024 est de 4,2 millions d'euros.",
        "Le résultat de l'exercice 2024 pourrait être de 4,2 millions d'euros.",
        "Le résultat de l'exercice 2024 est d'environ 4,2 millions d'euros.",
        "Le chiffre d'affaires de l'exercice 2024 est en baisse de 4,2 millions d'euros.",
    ],
)
def test_a_forecast_denial_bound_change_or_adjusted_figure_is_not_the_plain_one(sentence: str) -> None:
    """The claim of a plain level is refused wherever a word of the sentence makes the figure another one."""
    assert not _proven(sentence, PLAIN)


def test_a_separator_that_may_be_either_settles_nothing() -> None:
    """ "1.234" is a thousand or one and a bit: without another number the sentence's language decides."""
    assert not _proven("Umsatz 2024: EUR 1.234", _claim("1.234", None, "EUR", "2024"))
