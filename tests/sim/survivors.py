"""What must hold after a crash and a new start: of the runs, of the ledger, of what was shown to somebody."""

from dataclasses import dataclass, field

from doublethink_sdk.client import Client
from doublethink_sdk.errors import ClientError
from doublethink_sdk.launcher.stack import Stack
from sim.witness import body_of, read_ledger, read_requests, unrecorded

FINISHED = frozenset({"answered", "not_found", "refused", "failed"})


@dataclass
class Seen:
    """What the product acknowledged to somebody.

    runs: those that it took; ends: how they ended. rows: those that it showed, by session and n. written: the
    hashes of all rows at the last look. unanswered: the ids of attempts that had no outcome then, of which
    `unsent` never reached the source.
    """

    runs: list[str] = field(default_factory=list)
    rows: dict[tuple[str, int], str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    written: list[bytes] = field(default_factory=list)
    unanswered: frozenset[str] = frozenset()
    unsent: int = 0


def watch(client: Client, session: str, seen: Seen) -> None:
    """Remember every row that the product showed to somebody, until the session closes or a process dies."""
    try:
        for event in client.follow_ledger(session):
            seen.rows[event.data["session"], event.data["n"]] = event.data["hash"]
    except ClientError:
        return  # the console is one of those that are killed


def check_recovered(stack: Stack, client: Client, seen: Seen) -> list[str]:
    """Wait until whatever was under way has ended, and hold the two records against each other.

    Returns the runs that had not ended at the last look. Raises AssertionError.
    """
    fresh = []
    for run in seen.runs:
        if run not in seen.ends:
            for _event in client.run_events(run):
                pass
        ended = client.run(run)
        assert ended["status"] in FINISHED
        assert ended["status"] != "failed" or ended["reason"]
        if run in seen.ends:
            assert ended["status"] == seen.ends[run]
        else:
            seen.ends[run] = ended["status"]
            fresh.append(run)
    check_ledger(stack, seen)
    return fresh


def check_ledger(stack: Stack, seen: Seen) -> None:
    """Hold the ledger against the source's own log, and both against what was seen before.

    Raises AssertionError.
    """
    rows, attempts = read_ledger(stack.gate_dsn, stack.gate_keys)
    requests = read_requests(stack.request_log)
    assert unrecorded(requests, attempts) == []
    hashes = [row.hash for row in rows]
    # Rows are only ever added, and none that was shown is missing.
    assert hashes[: len(seen.written)] == seen.written
    assert set(seen.rows.values()) <= {value.hex() for value in hashes}
    seen.written = hashes
    # An attempt that has no outcome never gets one from somebody who cannot know, and no row speaks of a row
    # that is not there.
    ids = {row.id.hex() for row in rows}
    bodies = [body_of(row) for row in rows]
    named = [(body["kind"], str(body["of"]).replace("-", "")) for body in bodies if "of" in body]
    assert {of for _, of in named} <= ids
    outcomes = [of for kind, of in named if kind == "outcome"]
    assert len(outcomes) == len(set(outcomes))
    unanswered = frozenset(attempt.row.id.hex() for attempt in attempts) - frozenset(outcomes)
    assert seen.unanswered <= unanswered
    seen.unanswered = unanswered
    # With nothing unrecorded, what is left of the attempts never arrived.
    seen.unsent = len(attempts) - len(requests)
