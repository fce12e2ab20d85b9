"""The policy: what may leave, how much, and what happens to a finding."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_BLOCK_OR_ASK = ("block", "ask", "allow")
_ANY = ("block", "rewrite", "ask", "allow")

FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "canary": ("block",),
        "secret": _ANY,
        "uncertain": _ANY,
        "split": _BLOCK_OR_ASK,
        "pattern": _ANY,
        "provenance": _ANY,
        "unreadable": _BLOCK_OR_ASK,
    }
)
"""Families of findings, with the verdicts that the policy may give each. Shape, destination, taint and budget always
block.

``secret`` is a confirmed value; ``uncertain`` a short, ordinary or misspelled one without a second clue;
``split`` one that comes together over several calls. ``rewrite`` needs a place in the text that can be taken out: what
lies over several calls, or could not be read, has none. A canary is planted: whatever holds it was copied, not asked.
"""

PATTERN_PACKS = ("credentials", "payment", "contact", "identity", "addresses", "commands")
"""Names of the shipped packs of patterns. Each is a family of its own where the policy gives it a verdict, and belongs
to ``pattern`` where it does not."""


@dataclass(frozen=True, slots=True)
class Destinations:
    """Where addresses and bodies may go.

    A host is an exact name, ``.example.org`` for all below it, or ``*``. nat64: whether an address of the well-known
    NAT64 prefix is judged by the IPv4 address in it; else it is refused.
    """

    hosts: tuple[str, ...]
    schemes: tuple[str, ...]
    nat64: bool = False


@dataclass(frozen=True, slots=True)
class StandIns:
    """Hosts that are dialled where the operator says: name, address and port of each.

    authority: certificates as PEM, the only ones that are believed then; "" for the usual ones.
    """

    hosts: tuple[tuple[str, str, int], ...] = ()
    authority: str = ""

    def words(self) -> tuple[str, ...]:
        """What a start says of them, a line each."""
        lines = tuple(
            f"stand-in: {name} is dialled at {address} port {port}" for name, address, port in self.hosts
        )
        return (
            (*lines, "stand-in: the policy's own authority is believed, and no other")
            if self.authority
            else lines
        )


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much one session may do.

    `bytes` counts payloads sent; `attempts` counts refused ones too; `tokens` counts a model's input and output
    together; `cost_micros` is what its answers may cost, in millionths of a US dollar; `seconds` is its life.
    """

    queries: int
    pages: int
    model_calls: int
    bytes: int
    tokens: int
    cost_micros: int
    attempts: int
    seconds: int


@dataclass(frozen=True, slots=True)
class QueryRules:
    """Bounds of one search query, in characters."""

    max_chars: int


@dataclass(frozen=True, slots=True)
class ProvenanceRules:
    """Whether rare memo words are held back until the public text of the session has shown them.

    A page of `trusted_hosts` is enough alone; otherwise two registrable domains must have shown a word.
    """

    enabled: bool
    trusted_hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApprovalRules:
    """How long a search that is held may wait for a person, in seconds; 0: nobody can let it go."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Retention:
    """How long a closed session's pages and payloads stay (days), and a fingerprint pack may live (minutes).

    payloads_days: None keeps them until somebody erases them by hand.
    """

    pages_days: int
    pack_minutes: int
    payloads_days: int | None


@dataclass(frozen=True, slots=True)
class Grants:
    """What the console may do beyond the sessions that it holds capabilities of.

    read_log: read the rows of all sessions, which hold no payload. open_payloads: have what left, and what was
    let in, opened for an export; it needs the session's capability all the same.
    """

    read_log: bool
    open_payloads: bool


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """What a model's vendor asks, in millionths of a US dollar for a million tokens."""

    model: str
    input: int
    output: int
    cache_write: int
    cache_read: int

    def at_most(self, input: int, output: int) -> int:
        """What so many tokens can cost at the most, in millionths of a US dollar, rounded up."""
        picos = input * max(self.input, self.cache_write, self.cache_read) + output * self.output
        return -(-picos // 1_000_000)


@dataclass(frozen=True, slots=True)
class Prices:
    """A table of prices and the day (ISO 8601) on which it was read."""

    as_of: str
    models: tuple[ModelPrice, ...]

    def of(self, model: str) -> ModelPrice | None:
        """The price of a model, None where the table does not have it."""
        return next((price for price in self.models if price.model == model), None)

    def missing(self, model: str) -> str:
        """What to say of a model without a price."""
        known = ", ".join(price.model for price in self.models) or "none"
        return (
            f"the policy has no price for the model {model}, so that its budget of dollars could not be kept: add what "
            f"the vendor asks under prices.models, or name a model that has a price ({known})"
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """A complete policy. `digest` is the SHA-256 of its canonical form and of the rule set's version."""

    sources: tuple[str, ...]
    providers: tuple[str, ...]
    destinations: Destinations
    budgets: Budgets
    query: QueryRules
    verdicts: tuple[tuple[str, str], ...]
    patterns: tuple[str, ...]
    provenance: ProvenanceRules
    approval: ApprovalRules
    retention: Retention
    grants: Grants
    prices: Prices
    stand_ins: StandIns
    digest: bytes

    @property
    def named_hosts(self) -> frozenset[str]:
        """Hosts that the policy names exactly, so that their names tell nothing new."""
        hosts = (*self.destinations.hosts, *self.providers)
        return frozenset(host for host in hosts if host != "*" and not host.startswith("."))

    def verdict_for(self, family: str) -> str:
        """Return ``block``, ``rewrite``, ``ask`` or ``allow`` for a family or a pack of patterns.

        A pack without an entry is judged as ``pattern``; families without an entry block.
        """
        given = dict(self.verdicts)
        return given.get(family) or given.get("pattern" if family in PATTERN_PACKS else family, "block")

    def allows_host(self, host: str) -> bool:
        """Whether a host is listed; names are compared in lower case, without a closing dot."""
        name = host.lower().rstrip(".")
        return any(
            allowed == "*" or name == allowed or (allowed.startswith(".") and name.endswith(allowed))
            for allowed in self.destinations.hosts
        )

    def allows_provider(self, host: str) -> bool:
        """Whether requests of the gate's own, to a search source or a model, may go to a host: one that is
        listed by its name, or this machine by its address.
        """
        name = host.lower().rstrip(".")
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name in self.providers

    def max_bytes(self, kind: str) -> int:
        """Return the size limit of one payload: a URL is at most 8 KiB, a body at most what the session may
        send."""
        return 8192 if kind == "url" else self.budgets.bytes
