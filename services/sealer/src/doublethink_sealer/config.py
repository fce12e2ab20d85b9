"""The sealer's configuration: one TOML file, every key known, every secret named by its file.

failpoints = false                        # optional; true in tests only

[listen]
health = "unix:/run/doublethink/sealer-health.sock"
metrics = "127.0.0.1:9465"                     # optional

[database]
dsn_file = "sealer.dsn"                        # a libpq connection string for the sealer's role

[log]
origin = "ledger.example.com/deals"            # the log's name, and its keys'; never used for another log

[keys]
sign = ["ledger.pem"]                          # Ed25519, PKCS #8 PEM; two while one follows the other
trusted = ["ledger.vkey"]                      # optional: keys of earlier checkpoints, vkeys one a line

[places]                                       # at least one
folders = ["/srv/checkpoints"]
object_stores = ["store.toml"]                 # one file a store, see below

[limits]                                       # optional, each with its default; `Limits` says what it bounds
seal_every_s = 1.0
publish_every_s = 1.0
late_after_s = 60
audit_every_s = 3600
batch_rows = 1000
heads = 1000000
refused_linger_s = 0

A store's file:

endpoint = "https://objects.example.com:9000"  # https unless it is loopback; the one host and port that is called
bucket = "checkpoints"                         # made beforehand, with object lock
prefix = "doublethink"                         # optional
region = "us-east-1"                           # optional
access_key_file = "store.id"
secret_key_file = "store.secret"
ca_file = "ca.pem"                             # optional: in place of the public authorities
retain_days = 3650                             # how long the store keeps each note from being changed or removed
lock = "compliance"                            # or "governance"
"""

from __future__ import annotations

import ipaddress
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from doublethink_settings import Address, Text, load_settings
from msgspec import Meta, Struct

Origin = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,118}[A-Za-z0-9])?\Z",
        description="up to 120 letters, digits, dots, dashes, slashes and underscores",
    ),
]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]


class Lock(StrEnum):
    """How a store keeps notes: nobody shortens `compliance`; some roles may pass `governance`."""

    COMPLIANCE = "compliance"
    GOVERNANCE = "governance"


class ListenConfig(Struct, frozen=True):
    """Where health probes and, where given, Prometheus are answered. The sealer has no callers."""

    health: Address
    metrics: Address | None = None


class DatabaseConfig(Struct, frozen=True):
    """The file that holds the connection string of the sealer's role."""

    dsn_file: Path


class LogConfig(Struct, frozen=True):
    """The log's name."""

    origin: Origin


class KeysConfig(Struct, frozen=True):
    """The private keys that sign, and lists of the keys that are believed beside them."""

    sign: Annotated[tuple[Path, ...], Meta(max_length=4, description="a list of up to 4 paths")] = ()
    trusted: Annotated[tuple[Path, ...], Meta(max_length=16, description="a list of up to 16 paths")] = ()


class PlacesConfig(Struct, frozen=True):
    """Where checkpoints are copied to. A folder's name is folder-1 and so on, a store's store-1, in this order."""

    folders: Annotated[tuple[Path, ...], Meta(max_length=8, description="a list of up to 8 paths")] = ()
    object_stores: Annotated[tuple[Path, ...], Meta(max_length=8, description="a list of up to 8 paths")] = ()

    def __post_init__(self) -> None:
        if not self.folders and not self.object_stores:
            raise ValueError(
                "folders or object_stores must name a place: checkpoints count outside the database"
            )


class Limits(Struct, frozen=True):
    """Bounds of the process. Times are in seconds.

    seal_every_s: how often new rows are sealed. publish_every_s: how often a place is given a note, at most.
    late_after_s: a place that has missed a checkpoint for so long is reported in the log. audit_every_s: how often
    the whole log is read and compared with the tree again. batch_rows: rows of one read. heads: sessions whose last
    row is kept in memory; of one beyond them the database is believed until the whole log is read again.
    refused_linger_s: how long a refusal is answered to probes before the process ends.
    """

    seal_every_s: Seconds = 1.0
    publish_every_s: Seconds = 1.0
    late_after_s: Seconds = 60.0
    audit_every_s: Seconds = 3600.0
    batch_rows: Annotated[int, Meta(ge=1, le=10_000)] = 1000
    heads: Annotated[int, Meta(ge=10_000, le=10_000_000)] = 1_000_000
    refused_linger_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0


class Config(Struct, frozen=True):
    """Everything the sealer is told. `failpoints` is for tests: see doublethink_rpc.failpoint."""

    listen: ListenConfig
    database: DatabaseConfig
    log: LogConfig
    keys: KeysConfig
    places: PlacesConfig
    limits: Limits = Limits()
    failpoints: bool = False


class StoreConfig(Struct, frozen=True):
    """One object store."""

    endpoint: Text
    bucket: Annotated[
        str, Meta(pattern=r"\A[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\Z", description="the name of a bucket")
    ]
    access_key_file: Path
    secret_key_file: Path
    retain_days: Annotated[int, Meta(ge=1, le=36_500)]
    lock: Lock = Lock.COMPLIANCE
    prefix: Annotated[
        str,
        Meta(pattern=r"\A[A-Za-z0-9._-]{1,100}\Z", description="up to 100 letters, digits, dots, dashes, _"),
    ] = "doublethink"
    region: Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,40}\Z", description="the name of a region")] = (
        "us-east-1"
    )
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        host_and_port(self.endpoint)

    @property
    def egress(self) -> str:
        """The one host and port that is called, `host:port`."""
        return host_and_port(self.endpoint)


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises SettingsError."""
    return load_settings(path, Config)


def load_store_config(path: Path) -> StoreConfig:
    """Read and check the file of one object store. Raises SettingsError."""
    return load_settings(path, StoreConfig)


def host_and_port(url: str) -> str:
    """Return `host:port` of an endpoint. Raises ValueError unless it is https, or http to a loopback address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("endpoint must be a URL") from None
    if not host or parts.username or parts.password or parts.query or parts.fragment or parts.path.strip("/"):
        raise ValueError("endpoint must be a scheme, a host and at most a port")
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)):
        return f"{host}:{port or (443 if parts.scheme == 'https' else 80)}"
    raise ValueError("endpoint must be https (http only to a loopback address)")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
