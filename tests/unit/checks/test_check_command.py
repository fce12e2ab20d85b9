"""The check command: framed pack, one answer per line, bad lines do not stop it."""

from __future__ import annotations

import base64
import io
import json

import pytest
from doublethink_fingerprint import Pack, PackFormatError, encode_pack
from doublethink_gate.check_command import main, run_check
from doublethink_gate.policy import Policy


def run(pack: Pack, policy: Policy, *lines: object, field: str = "session") -> list[dict[str, object]]:
    """Answers of the command to the given lines; a text goes in as it is."""
    data = encode_pack(pack)
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    out = io.StringIO()
    assert run_check(io.BytesIO(len(data).to_bytes(4, "big") + data + text.encode()), out, policy, field) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_in_gives_a_line_out(pack: Pack, policy: Policy) -> None:
    """The answer has exactly the promised keys, with the line's id."""
    (answer,) = run(pack, policy, {"id": "a", "session": "s", "kind": "query", "payload": "see Thornquill"})
    keys = {"id", "verdict", "rules", "spans", "rewritten", "micros", "not_evaluated", "findings"}
    assert set(answer) == keys
    assert answer["id"] == "a"
    assert answer["verdict"] == "block"
    assert [4, 14] in answer["spans"]  # type: ignore[operator]  # JSON has no types
    assert answer["rewritten"] is None
    assert isinstance(answer["micros"], int)


def test_every_finding_says_how_it_was_found(pack: Pack, policy: Policy) -> None:
    """A finding has the chain from the payload to the value, the payload's own offsets, and what earlier lines had
    part in it; neither the value nor a part of it stands there.
    """
    encoded = base64.b64encode(b"lliuqnrohT").decode()
    lines = [
        {"id": 1, "session": "s", "kind": "query", "payload": f"é {encoded}"},
        {"id": 2, "session": "t", "kind": "query", "payload": "thorn x"},
        {"id": 3, "session": "t", "kind": "query", "payload": "quill y"},
    ]
    alone, _, second = run(pack, policy, *lines)
    assert alone["findings"] == [
        {
            "rule": "secret.code.base64",
            "verdict": "block",
            "span": [2, 2 + len(encoded)],
            "chain": ["base64", "reversed", "letters"],
            "over": "payload",
            "calls": [],
            "size": "long",
        }
    ]
    by_rule = {finding["rule"]: finding for finding in second["findings"]}  # type: ignore[attr-defined]
    assert by_rule["split.code.pieces"] == {
        "rule": "split.code.pieces",
        "verdict": "block",
        "span": [0, 7],
        "chain": ["pieces"],
        "over": "session",
        "calls": [0],
        "size": "long",
    }
    assert not any(part in json.dumps(alone).lower() for part in ("thorn", "quill", "lliuq"))


def test_lines_of_one_session_know_each_other(pack: Pack, policy: Policy) -> None:
    """A split is seen within a session and not across two; the field's name can be chosen."""
    halves = [
        {"id": n, "case": "one", "kind": "query", "payload": p} for n, p in enumerate(("thorn x", "quill y"))
    ]
    assert [a["verdict"] for a in run(pack, policy, *halves, field="case")] == ["allow", "block"]
    halves[1]["case"] = "two"
    assert [a["verdict"] for a in run(pack, policy, *halves, field="case")] == ["allow", "allow"]


@pytest.mark.parametrize(
    "bad",
    [
        "not json",
        "[1]",
        "[" * 5000,
        {"id": "b", "kind": "letter", "payload": "x"},
        {"id": "b", "kind": "query"},
        {"id": "b", "kind": "query", "payload": 7},
        {"id": "b", "kind": "body", "payload": "!!", "b64": True},
        {"id": "b", "kind": "body", "payload": "x", "b64": "yes"},
        {"id": "b", "kind": "query", "payload": "x", "session": 4},
        {"id": "b", "kind": "body", "payload": "x", "content_type": 1},
        '{"id": "b", "kind": "query", "payload": "\\ud800"}',
    ],
)
def test_a_bad_line_gives_an_error_and_the_rest_goes_on(bad: object, pack: Pack, policy: Policy) -> None:
    """Whatever is wrong with a line, it gets an error and the next one a verdict."""
    good = {"id": "g", "session": "s", "kind": "query", "payload": "pump prices"}
    first, second = run(pack, policy, bad, good)
    assert set(first) == {"id", "error"}
    assert second["verdict"] == "allow"


def test_spans_of_text_count_characters(pack: Pack, policy: Policy) -> None:
    """For a text payload the offsets are the caller's own characters; for raw bytes they are bytes."""
    text = "für Thornquill"
    as_text = {"id": 1, "kind": "query", "payload": text}
    raw = base64.b64encode(text.encode()).decode()
    as_bytes = {"id": 2, "kind": "body", "content_type": "text/plain", "payload": raw, "b64": True}
    first, second = run(pack, policy, as_text, as_bytes)
    assert first["spans"] == [[4, 14]]
    assert second["spans"] == [[5, 15]]


def test_no_answer_repeats_a_secret(pack: Pack, policy: Policy) -> None:
    """Neither verdicts nor errors hold what was in the payload."""
    lines = [
        {"id": 1, "kind": "query", "payload": "Thornquill"},
        {"id": 2, "kind": "Thornquill", "payload": "x"},
    ]
    assert "hornquill" not in json.dumps(run(pack, policy, *lines))


@pytest.mark.parametrize("data", [b"", b"\0\0", b"\0\0\0\x09DTFP", b"\xff\xff\xff\xff", b"\0\0\0\x04abcd"])
def test_input_without_a_pack_is_refused(data: bytes, policy: Policy) -> None:
    """What does not begin with a framed pack is an error, not an empty set of secrets."""
    with pytest.raises(PackFormatError):
        run_check(io.BytesIO(data), io.StringIO(), policy, "session")


def test_a_missing_policy_file_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    """The command answers 2 and one clear line."""
    assert main(["--policy", "does-not-exist.yaml"]) == 2
    assert "cannot be read" in capsys.readouterr().err
