"""Asks a process whether it is healthy, over the standard protocol of gRPC."""

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_SECONDS = 2.0


def is_serving(target: str) -> bool:
    """True if grpc.health.v1 at `target` answers SERVING; False if it does not answer yet."""
    with grpc.insecure_channel(target) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=_SECONDS)
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
