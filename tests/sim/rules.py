"""How the tests of the figure rules read a text, and have a claim about it proven."""

from __future__ import annotations

from decimal import Decimal

from doublethink_figures import Bound, Context, Direction, Figure, Flag, Measure, find_figures
from doublethink_validator.errors import NotProven
from doublethink_validator.proof import Claim, prove
from doublethink_validator.survey import Examined

NONE: frozenset[Flag] = frozenset()
TITLE = "Halvorsen Pumps, Inc."
DOLLARS = Context(dollar=Measure.USD)


def said(figure: Figure) -> str:
    """A figure in one word: "4200000000 USD", "3..4 percent", ">=5 count", "1234|1.234 -"."""
    unit = "-" if figure.unit is None else str(figure.unit)
    if figure.ambiguous:
        return f"{'|'.join(plain(value) for value in sorted(figure.ambiguous))} {unit}"
    if figure.bound is Bound.RANGE:
        return f"{plain(figure.low)}..{plain(figure.high)} {unit}"
    sign = {Bound.AT_LEAST: ">=", Bound.AT_MOST: "<=", Bound.ABOUT: "~"}.get(figure.bound, "")
    return f"{sign}{plain(figure.low)} {unit}"


def plain(value: Decimal) -> str:
    """A number in plain digits, without zeros that say nothing."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def read(text: str, context: Context | None = None) -> list[str]:
    """The figures of a text, each in one word."""
    return [said(figure) for figure in find_figures(text, context=context)]


def kept(
    sentence: str,
    value: str,
    *,
    unit: str = "$",
    scale: str | None = "million",
    period: str = "fiscal 2024",
    direction: Direction = Direction.NONE,
    flags: frozenset[Flag] = NONE,
    quote: str | None = None,
    page: str = "",
) -> bool:
    """Whether a claim about a sentence is proven. The sentence is the quote, and all of the page but for `page`."""
    text = f"{TITLE}\n\n{page}{sentence}\n"
    claim = Claim(
        quote=sentence if quote is None else quote,
        heading_quotes=(),
        quote_offset=-1,
        value=value,
        scale=scale,
        unit=unit,
        period=period,
        direction=direction,
        flags=flags,
    )
    try:
        prove(Examined("pag_" + "a" * 26, text), claim)
    except NotProven:
        return False
    return True
