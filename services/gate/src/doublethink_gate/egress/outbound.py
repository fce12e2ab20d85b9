"""A request before it is checked, and what came of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from doublethink_ledger import BodyValue, Verdict

from doublethink_gate.fetching import FetchRules
from doublethink_gate.ledger import PreparedRow
from doublethink_gate.reasons import Reasons
from doublethink_gate.sessions.holds import Hold
from doublethink_gate.sources import PreparedRequest
from doublethink_gate.sources.replay import PLACE


class Method(StrEnum):
    """What a request is for; the word stands in its ledger row."""

    SEARCH = "search"
    EXTRACT = "extract"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Outbound:
    """A request that somebody wants to make.

    prepared: exactly what would be sent, but for the header that carries the key. text: the part of it that a
    caller chose or caused (the query, or the address of a page). public_spans: byte ranges of the body that
    are a stored page of this session. query: None for a search, which becomes a query itself. send_s: seconds
    that the exchange may take, where it is not the usual bound. rebuild: makes the same request with another text;
    None where the text cannot be another. hold: the held request that a person has approved, where this is it. rules:
    what the address is judged by, where the gate itself asks a page's server; None where a source fetches it.
    """

    method: Method
    prepared: PreparedRequest = field(repr=False)
    text: str = field(repr=False)
    public_spans: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    query: str | None = None
    result: str | None = None
    template: str | None = None
    model: str | None = None
    send_s: float | None = None
    rebuild: Callable[[str], PreparedRequest] | None = field(default=None, repr=False)
    hold: Hold | None = None
    rules: FetchRules | None = field(default=None, repr=False)

    @property
    def host(self) -> str:
        """The host that the request goes to, in lower case."""
        return (urlsplit(self.prepared.url).hostname or "").lower()

    @property
    def leaves(self) -> bool:
        """Whether it goes to a network: a recording answers without one."""
        return not self.prepared.url.startswith(f"{PLACE}/")


@dataclass(frozen=True, slots=True)
class Decision:
    """What the checks say about a request.

    outbound: what may be sent; for REWRITE the rewritten request. rules: ids of findings, the strongest first, then
    notices. reasons: the findings in what was asked for, for the owner of the session; None where there are none.
    original: for REWRITE, the canonical bytes of the request as it was asked for.
    """

    outbound: Outbound
    verdict: Verdict
    rules: tuple[str, ...] = ()
    reasons: Reasons | None = field(default=None, repr=False)
    original: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A request whose row is durable. row: as it was handed to the ledger, with the sealed payload."""

    outbound: Outbound
    row_id: uuid.UUID
    n: int
    at_us: int
    row: PreparedRow = field(repr=False)


@dataclass(frozen=True, slots=True)
class Seen:
    """Public text as it came in from an address."""

    url: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Received:
    """What an answer was taken for.

    keys: of the outcome row. payload: the bytes that the row commits to, if any. seen: the public text in it,
    the same that `Replay` reads back for this row.
    """

    keys: dict[str, BodyValue]
    payload: bytes | None = field(default=None, repr=False)
    seen: tuple[Seen, ...] = field(default=(), repr=False)
