"""Rule 6: percent, points and basis points are three classes; 25 basis points are 0.25 points; "10x" is one more."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import Measure, Unit, UnitClass
from sim.rules import kept, read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.25%", "0.25 percent"),
        ("0.25 percentage points", "0.25 percentage_points"),
        ("0.25 pp", "0.25 percentage_points"),
        ("25 bps", "25 basis_points"),
        ("25 basis points", "25 basis_points"),
        ("10x", "10 multiple"),
    ],
)
def test_each_is_its_own(text: str, said: str) -> None:
    """Read as it is written."""
    assert read(text) == [said]


def test_the_classes_are_three() -> None:
    """And a multiple is none of them."""
    classes = {
        Unit(measure).unit_class
        for measure in (Measure.PERCENT, Measure.PERCENTAGE_POINTS, Measure.BASIS_POINTS, Measure.MULTIPLE)
    }
    assert len(classes) == 4
    assert UnitClass.PERCENT in classes


@pytest.mark.parametrize(
    ("written", "value", "unit", "proven"),
    [
        ("2.5%", "2.5", "percent", True),
        ("2.5%", "2.5", "percentage_points", False),
        ("2.5%", "250", "basis_points", False),
        ("2.5%", "0.025", "multiple", False),
        ("2.5x", "2.5", "multiple", True),
        ("2.5x", "2.5", "percent", False),
    ],
)
def test_percent_proves_percent_alone(written: str, value: str, unit: str, proven: bool) -> None:
    """No other class, whatever it would come to."""
    sentence = f"Halvorsen Pumps operating margin was {written} in fiscal 2024."
    assert kept(sentence, value, unit=unit, scale=None) is proven


def test_basis_points_are_hundredths_of_a_point() -> None:
    """Where they are compared at all, by that factor and no other."""
    assert Decimal(25) / 100 == Decimal("0.25")
    sentence = "Halvorsen Pumps operating margin was 25 basis points in fiscal 2024."
    assert kept(sentence, "25", unit="basis_points", scale=None)
    assert not kept(sentence, "0.25", unit="percent", scale=None)
    assert not kept(sentence, "25", unit="percentage_points", scale=None)
