"""The RPC services, one module each: they decode, authorise and answer; the work is done elsewhere."""
