"""Runs: from a question to an answer, each step written down before the next is taken."""
