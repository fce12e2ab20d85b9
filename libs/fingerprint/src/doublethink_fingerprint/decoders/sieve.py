"""Which of many patterns can match where: one pass of an automaton for all of them, before any is searched for.

Hyperscan (as Vectorscan) is given for each pattern a wider one, made from the pattern's own syntax tree: without
look-around and most anchors, with high counts left open, and with one sign for all characters beyond ASCII. So it may
name too many patterns, never too few, and what it names is searched by the pattern itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from threading import Lock
from typing import Any, Final

import hyperscan

# The tree that `re` itself compiles. There is no public name for it, and no stub.
ops: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

_BEYOND_ASCII = re.compile("[^\0-\x7f]")
_STAND = 0x80
_ALL = frozenset(range(_STAND + 1))
# Counting makes automata large, and leaving it out only names more.
_MOST_COUNTED: Final = 4
# What takes long to make ready is left to the pattern itself; and of many at once each takes longer.
_LONGEST_FORM: Final = 6000
_TOGETHER: Final = 6
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _category(test: re.Pattern[str]) -> frozenset[int]:
    return frozenset(code for code in range(_STAND) if test.match(chr(code))) | {_STAND}


_CATEGORIES = {
    ops.CATEGORY_DIGIT: _category(re.compile(r"\d")),
    ops.CATEGORY_NOT_DIGIT: _category(re.compile(r"\D")),
    ops.CATEGORY_SPACE: _category(re.compile(r"\s")),
    ops.CATEGORY_NOT_SPACE: _category(re.compile(r"\S")),
    ops.CATEGORY_WORD: _category(re.compile(r"\w")),
    ops.CATEGORY_NOT_WORD: _category(re.compile(r"\W")),
}
_NOTHING = frozenset({ops.AT, ops.ASSERT, ops.ASSERT_NOT})
# Of a text that is asked about these are true of its parts as well.
_EDGES = {ops.AT_BEGINNING_STRING: "^", ops.AT_END_STRING: r"\z"}
_REPEATS = frozenset({ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT})


class Sieve:
    """Patterns of which a text is asked which ones it may hold. Made ready at the first question.

    `counted` is how often something has to be repeated at most until it counts as repeated often enough.
    """

    def __init__(self, counted: int = 8) -> None:
        self._counted = counted
        self._lock = Lock()
        self._patterns: list[re.Pattern[str]] = []
        self._places: dict[re.Pattern[str], int] = {}
        self._automata: list[hyperscan.Database] = []
        self._always: list[int] = []

    def add(self, pattern: re.Pattern[str], likely: re.Pattern[str] | None = None) -> re.Pattern[str]:
        """Take a pattern in, and return it. `likely` is what else has to match where it gives anything of use."""
        if pattern not in self._places:
            self._places[pattern] = len(self._patterns)
            self._patterns.append(likely or pattern)
            self._automata = []
        return pattern

    def place(self, pattern: re.Pattern[str]) -> int | None:
        """Return the number under which a pattern is named; None for one that is not in."""
        return self._places.get(pattern)

    def named(self, texts: Sequence[str]) -> list[list[int]]:
        """Return for each pattern, by its number, which of the texts it may match in, in order.

        Raises hyperscan.error at the first question where the machine's processor is not supported.
        """
        found: list[list[int]] = [[] for _ in self._patterns]
        if not texts or not found:
            return found
        at = 0

        def note(place: int, start: int, end: int, flags: int, context: object) -> None:
            found[place].append(at)

        # Its working memory is for one scan at a time.
        with self._lock:
            if not self._automata:
                self._make_ready()
            for at, text in enumerate(texts):  # noqa: B007 - `note` reads it
                data = (text if text.isascii() else _BEYOND_ASCII.sub("\x80", text)).encode("latin-1")
                for automaton in self._automata:
                    automaton.scan(data, match_event_handler=note)
        for place in self._always:
            found[place] = list(range(len(texts)))
        return found

    def _make_ready(self) -> None:
        forms = [(place, wider(pattern, self._counted)) for place, pattern in enumerate(self._patterns)]
        self._always = [place for place, form in forms if len(form) > _LONGEST_FORM]
        short = [(place, form) for place, form in forms if len(form) <= _LONGEST_FORM]
        self._automata = [_automaton(short[at : at + _TOGETHER]) for at in range(0, len(short), _TOGETHER)]


def _automaton(forms: Sequence[tuple[int, bytes]]) -> hyperscan.Database:
    database = hyperscan.Database()
    database.compile(
        expressions=[form for _, form in forms],
        ids=[place for place, _ in forms],
        elements=len(forms),
        flags=[hyperscan.HS_FLAG_SINGLEMATCH | hyperscan.HS_FLAG_ALLOWEMPTY] * len(forms),
    )
    database.scratch = hyperscan.Scratch(database)
    return database


def wider(pattern: re.Pattern[str], counted: int = 8) -> bytes:
    """Return an expression for bytes that matches wherever the pattern does, and perhaps elsewhere."""
    tree = parser.parse(
        pattern.pattern, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    )
    return "".join(_parts(tree, bool(pattern.flags & re.IGNORECASE), {}, counted)).encode("ascii")


def _parts(tree: Any, anycase: bool, groups: dict[int, str], counted: int) -> Iterator[str]:
    def made_of(inner: Any, anycase: bool = anycase) -> str:
        return "".join(_parts(inner, anycase, groups, counted))

    for op, value in tree:
        if op is ops.AT and value in _EDGES:
            yield _EDGES[value]
        elif op in _NOTHING:
            continue
        elif op in (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY):
            yield _class(_codes(op, value, anycase))
        elif op in _REPEATS:
            least, most, inner = value
            yield f"(?:{made_of(inner)}){_counted(min(int(least), counted), int(most))}"
        elif op is ops.BRANCH:
            yield f"(?:{'|'.join(map(made_of, value[1]))})"
        elif op is ops.SUBPATTERN:
            number, added, dropped, inner = value
            inside = (anycase or bool(added & re.IGNORECASE)) and not dropped & re.IGNORECASE
            made = f"(?:{made_of(inner, inside)})"
            if number is not None:
                groups[number] = made
            yield made
        elif op is ops.ATOMIC_GROUP:
            yield f"(?:{made_of(value)})"
        elif op is ops.GROUPREF:
            yield groups[value]
        else:
            raise NotImplementedError(f"no wider form of {op} is known")


def _counted(least: int, most: int) -> str:
    return f"{{{least},{most}}}" if most <= _MOST_COUNTED else f"{{{least},}}"


def _codes(op: Any, value: Any, anycase: bool) -> frozenset[int]:
    if op is ops.ANY:
        return _ALL
    codes = _of_items([(ops.LITERAL, value)] if op in (ops.LITERAL, ops.NOT_LITERAL) else value, anycase)
    if op is ops.NOT_LITERAL:
        return _ALL - codes | {_STAND}
    return codes


def _of_items(items: Sequence[tuple[Any, Any]], anycase: bool) -> frozenset[int]:
    codes: set[int] = set()
    negated = False
    for op, value in items:
        if op is ops.NEGATE:
            negated = True
        elif op is ops.LITERAL:
            codes.add(min(value, _STAND))
        elif op is ops.RANGE:
            codes.update(range(min(value[0], _STAND), min(value[1], _STAND) + 1))
        elif op is ops.CATEGORY:
            codes.update(_CATEGORIES[value])
        else:
            raise NotImplementedError(f"no wider form of {op} is known")
    if anycase and codes & _LETTERS:
        # Some letters beyond ASCII are the other case of one of it.
        codes |= {ord(chr(code).swapcase()) for code in codes & _LETTERS} | {_STAND}
    return frozenset(_ALL - codes | {_STAND} if negated else codes)


def _class(codes: frozenset[int]) -> str:
    """A set of characters; what stands for those beyond ASCII is all bytes above it."""
    if not codes:
        # Nothing matches it, and that has no spelling of its own.
        return r"[^\x00-\xff]"
    spans: list[list[int]] = []
    for code in sorted(codes):
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "[" + "".join(rf"\x{low:02x}-\x{high:02x}" for low, high in spans) + "]"
