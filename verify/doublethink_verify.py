#!/usr/bin/env python3
"""Check the exported record of a session, offline: was every row there, in this order, when the log was signed?

    python doublethink_verify.py BUNDLE --key FILE [--known-checkpoint FILE] [--json]

One file, on purpose, and longer for it than a module should be: copy it, read it, run it anywhere with Python 3.11 and
the package `cryptography`. It imports nothing of the program that made the bundle, opens no connection, and writes no
file. The format is in docs/ledger-format.md.

It trusts the keys of one file and nothing inside the bundle: --key FILE, or the file that DOUBLETHINK_VKEY names; vkeys
of C2SP signed-note, one a line, empty lines and those that begin with # aside.

    COMPLETE                        exit 0    the record of a closed session, whole
    OPEN                            exit 3    whole as far as it goes; the session was not closed, or not by then
    INVALID at row K: WHY           exit 1    also INVALID at header, opening of row K, since, proof, checkpoint,
                                              known checkpoint
    UNKNOWN KEY NAME+ID             exit 1    the rows fit one another, but who signed the log is not known here
    a line on stderr                exit 2    wrong use: a file that cannot be read, or is no key or checkpoint
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import io
import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, BinaryIO, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

COMPLETE, OPEN, INVALID, UNKNOWN_KEY = "COMPLETE", "OPEN", "INVALID", "UNKNOWN KEY"
EXITS = {COMPLETE: 0, OPEN: 3, INVALID: 1, UNKNOWN_KEY: 1}
WRONG_USE = 2

# Bounds on everything that is read.
MAX_ROWS = 1_000_000
MAX_LINE = 8_388_608
MAX_ROW_LINE = 131_072
MAX_BODY = 16_384
MAX_PROOF = 266_240
MAX_KEY_FILE = 65_536
MAX_KEYS = 64
MAX_SIGNATURES = 64
MAX_HASHES = 64
MAX_INT64 = 2**63 - 1
MAX_JSON_INTEGER = 2**53 - 1
MAX_NAME = 255

FORMAT = "dtbundle/1"
PROOF = b"c2sp.org/tlog-proof@v1\n"
KINDS = frozenset(
    (
        "session.open",
        "attempt",
        "held",
        "approval",
        "outcome",
        "fact",
        "session.close",
        "redaction",
        "opening",
    )
)
# What the `of` of a row of this kind names: an earlier row of the same session, of this kind.
NAMES = {"attempt": "held", "approval": "held", "outcome": "attempt", "fact": "outcome"}

VALUES = frozenset((str, bool, int, list))

HEX32 = re.compile(r"[0-9a-f]{64}")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
SESSION = re.compile(r"ses_[a-z2-7]{25}[aeimquy4]")


class Wrong(Exception):
    """The bundle does not prove what it should. `where` is a row's number or the name of another part."""

    def __init__(self, where: int | str, why: str) -> None:
        super().__init__(why)
        self.where = where
        self.why = why


class Unknown(Exception):
    """No pinned key has signed the checkpoint. `label` is name+id of the key that it names."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


class Misused(Exception):
    """A file that the caller named cannot be used."""


@dataclass
class Key:
    """A pinned Ed25519 key."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n\x01" + self.public).digest()[:4]

    @property
    def label(self) -> str:
        return f"{self.name}+{self.id.hex()}"

    def signed(self, text: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass
class Checkpoint:
    """A signed head of the log. strangers: the labels of signatures that no pinned key made."""

    origin: str
    size: int
    root: bytes
    signers: list[str]
    strangers: list[str]


@dataclass
class Report:
    """What was found. where: a row's number or a part's name, for INVALID."""

    verdict: str = INVALID
    why: str = ""
    where: int | str | None = None
    session: str | None = None
    rows: int = 0
    first_us: int | None = None
    last_us: int | None = None
    redacted: list[int] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    checkpoint: Checkpoint | None = None
    known_checkpoint: str | None = None


# Text and numbers


def from_base64(text: Any, where: int | str) -> bytes:
    """The bytes of the one base64 (RFC 4648 section 4) that they have."""
    if not isinstance(text, str):
        raise Wrong(where, "a value is not base64")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Wrong(where, "a value is not base64") from None
    if base64.b64encode(data).decode() != text:
        raise Wrong(where, "a value is not the one base64 of its bytes")
    return data


def from_hex(value: Any, where: int | str) -> bytes:
    """The 32 bytes of a lower-case hexadecimal value."""
    if not isinstance(value, str) or HEX32.fullmatch(value) is None:
        raise Wrong(where, "a value is not 32 bytes in lower-case hexadecimal")
    return bytes.fromhex(value)


def integer(value: Any, where: int | str, name: str) -> int:
    if type(value) is not int or not 0 <= value <= MAX_INT64:
        raise Wrong(where, f"{name} is not an integer in 0..2^63-1")
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def no_number(_: str) -> NoReturn:
    raise ValueError("a number is not an integer")


def short_integer(digits: str) -> int:
    if len(digits) > 20:
        raise ValueError("a number is too large")
    return int(digits)


# Made once: a bundle has two objects a row.
DECODER = json.JSONDecoder(
    object_pairs_hook=unique, parse_float=no_number, parse_constant=no_number, parse_int=short_integer
)
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def strict_object(text: bytes, where: int | str, what: str) -> dict[str, Any]:
    """The JSON object that these bytes are the one encoding of: keys sorted and unique, no white space, ASCII."""
    try:
        value = DECODER.decode(text.decode("ascii"))
        again = ENCODER.encode(value).encode()
    except (ValueError, RecursionError):
        raise Wrong(where, f"{what} is not JSON of the form") from None
    if not isinstance(value, dict):
        raise Wrong(where, f"{what} is not a JSON object")
    if again != text:
        raise Wrong(where, f"{what} is not in its one encoding")
    return value


def keys_are(fields: dict[str, Any], keys: set[str], where: int | str, what: str) -> None:
    if set(fields) != keys:
        raise Wrong(where, f"{what} does not have the keys that it should")


# Merkle tree (RFC 6962 section 2.1; the checks as in RFC 9162 sections 2.1.3.2 and 2.1.4.2)


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def check_inclusion(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    """Whether the path leads from the leaf at `index` to the root of the tree of `size`."""
    if index >= size:
        return False
    at, last, found = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node(found, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def check_consistency(size1: int, root1: bytes, size2: int, root2: bytes, proof: list[bytes]) -> bool:
    """Whether the proof shows that the tree (size2, root2) begins with the tree (size1, root1)."""
    if size1 > size2:
        return False
    if size1 == size2:
        return not proof and root1 == root2
    if size1 == 0:
        return not proof and root1 == hashlib.sha256(b"").digest()
    at, last = size1 - 1, size2 - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    steps = proof if at else [root1, *proof]
    if not steps:
        return False
    found1 = found2 = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            found1, found2 = node(step, found1), node(step, found2)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found2 = node(found2, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found1 == root1 and found2 == root2


# Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint)


def is_name(name: str) -> bool:
    return (
        0 < len(name) <= MAX_NAME
        and "+" not in name
        and all(letter.isprintable() and not letter.isspace() for letter in name)
    )


def read_key(line: str) -> Key:
    name, _, rest = line.partition("+")
    id, _, encoded = rest.partition("+")
    try:
        data = from_base64(encoded, "key")
    except Wrong:
        data = b""
    if not is_name(name) or len(data) != 33 or data[:1] != b"\x01":
        raise Misused("the key file holds something that is no Ed25519 vkey (name+id+base64)")
    key = Key(name, data[1:])
    if key.id.hex() != id:
        raise Misused(f"the key file's id {id!r} is not that of its key")
    return key


def open_checkpoint(note: bytes, keys: list[Key], where: str) -> Checkpoint:
    """The checkpoint of a note that a pinned key with the log's name signed. Raises Wrong, Unknown."""
    border = note.rfind(b"\n\n")
    try:
        text = note[: border + 1].decode()
        lines = note[border + 2 :].decode().split("\n")
    except UnicodeDecodeError:
        raise Wrong(where, "is not UTF-8") from None
    parts = text.split("\n")
    if border < 0 or len(parts) != 4 or lines[-1] or not 1 < len(lines) <= MAX_SIGNATURES + 1:
        raise Wrong(where, "is not three lines, an empty line and signatures")
    origin, size, root = parts[0], parts[1], from_base64(parts[2], where)
    if not is_name(origin):
        raise Wrong(where, "has no name of a log that can be used")
    if DECIMAL.fullmatch(size) is None or int(size) > MAX_INT64 or len(root) != 32:
        raise Wrong(where, "has no size and root of the form")
    found = Checkpoint(origin, int(size), root, [], [])
    for line in lines[:-1]:
        name, _, encoded = line[2:].partition(" ")
        data = from_base64(encoded, where)
        if line[:2] != "— " or not is_name(name) or len(data) <= 4:
            raise Wrong(where, "has a signature line that is not of the form")
        check_signature(found, text.encode(), (name, data[:4], data[4:]), keys, where)
    if not found.signers:
        raise Unknown(found.strangers[0])
    if not any(label.partition("+")[0] == origin for label in found.signers):
        raise Wrong(where, "is signed by a known key, but not by one of the log that it names")
    return found


def check_signature(
    found: Checkpoint, text: bytes, signature: tuple[str, bytes, bytes], keys: list[Key], where: str
) -> None:
    """Note who made a signature. Raises Wrong where it names a pinned key and is not its own, or the reverse."""
    name, id, signed = signature
    label = f"{name}+{id.hex()}"
    for key in keys:
        fits = key.signed(text, signed)
        if key.name == name and key.id == id:
            if not fits:
                raise Wrong(where, f"the signature by {label} does not fit")
            if label in found.signers:
                raise Wrong(where, f"{label} has signed twice")
            found.signers.append(label)
            return
        if fits or (key.name == name and key.id[:3] == id[:3]):
            # One letter of base64 holds the end of the id and the beginning of the signature.
            raise Wrong(where, f"a signature by {key.label} goes under another name or id, or is damaged")
    found.strangers.append(label)


# Rows


@dataclass(slots=True)
class Seen:
    """What later lines need to know of a row: its number, kind and verdict (None without a body), and commitment."""

    n: int
    kind: str | None
    verdict: str | None
    commit: str | None
    size: int | None


class Chain:
    """Checks rows in order. Every failure is a Wrong that names the row."""

    def __init__(self, session: bytes) -> None:
        self.session = session
        self.head = hashlib.sha256(session).digest()
        self.count = 0
        self.at_us = 0
        self.first_us: int | None = None
        self.closed = False
        self.redacted: list[int] = []
        self.by_id: dict[str, Seen] = {}
        self.by_n: list[Seen] = []

    def add(self, line: bytes) -> None:
        n = self.count
        if len(line) > MAX_ROW_LINE:
            raise Wrong(n, "the line is too long")
        fields = strict_object(line, n, "the line")
        has_body = "body" in fields
        keys_are(
            fields, {"at_us", "hash", "id", "n", "prev", "body" if has_body else "body_sha256"}, n, "the row"
        )
        at_us = integer(fields["at_us"], n, "at_us")
        id, prev, claimed = fields["id"], from_hex(fields["prev"], n), from_hex(fields["hash"], n)
        if not isinstance(id, str) or UUID.fullmatch(id) is None:
            raise Wrong(n, "id is not a UUID in lower case")
        if integer(fields["n"], n, "n") != n:
            raise Wrong(n, f"n is {fields['n']}, not {n}: a row is missing, doubled or moved")
        if self.closed:
            raise Wrong(n, "it follows the row that closed the session")
        if prev != self.head:
            raise Wrong(
                n, "prev is not the hash of the row before it" if n else "prev is not that of a first row"
            )
        body = self._body(fields["body"], n) if has_body else None
        digest = from_hex(fields["body_sha256"], n) if body is None else hashlib.sha256(body).digest()
        leaf = b"dtl1" + self.session + n.to_bytes(8, "big") + at_us.to_bytes(8, "big")
        leaf += bytes.fromhex(id.replace("-", "")) + prev + digest
        if hashlib.sha256(b"\x00" + leaf).digest() != claimed:
            raise Wrong(n, "its content does not have its hash")
        if at_us < self.at_us:
            raise Wrong(n, "it lies before the row before it in time")
        if id in self.by_id:
            raise Wrong(n, "its id was used by an earlier row")
        seen = Seen(n, None, None, None, None) if body is None else self._meaning(body, n)
        if body is None:
            self.redacted.append(n)
        self.by_id[id] = seen
        self.by_n.append(seen)
        self.closed = seen.kind == "session.close"
        self.first_us = at_us if n == 0 else self.first_us
        self.head, self.at_us, self.count = claimed, at_us, n + 1

    def _body(self, text: Any, n: int) -> bytes:
        if not isinstance(text, str) or len(text) > MAX_BODY:
            raise Wrong(n, "the body is not a text of a bounded length")
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:
            raise Wrong(n, "the body holds what no byte is") from None

    def _meaning(self, body: bytes, n: int) -> Seen:
        """What a body says, as far as the chain promises something about it."""
        fields = strict_object(body, n, "the body")
        for value in fields.values():
            form = type(value)
            if form is int and not 0 <= value <= MAX_JSON_INTEGER:
                raise Wrong(n, "the body holds a number outside 0..2^53-1")
            if form is list and not all(type(text) is str for text in value):
                raise Wrong(n, "the body holds a list of something else than texts")
            if form not in VALUES:
                raise Wrong(n, "the body holds a value of another type")
        kind = fields.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise Wrong(n, "the body is of no known kind")
        if (kind == "session.open") is not (n == 0):
            raise Wrong(n, "a session begins with one session.open and has no other")
        if kind in NAMES and ("of" in fields or kind != "attempt"):
            self._check_of(fields, kind, n)
        verdict, commit, size = fields.get("verdict"), fields.get("commit"), fields.get("bytes")
        if kind == "attempt" and ("original" in fields) is not (verdict == "rewrite"):
            raise Wrong(n, "a rewritten attempt commits to what was asked for, and no other attempt does")
        for committed in (commit, fields.get("original")):
            if committed is not None and (
                not isinstance(committed, str) or HEX32.fullmatch(committed) is None
            ):
                raise Wrong(n, "the commitment is not 32 bytes in lower-case hexadecimal")
        return Seen(
            n,
            kind,
            verdict if isinstance(verdict, str) else None,
            commit,
            size if type(size) is int else None,
        )

    def _check_of(self, fields: dict[str, Any], kind: str, n: int) -> None:
        named = fields.get("of")
        earlier = self.by_id.get(named) if isinstance(named, str) else None
        if earlier is None:
            raise Wrong(n, f"the {kind} names no earlier row of the session")
        if earlier.kind is None:
            return  # its body was left out
        if earlier.kind != NAMES[kind]:
            raise Wrong(n, f"the {kind} names row {earlier.n}, which is no {NAMES[kind]}")
        if kind == "outcome" and earlier.verdict not in ("allow", "rewrite"):
            raise Wrong(n, f"it is an outcome of row {earlier.n}, which was not allowed to leave")


# The file


def lines_of(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The lines without their newline, and whether they had one. A line that is too long comes cut, and is refused."""
    while line := file.readline(MAX_LINE + 1):
        yield line.removesuffix(b"\n"), line.endswith(b"\n")


def verify(file: BinaryIO, keys: list[Key], known: Checkpoint | None = None) -> Report:
    """Check a bundle and say what was found; a bundle that proves nothing is a finding too, and raises nothing."""
    report = Report()
    try:
        chain = read_bundle(file, keys, known, report)
        report.verdict = COMPLETE if chain.closed else OPEN
    except Wrong as wrong:
        report.verdict, report.where, report.why = INVALID, wrong.where, wrong.why
    except Unknown as unknown:
        report.verdict, report.where, report.why = UNKNOWN_KEY, None, unknown.label
    return report


def read_bundle(file: BinaryIO, keys: list[Key], known: Checkpoint | None, report: Report) -> Chain:
    lines = lines_of(file)
    origin, count, session = read_header(next(lines, (b"", False)), report)
    chain = Chain(session)
    tie: dict[str, Any] | None = None
    last_opened = -1
    report.redacted = chain.redacted
    for line, ended in lines:
        part: int | str = chain.count if chain.count < count else "proof"
        if not ended:
            raise Wrong(part, "the file is cut")
        if line + b"\n" == PROOF:
            break
        if chain.count < count:
            if not line.startswith(b'{"at_us":') and part_of(line) in ("opening", "since"):
                break
            chain.add(line)
            report.rows, report.first_us, report.last_us = chain.count, chain.first_us, chain.at_us
        elif tie is not None or (part := part_of(line)) == "proof":
            raise Wrong("proof", "it does not begin where it should")
        elif part == "header":
            raise Wrong("header", f"it counts {count} rows, and there are more")
        elif part == "since":
            tie = strict_object(line, "since", "the line")
            keys_are(tie, {"consistency", "since"}, "since", "the line")
        else:
            last_opened = check_opening(line, chain, last_opened)
            report.opened.append(last_opened)
    else:
        raise Wrong(chain.count if chain.count < count else "proof", "the file ends before the proof")
    if chain.count < count:
        raise Wrong(chain.count, f"the row is missing: the header counts {count}")
    found = check_proof(file.read(MAX_PROOF + 1), chain, keys, report)
    if found.origin != origin:
        raise Wrong("header", "it names another log than the checkpoint")
    check_tie(tie, found, keys, known, report)
    return chain


def part_of(line: bytes) -> str:
    """Which part a line behind the rows belongs to, by the names in it: it may be damaged."""
    if b'"nonce":' in line or b'"payload":' in line:
        return "opening"
    if b'"consistency":' in line or b'"since":' in line:
        return "since"
    return "header" if b'"prev":' in line or b'"hash":' in line else "proof"


def read_header(first: tuple[bytes, bool], report: Report) -> tuple[str, int, bytes]:
    line, ended = first
    if not ended:
        raise Wrong("header", f"the file is no bundle of the format {FORMAT}")
    fields = strict_object(line, "header", "the line")
    keys_are(fields, {"format", "origin", "rows", "session"}, "header", "the line")
    if fields["format"] != FORMAT:
        raise Wrong("header", f"the format is not {FORMAT}")
    origin, session = fields["origin"], fields["session"]
    if not isinstance(origin, str) or not is_name(origin):
        raise Wrong("header", "it names no log")
    if not isinstance(session, str) or SESSION.fullmatch(session) is None:
        raise Wrong("header", "it names no session")
    count = integer(fields["rows"], "header", "rows")
    if not 0 < count <= MAX_ROWS:
        raise Wrong("header", f"a bundle has 1 to {MAX_ROWS} rows")
    report.session = session
    return origin, count, base64.b32decode(session[4:].upper() + "======")


def check_opening(line: bytes, chain: Chain, last: int) -> int:
    """Check one opened payload against its row's commitment; return its n."""
    fields = strict_object(line, "opening", "the line")
    keys_are(fields, {"n", "nonce", "payload"}, "opening", "the line")
    n = integer(fields["n"], "opening", "n")
    where = f"opening of row {n}"
    if not last < n < chain.count:
        raise Wrong(where, "openings do not rise, or there is no such row")
    payload = from_base64(fields["payload"], where)
    row = chain.by_n[n]
    if row.commit is None:
        raise Wrong(where, "the row commits to no payload, or its body was left out")
    opened = hashlib.sha256(from_hex(fields["nonce"], where) + payload).hexdigest()
    if opened != row.commit or len(payload) != row.size:
        raise Wrong(where, "nonce and payload are not what the row commits to")
    return n


def check_proof(data: bytes, chain: Chain, keys: list[Key], report: Report) -> Checkpoint:
    if len(data) > MAX_PROOF:
        raise Wrong("proof", "it is too long")
    head, border, note = data.partition(b"\n\n")
    try:
        lines = head.decode("ascii").split("\n")
    except UnicodeDecodeError:
        raise Wrong("proof", "it is not ASCII") from None
    index = lines[0].removeprefix("index ")
    if not border or lines[0] == index or DECIMAL.fullmatch(index) is None or len(lines) > MAX_HASHES + 1:
        raise Wrong("proof", "it is not an index, hashes and an empty line")
    path = [from_base64(line, "proof") for line in lines[1:]]
    if any(len(step) != 32 for step in path):
        raise Wrong("proof", "a hash has not 32 bytes")
    found = open_checkpoint(note, keys, "checkpoint")
    report.checkpoint = found
    if not check_inclusion(chain.head, int(index), found.size, path, found.root):
        raise Wrong(
            "proof",
            f"row {chain.count - 1} is not at its place in the log: rows may be cut off behind it, or the session"
            " was written anew",
        )
    return found


def check_tie(
    tie: dict[str, Any] | None, found: Checkpoint, keys: list[Key], known: Checkpoint | None, report: Report
) -> None:
    """Check the tie to an earlier checkpoint, if there is one, and the checkpoint that the caller knows."""
    earlier: Checkpoint | None = None
    if tie is not None:
        if not isinstance(tie["since"], str) or not isinstance(tie["consistency"], list):
            raise Wrong("since", "the line holds values of another type")
        try:
            earlier = open_checkpoint(tie["since"].encode("utf-8", "surrogatepass"), keys, "since")
        except Unknown as unknown:
            raise Wrong(
                "since", f"the earlier checkpoint is signed by an unknown key, {unknown.label}"
            ) from None
        proof = [from_base64(step, "since") for step in tie["consistency"][: MAX_HASHES + 1]]
        if len(proof) > MAX_HASHES or any(len(step) != 32 for step in proof):
            raise Wrong("since", "the proof is not at most 64 hashes of 32 bytes")
        if earlier.origin != found.origin:
            raise Wrong("since", "the earlier checkpoint is of another log")
        if not check_consistency(earlier.size, earlier.root, found.size, found.root, proof):
            raise Wrong("since", "the log does not continue the earlier checkpoint: it was written anew")
    if known is None:
        return
    where = "known checkpoint"
    if known.origin != found.origin:
        raise Wrong(where, "it is of another log")
    if known.size == found.size:
        if known.root != found.root:
            raise Wrong(
                where, "two heads of one size differ: the log was written anew, or shown differently to two"
            )
        report.known_checkpoint = "the same"
    elif known.size > found.size:
        raise Wrong(
            where, f"it is of size {known.size}, the bundle of size {found.size}: export the bundle again"
        )
    elif earlier is None or (earlier.size, earlier.root) != (known.size, known.root):
        raise Wrong(where, "the bundle does not carry the proof for it: export it again with --since FILE")
    else:
        report.known_checkpoint = "continued"


# The command


def read_file(path: str, most: int, what: str) -> bytes:
    with open_file(path, what) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Misused(f"{what} {path} has more than {most} bytes")
    return data


def open_file(path: str, what: str) -> BinaryIO:
    """Open a regular file: a pipe or a device has no end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise Misused(f"{what} {path} is not a regular file")
        return os.fdopen(descriptor, "rb", buffering=1 << 20)
    except OSError as error:
        raise Misused(f"{what} {path} cannot be read: {error.strerror}") from None


def read_keys(path: str | None) -> list[Key]:
    """The pinned keys; none where no file is named."""
    if path is None:
        return []
    try:
        text = read_file(path, MAX_KEY_FILE, "the key file").decode()
    except UnicodeDecodeError:
        raise Misused(f"the key file {path} is not UTF-8") from None
    lines = [line.strip() for line in text.split("\n")]
    keys = [read_key(line) for line in lines if line and not line.startswith("#")]
    if not 0 < len(keys) <= MAX_KEYS:
        raise Misused(f"the key file {path} has not 1 to {MAX_KEYS} keys")
    return keys


def read_known(path: str | None, keys: list[Key]) -> Checkpoint | None:
    if path is None:
        return None
    try:
        return open_checkpoint(read_file(path, MAX_PROOF, "the known checkpoint"), keys, "known checkpoint")
    except Wrong as wrong:
        raise Misused(f"the known checkpoint {path}: {wrong.why}") from None
    except Unknown as unknown:
        raise Misused(f"the known checkpoint {path} is signed by an unknown key, {unknown.label}") from None


def shown(text: str) -> str:
    """Text of the bundle as one line that commands no terminal."""
    return "".join(letter if letter.isprintable() else f"<U+{ord(letter):04X}>" for letter in text)


def moment(at_us: int | None) -> str:
    if at_us is None:
        return "?"
    try:
        return datetime.fromtimestamp(at_us // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return f"{at_us} us"


def words(report: Report) -> Iterator[str]:
    """The report for a person; the first line is the verdict."""
    if report.verdict == INVALID:
        where = f"row {report.where}" if isinstance(report.where, int) else report.where
        yield shown(f"INVALID at {where}: {report.why}")
        return
    if report.verdict == UNKNOWN_KEY:
        yield shown(f"UNKNOWN KEY {report.why}")
        yield "  pin the key that you were given by another way than the bundle: --key FILE"
        return
    found = report.checkpoint
    if found is None:
        raise AssertionError("a verdict without a checkpoint")
    yield report.verdict
    yield f"  session {report.session}, {report.rows} rows, {moment(report.first_us)} to {moment(report.last_us)}"
    if report.verdict == OPEN:
        yield f"  the session was not closed in the log of {found.size} rows that was signed"
    yield shown(f"  log {found.origin}, {found.size} rows, root {found.root.hex()}")
    yield shown(f"  signed by {', '.join(found.signers)}")
    for label in found.strangers:
        yield shown(f"  also signed by {label}, which is not pinned here and was not checked")
    for n in report.redacted:
        yield f"  row {n} redacted"
    if report.opened:
        yield f"  payloads opened, each as its row commits to it: rows {', '.join(map(str, report.opened))}"
    if report.known_checkpoint:
        yield f"  known checkpoint: {report.known_checkpoint}"


def as_json(report: Report) -> str:
    """The report for a machine, on one line. Only what was proven is in it, beside verdict, where and why."""
    proven = report.verdict in (COMPLETE, OPEN)
    found = report.checkpoint if proven else None
    return json.dumps(
        {
            "verdict": report.verdict,
            "row": report.where if isinstance(report.where, int) else None,
            "part": report.where
            if isinstance(report.where, str)
            else "row"
            if report.where is not None
            else None,
            "why": None if proven else report.why,
            "session": report.session if proven else None,
            "rows": report.rows if proven else None,
            "first_us": report.first_us if proven else None,
            "last_us": report.last_us if proven else None,
            "redacted": report.redacted if proven else None,
            "opened": report.opened if proven else None,
            "origin": found.origin if found else None,
            "tree_size": found.size if found else None,
            "root": found.root.hex() if found else None,
            "signed_by": found.signers if found else None,
            "not_checked": found.strangers if found else None,
            "known_checkpoint": report.known_checkpoint if proven else None,
        }
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="doublethink_verify.py",
        description="Check the exported record of a session, offline.",
        epilog="Exit codes: 0 COMPLETE, 3 OPEN, 1 INVALID or UNKNOWN KEY, 2 wrong use.",
    )
    parser.add_argument("bundle", metavar="BUNDLE", help="the file that `doublethink export` wrote")
    parser.add_argument(
        "--key",
        metavar="FILE",
        default=os.environ.get("DOUBLETHINK_VKEY") or None,
        help="the pinned keys, vkeys one a line; else the file that DOUBLETHINK_VKEY names",
    )
    parser.add_argument(
        "--known-checkpoint",
        metavar="FILE",
        help="a checkpoint kept from before, which the log must continue",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Anybody can add a signature to a bundle, and a name to that: what the terminal does not have ends nothing.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        keys = read_keys(options.key)
        known = read_known(options.known_checkpoint, keys)
        with open_file(options.bundle, "the bundle") as file:
            report = verify(file, keys, known)
    except Misused as misused:
        sys.stderr.write(shown(f"doublethink_verify.py: {misused}") + "\n")
        return WRONG_USE
    except OSError as error:
        sys.stderr.write(f"doublethink_verify.py: the bundle cannot be read: {error.strerror}\n")
        return WRONG_USE
    sys.stdout.write((as_json(report) if options.json else "\n".join(words(report))) + "\n")
    return EXITS[report.verdict]


if __name__ == "__main__":
    sys.exit(main())
