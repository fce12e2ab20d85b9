"""What requests carry: objects with known keys only, ids, numbers. Errors name the key and never repeat a value."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request

from doublethink_console.errors import Refused

_SESSION: Final = re.compile(r"ses_[a-z2-7]{26}")


async def read_object(request: Request, allowed: tuple[str, ...]) -> dict[str, Any]:
    """The body as an object whose keys are among `allowed`. Raises Refused."""
    raw = await request.body()
    try:
        fields = json.loads(raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused(400, "The body is not a JSON object in UTF-8 with every key once.") from None
    return check_keys(fields, allowed, "the body")


def check_keys(fields: object, allowed: tuple[str, ...], what: str) -> dict[str, Any]:
    """An object whose keys are among `allowed`. Raises Refused."""
    if not isinstance(fields, dict):
        raise Refused(400, f"{what} must be a JSON object.")
    if any(key not in allowed for key in fields):
        # An unknown key is the sender's own word and may be a misplaced value: it is not repeated.
        raise Refused(400, f"{what} has a key that is not known; known are: {', '.join(allowed)}.")
    return fields


def text(fields: Mapping[str, Any], key: str, max_bytes: int) -> str:
    """A text that is there and is not blank. Raises Refused."""
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Refused(400, f"{key} must be text and not empty.")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        raise Refused(400, f"{key} must be text.") from None
    if size > max_bytes or "\x00" in value:
        raise Refused(400, f"{key} has at most {max_bytes} bytes and no zero byte.")
    return value


def number(fields: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
    """A whole number in a range, or the default. Raises Refused."""
    value = fields.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise Refused(400, f"{key} must be a whole number from {low} to {high}.")
    return value


def whole_number(value: str | None, key: str, default: int, low: int, high: int) -> int:
    """A parameter's whole number in a range, or the default. Raises Refused."""
    if value is None:
        return default
    if not (value.isascii() and value.isdecimal() and len(value) <= 16 and low <= int(value) <= high):
        raise Refused(400, f"{key} must be a whole number from {low} to {high}.")
    return int(value)


def key_of(value: object, what: str) -> uuid.UUID:
    """An id of the console. Raises Refused."""
    try:
        key = uuid.UUID(str(value))
    except ValueError:
        raise Refused(404, f"There is no such {what}.") from None
    if str(key) != value:
        raise Refused(404, f"There is no such {what}.")
    return key


def session_of(value: object) -> str:
    """A session's id. Raises Refused."""
    if not isinstance(value, str) or _SESSION.fullmatch(value) is None:
        raise Refused(404, "There is no such session.")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key stands twice")
    return fields


def _no_constant(_: str) -> Any:
    raise ValueError("not JSON")
