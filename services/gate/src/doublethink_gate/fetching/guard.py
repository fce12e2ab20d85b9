"""The text of a URL: what may be asked for, before any name is resolved.

URLs are read differently by different programs, and where two readings differ an attacker lives. So this is no parser
that repairs: what is not plainly one thing is refused. The host must be an ASCII name, written as it will be resolved;
an address in any spelling, a user name, another port, a space, a backslash or an escape in the host are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, quote

from .errors import UrlRefused
from .rules import FetchRules

_MOST_CHARACTERS: Final = 4096
_MOST_NAME: Final = 253
_PORTS: Final = {"https": 443, "http": 80}
_URL: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<rest>[^#]*)(?:#.*)?", re.DOTALL
)
# A half of a surrogate pair, as a command line gives for bytes that are no UTF-8, has no encoding.
_FORBIDDEN: Final = re.compile(r'[\x00-\x20\x7f\s\\"<>^`{}\ud800-\udfff]')
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
# A host whose last label is a number is an address in disguise (WHATWG URL, "ends in a number").
_NUMBER: Final = re.compile(r"\d+|0x[0-9a-f]*")
# Names that are never a public web host: RFC 6761, RFC 6762, RFC 8375, RFC 7686, RFC 9476, and the reverse zones.
_RESERVED: Final = (
    ".localhost", ".local", ".localdomain", ".internal", ".intranet", ".lan", ".home", ".corp", ".home.arpa", ".arpa",
    ".onion", ".alt", ".invalid", ".test",
)  # fmt: skip
# Who sent a reader, not what is read: dropped, so that an address says no more than it must.
_TRACKING: Final = re.compile(
    r"utm_[a-z_]+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(?:enc|mi)"
)
# Left as they are in a path or a query; what else is not ASCII is escaped as UTF-8.
_KEPT: Final = "/?:@!$&'()*+,;=-._~%[]|"


@dataclass(frozen=True, slots=True)
class Target:
    """What may be asked for, if its name stands for public addresses alone."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The host, with its port where that is not the scheme's own: the value of the Host header."""
        return self.host if self.port == _PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """The URL as it will be sent."""
        return f"{self.scheme}://{self.authority}{self.path}"


def judge_url(text: str, rules: FetchRules) -> Target:
    """Return what a URL asks for. Raises UrlRefused."""
    if not text or len(text) > _MOST_CHARACTERS:
        raise UrlRefused("url.length", f"a URL has 1 to {_MOST_CHARACTERS} characters")
    if _FORBIDDEN.search(text) is not None:
        raise UrlRefused("url.characters", "a space, a control character or one that URLs may not hold")
    found = _URL.fullmatch(text)
    if found is None:
        raise UrlRefused("url.form", "not of the form scheme://host/path")
    scheme = found["scheme"].lower()
    if scheme not in rules.schemes or scheme not in _PORTS:
        raise UrlRefused("url.scheme", f"only {', '.join(rules.schemes)}", "destinations.schemes")
    host, port = _authority(found["authority"], scheme, rules)
    _judge_host(host, rules)
    return Target(scheme, host, port, _path(found["rest"]))


def _authority(authority: str, scheme: str, rules: FetchRules) -> tuple[str, int]:
    if "@" in authority:
        raise UrlRefused("url.userinfo", "a user name or a password before the host")
    if authority.startswith("["):
        raise UrlRefused("url.address", "the host is an IPv6 address: only names are asked")
    if not authority.isascii():
        raise UrlRefused("url.host_characters", "the host is not ASCII: write it as its xn-- form")
    host, colon, port = authority.partition(":")
    if not colon:
        return host.lower(), _PORTS[scheme]
    if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) not in (_PORTS[scheme], *rules.ports):
        raise UrlRefused("url.port", f"only {_PORTS[scheme]}")
    return host.lower(), int(port)


def _judge_host(host: str, rules: FetchRules) -> None:
    labels = host.split(".")
    last = labels[-2] if len(labels) > 1 and not labels[-1] else labels[-1]
    if _NUMBER.fullmatch(last):
        raise UrlRefused("url.address", "the host is a number, that is an address: only names are asked")
    if len(host) > _MOST_NAME or not all(_LABEL.fullmatch(label) for label in labels):
        raise UrlRefused("url.host_characters", "the host is not a name of letters, digits and hyphens")
    if len(labels) == 1:
        raise UrlRefused("url.host_single", "the host has no dot: it would be looked up in the local network")
    if any(f".{host}".endswith(suffix) for suffix in _RESERVED):
        raise UrlRefused("url.host_reserved", "the host's last part is reserved for local use")
    if not rules.lists(host):
        raise UrlRefused(
            "url.host_not_listed", "the host is not among those that are allowed", "destinations.hosts"
        )


def _path(rest: str) -> str:
    path, mark, query = rest.partition("?")
    if mark and _TRACKING.search(query):
        kept = [part for part in query.split("&") if not _is_tracking(part)]
        mark, query = ("?" if kept else ""), "&".join(kept)
    return quote((path or "/") + mark + query, safe=_KEPT)


def _is_tracking(part: str) -> bool:
    names = parse_qsl(part, keep_blank_values=True)
    return bool(names) and _TRACKING.fullmatch(names[0][0].lower()) is not None
