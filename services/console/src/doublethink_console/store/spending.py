"""What a session spent with providers, told from the rows of its ledger: calls, tokens, credits, money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

TOKENS: Final = ("input_tokens", "output_tokens", "cache_write_tokens", "cache_read_tokens")
_SENT: Final = frozenset({"allow", "rewrite"})
_MICROS: Final = 1_000_000


def spending(bodies: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The numbers that stand beside an answer's other counts.

    `cost_usd` is the model's alone, by the dated prices of the gate's policy; None where an answer had tokens and
    the policy no price for its model. Credits are the search source's own unit. `requests` are those that left and
    have an outcome, each redirect by itself; bytes are those of whole requests, and of bodies as they came.
    """
    calls = credits = micros = requests = sent = received = 0
    tokens = dict.fromkeys(TOKENS, 0)
    priced = True
    for body in bodies:
        kind = body.get("kind")
        if kind == "attempt":
            calls += body.get("method") == "complete" and body.get("verdict") in _SENT
        if kind != "outcome":
            continue
        credits += body.get("credits", 0)
        requests += body.get("sent", 0) > 0
        sent += body.get("sent", 0)
        received += body.get("received", 0)
        if "input_tokens" in body:
            for key in TOKENS:
                tokens[key] += body.get(key, 0)
            priced = priced and "cost_micros" in body
            micros += body.get("cost_micros", 0)
    cost = micros / _MICROS if priced else None
    traffic = {"requests": requests, "bytes_sent": sent, "bytes_received": received}
    return {"model_calls": calls, **tokens, "cost_usd": cost, "credits": credits, **traffic}
