"""A session's bundle, made of what the gate gives: rows, the proof, and opened payloads where the policy grants them.

The console verifies nothing of it and signs nothing: whoever gets the bundle does not have to believe the console.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, cast

from doublethink.gate.v1 import proof_pb2 as proof
from doublethink_ledger import BundleRow, Checkpoint, NoteError, Opening, Since, TlogProof, parse_note
from doublethink_ledger.bundle import MAX_ROWS, header_line, opening_line, row_line, since_line

from .errors import Refused
from .peers import Peers

_POLL_S: Final = 0.25
_NOT_PROVEN: Final = {
    proof.PROOF_STATE_NOT_SEALED: "Nothing of this session is sealed yet: the sealer signs the log about once a "
    "second; is it running?",
    proof.PROOF_STATE_ROWS_MISSING: "Rows that were sealed are not in the ledger any more, so that nothing can be "
    "proven: run doublethink ledger verify --all.",
    proof.PROOF_STATE_BEHIND: "The ledger's newest checkpoint is older than the one given: either it was not sealed "
    "since, or an old state was restored; run doublethink ledger verify --all.",
}


@dataclass(frozen=True, slots=True)
class Export:
    """What is asked for. session: 16 bytes. since: an earlier checkpoint's note, or None."""

    capability: bytes
    session: bytes
    since: bytes | None
    opened: bool


def earlier(note: bytes) -> Checkpoint:
    """The checkpoint of a note that a person kept; its signature is the verifier's to check. Raises Refused."""
    try:
        return Checkpoint.parse(parse_note(note).text)
    except NoteError as error:
        raise Refused(400, f"since is no checkpoint: {error}.") from None


async def prove(peers: Peers, asked: Export, wait_s: float) -> proof.ProveSessionResponse:
    """The gate's proof, of all rows that are there now if they are sealed in time, else of those that are.

    Raises Refused where none is sealed or some are missing; RpcError.
    """
    known = None if asked.since is None else earlier(asked.since)
    clock = asyncio.get_running_loop().time
    until, wanted = clock() + wait_s, None
    while True:
        found = await peers.prove(asked.capability, known.size if known else 0)
        wanted = found.newest_n if wanted is None else wanted
        proven = found.state == proof.PROOF_STATE_PROVEN
        waits = (proven and found.last_n < wanted) or found.state == proof.PROOF_STATE_NOT_SEALED
        if not waits or clock() >= until:
            break
        await asyncio.sleep(_POLL_S)
    if not proven:
        raise Refused(409, _NOT_PROVEN.get(found.state, "The gate gives no proof."))
    if known is not None and known.origin != earlier(found.checkpoint).origin:
        raise Refused(409, "The checkpoint given is of another log.")
    if found.last_n >= MAX_ROWS:
        raise Refused(409, f"The session has more than {MAX_ROWS} rows, and a bundle does not.")
    return found


async def lines(peers: Peers, asked: Export, found: proof.ProveSessionResponse) -> AsyncIterator[bytes]:
    """The bundle, line by line. Raises RpcError, and the bundle is then worth nothing."""
    openings = _openings(peers, asked, found.last_n)
    # Asked for first, so that a policy that does not grant it is an answer and not a bundle that is cut.
    first = await anext(openings, None)
    yield header_line(earlier(found.checkpoint).origin, asked.session, found.last_n + 1)
    async with aclosing(cast("Any", peers.rows(asked.capability, -1, follow=False))) as responses:
        async for response in responses:
            row = response.row
            if row.n > found.last_n:
                break
            yield row_line(BundleRow(row.n, row.at_us, row.id, row.prev, row.hash, row.body, None))
    if first is not None:
        yield opening_line(first)
    async for opening in openings:
        yield opening_line(opening)
    if asked.since is not None:
        yield since_line(Since(asked.since, tuple(found.consistency)))
    yield TlogProof(found.index, tuple(found.path), found.checkpoint).encode()


async def _openings(peers: Peers, asked: Export, last_n: int) -> AsyncIterator[Opening]:
    """What the gate opens, up to the last row that is proven; what was erased is not there."""
    after = -1
    while asked.opened:
        came = False
        async with aclosing(cast("Any", peers.openings(asked.capability, after))) as responses:
            async for one in responses:
                came, after = True, one.n
                if one.n <= last_n and not one.erased:
                    yield Opening(one.n, one.nonce, one.payload)
        if not came or after >= last_n:
            return
