"""Everything the validator raises for itself.

ValidatorError
├── QueryNotUnderstood    the approved query contradicts the typed request, or names nothing to look for
├── NotProven             a claim is not proven; `reason` says why, `verdict` which of the two answers follows
└── RecordContradicted    a recorded fact no longer agrees with the stored page

What crosses the wire is an error code alone: `service.py` maps these.
"""

from enum import Enum


class ValidatorError(Exception):
    """Base of this service's errors."""


class QueryNotUnderstood(ValidatorError):
    """The query cannot be examined: nothing on any page could prove an answer to it."""


class RecordContradicted(ValidatorError):
    """A recorded fact and its stored page disagree. Nothing may be composed from it."""


class Reason(Enum):
    """Why a claim is not proven. The value is the name used in `prove` and in logs."""

    QUOTE_ABSENT = "quote_absent"
    QUOTE_TOO_SHORT = "quote_too_short"
    HEADING_ABSENT = "heading_absent"
    PAGE_UNKNOWN = "page_unknown"
    PAGE_TOO_LONG = "page_too_long"
    VALUE_UNREADABLE = "value_unreadable"
    VALUE_ABSENT = "value_absent"
    VALUE_AMBIGUOUS = "value_ambiguous"
    VALUE_TOO_LONG = "value_too_long"
    UNIT_DIFFERS = "unit_differs"
    UNIT_UNKNOWN = "unit_unknown"
    UNIT_CLASS_DIFFERS = "unit_class_differs"
    SCALE_DIFFERS = "scale_differs"
    SCALE_UNKNOWN = "scale_unknown"
    PERIOD_DIFFERS = "period_differs"
    PERIOD_UNKNOWN = "period_unknown"
    PERIOD_AMBIGUOUS = "period_ambiguous"
    PERIOD_NOT_WANTED = "period_not_wanted"
    DIRECTION_DIFFERS = "direction_differs"
    FLAGS_DIFFER = "flags_differ"
    NEGATED = "negated"
    SUBJECT_DIFFERS = "subject_differs"
    COMPANY_ABSENT = "company_absent"
    ATTACHMENT_UNCLEAR = "attachment_unclear"
    RIVAL_FITS = "rival_fits"
    QUERY_UNCLEAR = "query_unclear"


_ABSENT = frozenset(
    {
        Reason.QUOTE_ABSENT,
        Reason.QUOTE_TOO_SHORT,
        Reason.HEADING_ABSENT,
        Reason.PAGE_UNKNOWN,
        Reason.VALUE_UNREADABLE,
        Reason.VALUE_ABSENT,
        Reason.UNIT_DIFFERS,
        Reason.UNIT_CLASS_DIFFERS,
        Reason.SCALE_DIFFERS,
        Reason.PERIOD_DIFFERS,
        Reason.PERIOD_NOT_WANTED,
        Reason.DIRECTION_DIFFERS,
        Reason.FLAGS_DIFFER,
        Reason.NEGATED,
        Reason.SUBJECT_DIFFERS,
        Reason.COMPANY_ABSENT,
    }
)


class NotProven(ValidatorError):
    """A claim is not proven."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason

    @property
    def absent(self) -> bool:
        """True where the page says something else or nothing, False where it could be read in two ways."""
        return self.reason in _ABSENT
