"""A growing Merkle tree that keeps at most 63 hashes: the roots of its perfect subtrees, largest first.

Appending a leaf is what adding one to a binary counter is: each carry joins two subtrees of one size. A set bit of the
size is one kept hash.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence

from doublethink_ledger.errors import MerkleFormatError
from doublethink_ledger.merkle import HASH_BYTES, MAX_SIZE, RangeRoot, empty_root

_SIZE = struct.Struct(">Q")


class CompactRange:
    """The tree over the first `size` leaves of a log. Changes in place; a failed append leaves it as it was."""

    __slots__ = ("_nodes", "_size")

    def __init__(self) -> None:
        self._size = 0
        self._nodes: list[bytes] = []

    @property
    def size(self) -> int:
        """Number of leaves."""
        return self._size

    def copy(self) -> CompactRange:
        """Return an independent copy."""
        other = CompactRange()
        other._size, other._nodes = self._size, self._nodes.copy()
        return other

    def append(self, leaf_hash: bytes) -> None:
        """Add one leaf, given its 32-byte hash. Raises MerkleFormatError for another width."""
        self.extend((leaf_hash,))

    def extend(self, leaf_hashes: Iterable[bytes]) -> None:
        """Add leaves in order, given their hashes: all of them or, when anything is raised, none.

        Raises MerkleFormatError for a wrong width, and whatever the iterable raises.
        """
        # One local loop without a call per leaf: the sealer and the exports live in it.
        sha256, size, nodes = hashlib.sha256, self._size, self._nodes.copy()
        push, pop = nodes.append, nodes.pop
        for hash in leaf_hashes:
            if type(hash) is not bytes or len(hash) != HASH_BYTES:
                raise MerkleFormatError(f"leaf hash is not {HASH_BYTES} bytes")
            carry = size
            while carry & 1:
                hash = sha256(b"\x01" + pop() + hash).digest()
                carry >>= 1
            push(hash)
            size += 1
        if size > MAX_SIZE:
            raise MerkleFormatError("a tree has more than 2^63-1 leaves")
        self._size, self._nodes = size, nodes

    def root(self) -> bytes:
        """Return the 32-byte root of the tree."""
        if not self._nodes:
            return empty_root()
        return _joined(self._nodes[:-1], self._nodes[-1])

    def root_with(self, right: bytes) -> bytes:
        """Return the root of a tree that has this one's subtrees, and to the right of them one with the root `right`
        that is smaller than the smallest of them.
        """
        return _joined(self._nodes, right)

    def encode(self) -> bytes:
        """Return be64(size) || the kept hashes: what `decode` reads."""
        return _SIZE.pack(self._size) + b"".join(self._nodes)

    @classmethod
    def decode(cls, encoded: bytes) -> CompactRange:
        """Return the range that `encode` wrote. Raises MerkleFormatError for any other length.

        That the hashes are those of the log is for the caller to see, by comparing the root with a signed one.
        """
        if len(encoded) < _SIZE.size:
            raise MerkleFormatError("a compact range is cut short")
        (size,) = _SIZE.unpack_from(encoded)
        if size > MAX_SIZE or len(encoded) != _SIZE.size + HASH_BYTES * size.bit_count():
            raise MerkleFormatError("a compact range does not have the hashes of its size")
        whole = cls()
        whole._size = size
        whole._nodes = [encoded[at : at + HASH_BYTES] for at in range(_SIZE.size, len(encoded), HASH_BYTES)]
        return whole


def _joined(nodes: Sequence[bytes], root: bytes) -> bytes:
    for node in reversed(nodes):
        root = hashlib.sha256(b"\x01" + node + root).digest()
    return root


def range_root(leaf_hashes: Iterable[bytes]) -> bytes:
    """Return the root over these leaf hashes, read once, with memory for 64 hashes. Raises MerkleFormatError."""
    whole = CompactRange()
    whole.extend(leaf_hashes)
    return whole.root()


def over(leaf_hashes: Sequence[bytes]) -> RangeRoot:
    """Return the roots over parts of a sequence in memory, as `inclusion_proof` and `consistency_proof` ask them."""
    return lambda start, end: range_root(leaf_hashes[start:end])


def tiled_root(tiles: Sequence[bytes], rest: Sequence[bytes]) -> bytes:
    """Return the root over leaves of which most are given as the roots of perfect subtrees of one size, a power of
    two, and the `rest`, fewer than one of those has, as leaf hashes. Raises MerkleFormatError.
    """
    whole = CompactRange()
    whole.extend(tiles)
    if not rest:
        return whole.root()
    return whole.root_with(range_root(rest))
