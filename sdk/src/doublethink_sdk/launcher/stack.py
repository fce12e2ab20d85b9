"""The product on one machine: what `doublethink up`, `ask`, the demo and the system tests share.

`Stack` prepares directories, keys, certificates and configurations, proves the minds'
isolation, starts the table of processes in order, and stops them in reverse.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Self

from doublethink_rpc.probe import is_serving

from doublethink_sdk import signals
from doublethink_sdk.client import Client
from doublethink_sdk.launcher import configurations, isolation, roles
from doublethink_sdk.launcher.bytecode import compile_own
from doublethink_sdk.launcher.directories import Directories, write_private
from doublethink_sdk.launcher.errors import LaunchError, NoSandbox
from doublethink_sdk.launcher.interrupted import Choice, settle
from doublethink_sdk.launcher.log_files import LogFiles
from doublethink_sdk.launcher.model_door import NAME, LocalModel, ModelDoor, make_door
from doublethink_sdk.launcher.processes import Process, Supervisor, minimal_environment
from doublethink_sdk.launcher.providers import CloudModel, RecordedModel, WebSource
from doublethink_sdk.launcher.running import announced
from doublethink_sdk.launcher.sandbox import Sandbox, command, is_closed
from doublethink_sdk.postgres import EmbeddedPostgres, EmbeddedPostgresError, StartError
from doublethink_sdk.postgres.layout import CONSOLE, CONSOLE_DATABASE, GATE, GATE_DATABASE, MIGRATOR, SEALER
from doublethink_sdk.postgres.server import PORT

_MIGRATE_SECONDS = 60
_WATCH_SECONDS = 0.2
_CLOSE_SECONDS = 10.0
_CLOSE_POLL_SECONDS = 0.01
_FAILPOINTS = "DOUBLETHINK_FAILPOINTS"

Say = Callable[[str], None]


@dataclass(frozen=True)
class StackOptions:
    """What to start.

    `pages` is the folder of saved pages that the corpus source serves, `recording` a file that the gate answers from
    in its place, `source` what is searched on the web instead. With none of them no source is there: searches fail and
    the ledger can be read. `reader` is the model that reads, None the rules alone. `isolate` False
    runs the minds without their sandboxes, which voids the promise and is said so.
    `allow_careless` adds the planner's development double. `failpoints` maps a role to
    the failpoints that tests arm in it. `interrupted` says what becomes of runs that were under way when the last
    launcher ended.
    """

    data: Path
    pages: Path | None
    recording: Path | None = None
    planner: str = "rules"
    model: LocalModel | None = None
    source: WebSource | None = None
    reader: CloudModel | RecordedModel | None = None
    policy: Path | None = None
    console_port: int = 0
    isolate: bool = True
    allow_careless: bool = False
    result_titles: bool = False
    failpoints: Mapping[str, str] = field(default_factory=dict)
    interrupted: Choice = "resume"


def _answers(postgres: EmbeddedPostgres) -> bool:
    try:
        postgres.wait_ready(timeout_s=0)
    except StartError:
        return False
    return True


def _silent(_line: str) -> None:
    return


class Stack:
    """All processes of one machine. A context manager: started inside, stopped at its end.

    Raises LaunchError, or one of its kinds, if anything cannot be started; whatever was
    started by then is stopped again.
    """

    def __init__(self, options: StackOptions, say: Say = _silent) -> None:
        self._options = options
        self._say = say
        self._exit = ExitStack()
        self._directories = Directories(options.data)
        self._supervisor = Supervisor()
        self._roles: Mapping[str, roles.PlacedRole] = {}
        self._postgres: EmbeddedPostgres | None = None
        self._console = ""
        self._door: ModelDoor | None = None
        self._model_digest = ""

    def __enter__(self) -> Self:
        with ExitStack() as started:
            started.enter_context(self._directories)
            started.callback(self._release_postgres)
            started.enter_context(self._supervisor)
            try:
                self._start()
            except EmbeddedPostgresError as error:
                raise LaunchError(str(error)) from error
            except OSError as error:
                # A full or read-only disk, a program that is missing, a limit that is reached.
                where = f"{error.filename}: " if error.filename else ""
                raise LaunchError(f"the start failed: {where}{error.strerror or error}") from error
            started.enter_context(
                announced(
                    self._directories.data, self._console, self.token_file, self._database_socket.parent
                )
            )
            self._exit = started.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Bounded, and half a stop would leave files behind: a second Ctrl-C does not cut it short.
        with signals.finishing():
            self._exit.close()

    @property
    def console_url(self) -> str:
        """The console's address on loopback."""
        return self._console

    @property
    def token_file(self) -> Path:
        """The file that holds the console's launch token."""
        return self._directories.token("console.token")

    @property
    def request_log(self) -> Path:
        """The search source's own log of the requests that reached it, JSON lines."""
        return self._directories.data / "log" / "source-requests.jsonl"

    @property
    def gate_keys(self) -> Path:
        """The folder of the gate's key-encryption keys."""
        return self._directories.token("gate/v1.key").parent

    @property
    def log_files(self) -> LogFiles:
        """The ledger's log: its pinned key, and the copies of its checkpoints."""
        return LogFiles(self._directories.data)

    @property
    def _database_socket(self) -> Path:
        return self._directories.run / "postgres" / f".s.PGSQL.{PORT}"

    @property
    def gate_dsn(self) -> str:
        """How the gate's role connects to its database; only while the stack runs."""
        return self._running_postgres().dsn(GATE, GATE_DATABASE)

    def administrator_dsn(self, database: str) -> str:
        """How the administrator connects while the stack runs: to look into it, never for a service."""
        return self._running_postgres().admin_dsn(database)

    @property
    def directories(self) -> Directories:
        """Where this stack's files lie."""
        return self._directories

    @property
    def pids(self) -> Mapping[str, int]:
        """The process ids by name: of a sandboxed mind, that of its outermost process."""
        return self._supervisor.pids

    def client(self) -> Client:
        """A client of this stack's console."""
        return Client(self._console, self.token_file)

    def check(self) -> None:
        """Raise ProcessFailed if a process has died."""
        self._supervisor.check()

    def wait(self) -> None:
        """Watch until a process dies; raises ProcessFailed then. Interrupted by Ctrl-C."""
        while True:
            self.check()
            time.sleep(_WATCH_SECONDS)

    # The start, step by step.

    def _start(self) -> None:
        began = time.monotonic()
        compile_own()
        if self._options.model is not None:
            self._door = make_door(self._directories, self._options.model)
        door = self._door.directories if self._door else None
        self._roles = roles.place(
            self._directories, isolate=self._options.isolate, database=self._database_socket, door=door
        )
        key = self.log_files.prepare(self._roles["sealer"].user)
        self._say(f"ledger key {key.format()}, pinned in {self.log_files.vkeys}")
        self._tell_providers()
        self._launch_source()
        self._open_door()
        postgres = self._start_postgres()
        # Neither needs the other: both are done before any mind is started.
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="start") as beside:
            migrated = beside.submit(self._migrate, postgres)
            self._prove_isolation(postgres)
            # After the proof: a start that is refused cancels nobody's run.
            interrupted = self._settle_interrupted(postgres)
            migrated.result()
        self._supervisor.wait_ready()
        for order, table in groupby(self._services(postgres), key=lambda process: process.order):
            started = list(table)
            if any(process.name == "console" for process in started):
                # Said before the console that would go on with them is there.
                for line in interrupted:
                    self._say(line)
            self._say(f"starting {', '.join(process.name for process in started)}")
            for process in started:
                self._supervisor.launch(process)
            self._supervisor.wait_ready()
            for role in self._roles.values():
                if role.order == order and role.serves:
                    role.directories.open_to_peers()
                if role.order == order and role.sandbox is not None:
                    self._close(role.name, role.sandbox)
        # The sealer is healthy once the log is published.
        self.log_files.first_start.unlink(missing_ok=True)
        self._say(f"all healthy after {time.monotonic() - began:.1f} s")

    def _settle_interrupted(self, postgres: EmbeddedPostgres) -> Sequence[str]:
        """What becomes of interrupted runs, in lines for a person. Raises LaunchError."""
        dsn_file = self._directories.run / "interrupted.dsn"
        write_private(dsn_file, postgres.dsn(CONSOLE, CONSOLE_DATABASE).encode())
        lines = list(settle(dsn_file, self._options.interrupted, self._directories.data))
        dsn_file.unlink()
        return lines

    def _close(self, name: str, sandbox: Sandbox) -> None:
        """From here on a mind writes nothing outside its own memory: its sockets are made."""
        inside = self._supervisor.signal_inside(name, signal.SIGUSR1)
        deadline = time.monotonic() + _CLOSE_SECONDS
        while not is_closed(inside, sandbox):
            self._supervisor.check()
            if time.monotonic() > deadline:
                raise LaunchError(f"the directories of {name} could not be made read-only")
            time.sleep(_CLOSE_POLL_SECONDS)

    def _running_postgres(self) -> EmbeddedPostgres:
        if self._postgres is None:
            raise LaunchError("the database runs only while the stack does")
        return self._postgres

    def _release_postgres(self) -> None:
        if self._postgres is not None:
            self._postgres.release()

    def _start_postgres(self) -> EmbeddedPostgres:
        directories = self._directories
        postgres = EmbeddedPostgres(directories.data / "postgres", self._database_socket.parent)
        self._say("starting postgres")
        postgres.prepare()
        self._postgres = postgres
        self._supervisor.start(
            Process(
                name="postgres",
                order=20,
                argv=tuple(postgres.command(die_with_parent=True)),
                log=directories.log("postgres"),
                ready=lambda: _answers(postgres),
                environment=postgres.environment(),
                start_seconds=60,
                stop_signal=signal.SIGINT,
                stop_seconds=30,
                orphan_signal=None,
            )
        )
        postgres.provision()
        return postgres

    def _migrate(self, postgres: EmbeddedPostgres) -> None:
        dsn_file = self._directories.run / "migrator.dsn"
        write_private(dsn_file, postgres.dsn(MIGRATOR, GATE_DATABASE).encode())
        done = subprocess.run(
            (sys.executable, "-I", "-m", "doublethink_gate.database", "--dsn-file", str(dsn_file)),
            capture_output=True,
            text=True,
            timeout=_MIGRATE_SECONDS,
            env=minimal_environment(),
            check=False,
        )
        dsn_file.unlink()
        if done.returncode != 0:
            raise LaunchError(f"the ledger's database could not be brought up to date: {done.stderr.strip()}")

    def _prove_isolation(self, postgres: EmbeddedPostgres) -> None:
        report_file = self._directories.run / "isolation.json"
        if not self._options.isolate:
            self._say("WARNING: the minds run without sandboxes; nothing keeps them from the network")
            write_private(report_file, b'{"enforced": false, "minds": {}}\n')
            return
        try:
            report = isolation.prove(
                roles.sandboxed(
                    self._roles, self._database_socket, self._door.directories if self._door else None
                ),
                sockets=(self._database_socket,),
                files=(
                    self.token_file,
                    self._directories.data,
                    postgres.data_dir,
                    self.gate_keys,
                    self._directories.data / "log",
                ),
            )
        except NoSandbox as error:
            raise NoSandbox(
                f"{error}. The minds cannot be kept from the network here; "
                "the commands up and ask take --no-isolation, which starts without and voids the promise"
            ) from error
        write_private(report_file, report.encode().encode())
        self._say(
            f"isolation proven: {report.refused} forbidden attempts from {len(report.attempts)} "
            "sandboxes, all refused"
        )

    @property
    def _source_address_file(self) -> Path:
        return self._directories.run / "source.address"

    def _tell_providers(self) -> None:
        """Say who is asked over the internet, and who reads."""
        if self._options.source is not None:
            self._say(self._options.source.words())
        reader = self._options.reader
        self._say("reader extractive: no model" if reader is None else reader.words())

    def _launch_source(self) -> None:
        if self._options.pages is None:
            self._source_address_file.write_text(configurations.NO_SOURCE)
            return
        directories = self._directories
        ready_file = self._source_address_file
        argv = configurations.corpus_command(self._options.pages, self.request_log, ready_file)
        self._say("starting source")
        self._supervisor.launch(
            Process("source", 10, argv, directories.log("source"), ready_file.exists, start_seconds=120)
        )

    def _open_door(self) -> None:
        """Start the planner's way to its model, and learn what the model is. Raises LaunchError."""
        if self._door is None:
            return
        model = self._door.model
        self._say(f"starting forwarder to {model.name} at {model.address}")
        self._supervisor.start(self._door.process(self._directories.log(NAME)))
        self._door.directories.open_to_peers()
        self._model_digest = self._door.listed_digest()
        named = (
            f", digest {self._model_digest[:12]}"
            if self._model_digest
            else ", of which the server lists no digest"
        )
        self._say(f"planner model {model.name}{named}; its server itself is outside the guard")

    def _services(self, postgres: EmbeddedPostgres) -> list[Process]:
        options = self._options
        port = options.console_port or configurations.free_port()
        self._console = f"http://127.0.0.1:{port}"
        choices = configurations.Choices(
            source=self._source_address_file.read_text().strip(),
            recording=options.recording,
            gate_dsn=postgres.dsn(GATE, GATE_DATABASE),
            console_dsn=postgres.dsn(CONSOLE, CONSOLE_DATABASE),
            sealer_dsn=postgres.dsn(SEALER, GATE_DATABASE),
            console_port=port,
            planner=options.planner,
            reader=options.reader,
            policy=options.policy,
            allow_careless=options.allow_careless,
            failpoints=bool(options.failpoints),
            door=self._door,
            model_digest=self._model_digest,
            hold_interrupted=options.interrupted == "hold",
            web_source=options.source,
            result_titles=options.result_titles,
        )
        written = configurations.write_all(self._directories, self._roles, choices)
        table = []
        for name, role in self._roles.items():
            first = ("--first-start",) if name == "sealer" and self.log_files.first_start.exists() else ()
            argv = (
                sys.executable,
                "-I",
                "-m",
                f"doublethink_{name}",
                "serve",
                "--config",
                str(written[name]),
                *first,
            )
            environment = {}
            if name in self._options.failpoints:
                environment[_FAILPOINTS] = self._options.failpoints[name]
            health = role.directories.health
            table.append(
                Process(
                    name=name,
                    order=role.order,
                    argv=argv if role.sandbox is None else command(role.sandbox, argv),
                    log=self._directories.log(name),
                    ready=lambda target=health: is_serving(target),  # type: ignore[misc]  # bound per row
                    environment=environment,
                    orphan_signal="TERM" if role.sandbox is None else "KILL",
                    sandboxed=role.sandbox is not None,
                )
            )
        return sorted(table, key=lambda process: process.order)
