"""Rule 3: words and letters of scale, their traps, and the scale that stands in a heading."""

from __future__ import annotations

import pytest
from doublethink_figures import heading_scale
from sim.rules import TITLE, kept, read

MILLION, BILLION, TRILLION = 10**6, 10**9, 10**12


@pytest.mark.parametrize(
    ("word", "factor"),
    [
        ("k", 1000),
        ("K", 1000),
        ("m", MILLION),
        ("mn", MILLION),
        ("mm", MILLION),
        ("MM", MILLION),
        (" mln", MILLION),
        (" mio", MILLION),
        (" million", MILLION),
        ("bn", BILLION),
        ("b", BILLION),
        ("B", BILLION),
        (" billion", BILLION),
        ("tn", TRILLION),
        ("trn", TRILLION),
        (" trillion", TRILLION),
        (" thousand million", BILLION),
    ],
)
def test_scales_behind_a_currency(word: str, factor: int) -> None:
    """Glued or apart."""
    assert read(f"$7{word}") == [f"{7 * factor} $"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5 Mrd. €", "5000000000 EUR"),
        ("5 Mio. €", "5000000 EUR"),
        ("5 Md €", "5000000000 EUR"),
        ("₹5 lakh", "500000 INR"),
        ("₹5 lac", "500000 INR"),
        ("₹5 crore", "50000000 INR"),
        ("₹5 cr", "50000000 INR"),
        ("5万円", "50000 JPY"),
        ("5億円", "500000000 JPY"),
        ("5兆円", "5000000000000 JPY"),
        ("5 Milliarden Euro", "5000000000 EUR"),
        ("5 Billionen Euro", "5000000000000 EUR"),
    ],
)
def test_scales_of_other_lands(text: str, said: str) -> None:
    """A German Billion is a million millions."""
    assert read(text) == [said]


@pytest.mark.parametrize("text", ["a pipe of 5 m", "it ran for 5 m"])
def test_a_bare_m_may_be_metres_or_minutes(text: str) -> None:
    """Without a currency it stays open."""
    assert read(text) == ["5|5000000 -"]


def test_a_billion_beside_german_words_stays_open() -> None:
    """It may be either."""
    assert read("5 Billion Euro in Deutschland") == ["5000000000|5000000000000 EUR"]


def test_a_heading_gives_the_scale_and_what_it_leaves_out() -> None:
    """Its exceptions are kept."""
    scale = heading_scale("(in millions, except per share data)")
    assert scale is not None
    assert scale.scale == MILLION
    assert "per share" in scale.excepts


def test_a_cell_needs_the_heading_of_its_own_table() -> None:
    """With it the claim is proven, without it, or with another scale, it is not."""
    table = "Year ended\tfiscal 2024\tfiscal 2023\nRevenue\t42.9\t40.1\n"
    row = "Revenue\t42.9\t40.1"
    for heading, scale, proven in (
        ("(in millions of US dollars)", "million", True),
        ("(in millions of US dollars)", "billion", False),
        ("(in thousands of US dollars)", "million", False),
        ("", "million", False),
    ):
        page = f"{heading}\n\n{table}" if heading else table
        assert kept("", "42.9", unit="USD", scale=scale, quote=row, page=page) is proven, (
            heading,
            scale,
            TITLE,
        )
