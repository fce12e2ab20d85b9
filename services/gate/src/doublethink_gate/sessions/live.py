"""A session as this replica has it in memory: a fold over the ledger's rows up to one of them."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass, field

from doublethink_fingerprint import Pack

from doublethink_gate.checks import SessionState
from doublethink_gate.ids import IdType, to_uuid
from doublethink_gate.sessions.holds import Holds
from doublethink_gate.sessions.store import SessionRecord


@dataclass(slots=True)
class LiveSession:
    """record: as it was opened. state: what the checks remember. folded_n: the last row that is in `state`.

    stale: rows may exist that are not folded yet. lock: held from the check to the durable row. fetched: the
    addresses whose pages were stored by this replica; a hint, the pages themselves are in Postgres. holds: what waits
    for a person, up to the same row.
    """

    record: SessionRecord
    pack: Pack = field(repr=False)
    state: SessionState = field(repr=False)
    folded_n: int = -1
    stale: bool = True
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    fetched: set[str] = field(default_factory=set, repr=False)
    holds: Holds = field(default_factory=Holds, repr=False)

    @property
    def id(self) -> str:
        """The session's id, "ses_..."."""
        return self.record.id

    @property
    def uuid(self) -> uuid.UUID:
        """The session as the ledger knows it."""
        return to_uuid(IdType.SESSION, self.record.id)
