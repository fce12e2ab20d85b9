"""The one way out: check, durable row, send, outcome."""
