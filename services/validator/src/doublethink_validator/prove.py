"""`prove`: the proof of single claims over JSON lines, without a query and without any peer.

A line in: `{"id", "page_text", "quote", "heading_quotes", "claim": {"value", "scale", "unit", "period",
"period_kind", "direction", "flags"}}`. A line out: `{"id", "verdict", "why"}`. A line that cannot be read
gets `{"id", "error"}`, and the rest goes on.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final

from doublethink_figures import Direction, Flag, PeriodKind

from .errors import NotProven, Reason
from .proof import Claim, prove
from .reading import Reading
from .survey import Examined

MAX_LINE_BYTES: Final = 8 * 1024 * 1024
_KEYS: Final = frozenset({"id", "page_text", "quote", "heading_quotes", "claim"})
_CLAIM_KEYS: Final = frozenset({"value", "scale", "unit", "period", "period_kind", "direction", "flags"})
_FLAGS: Final = {f.value: f for f in Flag if f is not Flag.NEGATED}


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream, none held longer than MAX_LINE_BYTES and one byte.

    Of a longer line only its beginning is given, which `prove_lines` refuses; so it does a line that is not
    UTF-8.
    """
    for raw in iter(lambda: stream.readline(MAX_LINE_BYTES + 1), b""):
        yield raw.decode("utf-8", "surrogateescape")
        rest = raw
        while len(rest) > MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES + 1)


def prove_lines(lines: Iterable[str]) -> Iterator[str]:
    """An answer a line."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer(line), ensure_ascii=False)


def _answer(line: str) -> dict[str, Any]:
    try:
        # Bytes that are not UTF-8 do not encode again.
        if len(line.encode()) > MAX_LINE_BYTES:
            raise ValueError("the line is too long")
        item = json.loads(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": "the line is not JSON, or too long"}
    if not isinstance(item, dict):
        return {"id": None, "error": "the line is not an object"}
    try:
        claim, kind = _claim(item)
        # A stored page's first line is its title, which states nothing. Text from elsewhere has none.
        examined = Examined("", f"\n\n{item['page_text']}")
    except (KeyError, TypeError, ValueError) as error:
        return {"id": item.get("id"), "error": f"not a claim over a page: {error}"}
    try:
        reading = prove(examined, claim)
        _check_kind(kind, reading)
    except NotProven as error:
        reason = Reason.PAGE_TOO_LONG if error.absent and examined.cut else error.reason
        return {
            "id": item["id"],
            "verdict": "not_found" if error.absent and not examined.cut else "cannot_check",
            "why": reason.value,
        }
    return {"id": item["id"], "verdict": "found", "why": "quote, number, unit and period stand on the page"}


def _claim(item: Mapping[str, Any]) -> tuple[Claim, str | None]:
    if set(item) - _KEYS or not {"id", "page_text", "quote", "claim"} <= set(item):
        raise ValueError("the keys are id, page_text, quote, heading_quotes, claim")
    said = item["claim"]
    if not isinstance(said, dict) or set(said) - _CLAIM_KEYS or not {"value", "unit"} <= set(said):
        raise ValueError("a claim has value, scale, unit, period, period_kind, direction, flags")
    scale = said.get("scale")
    claim = Claim(
        quote=_text(item["quote"]),
        heading_quotes=tuple(_text(h) for h in item.get("heading_quotes", [])),
        quote_offset=-1,
        value=_text(said["value"]),
        scale=None if scale is None else _text(scale),
        unit=_text(said["unit"]),
        period=_text(said.get("period") or ""),
        direction=Direction(said.get("direction", "none")),
        flags=frozenset(_FLAGS[f] for f in said.get("flags", [])),
    )
    kind = said.get("period_kind")
    if kind not in (None, "duration", "instant"):
        raise ValueError("period_kind is duration or instant")
    if not isinstance(item["page_text"], str):
        raise TypeError("page_text is a string")
    return claim, kind


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is a string")
    return value


def _check_kind(kind: str | None, reading: Reading) -> None:
    """Raises `NotProven` where the claim says a moment and the page a length, or the other way round."""
    if kind is None or reading.period is None:
        return
    if (reading.period.kind is PeriodKind.INSTANT) is not (kind == "instant"):
        raise NotProven(Reason.PERIOD_DIFFERS)
