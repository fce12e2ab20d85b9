"""Bounds of a case file. A case beyond one of them is refused, never cut."""

from __future__ import annotations

CASE_BYTES = 1024 * 1024
MEMO_BYTES = 256 * 1024
# YAML nodes: with every list at its own bound a case has fewer, and no path in it is deeper.
NODES = 20_000
DEPTH = 6
TITLE_CHARS = 200
SECRETS = 500
ALIASES = 20
# As many as the planner's contract takes.
PUBLIC_TERMS = 200
CANARIES = 16
VALUE_CHARS = 300
CANARY_MIN_SYMBOLS = 12
CANARY_MAX_SYMBOLS = 64
