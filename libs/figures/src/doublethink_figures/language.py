"""Which language a short text is plainly in, by its commonest words. Only for deciding what a comma means."""

import re
from typing import Final

_WORDS: Final = {
    "en": frozenset(
        [
            "the",
            "of",
            "and",
            "was",
            "were",
            "with",
            "from",
            "which",
            "its",
            "for",
            "by",
            "has",
            "have",
            "had",
            "than",
            "this",
            "that",
            "are",
            "is",
            "to",
        ]
    ),
    "de": frozenset(
        [
            "der",
            "die",
            "das",
            "und",
            "von",
            "mit",
            "im",
            "auf",
            "ist",
            "war",
            "wurde",
            "eine",
            "einen",
            "den",
            "dem",
            "für",
            "bei",
            "aus",
            "zum",
            "zur",
        ]
    ),
    "fr": frozenset(
        [
            "le",
            "la",
            "les",
            "des",
            "du",
            "et",
            "une",
            "est",
            "dans",
            "pour",
            "avec",
            "sur",
            "au",
            "aux",
            "été",
            "qui",
            "par",
            "ses",
        ]
    ),
}
_TOKEN: Final = re.compile(r"[a-zäöüßàâçéèêëîïôûù]+")
_ENOUGH: Final = 2
_AMOUNT_WORD: Final = re.compile(r"\b(?:mio|mrd|millionen|milliarden?|milliards?|umsatz|euros? par)\b")


def plain_language(lowered: str) -> str | None:
    """The code "en", "de" or "fr" where two of its words and no other's stand in the text, else None."""
    tokens = _TOKEN.findall(lowered)
    counts = {language: sum(token in words for token in tokens) for language, words in _WORDS.items()}
    present = [language for language, count in counts.items() if count]
    if len(present) != 1 or counts[present[0]] < _ENOUGH:
        return None
    if present[0] == "en" and _AMOUNT_WORD.search(lowered):
        return None
    return present[0]
