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
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class Claim:
    """A root that was signed for a size. where: the database, or the name of a place."""

    checkpoint: Checkpoint
    where: str

    @property
    def size(self) -> int:
        """The number of rows that it covers."""
        return self.checkpoint.size


@dataclass
class Claims:
    """Every claim that was read, and what is wrong with those that are none. away: places that did not answer."""

    signed: list[Claim] = field(default_factory=list)
    forged: list[Finding] = field(default_factory=list)
    away: list[str] = field(default_factory=list)

    def of(self, origin: str) -> list[Claim]:
        """The claims of one log, by size."""
        mine = (claim for claim in self.signed if claim.checkpoint.origin == origin)
        return sorted(mine, key=lambda claim: claim.size)


def open_stored(keys: Keys, stored: StoredCheckpoint) -> Checkpoint:
    """Return the checkpoint that a row of the table holds. Raises SealingRefused unless its note says what it says."""
    words = f"the database's checkpoint of size {stored.size}"
    try:
        checkpoint = keys.open(stored.note)
    except NoteError as error:
        raise SealingRefused(Reason.CHECKPOINT_FORGED, f"{words}: {error}") from error
    if checkpoint != _said(stored):
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


async def read_table(store: LogStore, keys: Keys, claims: Claims) -> list[StoredCheckpoint]:
    """Add the table's claims; return its rows in order, without their notes. Raises DatabaseAway."""
    found: list[StoredCheckpoint] = []
    while page := await store.checkpoints(found[-1].at_us if found else -1, _PAGE):
        for stored in page:
            try:
                claims.signed.append(Claim(open_stored(keys, stored), IN_TABLE))
            except SealingRefused as refused:
                claims.forged.append(refused.finding)
            found.append(StoredCheckpoint(stored.origin, stored.size, stored.root, b"", stored.at_us))
    return found


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
                    claims.signed.append(Claim(open_published(keys, place.name, note, origin), place.name))
                except SealingRefused as refused:
                    claims.forged.append(refused.finding)


def _said(stored: StoredCheckpoint) -> Checkpoint | None:
    try:
        return Checkpoint(stored.origin, stored.size, stored.root)
    except NoteError:
        return None
