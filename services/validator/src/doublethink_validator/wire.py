"""Between the contract's messages and the library's values.

What one side cannot say is refused, never approximated.
"""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Final, cast

from doublethink.figures.v1 import figures_pb2 as pb
from doublethink_figures import Direction, Flag, Measure, Period, PeriodKind, Unit, UnitClass
from doublethink_figures.errors import FigureError
from doublethink_figures.operations import Operation
from doublethink_figures.period import Part

from .errors import NotProven, Reason
from .reading import MAX_DIGITS, significant_digits

MAX_EXPONENT: Final = 15
MIN_EXPONENT: Final = -12

_KINDS: Final = {
    pb.PERIOD_KIND_CALENDAR: PeriodKind.CALENDAR,
    pb.PERIOD_KIND_FISCAL: PeriodKind.FISCAL,
    pb.PERIOD_KIND_INSTANT: PeriodKind.INSTANT,
    pb.PERIOD_KIND_TRAILING: PeriodKind.TRAILING,
    pb.PERIOD_KIND_YEAR_LABEL: PeriodKind.UNSPECIFIED_YEAR,
}
_KINDS_OUT: Final = {v: k for k, v in _KINDS.items()}
_PARTS: Final = {
    pb.PERIOD_PART_YEAR: Part.YEAR,
    pb.PERIOD_PART_Q1: Part.Q1,
    pb.PERIOD_PART_Q2: Part.Q2,
    pb.PERIOD_PART_Q3: Part.Q3,
    pb.PERIOD_PART_Q4: Part.Q4,
    pb.PERIOD_PART_H1: Part.H1,
    pb.PERIOD_PART_H2: Part.H2,
    pb.PERIOD_PART_THREE_MONTHS: Part.THREE_MONTHS,
    pb.PERIOD_PART_SIX_MONTHS: Part.SIX_MONTHS,
    pb.PERIOD_PART_NINE_MONTHS: Part.NINE_MONTHS,
    pb.PERIOD_PART_TWELVE_MONTHS: Part.TWELVE_MONTHS,
    pb.PERIOD_PART_YEAR_TO_DATE: Part.YTD,
    pb.PERIOD_PART_DAY: Part.DAY,
    pb.PERIOD_PART_MONTH: Part.MONTH,
}
_PARTS_OUT: Final = {v: k for k, v in _PARTS.items()} | {
    # Periods of whole weeks are the quarters and years of issuers that count in weeks.
    Part.ONE_MONTH: pb.PERIOD_PART_MONTH,
    Part.THIRTEEN_WEEKS: pb.PERIOD_PART_THREE_MONTHS,
    Part.FOURTEEN_WEEKS: pb.PERIOD_PART_THREE_MONTHS,
    Part.TWENTY_SIX_WEEKS: pb.PERIOD_PART_SIX_MONTHS,
    Part.TWENTY_SEVEN_WEEKS: pb.PERIOD_PART_SIX_MONTHS,
    Part.THIRTY_NINE_WEEKS: pb.PERIOD_PART_NINE_MONTHS,
    Part.FORTY_WEEKS: pb.PERIOD_PART_NINE_MONTHS,
    Part.FIFTY_TWO_WEEKS: pb.PERIOD_PART_TWELVE_MONTHS,
    Part.FIFTY_THREE_WEEKS: pb.PERIOD_PART_TWELVE_MONTHS,
    Part.LTM: pb.PERIOD_PART_TWELVE_MONTHS,
}
_CLASSES: Final = {
    pb.UNIT_CLASS_CURRENCY: UnitClass.CURRENCY,
    pb.UNIT_CLASS_CURRENCY_PER: UnitClass.CURRENCY_PER,
    pb.UNIT_CLASS_PERCENT: UnitClass.PERCENT,
    pb.UNIT_CLASS_PERCENTAGE_POINTS: UnitClass.PERCENTAGE_POINTS,
    pb.UNIT_CLASS_BASIS_POINTS: UnitClass.BASIS_POINTS,
    pb.UNIT_CLASS_MULTIPLE: UnitClass.MULTIPLE,
    pb.UNIT_CLASS_COUNT: UnitClass.COUNT,
}
_DIRECTIONS: Final = {
    pb.DIRECTION_UNSPECIFIED: Direction.NONE,
    pb.DIRECTION_NONE: Direction.NONE,
    pb.DIRECTION_INCREASE: Direction.INCREASE,
    pb.DIRECTION_DECREASE: Direction.DECREASE,
}
_DIRECTIONS_OUT: Final = {
    Direction.NONE: pb.DIRECTION_NONE,
    Direction.INCREASE: pb.DIRECTION_INCREASE,
    Direction.DECREASE: pb.DIRECTION_DECREASE,
}
_FLAGS: Final = {
    pb.FLAG_ABOUT: Flag.ABOUT,
    pb.FLAG_GUIDANCE: Flag.GUIDANCE,
    pb.FLAG_NON_GAAP: Flag.NON_GAAP,
    pb.FLAG_PRO_FORMA: Flag.PRO_FORMA,
    pb.FLAG_RESTATED: Flag.RESTATED,
    pb.FLAG_HYPOTHETICAL: Flag.HYPOTHETICAL,
}
_FLAGS_OUT: Final = {v: k for k, v in _FLAGS.items()}
_OPERATIONS: Final = {
    pb.OPERATION_KIND_SUM: Operation.SUM,
    pb.OPERATION_KIND_DIFFERENCE: Operation.DIFFERENCE,
    pb.OPERATION_KIND_RATIO: Operation.RATIO,
    pb.OPERATION_KIND_SHARE: Operation.SHARE,
    pb.OPERATION_KIND_GROWTH: Operation.GROWTH,
    pb.OPERATION_KIND_CAGR: Operation.CAGR,
    pb.OPERATION_KIND_MEDIAN: Operation.MEDIAN,
    pb.OPERATION_KIND_MEAN: Operation.MEAN,
    pb.OPERATION_KIND_MIN: Operation.MIN,
    pb.OPERATION_KIND_MAX: Operation.MAX,
}
_MEASURES: Final = {
    number: Measure[name.removeprefix("MEASURE_")] for name, number in pb.Measure.items() if number
}
_MEASURES_OUT: Final = {v: cast("pb.Measure", k) for k, v in _MEASURES.items()}  # the numbers are the enum's


def unit_class_in(value: pb.UnitClass) -> UnitClass | None:
    """The class that is wanted, None if any."""
    return _CLASSES.get(value)


def period_in(message: pb.Period) -> Period | None:
    """The period that a message says, None if it says none.

    Raises `ValueError` for one that contradicts itself.
    """
    if message == pb.Period():
        return None
    end = date(message.end.year, message.end.month, message.end.day) if message.HasField("end") else None
    kind, part = _KINDS.get(message.kind), _PARTS.get(message.part)
    if kind is None or part is None:
        raise ValueError("a period has a kind and a part")
    return Period(kind, message.year or None, part, end)


def period_out(period: Period | None) -> pb.Period | None:
    """The message that says `period`."""
    if period is None:
        return None
    message = pb.Period(kind=_KINDS_OUT[period.kind], part=_PARTS_OUT[period.part])
    if period.year is not None:
        message.year = period.year
    if period.end is not None:
        message.end.year, message.end.month, message.end.day = (
            period.end.year,
            period.end.month,
            period.end.day,
        )
    return message


def decimal_out(value: Decimal) -> pb.Decimal:
    """Mantissa and exponent. Raises `NotProven` for more than twelve significant digits."""
    if significant_digits(value) > MAX_DIGITS:
        raise NotProven(Reason.VALUE_TOO_LONG)
    plain = value.normalize()
    sign, digits, exponent = plain.as_tuple()
    if not isinstance(exponent, int):
        raise NotProven(Reason.VALUE_UNREADABLE)
    mantissa = int("".join(map(str, digits)))
    while exponent > MAX_EXPONENT and mantissa * 10 < 10**MAX_DIGITS:
        mantissa, exponent = mantissa * 10, exponent - 1
    if not MIN_EXPONENT <= exponent <= MAX_EXPONENT:
        raise NotProven(Reason.VALUE_TOO_LONG)
    return pb.Decimal(mantissa=-mantissa if sign else mantissa, exponent=exponent)


def decimal_in(message: pb.Decimal) -> Decimal:
    """The value of a message."""
    return Decimal(message.mantissa).scaleb(message.exponent)


def unit_out(unit: Unit) -> pb.Unit:
    """The message that says `unit`. Raises `NotProven` for a currency that the contract does not name."""
    return pb.Unit(
        measure=_measure_out(unit.measure),
        per=_measure_out(unit.per) if unit.per is not None else pb.MEASURE_UNSPECIFIED,
    )


def _measure_out(measure: Measure) -> pb.Measure:
    try:
        return _MEASURES_OUT[measure]
    except KeyError:
        raise NotProven(Reason.UNIT_UNKNOWN) from None


def unit_in(message: pb.Unit) -> Unit:
    """The unit that a message says. Raises `ValueError` for one that does not exist."""
    try:
        return Unit(_MEASURES[message.measure], _MEASURES[message.per] if message.per else None)
    except (FigureError, KeyError) as error:
        raise ValueError("a unit that does not exist") from error


def direction_in(value: pb.Direction) -> Direction:
    """The direction that a claim carries."""
    return _DIRECTIONS[value]


def direction_out(direction: Direction) -> pb.Direction:
    """The direction's code."""
    return _DIRECTIONS_OUT[direction]


def flags_in(values: Iterable[pb.Flag]) -> frozenset[Flag]:
    """The flags that a claim carries; raises `KeyError` for an unset one."""
    return frozenset(_FLAGS[v] for v in values)


def flags_out(flags: frozenset[Flag]) -> list[pb.Flag]:
    """The flags' codes, in order."""
    return sorted(_FLAGS_OUT[f] for f in flags)


def operation_in(value: pb.OperationKind) -> Operation:
    """The operation that a plan asks for. Raises `ValueError` for none."""
    try:
        return _OPERATIONS[value]
    except KeyError:
        raise ValueError("an operation has a kind") from None
