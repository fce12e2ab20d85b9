"""What every way in has: which hosts and origins are the console's own, and who a request is from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request

from doublethink_console.config import Access
from doublethink_console.errors import Refused
from doublethink_console.identity.people import Person

SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
COLLECTED_PATH: Final = "/api/ledger"
"""The one path that a collector's token opens, for reading."""

_STATE: Final = "person"


@dataclass(frozen=True, slots=True)
class Asking:
    """What of a request is judged. origin: None where it names none."""

    headers: Headers
    method: str
    path: str
    origin: str | None

    @property
    def changes(self) -> bool:
        """Whether it may change something."""
        return self.method not in SAFE_METHODS

    def cookie(self, name: str) -> str:
        """The value of a cookie, "" if there is none."""
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(self.headers.get("cookie", ""))
        except CookieError:
            return ""
        morsel = jar.get(name)
        return morsel.value if morsel is not None else ""

    def bearer(self) -> str | None:
        """What the one Authorization header presents as a bearer; None where it does not."""
        presented = self.headers.getlist("authorization")
        scheme, _, token = presented[0].partition(" ") if len(presented) == 1 else ("", "", "")
        return token if scheme.lower() == "bearer" else None


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Admitted:
    """Whom a request is from. left_s: seconds until that is over, None for never; good: whether it still holds."""

    person: Person
    left_s: float | None = None
    good: Callable[[], bool] = _always


class Entrance(ABC):
    """A way in. `open_paths` need nobody; `sends_to_login`: a browser without authority is led to /login."""

    open_paths: frozenset[str] = frozenset()
    sends_to_login = False
    lets_follow_links = False
    """Whether a page may be opened from another site's: as the last step of a login elsewhere is."""

    def __init__(self, access: Access) -> None:
        self._access = access

    @abstractmethod
    def admit(self, asking: Asking) -> Admitted:
        """Who it is. Raises Refused."""

    def host_is_ours(self, host: str) -> bool:
        """Whether a Host header names this console: a page that rebinds a name of its own does not."""
        return host.lower() in self._access.hosts

    def origin_is_ours(self, origin: str) -> bool:
        """Whether an Origin header is a page of this console."""
        scheme, separator, host = origin.lower().partition("://")
        if not separator or host not in self._access.hosts:
            return False
        return scheme == "https" or (scheme == "http" and host not in self._access.tls_hosts)


def know(state: dict[str, object], person: Person) -> None:
    """Note whom a request is from, in the state of its scope."""
    state[_STATE] = person


def who(request: Request) -> Person:
    """Whom the guard has let in. Raises Refused where it has let in nobody."""
    person = request.scope.get("state", {}).get(_STATE)
    if not isinstance(person, Person):
        raise Refused(401, "Nobody is signed in.")
    return person
