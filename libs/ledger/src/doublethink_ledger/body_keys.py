"""Which keys the body of each kind has, and the form of each value.

No key takes free text. A string is a digest, an id, a host name that the allow list names, or a short word
from the gate's own code: a body has no place for a secret.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from doublethink_ledger.kinds import Kind, Verdict

BodyValue = str | bool | int | list[str]

MAX_INTEGER: Final = 2**53 - 1
MAX_RULES: Final = 64

_ID = "[a-z2-7]{25}[aeimquy4]"
"""16 bytes in lower-case base32 without padding (RFC 4648 section 6): the last letter carries 3 bits."""

_WORD = r"[a-z0-9](?:[a-z0-9_.\-/]{0,62}[a-z0-9])?"


@dataclass(frozen=True, slots=True)
class Form:
    """The form of one value: a full-match pattern for a string, or one of the other types.

    `problem` gives no value back: what does not fit may be what must not be shown.
    """

    description: str
    pattern: re.Pattern[str] | None = None
    type: type[str] | type[bool] | type[int] | type[list[object]] = str
    required: bool = True

    def problem(self, value: object) -> str | None:
        """Return why the value does not fit, or None when it does."""
        if type(value) is not self.type:
            return f"is not {self.description}"
        if isinstance(value, list):
            if len(value) > MAX_RULES:
                return f"has more than {MAX_RULES} items"
            fits = all(self._matches(item) for item in value) and len(set(value)) == len(value)
            return None if fits else f"is not {self.description}"
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            return None if 0 <= value <= MAX_INTEGER else "is outside 0..2^53-1"
        return None if self._matches(value) else f"is not {self.description}"

    def _matches(self, value: object) -> bool:
        return type(value) is str and self.pattern is not None and self.pattern.fullmatch(value) is not None

    def optional(self) -> Form:
        """Return the same form for a key that may be absent."""
        return Form(self.description, self.pattern, self.type, required=False)


def _text(description: str, pattern: str) -> Form:
    return Form(description, re.compile(pattern, re.ASCII))


def _one_of(*words: str) -> Form:
    return _text("one of " + ", ".join(words), "|".join(re.escape(word) for word in words))


def _typed_id(prefix: str) -> Form:
    return _text(f"an id that begins with {prefix}_", f"{prefix}_{_ID}")


DIGEST = _text("a SHA-256 in lower-case hexadecimal", "[0-9a-f]{64}")
ROW_ID = _text(
    "a row's id as a lower-case UUID", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
)
WORD = _text("a short lower-case word", _WORD)
MODEL = _text("a model's name", r"[A-Za-z0-9][A-Za-z0-9._:/@\-]{0,127}")
"""As the operator's configuration has it, never as anybody else says it."""
HOST = _text("a lower-case host name", r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9\-.]*[a-z0-9])?")
COUNT = Form("an integer", type=int)
FLAG = Form("true or false", type=bool)
RULES = Form("a list of different rule ids", re.compile(_WORD, re.ASCII), list)

_WHO = {"gate": DIGEST, "policy": DIGEST}

_PAYLOAD = {"commit": DIGEST, "bytes": COUNT}
"""A committed payload: its commitment and its size in bytes."""

_REQUEST = (
    _WHO
    | _PAYLOAD
    | {
        "method": WORD,
        "rules": RULES,
        "host": HOST.optional(),
        "host_commit": DIGEST.optional(),
        "query": _typed_id("qry").optional(),
        "result": _typed_id("res").optional(),
        "template": WORD.optional(),
        "model": WORD.optional(),
    }
)

_KEYS: dict[Kind, dict[str, Form]] = {
    Kind.SESSION_OPEN: _WHO
    | {
        "source": WORD,
        "tenant": DIGEST.optional(),
        "max_queries": COUNT,
        "max_pages": COUNT,
        "max_calls": COUNT,
        "max_bytes": COUNT,
        "expires_us": COUNT,
        "planner_model": MODEL.optional(),
        "planner_digest": DIGEST.optional(),
    },
    # `of` names the held row that a person let go. `original` commits to a rewritten request as it was asked for, with
    # a nonce of its own: whoever is given the nonce of what was sent learns nothing of what was taken out.
    Kind.ATTEMPT: _REQUEST
    | {"verdict": _one_of(*Verdict), "of": ROW_ID.optional(), "original": DIGEST.optional()},
    Kind.HELD: _REQUEST | {"verdict": _one_of(Verdict.ASK)},
    # `of` is the held row, whose `commit` says which bytes. An approval ends at `expires_us` and serves once;
    # `approver` is the SHA-256 of who decided.
    Kind.APPROVAL: _WHO
    | {
        "of": ROW_ID,
        "verdict": _one_of("approve", "reject"),
        "approver": DIGEST,
        "expires_us": COUNT.optional(),
    },
    # `response` is the SHA-256 of a stored response: a row that has it changes what later checks see. `rules` are
    # notices about what came in: a confirmed secret that a page prints is public already. `credits` are a search
    # source's, tokens a model's, both as the provider counts them; `cost_micros` is millionths of a US dollar.
    # `hidden_elements` and `hidden_characters` are what a page holds and its text does not, where that is anything.
    Kind.OUTCOME: _WHO
    | {
        "of": ROW_ID,
        "status": _one_of("sent", "failed", "refused", "timeout"),
        "http": COUNT.optional(),
        "error": WORD.optional(),
        "sent": COUNT,
        "received": COUNT,
        "cut": FLAG.optional(),
        "credits": COUNT.optional(),
        "input_tokens": COUNT.optional(),
        "output_tokens": COUNT.optional(),
        "cache_write_tokens": COUNT.optional(),
        "cache_read_tokens": COUNT.optional(),
        "cost_micros": COUNT.optional(),
        "micros": COUNT.optional(),
        "results": COUNT.optional(),
        "page": _typed_id("pag").optional(),
        "hidden_elements": COUNT.optional(),
        "hidden_characters": COUNT.optional(),
        "response": DIGEST.optional(),
        "rules": RULES.optional(),
        "commit": DIGEST.optional(),
        "bytes": COUNT.optional(),
    },
    # `of` is the outcome row whose page the fact was read from.
    Kind.FACT: _WHO
    | _PAYLOAD
    | {"of": ROW_ID, "fact": _typed_id("fct"), "page": _typed_id("pag"), "page_sha256": DIGEST},
    Kind.SESSION_CLOSE: _WHO | {"reason": _one_of("closed", "expired", "failed")},
    Kind.REDACTION: _WHO
    | {
        "of": ROW_ID,
        "of_session": _typed_id("ses"),
        "of_n": COUNT,
        "reason": _one_of("retention", "request", "court"),
    },
    # A payload was given out, to be shown to people who were not there when it left.
    Kind.OPENING: _WHO
    | {"of": ROW_ID, "of_session": _typed_id("ses"), "of_n": COUNT, "purpose": _one_of("export")},
}

BODY_KEYS: Mapping[Kind, Mapping[str, Form]] = MappingProxyType(
    {kind: MappingProxyType(keys) for kind, keys in _KEYS.items()}
)
"""Kind -> key -> form. `kind` itself is in every body and is not listed."""
