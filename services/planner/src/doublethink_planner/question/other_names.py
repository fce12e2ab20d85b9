"""Other names of the lines of a statement, for the queries after the first: operating profit is operating income too.

The names stand in `other_names.txt`, which says of each line which of its names are tried, and in what order. A name
counts only as a whole: with a word before it that is not the name of a part, or of a basis, it may be another line
("deferred income taxes").
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

MOST: Final = 3
"""Other names that are tried for one figure."""
_TOTAL: Final = re.compile(
    r"^(?:(?:total|overall|consolidated|the|its|their|group|amount of|level of) )+", re.IGNORECASE
)
_KEPT: Final = re.compile(r"(?:adjusted|non-gaap|underlying|segment|quarterly|(?-i:[A-Z&][\w&'-]*|and|of))$")
_OF_PARTS: Final = frozenset({"turnover"})
_PART: Final = re.compile(r" (?:in|of|for|from) (?:the )?[A-Z].*$")


def other_names(metric: str) -> tuple[str, ...]:
    """What reports also call a metric, at most `MOST`; none where it is not a line with several names."""
    plain = _TOTAL.sub("", metric).strip()
    part = _PART.search(plain)
    part_words = part[0] if part else ""
    core = plain.removesuffix(part_words)
    words = core.split()
    for at in range(len(words)):
        before, name = words[:at], " ".join(words[at:])
        if not all(_KEPT.match(word) for word in before):
            break
        found = _lines().get(_folded(name))
        if found is None or (
            before
            and " " not in name
            and not name[:1].isupper()
            and len(found) > 1
            and not _of_a_part(before, name)
        ):
            continue
        kept = [other for other in found if other.lower() != name.lower()]
        return tuple(" ".join([*before, other]) + part_words for other in kept[:MOST])
    return ()


def _of_a_part(before: list[str], name: str) -> bool:
    """Whether a turnover is that of a part with a name: "Home Care turnover"."""
    return name in _OF_PARTS and any(word[:1].isupper() for word in before) and before[0][:1].isupper()


def _folded(name: str) -> str:
    folded = name.lower().replace("\u2019", "'").replace("stockholder", "shareholder")
    return re.sub(r"isation\b", "ization", folded)


@cache
def _lines() -> dict[str, tuple[str, ...]]:
    """For each name that is asked for, the names that are tried."""
    text = files(__package__).joinpath("other_names.txt").read_text(encoding="utf-8")
    lines: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        asked, arrow, tried = line.partition(">>") if ">>" in line else line.partition(">")
        names = tuple(name.strip() for name in tried.split("|"))
        for name in (*(one.strip() for one in asked.split("|")), *(() if arrow == ">>" else names)):
            lines.setdefault(_folded(name), names)
    return lines
