"""Capabilities: 256 random bits each, of which only the SHA-256 is kept.

A capability is looked up by its hash, so that neither a dump of the database nor a timing of the comparison
gives one away. 256 random bits need no salt and no slow hash.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

CAPABILITY_BYTES = 32

CONSOLE = "console"
PLANNER = "planner"
VALIDATOR = "validator"
READER = "reader"
ROLES = (CONSOLE, PLANNER, VALIDATOR, READER)


@dataclass(frozen=True, slots=True)
class Minted:
    """A capability as it is handed out once. `secret` never enters a log, a row or a repr."""

    secret: bytes = field(repr=False)
    sha256: bytes


def mint() -> Minted:
    """Return a fresh capability and its hash."""
    secret = secrets.token_bytes(CAPABILITY_BYTES)
    return Minted(secret, digest(secret))


def digest(capability: bytes) -> bytes:
    """Return the 32 bytes under which a capability is stored."""
    return hashlib.sha256(capability).digest()
