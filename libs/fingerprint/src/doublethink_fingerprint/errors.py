"""What can go wrong with fingerprints.

FingerprintError
├── BuildError        the values cannot be turned into a pack
│   └── TooShort      a value says too little to be found on its own
├── PackFormatError   the bytes are not a pack
├── Unreadable        part of a payload cannot be read completely
└── WorkSpent         looking a payload through costs more than it may
"""

from __future__ import annotations


class FingerprintError(Exception):
    """Base of this package's errors. No message repeats a secret."""


class BuildError(FingerprintError):
    """The values given are beyond a bound or make no fingerprint."""


class TooShort(BuildError):
    """A value of tier S0: it would stop far too many ordinary requests. Confirm the phrase that it stands in.

    Args:
        position: place of the secret in the list, counted from 1.
    """

    def __init__(self, position: int, secret_class: str) -> None:
        super().__init__(
            f"secret {position} (class {secret_class}) is too short or too ordinary to be looked for alone: "
            "give the phrase that it stands in, for example a number with its unit"
        )
        self.position = position


class PackFormatError(FingerprintError):
    """Bytes that are no pack, of another version, cut short, or beyond a bound."""


class Unreadable(FingerprintError):
    """A payload, or a part of it, that could hide something because it cannot be decoded within the budget.

    Args:
        reason: one of the fixed words ``budget``, ``compressed``, ``encoding``, ``depth``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"cannot be read completely: {reason}")
        self.reason = reason


class WorkSpent(FingerprintError):
    """What is left of a payload was not looked at; a payload that costs this much has to be refused."""

    def __init__(self) -> None:
        super().__init__("looking through the payload costs more than it may")
