"""Who may come in in a company: whoever's token the identity provider has signed.

A proxy before the console signs people in and puts their token into a header. The console believes the token, and
nothing else that the proxy says: no header that only names somebody is ever looked at.

A browser's authority is then a cookie of the proxy's, which every page can make the browser send. So whatever changes
something names an origin of the console's own, whoever sends it, beside what the guard asks of all requests.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from doublethink_rpc import log
from doublethink_settings import SettingsError

from doublethink_console.config import Access
from doublethink_console.errors import Refused
from doublethink_console.identity.keys import KeyFile, Watched
from doublethink_console.identity.membership import person_of
from doublethink_console.identity.settings import OidcConfig
from doublethink_console.identity.tokens import Reason, TokenRefused, Tokens

from .access import OPEN_PATHS, CollectorToken, read_collector_token
from .entrance import Admitted, Asking, Entrance


class TokenEntrance(Entrance):
    """Lets in whoever's token is good, with the teams and roles that it gives."""

    open_paths = OPEN_PATHS
    lets_follow_links = True

    def __init__(
        self,
        access: Access,
        config: OidcConfig,
        tokens: Tokens,
        refused: Callable[[Reason], None],
        collector_token: str | None = None,
    ) -> None:
        super().__init__(access)
        self._config, self._tokens, self._refused = config, tokens, refused
        self._collector = CollectorToken(collector_token)

    def admit(self, asking: Asking) -> Admitted:
        """The subject of the request's token, or a collector. Raises Refused."""
        bearer = asking.bearer()
        if bearer is not None and self._collector.is_held(bearer):
            return self._collector.admit(asking)
        try:
            verified = self._tokens.verify(self._presented(asking))
        except TokenRefused as error:
            self._refused(error.reason)
            log().info("token_refused", reason=error.reason)
            raise Refused(401, f"The token is not taken: {error.reason.value}. Sign in again.") from None
        person = person_of(self._config, verified)
        if asking.changes and asking.origin is None:
            raise Refused(403, "A request that changes something names its origin: send an Origin header.")
        return Admitted(person, self._tokens.left_s(verified), partial(self._tokens.good, verified))

    def _presented(self, asking: Asking) -> str:
        """The one token. Raises TokenRefused."""
        values = asking.headers.getlist(self._config.header)
        if not values:
            raise TokenRefused(Reason.ABSENT)
        token = asking.bearer() if self._config.header == "authorization" else values[0]
        if len(values) != 1 or token is None:
            raise TokenRefused(Reason.FORM)
        return token


def load_token_entrance(
    access: Access, config: OidcConfig, watched: Watched, refused: Callable[[Reason], None]
) -> TokenEntrance:
    """The entrance of a configuration. Raises SettingsError."""
    try:
        keys = KeyFile(config.keys_file, watched)
    except SettingsError as error:
        raise SettingsError(f"oidc.keys_file: {error}") from None
    return TokenEntrance(
        access, config, Tokens(config, keys), refused, collector_token=read_collector_token(access)
    )
