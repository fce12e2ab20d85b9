"""Keyed fingerprints of confirmed secrets: built where the memo is, looked up where requests leave.

Console side: `build_pack`, `encode_pack`. Gate side: `decode_pack`, `Matcher`, and `explore` and `prepare`,
which take a payload apart once for any number of packs.
"""

from doublethink_fingerprint.admission import Strength
from doublethink_fingerprint.build import SecretLike, build_pack
from doublethink_fingerprint.errors import (
    BuildError,
    FingerprintError,
    PackFormatError,
    TooShort,
    Unreadable,
    WorkSpent,
)
from doublethink_fingerprint.lookup import Hit, Matcher, MemoMark, PieceMark, Prepared, matcher_of, prepare
from doublethink_fingerprint.pack import Form, Kind, Pack, Piece, Tier, Value
from doublethink_fingerprint.view import Explored, Segment, View, explore, joined
from doublethink_fingerprint.wire import decode_pack, encode_pack
from doublethink_fingerprint.work import bounded_work

__all__ = [
    "BuildError",
    "Explored",
    "FingerprintError",
    "Form",
    "Hit",
    "Kind",
    "Matcher",
    "MemoMark",
    "Pack",
    "PackFormatError",
    "Piece",
    "PieceMark",
    "Prepared",
    "SecretLike",
    "Segment",
    "Strength",
    "Tier",
    "TooShort",
    "Unreadable",
    "Value",
    "View",
    "WorkSpent",
    "bounded_work",
    "build_pack",
    "decode_pack",
    "encode_pack",
    "explore",
    "joined",
    "matcher_of",
    "prepare",
]
