"""Which of many forms can match in a text at all: one pass of an automaton for all of them.

Hyperscan (as Vectorscan) takes the forms as prefilters: it drops what an automaton cannot hold, look-around above all,
and so names too many forms, never too few. What it names is then searched by the form itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from threading import Lock
from typing import Final

import hyperscan

# Bounds above this are left open: counting makes automata large, and leaving it out only names more forms.
_MOST_COUNTED = 8
_BOUNDS = re.compile(r"(?<!\\)\{(\d+),(\d+)\}")
_BEYOND_ASCII = re.compile("[^\0-\x7f]+")
# White space to Python's expressions, and not to every other engine.
_ODD_BLANKS = bytes(32 if chr(code).isspace() and code not in b"\t\n\f\r" else code for code in range(256))
_MARK = "\x01"
# Letters that Python's expressions take for one of ASCII where case does not count.
_SAME_LETTER = {"\u017f": "s", "\u212a": "k", "\u0130": "i", "\u0131": "i"}


_MOST_REMEMBERED: Final = 8_192
"""Characters whose class is kept: a mind that sends all that there are does not fill the gate's memory."""


class _Stand(dict[str, str]):
    """Character -> one of ASCII of the same class: a letter, a digit, a blank, or a mark that no form names."""

    def __missing__(self, char: str) -> str:
        if char.isspace():
            stand = " "
        elif char.isdecimal():
            stand = str(int(char))
        elif char.isalnum():
            stand = _SAME_LETTER.get(char, "x")
        else:
            stand = _MARK
        if len(self) < _MOST_REMEMBERED:
            self[char] = stand
        return stand


_STAND = _Stand()


class Prefilter:
    """Forms made ready to be looked for all at once; takes as long as a few milliseconds a form.

    Raises hyperscan.error where a form is none or the machine's processor is not supported.
    """

    def __init__(self, forms: Sequence[str]) -> None:
        self._lock = Lock()
        self._all = hyperscan.Database()
        self._count = count = len(forms)
        if not forms:
            return
        self._all.compile(
            expressions=[_loose(form).encode() for form in forms],
            ids=list(range(count)),
            elements=count,
            flags=[hyperscan.HS_FLAG_PREFILTER | hyperscan.HS_FLAG_SINGLEMATCH] * count,
        )
        self._all.scratch = hyperscan.Scratch(self._all)

    def candidates(self, text: str) -> list[int]:
        """Return the places, in order, of all forms that match somewhere in `text`, and perhaps of others."""
        found: list[int] = []
        if not self._count:
            return found

        def note(place: int, start: int, end: int, flags: int, context: object) -> None:
            found.append(place)

        # Its working memory is for one scan at a time.
        with self._lock:
            self._all.scan(_in_ascii(text), match_event_handler=note)
        return sorted(found)

    def candidates_in(self, texts: Sequence[str]) -> dict[int, list[int]]:
        """Return the same for each of some texts: the places of forms, in order, and in which texts they may match."""
        found: dict[int, list[int]] = {}
        at = 0
        if not self._count:
            return found

        def note(place: int, start: int, end: int, flags: int, context: object) -> None:
            found.setdefault(place, []).append(at)

        with self._lock:
            for at, text in enumerate(texts):  # noqa: B007 - `note` reads it
                self._all.scan(_in_ascii(text), match_event_handler=note)
        return dict(sorted(found.items()))


def _in_ascii(text: str) -> bytes:
    if not text.isascii():
        text = _BEYOND_ASCII.sub(lambda run: "".join(map(_STAND.__getitem__, run[0])), text)
    return text.encode("ascii").translate(_ODD_BLANKS)


def _loose(form: str) -> str:
    return _BOUNDS.sub(
        lambda bounds: bounds[0] if int(bounds[2]) <= _MOST_COUNTED else f"{{{bounds[1]},}}", form
    )
