"""Words of headings and labels that say a number is not a plain reported one."""

import re
from typing import Final

from doublethink_figures import Flag

_WORDS: Final = (
    (
        Flag.GUIDANCE,
        re.compile(
            r"\b(?:guidance|outlook|forecasts?|targets?|targeted|projected|projections?|expected"
            r"|budget(?:ed)?|estimated)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Flag.NON_GAAP,
        re.compile(
            r"\bnon[ -]?(?:GAAP|IFRS)\b|\badjusted\b|\bconstant[ -]currency\b|\bunderlying\b|\borganic\b"
            r"|\bnormali[sz]ed\b|\bEBITDA\b|\bas adjusted\b",
            re.IGNORECASE,
        ),
    ),
    (Flag.PRO_FORMA, re.compile(r"\bpro[ -]forma\b", re.IGNORECASE)),
    (Flag.RESTATED, re.compile(r"\b(?:as )?(?:restated|recast|revised)\b", re.IGNORECASE)),
    (Flag.HYPOTHETICAL, re.compile(r"\bhypothetical\b|\billustrative\b|\bas if\b", re.IGNORECASE)),
)


def flags_of(text: str) -> frozenset[Flag]:
    """The flags that a heading or label itself carries."""
    return frozenset(flag for flag, words in _WORDS if words.search(text))
