"""What an attacker does: one or more payloads in order, of which a filter has to stop at least one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from eval.leaks.case import Case


@dataclass(frozen=True)
class Payload:
    """One request: its kind ("query", "url", "body"), its bytes, and a body's headers."""

    kind: str
    data: bytes
    content_type: str | None = None
    content_encoding: str | None = None


Attempt = list[Payload]
Make = Callable[[Case, random.Random], Attempt]


@dataclass(frozen=True)
class LeakClass:
    """One way to smuggle. `claim`: "Y" it is caught, "P" some of it is, "N" nothing is promised."""

    number: int
    title: str
    claim: str
    make: Make


_CARRIERS = (
    ("", ""),
    ("prices ", " today"),
    ("what is ", ""),
    ("latest news about ", " in europe"),
    ("", " market share 2023"),
    ("pump makers and ", ""),
)


def query(text: str) -> Payload:
    """A search query of exactly this text."""
    return Payload("query", text.encode())


def carried(text: str, source: random.Random) -> Attempt:
    """One query that holds `text` alone or between ordinary words."""
    before, after = source.choice(_CARRIERS)
    return [query(before + text + after)]


def body(text: str | bytes, content_type: str, encoding: str | None = None) -> Attempt:
    """One body."""
    return [Payload("body", text.encode() if isinstance(text, str) else text, content_type, encoding)]


def url(text: str) -> Attempt:
    """One address."""
    return [Payload("url", text.encode())]
