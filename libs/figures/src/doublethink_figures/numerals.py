"""Digit strings with separators: what values they can have.

A numeral is digits with separators between them. Two different separators, or one that stands twice, say
which is which; a single comma or point before exactly three digits does not, and then both values stand until
something settles it: the convention of the page, or another number of the same text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from .folding import GROUP_SPACE

Convention = Literal["en", "de", "fr"]

MAX_DIGITS: Final = 40
"""Longer digit strings are identifiers, not figures."""

NUMERAL: Final = re.compile(r"(?<![0-9])(?:[0-9]+(?:[,.'" + GROUP_SPACE + r"][0-9]+)*|\.[0-9]+)")
"""A numeral in folded text. Plain spaces do not join here; see `SPACED`."""

SPACED: Final = re.compile(
    r"(?<![0-9,.'])[1-9][0-9]{0,2}(?: [0-9]{3})+(?:[,.][0-9]{1,2})?(?![0-9]|[,.'][0-9])"
)
"""A number grouped with plain spaces: "1 234 567,8". It may also be several numbers."""

_SEPARATOR: Final = re.compile(r"[,.'" + GROUP_SPACE + " ]")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A digit string's possible values, most plausible first. Empty: it is no number at all ("1.2.3")."""

    values: tuple[Decimal, ...]

    @property
    def ambiguous(self) -> bool:
        """Whether more than one value is possible."""
        return len(self.values) > 1


def read_numeral(token: str, conventions: frozenset[str]) -> Numeral:
    """The values that `token`, a match of `NUMERAL` or `SPACED`, can have.

    `conventions` is the set of decimal signs ("." or ",") known to be in use in this text; an empty set or
    both signs settle nothing.
    """
    digits = sum(character.isdigit() for character in token)
    if digits > MAX_DIGITS:
        return Numeral(())
    if token.startswith("."):
        return Numeral((Decimal("0" + token),))
    separators = _SEPARATOR.findall(token)
    if not separators:
        return Numeral(() if len(token) > 1 and token[0] == "0" else (Decimal(token),))
    groups = _SEPARATOR.split(token)
    kinds = list(dict.fromkeys(separators))
    if len(kinds) > 2:
        return Numeral(())
    if len(kinds) == 2:
        return _two_kinds(groups, separators)
    if len(separators) > 1:
        grouped = _grouped(groups)
        return Numeral((grouped,) if grouped is not None else ())
    return _one_separator(groups, separators[0], conventions)


def _two_kinds(groups: Sequence[str], separators: Sequence[str]) -> Numeral:
    """The last separator is the decimal sign, if it stands once and all before it group properly."""
    last = separators[-1]
    if separators.count(last) != 1 or last not in ",." or len(set(separators[:-1])) != 1:
        return Numeral(())
    whole = _grouped(groups[:-1])
    if whole is None:
        return Numeral(())
    return Numeral((Decimal(f"{whole}.{groups[-1]}"),))


def _one_separator(groups: Sequence[str], separator: str, conventions: frozenset[str]) -> Numeral:
    whole, rest = groups
    as_group = _grouped(groups)
    if separator not in ",.":
        return Numeral((as_group,) if as_group is not None else ())
    if len(whole) > 1 and whole[0] == "0":
        return Numeral(())
    as_decimal = Decimal(f"{whole}.{rest}")
    if as_group is None:
        if separator == "," and len(rest) > 3:
            return Numeral((as_decimal, Decimal(whole + rest)))
        return Numeral((as_decimal,))
    if len(conventions) == 1:
        (sign,) = conventions
        return Numeral((as_decimal if sign == separator else as_group,))
    return Numeral((as_group, as_decimal))


def _grouped(groups: Sequence[str]) -> Decimal | None:
    """The whole number whose digit groups these are (threes, or Indian twos before a three), or None."""
    first, *others = groups
    if not others:
        return Decimal(first) if first == "0" or not first.startswith("0") else None
    if first.startswith("0") or len(others[-1]) != 3:
        return None
    inner = others[:-1]
    threes = len(first) <= 3 and all(len(group) == 3 for group in inner)
    indian = len(first) <= 2 and all(len(group) == 2 for group in inner)
    return Decimal("".join(groups)) if threes or indian else None


def shown_conventions(folded: str) -> frozenset[str]:
    """The decimal signs that numbers of this text show beyond doubt ("4.2" shows the point, "1.234,5" the
    comma).
    """
    signs = set()
    for match in NUMERAL.finditer(folded):
        token = match.group()
        separators = _SEPARATOR.findall(token)
        if not separators or token.startswith(".") or not read_numeral(token, frozenset()).values:
            continue
        last = separators[-1]
        if len(set(separators)) == 2:
            signs.add(last)
        elif len(separators) > 1:
            if last in ",.":
                signs.add("." if last == "," else ",")
        elif last in ",." and len(token.rpartition(last)[2]) in (1, 2):
            signs.add(last)
    return frozenset(signs)


_DECIMAL_SIGN: Final = {"en": ".", "de": ",", "fr": ","}


def convention_sign(convention: Convention | None) -> frozenset[str]:
    """The decimal sign of a language's convention."""
    return frozenset() if convention is None else frozenset(_DECIMAL_SIGN[convention])
