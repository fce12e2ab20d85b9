"""Bounds on one page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound that extraction keeps.

    Over `body_bytes` or `tags` the page is refused, since neither can be cut safely.
    Over any other bound the text stops there and the page is marked as cut.
    """

    body_bytes: int = 16 * 1024 * 1024
    tags: int = 1_000_000  # "<" in the source, counted before anything is parsed
    nodes: int = 2_000_000
    depth: int = 1_000
    table_depth: int = 12
    cells: int = 400_000  # of all tables together, spans expanded
    text_bytes: int = 4 * 1024 * 1024  # what one page message carries
    style_rules: int = 4_000
    style_matches: int = 400_000
    style_work: int = 20_000_000  # rules times tags


DEFAULT = Limits()
