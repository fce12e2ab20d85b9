"""What waits for a person in a session: a fold over its `held`, `approval` and `attempt` rows."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from doublethink_ledger import BodyValue, Kind

from doublethink_gate.errors import Blocked, Held, IdRefused

LET_GO_S: Final = 120
"""Seconds for which an approval stands: its planner asks every second."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A request that the checks are not sure of.

    commitment: of the held row, to the exact bytes. rules: what held it. approved_until_us: 0 while nobody has approved
    it. rejected: one rejection stands against any number of approvals. used: it was let go, which happens once.
    """

    row_id: uuid.UUID
    n: int
    at_us: int
    method: str
    commitment: bytes
    rules: frozenset[str]
    approved_until_us: int = 0
    rejected: bool = False
    used: bool = False

    @property
    def decided(self) -> bool:
        """Whether a person has said anything."""
        return self.rejected or self.approved_until_us > 0

    def expires_us(self, wait_s: int) -> int:
        """When it is too late to decide, where a hold waits `wait_s` seconds."""
        return self.at_us + wait_s * 1_000_000

    def is_waiting(self, now_us: int, wait_s: int) -> bool:
        """Whether a person may decide, and has not."""
        return not self.decided and not self.used and now_us < self.expires_us(wait_s)

    def is_approved(self, now_us: int) -> bool:
        """Whether the request may be sent now, as far as people are concerned."""
        return not self.rejected and not self.used and now_us < self.approved_until_us

    def require_approval(self, now_us: int) -> None:
        """Raise unless the request may be sent now: Blocked where it was rejected, else Held."""
        if self.rejected:
            raise Blocked
        if not self.is_approved(now_us):
            raise Held


def _decided(hold: Hold, body: Mapping[str, BodyValue]) -> Hold:
    if body["verdict"] != "approve":
        return replace(hold, rejected=True)
    until = body.get("expires_us", 0)
    return replace(hold, approved_until_us=until if isinstance(until, int) else 0)


_Change = Callable[[Hold, Mapping[str, BodyValue]], Hold]


@dataclass(slots=True)
class Holds:
    """The holds of one session, by row; as many as its budget of attempts lets it have."""

    _by_row: dict[uuid.UUID, Hold] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Hold]:
        return iter(self._by_row.values())

    def get(self, row_id: uuid.UUID) -> Hold:
        """Return a hold. Raises IdRefused for one that is not of this session."""
        try:
            return self._by_row[row_id]
        except KeyError:
            raise IdRefused from None

    def fold(self, row_id: uuid.UUID, n: int, at_us: int, body: Mapping[str, BodyValue]) -> None:
        """Take in the next row of the session."""
        match body["kind"]:
            case Kind.HELD:
                rules = body["rules"]
                self._by_row[row_id] = Hold(
                    row_id,
                    n,
                    at_us,
                    str(body["method"]),
                    bytes.fromhex(str(body["commit"])),
                    frozenset(str(rule) for rule in rules) if isinstance(rules, list) else frozenset(),
                )
            case Kind.APPROVAL:
                self._change(body, _decided)
            case Kind.ATTEMPT if "of" in body:
                self._change(body, lambda hold, _: replace(hold, used=True))

    def _change(self, body: Mapping[str, BodyValue], change: _Change) -> None:
        of = uuid.UUID(str(body["of"]))
        hold = self._by_row.get(of)
        if hold is not None:
            self._by_row[of] = change(hold, body)
