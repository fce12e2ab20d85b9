"""Canaries: random marks in the memo that have no other reason to appear anywhere."""

from __future__ import annotations

import secrets

# No vowels, so that no word arises by chance; no 0, 1, l, o, which people misread.
_ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
_SYMBOLS = 20


def random_canary() -> str:
    """Return a fresh canary of 20 symbols (95 bits)."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_SYMBOLS))


def plant(memo: str, canaries: tuple[str, ...]) -> str:
    """Return the memo with a closing line for every canary that it does not hold yet."""
    missing = [canary for canary in canaries if canary not in memo]
    if not missing:
        return memo
    return memo.rstrip("\n") + "\n\n" + "".join(f"File reference: {canary}\n" for canary in missing)
