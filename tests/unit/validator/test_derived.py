"""Derived figures: computed in code from facts, said as precisely as they are known."""

from decimal import Decimal

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import record_pb2
from doublethink.validator.v1 import composition_pb2
from doublethink_validator.composition import derived_of
from doublethink_validator.wire import decimal_in


def _fact(mantissa: int, exponent: int) -> record_pb2.Fact:
    period = figures.Period(kind=figures.PERIOD_KIND_FISCAL, year=2024, part=figures.PERIOD_PART_YEAR)
    return record_pb2.Fact(
        value=figures.Decimal(mantissa=mantissa, exponent=exponent),
        unit=figures.Unit(measure=figures.MEASURE_EUR),
        period=period,
    )


def test_a_share_is_said_to_the_tenth_of_a_percent() -> None:
    """As filings print it; the formula beside it holds the operands."""
    ids = ["fct_" + letter * 26 for letter in "ab"]
    facts = dict(zip(ids, (_fact(3427, 5), _fact(24009, 5)), strict=True))
    operation = composition_pb2.ComposeOperation(kind=figures.OPERATION_KIND_SHARE, fact_ids=ids)
    derived = derived_of(operation, facts)
    assert decimal_in(derived.value) == Decimal("14.3")
    assert derived.unit.measure == figures.MEASURE_PERCENT
    assert derived.formula == "342,700,000 / 2,400,900,000 × 100 ≈ 14.3 (percent)"


def test_a_ratio_keeps_what_the_contract_holds() -> None:
    """Twelve significant digits in the field, a readable number in the formula."""
    ids = ["fct_" + letter * 26 for letter in "ab"]
    facts = dict(zip(ids, (_fact(1, 6), _fact(3, 6)), strict=True))
    operation = composition_pb2.ComposeOperation(kind=figures.OPERATION_KIND_RATIO, fact_ids=ids)
    assert decimal_in(derived_of(operation, facts).value) == Decimal("0.333333333333")
