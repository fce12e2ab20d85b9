"""The reader's configuration: one TOML file, unknown keys refused, secrets by path only.

[listen]
rpc = "unix:/run/reader/rpc.sock"         # or "0.0.0.0:7443"
health = "unix:/run/reader/health.sock"
metrics = "127.0.0.1:9103"                # optional

[tls]
certificate = "reader.pem"
key = "reader.key"
authority = "authority.pem"

[peers]
gate = "unix:/run/gate/rpc.sock"

[reader]                                  # optional
back_end = "extractive"                   # or "claude", through the gate

[limits]                                  # optional
concurrent = 16
queue = 64
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from doublethink_rpc import TlsFiles

from .errors import ConfigRefused

_MAX_BYTES: Final = 65_536
_KEYS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    # section: (required keys, optional keys)
    "listen": (("rpc", "health"), ("metrics",)),
    "tls": (("certificate", "key", "authority"), ()),
    "peers": (("gate",), ()),
    "reader": ((), ("back_end",)),
    "limits": ((), ("concurrent", "queue")),
}
_REQUIRED: Final = ("listen", "tls", "peers")


class BackEndKind(StrEnum):
    """What turns pages into claims."""

    EXTRACTIVE = "extractive"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything the reader is told. Addresses are "unix:PATH" or "HOST:PORT"."""

    rpc: str
    health: str
    metrics: str | None
    tls: TlsFiles
    gate: str
    back_end: BackEndKind = BackEndKind.EXTRACTIVE
    concurrent: int = 16
    queue: int = 64


def load_config(path: Path) -> Config:
    """Reads and checks a configuration file; relative paths start at its folder. Raises `ConfigRefused`."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigRefused(f"cannot read {path}: {error.strerror}") from None
    if len(raw) > _MAX_BYTES:
        raise ConfigRefused(f"{path} has more than {_MAX_BYTES} bytes")
    try:
        document = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigRefused(f"{path} is not TOML: {error}") from None
    return parse_config(document, path.resolve().parent)


def parse_config(document: Mapping[str, object], folder: Path) -> Config:
    """The configuration of a TOML document. Raises `ConfigRefused` that names the key."""
    sections = _sections(document)
    listen, tls = sections["listen"], sections["tls"]
    back_end = _text(sections["reader"], "reader", "back_end", BackEndKind.EXTRACTIVE.value)
    if back_end not in list(BackEndKind):
        raise ConfigRefused(f"reader.back_end is one of: {', '.join(BackEndKind)}")
    return Config(
        rpc=_text(listen, "listen", "rpc"),
        health=_text(listen, "listen", "health"),
        metrics=_text(listen, "listen", "metrics") if "metrics" in listen else None,
        tls=TlsFiles(
            certificate=folder / _text(tls, "tls", "certificate"),
            key=folder / _text(tls, "tls", "key"),
            authority=folder / _text(tls, "tls", "authority"),
        ),
        gate=_text(sections["peers"], "peers", "gate"),
        back_end=BackEndKind(back_end),
        concurrent=_number(sections["limits"], "concurrent", 16, 256),
        queue=_number(sections["limits"], "queue", 64, 4096),
    )


def _sections(document: Mapping[str, object]) -> dict[str, Mapping[str, object]]:
    found: dict[str, Mapping[str, object]] = {name: {} for name in _KEYS}
    for name, content in document.items():
        if name not in _KEYS or not isinstance(content, dict):
            raise ConfigRefused(f"unknown section or key: {name}; known are {', '.join(_KEYS)}")
        required, optional = _KEYS[name]
        for key in content:
            if key not in (*required, *optional):
                raise ConfigRefused(
                    f"unknown key: {name}.{key}; known are {', '.join((*required, *optional))}"
                )
        found[name] = content
    for name in _REQUIRED:
        for key in _KEYS[name][0]:
            if key not in found[name]:
                raise ConfigRefused(f"missing key: {name}.{key}")
    return found


def _text(section: Mapping[str, object], name: str, key: str, default: str | None = None) -> str:
    value = section.get(key, default)
    if not isinstance(value, str) or not value:
        raise ConfigRefused(f"{name}.{key} is a non-empty string")
    return value


def _number(section: Mapping[str, object], key: str, default: int, most: int) -> int:
    value = section.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise ConfigRefused(f"limits.{key} is a number from 1 to {most}")
    return value
