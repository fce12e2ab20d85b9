"""The gate's configuration: one TOML file, every key known, every secret named by its file.

[listen]
rpc = "unix:/run/doublethink/gate.sock"        # or "host:port"
health = "unix:/run/doublethink/gate-health.sock"
metrics = "127.0.0.1:9464"                     # optional

[tls]
certificate = "gate.pem"                       # relative paths start at the file's own folder
key = "gate.key"
authority = "authority.pem"

[database]
dsn_file = "gate.dsn"                          # a libpq connection string for the gate's role
pool = 4

[keys]
directory = "kek"                              # the gates' key-encryption keys, one file a version

[policy]                                       # optional: the shipped default is strict
file = "policy.yaml"

[source]
kind = "corpus"                                # or "tavily"
base_url = "http://127.0.0.1:8765"             # https unless it is loopback
api_key_file = "tavily.key"                    # needed by "tavily"

[model]                                        # optional; without it completions are refused
kind = "claude"                                # or "none"
base_url = "https://api.anthropic.com"
api_key_file = "claude.key"
name = "claude-sonnet-4-5"

[limits]                                       # optional, each with the default of `Limits`
sessions_per_tenant = 64
"""

from __future__ import annotations

import ipaddress
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from doublethink_rpc import TlsFiles

from doublethink_gate.errors import ConfigError

_MAX_CONFIG_BYTES: Final = 65_536
_MAX_SECRET_BYTES: Final = 4096


class SourceKind(StrEnum):
    """Where searches go. Both speak Tavily's wire format; `corpus` is the local stand-in."""

    CORPUS = "corpus"
    TAVILY = "tavily"


class ModelKind(StrEnum):
    """Which model answers completions."""

    NONE = "none"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Listen:
    """Addresses: "unix:PATH" or "HOST:PORT". Metrics may be left out."""

    rpc: str
    health: str
    metrics: str | None = None


@dataclass(frozen=True, slots=True)
class DatabaseConfig:
    """The file that holds the connection string of the gate's role, and the number of pooled connections."""

    dsn_file: Path
    pool: int = 4


@dataclass(frozen=True, slots=True)
class KeysConfig:
    """The folder of the gates' key-encryption keys."""

    directory: Path


@dataclass(frozen=True, slots=True)
class PolicyConfig:
    """The policy file; None takes the shipped default."""

    file: Path | None = None


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """The search source. socket: a unix socket to connect to in place of the host in `base_url`."""

    kind: SourceKind
    base_url: str
    api_key_file: Path | None = None
    socket: Path | None = None


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The cloud model behind completions; `max_tokens` bounds its answer."""

    kind: ModelKind = ModelKind.NONE
    base_url: str = "https://api.anthropic.com"
    api_key_file: Path | None = None
    name: str = ""
    max_tokens: int = 8192


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the process. Times are in seconds.

    sessions_per_tenant: open sessions at once. sessions_cached: sessions whose check state is kept in memory.
    readers_per_query: live reader capabilities of one query. pages_at_once: fetches of one call.
    max_concurrent, queue: of the rpc server. send_s: one outbound request, from connecting to the last byte.
    append_s: the wait for a durable row. model_input_bytes: page text in one
    completion. expiry_every_s: how often sessions whose time is up are closed. ledger_poll_s: how often a
    followed ledger is read.
    """

    sessions_per_tenant: int = 64
    sessions_cached: int = 256
    readers_per_query: int = 64
    pages_at_once: int = 3
    max_concurrent: int = 64
    queue: int = 256
    send_s: int = 30
    append_s: int = 10
    model_input_bytes: int = 400_000
    expiry_every_s: int = 30
    ledger_poll_s: float = 0.25


@dataclass(frozen=True, slots=True)
class Config:
    """Everything the gate is told."""

    listen: Listen
    tls: TlsFiles
    database: DatabaseConfig
    keys: KeysConfig
    source: SourceConfig
    policy: PolicyConfig = PolicyConfig()
    model: ModelConfig = ModelConfig()
    limits: Limits = Limits()
    failpoints: bool = False


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises ConfigError."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    if len(raw) > _MAX_CONFIG_BYTES:
        raise ConfigError(f"{path} has more than {_MAX_CONFIG_BYTES} bytes")
    try:
        document = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    return parse_config(document, path.parent)


def parse_config(document: Mapping[str, object], folder: Path) -> Config:
    """Build a Config from a TOML document; relative paths start at `folder`. Raises ConfigError."""
    sections = {
        "listen": Listen,
        "tls": TlsFiles,
        "database": DatabaseConfig,
        "keys": KeysConfig,
        "policy": PolicyConfig,
        "source": SourceConfig,
        "model": ModelConfig,
        "limits": Limits,
    }
    _refuse_unknown("", document, {**sections, "failpoints": bool})
    failpoints = document.get("failpoints", False)
    if type(failpoints) is not bool:
        raise ConfigError("failpoints must be true or false")
    missing = [name for name in ("listen", "tls", "database", "keys", "source") if name not in document]
    if missing:
        raise ConfigError(f"the section [{missing[0]}] is missing")
    built: dict[str, Any] = {
        name: _section(name, kind, document[name], folder)
        for name, kind in sections.items()
        if name in document
    }
    config = Config(**built, failpoints=failpoints)
    _check_source(config.source)
    _check_model(config.model)
    _check_limits(config)
    return config


def read_secret(path: Path, key: str) -> str:
    """Read a one-line secret from its file, without the line's end.

    The file must be its owner's alone. Raises ConfigError, which names `key` and the path.
    """
    try:
        mode = path.stat().st_mode
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{key}: cannot read {path}: {error.strerror}") from error
    if mode & 0o077:
        raise ConfigError(f"{key}: others can read {path}; run chmod 600 on it")
    if len(raw) > _MAX_SECRET_BYTES:
        raise ConfigError(f"{key}: {path} has more than {_MAX_SECRET_BYTES} bytes")
    text = raw.decode("utf-8", errors="replace").strip()
    if not text or "\n" in text or "\ufffd" in text:
        raise ConfigError(f"{key}: {path} does not hold one line of text")
    return text


def _section(name: str, kind: type[Any], values: object, folder: Path) -> Any:
    if not isinstance(values, Mapping):
        raise ConfigError(f"[{name}] is not a section")
    known = {field.name: field for field in fields(kind)}
    _refuse_unknown(f"{name}.", values, known)
    built: dict[str, object] = {}
    for key, field in known.items():
        if key in values:
            built[key] = _value(f"{name}.{key}", _type_name(field.type), values[key], folder)
        elif field.default is MISSING:
            raise ConfigError(f"{name}.{key} is missing")
    return kind(**built)


def _type_name(annotation: object) -> str:
    """Return an annotation's name, whether its module postpones annotations or not."""
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _value(key: str, kind: str, value: object, folder: Path) -> object:
    """Check one value against its annotation, of which there are few kinds."""
    base = kind.removesuffix(" | None")
    if base == "int" and type(value) is int:
        return value
    if base == "float" and type(value) in (int, float):
        return float(value)  # type: ignore[arg-type]  # just checked
    if base == "str" and isinstance(value, str) and value:
        return value
    if base in ("Path", "pathlib.Path") and isinstance(value, str) and value:
        return folder / value
    for choices in (SourceKind, ModelKind):
        if base == choices.__name__:
            if isinstance(value, str) and value in list(choices):
                return choices(value)
            raise ConfigError(f"{key} must be one of: {', '.join(choices)}")
    raise ConfigError(f"{key} must be a {base.lower()}")


def _refuse_unknown(prefix: str, values: Mapping[str, object], known: Mapping[str, object]) -> None:
    for key in values:
        if key not in known:
            raise ConfigError(f"{prefix}{key} is not a key; known here: {', '.join(sorted(known))}")


def _check_source(source: SourceConfig) -> None:
    _check_url("source.base_url", source.base_url)
    if source.kind is SourceKind.TAVILY and source.api_key_file is None:
        raise ConfigError("source.api_key_file is missing; kind tavily needs it")


def _check_model(model: ModelConfig) -> None:
    if model.kind is ModelKind.NONE:
        return
    _check_url("model.base_url", model.base_url)
    if model.api_key_file is None:
        raise ConfigError("model.api_key_file is missing; kind claude needs it")
    if not model.name:
        raise ConfigError("model.name is missing; kind claude needs it")
    if not 256 <= model.max_tokens <= 65_536:
        raise ConfigError("model.max_tokens must be from 256 to 65536")


def _check_url(key: str, url: str) -> None:
    """https always; plain http only to this machine itself, by address."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigError(f"{key} is not a URL") from error
    if not host or parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(f"{key} must be a scheme, a host and at most a path")
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)):
        return
    raise ConfigError(f"{key} must be https (http only to a loopback address)")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_limits(config: Config) -> None:
    for field in fields(config.limits):
        if getattr(config.limits, field.name) <= 0:
            raise ConfigError(f"limits.{field.name} must be above 0")
    if not 1 <= config.database.pool <= 64:
        raise ConfigError("database.pool must be from 1 to 64")
