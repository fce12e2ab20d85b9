"""The ledger row: its hash, its chain and the checks over them, as pure functions over bytes.

Nothing here opens a file, a socket or a database, and nothing here keeps state between calls.
"""

from doublethink_ledger.body import MAX_BODY_BYTES, decode_body, encode_body
from doublethink_ledger.body_keys import BODY_KEYS, BodyValue
from doublethink_ledger.chain import ChainHead, LogChecker, check_chain, check_log
from doublethink_ledger.commitment import NONCE_BYTES, check_commitment, commitment
from doublethink_ledger.errors import (
    BodyError,
    ChainError,
    CommitmentError,
    LedgerFormatError,
    Part,
    RowFormatError,
)
from doublethink_ledger.kinds import Kind, Verdict
from doublethink_ledger.row import Row, check_row_hash, first_prev, leaf_data, row_hash

__all__ = [
    "BODY_KEYS",
    "MAX_BODY_BYTES",
    "NONCE_BYTES",
    "BodyError",
    "BodyValue",
    "ChainError",
    "ChainHead",
    "CommitmentError",
    "Kind",
    "LedgerFormatError",
    "LogChecker",
    "Part",
    "Row",
    "RowFormatError",
    "Verdict",
    "check_chain",
    "check_commitment",
    "check_log",
    "check_row_hash",
    "commitment",
    "decode_body",
    "encode_body",
    "first_prev",
    "leaf_data",
    "row_hash",
]
