"""Values that are known by their shape: numbers of accounts and people, addresses, dates, amounts, quoted sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_CURRENCY: Final = (
    r"(?:US\$|C\$|A\$|HK\$|[$€£¥]"
    r"|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CAD|AUD|CNY|INR|euros?|dollars?|pounds?)\b)"
)
_SCALE: Final = r"(?:\s?(?:thousand|million|billion|trillion|bn|mn|m|k|tn|mio|mrd|crore|lakh)\b)"
_DIGITS: Final = r"\d[\d.,' \u00a0]*\d|\d"

_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[^\W_][\w-]{0,62}\.)+[^\W\d_]{2,24}\b")
_URL: Final = re.compile(r"\b(?:https?://|www\.)[^\s<>\"“”)\]]{3,250}[\w/]")
_IBAN: Final = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
# A long number, a social security number, a birth number with its four figures, a passport or VAT number.
_LONG_ID: Final = re.compile(r"\b(?:\d{3}-\d{2}-\d{4}|\d{6}-\d{4}|[A-Z]{1,3}\d{7,12}|\d{9,34})\b")
_PHONE: Final = re.compile(
    r"(?<![\w+.,/-])\+\d[\d ()./\u00a0-]{5,20}\d(?![\w-])"
    r"|(?<![\w-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])"
    r"|(?<![\w-])0\d{1,4}[ /-]\d{2,8}(?:[ -]\d{2,6}){0,4}(?![\w-])"
)
_PHONE_AFTER: Final = re.compile(
    r"\b(?i:tel(?:ephone)?|phone|mobile|cell(?:ular)?|fax|direct(?: line)?|call|dial|whatsapp|signal)\b"
    r"(?i:\s?(?:no|nr|number)\b)?[.:]{0,2}(?:\s?\([^()\d\n]{1,20}\):?)?\s{0,3}(?i:(?:him|her|them|me|us|at|on)\s){0,2}"
    r"(?P<number>\(?\d[\d ()./\u00a0-]{4,20}\d)(?![\w-])"
)
_PHONE_DIGITS: Final = range(6, 16)
_REFERENCE: Final = re.compile(r"\b(?!(?:FY|CY|ISO|IFRS|IAS|EN|DIN|COVID|Q)\b)[A-Z]{2,}(?:[-/][A-Z0-9]+)+\b")
_DATE: Final = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?:{MONTHS})\.?,?\s+\d{{4}}"
    rf"|(?:{MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})\b"
)
_AMOUNT: Final = re.compile(
    rf"{_CURRENCY}\s?(?:{_DIGITS}){_SCALE}?(?:\s(?:per|a)\sshare\b)?"
    rf"|(?:{_DIGITS}){_SCALE}?\s?{_CURRENCY}(?:\s(?:per|a)\sshare\b)?"
    rf"|\b\d[\d.,]*{_SCALE}"
    r"|\b\d+(?:[.,]\d+)?(?:\s?%|x\b|\s(?i:per\s?cent)\b)"
)
_QUOTED: Final = re.compile(r"[\"“„]([^\"“”„\n]{20,200})[\"”“]")


def addresses(memo: str) -> Iterator[Span]:
    """Addresses of mail and of web pages."""
    for pattern in (_EMAIL, _URL):
        yield from (match.span() for match in pattern.finditer(memo))


def account_numbers(memo: str) -> Iterator[Span]:
    """International account numbers."""
    return (match.span() for match in _IBAN.finditer(memo))


def phone_numbers(memo: str) -> Iterator[Span]:
    """Telephone numbers: international, in the American form, with a leading zero, or after a word like "mobile"."""
    spans = [match.span() for match in _PHONE.finditer(memo)]
    spans += [match.span("number") for match in _PHONE_AFTER.finditer(memo)]
    for start, end in spans:
        if sum(char.isdigit() for char in memo[start:end]) in _PHONE_DIGITS:
            yield start, end


def long_numbers(memo: str) -> Iterator[Span]:
    """Numbers by which a person or a company is registered somewhere."""
    return (match.span() for match in _LONG_ID.finditer(memo))


def references(memo: str) -> Iterator[Span]:
    """File references: capitals and figures joined by hyphens or slashes."""
    for match in _REFERENCE.finditer(memo):
        if any(char.isdigit() for char in match[0]):
            yield match.span()


def dates(memo: str) -> Iterator[Span]:
    """Days with their year."""
    return (match.span() for match in _DATE.finditer(memo))


def quotations(memo: str) -> Iterator[Span]:
    """Sentences within quotation marks."""
    return (_stripped(memo, *match.span(1), " ") for match in _QUOTED.finditer(memo))


def amounts(memo: str) -> Iterator[Span]:
    """Sums of money, percentages and multiples."""
    return (_stripped(memo, *match.span(), " .,\u00a0\n") for match in _AMOUNT.finditer(memo))


def _stripped(memo: str, start: int, end: int, chars: str) -> Span:
    while start < end and memo[start] in chars:
        start += 1
    while start < end and memo[end - 1] in chars:
        end -= 1
    return start, end
