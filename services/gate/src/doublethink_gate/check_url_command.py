"""`python -m doublethink_gate check-url`: the URL guard over a table of cases; nothing is resolved, dialled or sent.

The table has three tab-separated columns and a first line that names them: url, expected (allow or deny), why. In the
third, `dns: A 192.0.2.1 + AAAA 2001:db8::1` is what a stand-in resolver answers (`dns: time-out`: nothing), and
`http: 302 Location URL` what a stand-in server does (`http: endless redirects`: it sends back to the same URL). A name
without a note stands for a public address. The escapes \\t, \\n, \\\\ and \\x01 are read in the first column.

Prints url, verdict and rule for each, tab-separated. Exit codes: 0 every verdict is the expected one, 1 not, 2 the
table cannot be read.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import ipaddress
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from doublethink_gate.fetching import FetchFailed, FetchRules, Target, UrlRefused, follow
from doublethink_gate.fetching.addresses import Address
from doublethink_gate.fetching.rules import Bounds
from doublethink_gate.fetching.transport import Answer, Ask

_PUBLIC: Final = ipaddress.IPv4Address("93.184.215.14")
_RECORD: Final = re.compile(r"\b(?:A|AAAA) ([0-9A-Fa-f:.]+)")
_REDIRECT: Final = re.compile(r"\b(30[12378]) Location ([^\s;]+)")
_ESCAPE: Final = re.compile(r"\\(t|n|r|\\|x[0-9A-Fa-f]{2})")
_MOST_BYTES: Final = 16 * 1024 * 1024
_STAND_IN_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the table."""

    url: str
    expected: str
    why: str


class TableError(Exception):
    """The table cannot be read: which line, and what it should be."""


class _StandIn:
    """Resolver and server of one case."""

    def __init__(self, case: Case) -> None:
        self._why = case.why
        self._redirects = _REDIRECT.findall(case.why)
        self._hops = 0

    async def addresses(self, host: str) -> Sequence[Address]:
        """What the note says; for a host that a redirect leads to, a public address."""
        if self._hops or "dns:" not in self._why:
            return [_PUBLIC]
        if "dns: time-out" in self._why:
            await asyncio.sleep(3600)
        found = _RECORD.findall(self._why.partition("dns:")[2].partition(";")[0])
        if not found:
            raise OSError(errno.ENOENT, "the note names no address")
        return [ipaddress.ip_address(text.rstrip(".")) for text in found]

    async def send(self, ask: Ask, target: Target, addresses: Sequence[Address], bounds: Bounds) -> Answer:
        """A redirect where the note has one, several in turn, or one for ever; else a page."""
        self._hops += 1
        if "http: endless redirects" in self._why:
            return Answer(302, "text/html", b"", False, target.url, 0)
        if self._hops <= len(self._redirects):
            status, location = self._redirects[self._hops - 1]
            return Answer(int(status), "text/html", b"", False, location, 0)
        return Answer(200, "text/html", b"<html></html>", False, None, 13)


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate check-url", description=__doc__)
    parser.add_argument("--allow", action="append", default=[], metavar="HOST", help="a host that is allowed")
    parser.add_argument("--scheme", action="append", metavar="SCHEME", help="https if none is given")
    parser.add_argument("--nat64", action="store_true", help="judge a NAT64 address by what it carries")
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    rules = FetchRules(
        tuple(options.allow),
        tuple(options.scheme or ("https",)),
        options.nat64,
        bounds=Bounds(resolve_s=_STAND_IN_S),
    )
    try:
        cases = read_cases(options.cases)
    except (OSError, TableError) as error:
        words = error.strerror if isinstance(error, OSError) else error
        sys.stderr.write(f"check-url: {options.cases}: {words}\n")
        return 2
    wrong = 0
    for case in cases:
        verdict, rule = asyncio.run(judge(case, rules))
        note = "" if verdict == case.expected else f"\texpected {case.expected}"
        wrong += bool(note)
        sys.stdout.write(f"{_escaped(case.url)}\t{verdict}\t{rule}{note}\n")
    sys.stderr.write(f"{len(cases) - wrong} of {len(cases)} as expected\n")
    return 1 if wrong else 0


def read_cases(path: Path) -> list[Case]:
    """Read a table. Raises TableError, OSError."""
    data = path.read_bytes()
    if len(data) > _MOST_BYTES:
        raise TableError(f"more than {_MOST_BYTES} bytes")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise TableError("not UTF-8") from None
    if lines[0].split("\t")[:2] != ["url", "expected"]:
        raise TableError("the first line must name the columns url, expected and why, separated by tabs")
    cases = []
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        columns = line.split("\t")
        if len(columns) != 3 or columns[1] not in ("allow", "deny"):
            raise TableError(f"line {number}: three columns are needed, the second of them allow or deny")
        cases.append(Case(_ESCAPE.sub(_unescaped, columns[0]), columns[1], columns[2]))
    return cases


async def judge(case: Case, rules: FetchRules) -> tuple[str, str]:
    """Return the verdict on a case, and the rule that denies."""
    stand_in = _StandIn(case)
    try:
        await follow(case.url, rules, stand_in, stand_in, _nothing)
    except UrlRefused as refused:
        return "deny", refused.rule
    except FetchFailed as failed:
        return "deny", failed.kind
    return "allow", "-"


async def _nothing(target: Target, addresses: tuple[Address, ...]) -> None:
    """There is no ledger behind a table."""


def _unescaped(found: re.Match[str]) -> str:
    name = found[1]
    return {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}.get(name) or chr(int(name[1:], 16))


def _escaped(url: str) -> str:
    """One line of a terminal, whatever the URL holds."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in url
    )
