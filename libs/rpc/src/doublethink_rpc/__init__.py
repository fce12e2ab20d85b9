"""gRPC servers and channels with mutual TLS, caller checks, capabilities, bounds, health and metrics."""
