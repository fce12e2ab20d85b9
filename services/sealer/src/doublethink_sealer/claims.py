"""What signed notes say about the log: in the database's table, and in each place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from doublethink_ledger import Checkpoint, NoteError

from doublethink_sealer.errors import PlaceAway, SealingRefused
from doublethink_sealer.findings import Finding, Reason
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import LogStore, StoredCheckpoint
from doublethink_sealer.places import Place

IN_TABLE: Final = "the database"
MOST_BAD: Final = 100
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class Claim:
    """A root that was signed for a size. where: the database, or the name of a place. stored: the row of the table,
    where its signature is yet to be looked at.
    """

    checkpoint: Checkpoint
    where: str
    stored: StoredCheckpoint | None = None

    @property
    def size(self) -> int:
        """The number of rows that it covers."""
        return self.checkpoint.size


@dataclass
class InTable:
    """What the database's table says, summed up: it has a row a second for years. keys: to judge a row of it by.

    signed: rows whose note is what they say. newest: the origin of the last row, signed or not. last: the last signed
    checkpoint. largest: of each log the largest signed one.
    """

    keys: Keys
    signed: int = 0
    newest: str | None = None
    last: Checkpoint | None = None
    largest: dict[str, Checkpoint] = field(default_factory=dict)


@dataclass
class Claims:
    """What was signed, and what is wrong with the rest. published: every claim of a place. table: the database's.
    forged, forks: at most MOST_BAD of each. away: places that did not answer.
    """

    published: list[Claim] = field(default_factory=list)
    table: InTable | None = None
    forged: list[Finding] = field(default_factory=list)
    forks: list[Finding] = field(default_factory=list)
    away: list[str] = field(default_factory=list)

    def of(self, origin: str) -> list[Claim]:
        """The published claims of one log, by size."""
        mine = (claim for claim in self.published if claim.checkpoint.origin == origin)
        return sorted(mine, key=lambda claim: claim.size)

    def stored(self, origin: str) -> int:
        """The largest size that the table has a signed checkpoint of this log for; 0 if it has none."""
        largest = None if self.table is None else self.table.largest.get(origin)
        return 0 if largest is None else largest.size

    @property
    def count(self) -> int:
        """How many checkpoints are signed."""
        return len(self.published) + (0 if self.table is None else self.table.signed)

    def origins(self) -> set[str]:
        """The logs that somebody signed for."""
        known = {claim.checkpoint.origin for claim in self.published}
        return known if self.table is None else known | self.table.largest.keys()


def fork(one: Claim, other: Claim) -> Finding:
    """Two signed roots for one size: the key signed two logs."""
    words = f"{one.where} and {other.where} have different checkpoints of size {other.size}"
    return Finding(Reason.FORKED, words)


def open_stored(keys: Keys, stored: StoredCheckpoint) -> Checkpoint:
    """Return the checkpoint that a row of the table holds. Raises SealingRefused unless its note says what it says."""
    words = f"the database's checkpoint of size {stored.size}"
    try:
        checkpoint = keys.open(stored.note)
    except NoteError as error:
        raise SealingRefused(Reason.CHECKPOINT_FORGED, f"{words}: {error}") from error
    if checkpoint != checkpoint_said(stored):
        raise SealingRefused(Reason.CHECKPOINT_FORGED, f"{words} is not what its note says")
    return checkpoint


def open_published(keys: Keys, place: str, note: bytes, origin: str) -> Checkpoint:
    """Return the checkpoint of a note that lies in a place. Raises SealingRefused."""
    try:
        checkpoint = keys.open(note)
    except NoteError as error:
        raise SealingRefused(Reason.PUBLISHED_FORGED, f"a note in {place}: {error}") from error
    if checkpoint.origin != origin:
        raise SealingRefused(Reason.PUBLISHED_FORGED, f"a note in {place} is of another log")
    return checkpoint


async def read_table(store: LogStore, keys: Keys, claims: Claims) -> InTable:
    """Judge every row of the table, a page at a time, and sum them up in `claims`. What was published is read before:
    it is held against it. Raises DatabaseAway.
    """
    published = {(claim.checkpoint.origin, claim.size): claim for claim in claims.published}
    table = claims.table = InTable(keys)
    after_us = -1
    while page := await store.checkpoints(after_us, _PAGE):
        after_us, table.newest = page[-1].at_us, page[-1].origin
        for stored in page:
            try:
                checkpoint = open_stored(keys, stored)
            except SealingRefused as refused:
                _keep(claims.forged, refused.finding)
                continue
            table.signed += 1
            table.last = checkpoint
            largest = table.largest.get(checkpoint.origin)
            if largest is None or largest.size <= checkpoint.size:
                table.largest[checkpoint.origin] = checkpoint
            other = published.get((checkpoint.origin, checkpoint.size))
            if other is not None and other.checkpoint != checkpoint:
                _keep(claims.forks, fork(other, Claim(checkpoint, IN_TABLE)))
    return table


async def read_places(
    places: Sequence[Place], keys: Keys, origins: Iterable[str], limit: int, claims: Claims
) -> None:
    """Add what lies in the places, at most `limit` notes of each log in each."""
    for origin in origins:
        for place in places:
            try:
                notes = await place.notes(origin, limit)
            except PlaceAway:
                claims.away.append(place.name)
                continue
            for note in notes:
                try:
                    claims.published.append(Claim(open_published(keys, place.name, note, origin), place.name))
                except SealingRefused as refused:
                    _keep(claims.forged, refused.finding)


def _keep(findings: list[Finding], found: Finding) -> None:
    if len(findings) < MOST_BAD:
        findings.append(found)


def checkpoint_said(stored: StoredCheckpoint) -> Checkpoint | None:
    """Return what the fields of a row say, whoever wrote them; None where they are no checkpoint's."""
    try:
        return Checkpoint(stored.origin, stored.size, stored.root)
    except NoteError:
        return None
