"""A memo in CommonMark, with GitHub's tables and autolinks in mind: nothing of a page becomes markup.

Text of a page stands inside a line, never at its start. A backslash before ASCII punctuation makes it text (CommonMark
0.31, section 2.4); "<" and "&" are written as entities, so that no reader that passes HTML on meets a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .view import Evidence, Memo, Read, unchecked_words

_SPECIAL: Final = re.compile(r"[\\`*_{}\[\]#|~!$@^=]")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINKED: Final = re.compile(r"(?<=:)//|\bwww(?=\.)|\b(?:mailto|xmpp|https?|ftp)(?=:)", re.IGNORECASE)
_STATES: Final = {
    "answered": "Answered",
    "not_found": "Not found",
    "refused": "Refused",
    "failed": "Failed",
    "queued": "Waits",
    "running": "Goes on",
}


def markdown(memo: Memo) -> str:
    """The memo, ending with a line break."""
    return "\n".join(_lines(memo)) + "\n"


def escaped(text: str) -> str:
    """A text of one line as text in the middle of a line."""
    text = re.sub(r"[&<>]", lambda sign: _ENTITIES[sign[0]], _SPECIAL.sub(r"\\\g<0>", text))
    # A zero-width space would change what is copied: a link is broken by an entity for one of its letters.
    return _LINKED.sub(lambda word: f"&#{ord(word[0][0])};{word[0][1:]}", text)


def _lines(memo: Memo) -> Iterator[str]:
    yield f"## {escaped(memo.question)}"
    yield ""
    if memo.status != "answered":
        verdict = "Not decided" if memo.undecided else _STATES.get(memo.status, memo.status)
        yield f"**{verdict}.** {escaped(memo.reason)}"
        yield ""
        yield from _conflicts(memo)
        yield from _read(memo)
    for calculation in memo.calculations:
        # Amounts, formulas and numbers are written here and by the composer, not by a page.
        operands = ", ".join(f"[{number}]" for number in calculation.operands)
        yield f"**{calculation.name}: {calculation.amount}**"
        yield ""
        yield f"= {calculation.formula}, from {operands}"
        yield ""
    for group in memo.disagreements:
        numbers = " and ".join(f"[{number}]" for number in group)
        said = f"{numbers} give one figure differently. Both are shown; none was averaged."
        yield f"**Sources disagree:** {said}"
        yield ""
    for each in memo.evidence:
        yield from _evidence(each)
    if memo.status == "answered":
        yield from _conflicts(memo)
    yield f"Session `{memo.session or '-'}`, asked {escaped(memo.asked)}; {escaped(memo.back_ends)}."
    if memo.session:
        yield f"Proof: `doublethink export {memo.session}`, then `doublethink verify` on the bundle."


def _conflicts(memo: Memo) -> Iterator[str]:
    for conflict in memo.conflicts:
        yield f"### {conflict.headline}: {conflict.amounts}"
        yield ""
        yield conflict.words
        yield ""
        for each in conflict.evidence:
            yield from _evidence(each)


def _evidence(each: Evidence) -> Iterator[str]:
    remarks = f" ({', '.join(each.remarks)})" if each.remarks else ""
    company = f"{escaped(each.company)} – " if each.company else ""
    yield f"[{each.number}] {company}{escaped(each.what)}: **{each.amount}**{remarks}"
    yield ""
    yield f"> “{escaped(each.quote)}” ({each.place})"
    for says, text in each.beside:
        yield ">"
        yield f"> {says}: “{escaped(text)}”"
    yield ""
    title = f"{escaped(each.title)} " if each.title else ""
    yield f"Source: {title}{_link(each.url)}  "
    yield f"captured {each.captured}, text SHA-256 `{each.page_sha256}`, raw SHA-256 `{each.raw_sha256}`"
    yield ""


def _read(memo: Memo) -> Iterator[str]:
    if memo.unchecked:
        yield unchecked_words(memo.unchecked)
        yield ""
    if not memo.read:
        yield "No page was read."
        yield ""
        return
    yield f"Read, with {memo.queries} {'query' if memo.queries == 1 else 'queries'}:"
    yield ""
    yield from (_read_line(read) for read in memo.read)
    if memo.unnamed:
        yield f"- and {memo.unnamed} more"
    yield ""


def _read_line(read: Read) -> str:
    return f"- {_link(read.url)}, {escaped(read.at)}"


def _link(url: str) -> str:
    return f"<{url}>" if url else "an address that is none of the web"
