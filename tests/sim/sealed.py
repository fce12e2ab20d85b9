"""A ledger and a publication place in memory, and the hands of somebody who may change both without any trigger."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from doublethink_ledger import SigningKey, encode_body, first_prev, row_hash
from doublethink_sealer.errors import DatabaseAway, PlaceAway, PlaceConflict
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import LogStore, StoredCheckpoint, StoredRow
from doublethink_sealer.metrics import Metrics
from doublethink_sealer.resume import Allowed, Resumed, resume
from doublethink_sealer.sealing import Sealer
from sim.ledger import CLOSE, OPEN, attempt

ORIGIN = "ledger.test/one"
OTHER_ORIGIN = "ledger.test/two"
FIRST = Allowed(first_start=True)
NOT_FIRST = Allowed()


def signing_key(seed: int, origin: str = ORIGIN) -> SigningKey:
    """A key that is the same in every run."""
    return SigningKey(origin, Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


def keys_of(*signing: SigningKey, trusted: Sequence[SigningKey] = ()) -> Keys:
    """Keys of which all sign, and others that are believed beside them."""
    return Keys(signing, tuple(key.verifier for key in (*signing, *trusted)))


KEYS = keys_of(signing_key(1))


def linked(session: bytes, n: int, at_us: int, number: int, prev: bytes, body: bytes, seq: int) -> StoredRow:
    """A row with the hash of its fields."""
    id = hashlib.sha256(number.to_bytes(8, "big")).digest()[:16]
    made = row_hash(
        session=session, n=n, at_us=at_us, id=id, prev=prev, body_sha256=hashlib.sha256(body).digest()
    )
    return StoredRow(seq, session, n, id, at_us, prev, body, made)


@dataclass
class SimLog:
    """A LogStore. `table` and `checks` may be changed by hand; `away` makes every call fail. gone: seqs of rows whose
    payload went without a redaction. most_at_once: the most checkpoints that were asked for by size.
    """

    table: list[StoredRow] = field(default_factory=list)
    checks: list[StoredCheckpoint] = field(default_factory=list)
    away: bool = False
    made: int = 0
    gone: set[int] = field(default_factory=set)
    most_at_once: int = 0

    def append(self, sessions: Sequence[int], *, close: bool = False) -> None:
        """Append one row for each number of a session, as the append function does; `close` ends them."""
        for name in sessions:
            session = name.to_bytes(16, "big")
            mine = [row for row in self.table if row.session == session]
            prev = mine[-1].hash if mine else first_prev(session)
            body = {"kind": "session.open", **OPEN}
            if mine:
                body = {"kind": "session.close", **CLOSE} if close else {"kind": "held", **_HELD}
            seq = len(self.table)
            n = mine[-1].n + 1 if mine else 0
            self.table.append(linked(session, n, 1_000 + self.made, self.made, prev, encode_body(body), seq))
            self.made += 1

    def copy(self) -> SimLog:
        """A backup."""
        return SimLog(list(self.table), list(self.checks), made=self.made)

    def renumber(self) -> None:
        """Give every row the seq of its place."""
        self.table = [row._replace(seq=seq) for seq, row in enumerate(self.table)]

    async def rows(self, first: int, limit: int) -> Sequence[StoredRow]:
        """See LogStore."""
        self._answer()
        return sorted((row for row in self.table if row.seq >= first), key=lambda row: row.seq)[:limit]

    async def heads(self, sessions: Collection[bytes], before: int) -> Mapping[bytes, StoredRow]:
        """See LogStore."""
        self._answer()
        found: dict[bytes, StoredRow] = {}
        for row in self.table:
            known = found.get(row.session)
            if row.session in sessions and row.seq < before and (known is None or known.n < row.n):
                found[row.session] = row
        return found

    async def count(self, before: int) -> int:
        """See LogStore."""
        return sum(row.seq < before for row in self.table)

    async def duplicate_id(self) -> int | None:
        """See LogStore."""
        seen: set[bytes] = set()
        for row in self.table:
            if row.id in seen:
                return row.seq
            seen.add(row.id)
        return None

    async def head(self) -> StoredCheckpoint | None:
        """See LogStore."""
        self._answer()
        return self.checks[-1] if self.checks else None

    async def checkpoints(self, after_us: int, limit: int) -> Sequence[StoredCheckpoint]:
        """See LogStore."""
        self._answer()
        return [one for one in self.checks if one.at_us > after_us][:limit]

    async def checkpoints_of(self, origin: str, first: int, last: int) -> Sequence[StoredCheckpoint]:
        """See LogStore."""
        self._answer()
        found = [one for one in self.checks if one.origin == origin and first <= one.size <= last]
        self.most_at_once = max(self.most_at_once, len(found))
        return sorted(found, key=lambda one: one.size)

    async def missing_payloads(self, first: int, last: int, limit: int) -> Sequence[int]:
        """See LogStore."""
        self._answer()
        return [seq for seq in sorted(self.gone) if first <= seq <= last][:limit]

    async def store(self, expected: StoredCheckpoint | None, new: StoredCheckpoint) -> int | None:
        """See LogStore."""
        self._answer()
        head = self.checks[-1] if self.checks else None
        known = None if head is None else (head.origin, head.size)
        if known != (None if expected is None else (expected.origin, expected.size)):
            return None
        at_us = 1 if head is None else head.at_us + 1
        self.checks.append(StoredCheckpoint(new.origin, new.size, new.root, new.note, at_us, new.statement))
        return at_us

    def _answer(self) -> None:
        if self.away:
            raise DatabaseAway("the database is away")


_HELD = attempt("ask") | {"commit": "c" * 64, "bytes": 1}


@dataclass
class SimPlace:
    """A Place in memory. `held` may be changed by hand."""

    name: str = "folder-1"
    where: str = "memory"
    egress: str | None = None
    held: dict[str, dict[int, bytes]] = field(default_factory=dict)
    statements: dict[str, bytes] = field(default_factory=dict)
    away: bool = False
    puts: int = 0

    async def newest(self, origin: str) -> bytes | None:
        """See Place."""
        found = await self.notes(origin, 1)
        return found[0] if found else None

    async def notes(self, origin: str, limit: int) -> Sequence[bytes]:
        """See Place."""
        self._answer()
        mine = self.held.get(origin, {})
        return [mine[size] for size in sorted(mine, reverse=True)[:limit]]

    async def put(self, origin: str, size: int, note: bytes) -> None:
        """See Place."""
        self._answer()
        self.puts += 1
        existing = self.held.setdefault(origin, {}).setdefault(size, note)
        if existing != note:
            raise PlaceConflict(existing)

    async def put_statement(self, origin: str, note: bytes) -> None:
        """See Place."""
        self._answer()
        self.statements.setdefault(origin, note)

    async def close(self) -> None:
        """See Place."""

    def _answer(self) -> None:
        if self.away:
            raise PlaceAway("the place is away")


@dataclass
class Sealing:
    """A sealer on a simulated log with one place, which is given every head at once."""

    sealer: Sealer
    resumed: Resumed
    heads: list[StoredCheckpoint]
    metrics: Metrics

    async def seal_and_publish(self, place: SimPlace) -> None:
        """Seal what is new, and put the newest checkpoint."""
        await self.sealer.seal()
        head = self.sealer.head
        assert head is not None
        await place.put(head.origin, head.size, head.note)


async def started(
    log: LogStore,
    *places: SimPlace,
    keys: Keys = KEYS,
    allowed: Allowed = NOT_FIRST,
    origin: str = ORIGIN,
    batch: int = 7,
    heads: int = 3,
) -> Sealing:
    """A sealer that has read the log. Small bounds, so that every bound is met."""
    resumed = await resume(log, places, keys, origin, allowed, batch=batch, heads=heads)
    taken: list[StoredCheckpoint] = []
    metrics = Metrics([place.name for place in places])
    sealer = Sealer(log, keys, origin, resumed, metrics, taken.append, lambda: 0.0, batch=batch)
    return Sealing(sealer, resumed, taken, metrics)
