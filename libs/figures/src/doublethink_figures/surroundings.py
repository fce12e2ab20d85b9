"""What stands around a number: sign, currency and parenthesis before it; percent, scale, currency, noun after
it.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from .lexicon import (
    CERTAIN_SCALE_LETTERS,
    CJK_SCALES,
    COUNTED_NOUNS,
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    MINOR_UNITS,
    PER_WORDS,
    SCALE_LETTERS,
    SCALE_WORDS,
    UNCERTAIN_CURRENCY_WORDS,
    alternation,
)
from .span import Span
from .units import Measure

_S: Final = "[ \u00a0]"
_SIGNS: Final = alternation(CURRENCY_SIGNS)
_CODES: Final = alternation(CURRENCY_CODES)

_BEFORE: Final = re.compile(
    rf"(?P<open>\()?{_S}?(?P<sign>(?:[-+±]|\b(?:minus|negative){_S}))?{_S}?"
    rf"(?:(?P<currency>(?<![A-Za-z])(?:{_CODES}){_S}?\$?|(?<![A-Za-z])(?:{_SIGNS})"
    rf"|(?P<glued>[A-Za-z]+)?\$){_S}?)?"
    rf"(?P<inner>\({_S}?)?(?P<inner_sign>[-+±])?\Z"
)
_MARK: Final = re.compile(
    r"(?:\((?:[0-9]{1,2}|[a-z])\)|\[(?:[0-9]{1,3}|[a-z])\]|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+|[*†‡]+)"
)
_RATE: Final = re.compile(
    rf"(?:{_S}?%(?:{_S}?-?points?\b)?|[ \u00a0-]?(?:"
    r"(?P<points>percentage[ -]points?|percent[ -]points?|per cent points?|ppts?|pps?|p\.p\.)"
    r"|(?P<basis>basis[ -]points?|bps?)"
    r"|(?P<percent>per ?cent|pct|prozent|pour cent))(?![A-Za-z]))",
    re.IGNORECASE,
)
_MULTIPLE: Final = re.compile(
    rf"{_S}?(?:x|X|×)(?![A-Za-z0-9])|-?fold\b"
    rf"|{_S}times(?={_S}(?:[a-z]+{_S})?(?:earnings|EBITDA|EBIT|sales|revenues?|book|leverage|oversubscribed"
    rf"|as|more|higher|larger|the))"
)
_SCALE_WORD: Final = re.compile(rf"[ \u00a0-]{{0,2}}(?P<word>{alternation(SCALE_WORDS)})\b\.?", re.IGNORECASE)
_SHORT_SCALES: Final = frozenset({"md", "mds", "mia", "mil", "mill", "bil", "lac"})
"""Abbreviations that are a scale beside a currency only; alone they are also other words."""
_DOTTED: Final = frozenset({"mio", "mrd", "mrds", "mln", "mn", "bn", "tsd", "mill", "mia"})
_SCALE_LETTER: Final = re.compile(
    rf"{_S}?(?P<letter>{alternation(SCALE_LETTERS)})(?![A-Za-z0-9\u00b2\u00b3])"
)
_SCALE_CJK: Final = re.compile(rf"{_S}?(?P<cjk>[{''.join(CJK_SCALES)}]+)")
_CURRENCY_AFTER: Final = re.compile(
    rf"[ \u00a0-]?(?:(?:of|in|d'|d’){_S}?)?(?:(?P<code>{_CODES})(?![A-Za-z])"
    rf"|(?P<word>(?i:{alternation(CURRENCY_WORDS)})s?)(?![A-Za-z])"
    rf"|(?P<sign>{_SIGNS})(?!{_S}?[A-Za-z0-9(]))"
)
_MINOR: Final = re.compile(rf"(?:{_S}?(?:¢|cents?|pence|penny|GBX|GBp)|p)(?![A-Za-z0-9])")
_NAMED_CENT: Final = re.compile(
    rf"{_S}?(?:(?P<euro>euro)|US|U\.S\.)[ \u00a0-]?cents?(?![A-Za-z])", re.IGNORECASE
)
_PER: Final = re.compile(
    rf"(?:,?{_S}?/{_S}?|,?[ \u00a0-]per[ \u00a0-]|{_S}an?{_S})"
    rf"(?:(?:basic|diluted|common|ordinary|weighted|average|preferred|full-time|restricted|stock"
    rf"|and){_S}){{0,4}}"
    rf"(?P<noun>{alternation(PER_WORDS)})s?\b(?!{_S}(?:ago|earlier|before|later|price))",
    re.IGNORECASE,
)
_PER_BEFORE: Final = re.compile(
    r"(?:\bper(?: (?:basic|diluted|common|ordinary|american depositary|depositary|and))* share|\bEPS)\b"
    r"(?: (?:basic|diluted|of|was|were|is|to|at|rose|fell|grew|increased|decreased|came in|declined|reached"
    r"|by|about|a|an"
    r"|record|total|attributable|approximately|loss|from|[(]?diluted[)]?|up|down|on|basis|[0-9.]{1,6}%|or"
    r"|\$[0-9.]{1,6},?))*:? ?\Z",
    re.IGNORECASE,
)
_NOUN: Final = re.compile(
    rf"(?:{_S}(?!(?:of|in|to|and|for|by|from|with|per|at|on|the|an?|or|as|its|our|their|million"
    rf"|billion)\b)[A-Za-z-]+){{0,2}}"
    rf"{_S}(?:{'|'.join(COUNTED_NOUNS)})\b",
    re.IGNORECASE,
)
_LEADING_WORDS: Final = frozenset(
    {"minus", "negative", *CURRENCY_CODES, *(sign for sign in CURRENCY_SIGNS if sign.isalpha())}
)
_LEADING_SIGNS: Final = frozenset("-+±(.$") | {sign[-1] for sign in CURRENCY_SIGNS if not sign[-1].isalpha()}
REACH: Final = 24
"""How many characters before a number are looked at: "negative" and the longest currency sign fit."""


@dataclass(frozen=True, slots=True)
class Before:
    """What stands directly before a number; `start` is where it begins."""

    start: int
    sign: str
    currency: tuple[Measure, ...]
    currency_said: bool
    parenthesis: bool
    sign_outside: bool
    currency_outside: bool
    spaced_minus: bool


@dataclass(frozen=True, slots=True)
class After:
    """What stands directly after a number.

    `end` is where the figure stops, `consumed` where what belongs to it does, a footnote mark included.
    `scales` holds every factor its scale can mean (one member: certain, none: no scale). `closed`: a
    parenthesis closes behind the figure; `closed_first`: directly behind the number, before any percent sign,
    as in "(1.8)%".
    """

    end: int
    consumed: int
    closed: bool
    closed_first: bool
    measure: Measure | None = None
    scales: tuple[Decimal, ...] = ()
    scale_span: Span | None = None
    letter_scale: bool = False
    currency: tuple[Measure, ...] = ()
    currency_said: bool = False
    minor: bool = False
    per: Measure | None = None
    counted: bool = False


def read_before(folded: str, start: int) -> Before:
    """What stands before the number that starts at `start`."""
    if not _something_before(folded, start):
        return Before(start, "", (), False, False, False, False, False)
    low = max(0, start - REACH)
    match = _BEFORE.search(folded[low:start])
    if match is None:  # the pattern matches the empty string too
        raise AssertionError("the pattern before a number always matches")
    place = "inner_sign" if match["inner_sign"] else "sign"
    sign = (match[place] or "").strip()
    begin = low + match.start()
    while begin < start and folded[begin] in " \u00a0":
        begin += 1
    currency, said = _currency_of(match)
    parenthesis = bool(match["open"] or match["inner"])
    spaced_minus = False
    if sign == "-":
        at = low + match.start(place)
        previous = folded[at - 1] if at else " "
        tight = at + 1 < len(folded) and folded[at + 1] not in " \u00a0"
        if previous.isalnum() or previous in ")%]'" or not tight:
            sign = ""
            kept = next((group for group in ("currency", "inner") if match[group]), None)
            begin = low + match.start(kept) if kept else start
            parenthesis = bool(match["inner"])
        elif folded[max(0, at - 8) : at].rstrip(" \u00a0")[-1:].isdigit() and previous in " \u00a0":
            spaced_minus = True
    return Before(
        begin,
        sign,
        currency,
        said,
        parenthesis,
        sign_outside=bool(match["inner"] and match["sign"]),
        currency_outside=bool(match["inner"] and match["currency"]),
        spaced_minus=spaced_minus,
    )


def _something_before(folded: str, start: int) -> bool:
    """A quick look at the last word or sign, since most numbers stand behind an ordinary word."""
    at = start
    while at and start - at < 2 and folded[at - 1] in " \u00a0":
        at -= 1
    if at == 0:
        return False
    if not folded[at - 1].isalpha():
        return folded[at - 1] in _LEADING_SIGNS
    word_end = at
    while at and word_end - at < REACH and folded[at - 1].isalpha():
        at -= 1
    return folded[at:word_end] in _LEADING_WORDS


def _currency_of(match: re.Match[str]) -> tuple[tuple[Measure, ...], bool]:
    text = match["currency"]
    if text is None:
        return (), False
    text = text.strip(" \u00a0")
    if text in CURRENCY_SIGNS:
        return CURRENCY_SIGNS[text], True
    code = text.rstrip("$ \u00a0")
    if code in CURRENCY_CODES:
        return (CURRENCY_CODES[code],), True
    return (), True  # the dollar of a country this table does not know


def read_after(folded: str, end: int, *, currency_before: bool, minor_allowed: bool = True) -> After:
    """What stands after the number that ends at `end`."""
    if end >= len(folded) or folded[end] in ";:?!\n\t":
        return After(end, end, False, False)
    cursor = _Cursor(folded, end)
    closed_first = cursor.close()
    measure = cursor.rate() or cursor.multiple()
    if measure is not None:
        closed = cursor.close() or closed_first
        return After(cursor.end, cursor.at, closed, closed_first, measure=measure)
    cursor.mark()
    scales, scale_span, letter = cursor.scale()
    minor = cursor.minor() if minor_allowed and not scales and not currency_before else ()
    currency, said = (minor, True) if minor else cursor.currency(signs=not currency_before)
    closed = cursor.close() or closed_first
    rate = cursor.rate() if not scales and not said else None
    per = cursor.per()
    counted = not said and not currency_before and per is None and cursor.counted()
    return After(
        cursor.end,
        cursor.at,
        closed,
        closed_first,
        measure=rate,
        scales=scales,
        scale_span=scale_span,
        letter_scale=letter,
        currency=currency,
        currency_said=said,
        minor=bool(minor),
        per=per,
        counted=counted,
    )


class _Cursor:
    """A position that moves on over what it recognises: `at`, and `end`, which stays before marks."""

    def __init__(self, folded: str, at: int) -> None:
        self._text = folded
        self.at = at
        self.end = at

    def _advance(self, match: re.Match[str]) -> None:
        self.at = self.end = match.end()

    def close(self) -> bool:
        at = self.at
        if self._text.startswith((" )", "\u00a0)"), at):
            at += 1
        if not self._text.startswith(")", at):
            return False
        self.at = self.end = at + 1
        return True

    def mark(self) -> None:
        """Steps over a footnote mark without making it part of the figure."""
        match = _MARK.match(self._text, self.at)
        if match:
            self.at = match.end()

    def rate(self) -> Measure | None:
        match = _RATE.match(self._text, self.at)
        if match is None:
            return None
        self._advance(match)
        if match["points"] or (match.group().lower().rstrip("s").endswith("point") and not match["basis"]):
            return Measure.PERCENTAGE_POINTS
        return Measure.BASIS_POINTS if match["basis"] else Measure.PERCENT

    def multiple(self) -> Measure | None:
        match = _MULTIPLE.match(self._text, self.at)
        if match is None:
            return None
        self._advance(match)
        return Measure.MULTIPLE

    def scale(self) -> tuple[tuple[Decimal, ...], Span | None, bool]:
        factors: tuple[Decimal, ...] = ()
        start = self.at
        short = False
        while match := _SCALE_WORD.match(self._text, self.at):
            self._advance(match)
            if match.group().endswith(".") and not self._dot_belongs(match["word"]):
                self.at = self.end = match.end() - 1
            short = match["word"].lower() in _SHORT_SCALES
            choices = SCALE_WORDS[match["word"].lower()]
            factors = tuple(a * b for a in factors for b in choices) if factors else choices
        if factors:
            return factors, Span(self._trim(start), self.end), short
        if match := _SCALE_LETTER.match(self._text, self.at):
            self._advance(match)
            certain = match["letter"] in CERTAIN_SCALE_LETTERS
            return SCALE_LETTERS[match["letter"]], Span(self._trim(start), self.end), not certain
        if match := _SCALE_CJK.match(self._text, self.at):
            self._advance(match)
            factor = Decimal(1)
            for character in match["cjk"]:
                factor *= CJK_SCALES[character]
            return (factor,), Span(self._trim(start), self.end), False
        return (), None, False

    def _dot_belongs(self, word: str) -> bool:
        """Whether a point behind a scale is that of an abbreviation ("Mio. Euro") and not of the sentence."""
        return word.lower() in _DOTTED and _CURRENCY_AFTER.match(self._text, self.end) is not None

    def _trim(self, start: int) -> int:
        while self._text[start] in " \u00a0-":
            start += 1
        return start

    def minor(self) -> tuple[Measure, ...]:
        named = _NAMED_CENT.match(self._text, self.at)
        if named:
            self._advance(named)
            return (Measure.EUR if named["euro"] else Measure.USD,)
        match = _MINOR.match(self._text, self.at)
        if match is None:
            return ()
        self._advance(match)
        return MINOR_UNITS[match.group().strip(" \u00a0")]

    def currency(self, *, signs: bool) -> tuple[tuple[Measure, ...], bool]:
        """A currency. Without `signs` only a code or word: the sign after a number that has one belongs to
        the next.
        """
        match = _CURRENCY_AFTER.match(self._text, self.at)
        if match is None or (not signs and match["sign"]):
            return (), False
        self._advance(match)
        if match["code"]:
            return (CURRENCY_CODES[match["code"]],), True
        if match["sign"]:
            return CURRENCY_SIGNS[match["sign"]], True
        word = match["word"].lower()
        measures = CURRENCY_WORDS.get(word) or CURRENCY_WORDS[word.removesuffix("s")]
        if word.removesuffix("s") in UNCERTAIN_CURRENCY_WORDS or word in UNCERTAIN_CURRENCY_WORDS:
            return (), True
        return measures, True

    def per(self) -> Measure | None:
        match = _PER.match(self._text, self.at)
        if match is None:
            return None
        self._advance(match)
        return PER_WORDS[match["noun"].lower()]

    def counted(self) -> bool:
        return _NOUN.match(self._text, self.at) is not None


def per_share_before(folded: str, start: int) -> bool:
    """Whether the words that lead to `start` speak of an amount per share ("earnings per share of")."""
    return _PER_BEFORE.search(folded[max(0, start - 120) : start]) is not None
