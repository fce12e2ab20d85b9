"""The sealer put together, and its life: start, seal, publish, look again, stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from doublethink_ledger import Checkpoint
from doublethink_rpc import failpoint, log
from doublethink_rpc.health import Health
from doublethink_rpc.metrics import MetricsListener
from doublethink_settings import SettingsError, read_secret

from doublethink_sealer.claims import Claim
from doublethink_sealer.config import Config, load_store_config
from doublethink_sealer.errors import DatabaseAway, SealingRefused
from doublethink_sealer.failpoints import Point
from doublethink_sealer.findings import Reason
from doublethink_sealer.keys import Keys, load_keys
from doublethink_sealer.log_store import LogStore
from doublethink_sealer.metrics import Metrics
from doublethink_sealer.places import FolderPlace, Place
from doublethink_sealer.postgres_store import PostgresStore
from doublethink_sealer.publishing import Publisher
from doublethink_sealer.resume import Allowed, named, resume
from doublethink_sealer.sealing import Sealer
from doublethink_sealer.walk import Walk, rehash_to

HEALTH_NAME: Final = "doublethink.sealer"
_LONGEST_PAUSE_S: Final = 10.0
_MOST_MISSING: Final = 1000
_LAST_S: Final = 5.0
"""How long the end waits for what was sealed last to be published."""


def make_places(config: Config) -> list[Place]:
    """Return the configured places, by their numbers. Raises SettingsError."""
    places: list[Place] = [
        FolderPlace(f"folder-{n}", path) for n, path in enumerate(config.places.folders, 1)
    ]
    if config.places.object_stores:
        # Not at the top: the client library takes a third of a second, and a laptop has no store.
        from doublethink_sealer.places.object_store import ObjectStorePlace

        for n, path in enumerate(config.places.object_stores, 1):
            places.append(ObjectStorePlace(f"store-{n}", load_store_config(path)))
    return places


def make_keys(config: Config, *, signing: bool = True) -> Keys:
    """Return the configured keys. Raises SettingsError where none signs, or none may be believed."""
    keys = load_keys(config.log.origin, config.keys.sign, config.keys.trusted)
    if signing and not keys.signing:
        raise SettingsError("keys.sign must name at least one key")
    if not any(key.name == config.log.origin for key in keys.trusted):
        raise SettingsError(f"no key under [keys] has the name of the log, {config.log.origin}")
    return keys


def read_dsn(config: Config) -> str:
    """Return the connection string. Raises SettingsError."""
    return read_secret(config.database.dsn_file, "database.dsn_file")


@dataclass(frozen=True, slots=True)
class _Parts:
    config: Config
    keys: Keys
    places: Sequence[Place]
    metrics: Metrics
    store: LogStore
    # Another connection: a long reading must not hold the sealing up.
    reading: LogStore
    allowed: Allowed
    mark: Path | None

    async def check_against(self, found: Checkpoint) -> None:
        """Compare a published checkpoint with the log. Raises SealingRefused, DatabaseAway."""
        limits, origin = self.config.limits, self.config.log.origin
        head = await self.reading.head()
        walk = Walk(heads=0)
        try:
            await rehash_to(self.reading, walk, found.size, limits.batch_rows)
            if walk.size != found.size or walk.tree.root() != found.root:
                raise SealingRefused(
                    Reason.REWRITTEN, f"the rows are not those of the checkpoint {found.size}"
                )
            if head is None or head.size < found.size:
                raise SealingRefused(
                    Reason.CHECKPOINTS_MISSING, "the database's checkpoints end before the published"
                )
        except SealingRefused as refused:
            claims = [Claim(found, "a place")]
            raise await named(
                self.reading, self.keys, origin, claims, refused, limits.batch_rows
            ) from refused


async def serve(config: Config, allowed: Allowed, mark: Path | None = None) -> None:
    """Seal until a signal ends it. mark: a file that is removed once the log is published.

    Raises SettingsError, StartRefused, DatabaseAway at the start, SealingRefused.
    """
    failpoint.arm(Point, config.failpoints)
    keys, dsn = make_keys(config), read_dsn(config)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with contextlib.AsyncExitStack() as stack:
        places = make_places(config)
        for place in places:
            stack.push_async_callback(place.close)
        metrics = Metrics([place.name for place in places])
        health = await stack.enter_async_context(_listening(config, metrics))
        _declare(keys, places)
        store = await stack.enter_async_context(PostgresStore(dsn))
        await store.check_schema()
        reading = await stack.enter_async_context(PostgresStore(dsn))
        parts = _Parts(config, keys, places, metrics, store, reading, allowed, mark)
        try:
            await _seal_until(parts, health, ended)
        except SealingRefused as refused:
            metrics.refuse(refused.finding)
            log().error("sealing_refused", reason=refused.finding.reason)
            await health.stopping()
            sys.stderr.write(f"sealer: {refused}\n")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), config.limits.refused_linger_s)
            raise
    log().info("server_stopped")


@contextlib.asynccontextmanager
async def _listening(config: Config, metrics: Metrics) -> AsyncIterator[Health]:
    """Health and metrics answer from the first moment: a long start is seen, and so is why it ended."""
    health = Health(config.listen.health, (HEALTH_NAME,))
    await health.start()
    listener = None
    try:
        if config.listen.metrics is not None:
            listener = MetricsListener(config.listen.metrics, metrics.registry)
            await listener.start()
        yield health
    finally:
        if listener is not None:
            await listener.stop()
        await health.stop()


def _declare(keys: Keys, places: Sequence[Place]) -> None:
    """Say who signs and what is called over a network: once, at the start, for a person."""
    for key in keys.signing:
        sys.stdout.write(f"ledger key {key.verifier.format()}\n")
    for place in places:
        called = f"calls {place.egress}" if place.egress is not None else "calls nothing"
        sys.stdout.write(f"publishes to {place.name}: {place.where}, {called}\n")
    sys.stdout.flush()


async def _seal_until(parts: _Parts, health: Health, ended: asyncio.Event) -> None:
    config, limits = parts.config, parts.config.limits
    resumed = await resume(
        parts.store,
        parts.places,
        parts.keys,
        config.log.origin,
        parts.allowed,
        batch=limits.batch_rows,
        heads=limits.heads,
    )
    log().info("log_read", rows=resumed.walk.size, places=len(resumed.published))
    publishers = []
    for number, place in enumerate(parts.places, 1):
        publisher = Publisher(
            place,
            number,
            parts.keys,
            config.log.origin,
            parts.check_against,
            parts.metrics,
            time.monotonic,
            may_be_empty=parts.allowed.empty(place.name),
            every_s=limits.publish_every_s,
            late_after_s=limits.late_after_s,
        )
        if place.name in resumed.published:
            publisher.met(resumed.published[place.name])
        publishers.append(publisher)

    def offer(head: Any) -> None:
        for publisher in publishers:
            publisher.offer(head)

    sealer = Sealer(
        parts.store,
        parts.keys,
        config.log.origin,
        resumed,
        parts.metrics,
        offer,
        time.monotonic,
        batch=limits.batch_rows,
    )
    await sealer.seal()
    if resumed.head is not None and sealer.head is resumed.head:
        # Nothing new to seal; what was sealed before may not have reached every place.
        offer(resumed.head)
    work = [
        *(publisher.run() for publisher in publishers),
        _seal_on(sealer, limits.seal_every_s, ended),
        _audit_on(parts, sealer),
        _say_serving(health, publishers, parts.mark),
    ]
    await _until_ended(work, ended)
    await health.stopping()
    await _end(sealer, publishers)


async def _end(sealer: Sealer, publishers: Sequence[Publisher]) -> None:
    """What was written up to now is sealed and published, in the time that there is."""
    try:
        async with asyncio.timeout(_LAST_S):
            await sealer.seal()
            await asyncio.gather(*(publisher.publish() for publisher in publishers))
    except (DatabaseAway, TimeoutError) as error:
        # The rows are in the database, and the next start seals them.
        log().warning("end_not_sealed", error=error)


async def _say_serving(health: Health, publishers: Sequence[Publisher], mark: Path | None) -> None:
    """Healthy once one place has everything: a first start that published nothing is none."""
    waiting = [asyncio.create_task(publisher.complete.wait()) for publisher in publishers]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
    if mark is not None:
        await asyncio.to_thread(mark.unlink, missing_ok=True)
    await health.serving()
    log().info("server_started", services=0)
    await asyncio.Event().wait()


async def _seal_on(sealer: Sealer, every_s: float, ended: asyncio.Event) -> None:
    pause = every_s
    while not ended.is_set():
        await asyncio.sleep(pause)
        try:
            await sealer.seal()
            pause = every_s
        except DatabaseAway as error:
            log().warning("database_unavailable", error=error)
            pause = min(2 * pause, max(_LONGEST_PAUSE_S, every_s))


async def _audit_on(parts: _Parts, sealer: Sealer) -> None:
    """From time to time read everything that is sealed again."""
    while True:
        await asyncio.sleep(parts.config.limits.audit_every_s)
        head = sealer.head
        if head is None:
            continue
        try:
            await parts.check_against(Checkpoint(head.origin, head.size, head.root))
            missing = await _missing_payloads(parts, head.size)
        except DatabaseAway as error:
            log().warning("audit_interrupted", error=error)
            continue
        parts.metrics.audits.inc()
        parts.metrics.payloads_missing.set(missing)
        if missing:
            log().error("payloads_missing", payloads=missing)
        log().info("log_read_again", rows=head.size)


async def _missing_payloads(parts: _Parts, size: int) -> int:
    """How many payloads are gone without a redaction, counted up to the bound. Sealing goes on: the rows are whole, and
    what is not sealed proves nothing. Raises DatabaseAway.
    """
    found, batch = 0, parts.config.limits.batch_rows
    for first in range(0, size, batch):
        room = _MOST_MISSING - found
        found += len(await parts.reading.missing_payloads(first, min(first + batch, size) - 1, room))
        if found >= _MOST_MISSING:
            break
    return found


async def _until_ended(work: Sequence[Coroutine[Any, Any, None]], ended: asyncio.Event) -> None:
    """Run until the end is asked for. Raises what one of the works raises; all have ended by then."""
    tasks = [asyncio.create_task(one) for one in work]
    asked = asyncio.create_task(ended.wait())
    try:
        await asyncio.wait([asked, *tasks], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (asked, *tasks):
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
