"""The values that reading a text gives: figures, readings, dates, heading scales, flags.

All numbers are `decimal.Decimal`, all spans count characters of the text that was given.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Literal

from .errors import NotOneValue
from .span import Span
from .units import Measure, Unit


class Bound(Enum):
    """How a figure's words limit its value."""

    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    RANGE = "range"


class Flag(Enum):
    """Modality: what else the clause says about a figure. The value is the name used in files."""

    ABOUT = "about"
    GUIDANCE = "guidance"
    NON_GAAP = "non_gaap"
    PRO_FORMA = "pro_forma"
    RESTATED = "restated"
    HYPOTHETICAL = "hypothetical"
    NEGATED = "negated"
    """The clause denies the figure ("denied that", "was not"). No claim can carry this one."""


class Direction(Enum):
    """Whether the words around a figure say that something rose or fell by it, or was a loss."""

    NONE = "none"
    INCREASE = "increase"
    DECREASE = "decrease"


@dataclass(frozen=True, slots=True)
class Context:
    """What is known from outside the quote.

    `table_cell`: the text is one cell of a table, where parentheses mean a negative number. `heading_scale`,
    `heading_unit`: from a heading such as "(in millions of euros)"; they apply to figures that state no scale
    or unit of their own (percentages, points, multiples and per-share amounts never take a heading's scale).
    `decimal_convention`: how the page's language writes numbers. `dollar`: the currency of a bare "$".
    """

    table_cell: bool = False
    heading_scale: Decimal | None = None
    heading_unit: Unit | None = None
    decimal_convention: Literal["en", "de", "fr"] | None = None
    dollar: Measure = Measure.UNKNOWN_DOLLAR


@dataclass(frozen=True, slots=True)
class Figure:
    """The one reading of a figure.

    `span` covers the figure with its sign, currency, scale and unit, without footnote marks; `number_span`
    the digits or number words alone. `low` and `high` are full values: `scale` is already applied. They
    differ only for a range and for an ambiguous figure, where they are the extremes of `ambiguous`.
    `stated_scale` tells whether the scale stands in this text (`scale_span`) rather than in a heading.
    """

    span: Span
    number_span: Span
    low: Decimal
    high: Decimal
    bound: Bound
    unit: Unit | None
    scale: Decimal = Decimal(1)
    scale_span: Span | None = None
    stated_scale: bool = False
    negative_parentheses: bool = False
    ambiguous: tuple[Decimal, ...] = ()

    @property
    def value(self) -> Decimal:
        """The one value (of a bound such as "at least", its limit); raises `NotOneValue` if there are two."""
        if self.ambiguous:
            raise NotOneValue("the figure can be read in more than one way")
        if self.bound is Bound.RANGE:
            raise NotOneValue("the figure is a range")
        return self.low


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the ways in which a stretch of text can be read as a number.

    `magnitude_stated` tells whether a scale word, ten-power or full number word gave the size.
    `significant_digits` counts the digits without leading and trailing zeros.
    """

    span: Span
    value: Decimal
    unit: Unit | None
    magnitude_stated: bool
    significant_digits: int


@dataclass(frozen=True, slots=True)
class DateReading:
    """One of the ways in which a stretch of text can be read as a date."""

    span: Span
    date: date


@dataclass(frozen=True, slots=True)
class HeadingScale:
    """The scale that a heading gives to a table: "(In millions, except per share data)".

    `excepts` holds what the heading leaves out, as folded words ("per share", "shares", "percentages", ...).
    """

    span: Span
    scale: Decimal
    unit: Unit | None
    excepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """More than one binding is possible, so there is none."""

    candidates: int
