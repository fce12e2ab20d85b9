"""The console's configuration: one TOML file, unknown keys refused, secrets by path only.

[listen]
http = "127.0.0.1:8443"                    # loopback, or "unix:/run/console/http.sock"
health = "unix:/run/console/health.sock"
metrics = "unix:/run/console/metrics.sock" # optional

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
directory = "keys"                         # NAME.key files and "active", see doublethink_console.sealing

[access]
token_file = "console.token"               # 64 hexadecimal digits
hosts = ["console.example"]                # optional: names beside those of a loopback address
secure_cookie = false                      # optional: true behind TLS
session_hours = 8                          # optional

[back_ends]                                # optional: what is shown beside an answer
planner = "rules"                          # and what a run takes that names none
reader = "extractive"
source = "corpus"

[runs]                                     # optional
concurrent = 4
attempts = 3
max_queries = 24
tenant = "local"

[isolation]                                # optional
report_file = "isolation.json"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from doublethink_rpc import TlsFiles

from .errors import ConfigError

_MAX_BYTES: Final = 65_536
_KEYS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    # section: (required keys, optional keys)
    "listen": (("http", "health"), ("metrics",)),
    "tls": (("certificate", "key", "authority"), ()),
    "peers": (("gate", "planner", "validator"), ()),
    "database": (("dsn_file",), ("pool",)),
    "keys": (("directory",), ()),
    "access": (("token_file",), ("hosts", "secure_cookie", "session_hours")),
    "back_ends": ((), ("planner", "reader", "source")),
    "runs": ((), ("concurrent", "attempts", "max_queries", "tenant")),
    "isolation": ((), ("report_file",)),
}
_REQUIRED: Final = ("listen", "tls", "peers", "database", "keys", "access")
_LABEL: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Access:
    """Who may come in. `hosts`: the values that a request's Host header may have."""

    token_file: Path
    hosts: frozenset[str]
    secure_cookie: bool
    session_seconds: int


@dataclass(frozen=True, slots=True)
class BackEnds:
    """The names of what answers, shown beside every answer."""

    planner: str
    reader: str
    source: str


@dataclass(frozen=True, slots=True)
class RunLimits:
    """`concurrent` runs at a time in this process; a run is taken up at most `attempts` times."""

    concurrent: int
    attempts: int
    max_queries: int
    tenant: str


@dataclass(frozen=True, slots=True)
class Config:
    """Everything the console is told. Addresses are "unix:PATH" or "HOST:PORT"."""

    http: str
    health: str
    metrics: str | None
    tls: TlsFiles
    gate: str
    planner: str
    validator: str
    dsn_file: Path
    pool: int
    keys: Path
    access: Access
    back_ends: BackEnds
    runs: RunLimits
    isolation_report: Path | None


def load_config(path: Path) -> Config:
    """Read and check a configuration file; relative paths start at its folder. Raises ConfigError."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    if len(raw) > _MAX_BYTES:
        raise ConfigError(f"{path} has more than {_MAX_BYTES} bytes")
    try:
        document = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None
    return parse_config(document, path.resolve().parent)


def parse_config(document: Mapping[str, object], folder: Path) -> Config:
    """Build a Config from a TOML document. Raises ConfigError."""
    for name in document:
        if name not in _KEYS:
            raise ConfigError(f"[{name}] is not a section; known here: {', '.join(_KEYS)}")
    part = {name: _Section(name, document.get(name)) for name in _KEYS}
    listen, peers, access, runs = part["listen"], part["peers"], part["access"], part["runs"]
    http = listen.text("http")
    return Config(
        http=http,
        health=listen.text("health"),
        metrics=listen.text("metrics") if "metrics" in listen.values else None,
        tls=TlsFiles(**{key: folder / part["tls"].text(key) for key in _KEYS["tls"][0]}),
        gate=peers.text("gate"),
        planner=peers.text("planner"),
        validator=peers.text("validator"),
        dsn_file=folder / part["database"].text("dsn_file"),
        pool=part["database"].number("pool", 8, 2, 64),
        keys=folder / part["keys"].text("directory"),
        access=Access(
            token_file=folder / access.text("token_file"),
            hosts=frozenset(_own_hosts(http)) | frozenset(access.hosts("hosts")),
            secure_cookie=access.flag("secure_cookie"),
            session_seconds=access.number("session_hours", 8, 1, 24) * 3600,
        ),
        back_ends=BackEnds(
            planner=part["back_ends"].label("planner", "rules"),
            reader=part["back_ends"].label("reader", "extractive"),
            source=part["back_ends"].label("source", "corpus"),
        ),
        runs=RunLimits(
            concurrent=runs.number("concurrent", 4, 1, 64),
            attempts=runs.number("attempts", 3, 1, 10),
            max_queries=runs.number("max_queries", 24, 1, 64),
            tenant=runs.label("tenant", "local"),
        ),
        isolation_report=(
            folder / part["isolation"].text("report_file") if part["isolation"].values else None
        ),
    )


def _own_hosts(http: str) -> tuple[str, ...]:
    """The Host headers of requests that really came to the listener. Raises ConfigError."""
    if http.startswith("unix:"):
        return ("localhost", "console")
    host, _, port = http.rpartition(":")
    try:
        loopback = ip_address(host.strip("[]")).is_loopback and 0 < int(port) < 65536
    except ValueError:
        loopback = False
    if not loopback:
        raise ConfigError("listen.http must be unix:PATH or a loopback address with a port")
    return (f"{host}:{port}", f"localhost:{port}")


class _Section:
    """One section, its keys known to be right."""

    def __init__(self, name: str, values: object) -> None:
        required, optional = _KEYS[name]
        if values is None and name in _REQUIRED:
            raise ConfigError(f"the section [{name}] is missing")
        if values is not None and not isinstance(values, Mapping):
            raise ConfigError(f"[{name}] is not a section")
        self.name = name
        self.values: Mapping[str, object] = values or {}
        for key in self.values:
            if key not in required + optional:
                raise ConfigError(f"{name}.{key} is not a key; known here: {', '.join(required + optional)}")
        if values is not None:
            for key in required:
                if key not in self.values:
                    raise ConfigError(f"{name}.{key} is missing")

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if not isinstance(value, str) or not value:
            raise ConfigError(f"{self.name}.{key} must be text")
        return value

    def label(self, key: str, default: str) -> str:
        value = self.values.get(key, default)
        if not isinstance(value, str) or _LABEL.fullmatch(value) is None:
            raise ConfigError(f"{self.name}.{key} must be up to 40 lower-case letters, digits and hyphens")
        return value

    def number(self, key: str, default: int, low: int, high: int) -> int:
        value = self.values.get(key, default)
        if type(value) is not int or not low <= value <= high:
            raise ConfigError(f"{self.name}.{key} must be a whole number from {low} to {high}")
        return value

    def flag(self, key: str) -> bool:
        value = self.values.get(key, False)
        if type(value) is not bool:
            raise ConfigError(f"{self.name}.{key} must be true or false")
        return value

    def hosts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(
            isinstance(item, str) and _HOST.fullmatch(item) for item in value
        ):
            raise ConfigError(f"{self.name}.{key} must be a list of host names in lower case")
        return tuple(value)
