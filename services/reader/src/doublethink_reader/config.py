"""The reader's configuration: one TOML file, unknown keys refused, secrets by path only.

failpoints = false                        # optional; true in tests only

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

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from doublethink_rpc import TlsFiles
from doublethink_settings import Address, Listen, load_settings
from msgspec import Meta, Struct


class BackEndKind(StrEnum):
    """What turns pages into claims."""

    EXTRACTIVE = "extractive"
    CLAUDE = "claude"


class PeerAddresses(Struct, frozen=True):
    """The service that the reader calls."""

    gate: Address


class Reading(Struct, frozen=True):
    """How the reader reads."""

    back_end: BackEndKind = BackEndKind.EXTRACTIVE


class Limits(Struct, frozen=True):
    """Calls served at a time, and calls that wait for a place."""

    concurrent: Annotated[int, Meta(ge=1, le=256)] = 16
    queue: Annotated[int, Meta(ge=1, le=4096)] = 64


class Config(Struct, frozen=True):
    """Everything the reader is told. `failpoints` is for tests: see doublethink_rpc.failpoint."""

    listen: Listen
    tls: TlsFiles
    peers: PeerAddresses
    reader: Reading = Reading()
    limits: Limits = Limits()
    failpoints: bool = False


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises SettingsError."""
    return load_settings(path, Config)
