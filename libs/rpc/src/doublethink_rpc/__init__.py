"""gRPC servers and channels with mutual TLS, caller checks, capabilities, bounds, health and metrics.

Everything works from the contracts' own descriptors; there are no generated stubs.
"""

from __future__ import annotations

import os

# gRPC's core writes to stderr by itself: a peer's words in failures, and, when traced, all metadata.
os.environ["GRPC_VERBOSITY"] = "NONE"
os.environ.pop("GRPC_TRACE", None)

from .call import Call
from .errors import RpcError, StartRefused
from .logs import configure_logging, log
from .peer import Peer
from .server import Server, ServerConfig, run
from .tls import TlsFiles

__all__ = [
    "Call",
    "Peer",
    "RpcError",
    "Server",
    "ServerConfig",
    "StartRefused",
    "TlsFiles",
    "configure_logging",
    "log",
    "run",
]
