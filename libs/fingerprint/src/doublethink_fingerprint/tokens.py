"""What a token is, on both sides: a run of letters and digits in folded text. And which parts of one are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TokenForm:
    """Tokens, or parts of tokens, that a pattern matches.

    Attributes:
        pattern: what to search a text for; a match never reaches beyond a token.
        least, most: how many characters a match has.
        whole: whether a match is always a whole token.
    """

    pattern: re.Pattern[str]
    least: int
    most: int
    whole: bool = True

    def of(self, tokens: Iterable[str]) -> frozenset[str]:
        """Return every different match in some tokens: what a search of each would find."""
        if self.whole:
            fit = [token for token in tokens if self.least <= len(token) <= self.most]
            return frozenset(token for token in fit if self.pattern.fullmatch(token))
        found: set[str] = set()
        for token in tokens:
            if token.isascii() and token.isalpha() and len(token) <= self.most:
                # All letters: nothing that the pattern could take apart.
                if len(token) >= self.least:
                    found.add(token)
            else:
                found.update(self.pattern.findall(token))
        return frozenset(found)


ANY = TokenForm(TOKEN, 1, 1 << 20)
