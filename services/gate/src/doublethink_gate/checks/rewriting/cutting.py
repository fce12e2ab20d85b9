"""Takes details out of a question: their place, the words that only lead up to them, and the punctuation between.

Pure text: what is left is judged elsewhere. Nothing is ever joined that was not joined before: where words meet over a
cut there is a space, and a cut inside a word takes the whole word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from doublethink_gate.checks.rewriting.words import (
    ADDRESSED,
    ANYTHING,
    CONNECTORS,
    CONTACT_VERBS,
    COPULAS,
    DETERMINERS,
    IN_FRONT_OF_A_VERB,
    LABELS,
    LEADING_UP,
    PREPOSITIONS,
    REACHED_AT,
    ROLES,
    STOP,
    THINGS,
    TITLES,
)

_WORD: Final = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_LAST_WORD: Final = re.compile(r"([^\W_]+(?:['’\-][^\W_]+)*)([^\w]*)\Z")
_NEXT_WORD: Final = re.compile(r"\s*([^\W_]+(?:['’\-][^\W_]+)*)")
# A mark ends a clause where something follows it that is no part of a number or an address.
_CLAUSE_END: Final = re.compile(r"[.!?,;](?=\s|\Z|[\"')\]])|[()\[\]\n]|\s[-–—]\s")
_ABBREVIATION: Final = re.compile(r"(?i)(?<![^\W_])(?:mr|mrs|ms|dr|prof|no|nr|tel|st|e\.g|i\.e)\Z")
_MARKS: Final = ",;:.!?"
_OPEN: Final = "([\"'“‘<"
_CLOSED: Final = ")]\"'”’>"
_PAIRS: Final = frozenset(zip(_OPEN, _CLOSED, strict=True))
_AS_LABEL: Final = re.compile(r"[\s:=#(\[<\"'“.\-–—]*\Z")
_POSSESSIVE: Final = re.compile(r"['’]s?(?![^\W_])")
_SAID_AFTER: Final = re.compile(
    # White space between words is demanded: a run of letters has one reading, and not one for each way to cut it.
    r"(?i)(?:\s*+,)?+\s*+(?:is|being|as)\s++(?:my|his|her|their|our|the)\s++"
    r"((?:[a-z\-]++\s++){0,3}[a-z\-]++)\s*+(?=[.,;!?)]|\Z)"
)
# A name that is introduced as one, and a day of birth, go with the number beside them. Alone they are no findings: the
# like stands in many a question about somebody known.
_CAPITAL: Final = r"[^\W\d_a-z]"
_BETWEEN_NAMES: Final = (
    r"(?:(?:van|von|de|der|den|la|del|di|al|bin)\s+)*(?!(?i:born|dob|ssn|iban|tel|phone|email)\b)"
)
_NAME: Final = rf"{_CAPITAL}[^\W\d_]*[.'’\-]?[^\W\d_]*(?:\s+{_BETWEEN_NAMES}{_CAPITAL}[^\W\d_'’\-]*){{0,3}}"
_DAY: Final = (
    r"(?:\d{1,2}[./ -]{1,2}(?:\d{1,2}|[A-Za-z]{3,9})[./ ,-]{1,2}\d{2,4}|\d{4}-\d{2}-\d{2}"
    r"|[A-Za-z]{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4})\b"
)
_INTRODUCED: Final = re.compile(
    r"\b(?i:my name is|name is|name:|named|called|patient|claimant|policyholder|policy holder|insured|client|customer"
    rf"|employee|member|subject|mr\.?|mrs\.?|ms\.?|herr|frau)(?:\s+|:\s*)(?P<name>{_NAME})"
    rf"|\b[Ii](?:'m|’m| am)\s+(?P<self>{_CAPITAL}[^\W\d_]+(?:\s+{_CAPITAL}[^\W\d_]+)+)"
    rf"|\b[Bb]orn\s+(?:on\s+)?(?P<birth>{_DAY})"
)


@dataclass(frozen=True, slots=True)
class Detail:
    """A place in a text, in characters, and the word for what stands there."""

    start: int
    end: int
    stands_for: str


def cut(text: str, details: Iterable[Detail]) -> str:
    """Return the text without the details and the words that only lead up to them.

    Where a sentence would break, the word for a detail stands in its place. The result is never longer.
    """
    edits = [_edit(text, detail) for detail in merged(text, details)]
    parts: list[str] = []
    at = 0
    for edit in _apart(edits):
        parts.append(text[at : edit.start])
        parts.append(edit.stands_for)
        at = edit.end
    parts.append(text[at:])
    left = parts[0]
    for number in range(1, len(parts), 2):
        left = _join(left, parts[number], parts[number + 1])
    return left.strip()


def merged(text: str, details: Iterable[Detail]) -> list[Detail]:
    """Return whole words, in order, with names that are introduced beside them; what lies close together as one."""
    wanted = sorted((_whole_words(text, d) for d in details), key=lambda d: (d.start, d.end))
    wanted += [
        Detail(*match.span(match.lastgroup or 0), "a date" if match.lastgroup == "birth" else "a person")
        for match in _INTRODUCED.finditer(text)
        if match.lastgroup is not None
    ]
    found: list[Detail] = []
    for detail in sorted(wanted, key=lambda d: (d.start, d.end)):
        if found and _leads_up(text[found[-1].end : detail.start]):
            last = found.pop()
            # Of two readings of a place the one that says what it is.
            word = detail.stands_for if last.stands_for == ANYTHING else last.stands_for
            found.append(Detail(last.start, max(last.end, detail.end), word))
        else:
            found.append(detail)
    return [_closed(text, detail) for detail in found]


def subject_words(text: str, without: Iterable[Detail] = ()) -> list[str]:
    """Return the words that say what is asked: neither small words nor such as lead up to a detail."""
    spans = [(detail.start, detail.end) for detail in without]
    return [
        match[0].lower()
        for match in _WORD.finditer(text)
        if match[0].lower() not in STOP
        and match[0].lower() not in LEADING_UP
        and not any(start < match.end() and match.start() < end for start, end in spans)
    ]


def content_words(text: str) -> list[str]:
    """Return the words of a text but for small ones."""
    return [match[0].lower() for match in _WORD.finditer(text) if match[0].lower() not in STOP]


def _closed(text: str, detail: Detail) -> Detail:
    """A detail with the quotation marks or the bracket around it, and with the end of a bracket that begins in it."""
    start, end = detail.start, detail.end
    while start > 0 and end < len(text) and (text[start - 1], text[end]) in _PAIRS:
        start, end = start - 1, end + 1
    inside, after = text[start:end], text[end:]
    if inside.count("(") > inside.count(")") and after.lstrip().startswith(")"):
        end += after.index(")") + 1
    return Detail(start, end, detail.stands_for)


def _whole_words(text: str, detail: Detail) -> Detail:
    start, end = detail.start, detail.end
    while start > 0 and start < len(text) and _inside_word(text, start):
        start -= 1
    while 0 < end < len(text) and _inside_word(text, end):
        end += 1
    return Detail(start, end, detail.stands_for)


def _inside_word(text: str, at: int) -> bool:
    return (text[at - 1].isalnum() or text[at - 1] == "_") and (text[at].isalnum() or text[at] == "_")


def _leads_up(text: str) -> bool:
    """Whether text holds nothing but words that lead up to a detail, and no end of a sentence."""
    return all(word.lower() in LEADING_UP for word in _WORD.findall(text)) and not re.search(
        r"[?!\n]|\.\s", text
    )


def _apart(edits: list[Detail]) -> Iterator[Detail]:
    """Edits that overlap, as one."""
    last: Detail | None = None
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if last is not None and edit.start <= last.end:
            last = Detail(last.start, max(last.end, edit.end), last.stands_for and edit.stands_for)
        else:
            if last is not None:
                yield last
            last = edit
    if last is not None:
        yield last


def _edit(text: str, detail: Detail) -> Detail:
    """Return what is taken out for a detail, and what stands in its place, often nothing."""
    start, end = _clause(text, detail)
    before, after = text[start : detail.start], text[detail.end : end]
    if (start > 0 or end < len(text)) and _leads_up(before) and _leads_up(after):
        return Detail(start, end, "")
    end = detail.end + _said_after(after)
    possessive = _POSSESSIVE.match(after)
    if possessive is not None:
        end = detail.end + possessive.end()
    first, word = _led_up(text, start, detail)
    if possessive is not None:
        word = ""
    # Never longer than what it stands for.
    fitting = (short for short in (word, "it", "") if len(short) <= end - first)
    return Detail(first, end, next(fitting) if word else "")


def _clause(text: str, detail: Detail) -> tuple[int, int]:
    """Return where the clause of a detail begins and ends, without the marks around it."""
    start = 0
    for match in _CLAUSE_END.finditer(text, 0, detail.start):
        if match[0] == "." and _ABBREVIATION.search(text, 0, match.start()):
            continue
        start = match.end()
    match_after = _CLAUSE_END.search(text, detail.end)
    return start, len(text) if match_after is None else match_after.start()


def _said_after(after: str) -> int:
    """Return the length of a label behind a detail: "... is my number"."""
    match = _SAID_AFTER.match(after)
    if match is None or not all(word.lower() in LABELS | THINGS for word in match[1].split()):
        return 0
    return match.end()


def _led_up(text: str, start: int, detail: Detail) -> tuple[int, str]:
    """Return where the words that lead up to a detail begin, and the word that has to stand for it."""
    words = list(_WORD.finditer(text, start, detail.start))
    low = [match[0].lower() for match in words]
    gap = text[words[-1].end() : detail.start] if words else ""
    if not words or not _AS_LABEL.match(gap):
        after = _NEXT_WORD.match(text, detail.end)
        breaks = not words and after is not None and after[1].lower() in IN_FRONT_OF_A_VERB
        return detail.start, detail.stands_for if breaks else ""
    at = len(words)
    kinds: list[str] = []
    # A verb before a label or a name is the question's own: "is patient Doe allowed".
    while at and (kind := _kind(low[at - 1])) and not (kinds and kind == "copula"):
        kinds.append(kind)
        at -= 1
    named = "label" in kinds or "copula" in kinds
    if at and low[at - 1] in PREPOSITIONS:
        if "thing" in kinds and "copula" not in kinds:
            return _behind_the_thing(words, kinds, detail), ""
        return _addressed(words, low, at - 1), ""
    if named and not ("thing" in kinds and "copula" not in kinds):
        if kinds == ["copula"]:
            return detail.start, detail.stands_for
        while at and low[at - 1] in CONNECTORS:
            at -= 1
        return words[at].start(), ""
    if "thing" in kinds or "role" in kinds:
        return _behind_the_thing(words, kinds, detail), ""
    first = words[at].start() if kinds else detail.start
    breaks = bool(at) and low[at - 1] in IN_FRONT_OF_A_VERB
    return first, detail.stands_for if breaks else ""


def _kind(word: str) -> str:
    for kind, known in (
        ("title", TITLES),
        ("copula", COPULAS),
        ("label", LABELS),
        ("thing", THINGS),
        ("role", ROLES),
        ("determiner", DETERMINERS),
    ):
        if word in known:
            return kind
    return ""


def _behind_the_thing(words: list[re.Match[str]], kinds: list[str], detail: Detail) -> int:
    """Where what is asked about stays ("my card") and only its number goes."""
    at = len(words)
    for kind in kinds:
        if kind in ("thing", "role"):
            break
        at -= 1
    return words[at].start() if at < len(words) else detail.start


def _addressed(words: list[re.Match[str]], low: list[str], at: int) -> int:
    """Where "you can reach me at" begins; else where the preposition does. `at`: the preposition."""
    first = at
    verb = at
    while low[at] in REACHED_AT and first and low[first - 1] in ADDRESSED:
        first -= 1
        if low[first] in CONTACT_VERBS:
            verb = first
    if verb == at:
        return words[at].start()
    return words[first].start()


def _join(left: str, middle: str, right: str) -> str:
    """Put two parts together over a cut, without what is left over of its punctuation."""
    left, right = left.rstrip(), right.lstrip()
    if middle:
        return " ".join(part for part in (left, middle) if part) + _gap(right) + right
    while left and right and left[-1] in _OPEN and right[0] == _CLOSED[_OPEN.index(left[-1])]:
        left, right = left[:-1].rstrip(), right[1:].lstrip()
    if not left:
        return _without_connectors(right.lstrip(_MARKS + " -–—"))
    if left[-1] in ".!?":
        right = right.lstrip(_MARKS + " ")
    elif not right or right[0] in _MARKS + ")":
        left = _without_ending(left.rstrip(",;:-–— "))
    return left + _gap(right) + right


def _gap(right: str) -> str:
    return "" if not right or right[0] in _MARKS + ")" else " "


def _without_connectors(text: str) -> str:
    match = _NEXT_WORD.match(text)
    while match is not None and match[1].lower() in CONNECTORS:
        text = text[match.end() :].lstrip(_MARKS + " ")
        match = _NEXT_WORD.match(text)
    return text


def _without_ending(text: str) -> str:
    """Without "and", "or" at the end of what comes before a mark."""
    match = _LAST_WORD.search(text)
    while match is not None and not match[2].strip() and match[1].lower() in CONNECTORS:
        text = text[: match.start()].rstrip(",;: ")
        match = _LAST_WORD.search(text)
    return text
