"""What stands above a table, in words: what it may answer for, and what narrows the table to a part."""

import re
from typing import Final

from .abbreviations import Abbreviations, spell
from .identity import Identity, Name, name_stems
from .layout import DataRow, Layout, without_periods
from .words import ACCOUNTING, CORPORATE, STOP, content, listed, words

RISKY: Final = listed(
    """
    segment subsidiary parent guarantor guarantors discontinu discontinued pro forma adjusted gaap
    excluding predecessor successor guidance outlook target forecast expected constant organic
    underlying restated acquisition acquired divest divested venture joint combined unconsolidated
    hypothetical illustrative peer competitor customer industry
    """
)
NEUTRAL: Final = ACCOUNTING | listed(
    """
    fiscal quarter year month week three six nine twelve thirteen thirty first second third fourth
    ended ending end period annual interim quarterly subsidiary unaudited audited million thousand
    billion dollar usd except otherwise noted amount data table note part continued continu
    financial information result operat overview executive highlight condensed consolidated
    statement report management discussion analysis supplementary supplemental comparison
    comparative percentage percent relationship major category between following present actual
    reported rollforward u item account accounting principle detail summary key metric income earning business
    revenue sale tabular stated unless indicated currency january february march april may june july
    august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    performance instrument position glance review eps nyse nasdaq
    """
)
_SUBSIDIARIES: Final = re.compile(r"\band (?:its |consolidated )*subsidiaries\b", re.IGNORECASE)
_MONEY: Final = listed("euro eur dollar usd sterling pound gbp yen jpy franc chf")
_LEADS: Final = re.compile(r"\b(?:following|follows?|below|tables?)\b", re.IGNORECASE)
_TODAY: Final = re.compile(r"\btoday (?:reported|announced)[^.;]{0,80}:$")
"""The opening of a press release: what stands over it are its headlines."""
_NOTE: Final = re.compile(r"^(?:[Nn](?:ote|OTE) )?(?:[0-9]{1,2}\s?[.:–—-]+\s*|[A-Z]\.\s+(?=[A-Z][A-Za-z]))")
"""The number or letter of a note, "Note 5 – " or "I. "."""
_OF_INVESTEES: Final = re.compile(
    r"\binvestees?\b|\bequity[- ](?:method )?(?:investments?|affiliates?|companies)\b|\baffiliated companies\b",
    re.IGNORECASE,
)
"""Companies of which the page's own company holds a part: a table about them shows their figures."""
_CHANGES_IN: Final = re.compile(r"(?<=\bof )changes in\b", re.IGNORECASE)
"""A statement of changes in equity: what it shows is no change in every row."""
_PARTS: Final = re.compile(r",? and |, ")
_UNIT: Final = re.compile(r"(?:[A-Z][\w’'-]*,? (?:& |and |of )?){1,5}Group(?: \([Uu]naudited\))?")
"""The name of a part of a company, made of words that statements use too: "Asset Management Group"."""
_QUALITY: Final = re.compile(r"\b(?:credit|asset) quality\b", re.IGNORECASE)
"""What banks call what they say of all their loans."""
_SCALE_LINE: Final = re.compile(
    r"^\(?(?:(?:amounts|dollars|shares|tabular|expressed|stated|u\.?s\.?)\b.*|in|\$ in)\b.*"
    r"(?:thousands|millions|billions)",
    re.IGNORECASE,
)


def caption_stems(
    table: Layout, row: DataRow, identity: Identity, name: Name, known_as: Abbreviations
) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The stems above a table, those of them that narrow what it shows, and the names in the paragraph
    above.
    """
    known = {s for n in identity.names if _same_company(n, name) for s in n.stems}
    stems: set[str] = set()
    extra: set[str] = set()
    names: set[str] = set()
    corner = (c for r in row.headings if (c := r.label) is not None)
    for text in (*(c.text for c in (*row.titles(), *corner)), *_lines_above(table, name)):
        plain = _CHANGES_IN.sub(" ", _QUALITY.sub(" ", without_periods(_NOTE.sub("", text, count=1))))
        found = {w.stem for w in words(plain) if w.stem not in STOP and not w.stem.isdigit()}
        stems |= found
        if not is_scale(text):
            extra |= found - NEUTRAL - _MONEY - CORPORATE - known
        if _OF_INVESTEES.search(text):
            extra.add("investee")
        if _UNIT.fullmatch(text.strip()) and identity.name_in(name_stems(text)) is None:
            extra.add("group")
    paragraph = table.zone.paragraph
    if paragraph is not None and not _is_beside(table, paragraph.text):
        found_words = [w for w in words(without_periods(paragraph.text)) if w.stem not in STOP]
        stems |= {w.stem for w in found_words}
        extra |= {w.stem for w in found_words if w.stem in RISKY}
        extra |= {"investee"} if _OF_INVESTEES.search(paragraph.text) else set()
        names |= {
            w.stem
            for w in found_words[1:]
            if w.capital and w.stem not in NEUTRAL | CORPORATE | known and w.stem.isalpha()
        }
    return (
        spell(frozenset(stems), known_as),
        spell(frozenset(extra | names), known_as),
        spell(frozenset(names - RISKY), known_as),
    )


def _is_beside(table: Layout, text: str) -> bool:
    """Whether a paragraph over a table that has a title of its own leads to nothing: it ends, and names no table."""
    return bool(table.captions) and text.rstrip().endswith(".") and _LEADS.search(text) is None


def _lines_above(table: Layout, name: Name) -> list[str]:
    """The headings over a table up to the company's own name, where the title of a statement begins."""
    lines = [c.text for c in table.captions]
    if any(name_stems(_SUBSIDIARIES.sub("", text)) == name.stems for text in lines):
        return lines
    for line in table.zone.headings:
        lines.append(line.text)
        if name_stems(_SUBSIDIARIES.sub("", line.text)) == name.stems:
            return lines
    governing, paragraph = table.zone.governing, table.zone.paragraph
    if governing is not None and (paragraph is None or not _TODAY.search(paragraph.text)):
        lines.append(governing.text)
    return lines


def is_scale(text: str) -> bool:
    """Whether a line says in what the table's amounts are, as "(in thousands)" does."""
    return _SCALE_LINE.match(text.strip()) is not None


def _same_company(one: Name, other: Name) -> bool:
    return bool(set(one.stems) & set(other.stems))


def named_above(table: Layout, name: Name) -> bool:
    """Whether a line above the table is the company's name and nothing else."""
    lines = [line.text for line in table.zone.headings] + [c.text for c in table.captions]
    return any(name_stems(text) == name.stems for text in lines)


def beside_asked(table: Layout, asked: set[str]) -> set[str]:
    """What a note's heading names beside the asked thing: intangible assets in "4. Goodwill and Intangible Assets"."""
    governing = table.zone.governing
    if governing is None or not _NOTE.match(governing.text):
        return set()
    parts = [set(content(part)) for part in _PARTS.split(_NOTE.sub("", governing.text))]
    if not any(part and part <= asked for part in parts):
        return set()
    return set().union(*parts) - RISKY


def topic(table: Layout) -> set[str]:
    """The words of a note's heading: what the note is about, the whole company's unless it says otherwise."""
    zone = table.zone
    lines = [line.text for line in (*zone.headings, zone.governing) if line is not None]
    return {s for text in lines if _NOTE.match(text) for s in content(_NOTE.sub("", text))} - RISKY


def spelled(table: Layout, asked: set[str]) -> set[str]:
    """The words of a heading whose initials are one of the query's words: "Restricted Stock Units" over "RSUs"."""
    zone = table.zone
    found: set[str] = set()
    for line in (*zone.headings, zone.governing):
        named = [w for w in words(line.text) if w.capital] if line is not None else []
        if "".join(w.stem[:1] for w in named) in asked and len(named) > 1:
            found |= {w.stem for w in named}
    return found
