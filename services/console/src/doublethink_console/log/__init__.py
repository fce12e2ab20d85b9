"""The gate's ledger as the console shows it: read from the gate, put together, filtered, written in other formats."""
