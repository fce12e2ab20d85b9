"""A small log with one known session in it, its bundle, and the seeded key that signed it: the same bytes each time."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from doublethink_ledger import (
    BodyValue,
    Bundle,
    BundleRow,
    Checkpoint,
    Kind,
    Opening,
    Row,
    SigningKey,
    Since,
    TlogProof,
    commitment,
    consistency_proof,
    decode_body,
    encode_body,
    first_prev,
    inclusion_proof,
    over,
    range_root,
    row_hash,
)

ORIGIN = "ledger.example/vectors"
SESSION = bytes.fromhex("00112233445566778899aabbccddeeff")
START_US = 1_780_000_000_000_000
BEFORE = 5
"""Rows of other sessions before the first of ours; one more stands between every two of ours."""

_WHO: dict[str, BodyValue] = {"gate": "1" * 64, "policy": "2" * 64}


def key(word: str = "test vectors", origin: str = ORIGIN) -> SigningKey:
    """A key that anybody can make again from a word, and that is worth nothing for it."""
    seed = hashlib.sha256(word.encode()).digest()
    return SigningKey(origin, Ed25519PrivateKey.from_private_bytes(seed))


def digest(*words: object) -> bytes:
    """32 bytes that look like any others."""
    return hashlib.sha256(repr(words).encode()).digest()


def row_id(n: int, session: bytes = SESSION) -> uuid.UUID:
    """The id of a row."""
    return uuid.UUID(bytes=digest("id", session, n)[:16])


def nonce(n: int) -> bytes:
    """The nonce of a row's commitment."""
    return digest("nonce", n)


def payload(n: int) -> bytes:
    """The payload of a row."""
    return f"payload of row {n}\n".encode() * (n + 1)


def _committed(n: int) -> dict[str, BodyValue]:
    return {"commit": commitment(nonce(n), payload(n)).hex(), "bytes": len(payload(n))}


def _request(n: int, verdict: str, **more: BodyValue) -> dict[str, BodyValue]:
    return {
        "verdict": verdict,
        "rules": [],
        "method": "search",
        "host": "api.example",
        **_committed(n),
        **more,
    }


def bodies() -> list[bytes]:
    """The bodies of the session: every kind that a session of a question can have, from open to close."""
    sent: dict[str, BodyValue] = {"status": "sent", "http": 200, "sent": 20, "received": 900, "cut": False}
    made: list[tuple[Kind, dict[str, BodyValue]]] = [
        (
            Kind.SESSION_OPEN,
            {
                "source": "corpus",
                "max_queries": 9,
                "max_pages": 9,
                "max_calls": 9,
                "max_bytes": 9999,
                "expires_us": START_US + 10**9,
            },
        ),
        (Kind.ATTEMPT, _request(1, "allow")),
        (Kind.OUTCOME, {"of": str(row_id(1)), **sent}),
        (Kind.ATTEMPT, _request(3, "block", rules=["secret.number"])),
        (Kind.HELD, _request(4, "ask")),
        (Kind.APPROVAL, {"of": str(row_id(4)), "verdict": "approve", "approver": "3" * 64}),
        (Kind.ATTEMPT, _request(6, "allow", of=str(row_id(4)))),
        (Kind.OUTCOME, {"of": str(row_id(6)), **sent, **_committed(7)}),
        (
            Kind.FACT,
            {
                "of": str(row_id(7)),
                "fact": "fct_" + "a" * 26,
                "page": "pag_" + "a" * 26,
                "page_sha256": "4" * 64,
                **_committed(8),
            },
        ),
        (Kind.SESSION_CLOSE, {"reason": "closed"}),
    ]
    return [encode_body({**_WHO, **body, "kind": kind.value}) for kind, body in made]


def chain(bodies: Sequence[bytes], session: bytes = SESSION) -> list[Row]:
    """The rows of these bodies, with a stranger's row between every two."""
    rows: list[Row] = []
    prev = first_prev(session)
    for n, body in enumerate(bodies):
        id, at_us, body_sha256 = row_id(n, session).bytes, START_US + 1000 * n, hashlib.sha256(body).digest()
        hash = row_hash(session=session, n=n, at_us=at_us, id=id, prev=prev, body_sha256=body_sha256)
        rows.append(Row(BEFORE + 2 * n, session, n, id, at_us, prev, body_sha256, hash, body))
        prev = hash
    return rows


@dataclass(frozen=True)
class Log:
    """A log of leaf hashes in which some rows have their places, and who signs it."""

    rows: Sequence[Row]
    leaves: Sequence[bytes]
    signer: SigningKey

    @classmethod
    def of(cls, rows: Sequence[Row], after: int = 7, signer: SigningKey | None = None) -> Log:
        """The log in which these rows stand at their seq, among strangers' rows, `after` of them behind the last."""
        size = rows[-1].seq + 1 + after
        leaves = [digest("stranger", seq) for seq in range(size)]
        for row in rows:
            leaves[row.seq] = row.hash
        return cls(rows, leaves, signer or key())

    def checkpoint(self, size: int | None = None) -> bytes:
        """The signed head at a size, that of the whole log if none is given."""
        size = len(self.leaves) if size is None else size
        origin = self.signer.verifier.name
        return Checkpoint(origin, size, range_root(self.leaves[:size])).sign(self.signer)

    def bundle(
        self, count: int | None = None, since: int | None = None, *, opened: Sequence[int] = ()
    ) -> Bundle:
        """The bundle of the first `count` rows; with a tie to the head at size `since`, and opened payloads."""
        rows = list(self.rows[:count])
        index = rows[-1].seq
        path = inclusion_proof(over(self.leaves), index, len(self.leaves))
        tie = None
        if since is not None:
            steps = consistency_proof(over(self.leaves), since, len(self.leaves))
            tie = Since(self.checkpoint(since), tuple(steps))
        return Bundle(
            origin=self.signer.verifier.name,
            session=rows[0].session,
            rows=tuple(BundleRow.of(row) for row in rows),
            proof=TlogProof(index, tuple(path), self.checkpoint()),
            openings=tuple(Opening(n, nonce(n), payload(n)) for n in opened),
            since=tie,
        )


def log() -> Log:
    """The log of the known session."""
    return Log.of(chain(bodies()))


def rewritten(rows: Sequence[Row], n: int, body: bytes) -> list[Row]:
    """The rows with another body at n and every hash from there on made anew: what a forger without a key can do."""
    return chain([body if row.n == n else row.body or b"" for row in rows], rows[0].session)


def with_rewrite(verdict: str = "rewrite", *, original: bool = True) -> Log:
    """The log in which something was taken out of the query of row 1. With another verdict, or without the commitment
    to what was asked for, it is one that no gate writes.
    """
    made = bodies()
    asked = b"what row 1 asked for\n"
    fields = {**decode_body(made[1]), "verdict": verdict}
    if original:
        fields["original"] = commitment(digest("nonce", "original", 1), asked).hex()
    # Not by encode_body, which refuses what the damaged vectors are to show.
    made[1] = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    return Log.of(chain(made))


def relinked(row: Row, **changes: object) -> Row:
    """A row with some fields changed and its own hash made to fit."""
    changed = replace(row, **changes)  # type: ignore[arg-type]  # by name
    fields = changed.leaf_data()
    return replace(changed, hash=hashlib.sha256(b"\x00" + fields).digest())
