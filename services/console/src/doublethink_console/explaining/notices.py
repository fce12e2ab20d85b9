"""Notices: a confirmed secret or a canary that stands on a public page, told to the case's owner and to nobody else.

An outcome's row names the rules; the address is what the attempt asked for, which was allowed to leave.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from .rules import kind_words

_PUBLIC: Final = "public."
_NOT_LOOKED_THROUGH: Final = "public.unreadable.budget"


class Row(Protocol):
    """A row with its body."""

    @property
    def n(self) -> int:
        """Its number in its session."""

    @property
    def body(self) -> Mapping[str, Any]:
        """Its JSON object."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a row says of text that is public. address: where it stands, as far as that is known here."""

    n: int
    rules: tuple[str, ...]
    address: str | None = field(repr=False)

    @property
    def words(self) -> str:
        """One sentence without the value."""
        kinds = list(dict.fromkeys(kind_words(rule) for rule in self.rules if rule != _NOT_LOOKED_THROUGH))
        if not kinds:
            return "A public page was too long to be looked through for the case's secrets."
        what = " and ".join(f"a confirmed {kind}" if kind != "canary" else "a canary" for kind in kinds)
        return f"{what[0].upper()}{what[1:]} of the case {'is' if len(kinds) == 1 else 'are'} already public."

    def as_json(self) -> dict[str, Any]:
        """The notice for a person's eyes and for scripts."""
        return {"n": self.n, "rules": list(self.rules), "text": self.words, "address": self.address}


def notice_of(row: Row, address: str | None) -> Notice | None:
    """The notice of an outcome, or None. A completion's own row repeats what its pages' outcomes said."""
    if row.body.get("kind") != "outcome":
        return None
    rules = tuple(str(rule) for rule in row.body.get("rules", []) if str(rule).startswith(_PUBLIC))
    return Notice(row.n, rules, address) if rules else None


def attempt_of(row: Row) -> bytes | None:
    """The id of the attempt that an outcome answers; None for every other row."""
    if row.body.get("kind") != "outcome":
        return None
    try:
        return uuid.UUID(str(row.body.get("of"))).bytes
    except ValueError:
        return None


class CopiedRow(Row, Protocol):
    """A row with its id and the text that left, where that is known."""

    @property
    def id(self) -> bytes:
        """The row's own id."""

    @property
    def payload(self) -> str | None:
        """What was allowed to leave."""


def notices_of(rows: Sequence[CopiedRow]) -> list[Notice]:
    """The notices of a session, in order, each address once for the same rules."""
    texts = {row.id: row.payload for row in rows}
    found: dict[tuple[tuple[str, ...], str | None], Notice] = {}
    for row in rows:
        attempt = attempt_of(row)
        notice = notice_of(row, texts.get(attempt) if attempt is not None else None)
        if notice is not None:
            found.setdefault((notice.rules, notice.address), notice)
    return list(found.values())
