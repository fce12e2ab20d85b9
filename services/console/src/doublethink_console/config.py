"""The console's configuration: one TOML file, unknown keys refused, secrets by path only.

failpoints = false                        # optional; true in tests only

[listen]
http = "127.0.0.1:8443"                    # loopback, or "unix:/run/console/http.sock"
health = "unix:/run/console/health.sock"
metrics = "unix:/run/console/metrics.sock" # optional
beyond_loopback = false                    # optional: true where something else keeps strangers from listen.http

[tls]
certificate = "console.pem"
key = "console.key"
authority = "authority.pem"

[peers]
gate = "unix:/run/gate/rpc.sock"
planner = "unix:/run/planner/rpc.sock"
validator = "unix:/run/validator/rpc.sock"

[database]
dsn_file = "console.dsn"                   # the connection string of the console's own role
pool = 8                                   # optional

[keys]
directory = "keys"                         # NAME.key files and "active", see doublethink_settings.keys

[access]                                   # one of token_file and the section [oidc], never both
token_file = "console.token"               # 64 hexadecimal digits
collector_token_file = "collector.token"   # optional, 64 hexadecimal digits: opens GET /api/ledger and nothing else
hosts = ["console.example"]                # optional: names beside those of a loopback address
secure_cookie = false                      # optional: true behind TLS; an origin with http:// is then no own one
session_hours = 8                          # optional

[oidc]                                     # optional: people of an identity provider, see identity/settings.py

[back_ends]                                # optional: what is shown beside an answer
planner = "rules"                          # and what a run takes that names none
reader = "extractive"
source = "corpus"

[planner_model]                            # where the planner has one: for each session's first row
name = "qwen3:8b"
digest = ""                                # 64 hexadecimal digits, as the server lists it

[runs]                                     # optional
concurrent = 4
attempts = 3
waiting = 1000                             # runs that have not ended, of all teams; more are refused
max_queries = 24
tenant = "local"
team = "local"                             # whose turn the runs of this console take; the tenant if none
hold_interrupted = false                   # true: runs from before this start wait, unless they are cancelled

[isolation]                                # optional
report_file = "isolation.json"
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from doublethink_rpc import TlsFiles
from doublethink_settings import Address, load_settings
from msgspec import Meta, Struct

from .identity.settings import OidcConfig

Label = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9][a-z0-9-]{0,39}\Z",
        description="up to 40 lower-case letters, digits and hyphens",
    ),
]
Host = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::[0-9]{1,5})?\Z",
        description="a host name in lower case, with its port where a browser shows one",
    ),
]


class Listen(Struct, frozen=True):
    """Where the console listens for people, for health probes and, where given, for Prometheus.

    beyond_loopback: `http` may be any address, since something else decides who reaches it (an ingress with TLS and a
    network policy). `access.hosts` then names what browsers send.
    """

    http: Address
    health: Address
    metrics: Address | None = None
    beyond_loopback: bool = False

    def __post_init__(self) -> None:
        if self.http.startswith("unix:"):
            return
        host, _, port = self.http.rpartition(":")
        try:
            address, numbered = ip_address(host.strip("[]")), 0 < int(port) < 65536
        except ValueError:
            address, numbered = None, False
        if address is None or not numbered:
            raise ValueError("http must be unix:PATH or an IP address with a port")
        if not (address.is_loopback or self.beyond_loopback):
            raise ValueError("http must be unix:PATH or a loopback address, unless beyond_loopback = true")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The Host headers of requests that really came to the listener."""
        if self.http.startswith("unix:"):
            return ("localhost", "console")
        return (self.http, f"localhost:{self.http.rpartition(':')[2]}")


class PeerAddresses(Struct, frozen=True):
    """The services that the console calls."""

    gate: Address
    planner: Address
    validator: Address


class DatabaseConfig(Struct, frozen=True):
    """The file with the connection string of the console's role, and how many connections are pooled."""

    dsn_file: Path
    pool: Annotated[int, Meta(ge=2, le=64)] = 8


class KeysConfig(Struct, frozen=True):
    """The folder of the keys that seal what is stored."""

    directory: Path


class AccessConfig(Struct, frozen=True):
    """The launch token's file, hosts beside the listener's own, and how long a cookie is good for.

    token_file: None where people are those of an identity provider.
    collector_token_file: the token of a collector of security events, which reads the ledger's rows and nothing else.
    """

    token_file: Path | None = None
    collector_token_file: Path | None = None
    hosts: tuple[Host, ...] = ()
    secure_cookie: bool = False
    session_hours: Annotated[int, Meta(ge=1, le=24)] = 8


class BackEnds(Struct, frozen=True):
    """The names of what answers, shown beside every answer."""

    planner: Label = "rules"
    reader: Label = "extractive"
    source: Label = "corpus"


class PlannerModel(Struct, frozen=True):
    """The planner's model as its server lists it, for the first row of each session.

    digest: 64 hexadecimal digits, or "" where the server's listing has none.
    """

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$")]
    digest: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$")] = ""


class RunLimits(Struct, frozen=True):
    """`concurrent` runs at a time in this process; a run is taken up at most `attempts` times. While `waiting` runs
    have not ended, no more are taken.

    The queue is fair between teams, and a console has one, which its configuration names: whoever holds its launch
    token asks for that team.

    With `hold_interrupted` a run that was asked before this start is not taken up; one that is cancelled is ended.
    """

    concurrent: Annotated[int, Meta(ge=1, le=64)] = 4
    attempts: Annotated[int, Meta(ge=1, le=10)] = 3
    waiting: Annotated[int, Meta(ge=1, le=100_000)] = 1000
    max_queries: Annotated[int, Meta(ge=1, le=64)] = 24
    tenant: Label = "local"
    team: Label | None = None
    hold_interrupted: bool = False

    @property
    def own_team(self) -> str:
        """Whose turn the runs of this console take in the queue."""
        return self.tenant if self.team is None else self.team


class Isolation(Struct, frozen=True):
    """The launcher's report of how each process is held."""

    report_file: Path


class Config(Struct, frozen=True):
    """Everything the console is told. `failpoints` is for tests: see doublethink_rpc.failpoint."""

    listen: Listen
    tls: TlsFiles
    peers: PeerAddresses
    database: DatabaseConfig
    keys: KeysConfig
    access: AccessConfig = AccessConfig()
    oidc: OidcConfig | None = None
    back_ends: BackEnds = BackEnds()
    planner_model: PlannerModel | None = None
    runs: RunLimits = RunLimits()
    isolation: Isolation | None = None
    failpoints: bool = False

    def __post_init__(self) -> None:
        if (self.access.token_file is None) == (self.oidc is None):
            raise ValueError(
                "access.token_file or the section [oidc] says who may come in: give one of them, not "
                + ("none" if self.oidc is None else "both")
            )


@dataclass(frozen=True, slots=True)
class Access:
    """Who may come in. `hosts`: the values that a request's Host header may have; `tls_hosts`: those of them that
    browsers reach over TLS alone, so that a page without it is another's, put there by somebody on the way.
    """

    hosts: frozenset[str]
    secure_cookie: bool
    session_seconds: int
    collector_token_file: Path | None = None
    tls_hosts: frozenset[str] = frozenset()


def access_of(config: Config) -> Access:
    """Return what a configuration says about who may come in."""
    access = config.access
    return Access(
        collector_token_file=access.collector_token_file,
        hosts=frozenset((*config.listen.hosts, *access.hosts)),
        secure_cookie=access.secure_cookie,
        session_seconds=access.session_hours * 3600,
        tls_hosts=frozenset(host for host in access.hosts if access.secure_cookie and not _is_loopback(host)),
    )


def _is_loopback(host: str) -> bool:
    """Whether a Host header names the browser's own machine, as behind a port-forward."""
    name = host.partition(":")[0]
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises SettingsError."""
    return load_settings(path, Config)
