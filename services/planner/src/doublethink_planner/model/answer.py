"""The one form in which a model may answer: as a JSON schema for its server, and read again here."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from .errors import Rubbish

MAX_FIGURES: Final = 8
_MAX_ANSWER_BYTES: Final = 16 * 1024
_MAX_WORDS: Final = 200


class Operation(StrEnum):
    """What is computed from the figures. Only operations whose order of operands follows from time, or has none."""

    NONE = "none"
    CHANGE = "change"
    PERCENT_CHANGE = "percent_change"
    SUM = "sum"
    AVERAGE = "average"
    MEDIAN = "median"
    LOWEST = "lowest"
    HIGHEST = "highest"


Words = Annotated[str, Meta(max_length=_MAX_WORDS)]


class SaidFigure(Struct, forbid_unknown_fields=True, frozen=True):
    """One figure as the model divides the question: words for the company, the metric and the period."""

    company: Words
    metric: Words
    period: Words


class Answer(Struct, forbid_unknown_fields=True, frozen=True):
    """A model's answer."""

    figures: Annotated[tuple[SaidFigure, ...], Meta(min_length=1, max_length=MAX_FIGURES)]
    operation: Operation


def read_answer(text: str) -> Answer:
    """Read an answer. Raises Rubbish for anything that is not exactly of the schema."""
    if len(text.encode("utf-8", "surrogatepass")) > _MAX_ANSWER_BYTES:
        raise Rubbish("an answer beyond its bound")
    try:
        return msgspec.json.decode(text, type=Answer)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Rubbish("an answer that is not of the schema") from None


def schema() -> dict[str, Any]:
    """The JSON schema that the server is to hold the model to, without references, which small servers lack."""
    words = {"type": "string", "maxLength": _MAX_WORDS}
    parts = ("company", "metric", "period")
    figure = {
        "type": "object",
        "properties": dict.fromkeys(parts, words),
        "required": list(parts),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "figures": {"type": "array", "items": figure, "minItems": 1, "maxItems": MAX_FIGURES},
            "operation": {"type": "string", "enum": [operation.value for operation in Operation]},
        },
        "required": ["figures", "operation"],
        "additionalProperties": False,
    }
