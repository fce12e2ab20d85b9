"""The console's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """The points of one run: its job is handed out and the run not claimed; its session is open and not written down;
    around composing and storing; the outcome is written and the session open; the session is closed and the run not
    ended; the run has ended and its job has not.
    """

    AFTER_TAKE = "after_take"
    AFTER_OPEN = "after_open"
    BEFORE_COMPOSE = "before_compose"
    BEFORE_ANSWER = "before_answer"
    AFTER_ANSWER = "after_answer"
    AFTER_DECISION = "after_decision"
    BEFORE_END = "before_end"
    BEFORE_DONE = "before_done"
