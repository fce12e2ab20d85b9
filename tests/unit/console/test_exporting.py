"""Bundles made of a gate's answers: a verifier accepts them, and what the gate cannot prove is said in words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import cast

import pytest
from doublethink.errors.v1 import errors_pb2
from doublethink.gate.v1 import ledger_pb2, opening_pb2, proof_pb2
from doublethink_console import exporting
from doublethink_console.errors import Refused
from doublethink_console.exporting import Export
from doublethink_console.peers import Peers
from doublethink_ledger import parse_bundle
from doublethink_rpc import RpcError
from sim import bundles, verifier

LOG = bundles.log()
VERIFY = verifier.load()
PIECE = 2
CAPABILITY = b"c" * 32


class SimPeers:
    """The gate's answers about the known session; the first proofs cover only so many rows."""

    def __init__(self, sealed: Sequence[int] = (), state: int = proof_pb2.PROOF_STATE_PROVEN) -> None:
        self.sealed = list(sealed)
        self.state = state
        self.asked = 0
        self.erased: set[int] = set()
        self.granted = True

    async def prove(self, capability: bytes, since_size: int) -> proof_pb2.ProveSessionResponse:
        """The proof of the newest row, or of an earlier one as long as `sealed` has one."""
        assert capability == CAPABILITY
        self.asked += 1
        newest = len(LOG.rows) - 1
        if self.state != proof_pb2.PROOF_STATE_PROVEN:
            return proof_pb2.ProveSessionResponse(
                state=cast("proof_pb2.ProofState", self.state), newest_n=newest
            )
        count = self.sealed.pop(0) if self.sealed else len(LOG.rows)
        bundle = LOG.bundle(count, since_size or None)
        return proof_pb2.ProveSessionResponse(
            state=proof_pb2.PROOF_STATE_PROVEN,
            newest_n=newest,
            last_n=count - 1,
            index=bundle.proof.index,
            checkpoint=bundle.proof.checkpoint,
            path=bundle.proof.path,
            consistency=bundle.since.consistency if bundle.since else (),
        )

    async def rows(
        self, capability: bytes, after_n: int, *, follow: bool
    ) -> AsyncIterator[ledger_pb2.ListRowsResponse]:
        """All rows."""
        assert (capability, after_n, follow) == (CAPABILITY, -1, False)
        for row in LOG.rows:
            message = ledger_pb2.Row(
                seq=row.seq,
                n=row.n,
                id=row.id,
                at_us=row.at_us,
                prev=row.prev,
                body=row.body or b"",
                hash=row.hash,
            )
            yield ledger_pb2.ListRowsResponse(row=message)

    async def openings(
        self, capability: bytes, after_n: int
    ) -> AsyncIterator[opening_pb2.OpenPayloadsResponse]:
        """Two opened payloads a call."""
        if not self.granted:
            raise RpcError(errors_pb2.ERROR_CODE_CALLER_REFUSED)
        for n in [n for n in (1, 6, 7, 8) if n > after_n][:PIECE]:
            given = opening_pb2.OpenPayloadsResponse(n=n, row_id=LOG.rows[n].id)
            if n in self.erased:
                given.erased = True
            else:
                given.nonce, given.payload = bundles.nonce(n), bundles.payload(n)
            yield given


async def exported(
    peers: SimPeers, *, since: bytes | None = None, opened: bool = False, wait_s: float = 5
) -> bytes:
    """The bundle's bytes."""
    asked = Export(CAPABILITY, bundles.SESSION, since, opened)
    gate = cast("Peers", peers)
    found = await exporting.prove(gate, asked, wait_s)
    return b"".join([line async for line in exporting.lines(gate, asked, found)])


async def test_the_bundle_is_the_one_that_the_library_writes() -> None:
    """Line by line it is what encoding the whole gives, with and without everything that can be in it."""
    assert await exported(SimPeers()) == LOG.bundle().encode()
    whole = await exported(SimPeers(), since=LOG.checkpoint(9), opened=True)
    assert whole == LOG.bundle(since=9, opened=[1, 6, 7, 8]).encode()
    assert verifier.judge(VERIFY, whole, [LOG.signer.verifier]).verdict == "COMPLETE"


async def test_an_erased_payload_is_left_out() -> None:
    """What is not there any more is not in the bundle; the others are."""
    peers = SimPeers()
    peers.erased = {6}
    bundle = parse_bundle(await exported(peers, opened=True))
    assert [opening.n for opening in bundle.openings] == [1, 7, 8]


async def test_it_waits_until_the_newest_row_is_sealed() -> None:
    """Rows that were there at the beginning are waited for; when the time is up, those that are sealed are given."""
    peers = SimPeers(sealed=[3, 5])
    assert parse_bundle(await exported(peers)).rows[-1].n == 9
    assert peers.asked == 3
    bundle = parse_bundle(await exported(SimPeers(sealed=[7] * 99), opened=True, wait_s=0))
    assert (len(bundle.rows), [opening.n for opening in bundle.openings]) == (7, [1, 6])
    assert verifier.judge(VERIFY, bundle.encode(), [LOG.signer.verifier]).verdict == "OPEN"


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (proof_pb2.PROOF_STATE_NOT_SEALED, "sealer"),
        (proof_pb2.PROOF_STATE_ROWS_MISSING, "verify --all"),
        (proof_pb2.PROOF_STATE_BEHIND, "restored"),
        (99, "no proof"),
    ],
)
async def test_what_cannot_be_proven_is_said(state: int, word: str) -> None:
    """Each reason has its words and what to do."""
    with pytest.raises(Refused, match=word) as caught:
        await exported(SimPeers(state=state), wait_s=0)
    assert caught.value.status == 409


async def test_a_grant_that_is_missing_is_said_before_the_first_line() -> None:
    """Without the policy's grant no bundle is begun."""
    peers = SimPeers()
    peers.granted = False
    asked = Export(CAPABILITY, bundles.SESSION, None, True)
    found = await exporting.prove(cast("Peers", peers), asked, 0)
    with pytest.raises(RpcError):
        await anext(exporting.lines(cast("Peers", peers), asked, found))


@pytest.mark.parametrize("note", [b"", b"x", bundles.key().verifier.format().encode()])
async def test_a_checkpoint_that_is_none_is_refused(note: bytes) -> None:
    """The gate is not even asked."""
    peers = SimPeers()
    with pytest.raises(Refused) as caught:
        await exported(peers, since=note)
    assert (caught.value.status, peers.asked) == (400, 0)


async def test_another_logs_checkpoint_is_refused() -> None:
    """A bundle is tied to the log that it is of."""
    other = bundles.Log.of(LOG.rows, signer=bundles.key("other", "ledger.example/other")).checkpoint(9)
    with pytest.raises(Refused, match="another log"):
        await exported(SimPeers(), since=other)


async def test_waiting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that is never sealed is asked for no longer than was said."""
    monkeypatch.setattr(exporting, "_POLL_S", 0.01)
    peers = SimPeers(state=proof_pb2.PROOF_STATE_NOT_SEALED)
    begun = asyncio.get_running_loop().time()
    with pytest.raises(Refused):
        await exported(peers, wait_s=0.1)
    assert peers.asked > 1
    assert asyncio.get_running_loop().time() - begun < 3
