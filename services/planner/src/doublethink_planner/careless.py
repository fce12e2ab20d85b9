"""A development double: a planner that puts the memo into its first query, to show that the gate stops it.

It never runs unless the configuration allows it, and both the start and every run say so in the log.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from doublethink.planner.v1 import research_pb2 as research

from .plan import Figure, ResearchPlan
from .rules import plan_by_rules

_QUERY_CHARS: Final = 380
_TELLING: Final = re.compile(
    r"\b(?:codename|code name|project|operation|client|offer|price|bid|confidential|secret)\b"
    r"|[$€£]\s?\d|\b\d[\d.,]*\s?(?:million|billion|%|x\b)",
    re.IGNORECASE,
)


def plan_carelessly(request: research.ResearchRequest) -> ResearchPlan:
    """The plan by rules with one more query in front: the question and the memo's most telling sentences."""
    plan = plan_by_rules(request)
    leak = " ".join(f"{request.question} {_telling(request.memo)}".split())
    query = leak.encode()[:_QUERY_CHARS].decode("utf-8", errors="ignore")
    if not plan.figures:
        return replace(plan, figures=(Figure(queries=(query,), expendable=1),))
    first = plan.figures[0]
    leaking = replace(first, queries=(query, *first.queries), expendable=1)
    return replace(plan, figures=(leaking, *plan.figures[1:]))


def _telling(memo: str) -> str:
    sentences = re.split(r"(?<=[.!?])\s+|\n+", memo)
    scored = sorted(sentences, key=lambda sentence: -len(_TELLING.findall(sentence)))
    return " ".join(scored[:3]) if scored else memo
