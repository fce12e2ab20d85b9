"""Arithmetic over figures: exact, typed, and refused by name where units or periods do not agree.

Values are exact `Decimal`s. Sum, difference, minimum, maximum and median of an odd count are exact. Where a
division or a root has no finite decimal form, the result is rounded half-even to `DIGITS` significant digits,
once, at the end; it is never rounded for display here.

Growth, CAGR and ratios in percent are given as `percent` values (12.5 means 12.5 %); the difference of two
percentages is in `percentage_points`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from enum import Enum
from fractions import Fraction
from typing import Final

from .errors import (
    DivisionByZero,
    NoRealResult,
    PeriodMissing,
    PeriodsDisagree,
    UnitsDisagree,
    WrongNumberOfOperands,
)
from .period import Part, Period, PeriodKind
from .units import COUNT, MULTIPLE, PERCENT, PERCENTAGE_POINTS, Measure, Unit

DIGITS: Final = 28
"""Significant digits of a result that has no finite decimal form."""

MAX_MAGNITUDE: Final = 60
"""Operands lie between 10^-60 and 10^60: exact arithmetic over a larger exponent would not end."""

MAX_OPERANDS: Final = 64
"""The most operands one operation takes."""


class Operation(Enum):
    """The operations there are. The value is the name used in files."""

    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    SHARE = "share"
    GROWTH = "growth"
    CAGR = "cagr"
    MEDIAN = "median"
    MEAN = "mean"
    MIN = "min"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Operand:
    """A value with its unit and period."""

    value: Decimal
    unit: Unit
    period: Period | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What an operation gave. `exact` is False where the value was rounded to `DIGITS` significant digits."""

    value: Decimal
    unit: Unit
    exact: bool


def compute(operation: Operation, operands: Sequence[Operand]) -> Result:
    """The result of `operation` over `operands`, in the order given.

    Order matters for difference (first minus second), ratio (first over second), share (first of second),
    growth and CAGR (from first to second). Raises a subclass of `OperationRefused` that names what does not
    fit.
    """
    if len(operands) > MAX_OPERANDS:
        raise WrongNumberOfOperands(f"{operation.value} takes at most {MAX_OPERANDS} operands")
    if any(not operand.value.is_finite() for operand in operands):
        raise NoRealResult(f"{operation.value} takes finite values only")
    if any(abs(operand.value.adjusted()) > MAX_MAGNITUDE for operand in operands):
        raise NoRealResult(f"{operation.value} takes values up to 10^{MAX_MAGNITUDE}")
    return _OPERATIONS[operation](operands)


def _sum(operands: Sequence[Operand]) -> Result:
    _at_least(Operation.SUM, operands, 2)
    unit = _one_unit(Operation.SUM, operands)
    if unit.measure in (Measure.PERCENT, Measure.MULTIPLE):
        raise UnitsDisagree("sum: percentages and multiples do not add up without their bases")
    _comparable_lengths(Operation.SUM, operands)
    return _result(sum((Fraction(o.value) for o in operands), Fraction(0)), unit)


def _difference(operands: Sequence[Operand]) -> Result:
    first, second = _pair(Operation.DIFFERENCE, operands)
    unit = _one_unit(Operation.DIFFERENCE, operands)
    _comparable_lengths(Operation.DIFFERENCE, operands)
    return _result(
        Fraction(first.value) - Fraction(second.value), PERCENTAGE_POINTS if unit == PERCENT else unit
    )


def _ratio(operands: Sequence[Operand]) -> Result:
    first, second = _pair(Operation.RATIO, operands)
    unit = _ratio_unit(first.unit, second.unit)
    if first.period != second.period and not (_is_instant(first.period) or _is_instant(second.period)):
        _comparable_lengths(Operation.RATIO, operands)
    return _result(_divide(Operation.RATIO, first.value, second.value), unit)


def _share(operands: Sequence[Operand]) -> Result:
    part, whole = _pair(Operation.SHARE, operands)
    unit = _one_unit(Operation.SHARE, operands)
    if unit.measure in (Measure.PERCENT, Measure.PERCENTAGE_POINTS, Measure.BASIS_POINTS, Measure.MULTIPLE):
        raise UnitsDisagree("share: a percentage or multiple is no part of another")
    if part.period != whole.period:
        _comparable_lengths(Operation.SHARE, operands)
    if whole.value <= 0 or not 0 <= part.value <= whole.value:
        raise NoRealResult("share: the part lies outside the whole")
    return _result(_divide(Operation.SHARE, part.value, whole.value) * 100, PERCENT)


def _growth(operands: Sequence[Operand]) -> Result:
    first, second = _pair(Operation.GROWTH, operands)
    unit = _one_unit(Operation.GROWTH, operands)
    if unit.measure in (Measure.PERCENT, Measure.PERCENTAGE_POINTS, Measure.BASIS_POINTS):
        raise UnitsDisagree("growth: of a percentage it is a difference in percentage points")
    _distinct_periods(Operation.GROWTH, operands)
    if first.value < 0:
        raise NoRealResult("growth: the base is negative")
    change = Fraction(second.value) - Fraction(first.value)
    if first.value == 0:
        raise DivisionByZero("growth: the base is zero")
    return _result(change / Fraction(first.value) * 100, PERCENT)


def _cagr(operands: Sequence[Operand]) -> Result:
    first, second = _pair(Operation.CAGR, operands)
    unit = _one_unit(Operation.CAGR, operands)
    if unit.measure in (Measure.PERCENT, Measure.PERCENTAGE_POINTS, Measure.BASIS_POINTS):
        raise UnitsDisagree("cagr: of a percentage it has no meaning")
    years = _whole_years(operands)
    if first.value == 0:
        raise DivisionByZero("cagr: the base is zero")
    if first.value < 0 or second.value < 0:
        raise NoRealResult("cagr: a value is negative")
    with localcontext() as context:
        context.prec = DIGITS + 12
        root = (second.value / first.value) ** (Decimal(1) / Decimal(years))
        value = (root - 1) * 100
        context.prec = DIGITS
        context.rounding = ROUND_HALF_EVEN
        return Result(+value, PERCENT, exact=False)


def _median(operands: Sequence[Operand]) -> Result:
    _at_least(Operation.MEDIAN, operands, 1)
    unit = _one_unit(Operation.MEDIAN, operands)
    _comparable_lengths(Operation.MEDIAN, operands)
    values = sorted(Fraction(o.value) for o in operands)
    middle = len(values) // 2
    return _result(values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2, unit)


def _mean(operands: Sequence[Operand]) -> Result:
    _at_least(Operation.MEAN, operands, 1)
    unit = _one_unit(Operation.MEAN, operands)
    _comparable_lengths(Operation.MEAN, operands)
    return _result(sum((Fraction(o.value) for o in operands), Fraction(0)) / len(operands), unit)


def _min(operands: Sequence[Operand]) -> Result:
    _at_least(Operation.MIN, operands, 1)
    unit = _one_unit(Operation.MIN, operands)
    _comparable_lengths(Operation.MIN, operands)
    return Result(min(o.value for o in operands), unit, exact=True)


def _max(operands: Sequence[Operand]) -> Result:
    _at_least(Operation.MAX, operands, 1)
    unit = _one_unit(Operation.MAX, operands)
    _comparable_lengths(Operation.MAX, operands)
    return Result(max(o.value for o in operands), unit, exact=True)


_OPERATIONS: Final[dict[Operation, Callable[[Sequence[Operand]], Result]]] = {
    Operation.SUM: _sum,
    Operation.DIFFERENCE: _difference,
    Operation.RATIO: _ratio,
    Operation.SHARE: _share,
    Operation.GROWTH: _growth,
    Operation.CAGR: _cagr,
    Operation.MEDIAN: _median,
    Operation.MEAN: _mean,
    Operation.MIN: _min,
    Operation.MAX: _max,
}


def _at_least(operation: Operation, operands: Sequence[Operand], count: int) -> None:
    if len(operands) < count:
        raise WrongNumberOfOperands(f"{operation.value} takes at least {count} operand(s)")


def _pair(operation: Operation, operands: Sequence[Operand]) -> tuple[Operand, Operand]:
    if len(operands) != 2:
        raise WrongNumberOfOperands(f"{operation.value} takes two operands")
    return operands[0], operands[1]


def _one_unit(operation: Operation, operands: Sequence[Operand]) -> Unit:
    """The unit all operands share. Two bare dollars agree only as far as nobody knows which dollar: also
    refused.
    """
    unit = operands[0].unit
    if any(operand.unit != unit for operand in operands):
        raise UnitsDisagree(f"{operation.value}: the operands are in different units")
    return unit


def _ratio_unit(numerator: Unit, denominator: Unit) -> Unit:
    if numerator == denominator:
        return MULTIPLE
    if (
        denominator == COUNT
        and numerator.per is None
        and numerator.measure
        not in (
            Measure.PERCENT,
            Measure.PERCENTAGE_POINTS,
            Measure.BASIS_POINTS,
            Measure.MULTIPLE,
        )
    ):
        return Unit(numerator.measure, Measure.UNIT)
    raise UnitsDisagree("ratio: the operands are in different units")


def _is_instant(period: Period | None) -> bool:
    return period is not None and (period.kind is PeriodKind.INSTANT or period.part is Part.DAY)


def _length(period: Period) -> int | str:
    """Months, "instant", or the part's name where its length is not in the label (year to date)."""
    if _is_instant(period):
        return "instant"
    return period.part.months or period.part.value


def _comparable_lengths(operation: Operation, operands: Sequence[Operand]) -> None:
    """A quarter is never added to, or compared with, a year; nor a flow with a balance."""
    lengths = {None if o.period is None else _length(o.period) for o in operands}
    if len(lengths) > 1:
        raise PeriodsDisagree(f"{operation.value}: the operands' periods differ in length or kind")


def _distinct_periods(operation: Operation, operands: Sequence[Operand]) -> None:
    if any(operand.period is None for operand in operands):
        raise PeriodMissing(f"{operation.value} needs the period of both operands")
    _comparable_lengths(operation, operands)
    if operands[0].period == operands[1].period:
        raise PeriodsDisagree(f"{operation.value}: both operands are of the same period")


def _anchor(period: Period) -> tuple[PeriodKind, Part, int, date | None]:
    """What must be alike at both ends of a CAGR besides the year."""
    year = period.year if period.year is not None else period.end.year if period.end else None
    if year is None:
        raise PeriodMissing("cagr needs the year of both operands")
    return period.kind, period.part, year, period.end


def _whole_years(operands: Sequence[Operand]) -> int:
    _distinct_periods(Operation.CAGR, operands)
    anchors = [_anchor(o.period) for o in operands if o.period is not None]
    (kind_a, part_a, year_a, end_a), (kind_b, part_b, year_b, end_b) = anchors
    same_month = (end_a is None) == (end_b is None) and (
        end_a is None or end_b is None or end_a.month == end_b.month
    )
    if kind_a is not kind_b or part_a is not part_b or not same_month:
        raise PeriodsDisagree("cagr: the two periods are not whole years apart")
    if year_b <= year_a:
        raise PeriodsDisagree("cagr: the first operand must be the earlier one")
    return year_b - year_a


def _divide(operation: Operation, numerator: Decimal, denominator: Decimal) -> Fraction:
    if denominator == 0:
        raise DivisionByZero(f"{operation.value}: the second operand is zero")
    return Fraction(numerator) / Fraction(denominator)


def _result(value: Fraction, unit: Unit) -> Result:
    """`value` as a decimal: exact where it has a finite form short enough, else `DIGITS` digits."""
    with localcontext() as context:
        context.prec = DIGITS
        context.rounding = ROUND_HALF_EVEN
        rounded = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(rounded) == value:
        return Result(rounded, unit, exact=True)
    return Result(rounded, unit, exact=False)
