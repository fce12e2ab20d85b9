"""Who may come in: the holder of the launch token, as a bearer or by a cookie that the token was exchanged
for.

The cookie is "EXPIRES.MAC": the second at which it ends, and HMAC-SHA-256 of that under a key derived from
the token. It is worth nothing without the token's file and ends with it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections.abc import Callable
from typing import Final

from doublethink_settings import SettingsError, read_secret

from doublethink_console.config import Access

COOKIE: Final = "doublethink_console"
_TOKEN: Final = re.compile(r"[0-9a-f]{64}")
_COOKIE: Final = re.compile(r"([0-9]{1,12})\.([0-9a-f]{64})")


class Doorkeeper:
    """Compares what a request presents, in constant time."""

    def __init__(
        self,
        token: str,
        access: Access,
        now: Callable[[], float] = time.time,
        collector_token: str | None = None,
    ) -> None:
        if _TOKEN.fullmatch(token) is None:
            raise SettingsError("access.token_file must hold 64 hexadecimal digits")
        if collector_token is not None and _TOKEN.fullmatch(collector_token) is None:
            raise SettingsError("access.collector_token_file must hold 64 hexadecimal digits")
        if collector_token == token:
            raise SettingsError("access.collector_token_file must hold another token than access.token_file")
        self._collector = (
            None if collector_token is None else hashlib.sha256(collector_token.encode()).digest()
        )
        self._digest = hashlib.sha256(token.encode()).digest()
        self._cookie_key = hmac.digest(token.encode(), b"doublethink console cookie", "sha256")
        self._access, self._now = access, now

    def holds_token(self, presented: str) -> bool:
        """Whether the text is the launch token."""
        return hmac.compare_digest(hashlib.sha256(presented.encode()).digest(), self._digest)

    def holds_collector_token(self, presented: str) -> bool:
        """Whether the text is the collector's token. There may be none."""
        return self._collector is not None and hmac.compare_digest(
            hashlib.sha256(presented.encode()).digest(), self._collector
        )

    def holds_cookie(self, presented: str) -> bool:
        """Whether the text is a cookie of this token that has not ended."""
        parts = _COOKIE.fullmatch(presented)
        if parts is None:
            return False
        right = hmac.compare_digest(parts[2], self._mac(parts[1]))
        return right and int(parts[1]) > self._now()

    def cookie(self) -> str:
        """The header value that hands out a cookie."""
        expires = str(int(self._now()) + self._access.session_seconds)
        secure = "; Secure" if self._access.secure_cookie else ""
        return (
            f"{COOKIE}={expires}.{self._mac(expires)}; Path=/; HttpOnly; SameSite=Strict;"
            f" Max-Age={self._access.session_seconds}{secure}"
        )

    def forget_cookie(self) -> str:
        """The header value that takes a cookie back."""
        return f"{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"

    def host_is_ours(self, host: str) -> bool:
        """Whether a Host header names this console: a page that rebinds a name of its own does not."""
        return host.lower() in self._access.hosts

    def origin_is_ours(self, origin: str) -> bool:
        """Whether an Origin header is a page of this console."""
        scheme, separator, host = origin.lower().partition("://")
        return bool(separator) and scheme in ("http", "https") and host in self._access.hosts

    def _mac(self, expires: str) -> str:
        return hmac.new(self._cookie_key, expires.encode(), "sha256").hexdigest()


def load_doorkeeper(access: Access) -> Doorkeeper:
    """The doorkeeper of a configuration. Raises SettingsError."""
    file = access.collector_token_file
    return Doorkeeper(
        read_secret(access.token_file, "access.token_file"),
        access,
        collector_token=None if file is None else read_secret(file, "access.collector_token_file"),
    )
