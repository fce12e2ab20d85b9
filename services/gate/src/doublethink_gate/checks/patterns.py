"""Patterns: things that never belong into a request whoever they belong to, found by form and checksum.

The rules are data: `patterns.tsv` has the pack, the name, a text that has to be there at all, the test that a match
has to pass, and the form. Forms are public facts: ISO/IEC 7812 (cards), ISO 13616 (IBAN), RFC 7468 (PEM), RFC 7519
(JWT), E.164 (telephone numbers), and the documented prefixes of access keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib import resources

from doublethink_fingerprint import View
from doublethink_fingerprint.work import MATCH, spend

from doublethink_gate.checks.checksums import TESTS


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule: a form, and a test that a match has to pass."""

    name: str
    form: re.Pattern[str]
    test: Callable[[str], bool] = bool
    hint: str = ""


def _read() -> dict[str, tuple[Pattern, ...]]:
    lines = (
        resources.files("doublethink_gate.checks").joinpath("patterns.tsv").read_text("utf-8").splitlines()
    )
    packs: dict[str, list[Pattern]] = {}
    for line in lines[1:]:
        pack, name, hint, test, form = line.split("\t")
        packs.setdefault(pack, []).append(Pattern(name, re.compile(form), TESTS[test], hint))
    return {pack: tuple(patterns) for pack, patterns in packs.items()}


PACKS: dict[str, tuple[Pattern, ...]] = _read()
"""Rules by the name of their pack, as the policy selects them."""


@dataclass(frozen=True, slots=True)
class PatternHit:
    """A rule that matched, where in the payload (characters), and by which decoders."""

    rule: str
    start: int
    end: int
    chain: tuple[str, ...] = field(default=(), compare=False)


def find_patterns(views: tuple[View, ...], packs: tuple[str, ...]) -> Iterator[PatternHit]:
    """Yield every match of the named packs in any view. Raises WorkSpent."""
    seen: set[PatternHit] = set()
    for view in views:
        spend(len(view.text) // 2 if view.parent is None else len(view.text) // 8)
        for pack in packs:
            for pattern in PACKS[pack]:
                if pattern.hint and pattern.hint not in view.text:
                    continue
                for match in view.new_matches(pattern.form):
                    spend(MATCH)
                    hit = PatternHit(f"pattern.{pattern.name}", *view.span(*match.span()))
                    if hit not in seen and pattern.test(match[0]):
                        seen.add(hit)
                        yield replace(hit, chain=view.decoders(*match.span()))
