"""Sessions: who may do what, what was brought in, and the check state that is folded from the ledger."""
