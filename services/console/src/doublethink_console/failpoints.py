"""The console's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """The points of one run: its session is open and not written down; and around composing and storing."""

    AFTER_OPEN = "after_open"
    BEFORE_COMPOSE = "before_compose"
    BEFORE_ANSWER = "before_answer"
    AFTER_ANSWER = "after_answer"
