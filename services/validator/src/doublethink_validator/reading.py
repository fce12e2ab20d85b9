"""What the validator itself reads at one place of a page. A claim is compared with this, never believed."""

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Final

from doublethink_figures import Direction, Flag, Period, Span, Unit

MAX_DIGITS: Final = 12


class Source(Enum):
    """Where a figure stands."""

    TABLE = "table"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Reading:
    """One figure of a page.

    `stated` is the number as printed (with its sign), `value` the full value, `scale` the factor between
    them. `figure` is the number's own place, `quote` the row or clause, `period_span` and `scale_span` the
    headings. `label` is what the page calls the figure. `event`: the period is the day on which what is
    counted happened. `spent`: the brackets only say that the amount went out, as the label does.
    `annual`: a heading says that the year is a whole one.
    """

    source: Source
    stated: Decimal
    scale: Decimal
    unit: Unit
    period: Period | None
    direction: Direction
    flags: frozenset[Flag]
    label: str
    figure: Span
    quote: Span
    period_span: Span | None
    scale_span: Span | None
    event: bool = False
    spent: bool = False
    annual: bool = False

    @property
    def value(self) -> Decimal:
        """The full value; a loss or decrease that is said in words alone is negative."""
        full = abs(self.stated * self.scale) if self.spent else self.stated * self.scale
        return -full if self.direction is Direction.DECREASE and full > 0 else full

    @property
    def step(self) -> Decimal:
        """The size of one unit in the last printed place: the precision that the page gives."""
        exponent = self.stated.as_tuple().exponent
        return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) * self.scale


def agree(one: Reading, other: Reading) -> bool:
    """Whether two readings are of the same amount: equal, or one is the other rounded to the places it
    prints.
    """
    if one.unit != other.unit:
        return False
    coarse, fine = (one, other) if one.step >= other.step else (other, one)
    return abs(coarse.value - fine.value) * 2 <= (coarse.step if coarse.step > fine.step else Decimal(0))


def significant_digits(value: Decimal) -> int:
    """How many digits `value` has without leading and trailing zeros."""
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    return len(digits)
