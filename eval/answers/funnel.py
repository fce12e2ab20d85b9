"""Where answers are lost: each question taken through planner, search, reader and validator in one process.

Nothing is sent and no service is started; the gate's checks are left out. The steps are the product's own functions.
What a question ends with is the first step that its key's figure does not get through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path

import yaml
from doublethink.figures.v1 import figures_pb2
from doublethink.planner.v1 import research_pb2
from doublethink_corpus.index import Index
from doublethink_corpus.pages import SavedPage, read_folder
from doublethink_figures import Period
from doublethink_figures.errors import OperationRefused
from doublethink_figures.operations import Operand, compute
from doublethink_gate.pages import extract_page
from doublethink_planner.plan import Figure, ResearchPlan
from doublethink_planner.question import MemoWords, NotUnderstood, Unaskable, understand
from doublethink_planner.rules import plan_by_rules
from doublethink_reader.claims import MAX_CLAIMS, MAX_CLAIMS_PER_PAGE, to_message
from doublethink_reader.extractive import extract
from doublethink_reader.query import understand as understand_for_reader
from doublethink_validator.errors import NotProven
from doublethink_validator.examination import Examination, Material, Verdict, examine
from doublethink_validator.proof import Claim, number_of, prove, scale_of
from doublethink_validator.reader import to_claim
from doublethink_validator.survey import Examined
from doublethink_validator.wire import operation_in, period_in, unit_class_in

from eval.answers.keys import Key

PAGES_PER_QUERY = 4
_MAX_RESULTS = 20
_SHOWN = 6


class Stage(StrEnum):
    """What a question ended with."""

    RIGHT = "right"
    WRONG = "wrong"
    RIGHTLY_NOT_FOUND = "rightly not found"
    NOT_PLANNED = "question not understood"
    NOT_SEARCHED = "page not among the results"
    NOT_CLAIMED = "figure not claimed by the reader"
    NOT_PROVEN = "claim not proven"
    NOT_FITTING = "claim proven, fits not the query"
    RIVAL = "claim fits, others fit too"
    OPERAND = "an operand not found"
    REFUSED = "operation refused"


@dataclass(frozen=True, slots=True)
class Looked:
    """One query of a figure: the pages that it found, the claims that have the key's number, and the verdict."""

    query: str
    pages: tuple[str, ...]
    claims: int
    of_value: tuple[str, ...]
    examination: Examination


@dataclass(frozen=True, slots=True)
class Traced:
    """One question's way."""

    key: Key
    stage: Stage
    looked: tuple[Looked, ...] = ()
    given: str = ""

    def lines(self) -> Iterator[str]:
        """The way in words, for a person who looks for what was lost."""
        yield f"{self.key.id:<6} {self.stage:<34} {self.key.question}"
        if self.given:
            yield f"         gave {self.given}"
        for looked in self.looked:
            reasons = ", ".join(f"{r.value} {n}" for r, n in looked.examination.reasons.items())
            yield f"         query {looked.query!r}: {looked.examination.verdict.value} ({reasons})"
            yield f"           pages {', '.join(looked.pages)}; {looked.claims} claims"
            yield from (f"           {line}" for line in looked.of_value[:_SHOWN])


@dataclass
class Funnel:
    """The pages, and what is worked out of them once.

    `case`: the case file that all questions are asked in. `titled`: whether a search result's title may name
    the company of a page that names nobody.
    """

    pages: Path
    case: Path
    titled: bool = False
    _examined: dict[str, Examined] = field(default_factory=dict)

    def trace(self, key: Key) -> Traced:
        """The way of one question."""
        request = research_pb2.ResearchRequest(
            question=key.question, memo=self._case["memo"], public_terms=self._case.get("public_terms") or ()
        )
        plan = plan_by_rules(request)
        if not plan.figures:
            missing = key.expected == "not_found"
            stage = Stage.RIGHTLY_NOT_FOUND if missing else Stage.NOT_PLANNED
            return Traced(key, stage, given=_why_not(request))
        looked: list[Looked] = []
        found: list[Looked] = []
        for figure in plan.figures:
            for one in self._look_up(key, figure):
                looked.append(one)
                if one.examination.verdict is Verdict.FOUND:
                    found.append(one)
                    break
        return self._ended(key, plan, looked, found)

    def _look_up(self, key: Key, figure: Figure) -> Iterator[Looked]:
        period = period_in(figure.period) if figure.period is not None else None
        for query in figure.queries:
            hits = self._index.search(query, _MAX_RESULTS)[:PAGES_PER_QUERY]
            titles = {h.page.slug: self._title(h.page) for h in hits}
            yield self._look(key, query, figure.unit_class, period, titles)

    def _look(
        self,
        key: Key,
        query: str,
        unit_class: figures_pb2.UnitClass,
        period: Period | None,
        titles: Mapping[str, str],
    ) -> Looked:
        wanted = unit_class_in(unit_class)
        asked = understand_for_reader(query, wanted, period)
        most = min(MAX_CLAIMS_PER_PAGE, MAX_CLAIMS // max(1, len(titles)))
        materials: list[Material] = []
        of_value: list[str] = []
        for slug, title in titles.items():
            text, cut = self.text(slug)
            read = (to_message(claim) for claim in extract(slug, text, asked, most))
            claims = [to_claim(message.claim) for message in read if message is not None]
            materials.append(Material(slug, text, cut, claims, title))
            if slug in key.pages and key.value is not None:
                of_value += [self._judged(slug, text, title, c) for c in claims if _is_of(c, key.value)]
        examination = examine(query, period, wanted, materials, take=self.examined)
        return Looked(
            query, tuple(titles), sum(len(m.claims) for m in materials), tuple(of_value), examination
        )

    def _title(self, page: SavedPage) -> str:
        return (page.title or page.description or page.slug) if self.titled else ""

    def _judged(self, slug: str, text: str, title: str, claim: Claim) -> str:
        """What becomes of a claim with the key's number: "proven", or why it is not."""
        said = f"{claim.value} {claim.scale or ''} {claim.unit}, {claim.period!r} in {claim.quote[:90]!r}"
        try:
            reading = prove(self.examined(slug, text, title), claim)
        except NotProven as error:
            return f"{error.reason.value}: {said}"
        return f"proven: {reading.period} {said}"

    def _ended(
        self, key: Key, plan: ResearchPlan, looked: Sequence[Looked], found: Sequence[Looked]
    ) -> Traced:
        way = tuple(looked)
        if len(found) == len(plan.figures):
            return self._answered(key, plan, way, found)
        if key.expected == "not_found":
            return Traced(key, Stage.RIGHTLY_NOT_FOUND, way)
        if plan.operation:
            return Traced(key, Stage.OPERAND, way)
        if not any(set(key.pages) & set(one.pages) for one in looked):
            return Traced(key, Stage.NOT_SEARCHED, way)
        judged = [line for one in looked for line in one.of_value]
        if not judged:
            return Traced(key, Stage.NOT_CLAIMED, way)
        if not any(line.startswith("proven") for line in judged):
            return Traced(key, Stage.NOT_PROVEN, way)
        rivals = any("rival_fits" in {r.value for r in one.examination.reasons} for one in looked)
        return Traced(key, Stage.RIVAL if rivals else Stage.NOT_FITTING, way)

    def _answered(
        self, key: Key, plan: ResearchPlan, way: tuple[Looked, ...], found: Sequence[Looked]
    ) -> Traced:
        readings = [one.examination.proven[0].reading for one in found]
        value, unit = readings[-1].value, str(readings[-1].unit)
        if plan.operation:
            try:
                result = compute(
                    operation_in(plan.operation), [Operand(r.value, r.unit, r.period) for r in readings]
                )
            except OperationRefused:
                return Traced(key, Stage.REFUSED, way)
            value, unit = result.value, str(result.unit)
        right = key.value is not None and abs(value - key.value) <= max(
            key.tolerance, Decimal("0.05") if plan.operation and unit == "percent" else Decimal(0)
        )
        return Traced(key, Stage.RIGHT if right else Stage.WRONG, way, f"{value:f} {unit}")

    def examined(self, page_id: str, text: str, title: str) -> Examined:
        """A page with what is worked out of it, kept for the next question."""
        if page_id not in self._examined:
            self._examined[page_id] = Examined(page_id, text, title)
        return self._examined[page_id]

    @cache  # noqa: B019 - as many as there are pages, and it ends with the program
    def text(self, slug: str) -> tuple[str, bool]:
        """A page's stored text, and whether it was cut."""
        page = extract_page((self.pages / f"{slug}.html").read_bytes(), "text/html")
        return page.text, page.cut

    @cached_property
    def _index(self) -> Index:
        return Index(read_folder(self.pages).pages)

    @cached_property
    def _case(self) -> dict[str, str]:
        loaded: dict[str, str] = yaml.safe_load(self.case.read_text(encoding="utf-8"))
        return loaded

    __hash__ = object.__hash__


def _why_not(request: research_pb2.ResearchRequest) -> str:
    """Why the planner asks nothing, in its own fixed words."""
    try:
        understand(request.question, MemoWords(request.memo, request.public_terms))
    except (NotUnderstood, Unaskable) as error:
        return str(error)
    return ""


def _is_of(claim: Claim, value: Decimal) -> bool:
    """Whether a claim's number is the key's, its sign aside."""
    try:
        return abs(number_of(claim.value) * (scale_of(claim.scale) or 1)) == abs(value)
    except NotProven:
        return False


def table(traced: Sequence[Traced]) -> Iterator[str]:
    """How many questions ended with what, and why claims of the key's number were not proven."""
    counted = Counter(one.stage for one in traced)
    yield from (f"{counted[stage]:5} {stage}" for stage in Stage if counted[stage])
    unplanned = Counter(one.given for one in traced if one.stage is Stage.NOT_PLANNED)
    if unplanned:
        yield "not understood: " + ", ".join(f"{why} {n}" for why, n in unplanned.most_common())
    lost = Counter(
        line.partition(":")[0]
        for one in traced
        if one.stage is Stage.NOT_PROVEN
        for looked in one.looked
        for line in looked.of_value
    )
    if lost:
        yield "claims of those not proven: " + ", ".join(f"{why} {n}" for why, n in lost.most_common())
