"""How sure a rate is: Wilson's interval for a share of tries (E. B. Wilson, 1927)."""

from __future__ import annotations

from math import sqrt

_Z95 = 1.959964


def wilson(caught: int, tries: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate. Raises ValueError for no tries or more caught than tried."""
    if not 0 <= caught <= tries or not tries:
        raise ValueError("a rate needs tries, and no more caught than tried")
    rate = caught / tries
    base = 1 + _Z95**2 / tries
    middle = (rate + _Z95**2 / (2 * tries)) / base
    half = _Z95 * sqrt(rate * (1 - rate) / tries + _Z95**2 / (4 * tries**2)) / base
    return max(0.0, middle - half), min(1.0, middle + half)
