"""How fast is the proof: leaves into the tree, proofs made, bundles written and verified, beside plain SHA-256.

The baseline of the tree is hashing the same number of nodes and doing nothing else; that of the verifier is `sha256sum`
over the same file. The verifier runs as its users run it, in a process of its own. All times are processor time, so
that what else the machine does counts little.

    python eval/bench/proof.py [--quick]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from doublethink_ledger import (
    Bundle,
    BundleRow,
    Checkpoint,
    CompactRange,
    Kind,
    SigningKey,
    TlogProof,
    encode_body,
    first_prev,
    inclusion_proof,
    over,
    range_root,
    row_hash,
    verify_inclusion,
)

ORIGIN = "bench.example/log"
VERIFIER = Path(__file__).parents[2] / "verify" / "doublethink_verify.py"
WHO = {"gate": "1" * 64, "policy": "2" * 64}
BATCH = 1000
"""Leaves that the sealer adds at once, about: what came in since its last look."""


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time that a piece of work takes here and in the processes that it starts."""
    begun = _spent()
    work()
    return _spent() - begun


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def tree(count: int) -> None:
    """Leaves a second into a compact range, signing included as the sealer does it, and bare hashing beside it."""
    leaves = [hashlib.sha256(number.to_bytes(8, "big")).digest() for number in range(count)]
    whole, key = CompactRange(), SigningKey(ORIGIN, Ed25519PrivateKey.generate())

    def append() -> None:
        for leaf in leaves:
            whole.append(leaf)

    def extend() -> None:
        fresh = CompactRange()
        for at in range(0, count, BATCH):
            fresh.extend(leaves[at : at + BATCH])

    def seal() -> None:
        fresh = CompactRange()
        for at in range(0, count, BATCH):
            fresh.extend(leaves[at : at + BATCH])
            Checkpoint(ORIGIN, fresh.size, fresh.root()).sign(key)

    def bare() -> None:
        sha256 = hashlib.sha256
        for leaf in leaves:
            sha256(b"\x01" + leaf + leaf).digest()

    base = count / timed(bare)
    print(f"{'bare SHA-256 of a node':44} {base:12,.0f} /s")
    for name, work in (
        (f"CompactRange.extend, {BATCH} at once", extend),
        (f"the same, signed every {BATCH}", seal),
        ("CompactRange.append, one by one", append),
    ):
        rate = count / timed(work)
        print(f"{name:44} {rate:12,.0f} leaves/s, {rate / base:.2f} of bare")
    proof: list[bytes] = []
    made = timed(lambda: proof.extend(inclusion_proof(over(leaves), count // 3, count)))
    root = whole.root()
    checked = timed(lambda: verify_inclusion(leaves[count // 3], count // 3, count, proof, root))
    print(f"inclusion proof in {count:,} leaves: {made:.2f} s to make, {checked * 1e6:.0f} us to check")


def session(rows: int) -> tuple[Bundle, SigningKey]:
    """A bundle of an open, attempts with their outcomes, and a close."""
    key, name = SigningKey(ORIGIN, Ed25519PrivateKey.generate()), bytes(range(16))
    made: list[BundleRow] = []
    prev, attempt = first_prev(name), ""
    for n in range(rows):
        id = hashlib.sha256(n.to_bytes(8, "big")).digest()[:16]
        shown = f"{id[:4].hex()}-{id[4:6].hex()}-{id[6:8].hex()}-{id[8:10].hex()}-{id[10:].hex()}"
        if n == 0:
            body = {"kind": Kind.SESSION_OPEN.value, "source": "corpus", "expires_us": 9}
            body |= {f"max_{what}": 9 for what in ("queries", "pages", "calls", "bytes")}
        elif n == rows - 1:
            body = {"kind": Kind.SESSION_CLOSE.value, "reason": "closed"}
        elif n % 2:
            body = {"kind": Kind.ATTEMPT.value, "verdict": "allow", "rules": [], "method": "extract"}
            body |= {"host": "api.example.com", "commit": hashlib.sha256(id).hexdigest(), "bytes": 300}
            attempt = shown
        else:
            body = {"kind": Kind.OUTCOME.value, "of": attempt, "status": "sent", "http": 200, "sent": 300}
            body |= {"received": 90_000, "response": hashlib.sha256(id).hexdigest(), "micros": 120_000}
        encoded = encode_body({**WHO, **body})  # type: ignore[dict-item]  # strings, integers and one empty list
        digest = hashlib.sha256(encoded).digest()
        hash = row_hash(session=name, n=n, at_us=n, id=id, prev=prev, body_sha256=digest)
        made.append(BundleRow(n, n, id, prev, hash, encoded, None))
        prev = hash
    leaves = [row.hash for row in made]
    path = inclusion_proof(over(leaves), rows - 1, rows)
    note = Checkpoint(ORIGIN, rows, range_root(leaves)).sign(key)
    return Bundle(ORIGIN, name, tuple(made), TlogProof(rows - 1, tuple(path), note)), key


def bundle(rows: int, folder: Path) -> None:
    """Size of a bundle, time to write it and to verify it, and its process beside sha256sum's."""
    whole, key = session(rows)
    file, vkey = folder / "bundle", folder / "vkey"
    vkey.write_text(key.verifier.format())
    written = timed(lambda: file.write_bytes(whole.encode()))
    command = [sys.executable, "-I", str(VERIFIER), str(file), "--key", str(vkey), "--json"]
    answers: list[str] = []
    took = timed(
        lambda: answers.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    )
    if json.loads(answers[0])["verdict"] != "COMPLETE":
        raise SystemExit("the bundle does not verify")
    empty = timed(lambda: subprocess.run([*command[:3], "--help"], capture_output=True, check=True))
    base = timed(lambda: subprocess.run(["sha256sum", str(file)], capture_output=True, check=True))
    size = file.stat().st_size
    print(
        f"{rows:8,} rows: {size / 1e6:7.2f} MB, {size / rows:.0f} bytes a row; written in {written:.2f} s, verified in "
        f"{took:.2f} s, {empty:.2f} s of it to start: {rows / max(took - empty, 1e-3):,.0f} rows/s; "
        f"sha256sum {base:.2f} s"
    )


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the leaves and rows")
    quick = parser.parse_args().quick
    tree(100_000 if quick else 1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        for rows in (1_000, 10_000 if quick else 100_000):
            bundle(rows, Path(folder))


if __name__ == "__main__":
    main()
