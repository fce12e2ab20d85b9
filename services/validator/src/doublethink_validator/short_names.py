"""The short form by which a page calls a company: "PNC" for "The PNC Financial Services Group, Inc.", "P&G" for
"Procter & Gamble".

The page itself is the evidence: the word stands alone in its text, several times, and is never written in
lower case there, so that it is a name and not an ordinary word such as "financial" or "services".
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from doublethink_figures import Span

from .words import words

_LEAST_USES: Final = 5
_LEAST_LETTERS: Final = 3
_MOST_NAMES: Final = 16
_PAIR: Final = re.compile(r"\b(?P<one>\w)\w+ & (?P<other>\w)\w+")
"""Two names joined: the page may call them by their initials, "P&G"."""


def short_names(text: str, names: Mapping[tuple[str, ...], Span]) -> Iterable[tuple[str, Span]]:
    """Words of the names, each with the place of the name that it comes from."""
    for stems, span in list(names.items())[:_MOST_NAMES]:
        if len(stems) < 2:
            continue
        named = text[span.start : span.end]
        surface = {named[w.span.start : w.span.end] for w in words(named) if w.stem in stems}
        for word in sorted(surface):
            if len(word) >= _LEAST_LETTERS and word.isalpha() and _is_used_alone(text, word, surface):
                yield word, span
        for pair in _PAIR.finditer(named):
            initials = f"{pair['one']}&{pair['other']}".upper()
            if len(re.findall(rf"(?<![\w&]){re.escape(initials)}(?![\w&])", text)) >= _LEAST_USES:
                yield initials, span


def is_written_small(text: str, word: str) -> bool:
    """Whether a word stands in lower case in `text`, as no name does but in an address, "investors@pnc.com"."""
    return re.search(rf"(?<![\w@./-]){re.escape(word.lower())}(?![\w@/-]|\.\w)", text) is not None


def _is_used_alone(text: str, word: str, name: set[str]) -> bool:
    if is_written_small(text, word):
        return False
    own = {w.casefold() for w in name} - {word.casefold()}
    alone = 0
    for use in re.finditer(rf"\b{re.escape(word)}\b", text, re.IGNORECASE):
        before = re.search(r"([\w&]+)[ \u00a0]$", text[max(0, use.start() - 40) : use.start()])
        after = re.match(r"[ \u00a0]([\w&]+)", text[use.end() : use.end() + 40])
        beside = {m[1].casefold() for m in (before, after) if m is not None}
        # Beside another word of the name, or "&", it is part of the name and not the short form.
        if not beside & (own | {"&", "and"}):
            alone += 1
            if alone >= _LEAST_USES:
                return True
    return False
