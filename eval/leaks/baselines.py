"""What simpler filters stop: the same values literally, long ones verbatim, and the published forms of credentials.

The last two are restated from what is published about such filters, in our own words. `verbatim` knows the deal's
values and looks for those of at least sixteen characters, exactly as they are written. `formats` knows no deal: it has
the forms of the best known credentials, and a random value behind a word such as "secret".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from math import log2

from eval.leaks.attempt import Attempt
from eval.leaks.case import Case

_VERBATIM_CHARS = 16
_RANDOM_BITS = 3.5
_FORMATS = re.compile(
    r"\b(?:(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}|gh[pousr]_[0-9a-zA-Z]{36}|github_pat_\w{82}"
    r"|glpat-[\w-]{20}|xox[baprs]-[0-9a-zA-Z-]{10,48}|AIza[\w-]{35}|ya29\.[\w-]{20,}|sk_(?:live|test)_[0-9a-zA-Z]{10,99}"
    r"|sk-(?:ant|proj)-[\w-]{20,}|SG\.[\w-]{22}\.[\w-]{43}|npm_[0-9a-zA-Z]{36}|pypi-[\w-]{50,}|dop_v1_[a-f0-9]{64}"
    r"|SK[0-9a-f]{32}|eyJ[\w-]{17,}\.eyJ[\w-]{17,}\.[\w-]{10,})\b|-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY"
)
_NAMED = re.compile(
    r"(?i)(?:access|auth|api|credential|creds|key|passw(?:or)?d|secret|token)[\w.-]{0,20}[\s'\"]{0,3}[=:>]{1,3}"
    r"[\s'\"]{0,3}([\w.=+/-]{10,150})"
)


def plain(attempt: Attempt, case: Case) -> bool:
    """Whether a payload has one of the deal's values, in any case of letters."""
    form = re.compile("|".join(re.escape(text) for text in case.literals), re.IGNORECASE)
    return any(form.search(text) for text in texts(attempt))


def verbatim(attempt: Attempt, case: Case) -> bool:
    """Whether a payload has one of the deal's values of at least sixteen characters, letter by letter."""
    long = [text for text in case.literals if len(text) >= _VERBATIM_CHARS]
    return any(value in text for text in texts(attempt) for value in long)


def formats(attempt: Attempt, case: Case) -> bool:
    """Whether a payload has the form of a credential, or something random behind a word for one."""
    for text in texts(attempt):
        if _FORMATS.search(text) or any(_bits(match[1]) > _RANDOM_BITS for match in _NAMED.finditer(text)):
            return True
    return False


def texts(attempt: Attempt) -> list[str]:
    """The payloads as such filters read them."""
    return [payload.data.decode("utf-8", "replace") for payload in attempt]


def _bits(text: str) -> float:
    """Shannon's entropy of a text's symbols, in bits a symbol."""
    return -sum(count / len(text) * log2(count / len(text)) for count in Counter(text).values())


BASELINES: dict[str, Callable[[Attempt, Case], bool]] = {
    "plain": plain,
    "verbatim": verbatim,
    "formats": formats,
}
"""The simpler filters by the name that the table gives them."""
