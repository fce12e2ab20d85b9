"""Propose secrets and public terms found in a memo. Proposals only: a person confirms each of them.

Rules are shapes of text (a name after "Project", an amount with a currency, a run of capitalised words) and the words
around them; no list of known names is used, so that a single name in a sentence or one in lower case is not proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from doublethink_casefile import limits
from doublethink_casefile.case import Secret, SecretClass
from doublethink_casefile.proposing import shapes
from doublethink_casefile.proposing.codes import code_names
from doublethink_casefile.proposing.context import beside, clients_code, our_side, peer_lists, said_peer
from doublethink_casefile.proposing.names import Name, names
from doublethink_casefile.proposing.shapes import Span

_MAX_PER_KIND: Final = 100
ALSO_A_PEER: Final = (
    "on our side, and among those compared with: searching for it names it. "
    "Move it to public_terms only if that tells nothing"
)


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a memo seems to hold; nothing of it counts before a person has confirmed it.

    `notes` say, by a secret's value, what a person should look at.
    """

    secrets: tuple[Secret, ...] = field(default=())
    public_terms: tuple[str, ...] = field(default=())
    notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)


def propose(memo: str) -> Proposals:
    """Find likely secrets and likely public terms, in order of appearance, at most 100 of each kind.

    Every value is a piece of the memo, character by character. A company on our own side ("our client X") is a
    secret, also where the memo compares it with others: that is noted. Another company is a public term.
    """
    found = _Found(memo)
    codes = list(code_names(memo))
    for whole, bare in codes:
        found.add(SecretClass.CODE, [whole], aliases=[] if bare is None else [bare])
    found.note_codes(bare or whole for whole, bare in codes)
    found.add(SecretClass.ID, shapes.addresses(memo))
    found.add(SecretClass.ID, shapes.account_numbers(memo))
    found.add(SecretClass.CODE, shapes.references(memo))
    found.add(SecretClass.DATE, shapes.dates(memo))
    found.add(SecretClass.ID, shapes.phone_numbers(memo))
    found.add(SecretClass.ID, shapes.long_numbers(memo))
    found.add(SecretClass.NUMBER, shapes.amounts(memo))
    found.add(SecretClass.PHRASE, shapes.quotations(memo), apart=False)
    found.add_names()
    return found.proposals()


class _Found:
    """What was found so far: values by their spelling without case and spacing, and the places they took."""

    def __init__(self, memo: str) -> None:
        self._memo = memo
        self._taken: list[Span] = []
        self._secrets: dict[str, Secret] = {}
        self._terms: dict[str, str] = {}
        self._notes: dict[str, str] = {}
        self._clients_codes: set[str] = set()

    def add(
        self,
        kind: SecretClass,
        spans: Iterable[Span],
        *,
        aliases: Iterable[Span] = (),
        apart: bool = True,
    ) -> None:
        """Add what stands at `spans`; `apart`: unless something stands there already, and nothing may from then on."""
        count = sum(secret.secret_class is kind for secret in self._secrets.values())
        for start, end in spans:
            if apart and any(left < end and start < right for left, right in self._taken):
                continue
            if not 0 < end - start <= limits.VALUE_CHARS:
                continue
            if apart:
                self._taken.append((start, end))
            value = self._memo[start:end]
            if _key(value) in self._secrets or count >= _MAX_PER_KIND:
                continue
            count += 1
            others = (self._memo[left:right] for left, right in aliases)
            self._secrets[_key(value)] = Secret(kind, value, tuple(o for o in others if o != value))

    def note_codes(self, spans: Iterable[Span]) -> None:
        """Remember which code names are the client's: who stands beside one is the client."""
        self._clients_codes |= {self._memo[slice(*span)] for span in spans if clients_code(self._memo, span)}

    def add_names(self) -> None:
        """Add people and companies: what the words around all places of a name say counts for each of them."""
        peers = list(peer_lists(self._memo))
        places: dict[str, list[Name]] = {}
        for name in names(self._memo, self._taken):
            places.setdefault(_key(self._text(name)), []).append(name)
        ours = {
            key
            for key, found in places.items()
            if any(
                our_side(self._memo, n.span) or beside(self._memo, n.span, self._clients_codes) for n in found
            )
        }
        compared = {
            key
            for key, found in places.items()
            if any(start <= n.span[0] < end for n in found for start, end in peers)
            or any(said_peer(self._memo, n.span) for n in found)
        }
        codes = {_key(spelling) for secret in self._secrets.values() for spelling in secret.spellings}
        for key, found in places.items():
            first = found[0]
            single = len(first.words) == 1
            known = key in codes or any(f" {key} " in f" {code} " for code in codes)
            if known or (single and not (first.titled or key in ours or key in compared)):
                continue
            whole = _longer(key, ours)
            if key in ours or whole is not None:
                self._add_ours(whole or key, key, places)
                if key in compared:
                    self._notes[self._secrets[whole or key].value] = ALSO_A_PEER
            elif key in compared or any(name.company for name in found):
                if len(self._terms) < _MAX_PER_KIND and _longer(key, places.keys() - {key}) is None:
                    self._terms[key] = self._spelled(found)
            elif not any(f" {key} " in f" {other} " for other in self._secrets):
                self._add_secret(key, self._spelled(found))

    def _add_ours(self, whole: str, key: str, places: Mapping[str, list[Name]]) -> None:
        """Add a name on our side, and a shorter form of it as an alias."""
        self._add_secret(whole, self._spelled(places[whole]))
        if whole != key and whole in self._secrets:
            secret, short = self._secrets[whole], self._spelled(places[key])
            if short not in secret.spellings and len(secret.aliases) < limits.ALIASES:
                self._secrets[whole] = Secret(secret.secret_class, secret.value, (*secret.aliases, short))

    def _add_secret(self, key: str, value: str) -> None:
        count = sum(secret.secret_class is SecretClass.NAME for secret in self._secrets.values())
        if key not in self._secrets and count < _MAX_PER_KIND and len(value) <= limits.VALUE_CHARS:
            self._secrets[key] = Secret(SecretClass.NAME, value)

    def _text(self, name: Name) -> str:
        return self._memo[slice(*name.span)]

    def _spelled(self, found: list[Name]) -> str:
        """The first spelling without a line break in it, if there is one."""
        texts = [self._text(name) for name in found]
        return next((text for text in texts if "\n" not in text), texts[0])

    def proposals(self) -> Proposals:
        """All that was found, the secrets of a kind in order of appearance."""
        return Proposals(tuple(self._secrets.values()), tuple(self._terms.values()), self._notes)


def _key(value: str) -> str:
    return " ".join(value.split()).casefold()


def _longer(key: str, others: Iterable[str]) -> str | None:
    """One of `others` that begins with the two or more words of `key`."""
    if " " not in key:
        return None
    return next((other for other in others if other.startswith(f"{key} ")), None)
