"""Merkle trees after RFC 6962 section 2.1, over SHA-256: roots, proofs, and the checks of proofs.

    leaf(data)        = SHA-256(0x00 || data)
    node(left, right) = SHA-256(0x01 || left || right)
    root of 0 leaves  = SHA-256("")

A row's hash is the leaf hash of its leaf data, so that everything here starts from leaf hashes. A tree of n leaves
splits at the largest power of two below n. Proofs list hashes from the leaf's side up to the root's.
The checks follow RFC 9162 sections 2.1.3.2 and 2.1.4.2; they raise ProofError and return nothing.

An inclusion proof binds a leaf and its index to a root of a tree whose size is known from elsewhere, that is, from the
signed checkpoint; of itself it does not bind the size.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Final

from doublethink_ledger.errors import MerkleFormatError, ProofError

HASH_BYTES: Final = 32
MAX_SIZE: Final = 2**63 - 1
MAX_PROOF_HASHES: Final = 64
"""No proof in a tree of at most 2^63-1 leaves is longer."""

RangeRoot = Callable[[int, int], bytes]
"""(start, end) -> the root of the tree over the leaves start..end-1; end is above start."""

_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def leaf_hash(data: bytes) -> bytes:
    """Return the 32-byte hash of a leaf with this data."""
    return hashlib.sha256(_LEAF + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the 32-byte hash of a node over two hashes. Raises MerkleFormatError for other widths."""
    _hash("left", left)
    _hash("right", right)
    return hashlib.sha256(_NODE + left + right).digest()


def empty_root() -> bytes:
    """Return the root of the tree without leaves."""
    return hashlib.sha256(b"").digest()


def inclusion_proof(roots: RangeRoot, index: int, size: int) -> list[bytes]:
    """Return the audit path of leaf `index` in the tree of `size` leaves (RFC 6962 section 2.1.1).

    `roots` is asked once for each of the at most 64 ranges, from the small ones at the leaf to the large ones.
    Raises MerkleFormatError for an index outside the tree.
    """
    return [_asked(roots, start, end) for start, end in inclusion_ranges(index, size)]


def consistency_proof(roots: RangeRoot, size1: int, size2: int) -> list[bytes]:
    """Return the proof that the tree of `size1` leaves begins the tree of `size2` (RFC 6962 section 2.1.2).

    Empty for equal sizes and for size1 = 0. Raises MerkleFormatError unless 0 <= size1 <= size2.
    """
    return [_asked(roots, start, end) for start, end in consistency_ranges(size1, size2)]


def inclusion_ranges(index: int, size: int) -> list[tuple[int, int]]:
    """Return the ranges (start, end) whose roots are the audit path, leaf's side first. Raises MerkleFormatError."""
    _count("size", size)
    if not 0 <= index < size:
        raise MerkleFormatError(f"index {index} is outside a tree of {size}")
    ranges: list[tuple[int, int]] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((start, middle))
            start = middle
    return ranges[::-1]


def consistency_ranges(size1: int, size2: int) -> list[tuple[int, int]]:
    """Return the ranges (start, end) whose roots are the consistency proof, in its order. Raises MerkleFormatError."""
    _count("size1", size1)
    _count("size2", size2)
    if size1 > size2:
        raise MerkleFormatError(f"a tree of {size1} does not begin one of {size2}")
    if size1 == 0:
        return []
    ranges: list[tuple[int, int]] = []
    start, end = 0, size2
    while size1 != end:
        middle = start + _split(end - start)
        if size1 <= middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((start, middle))
            start = middle
    if start != 0:
        # The last common part is no whole tree of size1: the checker cannot know its root.
        ranges.append((start, end))
    return ranges[::-1]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raise ProofError unless the leaf with hash `leaf` stands at `index` in the tree of `size` with this root.

    Raises MerkleFormatError for a wrong width or range.
    """
    _hash("leaf", leaf)
    _hash("root", root)
    _proof(proof)
    _count("size", size)
    if not 0 <= index < size:
        raise MerkleFormatError(f"index {index} is outside a tree of {size}")
    at, last, hash = index, size - 1, leaf
    for step in proof:
        if last == 0:
            raise ProofError("the inclusion proof is too long")
        if at & 1 or at == last:
            hash = node_hash(step, hash)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            hash = node_hash(hash, step)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise ProofError("the inclusion proof is too short")
    if not hmac.compare_digest(hash, root):
        raise ProofError("the inclusion proof does not lead to the root")


def verify_consistency(size1: int, root1: bytes, size2: int, root2: bytes, proof: Sequence[bytes]) -> None:
    """Raise ProofError unless the tree (size2, root2) begins with the tree (size1, root1).

    An empty tree begins every tree. Raises MerkleFormatError for a wrong width or range.
    """
    _hash("root1", root1)
    _hash("root2", root2)
    _proof(proof)
    _count("size1", size1)
    _count("size2", size2)
    if size1 > size2:
        raise MerkleFormatError(f"a tree of {size1} does not begin one of {size2}")
    if size1 == 0 or size1 == size2:
        if proof:
            raise ProofError("the consistency proof is too long")
        if not hmac.compare_digest(root1, empty_root() if size1 == 0 else root2):
            raise ProofError("two trees of one size have different roots")
        return
    at, last = size1 - 1, size2 - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    # A whole tree of a power of two is itself the first common part.
    steps = list(proof) if at else [root1, *proof]
    if not steps:
        raise ProofError("the consistency proof is too short")
    hash1 = hash2 = steps[0]
    for step in steps[1:]:
        if last == 0:
            raise ProofError("the consistency proof is too long")
        if at & 1 or at == last:
            hash1, hash2 = node_hash(step, hash1), node_hash(step, hash2)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            hash2 = node_hash(hash2, step)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise ProofError("the consistency proof is too short")
    if not hmac.compare_digest(hash1, root1):
        raise ProofError("the consistency proof does not lead to the earlier root")
    if not hmac.compare_digest(hash2, root2):
        raise ProofError("the consistency proof does not lead to the later root")


def _split(size: int) -> int:
    """The largest power of two below `size`, which is above 1."""
    return 1 << ((size - 1).bit_length() - 1)


def _asked(roots: RangeRoot, start: int, end: int) -> bytes:
    root = roots(start, end)
    _hash("root of a range", root)
    return root


def _hash(name: str, value: bytes) -> None:
    if type(value) is not bytes or len(value) != HASH_BYTES:
        raise MerkleFormatError(f"{name} is not {HASH_BYTES} bytes")


def _proof(proof: Sequence[bytes]) -> None:
    if len(proof) > MAX_PROOF_HASHES:
        raise ProofError(f"a proof has more than {MAX_PROOF_HASHES} hashes")
    for step in proof:
        _hash("a hash of the proof", step)


def _count(name: str, value: int) -> None:
    if type(value) is not int or not 0 <= value <= MAX_SIZE:
        raise MerkleFormatError(f"{name} is outside 0..2^63-1")
