"""The sealer's own errors.

Exception
├── SettingsError       (doublethink_settings) a configuration or key file cannot be used
├── StartRefused        (doublethink_rpc) an address or a failpoint is not usable
├── DatabaseAway        the database does not answer; it is tried again
├── PlaceAway           a publication place does not answer or does not take the note; it is tried again
├── PlaceConflict       a place holds other bytes under the name of a note
└── SealingRefused      the log is not the one that was sealed: a person has to look
"""

from __future__ import annotations

from doublethink_sealer.findings import Finding, Reason


class DatabaseAway(Exception):
    """The database does not answer, or broke off. Without the server's words: they may quote the settings."""


class PlaceAway(Exception):
    """A publication place does not answer, or cannot take a note now."""


class PlaceConflict(Exception):
    """A place has other bytes where a note is to be put. `existing` is what lies there."""

    def __init__(self, existing: bytes) -> None:
        super().__init__("the place holds another note of this name")
        self.existing = existing


class SealingRefused(Exception):
    """Sealing stops: nothing more is signed until a person has decided."""

    def __init__(self, reason: Reason, words: str, first: int | None = None, last: int | None = None) -> None:
        self.finding = Finding(reason, words, first, last)
        super().__init__(str(self.finding))
