"""A session put together from its rows, and the filters over them."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from doublethink_console.errors import Refused
from doublethink_console.log.entries import Entry
from doublethink_console.log.filters import Filter, read_filter
from doublethink_console.log.views import session_json

SESSION, OTHER = "ses_" + "a" * 26, "ses_" + "e" * 26


def rows_of(*bodies: dict[str, Any], session: str = SESSION, first: int = 0) -> list[Entry]:
    """Rows with these bodies, in one session; the id of the row with seq N is N in 16 bytes."""
    return [
        Entry(
            session,
            first + n,
            n,
            (first + n).to_bytes(16, "big"),
            1_000_000 * (first + n),
            b"",
            b"",
            body,
            bool(body.get("gone")),
        )
        for n, body in enumerate(bodies)
    ]


def of(seq: int) -> str:
    """How a body names the row with a seq."""
    return str(uuid.UUID(int=seq))


OPEN = {"kind": "session.open"}
SENT = {"kind": "attempt", "verdict": "allow", "method": "search"}
CLOSE = {"kind": "session.close", "reason": "closed"}


def view(rows: list[Entry], texts: dict[int, str] | None = None) -> list[dict[str, Any]]:
    """The rows of the view, by n."""
    return list(session_json(SESSION, rows, texts or {}, shown=rows)["rows"])


def test_each_attempt_stands_beside_its_outcome_and_its_facts() -> None:
    """Sent with its status and facts, failed with its word, stopped without an outcome."""
    rows = view(
        rows_of(
            OPEN,
            SENT,
            {"kind": "outcome", "of": of(1), "status": "sent", "http": 200, "received": 9},
            {"kind": "fact", "of": of(2)},
            {"kind": "fact", "of": of(2)},
            SENT,
            {"kind": "outcome", "of": of(5), "status": "timeout"},
            {"kind": "attempt", "verdict": "block", "rules": ["secret.code"]},
            {"kind": "held", "verdict": "ask", "rules": ["uncertain.code"]},
            CLOSE,
        )
    )
    assert rows[1]["outcome"] == {"n": 2, "status": "sent", "http": 200, "received": 9}
    assert [rows[n]["fate"] for n in (1, 5, 7, 8)] == ["sent", "timeout", "stopped", "stopped"]
    assert rows[2]["facts"] == [3, 4]
    assert rows[7]["outcome"] is None
    assert "fate" not in rows[0]


def test_an_attempt_without_an_outcome_was_sent_or_crashed() -> None:
    """In a closed session nothing will come any more; in an open one it may be under way."""
    assert view(rows_of(OPEN, SENT, CLOSE))[1]["fate"] == "sent_or_crashed"
    assert view(rows_of(OPEN, SENT))[1]["fate"] == "under_way"


def test_what_was_erased_or_opened_is_said_and_its_text_never_shown() -> None:
    """A redaction and an opening in other sessions stand beside the row; a payload that is gone without a redaction
    is shown as that; no text of an erased row is shown, even where there is a copy.
    """
    gone = SENT | {"gone": True}
    own = rows_of(OPEN, gone, gone, SENT, CLOSE)
    later = rows_of(
        {"kind": "redaction", "of": of(1), "of_session": SESSION, "reason": "court"},
        {"kind": "opening", "of": of(3), "of_session": SESSION, "purpose": "export"},
        session=OTHER,
        first=10,
    )
    whole = session_json(SESSION, own + later, {1: "one", 2: "two", 3: "three"}, shown=own)
    rows = whole["rows"]
    assert rows[1]["redaction"] == {"seq": 10, "time": "1970-01-01T00:00:10.000Z", "reason": "court"}
    assert rows[2]["redaction"] is None
    assert "redaction" not in rows[3]
    assert rows[3]["openings"] == [{"seq": 11, "time": "1970-01-01T00:00:11.000Z", "purpose": "export"}]
    assert [row.get("payload") for row in rows] == [None, None, None, "three", None]
    assert [row["kind"] for row in whole["about"]] == ["redaction", "opening"]


@pytest.mark.parametrize(
    ("given", "seqs"),
    [
        ({}, [0, 1, 2, 3]),
        ({"kind": "attempt"}, [1, 2]),
        ({"verdict": "block"}, [2]),
        ({"rule": "secret.code"}, [2]),
        ({"rule": "secret"}, [2]),
        ({"rule": "sec"}, []),
        ({"host": "api.example"}, [1]),
        ({"since": "1970-01-01T00:00:02Z"}, [2, 3]),
        ({"since": "2000000"}, [2, 3]),
        ({"until": "1970-01-01T01:00:02+01:00"}, [0, 1]),
        ({"kind": "attempt", "verdict": "allow", "since": "1000000", "until": "1000001"}, [1]),
    ],
)
def test_a_filter_picks_these(given: dict[str, str], seqs: list[int]) -> None:
    """Each question alone, a rule's family as a whole word, and all together."""
    rows = rows_of(
        OPEN,
        SENT | {"host": "api.example"},
        {"kind": "attempt", "verdict": "block", "rules": ["secret.code", "shape.length"]},
        CLOSE,
    )
    wanted = read_filter(given)
    assert [row.seq for row in rows if wanted.matches(row)] == seqs
    assert (wanted == Filter()) is (given == {})


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "Nordwind"},
        {"verdict": "maybe"},
        {"rule": "Secret Word"},
        {"host": "http://x"},
        {"since": "yesterday"},
        {"since": "2026-01-01T00:00:00"},
        {"until": "99999999999999999999"},
        {"until": "-1"},
        {"since": "9999-12-31T23:59:59+00:00"},
    ],
)
def test_a_filter_that_is_none_is_refused_without_its_words(given: dict[str, str]) -> None:
    """The error names the key and never the value."""
    with pytest.raises(Refused) as caught:
        read_filter(given)
    ((key, value),) = given.items()
    assert caught.value.words.startswith(key)
    assert value not in caught.value.words
