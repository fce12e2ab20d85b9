"""A case of its own, its pack, and the shipped policy."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from doublethink_fingerprint import Pack, build_pack
from doublethink_gate.policy import Policy, default_policy


@dataclass(frozen=True)
class KnownSecret:
    """A secret as the pack builder wants it."""

    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """The value alone."""
        return (self.value,)


@pytest.fixture(scope="session")
def pack() -> Pack:
    """Fingerprints of a code name, a person, an amount, two short values and a memo with two rare names."""
    return build_pack(
        [
            KnownSecret("code", "Thornquill"),
            KnownSecret("name", "Mireille Ostervald"),
            KnownSecret("number", "3.65bn GBP"),
            KnownSecret("code", "Vyx"),
            KnownSecret("code", "Falcon"),
        ],
        canaries=["bcd7fgh2jkm9npq4rst6"],
        memo="We met Zdrojewski and the people of Kesterholm about 48.213 and Halvorsen.",
        public_terms=["Halvorsen Pumps"],
    )


@pytest.fixture(scope="session")
def other_pack() -> Pack:
    """Fingerprints of another case, which has nothing in common with the first."""
    return build_pack([KnownSecret("code", "Marlwickham")], canaries=[], memo="", public_terms=[])


@pytest.fixture(scope="session")
def policy() -> Policy:
    """The policy that is shipped."""
    return default_policy()
