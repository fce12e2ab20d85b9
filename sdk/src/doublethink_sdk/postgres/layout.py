"""The roles and databases of the embedded server.

They are those of the gate's roles.sql, which a site runs on a server of its own; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Role:
    """A database role without any attribute but LOGIN. becomes: the role that it may SET ROLE to. ends: a role whose
    connections it may end, by being a member of it. connections: how many it may have at once; None is no bound.
    """

    name: str
    login: bool = True
    becomes: str | None = None
    ends: str | None = None
    connections: int | None = None


@dataclass(frozen=True, slots=True)
class Database:
    """A database, who owns it, and who may connect to it (the owner is not implied)."""

    name: str
    owner: str
    connect: tuple[str, ...]


OWNER: Final = "doublethink_owner"
MIGRATOR: Final = "doublethink_migrator"
GATE: Final = "doublethink_gate"
SEALER: Final = "doublethink_sealer"
RETENTION: Final = "doublethink_retention"
CONSOLE: Final = "doublethink_console"

GATE_DATABASE: Final = "doublethink_gate"
CONSOLE_DATABASE: Final = "doublethink_console"

ROLES: Final = (
    Role(RETENTION, connections=4),
    Role(OWNER, login=False, ends=RETENTION),
    Role(MIGRATOR, becomes=OWNER, connections=4),
    # What the others leave is the gates': 21 of the embedded server's 64, four gates or more.
    Role(GATE),
    Role(SEALER, connections=8),
    Role(CONSOLE, connections=24),
)

DATABASES: Final = (
    Database(GATE_DATABASE, OWNER, (MIGRATOR, GATE, SEALER, RETENTION)),
    Database(CONSOLE_DATABASE, CONSOLE, (CONSOLE,)),
)
