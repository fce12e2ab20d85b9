"""Puts the gate together from its configuration, and takes it apart again in order."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import certifi
import psycopg
from doublethink.gate.v1 import (
    approval_pb2,
    completion_pb2,
    ledger_pb2,
    log_pb2,
    opening_pb2,
    page_pb2,
    proof_pb2,
    record_pb2,
    recording_pb2,
    search_pb2,
    session_pb2,
)
from doublethink_rpc import Server, ServerConfig, StartRefused, failpoint, log
from doublethink_settings import read_secret

from doublethink_gate.build_digest import build_digest
from doublethink_gate.checks import make_ready
from doublethink_gate.completion import ClaudeModel, Model, ReplayModel
from doublethink_gate.config import Config, ModelConfig, ModelKind, SourceConfig, SourceKind
from doublethink_gate.database.errors import MigrationError
from doublethink_gate.database.migrate import check_schema
from doublethink_gate.egress.exchange import Exchange
from doublethink_gate.egress.inspection import ChecksInspector
from doublethink_gate.egress.rows import Rows, Who
from doublethink_gate.errors import DatabaseAway
from doublethink_gate.failpoints import Point
from doublethink_gate.fetching import FetchRules
from doublethink_gate.fetching.resolver import Resolver, SystemResolver
from doublethink_gate.fetching.transport import DirectTransport
from doublethink_gate.ledger import (
    KeyRing,
    LedgerError,
    LedgerReader,
    LedgerWriter,
    LogReader,
    Openings,
    Prover,
    SessionKeys,
)
from doublethink_gate.metrics import Metrics
from doublethink_gate.pages import Limits, PageExtractor
from doublethink_gate.policy import Policy, PolicyError, load_policy
from doublethink_gate.policy.stand_ins import as_rules
from doublethink_gate.reasons import ReasonStore
from doublethink_gate.runtime import Clock, Runtime
from doublethink_gate.services.approval import ApprovalService
from doublethink_gate.services.completion import CompletionService
from doublethink_gate.services.fetching import MAX_TEXT_BYTES
from doublethink_gate.services.ledger import LedgerService
from doublethink_gate.services.log import LogService
from doublethink_gate.services.opening import OpeningService
from doublethink_gate.services.page import PageService
from doublethink_gate.services.proof import ProofService
from doublethink_gate.services.record import RecordService
from doublethink_gate.services.recording import RecordingService
from doublethink_gate.services.search import SearchService
from doublethink_gate.services.session import SessionService
from doublethink_gate.sessions.closing import start_closing
from doublethink_gate.sessions.material import MaterialStore
from doublethink_gate.sessions.pool import make_pool
from doublethink_gate.sessions.registry import Registry
from doublethink_gate.sessions.replay import Replay
from doublethink_gate.sessions.store import SessionStore
from doublethink_gate.sources import (
    DirectPages,
    DuckDuckGoConfig,
    DuckDuckGoSource,
    RecordingError,
    ReplaySource,
    Source,
    TavilyConfig,
    TavilySource,
    read_key,
)
from doublethink_gate.sources.recording import read_file


def system_clock() -> int:
    """Return microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


@contextlib.asynccontextmanager
async def running(
    config: Config, clock: Clock = system_clock, resolver: Resolver | None = None
) -> AsyncIterator[Server]:
    """Build the gate, and give its server, not yet started; close everything behind it at the end.

    resolver: what names stand for, where it is not the machine's own that is asked.
    Raises SettingsError, StartRefused; DatabaseAway where the database does not answer.
    """
    failpoint.arm(Point, config.failpoints)
    dsn = read_secret(config.database.dsn_file, "database.dsn_file")
    await asyncio.to_thread(_check_database, dsn)
    keyring = KeyRing.load(config.keys.directory)
    try:
        policy = load_policy(config.policy.file)
    except PolicyError as error:
        raise StartRefused(str(error)) from error
    except OSError as error:
        raise StartRefused(f"the policy file cannot be read: {error.strerror}") from error
    check_providers(config, policy)
    await asyncio.to_thread(make_ready, policy)
    extractor = PageExtractor(Limits(text_bytes=MAX_TEXT_BYTES))
    direct = None
    source: Source
    if config.source.kind is SourceKind.DUCKDUCKGO:
        direct = direct_pages(policy, resolver or SystemResolver())
        asked = DuckDuckGoConfig(config.source.base_url, config.source.recency)
        source = DuckDuckGoSource(asked, direct, extractor)
    else:
        source = make_source(config.source)
    check_price(config.model, policy)
    model = make_model(config.model, source)
    prices = model.prices if isinstance(model, ReplayModel) else policy.prices
    metrics = Metrics()
    pool = make_pool(dsn, config.database.pool)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(source.close)
        stack.push_async_callback(extractor.close)
        if model is not None:
            stack.push_async_callback(model.close)
        await pool.open()
        stack.push_async_callback(pool.close)
        keys = SessionKeys(keyring, pool)
        writer = LedgerWriter(dsn, keys)
        try:
            await stack.enter_async_context(writer)
        except LedgerError as error:
            raise DatabaseAway("the database does not answer") from error
        reader = LedgerReader(pool, keys)
        store = SessionStore(pool)
        material = MaterialStore(pool)
        registry = Registry(store, keyring, metrics, config.limits.sessions_cached)
        inspector = ChecksInspector(policy, prices, registry, clock, source.name)
        who = Who(build_digest(), policy.digest, named_hosts(policy))
        rows = Rows(writer, keys, who, config.limits.append_s)
        reasons = ReasonStore(pool, keys)
        replay = Replay(reader, material, inspector, prices)
        exchange = Exchange(rows, replay, inspector, policy, metrics, reasons, clock, config.limits.send_s)
        stack.push_async_callback(exchange.drain)
        runtime = Runtime(
            limits=config.limits,
            policy=policy,
            prices=prices,
            clock=clock,
            store=store,
            material=material,
            registry=registry,
            reader=reader,
            log=LogReader(pool),
            openings=Openings(dsn, who.keys(), config.limits.append_s),
            prover=Prover(pool),
            rows=rows,
            reasons=reasons,
            exchange=exchange,
            replay=replay,
            metrics=metrics,
            source=source,
            direct=direct,
            extractor=extractor,
            model=model,
        )
        server = make_server(config, runtime)
        metrics.register(server.registry)
        stack.push_async_callback(_end, start_closing(runtime))
        log().info(
            "gate_built",
            source=config.source.kind,
            model=config.model.kind,
            stand_ins=len(policy.stand_ins.hosts),
        )
        yield server


def named_hosts(policy: Policy) -> frozenset[str]:
    """Return the hosts that the policy names one by one: these may stand in a row in clear."""
    return policy.named_hosts


def check_providers(config: Config, policy: Policy) -> None:
    """Raise StartRefused unless the policy names the hosts that the configuration has requests sent to."""
    asked = {"model.base_url": config.model.base_url} if config.model.kind is ModelKind.CLAUDE else {}
    if config.source.socket is None and config.source.recording is None:
        asked["source.base_url"] = config.source.base_url
    for key, url in asked.items():
        host = urlsplit(url).hostname or ""
        if not policy.allows_provider(host):
            raise StartRefused(f"{key} is at {host}, which the policy's providers do not name: add it there")


def check_price(config: ModelConfig, policy: Policy) -> None:
    """Raise StartRefused unless the policy has a price for the model: it bounds what the model may cost."""
    if config.kind is ModelKind.CLAUDE and policy.prices.of(config.name) is None:
        raise StartRefused(policy.prices.missing(config.name))


def make_server(config: Config, runtime: Runtime) -> Server:
    """Return a server with all of the gate's services. Raises StartRefused."""
    return Server(
        ServerConfig(
            role="gate",
            listen=config.listen.rpc,
            tls=config.tls,
            health_listen=config.listen.health,
            metrics_listen=config.listen.metrics,
            max_concurrent=config.limits.max_concurrent,
            queue=config.limits.queue,
            stop_s=config.limits.stop_s,
        ),
        [
            (session_pb2.DESCRIPTOR.services_by_name["SessionService"], SessionService(runtime)),
            (approval_pb2.DESCRIPTOR.services_by_name["ApprovalService"], ApprovalService(runtime)),
            (search_pb2.DESCRIPTOR.services_by_name["SearchService"], SearchService(runtime)),
            (page_pb2.DESCRIPTOR.services_by_name["PageService"], PageService(runtime)),
            (record_pb2.DESCRIPTOR.services_by_name["RecordService"], RecordService(runtime)),
            (recording_pb2.DESCRIPTOR.services_by_name["RecordingService"], RecordingService(runtime)),
            (completion_pb2.DESCRIPTOR.services_by_name["CompletionService"], CompletionService(runtime)),
            (ledger_pb2.DESCRIPTOR.services_by_name["LedgerService"], LedgerService(runtime)),
            (log_pb2.DESCRIPTOR.services_by_name["LogService"], LogService(runtime)),
            (opening_pb2.DESCRIPTOR.services_by_name["OpeningService"], OpeningService(runtime)),
            (proof_pb2.DESCRIPTOR.services_by_name["ProofService"], ProofService(runtime)),
        ],
    )


def make_source(config: SourceConfig) -> Source:
    """Return a search source that gives pages too.

    Raises SettingsError, StartRefused for a recording that cannot be used.
    """
    if config.recording is not None:
        try:
            return ReplaySource(read_file(config.recording))
        except RecordingError as error:
            raise StartRefused(f"the recording cannot be used: {error}") from error
    return TavilySource(
        TavilyConfig(
            base_url=config.base_url,
            raw_pages=config.kind is SourceKind.CORPUS,
            key_file=config.api_key_file,
            socket=config.socket,
        )
    )


def direct_pages(policy: Policy, resolver: Resolver) -> DirectPages:
    """Return what asks web servers by the policy's rules."""
    places = as_rules(policy.stand_ins.hosts)
    rules = FetchRules(
        policy.destinations.hosts, policy.destinations.schemes, policy.destinations.nat64, stand_ins=places
    )
    authority = policy.stand_ins.authority
    # Named, so that no variable of the environment says which authorities are believed.
    tls = (
        ssl.create_default_context(cadata=authority)
        if authority
        else ssl.create_default_context(cafile=certifi.where())
    )
    return DirectPages(rules, resolver, DirectTransport(tls, places))


def make_model(config: ModelConfig, source: Source) -> Model | None:
    """Return the model behind completions, or None.

    Raises SettingsError, StartRefused for a recording that holds no answers of a model.
    """
    if config.kind is ModelKind.REPLAY:
        if not isinstance(source, ReplaySource):
            raise StartRefused("model.kind replay answers from source.recording, and there is none")
        try:
            return ReplayModel(source.completions)
        except RecordingError as error:
            raise StartRefused(f"the recording cannot be used: {error}") from error
    if config.kind is ModelKind.NONE or config.api_key_file is None:
        return None
    return ClaudeModel(
        name=config.name,
        max_tokens=config.max_tokens,
        base_url=config.base_url,
        api_key=read_key(config.api_key_file, "model.api_key_file"),
        send_s=config.send_s,
    )


def _check_database(dsn: str) -> None:
    try:
        with psycopg.connect(dsn, connect_timeout=10) as connection:
            check_schema(connection)
    except MigrationError as error:
        raise StartRefused(str(error)) from error
    except psycopg.Error as error:
        # Without the server's words: a connection string may be quoted in them.
        raise DatabaseAway(f"the database does not answer ({type(error).__name__})") from None


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
