"""A tenant as the ledger names it."""

from __future__ import annotations

import hashlib


def tenant_digest(tenant: str) -> str:
    """Return SHA-256 of "tenant:" and the name, in hexadecimal. It tells tenants apart; it does not hide
    a name.
    """
    return hashlib.sha256(b"tenant:" + tenant.encode()).hexdigest()
