"""Why an attempt did not go as it was, kept for the owner of its session: rules and places, never a value."""

from doublethink_gate.reasons.reason import Reason, Reasons, reasons_of
from doublethink_gate.reasons.store import ReasonStore

__all__ = ["Reason", "ReasonStore", "Reasons", "reasons_of"]
