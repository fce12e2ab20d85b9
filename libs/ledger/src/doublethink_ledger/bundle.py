"""A session's record in one file, which a stranger can check offline (format `dtbundle/1`, docs/ledger-format.md).

    {"format":"dtbundle/1","origin":NAME,"rows":COUNT,"session":"ses_..."}
    one line a row, in order:
    {"at_us":INT,"body":TEXT,"hash":HEX,"id":UUID,"n":INT,"prev":HEX}
    or, where the body was left out, "body_sha256":HEX in the place of "body"
    one line an opened payload, by rising n:
    {"n":INT,"nonce":HEX,"payload":BASE64}
    at most one line that ties the checkpoint to an earlier one:
    {"consistency":[BASE64,...],"since":NOTE}
    the C2SP tlog-proof of the last row, with the checkpoint in it, to the end of the file

Every line is JSON in one encoding (keys sorted, no white space, ASCII) and ends in a newline. There is nothing in a
bundle that neither a hash nor the signature vouches for: a row's index in the log stands in the proof alone.
Reading a bundle verifies nothing but its form; that is the standalone verifier's work.
"""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from doublethink_ledger import base64_text
from doublethink_ledger.commitment import NONCE_BYTES
from doublethink_ledger.errors import BundleError, LedgerFormatError
from doublethink_ledger.row import Row
from doublethink_ledger.tlog_proof import TLOG_PROOF, TlogProof

FORMAT: Final = "dtbundle/1"
MAX_ROWS: Final = 1_000_000
MAX_LINE_BYTES: Final = 8_388_608

_ROW_KEYS: Final = ("at_us", "hash", "id", "n", "prev")


@dataclass(frozen=True, slots=True)
class Opening:
    """A payload given out: the row's n, the 32-byte nonce and the bytes, which together open its commitment."""

    n: int
    nonce: bytes
    payload: bytes


@dataclass(frozen=True, slots=True)
class Since:
    """What ties the bundle's checkpoint to an earlier one: that one's signed note, and the consistency proof."""

    checkpoint: bytes
    consistency: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class BundleRow:
    """A row as a bundle has it: without its index in the log. Either `body` or `body_sha256` is None."""

    n: int
    at_us: int
    id: bytes
    prev: bytes
    hash: bytes
    body: bytes | None
    body_sha256: bytes | None

    @classmethod
    def of(cls, row: Row, *, with_body: bool = True) -> BundleRow:
        """Return a row of the ledger, with its body where it has one and it is wanted."""
        body = row.body if with_body else None
        return cls(
            row.n, row.at_us, row.id, row.prev, row.hash, body, row.body_sha256 if body is None else None
        )


@dataclass(frozen=True, slots=True)
class Bundle:
    """All parts of a bundle. session: 16 bytes."""

    origin: str
    session: bytes
    rows: tuple[BundleRow, ...]
    proof: TlogProof
    openings: tuple[Opening, ...] = ()
    since: Since | None = None

    def encode(self) -> bytes:
        """Return the file's bytes."""
        parts = [header_line(self.origin, self.session, len(self.rows))]
        parts += [row_line(row) for row in self.rows]
        parts += [opening_line(opening) for opening in self.openings]
        if self.since is not None:
            parts.append(since_line(self.since))
        return b"".join(parts) + self.proof.encode()


def session_id(session: bytes) -> str:
    """Return the typed id of a session: `ses_` and its 16 bytes in lower-case base32 (RFC 4648 section 6)."""
    return "ses_" + base64.b32encode(session).decode("ascii").rstrip("=").lower()


def session_bytes(text: str) -> bytes:
    """Return the 16 bytes of a session's typed id. Raises BundleError for anything that `session_id` does not give."""
    try:
        session = base64.b32decode(text.removeprefix("ses_").upper() + "======")
    except ValueError:
        session = b""
    if len(session) != 16 or session_id(session) != text:
        raise BundleError("header", "names no session")
    return session


def header_line(origin: str, session: bytes, rows: int) -> bytes:
    """Return the first line. `rows` counts the lines of rows that follow."""
    return _line({"format": FORMAT, "origin": origin, "rows": rows, "session": session_id(session)})


def row_line(row: BundleRow) -> bytes:
    """Return a row's line. Raises BundleError unless it has either a body or a body's hash."""
    fields: dict[str, Any] = {
        "at_us": row.at_us,
        "hash": row.hash.hex(),
        "id": str(uuid.UUID(bytes=row.id)),
        "n": row.n,
        "prev": row.prev.hex(),
    }
    if (row.body is None) is (row.body_sha256 is None):
        raise BundleError("row", "has either a body or the hash of one", row.n)
    if row.body_sha256 is not None:
        fields["body_sha256"] = row.body_sha256.hex()
    elif row.body is not None:
        # One letter a byte, so that a body that somebody damaged is exported as it is, and found out.
        fields["body"] = row.body.decode("latin-1")
    return _line(fields)


def opening_line(opening: Opening) -> bytes:
    """Return an opened payload's line. Raises BundleError for a nonce of another width, or too long a payload."""
    if len(opening.nonce) != NONCE_BYTES:
        raise BundleError("opening", f"a nonce has not {NONCE_BYTES} bytes", opening.n)
    return _line(
        {"n": opening.n, "nonce": opening.nonce.hex(), "payload": base64_text.encode(opening.payload)}
    )


def since_line(since: Since) -> bytes:
    """Return the line that ties the checkpoint to an earlier one. Raises BundleError for a note that is not UTF-8."""
    try:
        note = since.checkpoint.decode()
    except UnicodeDecodeError:
        raise BundleError("since", "the earlier checkpoint is not UTF-8") from None
    return _line({"consistency": [base64_text.encode(step) for step in since.consistency], "since": note})


def parse_bundle(data: bytes) -> Bundle:
    """Return the parts of a bundle. Raises BundleError for any bytes that `Bundle.encode` would not have written."""
    lines, proof = _split(data)
    header = _object(next(lines), "header")
    if set(header) != {"format", "origin", "rows", "session"} or header["format"] != FORMAT:
        raise BundleError("header", f"is not that of {FORMAT}")
    rows: list[BundleRow] = []
    openings: list[Opening] = []
    since: Since | None = None
    for line in lines:
        number = len(rows)
        part = "row" if number < _count(header["rows"]) else "opening"
        fields = _object(line, part, number if part == "row" else None)
        if part == "row":
            rows.append(_row(fields, number))
        elif "since" not in fields and since is None:
            openings.append(_opening(fields))
        elif since is None:
            since = _since(fields)
        else:
            raise BundleError("since", "stands there twice, or is followed by something")
    try:
        parsed = TlogProof.parse(proof)
    except LedgerFormatError as error:
        raise BundleError("proof", str(error)) from None
    session = session_bytes(_text(header["session"], "header"))
    bundle = Bundle(_text(header["origin"], "header"), session, tuple(rows), parsed, tuple(openings), since)
    if bundle.encode() != data:
        raise BundleError("header", "a part is not in its one encoding")
    return bundle


def _split(data: bytes) -> tuple[Iterator[bytes], bytes]:
    begin = data.find(f"\n{TLOG_PROOF}\n".encode())
    if begin < 0:
        raise BundleError("proof", "is not there")
    return iter(data[:begin].split(b"\n")), data[begin + 1 :]


def _object(line: bytes, part: str, n: int | None = None) -> dict[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        raise BundleError(part, f"a line has more than {MAX_LINE_BYTES} bytes", n)
    try:
        fields = json.loads(line.decode("ascii"), parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError):
        raise BundleError(part, "is not JSON of the form", n) from None
    if not isinstance(fields, dict):
        raise BundleError(part, "is not an object", n)
    return fields


def _no_float(_: str) -> None:
    raise ValueError


def _row(fields: dict[str, Any], n: int) -> BundleRow:
    body = fields.get("body")
    if set(fields) != {*_ROW_KEYS, "body_sha256" if body is None else "body"}:
        raise BundleError("row", "has other keys than a row", n)
    try:
        return BundleRow(
            n=_count(fields["n"]),
            at_us=_count(fields["at_us"]),
            id=uuid.UUID(fields["id"]).bytes,
            prev=bytes.fromhex(fields["prev"]),
            hash=bytes.fromhex(fields["hash"]),
            body=None if body is None else body.encode("latin-1"),
            body_sha256=bytes.fromhex(fields["body_sha256"]) if body is None else None,
        )
    except (ValueError, TypeError, AttributeError):
        raise BundleError("row", "has a value of another form", n) from None


def _opening(fields: dict[str, Any]) -> Opening:
    if set(fields) != {"n", "nonce", "payload"}:
        raise BundleError("opening", "has other keys than an opened payload")
    try:
        return Opening(
            _count(fields["n"]), bytes.fromhex(fields["nonce"]), base64_text.decode(fields["payload"])
        )
    except (ValueError, TypeError, LedgerFormatError):
        raise BundleError("opening", "has a value of another form") from None


def _since(fields: dict[str, Any]) -> Since:
    steps = fields.get("consistency")
    if set(fields) != {"consistency", "since"} or not isinstance(steps, list):
        raise BundleError("since", "has other keys than a tie to an earlier checkpoint")
    try:
        return Since(
            _text(fields["since"], "since").encode(), tuple(base64_text.decode(each) for each in steps)
        )
    except (ValueError, TypeError, LedgerFormatError):
        raise BundleError("since", "has a value of another form") from None


def _text(value: object, part: str) -> str:
    if not isinstance(value, str):
        raise BundleError(part, "has a value of another form")
    return value


def _count(value: object) -> int:
    if type(value) is not int:
        raise BundleError("header", "counts with something else than an integer")
    return value


def _line(fields: dict[str, Any]) -> bytes:
    line = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n"
    if len(line) > MAX_LINE_BYTES:
        raise BundleError("header", f"a line has more than {MAX_LINE_BYTES} bytes")
    return line.encode("ascii")


def without_bodies(bundle: Bundle, leave_out: Iterable[int]) -> Bundle:
    """Return the bundle with the bodies of these rows left out, and what was opened of them. Raises BundleError for
    an n that is not there.
    """
    chosen = set(leave_out)
    if not chosen <= {row.n for row in bundle.rows}:
        raise BundleError("row", "is not there")
    rows = [
        BundleRow(row.n, row.at_us, row.id, row.prev, row.hash, None, hashlib.sha256(row.body).digest())
        if row.n in chosen and row.body is not None
        else row
        for row in bundle.rows
    ]
    openings = tuple(opening for opening in bundle.openings if opening.n not in chosen)
    return Bundle(bundle.origin, bundle.session, tuple(rows), bundle.proof, openings, bundle.since)
