"""What a session spent is the sum of what its outcome rows say."""

from __future__ import annotations

import json
from typing import Any

from doublethink_console.runs.follower import readable
from doublethink_console.store.spending import spending

ATTEMPT = {"kind": "attempt", "method": "complete", "verdict": "allow"}
ANSWER = {
    "kind": "outcome",
    "status": "sent",
    "input_tokens": 1000,
    "output_tokens": 20,
    "cache_write_tokens": 3,
    "cache_read_tokens": 4,
}


def test_tokens_credits_and_costs_are_summed() -> None:
    """Refused answers count as much as used ones; a blocked attempt is no call."""
    rows: list[dict[str, Any]] = [
        ATTEMPT,
        ANSWER | {"cost_micros": 2200},
        ATTEMPT,
        ANSWER | {"status": "failed", "error": "model_cut", "cost_micros": 2200},
        ATTEMPT | {"verdict": "block"},
        {"kind": "outcome", "status": "sent", "credits": 1, "results": 3, "sent": 200, "received": 5000},
        {"kind": "outcome", "status": "sent", "credits": 2, "sent": 100, "received": 0, "http": 302},
        {"kind": "outcome", "status": "refused", "error": "address_refused", "sent": 0, "received": 0},
    ]
    assert spending(rows) == {
        "model_calls": 2,
        "input_tokens": 2000,
        "output_tokens": 40,
        "cache_write_tokens": 6,
        "cache_read_tokens": 8,
        "cost_usd": 0.0044,
        "credits": 3,
        "requests": 2,
        "bytes_sent": 300,
        "bytes_received": 5000,
    }


def test_an_unknown_price_leaves_the_cost_unknown() -> None:
    """One answer without a price is enough: a sum that leaves it out would be wrong."""
    assert spending([ANSWER | {"cost_micros": 5}, ANSWER])["cost_usd"] is None
    assert spending([])["cost_usd"] == 0


def test_a_completion_is_shown_by_its_query_and_not_by_its_pages() -> None:
    """The pages were rows of their own; a terminal gets one line."""
    texts = ["Query: pumps", "Page 1:", "SECRET PAGE", "Page 2:", "MORE"]
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": t} for t in texts]}],
    }
    payload = b"POST https://x/v1/messages\nhost: x\n\n" + json.dumps(body).encode()
    assert readable(payload) == "Query: pumps · 2 pages to m"
