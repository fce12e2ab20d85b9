"""The gate's configuration: one TOML file, every key known, every secret named by its file.

failpoints = false                        # optional; true in tests only

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
kind = "corpus"                                # or "tavily", "duckduckgo", "replay"
base_url = "http://127.0.0.1:8765"             # https unless it is loopback
api_key_file = "tavily.key"                    # needed by "tavily"
socket = "source.sock"                         # optional: connect here in place of the host in base_url
recording = "session.dtrecording"              # for "replay" alone, which has none of the other three
recency = "any"                                # for "duckduckgo": or "day", "week", "month", "year"

[model]                                        # optional; without it completions are refused
kind = "claude"                                # or "none", or "replay": answers from the source's recording alone
base_url = "https://api.anthropic.com"
api_key_file = "claude.key"
name = "claude-sonnet-5-5"
max_tokens = 16384                             # optional: of one answer, 256 to 65536
send_s = 100                                   # optional: one exchange, from connecting to the last byte

[limits]                                       # optional, each with its default; `Limits` says what it bounds
sessions_per_tenant = 64
sessions_cached = 256
readers_per_query = 64
facts_per_session = 1000
pages_at_once = 3
followers = 32
max_concurrent = 64
queue = 256
stop_s = 125
send_s = 30
append_s = 10
model_input_bytes = 400000
model_attempts = 3
source_attempts = 2
retry_wait_s = 1
longest_wait_s = 20
expiry_every_s = 30
ledger_poll_s = 0.25
"""

from __future__ import annotations

import ipaddress
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from doublethink_rpc import TlsFiles
from doublethink_settings import Listen, Text, load_settings
from msgspec import Meta, Struct

MODEL_NAME = r"\A[a-z0-9](?:[a-z0-9._/-]{0,62}[a-z0-9])?\Z"
"""As a ledger row can hold it: Anthropic's names are lower-case letters, digits, hyphens and dots."""
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Seconds = Annotated[int, Meta(ge=1, le=3600)]


class SourceKind(StrEnum):
    """Where searches go. The first two speak Tavily's wire format; `corpus` is the local stand-in, `replay` a file.

    With `duckduckgo` the gate asks the servers of the pages itself.
    """

    CORPUS = "corpus"
    TAVILY = "tavily"
    DUCKDUCKGO = "duckduckgo"
    REPLAY = "replay"


class ModelKind(StrEnum):
    """Which model answers completions."""

    NONE = "none"
    CLAUDE = "claude"
    REPLAY = "replay"


class DatabaseConfig(Struct, frozen=True):
    """The file that holds the connection string of the gate's role, and the number of pooled connections."""

    dsn_file: Path
    pool: Annotated[int, Meta(ge=1, le=64)] = 4


class KeysConfig(Struct, frozen=True):
    """The folder of the gates' key-encryption keys."""

    directory: Path


class PolicyConfig(Struct, frozen=True):
    """The policy file; None takes the shipped default."""

    file: Path | None = None


class SourceConfig(Struct, frozen=True):
    """The search source. socket: a unix socket to connect to in place of the host in `base_url`.

    recording: the file that answers, for kind replay. recency: how old what DuckDuckGo finds may be; where nothing is
    that new, it is asked once more without.
    """

    kind: SourceKind
    base_url: str = ""
    api_key_file: Path | None = None
    socket: Path | None = None
    recording: Path | None = None
    recency: Literal["any", "day", "week", "month", "year"] = "any"

    def __post_init__(self) -> None:
        if self.recency != "any" and self.kind is not SourceKind.DUCKDUCKGO:
            raise ValueError("recency is for kind duckduckgo alone")
        if self.kind is SourceKind.REPLAY:
            if self.recording is None:
                raise ValueError("recording is missing; kind replay needs it")
            if self.base_url or self.api_key_file or self.socket:
                raise ValueError("kind replay has a recording and nothing else")
            return
        if self.recording is not None:
            raise ValueError("recording is for kind replay alone")
        _check_url("base_url", self.base_url)
        if self.kind is SourceKind.DUCKDUCKGO:
            if not self.base_url.startswith("https://") or self.api_key_file or self.socket:
                raise ValueError("kind duckduckgo has an https base_url, no key and no socket")
            return
        if self.kind is SourceKind.TAVILY and self.api_key_file is None:
            raise ValueError("api_key_file is missing; kind tavily needs it")


class ModelConfig(Struct, frozen=True):
    """The cloud model behind completions; `max_tokens` bounds its answer, `send_s` one exchange in seconds."""

    kind: ModelKind = ModelKind.NONE
    base_url: Text = "https://api.anthropic.com"
    api_key_file: Path | None = None
    name: str = ""
    max_tokens: Annotated[int, Meta(ge=256, le=65_536)] = 16_384
    send_s: Seconds = 100

    def __post_init__(self) -> None:
        if self.kind is not ModelKind.CLAUDE:
            if self.kind is ModelKind.REPLAY and (self.api_key_file or self.name):
                raise ValueError("kind replay has its answers from the recording and nothing else")
            return
        _check_url("base_url", self.base_url)
        if self.api_key_file is None:
            raise ValueError("api_key_file is missing; kind claude needs it")
        if re.match(MODEL_NAME, self.name) is None:
            raise ValueError(
                "name must be the model's, as its vendor has it: up to 64 lower-case letters, digits, hyphens and dots"
            )


class Limits(Struct, frozen=True):
    """Bounds of the process. Times are in seconds.

    sessions_per_tenant: open sessions at once. sessions_cached: sessions whose check state is kept in memory.
    readers_per_query: live reader capabilities of one query. facts_per_session: facts that a validator may
    record in one session. pages_at_once: fetches of one call.
    followers: calls that follow a ledger at once; below max_concurrent.
    max_concurrent, queue: of the rpc server. stop_s: what running calls get when the gate is told to end, above the
    longest that a contract allows a request; a followed ledger gets five seconds.
    send_s: one outbound request, from connecting to the last byte.
    append_s: the wait for a durable row. model_input_bytes: page text in one
    completion. model_attempts, source_attempts: how often one request is made at most, where the provider asks to
    wait or fails. retry_wait_s: the least wait between two, doubled each time; longest_wait_s: the longest that
    is waited. expiry_every_s: how often sessions whose time is up are closed. ledger_poll_s: how often a
    followed ledger is read for rows of other gates; a gate's own rows wake its followers.
    """

    sessions_per_tenant: Count = 64
    sessions_cached: Count = 256
    readers_per_query: Count = 64
    facts_per_session: Count = 1000
    pages_at_once: Count = 3
    followers: Count = 32
    max_concurrent: Count = 64
    queue: Count = 256
    stop_s: Seconds = 125
    send_s: Seconds = 30
    append_s: Seconds = 10
    model_input_bytes: Annotated[int, Meta(ge=1, le=16_777_216)] = 400_000
    model_attempts: Annotated[int, Meta(ge=1, le=10)] = 3
    source_attempts: Annotated[int, Meta(ge=1, le=10)] = 2
    retry_wait_s: Annotated[float, Meta(gt=0, le=60)] = 1.0
    longest_wait_s: Annotated[float, Meta(gt=0, le=600)] = 20.0
    expiry_every_s: Seconds = 30
    ledger_poll_s: Annotated[float, Meta(gt=0, le=60)] = 0.25


class Config(Struct, frozen=True):
    """Everything the gate is told. `failpoints` is for tests: see doublethink_rpc.failpoint."""

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
    """Read and check a configuration file. Raises SettingsError."""
    return load_settings(path, Config)


def _check_url(key: str, url: str) -> None:
    """https always; plain http only to this machine itself, by address. Raises ValueError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"{key} must be a URL") from None
    if not host or parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(f"{key} must be a scheme, a host and at most a path")
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)):
        return
    raise ValueError(f"{key} must be https (http only to a loopback address)")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
