"""Registrable domains, near enough to tell two publishers apart.

Without the Public Suffix List, which is data of others: the last two labels, or the last three where the
second-last is one of the labels that registries put names under (co.uk, com.au). For a suffix it does not
know, it takes two hosts of one publisher for one domain or two publishers of one suffix for one: the error is
on the strict side.
"""

from __future__ import annotations

_SECOND_LEVEL = frozenset(
    ["co", "com", "org", "net", "gov", "gob", "govt", "ac", "edu", "or", "ne", "go", "mil", "nom"]
)


def registrable_domain(host: str) -> str:
    """Return the registrable domain of a host name, in lower case."""
    labels = host.lower().rstrip(".").split(".")
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])
