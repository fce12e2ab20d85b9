"""No regular expression can be held: text from a planner or a page must not stop a process for everybody.

Every compiled pattern of the packages that read such text is tried on texts that repeat one thing and then break off,
where a pattern that can cut them in many ways tries them all.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
import signal
from collections.abc import Iterator
from types import ModuleType

import doublethink_casefile
import doublethink_figures
import doublethink_fingerprint
import doublethink_gate
import doublethink_planner
import doublethink_reader
import doublethink_validator
import pytest

PACKAGES = (
    doublethink_casefile,
    doublethink_figures,
    doublethink_fingerprint,
    doublethink_gate,
    doublethink_planner,
    doublethink_reader,
    doublethink_validator,
)
LENGTH = 400
PROCESSOR_S = 3.0
UNITS = (
    *(
        "0",
        "1",
        "01",
        "0b",
        "a",
        "A",
        "aB",
        "a ",
        "ab ",
        "1 ",
        "12 ",
        "1,",
        "12,",
        "1.",
        "1-",
        "-1 ",
        ".-",
        "- ",
    ),
    *(
        "=a",
        "%41",
        "\\x41",
        "\\101",
        "&#65;",
        "u{",
        "{",
        "(",
        "((a)",
        "<a",
        "a-",
        "a_",
        "A.",
        "a.b",
        "/a",
        "?a=",
    ),
    *(
        "&a=1",
        "\u200b",
        "é",
        "Ab",
        "ABC",
        "ab12",
        "12ab",
        "0x41 ",
        "1e",
        "  ",
        "\n",
        "\n ",
        "a\n",
        "'a",
        '"a',
        "$1",
    ),
    *("1%", "x1", "one ", "twenty-", "January ", "million ", ", ", "a, ", "of the "),
)
TAILS = ("", "2", "x", "!", "=", "é")


class Held(BaseException):
    """The processor time is up; no handler of the code under test catches it."""


def _expire(*_: object) -> None:
    raise Held


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def _patterns() -> dict[tuple[str, int], str]:
    """Every pattern over text that a module holds by name, or in a list, and where."""
    patterns: dict[tuple[str, int], str] = {}
    for module in _modules():
        for name, value in vars(module).items():
            for one in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    patterns[one.pattern, one.flags] = f"{module.__name__}.{name}"
    return patterns


def _holds(pattern: re.Pattern[str]) -> str | None:
    """A text that holds the pattern for longer than any should, or None."""
    for unit, tail in itertools.product(UNITS, TAILS):
        text = unit * (LENGTH // len(unit)) + tail
        signal.setitimer(signal.ITIMER_VIRTUAL, PROCESSOR_S)
        try:
            for _ in itertools.islice(pattern.finditer(text), LENGTH):
                pass
            pattern.fullmatch(text)
        except Held:
            return f"{unit!r} and {tail!r}"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


@pytest.fixture(autouse=True)
def _alarmed() -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _expire)
    yield
    signal.signal(signal.SIGVTALRM, before)


def test_the_search_finds_what_can_be_held() -> None:
    """The control: a pattern that cuts a run into sevens and eights in every way is found."""
    assert _holds(re.compile(r"(?<![0-9])[01]{7,8}(?:[ ]?[01]{7,8})+(?![0-9])")) is not None


def test_no_pattern_can_be_held() -> None:
    """All of them come to an end over a repeated thing that breaks off."""
    patterns = _patterns()
    assert len(patterns) > 500
    held = {name: _holds(re.compile(source, flags)) for (source, flags), name in patterns.items()}
    assert {name: text for name, text in held.items() if text is not None} == {}
