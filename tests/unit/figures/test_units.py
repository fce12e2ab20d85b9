"""Units: names, classes, and pairs that do not exist."""

import pytest
from doublethink_figures import Measure, Unit, UnitClass
from doublethink_figures.errors import UnitError
from doublethink_figures.units import CURRENCIES


@pytest.mark.parametrize(
    ("name", "unit_class"),
    [
        ("USD", UnitClass.CURRENCY),
        ("$", UnitClass.CURRENCY),
        ("USD_per_share", UnitClass.CURRENCY_PER),
        ("EUR_per_tonne", UnitClass.CURRENCY_PER),
        ("percent", UnitClass.PERCENT),
        ("percentage_points", UnitClass.PERCENTAGE_POINTS),
        ("basis_points", UnitClass.BASIS_POINTS),
        ("multiple", UnitClass.MULTIPLE),
        ("count", UnitClass.COUNT),
    ],
)
def test_a_unit_name_reads_back_as_itself(name: str, unit_class: UnitClass) -> None:
    """Every kind of unit name is parsed, has its class, and prints as it was written."""
    unit = Unit.parse(name)
    assert str(unit) == name
    assert unit.unit_class is unit_class


@pytest.mark.parametrize(
    "name", ["", "usd", "dollars", "percent_per_share", "USD_per_EUR", "share", "USD_per_"]
)
def test_a_name_that_is_no_unit_is_refused(name: str) -> None:
    """Unknown names, per nouns alone and impossible pairs raise."""
    with pytest.raises(UnitError):
        Unit.parse(name)


def test_an_unknown_dollar_is_no_us_dollar() -> None:
    """A bare dollar sign equals no currency."""
    assert Unit(Measure.UNKNOWN_DOLLAR) != Unit(Measure.USD)
    assert Measure.UNKNOWN_DOLLAR in CURRENCIES
