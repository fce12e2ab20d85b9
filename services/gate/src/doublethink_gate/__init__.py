"""The only process with egress: checks every outbound byte, writes it to the ledger, then sends it."""
