"""Re-checks the ledger, signs its checkpoints and copies them out of the database."""
