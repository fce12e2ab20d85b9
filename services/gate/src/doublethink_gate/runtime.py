"""What the services share: one object a process, made by the wiring in `process`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from doublethink_gate.completion import Model
from doublethink_gate.config import Limits
from doublethink_gate.egress.exchange import Exchange
from doublethink_gate.egress.rows import Rows
from doublethink_gate.ledger import LedgerReader, LogReader, Openings, Prover
from doublethink_gate.metrics import Metrics
from doublethink_gate.pages import PageExtractor
from doublethink_gate.policy import Policy, Prices
from doublethink_gate.reasons import ReasonStore
from doublethink_gate.sessions.material import MaterialStore
from doublethink_gate.sessions.registry import Registry
from doublethink_gate.sessions.replay import Replay
from doublethink_gate.sessions.store import SessionStore
from doublethink_gate.sources import DirectPages, Source

Clock = Callable[[], int]
"""Returns microseconds since 1970-01-01 UTC."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """The gate's parts. model: None where none is configured. prices: what it asks. direct: asks the servers of pages
    themselves; None where the source gives pages. extractor: takes pages apart, in processes of their own.
    """

    limits: Limits
    policy: Policy
    prices: Prices
    clock: Clock
    store: SessionStore
    material: MaterialStore
    registry: Registry
    reader: LedgerReader
    log: LogReader
    openings: Openings
    prover: Prover
    rows: Rows
    reasons: ReasonStore
    exchange: Exchange
    replay: Replay
    metrics: Metrics
    source: Source
    direct: DirectPages | None
    extractor: PageExtractor
    model: Model | None
