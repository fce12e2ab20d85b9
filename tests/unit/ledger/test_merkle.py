"""Trees and proofs: the known vectors, a tree written another way, and nothing changed gets through."""

from __future__ import annotations

import contextlib
import hashlib
from functools import cache

import pytest
from doublethink_ledger import (
    CompactRange,
    LedgerFormatError,
    MerkleFormatError,
    ProofError,
    consistency_proof,
    empty_root,
    inclusion_proof,
    leaf_hash,
    node_hash,
    over,
    range_root,
    tiled_root,
    verify_consistency,
    verify_inclusion,
)
from hypothesis import given, settings
from hypothesis import strategies as st

# The leaves, roots and proofs by which Certificate Transparency logs have been tested since RFC 6962.
KNOWN_DATA = (
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    bytes(range(0x50, 0x58)),
    bytes(range(0x60, 0x70)),
)
KNOWN_ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
KNOWN_CONSISTENCY = {
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
    (6, 7): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
}
KNOWN = [leaf_hash(data) for data in KNOWN_DATA]

LEAVES = [leaf_hash(number.to_bytes(4)) for number in range(4096)]
SIZES = range(1, 34)


@cache
def naive(start: int, end: int) -> bytes:
    """The root over LEAVES[start:end], by the recursion of the RFC's definition and nothing of ours."""
    size = end - start
    if size == 0:
        return hashlib.sha256(b"").digest()
    if size == 1:
        return LEAVES[start]
    half = 1
    while half * 2 < size:
        half *= 2
    return hashlib.sha256(b"\x01" + naive(start, start + half) + naive(start + half, end)).digest()


def bits(data: bytes) -> list[bytes]:
    """The bytes with each single bit changed."""
    whole = int.from_bytes(data)
    return [(whole ^ (1 << bit)).to_bytes(len(data)) for bit in range(8 * len(data))]


@pytest.mark.parametrize("size", range(9))
def test_the_known_roots(size: int) -> None:
    """The published roots of the first 0 to 8 leaves come out."""
    assert range_root(KNOWN[:size]).hex() == KNOWN_ROOTS[size]


@pytest.mark.parametrize(("sizes", "proof"), KNOWN_CONSISTENCY.items())
def test_the_known_consistency_proofs(sizes: tuple[int, int], proof: tuple[str, ...]) -> None:
    """The published consistency proofs come out, and are accepted."""
    made = consistency_proof(over(KNOWN), *sizes)
    assert tuple(step.hex() for step in made) == proof
    roots = [bytes.fromhex(KNOWN_ROOTS[size]) for size in sizes]
    verify_consistency(sizes[0], roots[0], sizes[1], roots[1], made)


def test_the_proofs_of_the_rfcs_example() -> None:
    """RFC 6962 section 2.1.3: in the tree of 7 the audit paths of d0, d3, d4, d6 and the proofs from 3, 4, 6."""
    a, b, c, d, e, f, j = KNOWN[:7]
    g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
    k, last = node_hash(g, h), node_hash(i, j)
    roots = over(KNOWN)
    assert inclusion_proof(roots, 0, 7) == [b, h, last]
    assert inclusion_proof(roots, 3, 7) == [c, g, last]
    assert inclusion_proof(roots, 4, 7) == [f, j, k]
    assert inclusion_proof(roots, 6, 7) == [i, k]
    assert consistency_proof(roots, 3, 7) == [c, d, g, last]
    assert consistency_proof(roots, 4, 7) == [last]
    assert consistency_proof(roots, 6, 7) == [i, j, k]


def test_the_compact_range_is_the_naive_tree_for_every_size_to_4096() -> None:
    """After each leaf the root is the definition's, and decoding what was encoded gives the same tree."""
    whole = CompactRange()
    for size in range(4097):
        assert whole.size == size
        assert whole.root() == naive(0, size), size
        again = CompactRange.decode(whole.encode())
        assert (again.size, again.root(), again.encode()) == (size, whole.root(), whole.encode())
        if size < 4096:
            whole.append(LEAVES[size])


@given(st.lists(st.integers(0, 700), max_size=6))
@settings(max_examples=60, deadline=None)
def test_leaves_may_come_in_any_portions(portions: list[int]) -> None:
    """Extending by portions gives the tree of all."""
    whole, at = CompactRange(), 0
    for portion in portions:
        whole.extend(LEAVES[at : at + portion])
        at = min(len(LEAVES), at + portion)
    assert (whole.size, whole.root()) == (at, naive(0, at))


@given(tile=st.sampled_from([1, 2, 8, 64]), size=st.integers(1, 700), first=st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_a_root_may_be_made_of_tiles(tile: int, size: int, first: int) -> None:
    """Roots of tiles and the leaves behind them give the root over all of them, from any tile on."""
    start = first * tile
    whole = size // tile
    tiles = [naive(start + at * tile, start + (at + 1) * tile) for at in range(whole)]
    rest = LEAVES[start + whole * tile : start + size]
    assert tiled_root(tiles, rest) == range_root(LEAVES[start : start + size])


def test_a_failed_extend_changes_nothing() -> None:
    """A bad leaf among good ones leaves the tree as it was; a copy is independent."""
    whole = CompactRange()
    whole.extend(LEAVES[:5])
    before, copy = whole.encode(), whole.copy()
    with pytest.raises(MerkleFormatError):
        whole.extend([*LEAVES[5:8], b"short"])
    assert whole.encode() == before
    copy.append(LEAVES[5])
    assert (whole.encode(), copy.size) == (before, 6)


@pytest.mark.parametrize("size", SIZES)
def test_every_inclusion_proof_verifies_and_no_bit_of_it_can_change(size: int) -> None:
    """Each leaf's path leads to the root; with one bit changed in leaf, root or path it does not, nor does the path
    for another index, or one hash longer or shorter.
    """
    root = naive(0, size)
    for index in range(size):
        proof = inclusion_proof(over(LEAVES), index, size)
        leaf = LEAVES[index]
        verify_inclusion(leaf, index, size, proof, root)
        for other in range(size):
            if other != index:
                refused_inclusion(leaf, other, size, proof, root)
        refused_inclusion(leaf, index, size, [*proof, LEAVES[0]], root)
        if proof:
            refused_inclusion(leaf, index, size, proof[:-1], root)
            refused_inclusion(leaf, index, size, proof[1:], root)
        if size > 17 and index not in (0, 1, size // 2, size - 1):
            continue  # the bits of the larger trees: at the ends and in the middle
        for changed in bits(leaf):
            refused_inclusion(changed, index, size, proof, root)
        for changed in bits(root):
            refused_inclusion(leaf, index, size, proof, changed)
        for place, step in enumerate(proof):
            for changed in bits(step):
                refused_inclusion(leaf, index, size, [*proof[:place], changed, *proof[place + 1 :]], root)


def refused_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes], root: bytes) -> None:
    """The check raises ProofError."""
    with pytest.raises(ProofError):
        verify_inclusion(leaf, index, size, proof, root)


@pytest.mark.parametrize("size2", SIZES)
def test_every_consistency_proof_verifies_and_no_bit_of_it_can_change(size2: int) -> None:
    """Each earlier tree is shown to begin the later one; with one bit changed in a root or a hash, with a hash more or
    less, or with the root of another size, it is not.
    """
    root2 = naive(0, size2)
    for size1 in range(size2 + 1):
        root1 = naive(0, size1)
        proof = consistency_proof(over(LEAVES), size1, size2)
        verify_consistency(size1, root1, size2, root2, proof)
        refused_consistency(size1, root1, size2, root2, [*proof, LEAVES[0]])
        if proof:
            refused_consistency(size1, root1, size2, root2, proof[:-1])
            refused_consistency(size1, root1, size2, root2, proof[1:])
        if size1:
            refused_consistency(size1, naive(0, size1 - 1), size2, root2, proof)
        if size2 > 17 and size1 not in (1, size2 // 2, size2 - 1):
            continue
        for changed in bits(root1):
            refused_consistency(size1, changed, size2, root2, proof)
        if size1:  # an empty tree begins every tree
            for changed in bits(root2):
                refused_consistency(size1, root1, size2, changed, proof)
        for place, step in enumerate(proof):
            for changed in bits(step):
                refused_consistency(
                    size1, root1, size2, root2, [*proof[:place], changed, *proof[place + 1 :]]
                )


def refused_consistency(size1: int, root1: bytes, size2: int, root2: bytes, proof: list[bytes]) -> None:
    """The check raises ProofError."""
    with pytest.raises(ProofError):
        verify_consistency(size1, root1, size2, root2, proof)


@given(size1=st.integers(0, 4096), size2=st.integers(0, 4096), index=st.integers(0, 4095))
@settings(max_examples=150, deadline=None)
def test_proofs_of_larger_trees(size1: int, size2: int, index: int) -> None:
    """Any two sizes, and any leaf of the larger, up to 4096."""
    size1, size2 = sorted((size1, size2))
    proof = consistency_proof(naive, size1, size2)
    assert proof == consistency_proof(over(LEAVES), size1, size2)
    verify_consistency(size1, naive(0, size1), size2, naive(0, size2), proof)
    if size2:
        index %= size2
        path = inclusion_proof(naive, index, size2)
        assert path == inclusion_proof(over(LEAVES), index, size2)
        verify_inclusion(LEAVES[index], index, size2, path, naive(0, size2))


def test_a_prover_of_a_huge_log_asks_for_few_ranges() -> None:
    """In a log of 2^62 rows a proof asks for at most 62 ranges, which do not overlap and cover all but the leaf."""
    asked: list[tuple[int, int]] = []

    def roots(start: int, end: int) -> bytes:
        asked.append((start, end))
        return bytes(32)

    assert len(inclusion_proof(roots, 123_456_789, 2**62)) == len(asked) == 62
    asked.append((123_456_789, 123_456_790))
    at = 0
    for start, end in sorted(asked):
        assert start == at
        at = end
    assert at == 2**62


@pytest.mark.parametrize(
    "call",
    [
        lambda: inclusion_proof(over(LEAVES), 3, 3),
        lambda: inclusion_proof(over(LEAVES), -1, 3),
        lambda: inclusion_proof(over(LEAVES), 0, 0),
        lambda: inclusion_proof(over(LEAVES), 0, 2**63),
        lambda: inclusion_proof(lambda start, end: b"", 0, 2),
        lambda: consistency_proof(over(LEAVES), 4, 3),
        lambda: consistency_proof(over(LEAVES), -1, 3),
        lambda: verify_inclusion(LEAVES[0], 1, 1, [], LEAVES[0]),
        lambda: verify_inclusion(LEAVES[0][:31], 0, 1, [], LEAVES[0]),
        lambda: verify_inclusion(LEAVES[0], 0, 1, [], b""),
        lambda: verify_inclusion(LEAVES[0], 0, 2, [b"x" * 31], LEAVES[0]),
        lambda: verify_consistency(2, LEAVES[0], 1, LEAVES[0], []),
        lambda: verify_consistency(0, LEAVES[0][1:], 1, LEAVES[0], []),
        lambda: node_hash(LEAVES[0], b""),
        lambda: CompactRange().append("x" * 32),  # type: ignore[arg-type]  # on purpose
        lambda: CompactRange.decode(b""),
        lambda: CompactRange.decode(bytes(7)),
        lambda: CompactRange.decode(bytes(9)),
        lambda: CompactRange.decode((2**63).to_bytes(8) + bytes(32)),
        lambda: CompactRange.decode((3).to_bytes(8) + bytes(32)),
    ],
)  # fmt: skip
def test_what_has_no_form_is_refused(call: object) -> None:
    """Wrong widths, ranges and stored trees raise MerkleFormatError."""
    assert callable(call)
    with pytest.raises(LedgerFormatError):
        call()


@given(st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_decoder(data: bytes) -> None:
    """Any bytes are a compact range that encodes to themselves, or raise MerkleFormatError."""
    with contextlib.suppress(MerkleFormatError):
        assert CompactRange.decode(data).encode() == data


@given(
    st.integers(0, 2**64),
    st.integers(0, 2**64),
    st.lists(st.binary(min_size=30, max_size=32), max_size=70),
)
@settings(max_examples=300, deadline=None)
def test_no_proof_crashes_a_checker(first: int, second: int, proof: list[bytes]) -> None:
    """Any numbers and hashes raise an error of ours or prove what is true; none of these is true."""
    with pytest.raises(LedgerFormatError):
        verify_inclusion(LEAVES[0], first, second, proof, LEAVES[1])
    with pytest.raises(LedgerFormatError):
        verify_consistency(first, LEAVES[0], second, LEAVES[1], proof)


def test_the_empty_tree() -> None:
    """It has the root that the RFC gives it, begins every tree, and no other root is its own."""
    assert CompactRange().root() == empty_root() == naive(0, 0)
    verify_consistency(0, empty_root(), 5, naive(0, 5), [])
    refused_consistency(0, LEAVES[0], 5, naive(0, 5), [])
