"""The reader's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """The one point: query and pages are here, no claim has left."""

    BEFORE_CLAIMS = "before_claims"
