"""Rewriting: the smallest change after which a query is clean, checked again from the start."""

from doublethink_gate.checks.rewriting.rewrite import MAX_ROUNDS, decide

__all__ = ["MAX_ROUNDS", "decide"]
