"""Propose secrets and public terms found in a memo. Proposals only: a person confirms each of them.

Rules are shapes of text (a name after "Project", an amount with a currency, a run of capitalised words);
no list of known names is used, so a name at the start of a sentence or in lower case is not proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from doublethink_casefile.case import Secret, SecretClass

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_CURRENCY = (
    r"(?:US\$|C\$|A\$|HK\$|[$€£¥]"
    r"|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CAD|AUD|CNY|INR|euros?|dollars?|pounds?)\b)"
)
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion|bn|mn|m|k|tn|mio|mrd|crore|lakh)\b)"
_DIGITS = r"\d[\d.,' \u00a0]*\d|\d"

_CODE = re.compile(
    r"\b(?:(?:Project|Operation|Projekt|Operación|Opération)\s+[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?"
    r"|(?i:code\s?name)[:,]?\s+(?P<name>[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?))"
)
_REFERENCE = re.compile(r"\b[A-Z]{2,}(?:[-/][A-Z0-9]+)+\b")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_LONG_ID = re.compile(r"\b\d{3}-\d{2}-\d{4}\b|\b\d{9,}\b")
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:{_MONTHS})\.?,?\s+\d{{4}}"
    rf"|(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})\b"
)
_AMOUNT = re.compile(
    rf"{_CURRENCY}\s?(?:{_DIGITS}){_SCALE}?(?:\s(?:per|a)\sshare\b)?"
    rf"|(?:{_DIGITS}){_SCALE}?\s?{_CURRENCY}(?:\s(?:per|a)\sshare\b)?"
    rf"|\b\d[\d.,]*{_SCALE}"
    r"|\b\d+(?:\.\d+)?(?:\s?%|x\b)"
)
_CAPITALISED = r"[^\W\d_a-z][\w'’]*(?:-[^\W\d_a-z][\w'’]*)*"
_NAME_RUN = re.compile(rf"{_CAPITALISED}(?:\s(?:&|of|de|von|van|der|den|du|la)(?=\s)|,?\s{_CAPITALISED})+\.?")
_QUOTED = re.compile(r"[\"“„]([^\"“”„\n]{20,200})[\"”“]")
_LEGAL_SUFFIX = re.compile(
    r"\b(?:Inc|Corp|Corporation|Company|Co|Ltd|Limited|LLC|LLP|LP|plc|PLC|AG|GmbH|SE|SA|S\.A|NV|N\.V|BV|AB|ASA|AS"
    r"|A/S|Oyj|Oy|SpA|S\.p\.A|KG|KGaA|Holdings?|Group|Partners|Bancshares|Bancorp|Bank|Industries|Metals"
    r"|Resources|Capital|Ventures|Pumps|Systems|Technologies|Pharma|Energy|Foods|Mutual|Trust)\b\.?"
)
_OUR_SIDE = re.compile(r"(?i)\b(?:client|buyer|bidder|acquirer|advise|on behalf of|sponsor)\b")
_OUR_SIDE_CHARS = 20
_STARTER = re.compile(
    r"^(?:The|An?|We|Our|Its?|This|That|These|Those|In|On|At|For|From|To|Of|And|But|Or|If|As|By|Before|After|Not?"
    r"|Please|Questions|Drafts|Signing|Memo|Strictly|Do|Also|Nobody|Next|When|While|With|Who|What|Where)$"
)
_MONTH_WORD = re.compile(rf"^(?:{_MONTHS})$")
_MAX_PER_KIND = 100


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a memo seems to hold; nothing of it counts before a person has confirmed it."""

    secrets: tuple[Secret, ...] = field(default=())
    public_terms: tuple[str, ...] = field(default=())


def propose(memo: str) -> Proposals:
    """Find likely secrets and likely public terms, in order of appearance, at most 100 of each kind.

    A company on our own side ("our client X") is proposed as a secret, another one as a public term.
    """
    taken: set[str] = set()
    secrets: list[Secret] = []
    terms: list[str] = []

    def add(kind: SecretClass, values: Iterator[str]) -> None:
        for value in values:
            if len(secrets) < _MAX_PER_KIND * len(SecretClass) and value.casefold() not in taken:
                taken.add(value.casefold())
                secrets.append(Secret(kind, value))

    add(SecretClass.CODE, (m["name"] or m[0] for m in _CODE.finditer(memo)))
    add(SecretClass.ID, (m[0] for m in _IBAN.finditer(memo)))
    add(SecretClass.CODE, (m[0] for m in _REFERENCE.finditer(memo) if any(c.isdigit() for c in m[0])))
    add(SecretClass.DATE, (m[0] for m in _DATE.finditer(memo)))
    add(SecretClass.ID, (m[0] for m in _LONG_ID.finditer(memo)))
    add(SecretClass.PHRASE, (m[1].strip() for m in _QUOTED.finditer(memo)))
    add(SecretClass.NUMBER, _amounts(memo))
    for name, our_side, company in _names(memo):
        if name.casefold() in taken or any(name.casefold() in value for value in taken):
            continue
        if company and not our_side:
            taken.add(name.casefold())
            terms.append(name)
        else:
            add(SecretClass.NAME, iter((name,)))
    return Proposals(tuple(secrets), tuple(terms[:_MAX_PER_KIND]))


def _amounts(memo: str) -> Iterator[str]:
    dates = [match.span() for match in _DATE.finditer(memo)]
    for match in _AMOUNT.finditer(memo):
        if not any(start < match.end() and match.start() < end for start, end in dates):
            yield match[0].strip(" .,")


def _names(memo: str) -> Iterator[tuple[str, bool, bool]]:
    for match in _NAME_RUN.finditer(memo):
        words = match[0].rstrip(".,").split()
        start = match.start()
        while words and (_STARTER.match(words[0].strip(",")) or _MONTH_WORD.match(words[0].strip(","))):
            start += len(words[0]) + 1
            words = words[1:]
        while words and not words[-1][0].isupper():
            words = words[:-1]
        if len(words) < 2 or words[0] in ("Project", "Operation", "Codename"):
            continue
        name = " ".join(words)
        before = memo[max(0, start - _OUR_SIDE_CHARS) : start]
        yield name, bool(_OUR_SIDE.search(before)), bool(_LEGAL_SUFFIX.search(name))
