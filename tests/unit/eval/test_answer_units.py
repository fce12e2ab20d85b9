"""Which unit of an answer fits which unit of a key."""

import pytest

from eval.answers.units import compatible


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("USD", "USD"),
        ("usd", "USD"),
        ("%", "percent"),
        ("USD/share", "USD_per_share"),
        ("USD per share", "USD_per_share"),
        ("$", "$"),
        ("$", "USD"),
        ("$_per_share", "USD_per_share"),
        ("shares", "count"),
        ("x", "multiple"),
        ("ratio", "multiple"),
    ],
)
def test_the_same_unit_in_other_words_fits(wanted: str, given: str) -> None:
    """Spelling does not matter, and a key that does not know its dollar takes the American one."""
    assert compatible(wanted, given)


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("USD", "$"),
        ("USD_per_share", "$_per_share"),
        ("$", "CAD"),
        ("$", "EUR"),
        ("USD", "USD_per_share"),
        ("USD_per_share", "USD"),
        ("percent", "percentage_points"),
        ("percent", "multiple"),
        ("percentage_points", "basis_points"),
        ("count", "multiple"),
        ("EUR", ""),
    ],
)
def test_another_unit_does_not_fit(wanted: str, given: str) -> None:
    """A dollar that is not said is no USD; per share, percent and points are classes of their own."""
    assert not compatible(wanted, given)
