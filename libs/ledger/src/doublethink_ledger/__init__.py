"""The ledger's rows, chains, Merkle trees and signed notes, as pure functions over bytes.

Nothing here opens a file, a socket or a database, and nothing here keeps state between calls.
"""

from doublethink_ledger.body import MAX_BODY_BYTES, decode_body, encode_body
from doublethink_ledger.body_keys import BODY_KEYS, BodyValue
from doublethink_ledger.bundle import Bundle, BundleRow, Opening, Since, parse_bundle, without_bodies
from doublethink_ledger.chain import ChainHead, LogChecker, check_chain, check_log
from doublethink_ledger.checkpoint import Checkpoint, open_checkpoint
from doublethink_ledger.commitment import NONCE_BYTES, check_commitment, commitment
from doublethink_ledger.compact import CompactRange, over, range_root, tiled_root
from doublethink_ledger.errors import (
    BodyError,
    BundleError,
    ChainError,
    CommitmentError,
    LedgerFormatError,
    MerkleFormatError,
    NoteError,
    Part,
    ProofError,
    RowFormatError,
    SignatureError,
    UnknownKeyError,
)
from doublethink_ledger.kinds import Kind, Verdict
from doublethink_ledger.merkle import (
    RangeRoot,
    consistency_proof,
    empty_root,
    inclusion_proof,
    leaf_hash,
    node_hash,
    verify_consistency,
    verify_inclusion,
)
from doublethink_ledger.note import Note, SigningKey, VerifierKey, open_note, parse_note, sign
from doublethink_ledger.row import Row, check_row_hash, first_prev, leaf_data, row_hash
from doublethink_ledger.tlog_proof import TlogProof

__all__ = [
    "BODY_KEYS",
    "MAX_BODY_BYTES",
    "NONCE_BYTES",
    "BodyError",
    "BodyValue",
    "Bundle",
    "BundleError",
    "BundleRow",
    "ChainError",
    "ChainHead",
    "Checkpoint",
    "CommitmentError",
    "CompactRange",
    "Kind",
    "LedgerFormatError",
    "LogChecker",
    "MerkleFormatError",
    "Note",
    "NoteError",
    "Opening",
    "Part",
    "ProofError",
    "RangeRoot",
    "Row",
    "RowFormatError",
    "SignatureError",
    "SigningKey",
    "Since",
    "TlogProof",
    "UnknownKeyError",
    "Verdict",
    "VerifierKey",
    "check_chain",
    "check_commitment",
    "check_log",
    "check_row_hash",
    "commitment",
    "consistency_proof",
    "decode_body",
    "empty_root",
    "encode_body",
    "first_prev",
    "inclusion_proof",
    "leaf_data",
    "leaf_hash",
    "node_hash",
    "open_checkpoint",
    "open_note",
    "over",
    "parse_bundle",
    "parse_note",
    "range_root",
    "row_hash",
    "sign",
    "tiled_root",
    "verify_consistency",
    "verify_inclusion",
    "without_bodies",
]
