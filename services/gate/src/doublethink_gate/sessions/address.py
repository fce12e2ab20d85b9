"""One spelling for an address, so that a page is known again when another query finds it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit, urlunsplit

_PORTS: Final = {"http": 80, "https": 443}
# Parameters that say who sent a visitor, and nothing about the page; each is documented by its own maker.
_TRACKING: Final = re.compile(
    r"(?i)(?:utm_\w*|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|igshid|mc_[ce]id)(?:=.*)?"
)


def canonical(url: str) -> str:
    """Return `url` with scheme and host in lower case and without default port, fragment and tracking.

    Two addresses that differ in anything else are two addresses. What is no URL comes back as it is.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url
    if not host or parts.username is not None or parts.password is not None:
        return url
    name = f"[{host}]" if ":" in host else host
    place = name if port in (None, _PORTS.get(parts.scheme)) else f"{name}:{port}"
    query = "&".join(part for part in parts.query.split("&") if not _TRACKING.fullmatch(part))
    return urlunsplit((parts.scheme, place, parts.path or "/", query, ""))
