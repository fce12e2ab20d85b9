"""What can stop an erasure.

RetentionError
├── NothingThere      there is no such session or row in the ledger, or the row never had a payload
├── SessionStillOpen  the session is not closed: its checks read its payloads
└── NothingToKeepBy   no number of days is named, neither in the policy nor by an option
"""

from __future__ import annotations


class RetentionError(Exception):
    """Nothing was erased. Messages hold ids and numbers only."""


class NothingThere(RetentionError):
    """The ledger has no such session or row, or the row never had a payload."""


class SessionStillOpen(RetentionError):
    """The session has no closing row yet."""


class NothingToKeepBy(RetentionError):
    """It is not said how long payloads are kept."""
