"""The values that a case consists of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from doublethink_casefile.canary import plant, random_canary


class SecretClass(StrEnum):
    """What kind of thing a secret is; decides how it is looked for."""

    CODE = "code"
    NAME = "name"
    NUMBER = "number"
    DATE = "date"
    ID = "id"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that must not leave, with other spellings of the same thing.

    The value stays out of `repr`, so that a log or a failing assertion does not print it.
    """

    secret_class: SecretClass
    value: str = field(repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)

    @property
    def spellings(self) -> tuple[str, ...]:
        """The value followed by its aliases."""
        return (self.value, *self.aliases)


@dataclass(frozen=True, slots=True)
class Case:
    """A confirmed case. `memo` holds every canary, once the case is `planted`."""

    title: str = field(repr=False)
    memo: str = field(repr=False)
    secrets: tuple[Secret, ...]
    public_terms: tuple[str, ...] = ()
    canaries: tuple[str, ...] = field(default=(), repr=False)


def planted(case: Case) -> Case:
    """The case with its canaries in the memo; one is made at random where it has none."""
    canaries = case.canaries or (random_canary(),)
    return replace(case, memo=plant(case.memo, canaries), canaries=canaries)
