"""The planner's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """AFTER_SEARCH, AFTER_EXAMINE and BEFORE_PLAN are passed by a run's worker, before it says what it did.

    BEFORE_EVENT is passed by the serving process, with an event that its caller has not got.
    """

    AFTER_SEARCH = "after_search"
    AFTER_EXAMINE = "after_examine"
    BEFORE_PLAN = "before_plan"
    BEFORE_EVENT = "before_event"
