"""Digits that are no figure: names, form numbers, identifiers, dates, times, addresses (rule by rule, with
reasons).
"""

import re
from collections.abc import Iterator
from typing import Final

from .months import ENGLISH_MONTHS, month_pattern
from .period_grammar import period_spans
from .span import Span

_MONTH: Final = month_pattern(ENGLISH_MONTHS)

_CASE_SENSITIVE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # Addresses of the web and of mail.
        r"(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}",
        # References into a document or to a norm.
        r"\b(?:SECTIONS?|RULES?|ITEMS?|NOTES?|EXHIBITS?|PART|FORMS?"
        r"|PAGES?) [0-9][0-9A-Za-z]*(?:[.-][0-9A-Za-z]+)*(?:\([0-9A-Za-z]+\))*"
        r"(?:(?:, | AND | OR )[0-9][0-9A-Za-z]*(?:\([0-9A-Za-z]+\))*(?![,.]?[0-9%]))*",
        r"\b(?:Forms?|Schedule|Rules?|Sections?|Items?|Notes?|Exhibits?|Tables?|Figures?|Charts?|Pages?|Part"
        r"|Articles?"
        r"|Chapters?|Annex|Appendix|Level|Tier|Phase|Stage|Topic|Subtopic|ASC|ASU|IFRS|IAS|FAS|SFAS|FRS|ISO"
        r"|IEC|Version"
        r"|Title|Regulation|Footnotes?|Slide|Paragraph|Release|Proposal|Directive|Step|Basel|File Number)"
        r" (?:Nos?\.? ?)?#?[0-9][0-9A-Za-z]*(?:[.-][0-9A-Za-z]+)*(?:\([0-9A-Za-z]+\))*"
        r"(?:(?:, | and | or |-)[0-9][0-9A-Za-z]*(?:[.-][0-9]+)*(?:\([0-9A-Za-z]+\))*(?![,.]?[0-9%]"
        r"| (?:million|billion)))*",
        r"\b(?:note|page|section|item|table|chapter|footnote|exhibit|level|phase"
        r"|step) [0-9]{1,3}(?:\.[0-9]{1,2})?\b(?![,.][0-9])",
        r"\b(?:No|Nos|no|nos|p|pp)\. ?[0-9][0-9-]*\b|#[0-9][0-9-]*",
        r"§+ ?[0-9][0-9A-Za-z.()-]*|\b[0-9]+ (?:U\.S\.C\.|USC|CFR|C\.F\.R\.)(?: §*)? ?[0-9][0-9A-Za-z.()-]*",
        # Forms: 10-K, 8-K, 20-F, 10-Q/A.
        r"\b[0-9]{1,3}-(?:KT?|QT?|F|A|D|G|E|B[0-9]?|C|CSR|PX)(?:/A)?\b",
        # Pension plans and charities named after their paragraph.
        r"\b(?:401|403|457|501|529)\([a-z]\)(?:\([0-9]+\))?",
        # Indices and lists.
        r"\b(?:S&P(?: SmallCap| MidCap)?|Fortune|Russell|Nasdaq|NASDAQ|FTSE|Nikkei|DAX|CAC|Stoxx|STOXX|Dow"
        r"|KOSPI|CSI|Inc\."
        r"|Forbes|Global|ASX|TSX|SMI|MDAX|AEX|IBEX|BSE|Nifty|Hang Seng|Fast)(?: |-)[0-9]{2,4}\b",
        # Companies, products and events with a number in their name.
        r"\b3M\b(?! (?:shares|units|users|people))|\b7-Eleven\b|\bMotel 6\b|\bChannel [0-9]+\b"
        r"|\bForever 21\b|\bCentury 21\b"
        r"|\bBoeing 7[0-9]7\b|\bAirbus A?3[0-9]{2}\b|\b(?:COVID|Covid|covid)[- ]?19\b|\bSARS-CoV-2\b"
        r"|\b1-800-[A-Z-]+"
        r"|\b(?:Web|Industry|Windows|iPhone|Xbox|PlayStation|Galaxy|Model|Area|Studio|Pier"
        r"|Big) [0-9]{1,4}(?:\.[0-9])?\b|\b24/7\b|\b9/11\b|\b20/20\b",
        # Identifiers: ISIN, file and registration numbers, US postal codes.
        r"\b[A-Z]{2}[A-Z0-9]{9}[0-9]\b|\b[0-9]{10}-[0-9]{2}-[0-9]{6}\b"
        r"|\b[0-9]{1,3}-[0-9]{5,7}(?:-[0-9]{2})?\b",
        r"\b[A-Z]{2} [0-9]{5}(?:-[0-9]{4})?\b(?! (?:shares|units))",
        # A day without its year.
        rf"\b(?=[A-Z])(?i:{_MONTH}) ?[0-3]?[0-9](?:st|nd|rd|th)?(?![0-9]|[.,][0-9]|%)",
        rf"(?<![0-9.,$€£])[0-3]?[0-9](?:st|nd|rd|th)?(?: of)? (?=[A-Z])(?i:{_MONTH})(?![a-z])",
    )
)
_ANY_CASE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Telephone numbers.
        r"(?<![0-9])(?:\+[0-9]{1,3}[ .-]?)?\(?[0-9]{3}\)?[ .-][0-9]{3}[.-][0-9]{4}(?![0-9])",
        r"\+[0-9](?:[ ()./-]{0,2}[0-9]){7,14}(?![0-9])",
        r"(?:telephone|phone|tel|fax)[:. ]+[0-9(][0-9 ()./-]{5,20}",
        # Versions.
        r"\bversions? [0-9]{1,4}(?:\.[0-9]{1,4}){0,3}\b(?!%)|\brelease [0-9]{1,4}(?:\.[0-9]{1,4}){1,3}\b(?!%)",
        # Times of day, ratios of a split.
        r"(?<![0-9])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]\.?m\b\.?)?(?![0-9])",
        r"(?<![0-9.,])[0-9]{1,2} ?[ap]\.m\.|(?<![0-9.,$€£])[0-9]{1,2} [ap]m\b",
        r"(?<![0-9])[0-9]+-(?:for|to)-[0-9]+\b|(?<![0-9:])[0-9]+:[0-9]+(?![0-9:])",
        # Lengths of a reporting period without a date.
        r"\b[0-9]{1,2}[- ](?:months?|weeks?)(?: periods?)?,? (?:ended|ending)\b",
        # Accounting identifiers.
        r"\b(?:ISIN|CUSIP|LEI|SEDOL|CIK|IBAN|WKN|EIN)(?: (?:no|number)\.?)?:? ?[0-9A-Z][0-9A-Z -]{4,34}",
    )
)


def excluded_spans(text: str, folded: str) -> list[Span]:
    """The stretches of `text` (and of `folded`, its fold) whose digits are no figures, in order of start."""
    return sorted([*period_spans(text), *_matches(folded)])


def _matches(folded: str) -> Iterator[Span]:
    for pattern in (*_CASE_SENSITIVE, *_ANY_CASE):
        for match in pattern.finditer(folded):
            yield Span(match.start(), match.end())
