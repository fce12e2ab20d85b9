"""A person as the routes know one: what may be seen, and what may be done."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import Final

_ID_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Sight:
    """Whose cases and runs may be seen: those of `teams`, or all of the database where it is None."""

    teams: tuple[str, ...] | None

    @property
    def for_sql(self) -> list[str] | None:
        """For `(%s::text[] IS NULL OR team = ANY(%s))`."""
        return None if self.teams is None else list(self.teams)


EVERY_TEAM: Final = Sight(None)
"""Of whoever holds the launch token, and of the engine, which works for all teams."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who makes a request.

    id: `person_id`, or `launch token`. name: to be shown to the person alone.
    teams: those for which the person can add a case, the first one where nothing is said and there is no other.
    decides: may let held searches go, or refuse them. decides_own: also those of a question that the person asked.
    reads_log: may read the rows of all sessions.
    verified: `id` was proven, so that nobody else can be named as who decided.
    sign_out_url: where the person leaves, if that is elsewhere and known.
    """

    id: str
    name: str = field(repr=False)
    teams: tuple[str, ...]
    sees: Sight
    decides: bool
    reads_log: bool
    verified: bool
    decides_own: bool = False
    sign_out_url: str | None = None

    def decides_about(self, asked_by: str | None) -> bool:
        """Whether the person may decide about held searches of what `asked_by` asked.

        Where nobody knows who asked, nobody can be told to be somebody else.
        """
        return self.decides and (self.decides_own or asked_by not in (None, self.id))

    @property
    def for_log(self) -> str | None:
        """The pseudonym; None where nobody is known."""
        return self.id if self.verified else None


def person_id(issuer: str, subject: str) -> str:
    """The pseudonym of a subject at an issuer: `per_` and 26 letters and digits, which the log and the ledger know.

    Base32 of the first 16 bytes of SHA-256 over issuer, a zero byte, and subject. Whoever knows both can compute it.
    """
    digest = hashlib.sha256(f"{issuer}\0{subject}".encode()).digest()[:_ID_BYTES]
    return "per_" + base64.b32encode(digest).decode().rstrip("=").lower()
