"""Who may come in on a laptop: the holder of the launch token, as a bearer or by a cookie that the token was exchanged
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
from pathlib import Path
from typing import Final

from doublethink_settings import SettingsError, read_secret

from doublethink_console.config import Access
from doublethink_console.errors import Refused
from doublethink_console.identity.people import EVERY_TEAM, Person, Sight

from .entrance import COLLECTED_PATH, SAFE_METHODS, Admitted, Asking, Entrance

COOKIE: Final = "doublethink_console"
OPEN_PATHS: Final = frozenset({"/static/style.css", "/static/session.js"})
_TOKEN: Final = re.compile(r"[0-9a-f]{64}")
_COOKIE: Final = re.compile(r"([0-9]{1,12})\.([0-9a-f]{64})")
_HOLDER: Final = "launch token"


class CollectorToken:
    """The token of a collector of security events, which may be none."""

    def __init__(self, token: str | None) -> None:
        if token is not None and _TOKEN.fullmatch(token) is None:
            raise SettingsError("access.collector_token_file must hold 64 hexadecimal digits")
        self._digest = None if token is None else hashlib.sha256(token.encode()).digest()

    def is_held(self, presented: str) -> bool:
        """Whether the text is the collector's token."""
        return self._digest is not None and hmac.compare_digest(
            hashlib.sha256(presented.encode()).digest(), self._digest
        )

    @staticmethod
    def admit(asking: Asking) -> Admitted:
        """Let a collector in to what it collects. Raises Refused."""
        if asking.path != COLLECTED_PATH or asking.method not in SAFE_METHODS:
            raise Refused(403, f"A collector's token reads {COLLECTED_PATH} and nothing else.")
        return Admitted(
            Person(
                id="collector", name="collector", teams=(), sees=Sight(()), decides=False, reads_log=True,
                verified=False,
            )
        )  # fmt: skip


class Doorkeeper(Entrance):
    """Compares what a request presents, in constant time."""

    open_paths = OPEN_PATHS | {"/api/login", "/login"}
    sends_to_login = True

    def __init__(
        self,
        token: str,
        access: Access,
        now: Callable[[], float] = time.time,
        collector_token: str | None = None,
        team: str = "local",
    ) -> None:
        super().__init__(access)
        if _TOKEN.fullmatch(token) is None:
            raise SettingsError("access.token_file must hold 64 hexadecimal digits")
        self._collector = CollectorToken(collector_token)
        if collector_token == token:
            raise SettingsError("access.collector_token_file must hold another token than access.token_file")
        self._digest = hashlib.sha256(token.encode()).digest()
        self._cookie_key = hmac.digest(token.encode(), b"doublethink console cookie", "sha256")
        self._now = now
        self._holder = Admitted(
            Person(
                id=_HOLDER, name=_HOLDER, teams=(team,), sees=EVERY_TEAM, decides=True, reads_log=True,
                verified=False, decides_own=True,
            )
        )  # fmt: skip

    def admit(self, asking: Asking) -> Admitted:
        """The holder of the token or of a cookie, or a collector. Raises Refused."""
        if asking.headers.getlist("authorization"):
            presented = asking.bearer()
            if presented is not None and self.holds_token(presented):
                return self._holder
            if presented is not None and self._collector.is_held(presented):
                return self._collector.admit(asking)
            raise Refused(401, "The launch token is not the one of this console.")
        if not self.holds_cookie(asking.cookie(COOKIE)):
            raise Refused(401, "Present the launch token that was shown at the start.")
        if asking.changes and asking.origin is None:
            # A browser that sends a cookie with such a request sends an origin too.
            raise Refused(403, "A request with a cookie names its origin.")
        return self._holder

    def holds_token(self, presented: str) -> bool:
        """Whether the text is the launch token."""
        return hmac.compare_digest(hashlib.sha256(presented.encode()).digest(), self._digest)

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

    def _mac(self, expires: str) -> str:
        return hmac.new(self._cookie_key, expires.encode(), "sha256").hexdigest()


def load_doorkeeper(access: Access, token_file: Path, team: str = "local") -> Doorkeeper:
    """The doorkeeper of a configuration. Raises SettingsError."""
    return Doorkeeper(
        read_secret(token_file, "access.token_file"),
        access,
        collector_token=read_collector_token(access),
        team=team,
    )


def read_collector_token(access: Access) -> str | None:
    """The collector's token, where there is one. Raises SettingsError."""
    file = access.collector_token_file
    return None if file is None else read_secret(file, "access.collector_token_file")
