"""What keeps a page from being fetched.

UrlRefused      the gate's own decision: the rule, and the setting that governs it
FetchFailed     the other side, or the way to it
"""

from __future__ import annotations

from typing import Final

FIXED: Final = "no setting opens this"
"""In place of a setting's name, where a rule always holds."""


class UrlRefused(Exception):
    """A URL, or an address that its name stands for, may not be asked. The message never repeats the URL.

    rule: a dotted name, such as `address.loopback`. setting: the policy's key that governs it, or FIXED.
    """

    def __init__(self, rule: str, words: str, setting: str = FIXED) -> None:
        super().__init__(f"{rule}: {words} ({setting})")
        self.rule, self.setting = rule, setting


class FetchFailed(Exception):
    """No usable answer came. kind: `unreachable`, `timed_out`, `too_large`, `unreadable` or `content_type`."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(f"{kind}: {words}")
        self.kind = kind
