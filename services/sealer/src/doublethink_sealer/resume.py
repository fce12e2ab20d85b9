"""A start: the database is believed only as far as it gives the roots that were published.

Every row that was ever sealed is read again and hashed, and the tree is compared with the newest note of each place and
with the table's. Nothing that the sealer could have kept beside the log replaces this: a stored tree would show that
the sealer goes on where it stopped, and not that the rows under it are still those. It costs one pass over the log
(see the README for how long that takes), and memory for 63 hashes.

What does not fit is named by reading the log once more in full, and nothing is signed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from doublethink_ledger import Checkpoint
from doublethink_rpc import log

from doublethink_sealer.audit import audit
from doublethink_sealer.claims import IN_TABLE, Claim, Claims, open_published, open_stored, read_table
from doublethink_sealer.errors import DatabaseAway, PlaceAway, SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import LogStore, StoredCheckpoint
from doublethink_sealer.places import Place
from doublethink_sealer.walk import Walk, rehash_to


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a person has decided for this start. first_start: nothing needs to be published yet.
    new_places: places that may be empty though others are not.
    """

    first_start: bool = False
    new_places: frozenset[str] = frozenset()

    def empty(self, place: str) -> bool:
        """Whether a place may hold nothing."""
        return self.first_start or place in self.new_places


@dataclass(frozen=True, slots=True)
class Resumed:
    """Where sealing goes on. published: what is newest in each place that answered; None is an empty one."""

    walk: Walk
    head: StoredCheckpoint | None
    published: Mapping[str, Checkpoint | None] = field(default_factory=dict)


async def resume(
    store: LogStore,
    places: Sequence[Place],
    keys: Keys,
    origin: str,
    allowed: Allowed,
    *,
    batch: int = 1000,
    heads: int = 1_000_000,
) -> Resumed:
    """Read the log up to the largest size that was signed. Raises SealingRefused, DatabaseAway."""
    # The places first: what is published was stored before, so that the table cannot be behind by our own reading.
    published = await read_newest(places, keys, origin)
    head = await store.head()
    opened = None if head is None else _open_head(keys, origin, head)
    _check_presence(opened, published, allowed)
    claims = [Claim(found, name) for name, found in published.items() if found is not None]
    if opened is not None:
        claims.append(Claim(opened, IN_TABLE))
    walk = Walk(heads)
    try:
        for claim in sorted(claims, key=lambda one: one.size):
            await rehash_to(store, walk, claim.size, batch)
            if walk.size < claim.size or walk.tree.root() != claim.checkpoint.root:
                raise SealingRefused(
                    Reason.REWRITTEN, f"the rows are not those of the checkpoint of size {claim.size}"
                )
        behind = opened is None or any(claim.size > opened.size for claim in claims)
        if claims and behind:
            raise SealingRefused(
                Reason.CHECKPOINTS_MISSING, "the database's checkpoints end before the published"
            )
    except SealingRefused as refused:
        raise await named(store, keys, origin, claims, refused, batch) from refused
    return Resumed(walk, head, published)


async def read_newest(places: Sequence[Place], keys: Keys, origin: str) -> dict[str, Checkpoint | None]:
    """Return the newest checkpoint of each place that answers. Raises SealingRefused for a note that is not ours, and
    where no place answers.
    """
    published: dict[str, Checkpoint | None] = {}
    for place in places:
        try:
            note = await place.newest(origin)
        except PlaceAway as error:
            log().warning("place_away", place=place_number(places, place), error=error)
            continue
        published[place.name] = None if note is None else open_published(keys, place.name, note, origin)
    if not published:
        raise SealingRefused(
            Reason.PLACES_AWAY,
            "no publication place answers, so that nobody can tell whether the database was set back: "
            f"make one of them reachable ({', '.join(f'{one.name} is {one.where}' for one in places)})",
        )
    return published


def place_number(places: Sequence[Place], place: Place) -> int:
    """Return a place's number for the log, which takes no names."""
    return list(places).index(place) + 1


async def named(
    store: LogStore, keys: Keys, origin: str, claims: Sequence[Claim], refused: SealingRefused, batch: int
) -> SealingRefused:
    """Return the refusal with what a full reading of the log finds first, in place of the general one.

    What the database does not answer for is not named. The refusal stands all the same: were it taken for a database
    that is away, sealing would go on over a log that was found to be changed.
    """
    every = Claims(published=[claim for claim in claims if claim.where != IN_TABLE])
    try:
        await read_table(store, keys, every)
        report = await audit(store, origin, every, batch)
    except DatabaseAway as error:
        log().warning("damage_not_named", error=error)
        return refused
    # A payload that went is no reason not to seal.
    found = [one for one in report.findings if one.reason is not Reason.PAYLOAD_MISSING]
    if not found:
        return refused
    first = found[0]
    more = f"; {len(found) - 1} more" if len(found) > 1 else ""
    return SealingRefused(first.reason, first.words + more, first.first, first.last)


def _open_head(keys: Keys, origin: str, head: StoredCheckpoint) -> Checkpoint:
    if head.origin != origin:
        raise SealingRefused(
            Reason.OTHER_ORIGIN,
            f"the database's newest checkpoint is of the log {head.origin!r}, and this sealer is set to {origin!r}: "
            "set log.origin to it, or open a new log with the command recover",
        )
    return open_stored(keys, head)


def _check_presence(
    head: Checkpoint | None, published: Mapping[str, Checkpoint | None], allowed: Allowed
) -> None:
    """Whether what is absent may be absent. Raises SealingRefused."""
    present = head is not None or any(found is not None for found in published.values())
    if not present and not allowed.first_start:
        raise SealingRefused(
            Reason.NOTHING_PUBLISHED,
            "neither the database nor any place has a checkpoint of this log: if it was never sealed before, start "
            "with --first-start; else somebody removed them",
        )
    for name, found in published.items():
        if present and found is None and not allowed.empty(name):
            raise empty_place(name)


def empty_place(name: str) -> SealingRefused:
    """Return the refusal of a place that holds nothing though the log was sealed."""
    return SealingRefused(
        Reason.PLACE_EMPTY,
        f"{name} holds no checkpoint of this log, which was sealed before: if you set this place up anew, start once "
        f"with --new-place {name}; else somebody removed what was there",
    )
