"""Goes on after a disaster, by a person's decision and in the open.

from_published: the rows are whole and the database lost checkpoints; the published ones are stored again.

new_origin: the rows are not those that were sealed, after an old backup was restored, say. The old log is never
continued: its key has signed what is lost, and would sign a fork. A new one begins over the rows that are there,
and a statement cites where the old one ended. The statement is a signed note (C2SP signed-note) of its own, in the
database beside the first checkpoint and as recovery.note in every place:

    doublethink-recovery/1
    new origin
    size of the new log's first checkpoint, in decimal
    base64 of its root
    old origin
    largest size that the old log is known to have had
    base64 of the root that was signed for it
    rolled-back, rows-lost, key-lost or other

It is no extension line of the checkpoint: the specification advises against those, and checkers refuse them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from doublethink_ledger import Checkpoint, NoteError

from doublethink_sealer.claims import Claims, open_published, read_places, read_table
from doublethink_sealer.errors import SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import LogStore, StoredCheckpoint
from doublethink_sealer.places import Place
from doublethink_sealer.resume import named, read_newest
from doublethink_sealer.walk import Walk, rehash_to

FORMAT: Final = "doublethink-recovery/1"


class Why(StrEnum):
    """Why a new origin is opened."""

    ROLLED_BACK = "rolled-back"
    ROWS_LOST = "rows-lost"
    KEY_LOST = "key-lost"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Statement:
    """What the opening of a new origin says: its first checkpoint, the last known one of the old origin, and why."""

    new: Checkpoint
    old: Checkpoint
    why: Why

    def encode(self) -> bytes:
        """Return the text that is signed."""
        lines = [FORMAT]
        for each in (self.new, self.old):
            lines += [each.origin, str(each.size), b64encode(each.root).decode()]
        return "".join(f"{line}\n" for line in (*lines, self.why.value)).encode()

    @classmethod
    def parse(cls, text: bytes) -> Statement:
        """Inverse of `encode`. Raises NoteError for anything that it would not write."""
        try:
            lines = text.decode().split("\n")
        except UnicodeDecodeError:
            raise NoteError("not a statement of a recovery") from None
        if len(lines) != 9 or lines[0] != FORMAT or lines[8] or lines[7] not in set(Why):
            raise NoteError("not a statement of a recovery")
        new, old = ("\n".join((*lines[at : at + 3], "")).encode() for at in (1, 4))
        return cls(Checkpoint.parse(new), Checkpoint.parse(old), Why(lines[7]))


async def open_new_origin(
    store: LogStore, places: Sequence[Place], keys: Keys, origin: str, why: Why, *, batch: int = 1000
) -> Statement:
    """Open the log `origin` over the rows that are there, and publish it in every place.

    Raises SealingRefused for rows that are not whole in themselves (restore a backup first), where there is no old
    log, or where the origin is not new; PlaceAway if a place does not answer; DatabaseAway.
    """
    head = await store.head()
    claims = Claims()
    await read_table(store, keys, claims)
    known = claims.origins()
    others = {key.name for key in keys.trusted} | known
    await read_places(places, keys, sorted(others - {origin}), 1, claims)
    _demand_answers(claims)
    if (
        any(found is not None for found in (await read_newest(places, keys, origin)).values())
        or origin in known
    ):
        raise SealingRefused(Reason.OTHER_ORIGIN, f"the log {origin!r} was opened before: name a new one")
    old = _last(claims)
    walk = await _whole(store, batch)
    new = Checkpoint(origin, walk.size, walk.tree.root())
    statement = Statement(new, old, why)
    signed = keys.sign(statement.encode())
    note = keys.sign(new.encode())
    if await store.store(head, StoredCheckpoint(origin, new.size, new.root, note, 0, signed)) is None:
        raise SealingRefused(Reason.OTHER_ORIGIN, "another sealer is at work: stop it first")
    for place in places:
        await place.put_statement(origin, signed)
        await place.put(origin, new.size, note)
    return statement


async def restore_published(
    store: LogStore, places: Sequence[Place], keys: Keys, origin: str, *, batch: int = 1000
) -> Checkpoint:
    """Store the newest published checkpoint in the database again, if the rows give exactly its root.

    Raises SealingRefused, DatabaseAway.
    """
    head = await store.head()
    best: tuple[Checkpoint, bytes] | None = None
    for place in places:
        note = await place.newest(origin)
        if note is not None:
            found = open_published(keys, place.name, note, origin)
            if best is None or found.size > best[0].size:
                best = found, note
    if best is None or (head is not None and head.size >= best[0].size):
        raise SealingRefused(Reason.NOTHING_PUBLISHED, "nothing is published that the database does not have")
    walk = Walk(heads=0)
    checkpoint, note = best
    try:
        await rehash_to(store, walk, checkpoint.size, batch)
    except SealingRefused as refused:
        raise await named(store, keys, origin, (), refused, batch) from refused
    if walk.size != checkpoint.size or walk.tree.root() != checkpoint.root:
        raise SealingRefused(
            Reason.REWRITTEN, "the rows are not those that were published: open a new origin"
        )
    if await store.store(head, StoredCheckpoint(origin, checkpoint.size, checkpoint.root, note, 0)) is None:
        raise SealingRefused(Reason.OTHER_ORIGIN, "another sealer is at work: stop it first")
    return checkpoint


def _demand_answers(claims: Claims) -> None:
    if claims.away:
        raise SealingRefused(
            Reason.PLACES_AWAY,
            f"{', '.join(sorted(set(claims.away)))} does not answer, and may know a later head",
        )


def _last(claims: Claims) -> Checkpoint:
    """The largest signed head of the log that goes on: the table's, or the published one where the table has none.

    Whoever may store checkpoints can store one that nobody signed, also of a log that there never was: it is followed,
    and not cited.
    """
    known = [claim.checkpoint for claim in claims.published]
    if claims.table is not None and claims.table.last is not None:
        origin = claims.table.last.origin
        known = [claims.table.largest[origin], *(one for one in known if one.origin == origin)]
    if not known:
        raise SealingRefused(
            Reason.NOTHING_PUBLISHED,
            "there is no earlier log to cite: its keys must be among keys.trusted; a log that was never sealed is "
            "started with --first-start",
        )
    return max(known, key=lambda one: one.size)


async def _whole(store: LogStore, batch: int) -> Walk:
    walk = Walk()
    while rows := await store.rows(walk.size, batch):
        # A gate in wrong hands can write a body of no known form, and nobody can take it back: it must not keep the
        # log unsealed for ever. Its session does not verify, and a check of the whole log goes on naming it.
        await walk.check(store, rows, any_body=True)
    return walk
