"""Reads back what a stored payload said: a payload is `PreparedRequest.canonical()`, headers, empty
line, body.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from doublethink_gate.policy.policy import Prices

_FORM: Final = b"content-type: application/x-www-form-urlencoded"
_BYTES_A_TOKEN: Final = 3
"""Few enough for tables of figures, of which a token holds less than of running text."""


def body_of(payload: bytes) -> bytes:
    """Return the body of a committed request."""
    _, separator, body = payload.partition(b"\n\n")
    if not separator:
        raise ValueError("a payload without an empty line is not a request")
    return body


def search_text(payload: bytes) -> str:
    """Return the query of a committed search: of a JSON object, or the one field `q` of a form."""
    if _FORM not in payload.partition(b"\n\n")[0].split(b"\n"):
        return str(json.loads(body_of(payload))["query"])
    fields = parse_qsl(
        body_of(payload).decode(), keep_blank_values=True, strict_parsing=True, errors="strict"
    )
    (query,) = (value for name, value in fields if name == "q")
    return query


def page_url(payload: bytes) -> str:
    """Return the address of a committed extraction: that of a GET itself, or the one that a source is asked for."""
    method, _, rest = payload.partition(b" ")
    if method == b"GET":
        return rest.partition(b"\n")[0].decode()
    return str(json.loads(body_of(payload))["urls"][0])


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a completion is set down for until its answer says what it cost: tokens of its input, and the most that it
    may answer.
    """

    model: str
    input: int
    output: int

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.input + self.output

    def cost_micros(self, prices: Prices) -> int | None:
        """The most that it may cost, in millionths of a US dollar; None where its model has no price."""
        price = prices.of(self.model)
        return None if price is None else price.at_most(self.input, self.output)


def estimate_of(body: bytes) -> Estimate:
    """Return what a completion may cost, told from its body."""
    fields = json.loads(body)
    return Estimate(str(fields["model"]), -(-len(body) // _BYTES_A_TOKEN), int(fields["max_tokens"]))


def question_of(payload: bytes) -> str:
    """Return the words of a committed completion that are no page: its first block."""
    return str(json.loads(body_of(payload))["messages"][0]["content"][0]["text"])
