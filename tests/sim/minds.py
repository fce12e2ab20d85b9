"""Stand-ins for gate, planner and validator, over real connections; what they were asked is kept."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import approval_pb2 as approval
from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink.gate.v1 import log_pb2 as log
from doublethink.gate.v1 import record_pb2 as record
from doublethink.gate.v1 import search_pb2 as search
from doublethink.gate.v1 import session_pb2 as session
from doublethink.planner.v1 import research_pb2 as research
from doublethink.validator.v1 import composition_pb2 as composition
from doublethink.validator.v1 import examination_pb2 as examination
from doublethink_rpc import Call, RpcError, Server, ServerConfig, TlsFiles
from doublethink_rpc.certificates import make_authority


def minted(prefix: str) -> str:
    """A fresh id of the gate's form."""
    return f"{prefix}_{base64.b32encode(secrets.token_bytes(16)).decode().rstrip('=').lower()}"


@dataclass
class SimSession:
    """An open session of the stand-in gate."""

    id: str
    console: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    planner: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    validator: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    rows: list[ledger.Row] = field(default_factory=list)
    erased: set[bytes] = field(default_factory=set)
    payloads: dict[bytes, bytes] = field(default_factory=dict)
    reasons: dict[bytes, ledger.ExplainAttemptResponse] = field(default_factory=dict)
    queries: dict[str, str] = field(default_factory=dict)
    closed: bool = False


def _nothing_blocked(query: str) -> int:
    return 0


@dataclass
class SimWorld:
    """What the stand-ins know and do.

    `judge` gives the code with which a query is refused, 0 to let it through. `numbers` maps a text that a
    query holds to the figure found for it; `verdicts` likewise to another verdict than FOUND.
    """

    sessions: list[SimSession] = field(default_factory=list)
    judge: Callable[[str], int] = _nothing_blocked
    results: int = 3
    numbers: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, figures.Verdict] = field(default_factory=dict)
    searched: list[str] = field(default_factory=list)
    examined: list[examination.ExamineRequest] = field(default_factory=list)
    composed: list[composition.ComposeRequest] = field(default_factory=list)
    opened: list[session.OpenSessionRequest] = field(default_factory=list)
    facts: dict[str, int] = field(default_factory=dict)
    compose_code: int = 0
    rivals: list[tuple[int, int]] = field(default_factory=list)
    log_code: int = 0
    search_gate: asyncio.Event | None = None
    holds: dict[str, approval.Hold] = field(default_factory=dict)
    decided: list[approval.DecideRequest] = field(default_factory=list)
    decision: asyncio.Event = field(default_factory=asyncio.Event)

    def of(self, capability: bytes | None, role: str) -> SimSession:
        """The session that a capability opens for a role."""
        for known in self.sessions:
            if getattr(known, role) == capability:
                return known
        raise RpcError(errors.ERROR_CODE_CAPABILITY_REFUSED)

    def add_row(
        self, known: SimSession, body: Mapping[str, object], payload: bytes | None = None
    ) -> ledger.Row:
        """Write a row."""
        seq = sum(len(each.rows) for each in self.sessions)
        row = ledger.Row(
            seq=seq,
            n=len(known.rows),
            id=secrets.token_bytes(16),
            at_us=1_700_000_000_000_000 + seq,
            prev=secrets.token_bytes(32),
            body=json.dumps(dict(body)).encode(),
            hash=secrets.token_bytes(32),
        )
        known.rows.append(row)
        if payload is not None:
            known.payloads[row.id] = payload
        return row


class SimSessions:
    """The gate's SessionService."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def OpenSession(  # noqa: N802 - the contract's name
        self, request: session.OpenSessionRequest, call: Call
    ) -> session.OpenSessionResponse:
        """A session without any check."""
        self._world.opened.append(request)
        known = SimSession(minted("ses"))
        self._world.sessions.append(known)
        self._world.add_row(known, {"kind": "session.open"})
        return session.OpenSessionResponse(
            session_id=known.id,
            console_capability=known.console,
            planner_capability=known.planner,
            validator_capability=known.validator,
            policy_digest=bytes(32),
        )

    async def CloseSession(  # noqa: N802 - the contract's name
        self, request: session.CloseSessionRequest, call: Call
    ) -> session.CloseSessionResponse:
        """End a session."""
        known = self._world.of(call.capability, "console")
        if known.closed:
            raise RpcError(errors.ERROR_CODE_SESSION_CLOSED)
        self._world.add_row(known, {"kind": "session.close", "reason": "closed"})
        known.closed = True
        return session.CloseSessionResponse(rows=len(known.rows))


class SimSearch:
    """The gate's SearchService."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def Search(self, request: search.SearchRequest, call: Call) -> search.SearchResponse:  # noqa: N802 - the contract's name
        """Judge, write the row, answer."""
        world = self._world
        known = world.of(call.capability, "planner")
        if world.search_gate is not None:
            await world.search_gate.wait()
        world.searched.append(request.query)
        code = world.judge(request.query)
        body = {"kind": "attempt", "method": "search", "host": "search.example", "rules": []}
        if code:
            world.add_row(known, body | {"verdict": "block", "rules": ["secret.code"]})
            raise RpcError(code)
        payload = json.dumps({"query": request.query}).encode()
        attempt = world.add_row(known, body | {"verdict": "allow"}, b"POST /search\n\n" + payload)
        world.add_row(
            known, {"kind": "outcome", "of": attempt.id.hex(), "status": "sent", "page": minted("pag")}
        )
        query = minted("qry")
        known.queries[query] = request.query
        counts = [search.ClassCount(source_class=figures.SOURCE_CLASS_COMPANY, results=world.results)]
        return search.SearchResponse(query_id=query, counts=counts if world.results else [])

    async def Release(self, request: search.ReleaseRequest, call: Call) -> search.ReleaseResponse:  # noqa: N802 - the contract's name
        """Nothing is held here that a planner could ask for."""
        del request
        self._world.of(call.capability, "planner")
        raise RpcError(errors.ERROR_CODE_ID_REFUSED)


class SimApproval:
    """The gate's ApprovalService: the holds that a test gives its world."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def ListHolds(  # noqa: N802 - the contract's name
        self, request: approval.ListHoldsRequest, call: Call
    ) -> approval.ListHoldsResponse:
        """What waits."""
        del request
        self._world.of(call.capability, "console")
        return approval.ListHoldsResponse(holds=list(self._world.holds.values()))

    async def Decide(self, request: approval.DecideRequest, call: Call) -> approval.DecideResponse:  # noqa: N802 - the contract's name
        """Take the decision, if it is over what was listed."""
        self._world.of(call.capability, "console")
        hold = self._world.holds.get(request.hold_id)
        if hold is None or hold.commitment != request.commitment:
            raise RpcError(errors.ERROR_CODE_ID_REFUSED)
        del self._world.holds[request.hold_id]
        self._world.decided.append(request)
        self._world.decision.set()
        return approval.DecideResponse()


class SimLedger:
    """The gate's LedgerService."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def ListRows(  # noqa: N802 - the contract's name
        self, request: ledger.ListRowsRequest, call: Call
    ) -> AsyncIterator[ledger.ListRowsResponse]:
        """The rows; followed until the session is closed."""
        known = self._world.of(call.capability, "console")
        after = request.after_n
        while True:
            for row in known.rows[after + 1 :]:
                after = row.n
                yield ledger.ListRowsResponse(row=row)
            if known.closed or not request.follow:
                return
            await asyncio.sleep(0.01)

    async def OpenPayload(self, request: ledger.OpenPayloadRequest, call: Call) -> ledger.OpenPayloadResponse:  # noqa: N802 - the contract's name
        """What was allowed to leave."""
        known = self._world.of(call.capability, "console")
        if request.row_id not in known.payloads:
            raise RpcError(errors.ERROR_CODE_ID_REFUSED)
        return ledger.OpenPayloadResponse(payload=known.payloads[request.row_id])

    async def ExplainAttempt(  # noqa: N802 - the contract's name
        self, request: ledger.ExplainAttemptRequest, call: Call
    ) -> ledger.ExplainAttemptResponse:
        """What a test gave for the row."""
        known = self._world.of(call.capability, "console")
        return known.reasons.get(request.row_id, ledger.ExplainAttemptResponse())


class SimLog:
    """The gate's LogService."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def ListLog(  # noqa: N802 - the contract's name
        self, request: log.ListLogRequest, call: Call
    ) -> AsyncIterator[log.ListLogResponse]:
        """The rows of all sessions."""
        if self._world.log_code:
            raise RpcError(self._world.log_code)
        rows = sorted(
            ((known, row) for known in self._world.sessions for row in known.rows),
            key=lambda pair: pair[1].seq,
        )
        after = rows[-1][1].seq - 1 if request.newest and rows else request.after_seq
        given = 0
        for known, row in rows:
            about = json.loads(row.body).get("of_session")
            if row.seq <= after or row.at_us < request.since_us:
                continue
            if request.session_id not in ("", known.id, about):
                continue
            if given == (request.limit or 1000):
                return
            given += 1
            yield log.ListLogResponse(
                row=log.LogRow(session_id=known.id, row=row, erased=row.id in known.erased)
            )


class SimExamination:
    """The validator's ExaminationService."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def Examine(self, request: examination.ExamineRequest, call: Call) -> examination.ExamineResponse:  # noqa: N802 - the contract's name
        """A figure, if the world knows one for the query."""
        world = self._world
        known = world.of(call.capability, "validator")
        world.examined.append(request)
        query = known.queries[request.query_id]
        for words, verdict in world.verdicts.items():
            if words in query:
                return examination.ExamineResponse(verdict=verdict)
        for words, number in world.numbers.items():
            if words in query:
                fact = minted("fct")
                world.facts[fact] = number
                observation = examination.Observation(
                    fact_id=fact,
                    value=figures.Decimal(mantissa=number, exponent=6),
                    unit=figures.Unit(measure=figures.MEASURE_USD),
                    period=request.period,
                )
                return examination.ExamineResponse(verdict=figures.VERDICT_FOUND, observations=[observation])
        return examination.ExamineResponse(verdict=figures.VERDICT_NOT_FOUND)


class SimComposition:
    """The validator's CompositionService."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world

    async def Compose(self, request: composition.ComposeRequest, call: Call) -> composition.ComposeResponse:  # noqa: N802 - the contract's name
        """The figures with made-up quotes, and the first operation's difference."""
        world = self._world
        world.of(call.capability, "validator")
        world.composed.append(request)
        if world.compose_code:
            raise RpcError(world.compose_code)
        unit = figures.Unit(measure=figures.MEASURE_USD)
        answer = composition.ComposeResponse(text="A composed answer.")

        def figure(fact: str, number: int) -> composition.AnswerFigure:
            return composition.AnswerFigure(
                fact_id=fact,
                value=figures.Decimal(mantissa=number, exponent=6),
                unit=unit,
                period="fiscal 2023",
                quotes=[
                    composition.Quote(
                        role=record.SPAN_ROLE_FIGURE, text=f"Net sales {number}", start=12, end=40
                    )
                ],
                url="https://www.example.com/filing",
                page_sha256=b"\x01" * 32,
                raw_sha256=b"\x02" * 32,
                fetched_at_us=1,
                direction=figures.DIRECTION_NONE,
            )

        answer.figures.extend(figure(fact, world.facts.get(fact, 7)) for fact in request.fact_ids)
        answer.rivals.extend(
            composition.Rival(group=group, figure=figure(minted("fct"), number))
            for group, number in world.rivals
        )
        for operation in request.operations:
            answer.derived.add(
                kind=operation.kind,
                operand_fact_ids=operation.fact_ids,
                value=figures.Decimal(mantissa=25, exponent=-1),
                unit=unit,
                formula="first minus second",
            )
        return answer


Script = Callable[[research.ResearchRequest], AsyncIterator[research.ResearchEvent]]


@dataclass
class SimPlanner:
    """The planner's ResearchService, playing a script."""

    script: Script
    requests: list[research.ResearchRequest] = field(default_factory=list)

    async def Research(  # noqa: N802 - the contract's name
        self, request: research.ResearchRequest, call: Call
    ) -> AsyncIterator[research.ResearchResponse]:
        """Play the script from after the history."""
        self.requests.append(request)
        async for event in self.script(request):
            yield research.ResearchResponse(event=event)


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """A folder whose path is short enough for unix sockets."""
    path = Path(tempfile.mkdtemp(prefix="dt-m-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Place:
    """A folder with certificates and an address for every role."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._authority = make_authority()

    def tls(self, role: str) -> TlsFiles:
        """Fresh certificates of a role."""
        where = self.folder / f"{role}-tls"
        where.mkdir(exist_ok=True)
        return self._authority.issue(role).write(where)

    def address(self, role: str, kind: str = "rpc") -> str:
        """The socket of a role."""
        return f"unix:{self.folder / f'{role}-{kind}.sock'}"

    def server(self, role: str, services: Sequence[tuple[object, object]]) -> Server:
        """A server of a role."""
        config = ServerConfig(
            role=role,
            listen=self.address(role),
            tls=self.tls(role),
            health_listen=self.address(role, "health"),
            metrics_listen=None,
        )
        return Server(config, services)  # type: ignore[arg-type]  # descriptors from generated code

    def peers_toml(self, role: str, peers: Sequence[str]) -> str:
        """The sections [listen], [tls] and [peers] of a configuration, without the listener's own key."""
        tls = self.tls(role)
        lines = [
            "[tls]",
            f'certificate = "{tls.certificate}"',
            f'key = "{tls.key}"',
            f'authority = "{tls.authority}"',
            "[peers]",
            *(f'{peer} = "{self.address(peer)}"' for peer in peers),
        ]
        return "\n".join(lines) + "\n"


def gate_services(world: SimWorld) -> list[tuple[object, object]]:
    """The stand-in gate's services."""
    return [
        (session.DESCRIPTOR.services_by_name["SessionService"], SimSessions(world)),
        (approval.DESCRIPTOR.services_by_name["ApprovalService"], SimApproval(world)),
        (search.DESCRIPTOR.services_by_name["SearchService"], SimSearch(world)),
        (ledger.DESCRIPTOR.services_by_name["LedgerService"], SimLedger(world)),
        (log.DESCRIPTOR.services_by_name["LogService"], SimLog(world)),
    ]


def validator_services(world: SimWorld) -> list[tuple[object, object]]:
    """The stand-in validator's services."""
    return [
        (examination.DESCRIPTOR.services_by_name["ExaminationService"], SimExamination(world)),
        (composition.DESCRIPTOR.services_by_name["CompositionService"], SimComposition(world)),
    ]


def planner_services(planner: SimPlanner) -> list[tuple[object, object]]:
    """The stand-in planner's services."""
    return [(research.DESCRIPTOR.services_by_name["ResearchService"], planner)]


@contextlib.asynccontextmanager
async def serving(*servers: Server) -> AsyncIterator[None]:
    """Servers that serve while inside."""
    async with contextlib.AsyncExitStack() as stack:
        for server in servers:
            await server.start()
            stack.push_async_callback(server.stop, 0.0)
        yield
