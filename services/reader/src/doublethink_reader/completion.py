"""The back end with a model: the gate asks it, by reference; its answer is parsed strictly and believed in
nothing.

The gate's template `TEMPLATE_EXTRACT_CLAIMS` promises one JSON object `{"claims": [...]}`; each claim has
exactly the keys of `_KEYS`. What does not have that form is refused as a whole. A quote that stands on no
page passes: whether it does is the validator's question.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from doublethink_figures import Direction, Flag

from .claims import MAX_CLAIMS, MAX_HEADINGS, Claim
from .errors import AnswerRefused

MAX_ANSWER_BYTES: Final = 262_144
_KEYS: Final = frozenset(
    {"page", "quote", "heading_quotes", "value", "scale", "unit", "period", "direction", "flags"}
)
_TEXTS: Final = ("quote", "value", "scale", "unit", "period")
_DIRECTIONS: Final = {d.value: d for d in Direction}
_FLAGS: Final = {f.value: f for f in Flag if f is not Flag.NEGATED}


def parse_answer(answer: str, page_ids: Sequence[str]) -> tuple[Claim, ...]:
    """The claims of a model's answer about the pages `page_ids`, numbered from 1. Raises `AnswerRefused`.

    More than `MAX_CLAIMS` claims are cut off there; the ones kept are the first.
    """
    if len(answer.encode()) > MAX_ANSWER_BYTES:
        raise AnswerRefused("the answer is too long")
    try:
        document = json.loads(answer, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError):
        raise AnswerRefused("the answer is not JSON") from None
    if (
        not isinstance(document, dict)
        or set(document) != {"claims"}
        or not isinstance(document["claims"], list)
    ):
        raise AnswerRefused("the answer is not one object with claims")
    return tuple(_claim(item, page_ids) for item in document["claims"][:MAX_CLAIMS])


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _claim(item: object, page_ids: Sequence[str]) -> Claim:
    if not isinstance(item, dict) or set(item) != _KEYS:
        raise AnswerRefused("a claim does not have the promised keys")
    if any(not isinstance(item[key], str) for key in _TEXTS):
        raise AnswerRefused("a claim's text is not a string")
    headings = item["heading_quotes"]
    if not isinstance(headings, list) or not all(isinstance(h, str) for h in headings):
        raise AnswerRefused("a claim's headings are not strings")
    return Claim(
        page_id=_page(item, page_ids),
        quote=item["quote"],
        headings=tuple(h for h in headings if h.strip())[:MAX_HEADINGS],
        offset=-1,
        value=item["value"].strip(),
        scale=item["scale"].strip().removeprefix("in ").strip(),
        unit=item["unit"].strip(),
        period=item["period"].strip(),
        direction=_member(item["direction"], _DIRECTIONS),
        flags=_flags(item["flags"]),
    )


def _page(item: Mapping[str, Any], page_ids: Sequence[str]) -> str:
    number = item["page"]
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(page_ids):
        raise AnswerRefused("a claim names a page that was not given")
    return page_ids[number - 1]


def _member(name: object, members: Mapping[str, Direction]) -> Direction:
    if not isinstance(name, str) or name not in members:
        raise AnswerRefused("a claim's direction is unknown")
    return members[name]


def _flags(names: object) -> frozenset[Flag]:
    if not isinstance(names, list) or not all(isinstance(n, str) and n in _FLAGS for n in names):
        raise AnswerRefused("a claim's flag is unknown")
    return frozenset(_FLAGS[n] for n in names)
