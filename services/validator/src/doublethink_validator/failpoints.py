"""The validator's failpoints; see doublethink_rpc.failpoint."""

from enum import StrEnum


class Point(StrEnum):
    """The points of one examination: the pages are here; and around the recording of each fact."""

    AFTER_PAGES = "after_pages"
    BEFORE_RECORD = "before_record"
    AFTER_RECORD = "after_record"
