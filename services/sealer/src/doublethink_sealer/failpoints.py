"""The sealer's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """The points, in the order in which a checkpoint passes them."""

    AFTER_READ = "after_read"
    AFTER_SIGN = "after_sign"
    AFTER_STORE = "after_store"
    BEFORE_PUBLISH = "before_publish"
    AFTER_PUBLISH = "after_publish"
