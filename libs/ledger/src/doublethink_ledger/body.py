"""The body of a row: exact JSON bytes (RFC 8259) from a closed set of keys per kind.

One body has one encoding: keys sorted by code point, no white space, ASCII only, no floats, integers in
0..2^53-1 (what every JSON reader holds exactly). Reading a body writes it again and compares the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NoReturn

from doublethink_ledger.body_keys import BODY_KEYS, MAX_INTEGER, BodyValue
from doublethink_ledger.errors import BodyError
from doublethink_ledger.kinds import Kind, Verdict

MAX_BODY_BYTES: Final = 16_384
_MAX_DIGITS = len(str(MAX_INTEGER))


def encode_body(body: Mapping[str, BodyValue]) -> bytes:
    """Return the exact bytes of a body. Raises BodyError naming the key that does not belong or fit."""
    _check(body)
    encoded = _write(body)
    if len(encoded) > MAX_BODY_BYTES:
        raise BodyError(f"{len(encoded)} bytes, more than {MAX_BODY_BYTES}")
    return encoded


def decode_body(encoded: bytes) -> dict[str, BodyValue]:
    """Return the body that these bytes are.

    Raises BodyError for anything that `encode_body` would not have written, byte for byte.
    """
    if len(encoded) > MAX_BODY_BYTES:
        raise BodyError(f"{len(encoded)} bytes, more than {MAX_BODY_BYTES}")
    try:
        body = json.loads(
            encoded.decode("ascii"),
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_bounded_int,
        )
    except UnicodeDecodeError as error:
        raise BodyError(f"not ASCII at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise BodyError(f"not JSON at byte {error.pos}") from None
    except RecursionError:
        raise BodyError("nested too deeply") from None
    if not isinstance(body, dict):
        raise BodyError("not an object")
    _check(body)
    if _write(body) != encoded:
        raise BodyError("not in its one encoding")
    return body


def _write(body: Mapping[str, BodyValue]) -> bytes:
    return json.dumps(dict(body), sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _check(body: Mapping[str, object]) -> None:
    name = body.get("kind")
    if not isinstance(name, str) or name not in BODY_KEYS:
        raise BodyError("not a known kind", "kind")
    keys = BODY_KEYS[Kind(name)]
    for key, value in body.items():
        if key == "kind":
            continue
        if key not in keys:
            # A key out of place is not repeated in the message: it is text of unknown origin.
            raise BodyError(f"a body of kind {name} has a key that does not belong to it")
        why = keys[key].problem(value)
        if why is not None:
            raise BodyError(why, key)
    for key, form in keys.items():
        if form.required and key not in body:
            raise BodyError(f"missing in a body of kind {name}", key)
    if name == Kind.ATTEMPT and ("original" in body) is not (body.get("verdict") == Verdict.REWRITE):
        raise BodyError("stands in a rewritten attempt, and in no other", "original")
    if "host" in body and "host_commit" in body:
        raise BodyError("stands beside host; a destination has one of the two", "host_commit")


def _no_float(_: str) -> NoReturn:
    raise BodyError("holds a number that is not an integer")


def _bounded_int(digits: str) -> int:
    # Bounds the work on a hostile number before int() sees it.
    if len(digits) > _MAX_DIGITS + 1:
        raise BodyError("holds an integer above 2^53-1")
    return int(digits)
