"""What can be wrong with a log, as a closed set of names, and where it is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why sealing is refused, and what a check of the whole log finds.

    Of a start that a person has to decide on: NOTHING_PUBLISHED, PLACE_EMPTY, PLACES_AWAY, OTHER_ORIGIN.
    Of the rows: ROW_EDITED, ROW_MISSING, RESEQUENCED, CHAIN_BROKEN, DUPLICATE.
    Of what rows commit to: PAYLOAD_MISSING. The rows are whole, and sealing goes on.
    Of rows against what was signed: TRUNCATED, TAIL_CUT, ROLLED_BACK, FORKED, REWRITTEN, CHECKPOINTS_MISSING.
    Of what was signed: CHECKPOINT_FORGED, PUBLISHED_FORGED.
    """

    NOTHING_PUBLISHED = "nothing_published"
    PLACE_EMPTY = "place_empty"
    PLACES_AWAY = "places_away"
    OTHER_ORIGIN = "other_origin"
    ROW_EDITED = "row_edited"
    ROW_MISSING = "row_missing"
    RESEQUENCED = "resequenced"
    CHAIN_BROKEN = "chain_broken"
    DUPLICATE = "duplicate"
    PAYLOAD_MISSING = "payload_missing"
    TRUNCATED = "truncated"
    TAIL_CUT = "tail_cut"
    ROLLED_BACK = "rolled_back"
    FORKED = "forked"
    REWRITTEN = "rewritten"
    CHECKPOINTS_MISSING = "checkpoints_missing"
    CHECKPOINT_FORGED = "checkpoint_forged"
    PUBLISHED_FORGED = "published_forged"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. first, last: the rows concerned, by seq, both included; None where no row is.

    words: what a person reads; numbers, names of places and nothing of a row's content.
    """

    reason: Reason
    words: str
    first: int | None = None
    last: int | None = None

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.words}"
