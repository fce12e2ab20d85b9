"""What a back end decides before anything is searched: the figures with their queries, and the operation over
them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from doublethink.figures.v1 import figures_pb2
from doublethink.planner.v1 import research_pb2 as research


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure to look up. `queries` are tried in order, a later one only after nothing was found.

    `expendable` queries may be refused by the gate without ending the run.
    """

    queries: tuple[str, ...] = field(repr=False)
    unit_class: figures_pb2.UnitClass = figures_pb2.UNIT_CLASS_UNSPECIFIED
    period: figures_pb2.Period | None = None
    expendable: int = 0


@dataclass(frozen=True, slots=True)
class ResearchPlan:
    """`given_up` is the status of a plan that looks nothing up; else all figures are needed for an answer."""

    figures: tuple[Figure, ...] = ()
    operation: figures_pb2.OperationKind = figures_pb2.OPERATION_KIND_UNSPECIFIED
    years: int = 0
    given_up: research.PlanStatus = research.PLAN_STATUS_UNSPECIFIED

    def check(self) -> int:
        """24 bits that another plan does not have, but for one in 16 million: they tell a run that is taken up again
        with a model that the model has planned otherwise.
        """
        parts = [f"{self.operation} {self.years} {self.given_up}".encode()]
        for figure in self.figures:
            period = b"" if figure.period is None else figure.period.SerializeToString(deterministic=True)
            parts += [
                f"{figure.unit_class} {figure.expendable} {len(figure.queries)}".encode(),
                period,
                *(query.encode() for query in figure.queries),
            ]
        digest = hashlib.sha256()
        for part in parts:
            digest.update(len(part).to_bytes(4, "big") + part)
        return int.from_bytes(digest.digest()[:3], "big")
