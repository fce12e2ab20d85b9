"""Rule 8: a mark directly behind a number is a mark."""

from __future__ import annotations

import pytest
from doublethink_figures import Context
from sim.rules import kept, read

CELL = Context(table_cell=True)


@pytest.mark.parametrize("mark", ["(2)", "¹", "²", "[3]", "(a)", "*", "†", " (2)", "(1)(2)"])
def test_a_mark_is_no_digit_and_no_figure(mark: str) -> None:
    """In a cell and in a sentence, the number is what stands before it."""
    assert read(f"1,234.5{mark}", CELL) == ["1234.5 -"]
    assert read(f"$1,234.5{mark} was paid") == ["1234.5 $"]


@pytest.mark.parametrize("mark", ["(2)", "¹", "[3]", "(a)", "*"])
def test_a_figure_with_a_mark_is_proven_without_it(mark: str) -> None:
    """And never as if the mark were one of its digits, or its power."""
    sentence = f"Halvorsen Pumps revenue was $42.9{mark} million in fiscal 2024."
    assert not kept(sentence, "42.92")
    assert not kept(sentence, "42.91")
    table = (
        f"(in millions of US dollars)\n\nYear ended\tfiscal 2024\tfiscal 2023\nRevenue\t42.9{mark}\t40.1\n"
    )
    assert kept("", "42.9", unit="USD", quote=f"Revenue\t42.9{mark}\t40.1", page=table)
    assert not kept("", "42.92", unit="USD", quote=f"Revenue\t42.9{mark}\t40.1", page=table)
