"""The ledger rows that the gate writes: their bodies, their retries, and what their failures mean to a
caller.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from doublethink_ledger import BodyValue, CommitmentError, Kind, Verdict, decode_body
from doublethink_rpc import log

from doublethink_gate import ledger
from doublethink_gate.egress.following import Followers
from doublethink_gate.egress.outbound import Admitted, Decision, Outbound
from doublethink_gate.errors import LedgerUnavailable, Overloaded, SessionClosed
from doublethink_gate.ids import IdType, from_bytes
from doublethink_gate.ledger.payload import committed_forms, unseal

MAX_RULES: Final = 64


@dataclass(frozen=True, slots=True)
class Who:
    """What every row says about the gate that wrote it: SHA-256 of its source and of its policy."""

    gate: bytes
    policy: bytes
    named_hosts: frozenset[str] = field(default=frozenset())

    def keys(self) -> dict[str, BodyValue]:
        """Return the keys of a body."""
        return {"gate": self.gate.hex(), "policy": self.policy.hex()}


class Rows:
    """Writes rows through the ledger's writer.

    Every method raises LedgerUnavailable where the row is not known to be durable, SessionClosed where the
    session takes no rows, any more or yet, and Overloaded where too much waits already.
    """

    def __init__(
        self, writer: ledger.LedgerWriter, keys: ledger.SessionKeys, who: Who, append_s: float
    ) -> None:
        self._writer = writer
        self._keys = keys
        self._who = who
        self._append_s = append_s
        self.followers = Followers()

    async def attempt(
        self, session: uuid.UUID, row_id: uuid.UUID, decision: Decision, expect_n: int, deadline_s: float
    ) -> Admitted:
        """Write the row of an attempt, or of a held request; the whole request is its payload, and where it was
        rewritten, what was asked for beside it.

        expect_n: the last row that the checks saw. Raises ledger.LostRace where one that they did not see
        came first.
        """
        outbound = decision.outbound
        held = decision.verdict is Verdict.ASK
        body = self._request(row_id, outbound)
        body |= {"verdict": decision.verdict.value, "rules": list(decision.rules[:MAX_RULES])}
        if outbound.hold is not None and not held:
            body["of"] = str(outbound.hold.row_id)
        row, prepared = await self._append(
            session,
            Kind.HELD if held else Kind.ATTEMPT,
            body,
            outbound.prepared.canonical(),
            expect_n=None if held else expect_n,
            row_id=row_id,
            deadline_s=deadline_s,
            original=decision.original,
        )
        return Admitted(outbound, row_id, row.n, row.at_us, prepared)

    async def check_committed(self, admitted: Admitted, request: bytes) -> None:
        """Raise unless `request` is what the attempt's row commits to, and what its payload opens to.

        The commitments are taken from the body that was written and computed anew over the sealed payload, which
        has to be `request`. Raises CommitmentError; PayloadError for a payload that does not open.
        """
        row = admitted.row
        body = decode_body(row.body)
        if row.payload is None or "commit" not in body:
            raise CommitmentError("an attempt has a payload and commits to it")
        key = await self._keys.load(row.session)
        opened, _ = committed_forms(body, unseal(key, row.session, row.id, row.payload))
        if opened.payload != request:
            raise CommitmentError("the payload is not the request")

    async def outcome(
        self,
        session: uuid.UUID,
        row_id: uuid.UUID,
        of: uuid.UUID,
        keys: Mapping[str, BodyValue],
        payload: bytes | None,
    ) -> int:
        """Write what came of an attempt; return the row's n."""
        body: dict[str, BodyValue] = {**self._who.keys(), "of": str(of), **keys}
        row, _ = await self._append(session, Kind.OUTCOME, body, payload, row_id=row_id)
        return row.n

    async def write(
        self,
        session: uuid.UUID,
        kind: Kind,
        keys: Mapping[str, BodyValue],
        payload: bytes | None = None,
        row_id: uuid.UUID | None = None,
        deadline_s: float | None = None,
    ) -> ledger.AppendedRow:
        """Write a row that sends nothing: a session's opening and closing, or a fact."""
        body = {**self._who.keys(), **keys}
        row, _ = await self._append(session, kind, body, payload, row_id=row_id, deadline_s=deadline_s)
        return row

    def _request(self, row_id: uuid.UUID, outbound: Outbound) -> dict[str, BodyValue]:
        body: dict[str, BodyValue] = {**self._who.keys(), "method": outbound.method.value}
        host = outbound.host
        # A host that the policy does not name may be a secret spelt as one; the payload's commitment covers
        # it.
        if host in self._who.named_hosts:
            body["host"] = host
        body["query"] = outbound.query or from_bytes(IdType.QUERY, row_id.bytes)
        if outbound.result is not None:
            body["result"] = outbound.result
        if outbound.template is not None:
            body["template"] = outbound.template
        if outbound.model is not None:
            body["model"] = outbound.model
        return body

    async def _append(
        self,
        session: uuid.UUID,
        kind: Kind,
        body: Mapping[str, BodyValue],
        payload: bytes | None,
        *,
        expect_n: int | None = None,
        row_id: uuid.UUID | None = None,
        deadline_s: float | None = None,
        original: bytes | None = None,
    ) -> tuple[ledger.AppendedRow, ledger.PreparedRow]:
        """Write one row within the deadline, asking again for the same row while its commit is unknown."""
        loop = asyncio.get_running_loop()
        end = loop.time() + min(self._append_s, self._append_s if deadline_s is None else deadline_s)
        try:
            prepared = await self._writer.prepare(session, kind, body, payload, expect_n, row_id, original)
            while True:
                try:
                    row = await self._writer.append_prepared(prepared, deadline_s=end - loop.time())
                    self.followers.tell(session)
                    return row, prepared
                except ledger.CommitUnknown:
                    # The same row again tells what became of it: a row that is there is not written twice.
                    if loop.time() >= end:
                        raise
        except ledger.LostRace:
            raise
        except (ledger.SessionClosed, ledger.SessionNotOpen):
            raise SessionClosed from None
        except ledger.QueueFull:
            raise Overloaded from None
        except ledger.LedgerError as error:
            log().error("row_not_written", error=error)
            raise LedgerUnavailable from error
