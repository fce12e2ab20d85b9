"""CompletionService: the reader's only way to the cloud model."""

from __future__ import annotations

import hashlib
import uuid
from typing import Final

from doublethink.gate.v1 import completion_pb2
from doublethink_ledger import BodyValue
from doublethink_rpc import Call

from doublethink_gate.completion import ModelError, assemble, load_template, read_answer
from doublethink_gate.egress.outbound import Admitted, Method, Outbound, Received
from doublethink_gate.egress.retrying import retrying
from doublethink_gate.errors import IdRefused, Malformed, ModelUnavailable
from doublethink_gate.ledger.payload import MAX_PAYLOAD_BYTES
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise, bound_query
from doublethink_gate.services.queries import approved_text
from doublethink_gate.sources import RawResponse

MAX_PAGES: Final = 8


class CompletionService:
    """The handler of `doublethink.gate.v1.CompletionService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def Complete(
        self, request: completion_pb2.CompleteRequest, call: Call
    ) -> completion_pb2.CompleteResponse:
        """Have the model answer over pages of one approved query.

        The caller gives ids; the words are the template's, the query's and the pages'. Raises
        CapabilityRefused, SessionClosed, IdRefused, Malformed, ModelUnavailable, ModelAnswerRefused,
        ModelRateLimited, ProviderRefused, and what `Exchange.run` raises.
        """
        runtime = self._runtime
        now_us = runtime.clock()
        grant = await authorise(runtime.store, call, now_us)
        bound_query(grant, request.query_id)
        template = load_template(request.template)
        if not 1 <= len(request.page_ids) <= MAX_PAGES or len(set(request.page_ids)) != len(request.page_ids):
            raise Malformed
        query = await runtime.material.query(grant.session.id, request.query_id)
        pages = [await runtime.material.page(grant.session.id, id) for id in request.page_ids]
        if any(page.query != query.id for page in pages):
            raise IdRefused
        model = runtime.model
        if model is None:
            raise ModelUnavailable
        assembled = assemble(
            template=template,
            model=model.name,
            max_tokens=model.max_tokens,
            query=await approved_text(runtime, query),
            pages=[(page.text_sha256, page.text.decode()) for page in pages],
            max_page_bytes=runtime.limits.model_input_bytes,
        )
        outbound = Outbound(
            method=Method.COMPLETE,
            prepared=model.prepare(assembled.body),
            text=assembled.question,
            public_spans=assembled.public_spans,
            query=query.id,
            template=f"{template.name}/{template.sha256.hex()[:32]}",
            model=model.name,
            send_s=model.send_s,
        )
        price = runtime.prices.of(model.name)

        async def receive(admitted: Admitted, response: RawResponse, _: uuid.UUID) -> tuple[str, Received]:
            # A row with a response changes what later checks see: the budget of tokens.
            digest: dict[str, BodyValue] = {"response": hashlib.sha256(response.body).hexdigest()}
            if any(part.cut for part in assembled.parts):
                digest["cut"] = True
            try:
                text, usage = read_answer(response)
            except ModelError as error:
                if error.usage is not None:
                    error.keys = error.usage.keys(price) | digest
                raise
            kept = response.body if len(response.body) <= MAX_PAYLOAD_BYTES else None
            return text, Received(usage.keys(price) | digest, kept)

        live = await runtime.registry.live(grant.session, now_us)
        text = await retrying(
            lambda: runtime.exchange.run(live, outbound, model.send, receive, call),
            call,
            runtime.limits.model_attempts,
            runtime.limits,
        )
        return completion_pb2.CompleteResponse(completion=text)
