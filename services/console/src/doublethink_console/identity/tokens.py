"""Judges a token: a JSON Web Token (RFC 7519) in the compact form, signed by a key of the provider's (RFC 8725).

What is asked of it, in this order: its size and form; no `crit`; a `typ` of an ID or access token; an algorithm with a
public key that is allowed and fits the key; a `kid` that is known; the signature; then `iss`, `aud` and `azp`, `exp`,
`iat` and `nbf`, and a subject. Nothing that is said before the signature is proven is used for anything but to find the
key.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Protocol

from joserfc.errors import JoseError
from joserfc.jwk import Key
from joserfc.jws import CompactSignature, JWSRegistry, extract_compact, validate_compact
from joserfc.util import urlsafe_b64decode

from .keys import SigningKey
from .settings import Algorithm, OidcConfig

MAX_BYTES: Final = 12_288
"""Of a token. A request's whole head has at most 16,384."""

MAX_GROUPS: Final = 2000
_MAX_HEADER: Final = 2048
_MAX_SUBJECT: Final = 255
_FORM: Final = re.compile(r"([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*", re.ASCII)
"""Base64url has one spelling here: what is no letter of it is not passed over."""
_TYPES: Final = frozenset({"jwt", "at+jwt"})
_LOGOUT: Final = "http://schemas.openid.net/event/backchannel-logout"


class Reason(Enum):
    """Why a token is not taken. The words are for whoever presented it."""

    ABSENT = "no token came with the request"
    FORM = "it is no signed JSON Web Token of a size that is taken"
    CRITICAL = "it asks for an extension that is not known here"
    TYPE = "it is neither an ID token nor an access token"
    ALGORITHM = "its algorithm is not one that is taken from this key"
    KEY = "its key is not among the provider's"
    SIGNATURE = "its signature is not the provider's"
    ISSUER = "another provider issued it"
    AUDIENCE = "it is for somebody else"
    PARTY = "it was given to another client"
    EXPIRED = "its time is up"
    TIMES = "its times are not ones that are taken"
    SUBJECT = "it names no subject"
    GROUPS = "its groups are no list of names"
    OVERAGE = "its groups are too many to stand in it: have the provider send those of this console alone"


class TokenRefused(Exception):
    """A token that is not taken."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class Keys(Protocol):
    """Where keys are found."""

    def get(self, kid: str) -> SigningKey | None:
        """The key of that name."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a token proves. ends_at: seconds since 1970, after which it is worth nothing; kid, key: whose signature."""

    subject: str = field(repr=False)
    name: str = field(repr=False)
    groups: frozenset[str] = field(repr=False)
    ends_at: float
    kid: str = field(repr=False)
    key: Key = field(repr=False)


class _Registry(JWSRegistry):
    """The library's algorithms, and of them the configured ones alone: without a key, or with a shared one, none."""

    max_header_length = _MAX_HEADER
    max_payload_length = MAX_BYTES

    def __init__(self, allowed: tuple[Algorithm, ...]) -> None:
        super().__init__(algorithms=[each.value for each in allowed], strict_check_header=False)

    def get_alg(self, name: str) -> Any:
        # The library's own way warns of "EdDSA", the name that providers still use for Ed25519.
        if self.allowed is None or name not in self.allowed:
            raise TokenRefused(Reason.ALGORITHM)
        return self.algorithms[name]


class Tokens:
    """Judges tokens of one provider for one audience."""

    def __init__(self, config: OidcConfig, keys: Keys, now: Callable[[], float] = time.time) -> None:
        self._config, self._keys, self._now = config, keys, now
        self._registry = _Registry(config.algorithms)

    def verify(self, token: str) -> Verified:
        """What the token proves. Raises TokenRefused."""
        parts = _FORM.fullmatch(token) if len(token) <= MAX_BYTES else None
        if parts is None or len(parts[1]) > _MAX_HEADER:
            raise TokenRefused(Reason.FORM)
        value = token.encode()
        kid, key = self._key(_object(parts[1].encode()))
        try:
            found = extract_compact(value, registry=self._registry)
            signed = validate_compact(found, key.key, registry=self._registry)
        except (JoseError, ValueError, TypeError):
            raise TokenRefused(Reason.SIGNATURE) from None
        if not signed:
            raise TokenRefused(Reason.SIGNATURE)
        return self._claims(kid, key.key, found)

    def good(self, verified: Verified) -> bool:
        """Whether a token that was taken still would be: it has not ended, and its key is still there."""
        there = self._keys.get(verified.kid)
        # Not the name alone: an operator may put another key under it.
        return self._now() < verified.ends_at and there is not None and there.key == verified.key

    def left_s(self, verified: Verified) -> float:
        """Seconds until its end."""
        return max(0.0, verified.ends_at - self._now())

    def _key(self, header: Mapping[str, Any]) -> tuple[str, SigningKey]:
        if "crit" in header or "b64" in header:
            raise TokenRefused(Reason.CRITICAL)
        kind = header.get("typ")
        if kind is None:
            if not self._config.untyped:
                raise TokenRefused(Reason.TYPE)
        elif not isinstance(kind, str) or kind.lower().removeprefix("application/") not in _TYPES:
            raise TokenRefused(Reason.TYPE)
        name, kid = header.get("alg"), header.get("kid")
        algorithm = next((each for each in self._config.algorithms if each.value == name), None)
        if algorithm is None:
            raise TokenRefused(Reason.ALGORITHM)
        key = self._keys.get(kid) if isinstance(kid, str) else None
        if key is None or not isinstance(kid, str):
            raise TokenRefused(Reason.KEY)
        if algorithm not in key.algorithms:
            raise TokenRefused(Reason.ALGORITHM)
        return kid, key

    def _claims(self, kid: str, key: Key, found: CompactSignature) -> Verified:
        claims = _json(found.payload)
        if claims.get("iss") != self._config.issuer:
            raise TokenRefused(Reason.ISSUER)
        self._check_audience(claims)
        ends_at = self._check_times(claims)
        events = claims.get("events")
        if isinstance(events, dict) and _LOGOUT in events:
            raise TokenRefused(Reason.TYPE)
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT or not subject.isprintable():
            raise TokenRefused(Reason.SUBJECT)
        name = claims.get(self._config.name_claim)
        return Verified(
            subject=subject,
            name=name if isinstance(name, str) else "",
            groups=self._groups(claims),
            ends_at=ends_at,
            kid=kid,
            key=key,
        )

    def _check_audience(self, claims: Mapping[str, Any]) -> None:
        given = claims.get("aud")
        audiences = [given] if isinstance(given, str) else given
        if not isinstance(audiences, list) or self._config.audience not in audiences:
            raise TokenRefused(Reason.AUDIENCE)
        party = claims.get("azp")
        if party is None and len(audiences) == 1:
            return
        if not isinstance(party, str) or party not in self._config.parties:
            raise TokenRefused(Reason.PARTY)

    def _check_times(self, claims: Mapping[str, Any]) -> float:
        """The second at which the token ends, with the leeway."""
        leeway, now = self._config.leeway_s, self._now()
        ends, issued = _time(claims.get("exp")), _time(claims.get("iat"))
        begins = _time(claims["nbf"]) if "nbf" in claims else issued
        if now >= ends + leeway:
            raise TokenRefused(Reason.EXPIRED)
        if max(issued, begins) > now + leeway or ends - issued > self._config.longest_minutes * 60:
            raise TokenRefused(Reason.TIMES)
        return ends + leeway

    def _groups(self, claims: Mapping[str, Any]) -> frozenset[str]:
        value: Any = claims
        for name in self._config.groups_claim:
            value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            if _left_out(claims, self._config.groups_claim[0]):
                raise TokenRefused(Reason.OVERAGE)
            return frozenset()
        groups = [value] if isinstance(value, str) else value
        if not isinstance(groups, list) or len(groups) > MAX_GROUPS:
            raise TokenRefused(Reason.GROUPS)
        if not all(isinstance(each, str) for each in groups):
            raise TokenRefused(Reason.GROUPS)
        return frozenset(groups)


def _left_out(claims: Mapping[str, Any], name: str) -> bool:
    """Whether a claim is said to be elsewhere (OpenID Connect Core 1.0, section 5.6.2; Entra ID's `hasgroups`)."""
    elsewhere = claims.get("_claim_names")
    return claims.get("hasgroups") is True or (isinstance(elsewhere, dict) and name in elsewhere)


def _time(value: object) -> float:
    """A NumericDate, seconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TokenRefused(Reason.TIMES)
    try:
        seconds = float(value)
    except OverflowError:
        raise TokenRefused(Reason.TIMES) from None
    if not math.isfinite(seconds):
        raise TokenRefused(Reason.TIMES)
    return seconds


def _object(segment: bytes) -> dict[str, Any]:
    try:
        return _json(urlsafe_b64decode(segment))
    except ValueError:
        raise TokenRefused(Reason.FORM) from None


def _json(text: bytes | None) -> dict[str, Any]:
    try:
        fields = json.loads(
            (text or b"").decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant
        )
    except (ValueError, RecursionError):
        raise TokenRefused(Reason.FORM) from None
    if not isinstance(fields, dict):
        raise TokenRefused(Reason.FORM)
    return fields


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice")
    return fields


def _no_constant(_: str) -> Any:
    raise ValueError("not JSON")
