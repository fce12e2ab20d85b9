"""Arithmetic: exact values, and refusals by name."""

from decimal import Decimal

import pytest
from doublethink_figures import Period, Unit, find_periods
from doublethink_figures.errors import OperationRefused
from doublethink_figures.operations import Operand, Operation, compute


def operand(value: str, unit: str = "USD", period: str | None = "FY2024") -> Operand:
    """An operand from words."""
    found: Period | None = None if period is None else find_periods(period)[0].period
    return Operand(Decimal(value), Unit.parse(unit), found)


@pytest.mark.parametrize(
    ("operation", "operands", "value", "unit", "exact"),
    [
        (Operation.SUM, [operand("1.1"), operand("2.2")], "3.3", "USD", True),
        (Operation.DIFFERENCE, [operand("10"), operand("2.5", period="FY2023")], "7.5", "USD", True),
        (
            Operation.DIFFERENCE,
            [operand("41.5", "percent"), operand("40", "percent")],
            "1.5",
            "percentage_points",
            True,
        ),
        (Operation.RATIO, [operand("10"), operand("4")], "2.5", "multiple", True),
        (Operation.RATIO, [operand("10", "EUR"), operand("4", "count")], "2.5", "EUR_per_unit", True),
        (Operation.SHARE, [operand("1"), operand("8")], "12.5", "percent", True),
        (Operation.SHARE, [operand("0"), operand("8")], "0", "percent", True),
        (Operation.GROWTH, [operand("80", period="FY2023"), operand("90")], "12.5", "percent", True),
        (
            Operation.GROWTH,
            [operand("3", period="FY2023"), operand("4")],
            "33.33333333333333333333333333",
            "percent",
            False,
        ),
        (Operation.CAGR, [operand("100", period="FY2022"), operand("121")], "10", "percent", False),
        (Operation.MEDIAN, [operand("3"), operand("1"), operand("2")], "2", "USD", True),
        (Operation.MEDIAN, [operand("1"), operand("2")], "1.5", "USD", True),
        (Operation.MEAN, [operand("1"), operand("2")], "1.5", "USD", True),
        (Operation.MIN, [operand("3"), operand("-1")], "-1", "USD", True),
        (Operation.MAX, [operand("3"), operand("-1")], "3", "USD", True),
    ],
)
def test_an_operation_gives_its_value(
    operation: Operation, operands: list[Operand], value: str, unit: str, exact: bool
) -> None:
    """Value, unit, and whether the decimal is exact."""
    result = compute(operation, operands)
    assert (result.value, str(result.unit), result.exact) == (Decimal(value), unit, exact)


@pytest.mark.parametrize(
    ("operation", "operands", "name"),
    [
        (Operation.SUM, [operand("1"), operand("1", "EUR")], "units_disagree"),
        (Operation.SUM, [operand("1", "percent"), operand("1", "percent")], "units_disagree"),
        (
            Operation.DIFFERENCE,
            [operand("1", "percent"), operand("1", "percentage_points")],
            "units_disagree",
        ),
        (Operation.DIFFERENCE, [operand("25", "basis_points"), operand("1", "percent")], "units_disagree"),
        (Operation.SUM, [operand("1", "$"), operand("1", "USD")], "units_disagree"),
        (Operation.RATIO, [operand("1"), operand("1", "EUR")], "units_disagree"),
        (Operation.SHARE, [operand("1"), operand("2", "EUR")], "units_disagree"),
        (Operation.SHARE, [operand("1", "percent"), operand("2", "percent")], "units_disagree"),
        (Operation.SHARE, [operand("1"), operand("2", period="Q3 FY24")], "periods_disagree"),
        (Operation.SHARE, [operand("3"), operand("2")], "no_real_result"),
        (Operation.SHARE, [operand("-1"), operand("2")], "no_real_result"),
        (Operation.SHARE, [operand("1"), operand("0")], "no_real_result"),
        (Operation.GROWTH, [operand("1", "percent", "FY2023"), operand("2", "percent")], "units_disagree"),
        (Operation.SUM, [operand("1"), operand("1", period="Q3 FY24")], "periods_disagree"),
        (Operation.MEDIAN, [operand("1"), operand("1", period="as of June 30, 2024")], "periods_disagree"),
        (Operation.SUM, [operand("1"), operand("1", period=None)], "periods_disagree"),
        (Operation.GROWTH, [operand("1"), operand("2")], "periods_disagree"),
        (Operation.GROWTH, [operand("1", period=None), operand("2", period=None)], "period_missing"),
        (Operation.CAGR, [operand("1"), operand("2", period="FY2022")], "periods_disagree"),
        (Operation.CAGR, [operand("1", period="2022"), operand("2")], "periods_disagree"),
        (Operation.RATIO, [operand("1"), operand("0")], "division_by_zero"),
        (Operation.GROWTH, [operand("0", period="FY2023"), operand("2")], "division_by_zero"),
        (Operation.GROWTH, [operand("-1", period="FY2023"), operand("2")], "no_real_result"),
        (Operation.CAGR, [operand("-1", period="FY2022"), operand("2")], "no_real_result"),
        (Operation.SUM, [operand("NaN"), operand("1")], "no_real_result"),
        (Operation.SUM, [operand("1E+999999"), operand("1")], "no_real_result"),
        (Operation.SUM, [operand("1")], "wrong_number_of_operands"),
        (Operation.RATIO, [operand("1")] * 3, "wrong_number_of_operands"),
        (Operation.MEAN, [], "wrong_number_of_operands"),
        (Operation.SUM, [operand("1")] * 65, "wrong_number_of_operands"),
    ],
)
def test_an_operation_that_does_not_fit_is_refused_by_name(
    operation: Operation, operands: list[Operand], name: str
) -> None:
    """Units and periods must agree, and the result must exist."""
    with pytest.raises(OperationRefused) as refusal:
        compute(operation, operands)
    assert refusal.value.name == name
