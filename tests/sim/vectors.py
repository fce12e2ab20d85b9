"""The test vectors of the ledger's format, made anew: `PYTHONPATH=tests python -m sim.vectors` writes them.

Their key is derived from a word that everybody can read here: it signs nothing else.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from doublethink_ledger import (
    BundleRow,
    Checkpoint,
    commitment,
    first_prev,
    leaf_hash,
    parse_note,
    without_bodies,
)
from sim import bundles

FOLDER = Path(__file__).parents[2] / "verify" / "vectors"


def _bundles() -> dict[str, tuple[bytes, int, str]]:
    """Name -> bytes, exit code, first line of the verdict; INVALID up to the reason, which is free."""
    log = bundles.log()
    whole = log.bundle()
    data = whole.encode()
    rows = whole.rows
    rewritten = bundles.rewritten(log.rows, 3, (log.rows[3].body or b"").replace(b"block", b"allow"))
    thief = bundles.key("another word")
    signature = parse_note(whole.proof.checkpoint).signatures[0]
    size = str(len(log.leaves)).encode()
    return {
        "complete": (data, 0, "COMPLETE"),
        "open": (log.bundle(6).encode(), 3, "OPEN"),
        "redacted": (without_bodies(whole, [7]).encode(), 0, "COMPLETE"),
        "opened-since": (log.bundle(since=9, opened=[1, 7, 8]).encode(), 0, "COMPLETE"),
        "changed": (data.replace(b"secret.number", b"secret.numbeR"), 1, "INVALID at row 3"),
        "moved": (
            replace(whole, rows=(*rows[:4], rows[5], rows[4], *rows[6:])).encode(),
            1,
            "INVALID at row 4",
        ),
        "missing": (replace(whole, rows=(*rows[:4], *rows[5:])).encode(), 1, "INVALID at row 4"),
        "cut": (replace(whole, rows=rows[:-1]).encode(), 1, "INVALID at proof"),
        "rewritten": (
            replace(whole, rows=tuple(BundleRow.of(row) for row in rewritten)).encode(),
            1,
            "INVALID at proof",
        ),
        "verdict-rewrite": (bundles.with_rewrite().bundle(opened=[1]).encode(), 0, "COMPLETE"),
        "verdict-rewrite-bare": (
            bundles.with_rewrite(original=False).bundle().encode(),
            1,
            "INVALID at row 1",
        ),
        "original-beside-allow": (bundles.with_rewrite("allow").bundle().encode(), 1, "INVALID at row 1"),
        "resized": (
            data.replace(b"\n" + size + b"\n", b"\n" + str(len(log.leaves) + 1).encode() + b"\n"),
            1,
            "INVALID at checkpoint",
        ),
        "resigned": (
            bundles.Log.of(log.rows, signer=thief).bundle().encode(),
            1,
            f"UNKNOWN KEY {thief.verifier.label}",
        ),
        "long-signature": (
            data.replace(
                signature.line().encode(),
                replace(signature, signature=signature.signature + b"x").line().encode(),
            ),
            1,
            "INVALID at checkpoint",
        ),
    }


def _primitives() -> bytes:
    """Every step from fields to the signed head, for one row."""
    log = bundles.log()
    row = log.rows[1]
    checkpoint = log.checkpoint()
    note = parse_note(checkpoint)
    steps = {
        "session": row.session.hex(),
        "session_id": log.bundle().encode().split(b'"session":"')[1][:30].decode(),
        "prev_of_row_0": first_prev(row.session).hex(),
        "row": {
            "n": row.n,
            "at_us": row.at_us,
            "id": row.id.hex(),
            "prev": row.prev.hex(),
            "body": (row.body or b"").decode(),
            "body_sha256": row.body_sha256.hex(),
            "leaf_data": row.leaf_data().hex(),
            "hash": leaf_hash(row.leaf_data()).hex(),
        },
        "commitment": {
            "nonce": bundles.nonce(1).hex(),
            "payload": bundles.payload(1).hex(),
            "commit": commitment(bundles.nonce(1), bundles.payload(1)).hex(),
        },
        "leaves": [leaf.hex() for leaf in log.leaves],
        "root": Checkpoint.parse(note.text).root.hex(),
        "public_key": log.signer.verifier.public.hex(),
        "key_id": log.signer.verifier.id.hex(),
        "signed_text": note.text.decode(),
        "signature": note.signatures[0].signature.hex(),
    }
    return (json.dumps(steps, indent=1) + "\n").encode()


def vectors() -> dict[str, bytes]:
    """The name and the bytes of every file."""
    log = bundles.log()
    made = _bundles()
    expected = "".join(f"{name}.dtbundle\t{code}\t{line}\n" for name, (_, code, line) in made.items())
    return {
        **{f"{name}.dtbundle": data for name, (data, _, _) in made.items()},
        "expected.tsv": f"file\texit\tverdict\n{expected}".encode(),
        "ledger.vkey": f"{log.signer.verifier.format()}\n".encode(),
        "known.checkpoint": log.checkpoint(9),
        "primitives.json": _primitives(),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in vectors().items():
        (FOLDER / name).write_bytes(data)
