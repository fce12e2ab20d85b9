"""Seals a gate's database as the sealer does, with a key that is known and nothing published."""

from __future__ import annotations

import psycopg
from doublethink_ledger import Checkpoint, SigningKey, range_root
from sim import bundles


def seal(dsn: str, size: int | None = None, signer: SigningKey | None = None) -> bytes:
    """Sign the log's head at a size, that of all rows if none is given, and store it; return the note.

    dsn: of the sealer's role.
    """
    key = signer or bundles.key()
    origin = key.verifier.name
    with psycopg.connect(dsn, autocommit=True) as connection:
        leaves = [row[0] for row in connection.execute("SELECT hash FROM ledger.entry ORDER BY seq")]
        size = len(leaves) if size is None else size
        checkpoint = Checkpoint(origin, size, range_root(leaves[:size]))
        note = checkpoint.sign(key)
        head = connection.execute(
            "SELECT origin, size FROM ledger.checkpoint ORDER BY at_us DESC LIMIT 1"
        ).fetchone()
        stored = connection.execute(
            "SELECT ledger.store_checkpoint(%b, %b, %b, %b, %b, %b, NULL)",
            (*(head or (None, None)), origin, size, checkpoint.root, note),
        ).fetchone()
    assert stored is not None
    assert stored[0] is not None
    return note
