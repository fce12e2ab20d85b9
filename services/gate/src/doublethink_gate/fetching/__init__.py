"""Fetching a page directly: which URL may be asked for, which address may be dialled, and one bounded answer.

No source uses it yet: the pages of a search come through the source itself.

rules -> guard (the text of a URL) -> resolver -> addresses (each that a name stands for) -> transport (one hop)
                                follow: all of it, again for every redirect
"""

from .errors import FetchFailed, UrlRefused
from .follow import Fetched, follow
from .guard import Target, judge_url
from .rules import FetchRules

__all__ = ["FetchFailed", "FetchRules", "Fetched", "Target", "UrlRefused", "follow", "judge_url"]
