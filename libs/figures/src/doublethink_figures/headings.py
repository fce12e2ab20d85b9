"""The scale that a heading states for the figures under it."""

import re
from decimal import Decimal
from typing import Final

from .figure import HeadingScale
from .folding import fold, words_only
from .lexicon import (
    BILLION,
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    MILLION,
    THOUSAND,
    TRILLION,
    alternation,
)
from .span import Span
from .units import COUNT, Measure, Unit

_SCALES: Final = {
    "thousands": THOUSAND,
    "thousand": THOUSAND,
    "000s": THOUSAND,
    "000's": THOUSAND,
    "000": THOUSAND,
    "k": THOUSAND,
    "millions": MILLION,
    "million": MILLION,
    "mn": MILLION,
    "mln": MILLION,
    "mio": MILLION,
    "mio.": MILLION,
    "m": MILLION,
    "mm": MILLION,
    "000,000": MILLION,
    "billions": BILLION,
    "billion": BILLION,
    "bn": BILLION,
    "bln": BILLION,
    "mrd": BILLION,
    "mrd.": BILLION,
    "b": BILLION,
    "trillions": TRILLION,
    "trillion": TRILLION,
    "tn": TRILLION,
    "crore": Decimal(10_000_000),
    "crores": Decimal(10_000_000),
    "lakh": Decimal(100_000),
    "lakhs": Decimal(100_000),
}
_WORD_SCALES: Final = "thousands?|millions?|billions?|trillions?|crores?|lakhs?"
_ANY_SCALE: Final = alternation(_SCALES)
_MONEY: Final = (
    rf"(?:(?<![A-Za-z])(?:{alternation(CURRENCY_CODES)})(?![A-Za-z])\$?"
    rf"|(?<![A-Za-z])(?:{alternation(CURRENCY_SIGNS)})"
    rf"|(?i:{alternation(CURRENCY_WORDS)})s?(?![A-Za-z])|pounds)"
)
_IN_SCALE: Final = re.compile(
    rf"(?:(?P<before>{_MONEY})[ -]?(?:amounts?[ -])?)?(?:(?:are|is|stated|expressed|presented|reported"
    rf"|shown),? )*"
    rf"\b(?i:in) (?:(?P<inside>{_MONEY})[ -]?)?(?i:(?P<scale>{_WORD_SCALES}))\b"
    rf"(?: (?:of )?(?P<after>{_MONEY}))?"
)
_MONEY_SCALE: Final = re.compile(
    rf"^[ (\[]*(?:(?i:in) )?(?P<inside>{_MONEY})[ -]?(?:in )?'?(?P<scale>(?i:{_ANY_SCALE}))"
    r"(?![A-Za-z0-9])[.)\]: ]*(?:,|;|\(|$|[ ]except)"
)
_SCALE_MONEY: Final = re.compile(
    rf"^[ (\[]*(?:(?i:in) )?(?P<scale>(?i:{_WORD_SCALES}|bn|mn|mln|mio\.?|mrd\.?"
    rf"|000s?))(?: (?:of )?(?P<after>{_MONEY}))[.)\]: ]*(?:,|;|\(|$|[ ]except)"
)
_ZEROS: Final = re.compile(
    rf"\((?:(?:in )?(?P<inside>{_MONEY}) ?(?:in )?)?(?:in )?'?(?P<scale>000,000s?"
    rf"|000(?:'?s)?)(?: omitted)?\)|^(?P<inside2>{_MONEY}) ?'?(?P<scale2>000,000|000)s?$"
)
_BARE: Final = re.compile(rf"\((?P<scale>{_WORD_SCALES})\)", re.IGNORECASE)
_SHARES_BEFORE: Final = re.compile(
    r"\bshares?(?:,? (?:which|that))?(?: (?:are|is|amounts|data|counts?|outstanding|reflected|presented"
    r"|stated|shown))*,? \Z",
    re.IGNORECASE,
)
_DOLLAR_CODE: Final = re.compile(r"\b(USD|CAD|AUD|NZD|HKD|SGD|TWD|MXN)\b")
_DOLLAR_SIGN: Final = re.compile(r"(?<![A-Za-z])(?:US\$|U\.S\.\$|C\$|CA\$|A\$|AU\$|NZ\$|HK\$|S\$)")
_EXCEPT: Final = re.compile(
    r"\b(?:except(?:ing)?|excluding|other than|unless)\b(?: for| where| as)?(?P<rest>[^)\n]*)", re.IGNORECASE
)
_EXCEPTED: Final = (
    ("per share", re.compile(r"\bper[ -](?:\w+[ -])*(?:share|ads|unit)|\bEPS\b", re.IGNORECASE)),
    (
        "shares",
        re.compile(
            r"(?<!per )(?<!per-)\b(?:number of )?(?:shares?\b(?! (?:data|amounts?|information|and per))"
            r"|share (?:data|amounts|and per|counts?))",
            re.IGNORECASE,
        ),
    ),
    ("percentages", re.compile(r"\bpercent|%|\bratios?\b", re.IGNORECASE)),
    (
        "otherwise stated",
        re.compile(r"\botherwise\b|\b(?:where )?(?:noted|indicated|stated)\b", re.IGNORECASE),
    ),
)


def heading_scale(text: str) -> HeadingScale | None:
    """The scale that `text` (a heading, a caption, a column's label) states for what stands under it.

    None where it states none, or where it states two different ones ("in millions" and "in thousands"), since
    then nobody can say which applies. "in millions, shares in thousands" keeps the first and excepts shares.
    """
    folded = words_only(fold(text))
    matches = [
        match
        for pattern in (_IN_SCALE, _MONEY_SCALE, _SCALE_MONEY, _ZEROS, _BARE)
        for match in pattern.finditer(folded)
    ]
    if not matches:
        return None
    matches.sort(key=lambda match: (match.start(), -match.end()))
    money = [match for match in matches if not _of_shares(folded, match)]
    if len({_factor(match) for match in money or matches}) > 1:
        return None
    chosen = money or matches
    excepts = _excepts(folded)
    unit = next((unit for unit in map(_unit, chosen) if unit is not None), None)
    if not money:
        unit = COUNT
    elif len(money) < len(matches):
        excepts.add("shares")
    if unit is not None and unit.measure is Measure.UNKNOWN_DOLLAR:
        unit = _named_dollar(folded) or unit
    end = max(match.end() for match in chosen)
    except_match = _EXCEPT.search(folded)
    if except_match:
        end = max(end, except_match.end())
    return HeadingScale(Span(chosen[0].start(), end), _factor(chosen[0]), unit, frozenset(excepts))


def _of_shares(folded: str, match: re.Match[str]) -> bool:
    """Whether a scale is said of share counts: "shares in thousands", "in thousands of shares"."""
    before = folded[: match.start()]
    return _SHARES_BEFORE.search(before) is not None or folded.startswith(" of shares", match.end())


def _named_dollar(folded: str) -> Unit | None:
    """Which dollar the rest of the heading names, if exactly one: "USD ($) $ in Millions"."""
    named = {CURRENCY_CODES[match.group(1)] for match in _DOLLAR_CODE.finditer(folded)}
    named |= {CURRENCY_SIGNS[match.group()][0] for match in _DOLLAR_SIGN.finditer(folded)}
    if re.search(r"\bU\.?S\.? dollars?\b", folded, re.IGNORECASE):
        named.add(Measure.USD)
    return Unit(named.pop()) if len(named) == 1 else None


def _factor(match: re.Match[str]) -> Decimal:
    groups = match.groupdict()
    scale = (groups.get("scale") or groups.get("scale2") or "").lower()
    return _SCALES.get(scale) or _SCALES[scale.rstrip("s'")]


def _unit(match: re.Match[str]) -> Unit | None:
    """The currency, None where none or more than one is possible."""
    groups = match.groupdict()
    said = {groups[name].strip() for name in ("before", "inside", "inside2", "after") if groups.get(name)}
    measures = {measure for money in said for measure in _measures(money)}
    if len(measures) == 2:
        measures.discard(Measure.UNKNOWN_DOLLAR)
    return Unit(measures.pop()) if len(measures) == 1 else None


def _measures(money: str) -> tuple[Measure, ...]:
    if money in CURRENCY_SIGNS:
        return CURRENCY_SIGNS[money]
    if money.rstrip("$") in CURRENCY_CODES:
        return (CURRENCY_CODES[money.rstrip("$")],)
    word = money.lower()
    if word == "pounds":
        return (Measure.GBP,)
    return CURRENCY_WORDS.get(word) or CURRENCY_WORDS.get(word.removesuffix("s"), ())


def _excepts(folded: str) -> set[str]:
    found = set()
    for match in _EXCEPT.finditer(folded):
        for name, pattern in _EXCEPTED:
            if pattern.search(match["rest"]):
                found.add(name)
        if match.group().lower().startswith("unless"):
            found.add("otherwise stated")
    return found
