"""What the host of an address says: data cut into labels, or a machine that the internet does not have.

Sources: the URL standard of the WHATWG (how numbers are read as IPv4 addresses), RFC 6761 and RFC 6762 (names of
special use), and the registries of special addresses at IANA as Python's `ipaddress` has them.
"""

from __future__ import annotations

import ipaddress
import re
from itertools import pairwise

from doublethink_gate.checks.blobs import is_blob

_MANY_LABELS = 6
_MIN_CHUNK = 6
_MANY_CHUNKS = 3
# Words and numbers with hyphens between, as people name things: "acme-ex991-2022q1", "10q-2023q2".
_PLAIN_PART = r"(?:[a-z]+[0-9]{0,4}|[0-9]{1,4}(?:[a-z][0-9]{0,2})?)"
_PLAIN_LABEL = re.compile(rf"(?i)(?=[^-]*[a-z]{{2}}){_PLAIN_PART}(?:-{_PLAIN_PART}){{1,7}}")
_HEX_LABEL = re.compile(r"[0-9a-f]{12,}")
_BASE32_LABEL = re.compile(r"(?=.*[2-7])(?=.*[A-Z])[A-Z2-7]{12,}|(?=.*[2-7])[a-z2-7]{24,}")
# Prefixes of published tokens; a host has a hyphen where the token has an underscore.
_TOKEN_LABEL = re.compile(r"(?i)(?:gh[pousr]|github-pat|sk|rk|pk|xox[abeoprs]|glpat|npm|hf|akia|asia|aiza)-?")
_MIN_TOKEN_LABELS = 5
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_INNER_NAME = re.compile(
    r"(?i)localhost(?:\.localdomain)?|(?:.+\.)?(?:localhost|local|internal|intranet|lan|corp|home\.arpa|in-addr\.arpa)"
    r"|metadata|instance-data|kubernetes(?:\.default)?|.+\.svc(?:\.cluster)?"
)


def host_of(address: str) -> str:
    """The host of an address as it is written, without login and port; brackets stay."""
    place = re.split(r"[/?#\\]", address.partition("://")[2])[0].rpartition("@")[2]
    if place.startswith("["):
        return place.partition("]")[0] + "]"
    return place.partition(":")[0].rstrip(".")


def host_blob(address: str) -> bool:
    """Whether an address names a host in whose labels something is encoded, or cut into pieces."""
    labels = host_of(address).split(".")[:-1]
    telling = [
        label
        for label in labels
        if any(char.isdigit() for char in label) and not _PLAIN_LABEL.fullmatch(label)
    ]
    return (
        len(telling) >= _MANY_LABELS
        or any(
            is_blob(label) or _HEX_LABEL.fullmatch(label) or _BASE32_LABEL.fullmatch(label)
            for label in telling
        )
        or _is_cut(labels)
    )


def _is_cut(labels: list[str]) -> bool:
    """Whether labels look like one text cut to size: a token's prefix first, or pieces of one length in a row."""
    if len(labels) >= _MIN_TOKEN_LABELS and _TOKEN_LABEL.match(labels[0]):
        return any(len(one) == len(two) >= _MIN_CHUNK for one, two in pairwise(labels))
    run = 1
    for one, two in pairwise(labels):
        run = run + 1 if len(one) == len(two) >= _MIN_CHUNK else 1
        if run > _MANY_CHUNKS:
            return True
    return False


def inner_host(address: str) -> bool:
    """Whether an address names a machine or service that is not on the public internet, or hides its number.

    A host that is a number in any other notation than four decimal parts was written to be misread.
    """
    host = host_of(address)
    if host.startswith("["):
        try:
            inner = ipaddress.IPv6Address(host[1:-1].partition("%")[0])
        except ValueError:
            return True
        return not inner.is_global or inner.ipv4_mapped is not None
    parts = host.split(".")
    if not all(_NUMBER.fullmatch(part) for part in parts):
        return _INNER_NAME.fullmatch(host) is not None
    try:
        return not ipaddress.IPv4Address(host).is_global
    except ValueError:
        return True
