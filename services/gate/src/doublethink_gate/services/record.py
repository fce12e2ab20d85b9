"""RecordService: what was let in. A fact is recorded only if its spans lie in a page of the same session."""

from __future__ import annotations

import itertools
import uuid
from typing import Final

from doublethink.gate.v1 import record_pb2
from doublethink_ledger import Kind
from doublethink_rpc import Call, log
from doublethink_rpc.failpoint import reach

from doublethink_gate.errors import BudgetExhausted, IdRefused, Malformed
from doublethink_gate.failpoints import Point
from doublethink_gate.ids import IdType, from_bytes, to_uuid
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.services.spans import check_spans
from doublethink_gate.sessions.material import StoredFact

_MAX_RIVALS: Final = 24


class RecordService:
    """The handler of `doublethink.gate.v1.RecordService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def RecordFact(
        self, request: record_pb2.RecordFactRequest, call: Call
    ) -> record_pb2.RecordFactResponse:
        """Write a fact to the ledger, then store it; return its id.

        The row holds the fact's commitment, the page as its own row names it and the SHA-256 of its text, and
        no text. Raises CapabilityRefused, SessionClosed, IdRefused, Malformed for spans or a value that cannot
        be, BudgetExhausted beyond the facts that a session may have, LedgerUnavailable.
        """
        runtime = self._runtime
        grant = await authorise(runtime.store, call, runtime.clock())
        fact = request.fact
        if not (fact.HasField("value") and fact.HasField("unit")):
            raise Malformed
        session = grant.session.id
        page = await runtime.material.page(session, fact.page_id)
        if page.query != fact.query_id:
            raise IdRefused
        check_spans(page.text, fact.spans)
        if await runtime.material.count_facts(session) >= runtime.limits.facts_per_session:
            raise BudgetExhausted
        row_id = uuid.uuid4()
        fact_id = from_bytes(IdType.FACT, row_id.bytes)
        body = fact.SerializeToString(deterministic=True)
        await reach(Point.BEFORE_FACT)
        row = await runtime.rows.write(
            to_uuid(IdType.SESSION, session),
            Kind.FACT,
            {
                "of": str(page.row_id),
                "fact": fact_id,
                "page": page.fetched,
                "page_sha256": page.text_sha256.hex(),
            },
            body,
            row_id,
            call.remaining(),
        )
        await reach(Point.AFTER_FACT)
        await runtime.material.insert_fact(session, fact_id, page.query, page.id, body, row.at_us, row_id)
        log().info("fact_recorded", session=session, fact=fact_id)
        return record_pb2.RecordFactResponse(fact_id=fact_id)

    async def GetFacts(self, request: record_pb2.GetFactsRequest, call: Call) -> record_pb2.GetFactsResponse:
        """Return facts of this session, in the order asked for, and then its rivals if they are asked for. Raises
        CapabilityRefused, SessionClosed, IdRefused.
        """
        grant = await authorise(self._runtime.store, call, self._runtime.clock())
        material = self._runtime.material
        facts = [_recorded(fact) for fact in await material.facts(grant.session.id, list(request.fact_ids))]
        if request.rivals:
            recorded = map(_recorded, await material.all_facts(grant.session.id))
            asked = set(request.fact_ids)
            rivals = (each for each in recorded if each.fact.rival and each.fact_id not in asked)
            facts += itertools.islice(rivals, _MAX_RIVALS)
        return record_pb2.GetFactsResponse(facts=facts)


def _recorded(fact: StoredFact) -> record_pb2.RecordedFact:
    return record_pb2.RecordedFact(fact_id=fact.id, fact=record_pb2.Fact.FromString(fact.body))
