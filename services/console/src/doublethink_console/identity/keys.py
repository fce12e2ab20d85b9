"""The provider's public keys, from a file (a JWK Set, RFC 7517). Nothing is fetched.

The file is looked at again every few seconds. What cannot be read, or is no JWK Set, leaves the keys that are there: a
file that is being replaced must not lock everybody out. A set that can be read is taken as it is, also one that takes
every key away.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from doublethink_rpc import log
from doublethink_settings import SettingsError
from doublethink_settings.files import read_file
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, OKPKey, RSAKey
from joserfc.util import base64_to_int

from .settings import Algorithm

MAX_BYTES: Final = 262_144
MAX_KEYS: Final = 64
LOOK_S: Final = 5.0
_RSA_BITS: Final = range(2048, 8193)
_EXPONENT_BITS: Final = range(17, 65)
"""From 65537 on (FIPS 186-5, section A.1.1), and small enough for a quick look at a signature."""
_MAX_ID: Final = 256
_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})
_FITTING: Final[Mapping[tuple[str, str | None], frozenset[Algorithm]]] = {
    ("RSA", None): frozenset({Algorithm.RS256, Algorithm.PS256}),
    ("EC", "P-256"): frozenset({Algorithm.ES256}),
    ("OKP", "Ed25519"): frozenset({Algorithm.EDDSA, Algorithm.ED25519}),
}
_CLASSES: Final[Mapping[str, type[RSAKey | ECKey | OKPKey]]] = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey}


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key, and the algorithms that fit its type and what it says of itself."""

    key: Key
    algorithms: frozenset[Algorithm]


class Watched(Protocol):
    """Is told how the file is."""

    def keys_read(self, usable: int, *, stale: bool) -> None:
        """usable: keys that are in use. stale: the newest file could not be taken."""


class KeyFile:
    """The keys of a file, by their `kid`. Raises SettingsError where the first reading finds none."""

    def __init__(self, file: Path, watched: Watched, now: Callable[[], float] = time.monotonic) -> None:
        self._file, self._watched, self._now = file, watched, now
        self._seen = _state(file)
        self._keys = read_keys(file)
        if not self._keys:
            raise SettingsError(f"{file} has no key with a kid that a token could be signed with")
        self._looked = now()
        self._stale = False
        self._tell()

    def get(self, kid: str) -> SigningKey | None:
        """The key of that name, as the file has it now."""
        if self._now() - self._looked >= LOOK_S:
            self._look()
        return self._keys.get(kid)

    def _look(self) -> None:
        self._looked = self._now()
        found = _state(self._file)
        # One that could not be taken is tried again also unchanged: a right to read it changes nothing of it.
        if found == self._seen and found is not None and not self._stale:
            return
        try:
            keys = read_keys(self._file)
        except SettingsError:
            # Its words name the path, which the configuration has, and are no value for a log.
            if not self._stale or found != self._seen:
                log().error("identity_keys_not_read", kept=len(self._keys))
            self._stale = True
        else:
            if keys:
                log().info("identity_keys_read", usable=len(keys))
            else:
                log().error("identity_keys_empty")
            self._keys, self._stale = keys, False
        self._seen = found
        self._tell()

    def _tell(self) -> None:
        self._watched.keys_read(len(self._keys), stale=self._stale)


def read_keys(file: Path) -> dict[str, SigningKey]:
    """The keys of a JWK Set that can sign tokens. Others are passed over, as RFC 7517, section 5, asks.

    Raises SettingsError for what is no JWK Set, for a private or symmetric key in it, and for a `kid` that is there
    twice.
    """
    keys: dict[str, SigningKey] = {}
    for entry in _entries(file):
        if not isinstance(entry, dict):
            raise SettingsError(f"{file} is no JWK Set: a key is no object")
        if entry.get("kty") == "oct" or not _PRIVATE.isdisjoint(entry):
            raise SettingsError(f"{file} holds a private or symmetric key: give the public keys alone")
        kid, made = entry.get("kid"), _signing_key(entry)
        if made is None or not isinstance(kid, str) or not 0 < len(kid) <= _MAX_ID:
            continue
        if kid in keys:
            raise SettingsError(f"{file} names two keys alike: each kid must be there once")
        keys[kid] = made
    return keys


def _entries(file: Path) -> list[Any]:
    content = read_file(file, MAX_BYTES, private=False)
    try:
        document = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise SettingsError(f"{file} is not JSON with every name once") from None
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise SettingsError(f'{file} is no JWK Set: it is an object with a list "keys"')
    if len(entries) > MAX_KEYS:
        raise SettingsError(f"{file} has more than {MAX_KEYS} keys")
    return entries


def _signing_key(entry: dict[str, Any]) -> SigningKey | None:
    """The key of an entry; None for one that no token is signed with here."""
    kind, curve = entry.get("kty"), entry.get("crv")
    if not isinstance(kind, str) or not isinstance(curve, str | None):
        return None
    fitting = _FITTING.get((kind, curve))
    operations = entry.get("key_ops", ["verify"])
    if fitting is None or entry.get("use", "sig") != "sig" or "verify" not in _list(operations):
        return None
    if "alg" in entry:
        fitting = frozenset(each for each in fitting if each.value == entry["alg"])
    # The numbers alone: what else an entry has (a chain of certificates) is not looked at.
    numbers: dict[str, Any] = {
        name: entry[name] for name in ("kty", "crv", "n", "e", "x", "y") if name in entry
    }
    try:
        # Before the library sees it: of a short key it warns, and of a long one it does the arithmetic.
        if kind == "RSA" and not (
            base64_to_int(numbers["n"]).bit_length() in _RSA_BITS
            and base64_to_int(numbers["e"]).bit_length() in _EXPONENT_BITS
        ):
            return None
        key = _CLASSES[kind].import_key(numbers)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return SigningKey(key, fitting) if fitting else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _state(file: Path) -> tuple[int, int, int, int] | None:
    """What changes with the file, through the links by which Kubernetes replaces it."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice")
    return fields
