"""A health probe for images without a shell: `python -m doublethink_rpc.probe ADDRESS`.

ADDRESS is the one of `listen.health`: "unix:PATH" or "HOST:PORT". Exit codes: 0 SERVING, 1 anything else, 2 wrong use.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS: Final = 2.0


def is_serving(address: str, seconds: float = SECONDS) -> bool:
    """Whether the whole server there says SERVING within `seconds`."""
    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=seconds
            )
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def main(arguments: Sequence[str]) -> int:
    """Probe once; return the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m doublethink_rpc.probe ADDRESS\n")
        return 2
    return 0 if is_serving(arguments[0]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
