"""The hops of one fetch: what decides whether a redirect is followed."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urljoin

from .errors import UrlRefused
from .guard import Target, judge_url
from .rules import FetchRules


class Hops:
    """Each hop is judged afresh; once one was encrypted, so is every one after it; their number is bounded."""

    def __init__(self, rules: FetchRules) -> None:
        self._rules = rules
        self._made = 0

    @property
    def rules(self) -> FetchRules:
        """What the next hop is judged by."""
        return self._rules

    def judge(self, url: str) -> Target:
        """What the next hop asks for. Raises UrlRefused."""
        return judge_url(url, self._rules)

    def onward(self, target: Target, location: str) -> str:
        """The URL that a hop's redirect leads to, not judged yet. Raises UrlRefused."""
        self._made += 1
        if self._made > self._rules.bounds.redirects:
            raise UrlRefused("redirect.count", f"more than {self._rules.bounds.redirects} redirects")
        # Before it is joined: the library that joins would drop what does not belong there.
        if not location.isascii() or any(character <= " " or character in "\\\x7f" for character in location):
            raise UrlRefused("redirect.location", "the new address holds what addresses may not hold")
        try:
            url = urljoin(target.url, location)
        except ValueError:
            raise UrlRefused("redirect.location", "the new address cannot be read") from None
        if target.scheme == "https":
            self._rules = replace(self._rules, schemes=("https",))
        return url
