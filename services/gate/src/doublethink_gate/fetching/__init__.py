"""Asking a web server directly: which URL may be asked for, which address may be dialled, and one bounded answer.

rules -> guard (the text of a URL) -> resolver -> addresses (each that a name stands for) -> transport (one hop)
                                hops: whether a redirect is followed
                                follow: all of it at once, for `check-url`; a source makes one hop at a time
"""

from .errors import FetchFailed, UrlRefused
from .follow import Fetched, follow
from .guard import Target, judge_url
from .rules import FetchRules

__all__ = ["FetchFailed", "FetchRules", "Fetched", "Target", "UrlRefused", "follow", "judge_url"]
