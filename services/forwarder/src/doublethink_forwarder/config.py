"""The forwarder's configuration: one TOML file, unknown keys refused.

[listen]
socket = "/run/forwarder/model.sock"      # the planner's; nobody else is to reach it
socket_group = false                      # optional: true lets the group of this process connect
health = "unix:/run/forwarder/health.sock"
metrics = "unix:/run/forwarder/metrics.sock"   # optional

[model]
dialect = "ollama"                        # or "openai"
address = "http://127.0.0.1:11434"        # an IP address: names are not looked up
name = "qwen3:8b"                         # the one model that may be used
digest = ""                               # optional: 64 hex digits; any other content under the name is refused
void_promise = false                      # true: accept an address that is neither loopback nor private

[limits]                                  # optional, as its keys
seconds = 180                             # for one answer
at_once = 1                               # requests passed on at a time
waiting = 32                              # requests that may wait
"""

from __future__ import annotations

import ipaddress
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from doublethink_settings import Address, SettingsError, load_settings
from msgspec import Meta, Struct

_LONGEST_SOCKET_PATH: Final = 107
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
# Named one by one (RFC 1918, RFC 4193): what the standard library calls private also holds the metadata services of
# clouds (169.254.0.0/16), and tunnels that end elsewhere (2001::/32).
_PRIVATE: Final = tuple(
    ipaddress.ip_network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)
_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$"


class Dialect(StrEnum):
    """Whose HTTP interface the model server speaks."""

    OLLAMA = "ollama"
    OPENAI = "openai"


class ModelServer(Struct, frozen=True):
    """The model server and the one model that may be used on it."""

    dialect: Dialect
    address: str
    name: Annotated[str, Meta(pattern=_NAME)]
    digest: str = ""
    void_promise: bool = False


class Listening(Struct, frozen=True):
    """Where the planner connects, and where health and metrics are."""

    socket: Path
    health: Address
    metrics: Address | None = None
    socket_group: bool = False


class Limits(Struct, frozen=True):
    """Seconds for one answer; requests passed on at a time; requests that wait."""

    seconds: Annotated[int, Meta(ge=1, le=1800)] = 180
    at_once: Annotated[int, Meta(ge=1, le=64)] = 1
    waiting: Annotated[int, Meta(ge=0, le=1024)] = 32


class Config(Struct, frozen=True):
    """Everything the forwarder is told."""

    listen: Listening
    model: ModelServer
    limits: Limits = Limits()


def load_config(path: Path) -> Config:
    """Read and check a configuration file. Raises SettingsError."""
    config = load_settings(path, Config)
    check_model(config.model)
    if len(str(config.listen.socket)) > _LONGEST_SOCKET_PATH:
        raise SettingsError(f"listen.socket: a socket's path has at most {_LONGEST_SOCKET_PATH} bytes")
    return config


def check_model(model: ModelServer) -> None:
    """Refuse what would break the promise that the memo stays here. Raises SettingsError."""
    if is_remote_name(model.name):
        raise SettingsError("model.name: this model runs in its maker's cloud; name a local one")
    if model.digest and not _DIGEST.fullmatch(model.digest):
        raise SettingsError("model.digest: 64 lower-case hexadecimal digits, as the listing has them")
    if model.digest and model.dialect is not Dialect.OLLAMA:
        raise SettingsError("model.digest: only Ollama's listing has digests")
    if not is_near(model.address) and not model.void_promise:
        raise SettingsError(
            "model.address: neither loopback nor private, so that the memo would leave; "
            "name a local address, or say void_promise = true"
        )


def is_near(address: str) -> bool:
    """Whether a base URL names a loopback or private IP address. Raises SettingsError for any other form."""
    try:
        parts = urlsplit(address)
        port = parts.port
        host = ipaddress.ip_address(parts.hostname or "")
    except ValueError:
        raise SettingsError(
            "model.address: http or https, an IP address and a port; names are not looked up"
        ) from None
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username or parts.password)
    if parts.scheme not in ("http", "https") or port is None or not bare:
        raise SettingsError("model.address: http or https, an IP address and a port, nothing else")
    if isinstance(host, ipaddress.IPv6Address) and host.ipv4_mapped is not None:
        host = host.ipv4_mapped
    return host.is_loopback or any(host in network for network in _PRIVATE)


def is_remote_name(name: str) -> bool:
    """Whether Ollama would run a model of this name elsewhere: its tag is `cloud` or ends in `-cloud`."""
    tag = name.rpartition("/")[2].partition(":")[2] or name
    return tag.lower().endswith("cloud")
