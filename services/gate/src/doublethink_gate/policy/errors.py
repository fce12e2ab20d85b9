"""What can be wrong with a policy."""

from __future__ import annotations


class PolicyError(Exception):
    """A policy that cannot be used; names key and line and says what to do."""

    def __init__(self, key: str, line: int, problem: str) -> None:
        super().__init__(f"policy, line {line}: {key}: {problem}")
        self.key = key
        self.line = line
