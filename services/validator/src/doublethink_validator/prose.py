"""The answer in words and numbers that can be pasted into a document, with each figure's evidence under
it.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from doublethink.figures.v1 import figures_pb2 as pb
from doublethink.gate.v1 import record_pb2
from doublethink.validator.v1 import composition_pb2
from doublethink_figures import Measure, Unit
from doublethink_figures.operations import Operand, Operation

from .wire import decimal_in, operation_in, unit_in

_SIGNS: Final = {Measure.USD: "US$", Measure.UNKNOWN_DOLLAR: "$", Measure.EUR: "€", Measure.GBP: "£"}
_WORDS: Final = {
    Measure.PERCENT: "%",
    Measure.PERCENTAGE_POINTS: " percentage points",
    Measure.BASIS_POINTS: " basis points",
    Measure.MULTIPLE: "x",
    Measure.COUNT: "",
}
_STEPS: Final = ((Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"))
_FLAGS: Final = {
    pb.FLAG_ABOUT: "approximate",
    pb.FLAG_GUIDANCE: "guidance",
    pb.FLAG_NON_GAAP: "non-GAAP",
    pb.FLAG_PRO_FORMA: "pro forma",
    pb.FLAG_RESTATED: "restated",
    pb.FLAG_HYPOTHETICAL: "hypothetical",
}
_ROLES: Final = {
    record_pb2.SPAN_ROLE_FIGURE: "quote",
    record_pb2.SPAN_ROLE_PERIOD: "period",
    record_pb2.SPAN_ROLE_SCALE: "scale",
    record_pb2.SPAN_ROLE_SUBJECT: "subject",
}
MAX_SHOWN_QUOTE: Final = 400
RIVALS: Final = "Not decided: these figures fit one query and differ. None was chosen, nothing was averaged."
_MORE: Final = "Further figures that stand against each other are in the list of figures."


def answer(response: composition_pb2.ComposeResponse, most: int) -> str:
    """The text of an answer: derived figures first, then each figure with quote, link, time and hash, then what stands
    against each other. Of the last only as much as `most` bytes have room for: all of it is in the list.
    """
    lines: list[str] = []
    for derived in response.derived:
        name = operation_in(derived.kind).value
        value, unit = decimal_in(derived.value), unit_in(derived.unit)
        lines.append(f"{name.capitalize()}: {result(value, unit)}")
        lines.append(f"  = {derived.formula}")
    for number, figure in enumerate(response.figures, start=1):
        lines += _figure(number, figure)
    return "\n".join(_with_rivals(lines or ["No figure was proven."], response, most))


def _with_rivals(lines: list[str], response: composition_pb2.ComposeResponse, most: int) -> list[str]:
    group = 0
    for number, rival in enumerate(response.rivals, start=len(response.figures) + 1):
        further = [*([RIVALS] if rival.group != group else []), *_figure(number, rival.figure)]
        if len("\n".join([*lines, *further, _MORE]).encode()) > most:
            return [*lines, _MORE]
        lines, group = lines + further, rival.group
    return lines


def result(value: Decimal, unit: Unit) -> str:
    """A calculated value with its unit as a person reads it, behind "≈ " where that is not all of it."""
    shown = for_reading(value, unit)
    return f"{'' if shown == value else '≈ '}{amount(shown, unit)}"


def for_reading(value: Decimal, unit: Unit) -> Decimal:
    """A calculated value as a person reads it: amounts to the hundredth, everything else to two decimals or,
    where it is small, to three significant digits. The exact value stays beside it.
    """
    places = 2
    if unit.measure in _WORDS and 0 < abs(value) < 1:
        places = 2 - value.adjusted()
    if value.as_tuple().exponent >= -places:  # type: ignore[operator]  # a finite number has an integer exponent
        return value
    return value.quantize(Decimal(1).scaleb(-places))


def _figure(number: int, figure: composition_pb2.AnswerFigure) -> list[str]:
    what = " – ".join(p for p in (_one_line(figure.label, 160), _one_line(figure.period, 120)) if p)
    flags = "".join(f" [{_FLAGS[flag]}]" for flag in figure.flags)
    lines = [f"[{number}] {what}: {amount(decimal_in(figure.value), unit_in(figure.unit))}{flags}"]
    lines += [
        f"    {_ROLES[q.role]}: “{_one_line(q.text, MAX_SHOWN_QUOTE)}” (bytes {q.start}–{q.end})"
        for q in figure.quotes
    ]
    captured = datetime.fromtimestamp(figure.fetched_at_us / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    lines.append(f"    source: {figure.url}")
    lines.append(f"    captured {captured}, text SHA-256 {figure.page_sha256.hex()}")
    return lines


def amount(value: Decimal, unit: Unit) -> str:
    """A value with its unit, large amounts in millions or billions without loss: "$42.916 billion",
    "(2.0)%" as "-2.0%".
    """
    sign = "-" if value < 0 else ""
    size = abs(value)
    if unit.measure in _WORDS:
        plain = grouped(size)
        return f"{sign}{plain}{_WORDS[unit.measure]}" + (f" per {unit.per.value}" if unit.per else "")
    scaled, word = size, ""
    for step, name in _STEPS:
        if size >= step and unit.per is None:
            scaled, word = size / step, f" {name}"
            break
    currency = _SIGNS.get(unit.measure)
    plain = grouped(scaled)
    shown = f"{currency}{plain}{word}" if currency else f"{unit.measure.value} {plain}{word}"
    return f"{sign}{shown}" + (f" per {unit.per.value}" if unit.per else "")


def grouped(value: Decimal) -> str:
    """A non-negative value in plain digits, in groups of three."""
    text = f"{value.normalize():f}" if value == value.to_integral() else f"{value:f}".rstrip("0")
    whole, _, fraction = text.partition(".")
    return f"{int(whole):,}" + (f".{fraction}" if fraction else "")


def formula(operation: Operation, operands: list[Operand], value: Decimal, unit: Unit, *, exact: bool) -> str:
    """The calculation with its operands' numbers, the result as a person reads it:
    "(42,916,000,000 − 43,792,000,000) / 43,792,000,000 × 100 ≈ -2.00 (percent)".
    """
    numbers = [_number(o.value) for o in operands]
    shown = for_reading(value, unit)
    sign = "=" if exact and shown == value else "≈"
    name = operation.value
    if operation is Operation.SUM:
        body = " + ".join(numbers)
    elif operation is Operation.DIFFERENCE:
        body = " − ".join(numbers)
    elif operation is Operation.RATIO:
        body = " / ".join(numbers)
    elif operation is Operation.SHARE:
        body = f"{numbers[0]} / {numbers[1]} × 100"
    elif operation is Operation.GROWTH:
        body = f"({numbers[1]} − {numbers[0]}) / {numbers[0]} × 100"
    else:
        body = f"{name}({'; '.join(numbers)})"
    return f"{body} {sign} {_number(shown)} ({unit})"


def _number(value: Decimal) -> str:
    return f"-{grouped(-value)}" if value < 0 else grouped(value)


def _one_line(text: str, most: int) -> str:
    plain = " ".join(text.replace("\u2007", " ").split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def shortened(text: str, most: int) -> str:
    """At most `most` bytes of a text, cut between characters."""
    return text.encode()[:most].decode("utf-8", errors="ignore")
