"""The planner's configuration: one TOML file, unknown keys refused, secrets by path only.

failpoints = false                        # optional; true in tests only

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
figures_at_once = 4                       # figures of one run that are looked up at a time, 1 to 8
allow_careless = false                    # a development double that leaks on purpose

[model]                                   # optional: a local model, behind the forwarder
dialect = "ollama"                        # or "openai"
name = "qwen3:8b"
socket = "/run/forwarder/model.sock"
attempts = 3                              # answers asked for before a question is given up, 1 to 8
seconds = 180                             # for all of them together

[limits]
workers = 16
queue = 64
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from doublethink_rpc import TlsFiles
from doublethink_settings import Address, Listen, load_settings
from msgspec import Meta, Struct


class PeerAddresses(Struct, frozen=True):
    """The services that the planner calls."""

    gate: Address
    validator: Address


class Planning(Struct, frozen=True):
    """What the planner does with a question."""

    pages_per_query: Annotated[int, Meta(ge=1, le=8)] = 4
    figures_at_once: Annotated[int, Meta(ge=1, le=8)] = 4
    allow_careless: bool = False


class Dialect(StrEnum):
    """Whose HTTP interface the model server speaks."""

    OLLAMA = "ollama"
    OPENAI = "openai"


class LocalModel(Struct, frozen=True):
    """The model that divides questions which the rules do not understand, and the forwarder's socket."""

    dialect: Dialect
    name: Annotated[str, Meta(min_length=1, max_length=128)]
    socket: Path
    attempts: Annotated[int, Meta(ge=1, le=8)] = 3
    seconds: Annotated[int, Meta(ge=1, le=1200)] = 180


class Limits(Struct, frozen=True):
    """Sessions served at a time, one worker process each, and requests that wait for a place."""

    workers: Annotated[int, Meta(ge=1, le=256)] = 16
    queue: Annotated[int, Meta(ge=1, le=4096)] = 64


class Config(Struct, frozen=True):
    """Everything the planner is told. `failpoints` is for tests: see doublethink_rpc.failpoint."""

    listen: Listen
    tls: TlsFiles
    peers: PeerAddresses
    planner: Planning = Planning()
    model: LocalModel | None = None
    limits: Limits = Limits()
    failpoints: bool = False


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises SettingsError."""
    return load_settings(path, Config)
