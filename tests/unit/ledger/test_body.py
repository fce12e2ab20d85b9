"""Bodies have one encoding, a closed set of keys, and no place for text."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from doublethink_ledger import (
    BODY_KEYS,
    MAX_BODY_BYTES,
    BodyError,
    Kind,
    decode_body,
    encode_body,
)
from hypothesis import given, settings
from hypothesis import strategies as st

DIGEST = "0" * 64
ROW = "00000000-0000-0000-0000-000000000000"

GOOD: dict[Kind, dict[str, Any]] = {
    Kind.SESSION_OPEN: {
        "source": "corpus",
        "max_queries": 1,
        "max_pages": 0,
        "max_calls": 2**53 - 1,
        "max_bytes": 9,
        "expires_us": 1,
    },
    Kind.ATTEMPT: {
        "verdict": "block",
        "rules": ["secret.number", "shape.length"],
        "method": "search",
        "commit": DIGEST,
        "bytes": 3,
        "host": "api.example.com",
    },
    Kind.HELD: {
        "verdict": "ask",
        "rules": [],
        "method": "extract",
        "commit": DIGEST,
        "bytes": 3,
        "host_commit": DIGEST,
    },
    Kind.APPROVAL: {"of": ROW, "verdict": "approve", "approver": DIGEST},
    Kind.OUTCOME: {"of": ROW, "status": "sent", "sent": 1, "received": 2, "http": 200, "cut": False},
    Kind.FACT: {
        "of": ROW,
        "commit": DIGEST,
        "bytes": 1,
        "fact": "fct_" + "a" * 26,
        "page": "pag_" + "7" * 25 + "4",
        "page_sha256": DIGEST,
    },
    Kind.SESSION_CLOSE: {"reason": "closed"},
    Kind.REDACTION: {"of": ROW, "of_session": "ses_" + "a" * 26, "of_n": 7, "reason": "request"},
    Kind.OPENING: {"of": ROW, "of_session": "ses_" + "a" * 26, "of_n": 7, "purpose": "export"},
}


def body(kind: Kind, **changes: object) -> dict[str, Any]:
    """A good body of a kind, then changed; a value of None takes the key away."""
    whole = {"kind": kind.value, "gate": DIGEST, "policy": DIGEST, **GOOD[kind], **changes}
    return {key: value for key, value in whole.items() if value is not None}


@pytest.mark.parametrize("kind", list(Kind))
def test_each_kind_has_one_encoding(kind: Kind) -> None:
    """A good body of each kind encodes to sorted, dense ASCII JSON and decodes to itself."""
    encoded = encode_body(body(kind))
    assert decode_body(encoded) == body(kind)
    assert encoded == json.dumps(body(kind), sort_keys=True, separators=(",", ":")).encode()
    assert encode_body(dict(reversed(body(kind).items()))) == encoded


def test_the_known_bytes() -> None:
    """One body, byte for byte: the format that other programs read."""
    assert encode_body(body(Kind.SESSION_CLOSE)) == (
        b'{"gate":"'
        + b"0" * 64
        + b'","kind":"session.close","policy":"'
        + b"0" * 64
        + b'","reason":"closed"}'
    )


@pytest.mark.parametrize("kind", list(Kind))
def test_every_required_key_is_required(kind: Kind) -> None:
    """Without any one of its required keys a body is refused, and the error names the key."""
    for key, form in BODY_KEYS[kind].items():
        if form.required:
            with pytest.raises(BodyError) as caught:
                encode_body(body(kind, **{key: None}))
            assert caught.value.key == key


@pytest.mark.parametrize("kind", list(Kind))
def test_a_key_of_no_kind_is_refused(kind: Kind) -> None:
    """A key that the kind does not have is refused, and its text is not repeated."""
    with pytest.raises(BodyError) as caught:
        encode_body(body(kind, **{"project nordwind": "x"}))
    assert "nordwind" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (Kind.ATTEMPT, {"method": "two words"}),
        (Kind.ATTEMPT, {"method": "UPPER"}),
        (Kind.ATTEMPT, {"method": "a" * 65}),
        (Kind.ATTEMPT, {"method": ""}),
        (Kind.ATTEMPT, {"method": "search\n"}),
        (Kind.ATTEMPT, {"method": "seärch"}),
        (Kind.ATTEMPT, {"verdict": "maybe"}),
        (Kind.ATTEMPT, {"verdict": "approve"}),
        (Kind.ATTEMPT, {"rules": "secret.number"}),
        (Kind.ATTEMPT, {"rules": ["Anna Lindqvist"]}),
        (Kind.ATTEMPT, {"rules": ["a", "a"]}),
        (Kind.ATTEMPT, {"rules": [["a"]]}),
        (Kind.ATTEMPT, {"rules": [1]}),
        (Kind.ATTEMPT, {"rules": [f"r{i}" for i in range(65)]}),
        (Kind.ATTEMPT, {"commit": "0" * 63}),
        (Kind.ATTEMPT, {"commit": "A" * 64}),
        (Kind.ATTEMPT, {"bytes": -1}),
        (Kind.ATTEMPT, {"bytes": 2**53}),
        (Kind.ATTEMPT, {"bytes": 1.0}),
        (Kind.ATTEMPT, {"bytes": True}),
        (Kind.ATTEMPT, {"bytes": "3"}),
        (Kind.ATTEMPT, {"host": "user@host"}),
        (Kind.ATTEMPT, {"host": "a" * 254}),
        (Kind.ATTEMPT, {"host": "host/path"}),
        (Kind.ATTEMPT, {"host_commit": DIGEST}),
        (Kind.ATTEMPT, {"original": DIGEST}),
        (Kind.ATTEMPT, {"verdict": "rewrite", "original": "asked"}),
        (Kind.ATTEMPT, {"query": "qry_" + "a" * 25 + "b"}),
        (Kind.ATTEMPT, {"query": "ses_" + "a" * 26}),
        (Kind.HELD, {"verdict": "allow"}),
        (Kind.APPROVAL, {"of": ROW.replace("-", "")}),
        (Kind.APPROVAL, {"of": ROW.replace("0", "A")}),
        (Kind.OUTCOME, {"cut": 0}),
        (Kind.OUTCOME, {"status": "SENT"}),
        (Kind.SESSION_CLOSE, {"reason": "because the buyer asked"}),
    ],
    ids=str,
)
def test_a_value_out_of_form_is_refused_and_not_repeated(kind: Kind, changes: dict[str, object]) -> None:
    """Every value has its form; what does not fit is refused by key, without showing it."""
    with pytest.raises(BodyError) as caught:
        encode_body(body(kind, **changes))
    assert caught.value.key in changes
    for value in changes.values():
        if isinstance(value, str) and len(value) > 8:
            assert value not in str(caught.value)


def test_a_rewritten_attempt_names_what_was_asked_for() -> None:
    """By its commitment."""
    rewritten = body(Kind.ATTEMPT, verdict="rewrite", original=DIGEST)
    assert decode_body(encode_body(rewritten)) == rewritten
    with pytest.raises(BodyError) as caught:
        encode_body(body(Kind.ATTEMPT, verdict="rewrite"))
    assert caught.value.key == "original"


@pytest.mark.parametrize("kind", [None, "", "memo", 1, ["attempt"], "ATTEMPT"])
def test_an_unknown_kind_is_refused(kind: object) -> None:
    """A body says which of the known kinds it is, or it is none."""
    with pytest.raises(BodyError):
        encode_body({"kind": kind, "gate": DIGEST, "policy": DIGEST})  # type: ignore[dict-item]  # on purpose


CLOSE = encode_body(body(Kind.SESSION_CLOSE)).decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "1",
        CLOSE + " ",
        " " + CLOSE,
        CLOSE[:-1],
        CLOSE + CLOSE,
        CLOSE.replace(":", ": ", 1),
        CLOSE.replace('{"gate"', '{"reason":"closed","gate"'),
        CLOSE.replace('"closed"', '"\\u0063losed"'),
        CLOSE.replace('"closed"', '"clösed"'),
        CLOSE.replace('"closed"', "1.0"),
        CLOSE.replace('"closed"', "NaN"),
        CLOSE.replace('"closed"', "1e5"),
        CLOSE.replace('"closed"', "9" * 5000),
        CLOSE.replace('"closed"', "[" * 5000 + "]" * 5000),
        CLOSE.replace('"closed"', "{}"),
        CLOSE.replace('"closed"', "null"),
        "\ufeff" + CLOSE,
        CLOSE + "x" * MAX_BODY_BYTES,
    ],
    ids=lambda text: text[-40:] or "empty",
)
def test_bytes_that_were_not_written_here_are_refused(text: str) -> None:
    """Anything but the one encoding of a good body is refused: spaces, repetition, escapes, other numbers."""
    with pytest.raises(BodyError):
        decode_body(text.encode())


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    """Any bytes either decode and encode to themselves, or raise BodyError."""
    try:
        decoded = decode_body(data)
    except BodyError:
        return
    assert encode_body(decoded) == data


@given(position=st.integers(0, len(CLOSE) - 1), bit=st.integers(0, 7))
@settings(max_examples=300, deadline=None)
def test_a_flipped_bit_gives_another_body_or_none(position: int, bit: int) -> None:
    """No changed bytes decode to the same body."""
    changed = bytearray(CLOSE.encode())
    changed[position] ^= 1 << bit
    with contextlib.suppress(BodyError):
        assert decode_body(bytes(changed)) != body(Kind.SESSION_CLOSE)


def test_a_body_is_bounded() -> None:
    """The largest body that the keys allow is far below the bound that the database enforces."""
    rules = ["r" * 62 + f"{i:02}" for i in range(64)]
    assert len(encode_body(body(Kind.ATTEMPT, rules=rules, host="h" * 253))) < MAX_BODY_BYTES
