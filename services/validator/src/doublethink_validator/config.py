"""The validator's configuration: one TOML file, unknown keys refused, secrets by path only.

failpoints = false                        # optional; true in tests only

[listen]
rpc = "unix:/run/validator/rpc.sock"         # or "0.0.0.0:7443"
health = "unix:/run/validator/health.sock"
metrics = "127.0.0.1:9104"                # optional

[tls]
certificate = "validator.pem"
key = "validator.key"
authority = "authority.pem"

[peers]
gate = "unix:/run/gate/rpc.sock"
reader = "unix:/run/reader/rpc.sock"

[examination]                             # optional
result_titles = false                     # true: see Examination

[limits]                                  # optional
concurrent = 16
queue = 64
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from doublethink_rpc import TlsFiles
from doublethink_settings import Address, Listen, load_settings
from msgspec import Meta, Struct


class PeerAddresses(Struct, frozen=True):
    """The services that the validator calls."""

    gate: Address
    reader: Address


class Limits(Struct, frozen=True):
    """Calls served at a time, and calls that wait for a place."""

    concurrent: Annotated[int, Meta(ge=1, le=256)] = 16
    queue: Annotated[int, Meta(ge=1, le=4096)] = 64


class Examination(Struct, frozen=True):
    """What counts as proof beside a page's own spans.

    result_titles: a page that names no company is taken to be about the one that its search result's title begins with.
    No quote shows that; whoever sets it trusts the source for whom a figure belongs to.
    """

    result_titles: bool = False


class Config(Struct, frozen=True):
    """Everything the validator is told. `failpoints` is for tests: see doublethink_rpc.failpoint."""

    listen: Listen
    tls: TlsFiles
    peers: PeerAddresses
    examination: Examination = Examination()
    limits: Limits = Limits()
    failpoints: bool = False


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises SettingsError."""
    return load_settings(path, Config)
