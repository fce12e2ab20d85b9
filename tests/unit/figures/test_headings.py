"""The scale a heading states."""

from decimal import Decimal

import pytest
from doublethink_figures import heading_scale


@pytest.mark.parametrize(
    ("text", "scale", "unit", "excepts"),
    [
        ("(In millions, except per share data)", 10**6, None, {"per share"}),
        ("in thousands", 10**3, None, set()),
        ("(in millions, except number of shares, which are reflected in thousands, and per-share amounts)",
         10**6, None, {"per share", "shares"}),
        ("Amounts in millions of euros", 10**6, "EUR", set()),
        ("(Dollars in billions)", 10**9, "$", set()),
        ("In millions of U.S. dollars, unless otherwise stated", 10**6, "USD", {"otherwise stated"}),
        ("€ million", 10**6, "EUR", set()),
        ("EUR million", 10**6, "EUR", set()),
        ("(in EUR millions)", 10**6, "EUR", set()),
        ("Mio. EUR", 10**6, "EUR", set()),
        ("($000)", 10**3, "$", set()),
        ("US$ m", 10**6, "USD", set()),
        ("($ in millions)", 10**6, "$", set()),
        ("Statements of Operations - USD ($) $ in Millions", 10**6, "USD", set()),
        ("shares in Thousands, $ in Millions", 10**6, "$", {"shares"}),
        ("(in thousands of shares)", 10**3, "count", set()),
        ("(unaudited, in millions)", 10**6, None, set()),
        ("in millions of yen", 10**6, "JPY", set()),
        ("(₹ in crore)", 10**7, "INR", set()),
    ],
)  # fmt: skip
def test_a_heading_states_its_scale(text: str, scale: int, unit: str | None, excepts: set[str]) -> None:
    """Factor, currency and what is excepted."""
    found = heading_scale(text)
    assert found is not None
    assert found.scale == Decimal(scale)
    assert (str(found.unit) if found.unit else None) == unit
    assert found.excepts == excepts
    assert 0 <= found.span.start < found.span.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "12 Months Ended",
        "Revenue was $5 million",
        "Net sales",
        "(In millions) and (in thousands)",
        "2024",
        "",
    ],
)
def test_no_scale_or_two_is_none(text: str) -> None:
    """A figure's own scale is no heading, and two scales leave none certain."""
    assert heading_scale(text) is None
