"""Code names: after "Project", after the words "code name" however far, and in quotation marks after "known as"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from doublethink_casefile.proposing.shapes import Span
from doublethink_casefile.proposing.words import FULL_LINE, LEGAL, ORDINARY, Word, words_of

_CAPITALISED: Final = r"[^\W\d_a-z][\w-]*"
_PROJECT: Final = re.compile(
    rf"\b(?P<kind>Project|Operation|Projekt|Operación|Opération|Progetto|Proyecto|Projet|PROJECT)[ \u00a0]+"
    rf"[\"“„']?(?P<name>{_CAPITALISED}(?:[ \u00a0]+{_CAPITALISED})?)"
)
_SAID: Final = re.compile(r"(?i)\b(?:code|cover)[ -]?(?:name|word)s?(?:d)?\b|\bcode[ -]named\b")
# What stands between the words "code name" and the name itself.
_SEPARATOR: Final = re.compile(r"[:=|–—\"“„]|\b(?:is|are|was|as|will be|shall be|reads?)\b")
_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s|$)|\n")
_PLURAL: Final = re.compile(r"(?i)names$|words$")
_NEXT: Final = re.compile(r"[,;|/]")
_REACH: Final = 160
_MOST: Final = 6
_KNOWN_AS: Final = re.compile(
    r"(?i:\b(?:known(?: \w+)? as|referred to(?: \w+)? as|called|dubbed|nicknamed|named|hereinafter|hereafter|alias)\b"
    r"[ ,:(]{0,3}(?:the )?|\((?:the )?)[\"“„'‘](?P<name>[^\W\d_a-z][\w-]*(?: [^\W\d_a-z][\w-]*)?)[\"”“'’]"
)


def code_names(memo: str) -> Iterator[tuple[Span, Span | None]]:
    """The place of each code name, and that of its bare word where it stands with "Project"."""
    for match in _PROJECT.finditer(memo):
        start, end = match.span("name")
        second = match["name"].split()
        if len(second) == 2 and (second[1] in ORDINARY or second[0].rstrip("-") == ""):
            end = start + len(second[0])
        yield (match.start(), end), (start, end)
    for match in _SAID.finditer(memo):
        most = _MOST if _PLURAL.search(match[0]) else 1
        yield from ((span, None) for span in _after(memo, match.end(), most))
    for match in _KNOWN_AS.finditer(memo):
        if match["name"] not in ORDINARY and match["name"] not in LEGAL:
            yield match.span("name"), None


def _after(memo: str, start: int, most: int) -> Iterator[Span]:
    """The capitalised words, at most so many, that the sentence from `start` gives as code names."""
    stop = _stop(memo, start)
    text = memo[start:stop]
    found = list(words_of(text))
    if found and found[0].capitalised and not text[: found[0].start].strip(" \t\"“„'‘"):
        # "codename Gannet", with nothing in between.
        yield _whole(found, start, text, 0)
        return
    separator = _SEPARATOR.search(text)
    if separator is None:
        return
    given = 0
    for at, word in enumerate(found):
        if (
            word.start < separator.end()
            or not word.capitalised
            or word.text in ORDINARY
            or word.text in LEGAL
        ):
            continue
        if given and not _NEXT.search(text[found[at - 1].end : word.start]) and found[at - 1].text != "and":
            # "Osprey for Weir": the next code name stands behind a comma.
            continue
        yield _whole(found, start, text, at)
        given += 1
        if given == most:
            return


def _stop(memo: str, start: int) -> int:
    """Where the sentence ends. A line's end is its end too, unless the line is full: then it was wrapped."""
    at = start
    for end in _SENTENCE_END.finditer(memo, start, start + _REACH):
        at = end.start()
        line = memo.rfind("\n", 0, at) + 1
        follows = memo[at + 1 : at + 2]
        if end[0] != "\n" or at - line < FULL_LINE or not follows.isalnum():
            return at
    return min(len(memo), start + _REACH)


def _whole(found: list[Word], start: int, text: str, at: int) -> Span:
    """A code name of one word, or of two that stand side by side."""
    first = found[at]
    end = first.end
    if at + 1 < len(found):
        second = found[at + 1]
        if second.capitalised and second.text not in ORDINARY and text[first.end : second.start] == " ":
            end = second.end
    return first.start + start, end + start
