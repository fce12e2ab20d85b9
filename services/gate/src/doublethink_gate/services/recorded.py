"""What a recording of a session holds, gathered from the ledger and the stored pages, and what the checks say of it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from doublethink_fingerprint import Pack
from doublethink_ledger import Kind, Row, Verdict

from doublethink_gate import checks, ledger
from doublethink_gate.checks import SessionState
from doublethink_gate.egress.outbound import Method
from doublethink_gate.egress.payloads import body_of, question_of, search_text
from doublethink_gate.fetching import FetchRules, UrlRefused, judge_url
from doublethink_gate.ledger.reader import MAX_ROWS
from doublethink_gate.policy import Policy
from doublethink_gate.policy.policy import Destinations, ProvenanceRules, QueryRules
from doublethink_gate.runtime import Runtime
from doublethink_gate.services import messages
from doublethink_gate.sessions.material import Result
from doublethink_gate.sources.recording import (
    MAX_BYTES,
    MAX_EXCHANGES,
    RecordedExchange,
    RecordedFailure,
    RecordedRequest,
    RecordedResponse,
)

MAX_FINDINGS: Final = 64
_JSON: Final = "application/json"
_SENT: Final = (Verdict.ALLOW, Verdict.REWRITE)
_Operation = Literal["search", "page", "completion"]
_OPERATIONS: Final[dict[str, _Operation]] = {
    Method.SEARCH.value: "search",
    Method.EXTRACT.value: "page",
    Method.COMPLETE.value: "completion",
}
_PIECE: Final = 64 * 1024
_OVERLAP: Final = 1024
_RAW: Final = 256 * 1024
"""Markup of a larger page is looked through as the text that it shows, and not as it is written."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that left and was answered, well or not, by its row and its outcome's body."""

    row: Row
    operation: _Operation
    outcome_row: Row
    outcome: Mapping[str, object]
    hops: tuple[Row, ...] = ()
    """Where a page was asked of its own server: the requests whose answers led on to this one, the first first."""

    @property
    def opened(self) -> tuple[Row, ...]:
        """The rows whose payloads a recording of it gives out."""
        asked = (*self.hops, self.row)
        return (*asked, self.outcome_row) if "commit" in self.outcome else asked


class Erased(Exception):
    """A payload or a page is not there any more."""


class TooOld(Exception):
    """A page was stored without its content type, or an answer was not kept."""


async def rows_of(runtime: Runtime, session: uuid.UUID) -> list[Row]:
    """All rows of a session. Raises ledger.LedgerError."""
    found: list[Row] = []
    while True:
        rows = await runtime.reader.session_rows(session, found[-1].n if found else -1)
        found += rows
        if len(rows) < MAX_ROWS:
            return found


def sent_of(rows: list[Row]) -> list[Sent]:
    """The searches, pages and completions among rows that left and have an outcome, in order."""
    outcomes = {
        str(body["of"]): (row, body)
        for row in rows
        if (body := messages.body_of(row))["kind"] == Kind.OUTCOME
    }
    found = []
    led_on: dict[object, list[Row]] = {}
    for row in rows:
        body = messages.body_of(row)
        if body["kind"] != Kind.ATTEMPT or body["verdict"] not in _SENT:
            continue
        operation = _OPERATIONS.get(str(body["method"]))
        outcome = outcomes.get(str(uuid.UUID(bytes=row.id)))
        if operation is None or outcome is None:
            continue
        if operation == "page" and outcome[1]["status"] == "sent" and "page" not in outcome[1]:
            led_on.setdefault(body.get("result"), []).append(row)
            continue
        hops = led_on.pop(body.get("result"), []) if operation == "page" else []
        found.append(Sent(row, operation, *outcome, tuple(hops)))
    return found


def is_too_large(sent: list[Sent]) -> bool:
    """Whether a recording could not hold it, as far as the rows tell."""
    held = sum(int(str(each.outcome.get("received", 0))) for each in sent)
    held += sum(int(str(each.outcome.get("sent", 0))) for each in sent if each.operation == "completion")
    return len(sent) > MAX_EXCHANGES or held > MAX_BYTES


async def exchange_of(runtime: Runtime, session: str, sent: Sent) -> tuple[RecordedExchange, tuple[str, ...]]:
    """Return one exchange as it is recorded, and the texts in its answer that a reader would see.

    Raises Erased, TooOld, ledger.LedgerError.
    """
    request = _request(sent.operation, await _payload(runtime, sent.hops[0] if sent.hops else sent.row))
    n, outcome = sent.row.n, sent.outcome
    http = int(str(outcome.get("http", 0)))
    if outcome["status"] != "sent":
        failure = RecordedFailure(str(outcome.get("error", "failed")), http)
        return RecordedExchange(n, sent.operation, request, failure=failure), ()
    if sent.operation == "completion":
        if "commit" not in outcome:
            raise TooOld
        body = await _payload(runtime, sent.outcome_row)
        response = RecordedResponse(http or 200, _JSON, body)
        asked = _texts(request.body.encode())
        return RecordedExchange(n, "completion", request, response), (asked, *_answer_texts(body))
    if sent.operation == "search":
        body = await _payload(runtime, sent.outcome_row)
        if not body.lstrip().startswith(b"{"):
            # A page for people: what was read on it, in the form in which sources for programs answer.
            found = await runtime.material.results_of_row(session, uuid.UUID(bytes=sent.row.id))
            body = _results(found, request)
        response = RecordedResponse(http or 200, _JSON, body)
        return RecordedExchange(n, "search", request, response), (_texts(body),)
    page = await runtime.material.raw_page(session, str(outcome["page"]))
    if page is None:
        raise Erased
    if page.content_type is None:
        raise TooOld
    response = RecordedResponse(http or 200, page.content_type, page.raw, page.url, page.fetched_at_us)
    written = page.raw.decode("utf-8", "replace") if len(page.raw) <= _RAW else ""
    return RecordedExchange(n, "page", request, response), (page.url, page.content_type, page.text, written)


class Search:
    """Runs the checks over exchanges, in order: what was sent as it was checked then, and public text as it came.

    What a policy of today says of hosts, budgets and rare words does not matter any more; every finding counts.
    """

    def __init__(self, policy: Policy, pack: Pack) -> None:
        self._pack = pack
        most = 2**53
        self._policy = replace(
            policy,
            budgets=replace(
                policy.budgets, queries=most, pages=most, model_calls=most, bytes=most, attempts=most
            ),
            destinations=Destinations(("*",), ("http", "https")),
            provenance=ProvenanceRules(enabled=False, trusted_hosts=()),
            query=QueryRules(2**20),
        )
        self._state = SessionState()

    def findings(self, exchange: RecordedExchange, texts: tuple[str, ...]) -> tuple[str, ...]:
        """The rules of what is found in one exchange: whatever is to be handed on must have none."""
        request = _checked(exchange)
        decision = checks.evaluate(request, (self._pack,), self._state, self._policy)
        self._state = self._state.fold(request, self._pack)
        rules = dict.fromkeys(decision.rules)
        for text in texts:
            for start in range(0, len(text), _PIECE):
                rules.update(
                    dict.fromkeys(checks.find_public(text[start : start + _PIECE + _OVERLAP], self._pack))
                )
        return tuple(rules)


def _checked(exchange: RecordedExchange) -> checks.Request:
    """What the checks judge of an exchange: the query, the address, or what a model was asked beside public pages."""
    if exchange.operation == "completion":
        question = question_of(b"\n\n" + exchange.request.body.encode())
        return checks.Request(checks.RequestKind.BODY, question.encode(), "text/plain")
    kind = checks.RequestKind.QUERY if exchange.operation == "search" else checks.RequestKind.URL
    return checks.Request(kind, exchange.asked.encode())


async def _payload(runtime: Runtime, row: Row) -> bytes:
    try:
        return (await runtime.reader.open_payload(row)).payload
    except ledger.PayloadErased:
        raise Erased from None


def _request(operation: _Operation, payload: bytes) -> RecordedRequest:
    """What was asked, as a source for programs is asked: so it was where one was, and the same is said where the page
    of results was one for people, or the page's own server was asked.
    """
    address = _address(payload)
    if payload.startswith(b"GET "):
        return RecordedRequest("POST", address, json.dumps({"urls": [address]}))
    if operation == "search" and not body_of(payload).startswith(b"{"):
        return RecordedRequest("POST", address, json.dumps({"query": search_text(payload)}))
    return RecordedRequest("POST", address, body_of(payload).decode())


def _results(results: Sequence[Result], request: RecordedRequest) -> bytes:
    found = [
        {"url": _asked(result.url), "title": result.title, "content": result.snippet, "score": 0}
        for result in results
    ]
    query = json.loads(request.body)["query"]
    return json.dumps({"query": query, "results": found}, ensure_ascii=False).encode()


def _asked(url: str) -> str:
    """An address as it is asked: the guard leaves out what only tells who sent a visitor."""
    try:
        return judge_url(url, FetchRules(("*",), ("https", "http"))).url
    except UrlRefused:
        return url


def _address(payload: bytes) -> str:
    """The address in the first line of a committed request."""
    first, _, _ = payload.partition(b"\n")
    return first.decode().partition(" ")[2]


def _texts(body: bytes | str) -> str:
    """Every text and number in a JSON value, also of a key that is given twice: all of it is recorded."""
    return "\n".join(_strings(_value(body)))


def _answer_texts(body: bytes) -> Iterator[str]:
    """The texts of a model's answer: as they stand, and of those that are JSON themselves what they hold, since a
    secret can be written there with escapes.
    """
    texts = list(_strings(_value(body)))
    yield "\n".join(texts)
    for text in texts:
        try:
            yield _texts(text)
        except (ValueError, RecursionError):
            continue


def _value(body: bytes | str) -> Any:
    return json.loads(body, object_pairs_hook=list, parse_int=str, parse_float=str, parse_constant=str)


def _strings(value: Any) -> Iterator[str]:
    """Every text in lists of lists."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list | tuple):
            waiting += each
