"""A client of the console's JSON API."""

import json
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlencode

import httpx

from doublethink_sdk.errors import ClientError, ConsoleRefused, ConsoleUnreachable

_CONNECT_SECONDS = 10.0
_REQUEST_SECONDS = 120.0
# Events come at least this often while a run is alive: the console sends heartbeats.
_EVENT_SECONDS = 120.0
# The checks over everything that a session got come before the first byte.
_RECORDING_SECONDS = 330.0
_MAX_TOKEN_BYTES = 16_384


@dataclass(frozen=True)
class Event:
    """One server-sent event: its id, its name and its JSON data."""

    id: str
    name: str
    data: Mapping[str, Any]


class _TokenFile(httpx.Auth):
    """Presents the token that a file holds at the time of each request, since whoever renews tokens writes it anew.

    A request that changes something names the console's own address as its origin: behind a proxy with a login the
    console asks for one from everybody, as from a browser.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self.token()

    def token(self) -> str:
        """The token. Raises ClientError."""
        try:
            with self._file.open("rb") as file:
                text = file.read(_MAX_TOKEN_BYTES + 1)
        except OSError as error:
            raise ClientError(f"cannot read the token in {self._file}: {error.strerror}") from error
        token = text.strip().decode("ascii", errors="replace")
        if len(text) > _MAX_TOKEN_BYTES or not token.isprintable() or not token.isascii() or not token:
            raise ClientError(f"{self._file} holds no token: it is one line of ASCII")
        return token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the headers to one request."""
        request.headers["Authorization"] = f"Bearer {self.token()}"
        if request.method not in ("GET", "HEAD"):
            request.headers["Origin"] = f"{request.url.scheme}://{request.headers['Host']}"
        yield request


class Client:
    """Talks to one console. A context manager. The token's file is read again for every request.

    Every method raises ConsoleUnreachable if there is no answer and ConsoleRefused with
    the console's own words if it declines.
    """

    def __init__(self, base_url: str, token_file: Path, *, socket: Path | None = None) -> None:
        transport = httpx.HTTPTransport(uds=str(socket)) if socket else httpx.HTTPTransport()
        self._http = httpx.Client(
            base_url=base_url,
            auth=_TokenFile(token_file),
            timeout=httpx.Timeout(_REQUEST_SECONDS, connect=_CONNECT_SECONDS),
            transport=transport,
            trust_env=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def _request(self, method: str, path: str, body: object = None) -> Any:
        try:
            response = self._http.request(method, path, json=body)
        except httpx.TransportError as error:
            raise ConsoleUnreachable(f"the console does not answer ({type(error).__name__})") from error
        _refuse_failure(response)
        return response.json() if response.content else None

    def add_case(self, yaml: str, *, team: str | None = None) -> str:
        """Store a case, given as the text of a case file. Returns its id, which is the old one if it is stored.

        team: whose it is, for somebody who is in several.
        """
        body = {"yaml": yaml, **({} if team is None else {"team": team})}
        return str(self._request("POST", "/api/cases", body)["id"])

    def cases(self) -> list[Mapping[str, Any]]:
        """The newest stored cases, at most 500, without memo and secrets."""
        return list(self._request("GET", "/api/cases")["cases"])

    def delete_case(self, case: str) -> None:
        """Delete a stored case with its runs and answers."""
        self._request("DELETE", f"/api/cases/{quote(case, safe='')}")

    def start_run(self, case: str, question: str, *, planner: str | None, approval_s: int = 0) -> str:
        """Ask a question about a stored case. Returns the run's id at once.

        planner: the console's own choice if None.
        approval_s: seconds that a search which the gate holds may wait for a person; at 0 it is refused.
        """
        body: dict[str, object] = {"case_id": case, "question": question, "approval_s": approval_s}
        if planner is not None:
            body["planner"] = planner
        return str(self._request("POST", "/api/runs", body)["id"])

    def run(self, run: str) -> Mapping[str, Any]:
        """The run's state and, once it is there, its answer."""
        return dict(self._request("GET", f"/api/runs/{run}"))

    def answer(self, session: str, form: str) -> Mapping[str, Any]:
        """What a session answered: the run for "json", {"format", "text"} for "markdown" and "html"."""
        path = f"/api/sessions/{quote(session, safe='')}/answer?{urlencode({'format': form})}"
        return dict(self._request("GET", path))

    def cancel(self, run: str) -> bool:
        """Stop a run. False if it had ended by itself."""
        return bool(self._request("POST", f"/api/runs/{quote(run, safe='')}/cancel", {})["cancelled"])

    def sessions(
        self, *, limit: int, before: str | None = None, case: str | None = None, status: str | None = None
    ) -> Mapping[str, Any]:
        """What was asked, the newest first, at most `limit`: {"sessions": [...], "next": the run to go on behind}."""
        given = {"before": before, "case": case, "status": status}
        query = urlencode({"limit": str(limit), **{key: value for key, value in given.items() if value}})
        return dict(self._request("GET", f"/api/sessions?{query}"))

    def holds(self, session: str) -> list[Mapping[str, Any]]:
        """The searches of a session that may be decided about."""
        return list(self._request("GET", f"/api/sessions/{quote(session, safe='')}/holds")["holds"])

    def decide(
        self, session: str, hold: Mapping[str, Any], *, approve: bool, approver: str | None = None
    ) -> None:
        """Let a search go that `holds` listed, or refuse it. approver: who decides, in up to 200 bytes."""
        body = {"approve": approve, "commitment": hold["commitment"]}
        if approver is not None:
            body["approver"] = approver
        path = f"/api/sessions/{quote(session, safe='')}/holds/{quote(hold['hold'], safe='')}"
        self._request("POST", path, body)

    def status(self) -> Mapping[str, Any]:
        """Back ends, health and the isolation report."""
        return dict(self._request("GET", "/api/status"))

    def ledger(self, session: str) -> list[Mapping[str, Any]]:
        """The rows of one session so far."""
        return list(self.record(session)["rows"])

    def record(self, session: str, *, filters: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """One session as the ledger has it: its rows, each attempt beside its fate, and what names it since."""
        query = urlencode({"payloads": "1", **(filters or {})})
        return dict(self._request("GET", f"/api/sessions/{quote(session, safe='')}/ledger?{query}"))

    def trace(self, session: str) -> Mapping[str, Any]:
        """One session as an OpenTelemetry trace, in OTLP's JSON."""
        return dict(self._request("GET", f"/api/sessions/{quote(session, safe='')}/trace"))

    def why(self, session: str, row: int) -> Mapping[str, Any]:
        """Why an attempt of a session of this console did not go as it was."""
        return dict(self._request("GET", f"/api/sessions/{quote(session, safe='')}/rows/{row}/why"))

    def log(
        self, first: int | None, *, form: str, limit: int, wait: int, filters: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """Rows of all sessions from a seq on, at most `limit`, and the seq to go on from.

        first: None begins at the end. wait: the seconds that the answer may be held back until there are rows.
        """
        query = {"format": form, "limit": str(limit), "wait": str(wait), **filters}
        if first is not None:
            query["from"] = str(first)
        return dict(self._request("GET", f"/api/ledger?{urlencode(query)}"))

    def bundle(self, session: str, *, since: str | None = None, opened: bool = False) -> Iterator[bytes]:
        """The bundle of one session, in pieces; tied to an earlier checkpoint's note, and with opened payloads.

        Waits some seconds until the newest rows are sealed. Cut short, it raises ConsoleUnreachable.
        """
        path = f"/api/sessions/{quote(session, safe='')}/bundle"
        body = {"opened": opened, **({} if since is None else {"since": since})}
        try:
            with self._http.stream("POST", path, json=body) as response:
                if response.is_error:
                    response.read()
                _refuse_failure(response)
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise ConsoleUnreachable(f"the console broke off ({type(error).__name__})") from error

    def recording(self, session: str) -> Iterator[bytes]:
        """What one session asked and got, in pieces of the file that it is. Cut short, it raises ConsoleUnreachable."""
        path = f"/api/sessions/{quote(session, safe='')}/recording"
        timeout = httpx.Timeout(_RECORDING_SECONDS, connect=_CONNECT_SECONDS)
        try:
            with self._http.stream("POST", path, json={}, timeout=timeout) as response:
                if response.is_error:
                    response.read()
                _refuse_failure(response)
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise ConsoleUnreachable(f"the console broke off ({type(error).__name__})") from error

    def run_events(self, run: str, after: str = "") -> Iterator[Event]:
        """The run's events from `after` on, until the run ends."""
        return self._events(f"/api/runs/{run}/events", after)

    def follow_ledger(self, session: str) -> Iterator[Event]:
        """The rows of one session as they are written, until it closes."""
        return self._events(f"/api/sessions/{session}/ledger?follow=1&payloads=1", "")

    def _events(self, path: str, after: str) -> Iterator[Event]:
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
        timeout = httpx.Timeout(_EVENT_SECONDS, connect=_CONNECT_SECONDS)
        try:
            with self._http.stream("GET", path, headers=headers, timeout=timeout) as response:
                if response.is_error:
                    response.read()
                _refuse_failure(response)
                yield from _parse_events(response.iter_lines())
        except httpx.TransportError as error:
            raise ConsoleUnreachable(f"the console broke off ({type(error).__name__})") from error


def _refuse_failure(response: httpx.Response) -> None:
    if response.is_redirect:
        # What stands before the console leads a browser to its login.
        raise ConsoleRefused("a sign-in is asked for before the console: give a token that is taken there")
    if not response.is_error:
        return
    try:
        words = str(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        words = f"the console answered with status {response.status_code}"
    raise ConsoleRefused(words)


def _parse_events(lines: Iterator[str]) -> Iterator[Event]:
    """Server-sent events as the HTML standard defines them, section 9.2.6."""
    identifier, name, data = "", "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield Event(identifier, name, json.loads("\n".join(data)))
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value
        elif field == "id":
            identifier = value
