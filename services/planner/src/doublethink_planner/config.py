"""The planner's configuration: one TOML file, unknown keys refused, secrets by path only.

[listen]
rpc = "unix:/run/planner/rpc.sock"        # or "0.0.0.0:7443"
health = "unix:/run/planner/health.sock"
metrics = "127.0.0.1:9102"                # optional

[tls]
certificate = "planner.pem"
key = "planner.key"
authority = "authority.pem"

[peers]
gate = "unix:/run/gate/rpc.sock"
validator = "unix:/run/validator/rpc.sock"

[planner]                                 # optional, as the rest
pages_per_query = 4                       # pages to examine for one query, 1 to 8
allow_careless = false                    # a development double that leaks on purpose

[limits]
workers = 16
queue = 64
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from doublethink_rpc import TlsFiles

from .errors import ConfigError

_MAX_BYTES: Final = 65_536
_KEYS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    # section: (required keys, optional keys)
    "listen": (("rpc", "health"), ("metrics",)),
    "tls": (("certificate", "key", "authority"), ()),
    "peers": (("gate", "validator"), ()),
    "planner": ((), ("pages_per_query", "allow_careless")),
    "limits": ((), ("workers", "queue")),
}
_REQUIRED_SECTIONS: Final = ("listen", "tls", "peers")


@dataclass(frozen=True, slots=True)
class Config:
    """Everything the planner is told. Addresses are "unix:PATH" or "HOST:PORT"."""

    rpc: str
    health: str
    metrics: str | None
    tls: TlsFiles
    gate: str
    validator: str
    pages_per_query: int = 4
    allow_careless: bool = False
    workers: int = 16
    queue: int = 64


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
    sections = {name: _section(name, document.get(name)) for name in _KEYS}
    listen, tls, peers = sections["listen"], sections["tls"], sections["peers"]
    planner, limits = sections["planner"], sections["limits"]
    return Config(
        rpc=_text("listen.rpc", listen["rpc"]),
        health=_text("listen.health", listen["health"]),
        metrics=_text("listen.metrics", listen["metrics"]) if "metrics" in listen else None,
        tls=TlsFiles(**{key: folder / _text(f"tls.{key}", tls[key]) for key in _KEYS["tls"][0]}),
        gate=_text("peers.gate", peers["gate"]),
        validator=_text("peers.validator", peers["validator"]),
        pages_per_query=_number("planner.pages_per_query", planner.get("pages_per_query", 4), 1, 8),
        allow_careless=_flag("planner.allow_careless", planner.get("allow_careless", False)),
        workers=_number("limits.workers", limits.get("workers", 16), 1, 256),
        queue=_number("limits.queue", limits.get("queue", 64), 1, 4096),
    )


def _section(name: str, values: object) -> Mapping[str, object]:
    required, optional = _KEYS[name]
    if values is None:
        if name in _REQUIRED_SECTIONS:
            raise ConfigError(f"the section [{name}] is missing")
        return {}
    if not isinstance(values, Mapping):
        raise ConfigError(f"[{name}] is not a section")
    for key in values:
        if key not in required + optional:
            raise ConfigError(f"{name}.{key} is not a key; known here: {', '.join(required + optional)}")
    for key in required:
        if key not in values:
            raise ConfigError(f"{name}.{key} is missing")
    return values


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{key} must be text")
    return value


def _number(key: str, value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ConfigError(f"{key} must be a whole number from {low} to {high}")
    return value


def _flag(key: str, value: object) -> bool:
    if type(value) is not bool:
        raise ConfigError(f"{key} must be true or false")
    return value
