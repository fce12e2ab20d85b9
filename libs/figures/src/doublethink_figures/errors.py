"""Everything this library raises.

FigureError
├── UnitError             a unit name or a pair of measure and per noun that does not exist
├── PeriodError           a period whose fields contradict each other
├── NotOneValue           a figure that is ambiguous or a range was asked for its one value
└── OperationRefused      arithmetic that would compare unlike things, or has no answer
    ├── UnitsDisagree     operands are in different units
    ├── PeriodsDisagree   operands are of different periods, or of periods that do not fit the operation
    ├── PeriodMissing     an operation over time was given an operand without a usable period
    ├── WrongNumberOfOperands
    ├── DivisionByZero
    └── NoRealResult      for instance growth from a negative base
"""


class FigureError(ValueError):
    """Base of this library's errors."""


class UnitError(FigureError):
    """A unit name or a pair of measure and per noun that does not exist."""


class PeriodError(FigureError):
    """A period whose fields contradict each other."""


class NotOneValue(FigureError):
    """The one value of an ambiguous figure or of a range was asked for."""


class OperationRefused(FigureError):
    """Arithmetic that would compare unlike things, or has no answer. `name` is stable."""

    name = "refused"


class UnitsDisagree(OperationRefused):
    """Operands are in different units."""

    name = "units_disagree"


class PeriodsDisagree(OperationRefused):
    """Operands are of different periods, or of periods that do not fit the operation."""

    name = "periods_disagree"


class PeriodMissing(OperationRefused):
    """An operation over time was given an operand without a usable period."""

    name = "period_missing"


class WrongNumberOfOperands(OperationRefused):
    """Too few or too many operands for the operation."""

    name = "wrong_number_of_operands"


class DivisionByZero(OperationRefused):
    """The operand that divides is zero."""

    name = "division_by_zero"


class NoRealResult(OperationRefused):
    """The operation has no meaningful result for these values, for instance growth from a negative base."""

    name = "no_real_result"
