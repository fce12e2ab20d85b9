"""The gate's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """The points, in the order in which an attempt passes them, and then those of a fact.

    BEFORE_APPEND and AFTER_APPEND are passed by every row, of whatever kind. AFTER_FACT lies between a fact's
    row and the stored fact.
    """

    AFTER_CHECK = "after_check"
    BEFORE_APPEND = "before_append"
    AFTER_APPEND = "after_append"
    BEFORE_SEND = "before_send"
    AFTER_SEND = "after_send"
    BEFORE_OUTCOME = "before_outcome"
    AFTER_OUTCOME = "after_outcome"
    BEFORE_FACT = "before_fact"
    AFTER_FACT = "after_fact"
