"""Figures that have a period each: "A's net sales in fiscal 2024 and B's in fiscal 2023".

Companies close their years at different dates, so that who compares two of them names two periods. Each period is
taken out of the text and a mark for it is hung onto the company before it, where it looks like a part of the name. The
sentence is then understood as one that says nothing of time, and each figure takes the period of its mark.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from .errors import NotUnderstood
from .lexicon import listed
from .subjects import Subject

_PERIOD: Final = re.compile(r"⟦(\d+)⟧")
_LEAD: Final = re.compile(
    r"(?:,? ?\b(?:for|in|during|at|as of|as at|on|over|of|the|its|their|full|end of|fiscal year|year|quarter|period))*"
    r" ?$",
    re.IGNORECASE,
)
_NAME: Final = r"(?-i:[A-Z])[\w&.-]*(?:(?: (?:&|of|and))? (?-i:[A-Z])[\w&.-]*)*"
_WHOSE: Final = re.compile(rf"(?P<name>{_NAME})(?=(?:, Inc\.?)?(?:'s|(?<=s)')(?: |$))")
_OF: Final = re.compile(
    rf"\b(?:of|at|by|for|did|does|was|were|had|than|and|from) (?P<name>{_NAME})", re.IGNORECASE
)
_BARE: Final = re.compile(rf"(?P<name>{_NAME})")
_PRONOUN: Final = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_OPENING: Final = listed(
    "what which how by for in at as on if the a an add subtract compare take between during over was were did"
)
_MARK: Final = re.compile(r"-Xk(\d+)k")


def hang_periods(marked: str) -> str:
    """The text without its periods, each marked at the company before it. `marked` has ⟦k⟧ for its k-th period.

    Raises NotUnderstood where a period has no company before it.
    """
    parts: list[str] = []
    position = 0
    # "Subtract its costs in 2022 from Acme's costs in 2023": the first name may stand behind its pronoun.
    ahead = _WHOSE.search(marked)
    company = ahead["name"] if ahead else ""
    for period in _PERIOD.finditer(marked):
        segment = _LEAD.sub("", marked[position : period.start()])
        name = _named(segment, first=position == 0)
        if name is None:
            segment, replaced = _PRONOUN.subn(f"{company}'s", segment, count=1)
            name = _named(segment, first=False) if company and replaced else None
        if name is None:
            raise NotUnderstood("a period without its company")
        company = name["name"]
        parts.append(f"{segment[: name.end('name')]}-Xk{period[1]}k{segment[name.end('name') :]}")
        position = period.end()
    parts.append(marked[position:])
    return " ".join("".join(parts).replace(" ,", ",").split()).strip(" ,")


def unhung(subject: Subject) -> tuple[Subject, int]:
    """A subject without its mark, and the mark's number. Raises NotUnderstood where it has none or several."""
    found = _MARK.findall(f"{subject.company} {subject.metric}")
    if len(found) != 1:
        raise NotUnderstood("a figure with no period of its own, or several")
    bare = replace(
        subject,
        company=_MARK.sub("", subject.company),
        metric=" ".join(_MARK.sub("", subject.metric).split()),
    )
    return bare, int(found[0])


def _named(segment: str, *, first: bool) -> re.Match[str] | None:
    """The company of a segment: the last that has something, else the last behind a preposition or verb, else any."""
    for pattern in (_WHOSE, _OF, _BARE):
        found = [name for name in pattern.finditer(segment) if not _opens(name, segment, first=first)]
        if found:
            return found[-1]
    return None


def _opens(name: re.Match[str], segment: str, *, first: bool) -> bool:
    """Whether the word is written large only because the sentence begins with it."""
    at_start = first and not segment[: name.start("name")].strip()
    return at_start and name["name"].split()[0].lower() in _OPENING
