"""Answer keys: JSON lines that say what a question's answer is, to the digit.

Fields read, others may stand there: `id`, `question`, `expected` (`answered` or `not_found`), `value`
(decimal text in base units: 42,916 "in millions" is 42916000000, 41.5 % is 41.5, losses and decreases
negative), `unit`, `tolerance_abs` (arithmetic only), `pages` (names of pages without `.html`), `quote` or
`quotes` (texts, or objects with the text as `quote`), `trap`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

MAX_KEYS = 10_000
MAX_FILE_BYTES = 16 * 1024 * 1024
EXPECTED = ("answered", "not_found")


class KeyFileError(Exception):
    """A file of keys that cannot be used; the message names the line and what to do."""


@dataclass(frozen=True, slots=True)
class Key:
    """One question and its answer; `value` and `unit` are None if the pages have none."""

    id: str
    question: str
    expected: str
    value: Decimal | None
    unit: str | None
    tolerance: Decimal
    pages: tuple[str, ...]
    quotes: tuple[str, ...]
    trap: str


def read_keys(file: Path) -> tuple[Key, ...]:
    """All keys of `file`, in its order. Raises `KeyFileError`."""
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise KeyFileError(f"{file} is larger than {MAX_FILE_BYTES} bytes")
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileError(f"{file} cannot be read: {error}") from error
    keys: list[Key] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            keys.append(key_of(json.loads(line)))
        except (KeyFileError, ValueError) as error:
            raise KeyFileError(f"{file}, line {number}: {error}") from error
    if not 0 < len(keys) <= MAX_KEYS:
        raise KeyFileError(f"{file} holds {len(keys)} questions; 1 to {MAX_KEYS} can be asked")
    if len({key.id for key in keys}) != len(keys):
        raise KeyFileError(f"{file}: two questions have the same id")
    return tuple(keys)


def key_of(entry: Mapping[str, Any]) -> Key:
    """The key in one decoded line. Raises `KeyFileError` if a field is missing or not of its form."""
    if not isinstance(entry, Mapping):
        raise KeyFileError("not a JSON object")
    expected = _text(entry, "expected")
    if expected not in EXPECTED:
        raise KeyFileError(f"`expected` is {expected!r}; it is one of {', '.join(EXPECTED)}")
    value = unit = None
    if expected == "answered":
        value, unit = _number(entry.get("value"), "value"), _text(entry, "unit")
    tolerance = entry.get("tolerance_abs")
    return Key(
        id=str(entry.get("id") or _text(entry, "id")),
        question=_text(entry, "question"),
        expected=expected,
        value=value,
        unit=unit,
        tolerance=Decimal(0) if tolerance in (None, "") else abs(_number(tolerance, "tolerance_abs")),
        pages=_texts(entry.get("pages") or entry.get("page"), "pages"),
        quotes=_texts(_bare(entry.get("quotes") or entry.get("quote")), "quotes"),
        trap=_description(entry.get("trap")),
    )


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise KeyFileError(f"`{name}` is not a text")
    return value.strip()


def _bare(value: object) -> object:
    """Quotes may come with the page they stand on: {"page": ..., "quote": ...}."""
    if not isinstance(value, list):
        return value
    return [item.get("quote") if isinstance(item, dict) else item for item in value]


def _texts(value: object, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise KeyFileError(f"`{name}` is neither a text nor a list of texts")


def _number(value: object, name: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise KeyFileError(f"`{name}` is not a number")
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation as error:
        raise KeyFileError(f"`{name}` is not a number in plain digits") from error
    if not number.is_finite():
        raise KeyFileError(f"`{name}` is not finite")
    return number


def _description(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
