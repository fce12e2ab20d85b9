"""The ledger row: its hash, its chain and the checks over them, as pure functions over bytes."""
