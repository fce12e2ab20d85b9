"""A whole gate for tests: its own certificates, sockets, keys and database, and a client for every caller."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

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
from doublethink_fingerprint import build_pack, encode_pack
from doublethink_gate.config import Config, load_config
from doublethink_gate.fetching.resolver import Resolver
from doublethink_gate.process import running, system_clock
from doublethink_ledger import decode_body
from doublethink_rpc import Peer
from doublethink_rpc.certificates import Authority, make_authority
from doublethink_rpc.failpoint import VARIABLE

GATE = "doublethink.gate.v1"


@dataclass(frozen=True)
class SimSecret:
    """A confirmed secret, as a case file has it."""

    secret_class: str
    value: str
    aliases: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """The value and its aliases."""
        return (self.value, *self.aliases)


NORDWIND = SimSecret("code", "Nordwind", ("North Wind",))
LINDQVIST = SimSecret("name", "Anna Lindqvist")


def pack_of(*values: SimSecret, memo: str = "", canaries: Sequence[str] = ()) -> bytes:
    """The fingerprint pack of some secrets, as the console sends it."""
    return encode_pack(build_pack(values, memo=memo, canaries=canaries))


def granting_openings() -> str:
    """The text of the shipped policy, with opened exports granted."""
    shipped = files("doublethink_gate.policy").joinpath("default.yaml").read_text("utf-8")
    granted = shipped.replace("open_payloads: false", "open_payloads: true")
    assert granted != shipped
    return granted


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """A folder with a path that is short enough for unix sockets."""
    path = Path(tempfile.mkdtemp(prefix="dt-gate-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@dataclass
class GateFiles:
    """The files of one or more gates that are replicas of each other."""

    folder: Path
    dsn: str
    source_url: str
    model_url: str | None = None
    policy: str | None = None
    limits: dict[str, int | float] = field(default_factory=dict)
    source_kind: str = "corpus"
    source_options: tuple[str, ...] = ()
    model_kind: str = "claude"
    model_name: str = "claude-sonnet-5-5"
    model_options: dict[str, int] = field(default_factory=dict)
    recording: Path | None = None
    failpoints: bool = False
    authority: Authority = field(default_factory=make_authority)

    def __post_init__(self) -> None:
        self._secret("gate.dsn", self.dsn)
        self._secret("model.key", "sk-model-key-of-the-simulator")
        self._secret("source.key", "tvly-source-key-of-the-simulator")
        kek = self.folder / "kek"
        kek.mkdir(exist_ok=True)
        self._secret("kek/k1.key", secrets.token_hex(32))
        roles = ("gate", "console", "planner", "validator", "reader")
        self.tls = {role: self.authority.issue(role).write(self.folder) for role in roles}
        if self.policy is not None:
            (self.folder / "policy.yaml").write_text(self.policy)

    def socket(self, replica: int = 0) -> str:
        """The address of a replica."""
        return f"unix:{self.folder}/gate{replica}.sock"

    def write(self, replica: int = 0) -> Path:
        """Write a replica's configuration; return its path."""
        lines = [
            f"failpoints = {str(self.failpoints).lower()}",
            "[listen]",
            f'rpc = "{self.socket(replica)}"',
            f'health = "unix:{self.folder}/health{replica}.sock"',
            f'metrics = "unix:{self.folder}/metrics{replica}.sock"',
            "[tls]",
            'certificate = "gate.pem"',
            'key = "gate.key"',
            'authority = "authority.pem"',
            "[database]",
            'dsn_file = "gate.dsn"',
            "[keys]",
            'directory = "kek"',
            *self._source(),
        ]
        if self.model_kind == "replay":
            lines += ["[model]", 'kind = "replay"']
        elif self.model_url is not None:
            lines += ["[model]", 'kind = "claude"', f'base_url = "{self.model_url}"']
            lines += ['api_key_file = "model.key"', f'name = "{self.model_name}"']
            lines += [f"{key} = {value}" for key, value in self.model_options.items()]
        if self.policy is not None:
            lines += ["[policy]", 'file = "policy.yaml"']
        if self.limits:
            lines += ["[limits]", *(f"{key} = {value}" for key, value in self.limits.items())]
        path = self.folder / f"gate{replica}.toml"
        path.write_text("\n".join(lines) + "\n")
        return path

    def _source(self) -> list[str]:
        if self.recording is not None:
            return ["[source]", 'kind = "replay"', f'recording = "{self.recording}"']
        if self.source_kind == "duckduckgo":
            return [
                "[source]",
                'kind = "duckduckgo"',
                f'base_url = "{self.source_url}"',
                *self.source_options,
            ]
        return [
            "[source]",
            f'kind = "{self.source_kind}"',
            f'base_url = "{self.source_url}"',
            'api_key_file = "source.key"',
        ]

    def config(self, replica: int = 0) -> Config:
        """A replica's configuration, read back from its file."""
        return load_config(self.write(replica))

    def client(self, replica: int = 0) -> GateClient:
        """Clients of a replica in every role."""
        return GateClient(self, self.socket(replica))

    def _secret(self, name: str, text: str) -> None:
        file = self.folder / name
        file.write_text(text + "\n")
        file.chmod(0o600)


@dataclass(frozen=True)
class Opened:
    """A session as its console got it."""

    id: str
    console: bytes
    planner: bytes
    validator: bytes
    policy_digest: bytes


class GateClient:
    """Calls a gate in the role that each method's callers have."""

    def __init__(self, files: GateFiles, target: str) -> None:
        self._files = files
        self._target = target
        self._peers: dict[str, Peer] = {}

    def peer(self, role: str) -> Peer:
        """The connection that a role has to the gate."""
        if role not in self._peers:
            self._peers[role] = Peer(self._target, "gate", self._files.tls[role], role)
        return self._peers[role]

    async def close(self) -> None:
        """Close all connections."""
        for peer in self._peers.values():
            await peer.close()

    async def open(
        self,
        pack: bytes,
        tenant: str = "acme",
        model: session_pb2.PlannerModel | None = None,
        **budgets: int,
    ) -> Opened:
        """Open a session."""
        answer = await self.peer("console").call(
            f"{GATE}.SessionService/OpenSession",
            session_pb2.OpenSessionRequest(
                fingerprint_pack=pack,
                tenant=tenant,
                budgets=session_pb2.Budgets(**budgets),
                planner_model=model,
            ),
            session_pb2.OpenSessionResponse,
        )
        return Opened(
            answer.session_id,
            answer.console_capability,
            answer.planner_capability,
            answer.validator_capability,
            answer.policy_digest,
        )

    async def end(self, session: Opened) -> int:
        """Close a session; return the number of its rows."""
        answer = await self.peer("console").call(
            f"{GATE}.SessionService/CloseSession",
            session_pb2.CloseSessionRequest(),
            session_pb2.CloseSessionResponse,
            capability=session.console,
        )
        return answer.rows

    async def search(self, session: Opened, query: str) -> search_pb2.SearchResponse:
        """Search as the planner does."""
        return await self.peer("planner").call(
            f"{GATE}.SearchService/Search",
            search_pb2.SearchRequest(query=query),
            search_pb2.SearchResponse,
            capability=session.planner,
        )

    async def release(self, session: Opened, hold_id: str) -> search_pb2.ReleaseResponse:
        """Ask for a held query as the planner does."""
        return await self.peer("planner").call(
            f"{GATE}.SearchService/Release",
            search_pb2.ReleaseRequest(hold_id=hold_id),
            search_pb2.ReleaseResponse,
            capability=session.planner,
        )

    async def holds(self, session: Opened) -> list[approval_pb2.Hold]:
        """List the session's held queries as the console does."""
        answer = await self.peer("console").call(
            f"{GATE}.ApprovalService/ListHolds",
            approval_pb2.ListHoldsRequest(),
            approval_pb2.ListHoldsResponse,
            capability=session.console,
        )
        return list(answer.holds)

    async def decide(
        self, session: Opened, hold: approval_pb2.Hold, *, approve: bool = True, commitment: bytes = b""
    ) -> None:
        """Decide about a held query, as it was listed unless another commitment is given."""
        await self.peer("console").call(
            f"{GATE}.ApprovalService/Decide",
            approval_pb2.DecideRequest(
                hold_id=hold.hold_id,
                commitment=commitment or hold.commitment,
                approval=approval_pb2.APPROVAL_APPROVE if approve else approval_pb2.APPROVAL_REJECT,
                approver="a.person@example.org",
            ),
            approval_pb2.DecideResponse,
            capability=session.console,
        )

    async def fetch(
        self, session: Opened, query_id: str, pages: int = 8, **more: Any
    ) -> list[page_pb2.FetchPagesResponse]:
        """Fetch pages as the validator does."""
        request = page_pb2.FetchPagesRequest(query_id=query_id, pages=pages, **more)
        stream = self.peer("validator").stream(
            f"{GATE}.PageService/FetchPages",
            request,
            page_pb2.FetchPagesResponse,
            capability=session.validator,
        )
        return [message async for message in stream]

    async def page(self, session: Opened, page_id: str) -> page_pb2.Page:
        """Get a stored page."""
        answer = await self.peer("validator").call(
            f"{GATE}.PageService/GetPage",
            page_pb2.GetPageRequest(page_id=page_id),
            page_pb2.GetPageResponse,
            capability=session.validator,
        )
        return answer.page

    async def record(self, session: Opened, fact: record_pb2.Fact) -> str:
        """Record a fact; return its id."""
        answer = await self.peer("validator").call(
            f"{GATE}.RecordService/RecordFact",
            record_pb2.RecordFactRequest(fact=fact),
            record_pb2.RecordFactResponse,
            capability=session.validator,
        )
        return answer.fact_id

    async def facts(self, session: Opened, *ids: str) -> list[record_pb2.RecordedFact]:
        """Get facts."""
        answer = await self.peer("validator").call(
            f"{GATE}.RecordService/GetFacts",
            record_pb2.GetFactsRequest(fact_ids=ids),
            record_pb2.GetFactsResponse,
            capability=session.validator,
        )
        return list(answer.facts)

    async def complete(
        self,
        capability: bytes,
        query_id: str,
        page_ids: Sequence[str],
        template: completion_pb2.Template = completion_pb2.TEMPLATE_EXTRACT_CLAIMS,
    ) -> str:
        """Ask the model as the reader does."""
        answer = await self.peer("reader").call(
            f"{GATE}.CompletionService/Complete",
            completion_pb2.CompleteRequest(template=template, query_id=query_id, page_ids=page_ids),
            completion_pb2.CompleteResponse,
            capability=capability,
        )
        return answer.completion

    async def rows(self, session: Opened, after_n: int = -1, *, follow: bool = False) -> list[ledger_pb2.Row]:
        """List the session's ledger rows."""
        stream = self.peer("console").stream(
            f"{GATE}.LedgerService/ListRows",
            ledger_pb2.ListRowsRequest(after_n=after_n, follow=follow),
            ledger_pb2.ListRowsResponse,
            capability=session.console,
        )
        return [message.row async for message in stream]

    async def bodies(self, session: Opened) -> list[dict[str, Any]]:
        """The bodies of the session's rows."""
        return [dict(decode_body(row.body)) for row in await self.rows(session)]

    async def log(self, after_seq: int = -1, **more: Any) -> list[log_pb2.LogRow]:
        """Read the log of all sessions."""
        stream = self.peer("console").stream(
            f"{GATE}.LogService/ListLog",
            log_pb2.ListLogRequest(after_seq=after_seq, **more),
            log_pb2.ListLogResponse,
        )
        return [message.row async for message in stream]

    async def openings(self, session: Opened, after_n: int = -1) -> list[opening_pb2.OpenPayloadsResponse]:
        """Have a session's payloads opened for an export."""
        stream = self.peer("console").stream(
            f"{GATE}.OpeningService/OpenPayloads",
            opening_pb2.OpenPayloadsRequest(after_n=after_n),
            opening_pb2.OpenPayloadsResponse,
            capability=session.console,
        )
        return [message async for message in stream]

    async def recording(self, session: Opened, pack: bytes) -> bytes | recording_pb2.RecordingRefused:
        """Have a session recorded: the file, or why there is none."""
        stream = self.peer("console").stream(
            f"{GATE}.RecordingService/RecordSession",
            recording_pb2.RecordSessionRequest(fingerprint_pack=pack),
            recording_pb2.RecordSessionResponse,
            capability=session.console,
        )
        messages = [message async for message in stream]
        refused = [message.refused for message in messages if message.HasField("refused")]
        return refused[0] if refused else b"".join(message.piece.data for message in messages)

    async def explain(self, session: Opened, row_id: bytes) -> ledger_pb2.ExplainAttemptResponse:
        """Ask why an attempt was stopped."""
        return await self.peer("console").call(
            f"{GATE}.LedgerService/ExplainAttempt",
            ledger_pb2.ExplainAttemptRequest(row_id=row_id),
            ledger_pb2.ExplainAttemptResponse,
            capability=session.console,
        )

    async def prove(self, session: Opened, since_size: int = 0) -> proof_pb2.ProveSessionResponse:
        """Ask for the proof of a session's last sealed row."""
        return await self.peer("console").call(
            f"{GATE}.ProofService/ProveSession",
            proof_pb2.ProveSessionRequest(since_size=since_size),
            proof_pb2.ProveSessionResponse,
            capability=session.console,
        )

    async def payload(self, session: Opened, row_id: bytes) -> bytes:
        """Open the payload of a row."""
        answer = await self.peer("console").call(
            f"{GATE}.LedgerService/OpenPayload",
            ledger_pb2.OpenPayloadRequest(row_id=row_id),
            ledger_pb2.OpenPayloadResponse,
            capability=session.console,
        )
        return answer.payload


@contextlib.asynccontextmanager
async def gate_running(
    files: GateFiles,
    replica: int = 0,
    clock: Callable[[], int] = system_clock,
    resolver: Resolver | None = None,
) -> AsyncIterator[GateClient]:
    """A gate in this process while the block runs, with its clients."""
    async with running(files.config(replica), clock, resolver) as server:
        await server.start()
        client = files.client(replica)
        try:
            yield client
        finally:
            await client.close()
            await server.stop(grace=1.0)


class GateProcess:
    """A gate in a process of its own."""

    def __init__(self, files: GateFiles, replica: int = 0, failpoints: str = "") -> None:
        self._config = files.write(replica)
        self._environment = {"PATH": "/usr/bin:/bin"} | ({VARIABLE: failpoints} if failpoints else {})
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self.log: list[str] = []

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it; return when it serves."""
        command = (sys.executable, "-m", "doublethink_gate", "serve", "--config", str(self._config))
        self._process = await asyncio.create_subprocess_exec(
            *command, env=self._environment, stderr=asyncio.subprocess.PIPE
        )
        serving = asyncio.get_running_loop().create_future()
        self._reading = asyncio.create_task(self._read(serving))
        await asyncio.wait_for(serving, 60)

    async def stop(self) -> int:
        """Ask it to stop, if it still runs; return its exit status."""
        assert self._process is not None
        assert self._reading is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        status = await asyncio.wait_for(self._process.wait(), 60)
        await self._reading
        return status

    async def ended(self) -> int:
        """Wait for it to end by itself; return its exit status."""
        assert self._process is not None
        assert self._reading is not None
        status = await asyncio.wait_for(self._process.wait(), 60)
        await self._reading
        return status

    async def _read(self, serving: asyncio.Future[None]) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self.log.append(line.decode())
            if b'"server_started"' in line and not serving.done():
                serving.set_result(None)
        if not serving.done():
            serving.set_exception(AssertionError("the gate ended: " + "".join(self.log)))


@contextlib.asynccontextmanager
async def gate_process(
    files: GateFiles, replica: int = 0, failpoints: str = ""
) -> AsyncIterator[GateProcess]:
    """A gate in a process of its own while the block runs."""
    process = GateProcess(files, replica, failpoints)
    await process.start()
    try:
        yield process
    finally:
        await process.stop()
