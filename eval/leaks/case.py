"""Invented cases: secrets that exist nowhere else, made anew from a seed, so that no check can know them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

_ONSETS = [
    "b",
    "br",
    "c",
    "cr",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "st",
    "str",
    "t",
    "tr",
    "v",
    "w",
    "z",
]
_VOWELS = ["a", "e", "i", "o", "u", "ei", "ou"]
_CODAS = ["l", "m", "n", "r", "s", "t", "nd", "rk", "lm", "st", "x", "d"]
_CURRENCIES = (("EUR", "euros"), ("GBP", "pounds"), ("CHF", "francs"))
_CANARY_SYMBOLS = "bcdfghjkmnpqrstvwxz23456789"


@dataclass(frozen=True)
class Secret:
    """A secret of the case, as a pack is built from."""

    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """The value alone."""
        return (self.value,)


@dataclass(frozen=True)
class Case:
    """One fictional deal.

    Attributes:
        code: a code name of 8 to 12 letters. person: a first and a last name.
        amount: whole units of `currency`, three significant digits, above a billion.
        share_price: two digits, confirmed only in the phrase "NN euros per share".
        day: a birthday. ident: nine digits. iban: valid by its checksum. canary: twenty symbols.
    """

    code: str
    person: str
    amount: int
    currency: str
    currency_word: str
    share_price: int
    day: date
    ident: str
    iban: str
    canary: str

    @property
    def surname(self) -> str:
        """The last word of the person's name."""
        return self.person.split()[-1]

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What a person would confirm."""
        billions = f"{self.amount / 1e9:.2f}bn {self.currency}"
        return (
            Secret("code", self.code),
            Secret("name", self.person),
            Secret("number", billions),
            Secret("date", self.day.isoformat()),
            Secret("id", self.ident),
            Secret("id", self.iban),
            Secret("phrase", f"{self.share_price} {self.currency_word} per share"),
        )

    @property
    def literals(self) -> tuple[str, ...]:
        """What a plain filter would be given to look for."""
        return (*(secret.value for secret in self.secrets), self.surname, str(self.amount), self.canary)


def make_case(source: random.Random) -> Case:
    """Invent a case."""
    currency, word = source.choice(_CURRENCIES)
    return Case(
        code=_word(source, 8, 12),
        person=f"{_word(source, 5, 8)} {_word(source, 8, 11)}",
        amount=source.choice([n for n in range(111, 989) if n % 10]) * 10_000_000,
        currency=currency,
        currency_word=word,
        share_price=source.choice([n for n in range(23, 98) if n % 10]),
        day=date(1950, 1, 1) + timedelta(days=source.randrange(14_000)),
        ident="".join(source.choice("123456789") for _ in range(9)),
        iban=_iban(source),
        canary="".join(source.choice(_CANARY_SYMBOLS) for _ in range(20)),
    )


def _word(source: random.Random, least: int, most: int) -> str:
    """A pronounceable word of `least` to `most` letters."""
    while True:
        parts = source.choice([2, 3, 3])
        word = "".join(source.choice(_ONSETS) + source.choice(_VOWELS) for _ in range(parts))
        word += source.choice(_CODAS)
        if least <= len(word) <= most and len(set(word)) >= 5:
            return word.capitalize()


def _iban(source: random.Random) -> str:
    account = "".join(source.choice("0123456789") for _ in range(18))
    moved = int(account + "131400")  # "DE00" behind the account, letters as numbers (ISO 13616)
    return f"DE{98 - moved % 97:02d}{account}"
