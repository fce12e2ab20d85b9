"""The commands that a person runs beside the sealer: verify and recover."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import AsyncIterator, Sequence

from doublethink_sealer.audit import Report, audit
from doublethink_sealer.claims import Claims, read_places, read_table
from doublethink_sealer.config import Config
from doublethink_sealer.findings import Finding, Reason
from doublethink_sealer.places import Place
from doublethink_sealer.postgres_store import PostgresStore
from doublethink_sealer.recovery import Why, open_new_origin, restore_published
from doublethink_sealer.service import make_keys, make_places, read_dsn

MOST_NOTES = 100_000
"""Notes of one log that are read in one place, from the newest down."""


async def verify(config: Config, *, as_json: bool) -> int:
    """Read the whole log in one snapshot, and hold it against every checkpoint; print what is wrong.

    Returns the exit code: 0 nothing, 1 something, 4 no place answers or the database does not.
    Raises SettingsError, DatabaseAway.
    """
    keys, dsn = make_keys(config, signing=False), read_dsn(config)
    origin = config.log.origin
    async with _open_places(config) as places:
        claims = Claims()
        # Before the snapshot begins: what is published by then is in it.
        await read_places(places, keys, [origin], MOST_NOTES, claims)
        async with PostgresStore(dsn, whole=True) as store:
            await store.check_schema()
            table = await read_table(store, keys, claims)
            report = await audit(store, origin, claims, config.limits.batch_rows)
    findings = list(report.findings)
    if table.newest not in (None, origin):
        words = f"the newest checkpoint is of the log {table.newest!r}, not of {origin!r}"
        findings.insert(0, Finding(Reason.OTHER_ORIGIN, words))
    elif origin not in claims.origins():
        words = (
            "there is no checkpoint of this log, neither in the database nor in a place: it was never sealed"
        )
        findings.append(Finding(Reason.NOTHING_PUBLISHED, words))
    elif not claims.away and not claims.of(origin):
        findings.append(Finding(Reason.PLACE_EMPTY, "no place holds a checkpoint of this log"))
    _show(report, claims, findings, as_json=as_json)
    if findings:
        return 1
    return 4 if claims.away else 0


async def recover(config: Config, why: Why | None) -> int:
    """Go on after a disaster: from the published checkpoints (None), or with a new origin. Returns 0.

    Raises SettingsError, SealingRefused, PlaceAway, DatabaseAway.
    """
    keys, dsn = make_keys(config), read_dsn(config)
    origin, batch = config.log.origin, config.limits.batch_rows
    async with _open_places(config) as places, PostgresStore(dsn) as store:
        await store.check_schema()
        if why is None:
            checkpoint = await restore_published(store, places, keys, origin, batch=batch)
            sys.stdout.write(f"stored the published checkpoint of {checkpoint.size} rows again\n")
            return 0
        statement = await open_new_origin(store, places, keys, origin, why, batch=batch)
    sys.stdout.write(
        f"opened {origin} over {statement.new.size} rows; it cites {statement.old.origin} "
        f"at {statement.old.size} rows ({statement.why.value})\n"
    )
    return 0


@contextlib.asynccontextmanager
async def _open_places(config: Config) -> AsyncIterator[Sequence[Place]]:
    places = make_places(config)
    try:
        yield places
    finally:
        for place in places:
            await place.close()


def _show(report: Report, claims: Claims, findings: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        found = [
            {"reason": one.reason.value, "words": one.words, "first": one.first, "last": one.last}
            for one in findings
        ]
        document = {
            "rows": report.rows,
            "checkpoints": claims.count,
            "compared": report.compared,
            "places_away": sorted(set(claims.away)),
            "findings": found,
        }
        sys.stdout.write(json.dumps(document) + "\n")
        return
    for one in findings:
        sys.stdout.write(f"{one}\n")
    for name in sorted(set(claims.away)):
        sys.stdout.write(f"{name} does not answer: what it holds was not compared\n")
    verdict = "the log is whole" if not findings else f"{len(findings)} findings"
    sys.stdout.write(
        f"{report.rows} rows, {claims.count} signed checkpoints, {report.compared} compared: {verdict}\n"
    )
