"""Whom a page is about: the names that a page gives itself, and where.

A name counts only where a page presents itself: its title, the registrant's line of a filing, a heading
that is nothing but a name, a headline that begins with one, or a short form that the page defines in
quotation marks right after such a name. A company that is merely mentioned is not whom a page is about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublethink_figures import Span, find_periods

from .pagetext import Line, Page, Table
from .short_names import is_written_small, short_names
from .words import ACCOUNTING, CORPORATE, STOP, listed, words

FIRST_BLOCKS: Final = 60
MOST_NAMES: Final = 64
"""So many names may a page give itself, first come first kept: each cell is compared with all of them."""
_MOST_LOOKED_BACK: Final = 400
"""Characters before a bracket in which the name that it shortens stands."""
_MAX_HEADING_WORDS: Final = 10
_SUFFIX: Final = (
    r"(?:Inc|Incorporated|Corp|Corporation|Co|Company|Companies|plc|PLC|Plc|Ltd|Limited|LLC|L\.L\.C|LP"
    r"|L\.P|N\.V|NV|S\.A|SA|AG"
    r"|SE|S\.p\.A|AB|ASA|Oyj|KGaA|GmbH|INC|CORP|CORPORATION|CO|COMPANY|COMPANIES|LTD|LIMITED|Bancorp"
    r"|BANCORP|Trust|TRUST)"
)
_LEGAL_NAME: Final = re.compile(rf"^(?P<name>[^()“”\"]{{1,80}}?),? {_SUFFIX}\b\.?(?P<rest>.*)$", re.DOTALL)
_REGISTRANT: Final = re.compile(
    r"^\((?:exact )?name of (?:the )?(?:registrant|issuer)|^\(registrant(?:'s|’s)? ?(?:name)?\)"
    r"|^\(translation of registrant",
    re.IGNORECASE,
)
_SEPARATORS: Final = re.compile(r"\s+[-–—|•·]\s+|\s*\|\s*|:\s")
_SHORT_FORM: Final = re.compile(r"[“\"]([^”\"“]{2,40}?)[,.]?[”\"]")
_HEADLINE_VERB: Final = re.compile(
    r"^,?\s*(?:\([^)]*\)\s*)?(?:reports?|announces?|posts?|delivers?|releases?|declares?|to"
    r"|and subsidiaries|today)\b",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(
    r"^(?P<name>[^()“”\"]{1,80}?) \((?:NYSE|Nasdaq|OTC)[^():]{0,40}: ?[A-Z][A-Z.]{0,6}[^()]{0,40}\)"
    r",? (?:today |also |has )?(?:announce|report|release|declare|post|deliver)",
    re.IGNORECASE,
)
"""The opening of a press release: whoever it says has announced something, with its sign at an exchange."""
_SYMBOL_HEAD: Final = re.compile(r"\b(?:trading|ticker) symbols?\b", re.IGNORECASE)
_SYMBOL: Final = re.compile(r"[A-Z]{2,5}")
_AT_EXCHANGE: Final = re.compile(r"\((?:NYSE|Nasdaq|NASDAQ)[^():]{0,40}: ?([A-Z]{2,5})\)")
_OF_A_PART: Final = re.compile(r"^(?:note|item|exhibit|part|schedule) [0-9]", re.IGNORECASE)
"""A title that is the heading of a part of a report, and names nobody."""
_FILE_NUMBER: Final = re.compile(r"(?<![0-9-])[0-9]{1,3}-[0-9]{4,6}(?![0-9-])")
_DATELINE: Final = re.compile(r"^[A-Z][^–—]{0,80}?\s(?:[–—]|--?)\s+(?:\([^)]*\)\s*(?:[–—]|--?)\s*)?")
_REPORTING: Final = listed(
    """
    report reports announce announces post posts result results annual quarterly half interim full fiscal
    financial year quarter first second third fourth q1 q2 q3 q4 h1 h2 earning consolidated statement
    publish publishes release
    """
)
"""Words that begin what a title says about the company it names first."""
_PARTS_OF_REPORTS: Final = _REPORTING | listed(
    """
    balance income cash note revenue sale segment r&d form table profit loss operation operat press shareholder
    """
)
"""Words that begin what a search result's title says about the company it names first."""
_DOMAIN: Final = re.compile(r"(?<=\w)\.com\b", re.IGNORECASE)
"""The end of a name that is written like an address: people leave it out."""
_LEAST_USES: Final = 3
_NOT_A_NAME: Final = frozenset(
    {
        "company",
        "registrant",
        "we",
        "us",
        "our",
        "issuer",
        "plan",
        "act",
        "exchange",
        "sec",
        "document",
        "exhibit",
    }
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name as stems, and where the page gives it: nowhere, where only the search result's title does."""

    stems: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Identity:
    """The names of whom a page is about.

    `several`: the page is the joint filing of more than one registrant.
    """

    names: tuple[Name, ...]
    several: bool

    def name_in(self, stems: tuple[str, ...]) -> tuple[Name, int] | None:
        """The longest of the names that stands in `stems`, and where it begins there."""
        best: tuple[Name, int] | None = None
        for name in self.names:
            length = len(name.stems)
            if best is not None and length <= len(best[0].stems):
                continue
            for at in range(len(stems) - length + 1):
                if stems[at : at + length] == name.stems:
                    best = (name, at)
                    break
        return best


def identify(page: Page, title: str = "") -> Identity:
    """Whom `page` is about; `title` is its search result's, which speaks where the page itself names nobody."""
    found: dict[tuple[str, ...], Span] = {}

    def add(text: str, span: Span) -> None:
        for form in (text, _DOMAIN.sub("", text)):
            stems = name_stems(form)
            if stems and len(found) < MOST_NAMES:
                found.setdefault(stems, span)

    segments = [] if _OF_A_PART.match(page.title.text) else _SEPARATORS.split(page.title.text)
    for segment in segments:
        add(_legal(segment) or segment, page.title.span)
    leading = _leading_name(page)
    if leading is not None:
        add(leading, page.title.span if leading in page.title.text else page.blocks[0].span)
    registrants: list[tuple[str, ...]] = []
    presented = False
    previous: Line | None = None
    for index, block in enumerate(page.blocks):
        if isinstance(block, Table):
            previous = None
            continue
        early = index < FIRST_BLOCKS
        if early and _REGISTRANT.match(block.text) and previous is not None:
            add(_legal(previous.text) or previous.text, previous.span)
            registrants.append(name_stems(_legal(previous.text) or previous.text))
            presented = True
        for text in _names_of_line(block.text, early=early):
            add(text, block.span)
            presented = True
        previous = block
    if not presented and not page.title.text.strip():
        add(_titled(title), Span(0, 0))
    for text, span in _short_forms(page, found):
        add(text, span)
    for text, span in short_names(page.text, found):
        add(text, span)
    for text, span in _symbols(page, found):
        add(text, span)
    cover = page.text[: _cover_end(page)]
    files = set(_FILE_NUMBER.findall(cover))
    joint = "separately filed by" in cover or "combined Form" in cover
    return Identity(
        tuple(Name(stems, span) for stems, span in found.items()),
        _are_several(registrants) or (joint and len(files) > 1),
    )


def _are_several(registrants: Sequence[tuple[str, ...]]) -> bool:
    """Whether the lines above "(Exact name of registrant)" and the like name more than one company.

    A name that is repeated at the signature, or given in translation, shares a word with the first.
    """
    named = [set(stems) for stems in registrants if stems]
    return any(not named[0] & other for other in named[1:])


def _titled(title: str) -> str:
    """The name that a search result's title begins with, before a word of reporting: "Oracle balance sheets"."""
    last = 0
    dated = {mention.span.start for mention in find_periods(title)}
    for word in words(title):
        if last and (word.stem in _PARTS_OF_REPORTS or word.stem.isdigit() or word.span.start in dated):
            return title[:last]
        if not (word.capital or word.stem in STOP) or (last and word.span.start > last + 2):
            return ""
        last = word.span.end if word.capital else last
    return ""


def _leading_name(page: Page) -> str | None:
    """The name that title or first heading begins with, before a word of reporting: "Brenner Flow annual
    report 2024".

    It counts only where the page goes on to use the same name: a headline's first words may be anything.
    """
    first = page.blocks[0] if page.blocks else None
    headings = [page.title.text] + ([first.text] if isinstance(first, Line) else [])
    for text in headings:
        last = 0
        for word in words(text):
            if word.stem in _REPORTING or word.stem.isdigit() or (last and word.span.start > last + 2):
                break
            if not word.capital and word.stem not in STOP:
                last = 0
                break
            if word.capital:
                last = word.span.end
        name = text[:last].strip()
        if name and name_stems(name) and page.text.count(name) >= _LEAST_USES:
            return name
    return None


def name_stems(text: str) -> tuple[str, ...]:
    """The stems of a name without legal form and articles; empty for what cannot be a name."""
    stems = tuple(w.stem for w in words(text))
    while stems and (stems[-1] in CORPORATE or stems[-1] in STOP):
        stems = stems[:-1]
    while stems and stems[0] in STOP:
        stems = stems[1:]
    stems = tuple(s for s in stems if s not in STOP)
    if not stems or len(stems) > 8 or all(s in ACCOUNTING or s in _NOT_A_NAME for s in stems):
        return ()
    return stems


def _cover_end(page: Page) -> int:
    blocks = page.blocks[:FIRST_BLOCKS]
    return blocks[-1].span.end if blocks else 0


def _legal(text: str) -> str | None:
    match = _LEGAL_NAME.match(text.strip())
    if match is None:
        return None
    return match["name"]


def _names_of_line(text: str, *, early: bool) -> list[str]:
    """The name that a heading consists of, or that a headline or first sentence begins with."""
    plain = _DATELINE.sub("", text) if early else text
    announcing = _LISTED.match(plain) if early else None
    if announcing is not None and _capitalised(announcing["name"]):
        return [_legal(announcing["name"]) or announcing["name"]]
    match = _LEGAL_NAME.match(plain)
    if match is None:
        return []
    rest = match["rest"].strip()
    name = match["name"].strip()
    if len(name.split()) > _MAX_HEADING_WORDS or not _capitalised(name):
        return []
    if (
        not rest
        or rest.lower().lstrip(", ").startswith("and subsidiar")
        or rest.startswith(("|", "(Registrant", "- ", "– "))
    ):
        return [name]
    if early and (
        _HEADLINE_VERB.match(rest) or rest.startswith(("(the ", "(“", '("', "(NYSE", "(Nasdaq", "(NASDAQ"))
    ):
        return [name]
    return []


def _capitalised(name: str) -> bool:
    return all(w.capital or w.stem in STOP for w in words(name))


def _short_forms(page: Page, names: dict[tuple[str, ...], Span]) -> list[tuple[str, Span]]:
    """Short forms in quotation marks directly after a name that the page gives itself: `GameStop Corp.
    ("GameStop," ...`.
    """
    forms: list[tuple[str, Span]] = []
    known = tuple(names)
    for block in page.blocks[:400]:
        if isinstance(block, Table) or ("(" not in block.text):
            continue
        for bracket in re.finditer(r"\(([^()]{2,160})\)", block.text):
            before = name_stems(_last_words(block.text[: bracket.start()], 8))
            if not any(name and before[-len(name) :] == name for name in known):
                continue
            for quoted in _SHORT_FORM.finditer(bracket.group(1)):
                start = block.span.start + bracket.start()
                forms.append((quoted.group(1), Span(start, block.span.start + bracket.end())))
    return forms


def _symbols(page: Page, names: dict[tuple[str, ...], Span]) -> list[tuple[str, Span]]:
    """The signs of the page's own shares at an exchange: of the cover's table, or in brackets after a name that the
    page gives itself: "Corvane, Inc. (NYSE: CRV)".
    """
    found: list[tuple[str, Span]] = []
    for block in page.blocks[:FIRST_BLOCKS]:
        if isinstance(block, Table):
            heads = [c for c in block.rows[0].cells if _SYMBOL_HEAD.search(c.text)]
            for row in block.rows[1:] if len(heads) == 1 else ():
                found += [
                    (c.text.strip(), c.span)
                    for c in row.cells
                    if heads[0].covers(c.column) and _SYMBOL.fullmatch(c.text.strip())
                ]
            continue
        for match in _AT_EXCHANGE.finditer(block.text):
            before = name_stems(_last_words(block.text[: match.start()], 8))
            if any(name and before[-len(name) :] == name for name in names):
                found.append((match.group(1), block.span))
    return [(sign, span) for sign, span in found if not is_written_small(page.text, sign)]


def _last_words(text: str, count: int) -> str:
    return " ".join(text[-_MOST_LOOKED_BACK:].split()[-count:])
