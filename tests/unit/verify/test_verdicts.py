"""What the standalone verifier says of a good bundle and of every kind of damage."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from doublethink_ledger import (
    Bundle,
    BundleRow,
    Checkpoint,
    Kind,
    Since,
    parse_note,
    range_root,
    sign,
    without_bodies,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sim import bundles, verifier

VERIFY = verifier.load()
LOG = bundles.log()
KEY = LOG.signer.verifier
WHOLE = LOG.bundle(since=9, opened=[1, 7, 8])
DATA = WHOLE.encode()
INDEX, HASH = b"\nindex 23\n", b"A" * 43 + b"=\n"
LINES = DATA.split(b"\n")
ROWS = len(LOG.rows)


def judge(data: bytes | Bundle, known: bytes | None = None) -> Any:
    """The report with the log's key pinned."""
    return verifier.judge(VERIFY, data if isinstance(data, bytes) else data.encode(), [KEY], known)


def resealed(rows: list[Any], **changes: Any) -> Bundle:
    """A bundle of these rows with everything signed anew by the right key: only what the rows say can be wrong."""
    return replace(bundles.Log.of(rows).bundle(), **changes)


def test_the_verifier_knows_every_kind() -> None:
    """A kind that the library gets is one that the standalone file must learn too, and the format's page."""
    assert {kind.value for kind in Kind} == VERIFY.KINDS
    page = (verifier.VERIFIER.parents[1] / "docs" / "ledger-format.md").read_text()
    assert all(f"`{kind}`" in page for kind in Kind)


def test_a_closed_session_is_complete() -> None:
    """A whole bundle is COMPLETE and says of what session, log, size and key."""
    report = judge(WHOLE)
    assert (report.verdict, report.why, report.where) == ("COMPLETE", "", None)
    assert (report.rows, report.redacted, report.opened) == (ROWS, [], [1, 7, 8])
    assert report.session == "ses_aaisem2ekvthpcezvk54zxpo74"
    assert report.checkpoint.size == len(LOG.leaves)
    assert report.checkpoint.signers == [KEY.label]


@pytest.mark.parametrize("count", range(1, ROWS))
def test_a_prefix_is_open(count: int) -> None:
    """A bundle of the first rows, with a proof of its own, is a valid prefix and says OPEN."""
    report = judge(LOG.bundle(count))
    assert (report.verdict, report.rows) == ("OPEN", count)


def expected_part(place: int) -> str | int:
    """The part that the byte at `place` belongs to."""
    line = DATA.count(b"\n", 0, place)
    if line == 0:
        return "header"
    if line <= ROWS:
        return line - 1
    if LINES[line].startswith(b'{"n":'):
        return "opening"
    if LINES[line].startswith(b'{"consistency":'):
        return "since"
    return "checkpoint" if place > DATA.rindex(b"\n\n", 0, DATA.rindex(b"\n\n")) + 1 else "proof"


def test_every_byte_of_a_small_bundle_changed_shows_and_says_where() -> None:
    """Each byte, changed in two ways, makes the bundle INVALID, at the row or the part that the byte belongs to."""
    for place in range(len(DATA)):
        for mask in (0x01, 0x20):
            changed = bytearray(DATA)
            changed[place] ^= mask
            report = judge(bytes(changed))
            assert report.verdict == "INVALID", (place, mask, DATA[max(0, place - 40) : place + 10])
            expected, got = expected_part(place), report.where
            if expected == "opening":
                got = str(got).partition(" of ")[0]
            if DATA[:place].endswith((b'"rows":', b'"rows":1')):
                # A number that is too large is told by the row that is missing.
                assert got in ("header", ROWS)
            elif expected == "header" and b'"session":' in DATA[:place]:
                # Another session is one that the first row does not begin.
                assert got in ("header", 0)
            elif expected == "proof" and place >= len(DATA) - len(WHOLE.proof.checkpoint) - 1:
                assert got in ("proof", "checkpoint")
            else:
                assert got == expected, (place, mask, report.why)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
@settings(max_examples=400, deadline=None)
def test_any_other_byte_shows_too(place: int, mask: int) -> None:
    """Whatever a byte is changed into."""
    changed = bytearray(DATA)
    changed[place] ^= mask
    assert judge(bytes(changed)).verdict == "INVALID"


@given(st.integers(0, len(DATA)), st.binary(min_size=1, max_size=3))
@settings(max_examples=300, deadline=None)
def test_any_insertion_shows(place: int, more: bytes) -> None:
    """Bytes put in anywhere, the end included, make the bundle INVALID."""
    assert judge(DATA[:place] + more + DATA[place:]).verdict == "INVALID"


@given(st.integers(0, len(DATA) - 1), st.integers(1, 200))
@settings(max_examples=300, deadline=None)
def test_any_deletion_shows(place: int, length: int) -> None:
    """Bytes taken out anywhere make the bundle INVALID, unless they were one opened payload and nothing else."""
    changed = DATA[:place] + DATA[place + length :]
    lines = changed.split(b"\n")
    if set(lines) < set(LINES) and all(
        line.startswith((b'{"n":', b'{"consistency":')) for line in set(LINES) - set(lines)
    ):
        return
    assert judge(changed).verdict == "INVALID"


def test_every_cut_of_the_file_shows() -> None:
    """A file that ends early, at whatever byte, is INVALID."""
    for length in range(len(DATA)):
        assert judge(DATA[:length]).verdict == "INVALID", length


@pytest.mark.parametrize("count", range(1, ROWS))
def test_every_cut_of_the_tail_shows(count: int) -> None:
    """Rows cut from the end are missed: by the header's count and, with the count changed too, by the proof."""
    whole = LOG.bundle()
    kept = whole.rows[:count]
    lines = whole.encode().split(b"\n")
    report = judge(b"\n".join(lines[: 1 + count] + lines[1 + ROWS :]))
    assert (report.verdict, report.where) == ("INVALID", count)
    report = judge(replace(whole, rows=kept))
    assert (report.verdict, report.where) == ("INVALID", "proof")
    assert f"row {count - 1} " in report.why


@pytest.mark.parametrize("n", range(ROWS - 1))
def test_a_row_taken_out_or_moved_shows(n: int) -> None:
    """A row missing inside, doubled, or swapped with the next is named at its place."""
    rows = WHOLE.rows
    bare = LOG.bundle()
    for changed in (
        rows[:n] + rows[n + 1 :],
        (*rows[: n + 1], *rows[n:]),
        (*rows[:n], rows[n + 1], rows[n], *rows[n + 2 :]),
    ):
        report = judge(replace(bare, rows=changed))
        assert report.verdict == "INVALID"
        assert report.where in (n, n + 1)


@pytest.mark.parametrize("n", range(ROWS))
def test_a_forger_without_a_key_is_found_out(n: int) -> None:
    """A row changed with every later hash made anew fits in itself, and is not in the signed log."""
    body = (LOG.rows[n].body or b"").replace(b"1111", b"1112", 1)
    rows = bundles.rewritten(LOG.rows, n, body)
    assert rows[n].hash != LOG.rows[n].hash
    report = judge(replace(LOG.bundle(), rows=tuple(BundleRow.of(row) for row in rows)))
    assert (report.verdict, report.where) == ("INVALID", "proof")


def test_signed_anew_with_another_key() -> None:
    """The same rows under another key, of the log's name or another, are by a stranger; with no pinned key everything
    is.
    """
    for origin in (bundles.ORIGIN, "ledger.example/other"):
        thief = bundles.key("thief", origin)
        report = judge(bundles.Log.of(LOG.rows, signer=thief).bundle())
        assert (report.verdict, report.why) == ("UNKNOWN KEY", thief.verifier.label)
    report = verifier.judge(VERIFY, DATA, [])
    assert (report.verdict, report.why) == ("UNKNOWN KEY", KEY.label)


def test_another_logs_pinned_key_does_not_sign_for_this_one() -> None:
    """A key that is pinned under another log's name vouches for that log alone."""
    other = bundles.key("other", "ledger.example/other")
    size = len(LOG.leaves)
    stolen = Checkpoint(bundles.ORIGIN, size, range_root(LOG.leaves)).encode()
    forged = replace(WHOLE, proof=replace(WHOLE.proof, checkpoint=sign(stolen, other)))
    report = verifier.judge(VERIFY, forged.encode(), [KEY, other.verifier])
    assert (report.verdict, report.where) == ("INVALID", "checkpoint")


def test_while_a_key_is_rotated_either_key_is_enough() -> None:
    """With two signatures the pinned one counts and the other is said to be unchecked; pinned, both are checked."""
    new = bundles.key("new key")
    line = sign(parse_note(WHOLE.proof.checkpoint).text, new).rpartition(b"\n\n")[2]
    both = replace(WHOLE, proof=replace(WHOLE.proof, checkpoint=WHOLE.proof.checkpoint + line), since=None)
    report = judge(both)
    assert (report.verdict, report.checkpoint.strangers) == ("COMPLETE", [new.verifier.label])
    assert verifier.judge(VERIFY, both.encode(), [new.verifier]).verdict == "COMPLETE"
    pinned = [KEY, new.verifier]
    data = both.encode()
    assert verifier.judge(VERIFY, data, pinned).checkpoint.strangers == []
    for place in range(len(data) - len(line), len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        assert verifier.judge(VERIFY, bytes(changed), pinned).verdict == "INVALID"


def test_a_body_left_out_still_verifies() -> None:
    """Row 7 without its body is named as redacted; its hash cannot be another's, nor its body come back changed."""
    redacted = without_bodies(LOG.bundle(opened=[1, 7]), [7])
    assert [opening.n for opening in redacted.openings] == [1]
    report = judge(redacted)
    assert (report.verdict, report.redacted) == ("COMPLETE", [7])
    assert "  row 7 redacted" in list(VERIFY.words(report))
    rows = list(redacted.rows)
    rows[7] = replace(rows[7], body_sha256=bytes(32))
    assert (judge(replace(redacted, rows=tuple(rows))).where) == 7
    rows[7] = replace(rows[7], body_sha256=None, body=LOG.rows[6].body)
    assert (judge(replace(redacted, rows=tuple(rows))).where) == 7


def test_every_body_may_be_left_out() -> None:
    """Without any body the chain still stands; what the rows say is then not known, and the session not seen to end."""
    report = judge(without_bodies(LOG.bundle(), range(ROWS)))
    assert (report.verdict, report.redacted) == ("OPEN", list(range(ROWS)))


def test_a_wrong_opening_shows() -> None:
    """Another nonce, another payload, another row, no commitment, doubled: INVALID, and which."""
    first = WHOLE.openings[0]
    for wrong in (
        replace(first, nonce=bytes(32)),
        replace(first, payload=first.payload + b"x"),
        replace(first, n=6),
        replace(first, n=2),
    ):
        report = judge(replace(LOG.bundle(), openings=(wrong,)))
        assert (report.verdict, report.where) == ("INVALID", f"opening of row {wrong.n}")
    for many in ((first, first), WHOLE.openings[::-1], (replace(first, n=ROWS),)):
        report = judge(replace(LOG.bundle(), openings=many))
        assert report.verdict == "INVALID"
        assert str(report.where).startswith("opening of row ")


def test_a_known_checkpoint_is_continued() -> None:
    """The same head is the same; an earlier one needs its proof in the bundle; both are said."""
    assert judge(WHOLE, LOG.checkpoint()).known_checkpoint == "the same"
    for size in range(len(LOG.leaves)):
        report = judge(LOG.bundle(since=size), LOG.checkpoint(size))
        assert (report.verdict, report.known_checkpoint) == ("COMPLETE", "continued")


def test_a_known_checkpoint_that_is_not_continued_shows() -> None:
    """A log written anew, a proof for another size, none at all, a bundle from before it: INVALID, with what to do."""
    anew = bundles.Log(LOG.rows, [bundles.digest("new"), *LOG.leaves[1:]], LOG.signer)
    cases: list[tuple[Bundle, bytes, str]] = [
        (anew.bundle(), LOG.checkpoint(), "two heads of one size"),
        (LOG.bundle(), LOG.checkpoint(9), "--since"),
        (LOG.bundle(since=8), LOG.checkpoint(9), "--since"),
        (anew.bundle(since=9), LOG.checkpoint(9), "--since"),
        (LOG.bundle(), replace_size(), "export the bundle again"),
    ]
    for bundle, known, why in cases:
        report = judge(bundle, known)
        assert (report.verdict, report.where) == ("INVALID", "known checkpoint")
        assert why in report.why


def replace_size() -> bytes:
    """A head of the log from later on."""
    return bundles.Log.of(LOG.rows, after=20).checkpoint()


def test_a_tie_to_a_log_that_was_written_anew_shows() -> None:
    """The old head with a proof from the new log, or with none, does not hold: INVALID at since."""
    anew = bundles.Log(LOG.rows, [bundles.digest("new"), *LOG.leaves[1:]], LOG.signer)
    tie = anew.bundle(since=9).since
    assert tie is not None
    for steps in (tie.consistency, ()):
        report = judge(replace(anew.bundle(), since=Since(LOG.checkpoint(9), steps)))
        assert (report.verdict, report.where) == ("INVALID", "since")
    stranger = bundles.Log.of(LOG.rows, signer=bundles.key("thief")).bundle(since=9).since
    assert judge(replace(LOG.bundle(), since=stranger)).where == "since"


def body(n: int, **changes: Any) -> bytes:
    """The body of a row with keys changed, or taken away by None: signed, as a gate in wrong hands would write it."""
    fields = {**json.loads(LOG.rows[n].body or b""), **changes}
    kept = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("n", "new"),
    [
        pytest.param(0, body(1), id="no session.open at the beginning"),
        pytest.param(1, body(0), id="opened twice"),
        pytest.param(5, body(9), id="rows behind the close"),
        pytest.param(2, body(2, of=None), id="an outcome of nothing"),
        pytest.param(2, body(2, of=str(bundles.row_id(6))), id="an outcome of a later row"),
        pytest.param(2, body(2, of=str(bundles.row_id(0))), id="an outcome of no attempt"),
        pytest.param(7, body(7, of=str(bundles.row_id(3))), id="an outcome of a stopped attempt"),
        pytest.param(5, body(5, of=str(bundles.row_id(1))), id="an approval of what was not held"),
        pytest.param(6, body(6, of=str(bundles.row_id(1))), id="an attempt let go that was not held"),
        pytest.param(8, body(8, of=str(bundles.row_id(1))), id="a fact from no outcome"),
        pytest.param(1, body(1, verdict="rewrite"), id="a rewritten attempt without what was asked for"),
        pytest.param(1, body(1, verdict="rewrite", original="5"), id="what was asked for, of another width"),
        pytest.param(3, body(3, original="5" * 64), id="what was asked for beside what was not rewritten"),
        pytest.param(3, body(3, kind="note"), id="an unknown kind"),
        pytest.param(3, body(3, bytes=1.5), id="a number that is no integer"),
        pytest.param(3, body(3, bytes=2**53), id="a number too large"),
        pytest.param(3, body(3, bytes=-1), id="a negative number"),
        pytest.param(3, body(3, rules=[1]), id="a list of numbers"),
        pytest.param(3, body(3, rules={"a": "b"}), id="an object inside"),
        pytest.param(3, body(3, commit="0"), id="a commitment of another width"),
        pytest.param(3, body(3).replace(b'{"bytes"', b'{"bytes":1,"bytes"'), id="a key twice"),
        pytest.param(3, body(3) + b" ", id="white space"),
        pytest.param(3, body(3).replace(b'"block"', b'"bl\\u006fck"'), id="another escape"),
        pytest.param(3, body(3).replace(b"block", "blöck".encode()), id="not ASCII"),
        pytest.param(3, b"\xff\x00", id="not text"),
        pytest.param(3, b"[]", id="no object"),
        pytest.param(3, b"x" * 16385, id="too long"),
    ],
)  # fmt: skip
def test_a_session_that_says_what_cannot_be(n: int, new: bytes) -> None:
    """Signed, chained and in the log, and still refused at its row: what the rows of a session promise."""
    bodies = bundles.bodies()
    bodies[n] = new
    report = judge(resealed(bundles.chain(bodies)))
    at = n + 1 if n == 5 and new == body(9) else n
    assert (report.verdict, report.where) == ("INVALID", at)


def test_a_rewritten_attempt_commits_to_both_forms() -> None:
    """Such a session is complete, and the opening of what was sent is checked as ever."""
    bodies = bundles.bodies()
    bodies[1] = body(1, verdict="rewrite", original="5" * 64)
    log = bundles.Log.of(bundles.chain(bodies))
    assert judge(log.bundle()).verdict == "COMPLETE"
    assert judge(log.bundle(opened=[1])).opened == [1]


def test_time_and_ids_of_a_signed_session() -> None:
    """A row before its predecessor in time, or with an id that was used: INVALID at it."""
    rows = list(LOG.rows)
    for n, changes in ((9, {"at_us": bundles.START_US}), (9, {"id": rows[1].id})):
        changed = [*rows[:n], bundles.relinked(rows[n], **changes)]
        report = judge(resealed(changed))
        assert (report.verdict, report.where) == ("INVALID", n)


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":04'), 4, id="a leading zero"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":4.0'), 4, id="a float"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":true'), 4, id="a boolean"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":"4"'), 4, id="a text"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":' + b"4" * 5000), 4, id="a huge number"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":4,"n":4'), 4, id="a key twice"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"m":4,"n":4'), 4, id="a key too many"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n": 4'), 4, id="white space"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":' + b"[" * 9000 + b"]" * 9000), 4, id="nested"),
        pytest.param(lambda data: data.replace(b'"n":4', b'"n":"' + b"x" * 200_000 + b'"'), 4, id="long"),
        pytest.param(lambda data: data.replace(b'"rows":10', b'"rows":0'), "header", id="no rows"),
        pytest.param(lambda data: data.replace(b'"rows":10', b'"rows":9'), "header", id="too few rows"),
        pytest.param(lambda data: data.replace(b'"rows":10', b'"rows":11'), 10, id="too many rows"),
        pytest.param(lambda data: data.replace(b'"rows":10', b'"rows":1000001'), "header", id="beyond the bound"),
        pytest.param(lambda data: data.replace(b"dtbundle/1", b"dtbundle/2"), "header", id="another format"),
        pytest.param(lambda data: data.replace(b"ses_a", b"ses_b", 1), 0, id="another session"),
        pytest.param(lambda data: data.replace(b"\nindex ", b"\nextra AAAA\nindex "), "proof", id="extra data"),
        pytest.param(lambda data: data.replace(b"\nindex 2", b"\nindex 02"), "proof", id="an index with a zero"),
        pytest.param(lambda data: data.replace(INDEX, INDEX + HASH), "proof", id="a hash too many"),
        pytest.param(lambda data: data.replace(INDEX, INDEX + HASH * 70), "proof", id="70 hashes"),
        pytest.param(lambda data: data + b"x", "checkpoint", id="something behind"),
        pytest.param(lambda data: data + b"\n", "checkpoint", id="a line behind"),
        pytest.param(lambda data: data + b"x" * 400_000, "proof", id="much behind"),
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), "header", id="other line ends"),
        pytest.param(lambda data: b"", "header", id="nothing"),
        pytest.param(lambda data: b"\n" * 100, "header", id="empty lines"),
        pytest.param(lambda data: b"x" * 9_000_000, "header", id="one long line"),
    ],
)  # fmt: skip
def test_bytes_that_no_export_writes(edit: Callable[[bytes], bytes], where: int | str) -> None:
    """Another encoding of the same is refused as well, and everything is bounded."""
    changed = edit(LOG.bundle().encode())
    assert changed != LOG.bundle().encode()
    report = judge(changed)
    assert (report.verdict, report.where) == ("INVALID", where)


@given(st.binary(max_size=600))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_verifier(data: bytes) -> None:
    """Any bytes are INVALID at some part, and never an error."""
    assert VERIFY.verify(io.BytesIO(data), [], None).verdict == "INVALID"
    after = DATA[: DATA.index(b"\n") + 1] + data
    assert VERIFY.verify(io.BytesIO(after), [], None).verdict == "INVALID"


def test_the_machines_report_says_only_what_was_proven() -> None:
    """An INVALID bundle's own claims are not in the JSON; where and why are."""
    good = json.loads(VERIFY.as_json(judge(WHOLE)))
    assert (good["verdict"], good["tree_size"], good["rows"]) == ("COMPLETE", len(LOG.leaves), ROWS)
    bad = json.loads(VERIFY.as_json(judge(DATA.replace(b'"n":4', b'"n":5', 1))))
    assert (bad["verdict"], bad["row"], bad["part"]) == ("INVALID", 4, "row")
    assert {name for name, value in bad.items() if value is not None} == {"verdict", "row", "part", "why"}


def test_what_a_bundle_says_commands_no_terminal() -> None:
    """Control characters of a forged name are shown as numbers."""
    report = VERIFY.Report(verdict="INVALID", where="header", why="\x1b[2J\u202e")
    assert list(VERIFY.words(report)) == ["INVALID at header: <U+001B>[2J<U+202E>"]
