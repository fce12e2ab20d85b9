"""What a question was understood to ask for."""

from __future__ import annotations

from dataclasses import dataclass, field

from doublethink.figures.v1 import figures_pb2 as figures


@dataclass(frozen=True, slots=True)
class Sought:
    """One figure to look up. `queries` are tried in order; the second only where the first found nothing.

    The texts stay out of `repr`: they are the question's own words.
    """

    company: str = field(repr=False)
    metric: str = field(repr=False)
    period_words: str = field(repr=False)
    period: figures.Period | None
    unit_class: figures.UnitClass
    queries: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Understood:
    """The figures, in the order that the operation reads them; no operation where they are the answer
    themselves.

    `years` is the span of a CAGR and 0 elsewhere.
    """

    sought: tuple[Sought, ...]
    operation: figures.OperationKind = figures.OPERATION_KIND_UNSPECIFIED
    years: int = 0
