"""Composes an answer from recorded facts: every quote cut from its page again, every calculation done in
code.

Nothing here trusts the record: the page's hash, each span, and the figure's digits in its quote are checked
before a number is written.
"""

import hashlib
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from doublethink.gate.v1 import page_pb2, record_pb2
from doublethink.validator.v1 import composition_pb2
from doublethink_figures import Bound, find_figures
from doublethink_figures.errors import NoRealResult, OperationRefused, PeriodsDisagree
from doublethink_figures.operations import DIGITS, Operand, Operation, compute

from . import prose
from .errors import NotProven, RecordContradicted
from .reading import MAX_DIGITS, significant_digits
from .wire import decimal_in, decimal_out, operation_in, period_in, unit_in, unit_out

MAX_QUOTE_BYTES: Final = 8_000
MAX_TEXT_BYTES: Final = 32_768
MAX_RIVALS: Final = 24
_Place = tuple[str, bytes, int, int, str, str]
_MAX_TITLE_BYTES: Final = 1_000
_MAX_PERIOD_BYTES: Final = 400
_MAX_FORMULA_BYTES: Final = 2_000
_MAX_SHOWN_BYTES: Final = 200


def compose(
    request: composition_pb2.ComposeRequest,
    facts: Mapping[str, record_pb2.Fact],
    pages: Mapping[str, page_pb2.Page],
) -> composition_pb2.ComposeResponse:
    """The answer, with the rivals among the facts beside it. Raises `RecordContradicted` where a page denies a fact,
    `OperationRefused` where operands disagree.
    """
    for page_id, page in pages.items():
        if page.page_id != page_id or hashlib.sha256(page.text.encode()).digest() != page.text_sha256:
            raise RecordContradicted("a page is not the one that was recorded")
    response = composition_pb2.ComposeResponse()
    checked = {fact_id: figure_of(fact_id, fact, pages[fact.page_id]) for fact_id, fact in facts.items()}
    for fact_id in dict.fromkeys([*request.fact_ids, *(i for o in request.operations for i in o.fact_ids)]):
        response.figures.append(checked[fact_id])
    for operation in request.operations:
        response.derived.append(derived_of(operation, facts))
    response.rivals.extend(rivals_of(facts, checked))
    response.text = prose.answer(response, MAX_TEXT_BYTES)
    if len(response.text.encode()) > MAX_TEXT_BYTES:
        raise RecordContradicted("the answer is longer than the contract holds")
    return response


def rivals_of(
    facts: Mapping[str, record_pb2.Fact], figures: Mapping[str, composition_pb2.AnswerFigure]
) -> list[composition_pb2.Rival]:
    """Those that stand against each other, by query, each place of a page once.

    A query that was examined twice, or asked in other words, brings the same again: that is one group.
    """
    groups: dict[str, dict[_Place, composition_pb2.AnswerFigure]] = {}
    for fact_id, fact in facts.items():
        if fact.rival:
            figure = figures[fact_id]
            group = groups.setdefault(fact.query_id, {})
            group.setdefault(_place_of(figure), figure)
    told: list[dict[_Place, composition_pb2.AnswerFigure]] = []
    for group in groups.values():
        if not any(set(group) <= set(other) for other in told):
            told.append(group)
    rivals = [
        composition_pb2.Rival(group=number, figure=figure)
        for number, group in enumerate(told, start=1)
        for figure in group.values()
    ]
    return rivals[:MAX_RIVALS]


def _place_of(figure: composition_pb2.AnswerFigure) -> "_Place":
    quote = figure.quotes[0]
    return (
        figure.url,
        figure.page_sha256,
        quote.start,
        quote.end,
        str(decimal_in(figure.value)),
        figure.period,
    )


def figure_of(fact_id: str, fact: record_pb2.Fact, page: page_pb2.Page) -> composition_pb2.AnswerFigure:
    """A figure with its quotes, cut from the page by offset. Raises `RecordContradicted`."""
    octets = page.text.encode()
    quotes = [_quote(span, octets) for span in fact.spans]
    if not quotes or quotes[0].role != record_pb2.SPAN_ROLE_FIGURE:
        raise RecordContradicted("a fact has no figure's span")
    if not _stands_in(decimal_in(fact.value), quotes[0].text):
        raise RecordContradicted("a fact's digits are not in its quote")
    figure = composition_pb2.AnswerFigure(
        fact_id=fact_id,
        value=fact.value,
        unit=fact.unit,
        period=_period_label(quotes),
        quotes=quotes,
        url=page.url,
        page_sha256=page.text_sha256,
        raw_sha256=page.raw_sha256,
        fetched_at_us=page.fetched_at_us,
        page_title=prose.shortened(page.text.split("\n", 1)[0].strip(), _MAX_TITLE_BYTES),
        flags=fact.flags,
        label=fact.label,
        direction=fact.direction,
        shown=prose.shortened(prose.amount(decimal_in(fact.value), unit_in(fact.unit)), _MAX_SHOWN_BYTES),
    )
    return figure


def _quote(span: record_pb2.Span, octets: bytes) -> composition_pb2.Quote:
    if not 0 <= span.start < span.end <= len(octets) or span.end - span.start > MAX_QUOTE_BYTES:
        raise RecordContradicted("a span does not lie in its page")
    try:
        text = octets[span.start : span.end].decode("utf-8")
    except UnicodeDecodeError:
        raise RecordContradicted("a span cuts a character") from None
    return composition_pb2.Quote(role=span.role, text=text, start=span.start, end=span.end)


def _stands_in(value: Decimal, quote: str) -> bool:
    """Whether the significant digits of a value are those of a number in the quote."""
    wanted = _digits(value)
    numbers = re.findall(r"[0-9][0-9,.' \u00a0]*[0-9]|[0-9]", quote)
    return any(_digits_of(number) == wanted for number in numbers) or _in_words(value, quote)


def _digits(value: Decimal) -> str:
    return "".join(map(str, value.as_tuple().digits)).strip("0")


def _digits_of(number: str) -> str:
    return re.sub(r"[^0-9]", "", number).strip("0")


def _in_words(value: Decimal, quote: str) -> bool:
    """Whether a quote without digits says the value in words: "twelve stores"."""
    if re.search(r"[0-9]", quote):
        return False
    return any(
        not f.ambiguous and f.bound in (Bound.EXACT, Bound.ABOUT) and abs(f.value) == abs(value)
        for f in find_figures(quote)
    )


def _period_label(quotes: list[composition_pb2.Quote]) -> str:
    """The period's label as the page has it: for a table the heading and the date under it, put together."""
    for quote in quotes:
        if quote.role == record_pb2.SPAN_ROLE_PERIOD:
            pieces = [p for p in re.split(r"[\t\n]", quote.text) if p.strip("\u2007 ")]
            label = " ".join(dict.fromkeys([pieces[0].strip(), pieces[-1].strip()])) if pieces else ""
            return prose.shortened(label, _MAX_PERIOD_BYTES)
    return ""


def derived_of(
    operation: composition_pb2.ComposeOperation, facts: Mapping[str, record_pb2.Fact]
) -> composition_pb2.DerivedFigure:
    """The result of one operation. Raises `OperationRefused`."""
    try:
        kind = operation_in(operation.kind)
        operands = [
            Operand(
                decimal_in(facts[i].value),
                unit_in(facts[i].unit),
                period_in(facts[i].period) if facts[i].HasField("period") else None,
            )
            for i in operation.fact_ids
        ]
    except ValueError:
        raise NoRealResult("an operation or operand that does not exist") from None
    if any(facts[i].flags != facts[operation.fact_ids[0]].flags for i in operation.fact_ids):
        raise PeriodsDisagree("reported and other figures are not calculated with each other")
    result = compute(kind, operands)
    if kind is Operation.CAGR and operation.years and _years_apart(operands) not in (None, operation.years):
        raise PeriodsDisagree("the operands are not so many years apart")
    # A share is said to the tenth of a percent, as filings print it: its operands are rounded themselves, and
    # the formula beside it gives them.
    value = result.value.quantize(_TENTH) if kind is Operation.SHARE else _rounded(result.value)
    try:
        derived = composition_pb2.DerivedFigure(
            kind=operation.kind,
            operand_fact_ids=operation.fact_ids,
            value=decimal_out(value),
            unit=unit_out(result.unit),
            shown=prose.shortened(prose.result(value, result.unit), _MAX_SHOWN_BYTES),
        )
    except NotProven:
        raise NoRealResult("the result does not fit the contract") from None
    exact = result.exact and value == result.value
    derived.formula = prose.shortened(
        prose.formula(kind, operands, value, result.unit, exact=exact), _MAX_FORMULA_BYTES
    )
    return derived


_TENTH: Final = Decimal("0.1")


def _years_apart(operands: list[Operand]) -> int | None:
    years = [p.year or (p.end.year if p.end else None) for o in operands if (p := o.period) is not None]
    first, last = years[0], years[-1]
    return last - first if first is not None and last is not None else None


def _rounded(value: Decimal) -> Decimal:
    """At most twelve significant digits, which is what the contract holds."""
    if significant_digits(value) <= MAX_DIGITS:
        return value
    return value.quantize(Decimal(1).scaleb(value.adjusted() - MAX_DIGITS + 1))


__all__ = ["DIGITS", "OperationRefused", "compose", "derived_of", "figure_of"]
