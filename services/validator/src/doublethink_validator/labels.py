"""The words of a row's label and of its column: those that a query must have, and those it may lack."""

import re
from collections.abc import Set
from functools import lru_cache
from typing import Final

from .layout import DataRow, without_periods
from .pagetext import Cell
from .words import STOP, canonical, content, listed, words

_BRACKET: Final = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_REFERENCE: Final = re.compile(
    r"^(?:[A-Z]{1,2}|[a-z]|[0-9]{1,2}|\*+)(?:(?:,| &| and|, and) ?(?:[A-Z]{1,2}|[a-z]|[0-9]{1,2}))*$"
)
_HARMLESS: Final = re.compile(
    r"^(?:exclusive of [^()]* below|including [^()]*|excluding items shown [^()]* below|(?:un)?audited"
    r"|(?:recapture|reversal|release|recovery)(?: of)?|benefit from|recoveries|annualized"
    r"|losses|loss|income|expenses?|benefit|deficit|gains?|charges?|decrease|increase"
    r"|used (?:in|for)|provided (?:by|from)"
    r"|(?:in |amounts in )?(?:thousands|millions|billions)[^()]*|in shares|in (?:us )?dollars per share"
    r"|(?:in )?%|non-?gaap|non-?gaap measure|gaap|note [0-9a-z]+|see note [0-9a-z]+"
    r"|US ?\$|\$|€|£|USD|EUR|GBP|in USD)$",
    re.IGNORECASE,
)
_OR_ANOTHER: Final = re.compile(r"(?<=\bshare) or (\w+)$", re.IGNORECASE)
"""Another thing of which each gets the same: "dividends declared per share or RSU"."""
_OWN_SCALE: Final = re.compile(r"\b[Ii]n (?:thousand|million|billion)s\s*$")
_LOSS_BESIDE: Final = re.compile(
    r"\b(?:income|earnings|profit)\s?/?\s?\((?:net )?loss(?:es)?\)"
    r"|\((?:net )?loss(?:es)?\)\s?/?\s?(?:income|earnings|profit)\b"
    r"|\b(?:income|earnings|profit) or \(?loss\b\)?",
    re.IGNORECASE,
)
_COST_BESIDE: Final = re.compile(
    r"\((?P<a>income|benefit|gain)s?\)\s?/?\s?(?P<c>expense|loss|cost|provision)s?\b"
    r"|\b(?P<d>expense|loss|cost|provision)s?\s?/?\s?\((?P<b>income|benefit|gain)s?\)",
    re.IGNORECASE,
)
_INITIAL: Final = re.compile(r"(?<=[a-z]) ([A-Z])\. (?=[A-Z][a-zA-Z])")
"""The initial between a person's names."""
_PER_SHARE: Final = frozenset({"earning", "per", "share"})
_OF_HOLDERS: Final = frozenset({"attributable", "common", "shareholder", "available", "applicable"})
_AVERAGE_SHARES: Final = frozenset({"weighted", "average", "share"})
_OF_AVERAGE: Final = listed("common ordinary outstanding number used comput computing calculating")
_DIVIDEND_PER_SHARE: Final = frozenset({"dividend", "per", "share"})
_OF_DIVIDENDS: Final = listed("common ordinary declared stock")
_NET_OF: Final = re.compile(r",? \bnet(?: of\b[^,;]*)?$|, less\b.*$", re.IGNORECASE)
_COLUMN_PERIOD: Final = frozenset({"month", "ended", "ending", "quarter", "year", "fiscal", "period", "week"})
_MONTHS: Final = listed(
    """
    january february march april may june july august september october november december jan feb
    mar apr jun jul aug sep sept oct nov dec
    """
)


@lru_cache(maxsize=16_384)
def label_stems(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of a label that must be asked for, and those that may be (", net", alternatives in
    brackets).
    """
    optional: set[str] = set()

    def bracket(match: re.Match[str]) -> str:
        inner = (match.group(1) or match.group(2) or "").strip()
        if not inner or _REFERENCE.match(inner) or _HARMLESS.match(inner):
            optional.update(content(inner))
            return " "
        return f" {inner} "

    plain = _BRACKET.sub(bracket, text)
    plain = re.sub(r"[⁰¹²³⁴-⁹⁽⁾*†‡]+|^\s*less\b:?", " ", plain, flags=re.IGNORECASE)
    optional.update(m.group(1).casefold() for m in _INITIAL.finditer(plain))
    plain = _OWN_SCALE.sub(" ", _INITIAL.sub(" ", plain))
    another = _OR_ANOTHER.search(plain.strip())
    if another is not None:
        optional.update(content(another.group(1)))
        plain = plain.strip()[: another.start()]
    whole = plain.strip().rstrip(":")
    trimmed = _NET_OF.sub("", whole)
    if trimmed != whole:
        optional.add("net")
        optional.update(content(whole[len(trimmed) :]))
    stems = [w.stem for w in words(re.sub(r"/\(?\w+\)?", " ", trimmed)) if w.stem not in STOP]
    required = set(canonical(tuple(stems)))
    if required >= _PER_SHARE:  # earnings per share are those of the common shareholders, said or not
        required -= _OF_HOLDERS
    neutral = neutral_for(required)
    return frozenset(required - neutral), frozenset(optional | (neutral & frozenset(stems)))


def as_loss(label: str) -> str | None:
    """A label of two signs as its loss: "Operating loss" for "Operating earnings (loss)"; None for others."""
    turned = _LOSS_BESIDE.sub("loss", label)
    return turned if turned != label else None


def as_gain(label: str, asked: Set[str]) -> str | None:
    """A label of two signs as what its brackets stand for, where that is asked for: "Interest income, net" for
    "Interest (income) expense, net"; None for others.
    """
    match = _COST_BESIDE.search(label)
    if match is None:
        return None
    gain = (match["a"] or match["b"]).casefold()
    cost = (match["c"] or match["d"]).casefold()
    if gain not in asked or cost in asked:
        return None
    return label[: match.start()] + gain + label[match.end() :]


def neutral_for(stems: Set[str]) -> frozenset[str]:
    """Words that make no difference beside others: "common" in "weighted average common shares"."""
    if stems >= _AVERAGE_SHARES:
        return _OF_AVERAGE
    return _OF_DIVIDENDS if stems >= _DIVIDEND_PER_SHARE else frozenset()


def without_dates(text: str) -> str:
    """A label without the period it names, unless the period is all there is."""
    rest = without_periods(text)
    return rest if rest.strip(" ,:.") else ""


def column_stems(row: DataRow, cell: Cell) -> frozenset[str]:
    stems: set[str] = set()
    titles = row.titles()
    for cells in row.over(cell):
        for heading in cells:
            if heading in titles:
                continue
            text = without_periods(heading.text)
            text = re.sub(
                r"\b(?:\w+(?:-\w+)?(?: and \w+(?:-\w+)?)?[ -](?:months?|weeks?)|(?:fiscal |full )?years?"
                r"|(?:first|second|third|fourth)? ?quarters?) ?(?:ended|ending)?\b",
                " ",
                text,
                flags=re.IGNORECASE,
            )
            if "%" in text:
                stems.add("percent")
            stems.update(label_stems(text)[0])
    return frozenset(s for s in stems if s not in _MONTHS and s not in _COLUMN_PERIOD and not s.isdigit())
