"""Whom a question is about and which metric of theirs: the noun phrases of the grammar taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import lexicon
from .errors import NotUnderstood, Unaskable
from .memo_words import MemoWords

_MAX_LIST: Final = 16
_MAX_METRIC_WORDS: Final = 14
_CONNECTORS: Final = frozenset(
    {"of", "and", "&", "the", "de", "la", "le", "du", "van", "von", "for", "del", "di", "et", "y"}
)
_SUFFIX: Final = (
    r"(?:Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|LLC|LP|L\.P|LLP|PLC|plc|N\.V|NV|S\.A|AG|SE"
    r"|GmbH|AB|ASA)\.?"
)
_COMMA_SUFFIX: Final = re.compile(rf", (?={_SUFFIX}(?![a-z]))")
_KEEP: Final = "\x00"
"""Stands for a comma or "and" that belongs to a name while a list is split."""


_BASIS: Final = re.compile(r"^(?P<what>.+) on an? (?P<basis>[\w-]+(?: currency)?) basis$", re.IGNORECASE)
_SEGMENT: Final = re.compile(
    r"^(?P<what>.+?) (?:in|for|from|of) (?:the |its |their )?(?P<part>[A-Z][\w&-]*(?: (?:and |& )?[A-Z][\w&-]*)*)"
    r" (?:segment|division|business|region|unit)$"
)
_CALCULATED: Final = re.compile(
    r"(?<!net )\b(?:change|increase|decrease|growth|decline)$|"
    r"(?<!net )\b(?:change|increase|decrease|growth|decline|rise|drop) (?:in|of|due|from)\b"
    r"|\b(?:percentage|percent|share|proportion|ratio|portion|fraction) of\b(?! class)|\bas an? "
    r"|\bin (?:percent\b|percentage terms|%)|\brelative to\b|\bcompared\b|\bversus\b",
    re.IGNORECASE,
)
_OF_VALUE: Final = re.compile(r"^(?i:(?:total )?(?:value|amount|level|size|balance) of (?:the )?)(?=[A-Z])")
_BEFORE_TAX: Final = re.compile(
    r"\b(?:before|after)(?= (?:[\w-]+ ){0,3}?(?:tax(?:es)?|interest|depreciation|provision|equity|cumulative))"
)
"""Words of a metric's own name that otherwise begin a clause."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A company and one of its metrics, in the question's words."""

    company: str = field(repr=False)
    metric: str = field(repr=False)


def split_subject(phrase: str, words: MemoWords) -> Subject:
    """A noun phrase that names both: "Acme's net sales", "net sales of Acme", "Acme Corp net sales".

    Raises NotUnderstood or Unaskable.
    """
    phrase = _OF_VALUE.sub("", phrase.strip(" ,"))
    for split in (
        _possessive,
        _preposition,
        _preposition_possessive,
        _approved_term,
        _leading_name,
        _beside_comma,
    ):
        found = split(phrase, words)
        if found:
            company, metric = found
            return Subject(clean_company(company, words), clean_metric(metric, words))
    if _names_private_subject(phrase):
        raise Unaskable("the subject is a word of the deal")
    if words.private_in(phrase):
        raise Unaskable("what is left after the memo's own words names no company")
    raise NotUnderstood("no company and metric in the phrase")


def _possessive(phrase: str, words: MemoWords) -> tuple[str, str] | None:
    for mark in re.finditer(r"(?:'s|(?<=s)')(?= )", phrase):
        company, metric = phrase[: mark.start()], phrase[mark.end() :].strip()
        last = phrase[: mark.end()].split()[-1].lower()
        follows_name = bool(re.match(rf"(?:{_SUFFIX}|[A-Z]\w*)(?:'s|') ", metric)) or "'s " in metric
        if last in lexicon.NAMES_WITH_S:
            if follows_name:
                continue
            company = phrase[: mark.end()]
        company = re.sub(r"^(?:the )", "", company) if company.startswith("the ") else company
        if company.lower() in {"what", "that", "it", "who"}:
            return None
        if _names_private_subject(company):
            raise Unaskable("the subject is a word of the deal")
        if _looks_like_name(company, words, possessive=True):
            return company, metric
    return None


def _preposition(phrase: str, words: MemoWords) -> tuple[str, str] | None:
    for mark in re.finditer(r",? (?:of|at|for|by|reported by|posted by|recorded by) (?:the )?", phrase):
        metric, company = phrase[: mark.start()].strip(), phrase[mark.end() :].strip()
        if metric and company and _names_private_subject(company):
            raise Unaskable("the subject is a word of the deal")
        if metric and company and _looks_like_name(company, words) and _has_figure_noun(metric):
            metric = re.sub(
                r",? (?:reported|posted|recorded|generated|used|held|incurred|earned|achieved|disclosed)$",
                "",
                metric,
            )
            return company, metric
    return None


def _preposition_possessive(phrase: str, words: MemoWords) -> tuple[str, str] | None:
    """ "segment income of Acme's Pumps segment": both halves name the metric."""
    for mark in re.finditer(r" (?:of|for|in|from|at|by) (?:the )?(?=[A-Z])", phrase):
        inner = _possessive(phrase[mark.end() :], words)
        outer = set(figure_stems(phrase[: mark.start()])) - {"total", "amount", "value", "figure", "number"}
        if inner and _has_figure_noun(" ".join(outer)):
            company, part = inner
            part = re.sub(r" (?:segment|business|division|unit)$", "", part)
            return company, f"{part} {phrase[: mark.start()].strip()}"
    return None


def _approved_term(phrase: str, words: MemoWords) -> tuple[str, str] | None:
    """An approved term at the phrase's start, whatever its spelling: "halvorsen pumps revenue"."""
    for term in sorted(words.public_terms, key=len, reverse=True):
        if phrase.lower().startswith(term.lower() + " ") and any(c.isupper() for c in term[:1]):
            metric = phrase[len(term) :].strip()
            if _has_figure_noun(metric) and not _has_figure_noun(term):
                return phrase[: len(term)], metric
    return None


def _leading_name(phrase: str, words: MemoWords) -> tuple[str, str] | None:
    tokens = phrase.split()
    count = 0
    while count < len(tokens) and (_is_name_token(tokens[count]) or (count and tokens[count] in _CONNECTORS)):
        count += 1
    while count and tokens[count - 1] in _CONNECTORS:
        count -= 1
    while count and tokens[count - 1].strip(",") in lexicon.METRIC_ACRONYMS | {"Adjusted"}:
        count -= 1
    company, metric = " ".join(tokens[:count]), " ".join(tokens[count:])
    if not company or not metric or not _has_figure_noun(metric) or not _looks_like_name(company, words):
        return None
    # "Restricted cash" at the start of a phrase is a metric with a capital, not a company.
    return None if all(words.is_plain(token) for token in tokens[:count]) else (company, metric)


def _beside_comma(phrase: str, words: MemoWords) -> tuple[str, str] | None:
    """ "Net income, Acme" and "Acme: net income"."""
    parts = re.split(r", |: | - ", phrase)
    if len(parts) != 2:
        return None
    for company, metric in (parts, parts[::-1]):
        named = _looks_like_name(company, words) and not _has_figure_noun(company)
        if named and _has_figure_noun(metric) and not words.is_plain(company):
            return company, metric
    return None


def split_companies(phrase: str, words: MemoWords) -> tuple[str, ...]:
    """The names of a list: "A, B and C". Raises NotUnderstood where an "and" may be part of a name."""
    text = re.sub(r"^(?:both |the (?:companies|following)[:,]? |each of )", "", phrase.strip(" ,:"))
    for term in sorted(words.public_terms, key=len, reverse=True):
        protected = term.replace(" and ", f" {_KEEP}and ").replace(", ", f",{_KEEP}")
        text = (
            re.sub(re.escape(term), protected.replace("\\", ""), text, flags=re.IGNORECASE)
            if protected != term
            else text
        )
    text = _COMMA_SUFFIX.sub(f",{_KEEP}", text)
    items = [item.strip() for item in re.split(r", (?:and |or )?", text)]
    head, separator, tail = items[-1].rpartition(" and ")
    if not separator:
        head, separator, tail = items[-1].rpartition(" or ")
    if separator and not re.search(r",\s+(?:and|or)\s+[^,]*$", text):
        items[-1:] = [head, tail]
        if len(items) == 2 and " and " in head:
            raise NotUnderstood("an and may stand in a name")
    names = tuple(
        item.replace(_KEEP, " " if f" {_KEEP}" not in item else "").replace("  ", " ") for item in items
    )
    if not 1 <= len(names) <= _MAX_LIST or any(not _looks_like_name(name, words) for name in names):
        raise NotUnderstood("not a list of companies")
    if len({name.casefold() for name in names}) != len(names):
        raise NotUnderstood("a company stands twice in the list")
    return tuple(clean_company(name, words) for name in names)


def companies_in(company: str, words: MemoWords) -> tuple[str, ...]:
    """The companies of a list with commas; a name without one stays whole, also with an "and" in it."""
    return split_companies(company, words) if "," in _COMMA_SUFFIX.sub(" ", company) else (company,)


def single_company(phrase: str, words: MemoWords) -> str:
    """A phrase that is one company's name and nothing else. Raises NotUnderstood or Unaskable."""
    company = re.sub(r"^the ", "", phrase.strip(" ,"), flags=re.IGNORECASE)
    if _names_private_subject(company):
        raise Unaskable("the subject is a word of the deal")
    if not _looks_like_name(company, words):
        raise NotUnderstood("not a company's name")
    return clean_company(company, words)


def subject_of(metric: str, company: str, words: MemoWords) -> Subject:
    """A metric and a company that the sentence names apart. Raises NotUnderstood or Unaskable."""
    return Subject(single_company(company, words), clean_metric(metric, words))


def clean_company(company: str, words: MemoWords) -> str:
    """The name without what only the memo has. Raises Unaskable where nothing approved remains."""
    company = company.strip(" ,:")
    if not words.private_in(company):
        return company
    term = words.public_term_in(company)
    if term is None:
        raise Unaskable("the company is named by words that only the memo has")
    return term


def clean_metric(metric: str, words: MemoWords) -> str:
    """The metric without an aside that only the memo explains. Raises NotUnderstood or Unaskable."""
    metric = re.sub(
        r"^(?:(?:the|a|an|total amount of|total for|amount of|value of|level of|figure for"
        r"|(?:total )?balance of|its|their) )+",
        "",
        metric.strip(" ,"),
    )
    metric = _BASIS.sub(r"\g<basis> \g<what>", metric)
    metric = _SEGMENT.sub(r"\g<part> \g<what>", metric)
    if words.private_in(metric):
        aside = re.search(
            r",? (?:for|under|in|of|about|regarding|within|relevant to|relating to|as part of) (?:the |our )?"
            r"(?:project |operation |codename |deal )?(?P<private>[^,]+)$",
            metric,
            re.IGNORECASE,
        )
        if aside is None or not all(words.is_private(word) for word in aside["private"].split()):
            raise Unaskable("the metric is named by words that only the memo has")
        metric = metric[: aside.start()].strip(" ,")
    tokens = re.findall(r"[\w&'%./-]+", _BEFORE_TAX.sub("", metric.lower()))
    if _CALCULATED.search(metric):
        raise NotUnderstood("a calculation inside a metric")
    if not tokens or len(tokens) > _MAX_METRIC_WORDS or "⟦" in metric or "'s" in metric:
        raise NotUnderstood("not a metric")
    if (
        any(token in lexicon.NOT_A_FIGURE | lexicon.NOT_IN_A_SUBJECT for token in tokens)
        or tokens[0] in lexicon.PRONOUNS
    ):
        raise NotUnderstood("not a metric")
    return metric


def split_metrics(metric: str) -> tuple[str, ...]:
    """Two metrics joined by "and", where both are complete by themselves; else the one."""
    if any(compound in metric.lower() for compound in lexicon.COMPOUND_METRICS):
        return (metric,)
    parts = [part.strip() for part in re.split(r",? and |, ", metric)]
    if len(parts) == 1:
        return (metric,)
    plain = [re.sub(r"^(?:the|its|their) ", "", part) for part in parts]
    if all(part.lower() in lexicon.SPLITTABLE_METRICS for part in plain):
        return tuple(plain)
    # Joined otherwise it is looked for as the one line that holds all its words.
    return (metric,)


def has_figure_noun(metric: str) -> bool:
    """Whether a word of the metric names a figure."""
    return _has_figure_noun(metric)


def without_suffix(company: str) -> str:
    """The company without its legal form: "Acme Corp." -> "Acme"."""
    tokens = company.replace(",", " ").split()
    if tokens and tokens[0] == "The" and len(tokens) > 1:
        tokens = tokens[1:]
    while len(tokens) > 1 and tokens[-1].lower().rstrip(".") in lexicon.LEGAL_SUFFIXES:
        tokens.pop()
    return " ".join(tokens)


def _names_private_subject(company: str) -> bool:
    words = {
        word for word in company.lower().split() if word not in {"the", "our", "this", "potential", "of"}
    }
    return bool(words & lexicon.PRIVATE_SUBJECTS) and words <= lexicon.PRIVATE_SUBJECTS | {"company"}


def _looks_like_name(company: str, words: MemoWords, *, possessive: bool = False) -> bool:
    tokens = company.replace(",", " ").split()
    if not tokens or len(tokens) > 10 or any(token.lower() in lexicon.NOT_IN_A_SUBJECT for token in tokens):
        return False
    if any(
        re.search(r"'s$|s'$", token) and token.lower() not in lexicon.NAMES_WITH_S for token in tokens[:-1]
    ):
        return False
    if words.public_term_in(company) and words.private_in(company):
        # "Nordwind target Acme": what only the memo has is taken out of it later.
        return True
    if all(token.lower() in lexicon.UNNAMED_SUBJECTS | {"the", "this", "that"} for token in tokens):
        return False
    if any(company.casefold() == term.casefold() for term in words.public_terms) and not _has_figure_noun(
        company
    ):
        return True
    if all(_is_name_token(token) or (at and token in _CONNECTORS) for at, token in enumerate(tokens)):
        return _is_name_token(tokens[-1]) and any(char.isupper() for char in company)
    # A question typed without capitals: only where the possessive makes it clear, and for one word.
    return (
        possessive
        and len(tokens) == 1
        and tokens[0].isalnum()
        and tokens[0] not in lexicon.UNNAMED_SUBJECTS | lexicon.PRONOUNS | lexicon.HOLDERS
    )


def _is_name_token(word: str) -> bool:
    """A capital or a digit in front, a capital behind one small letter ("iRobot"), or an ampersand."""
    return word in ("&", "plc") or re.match(r"[(.]?(?:[^\W_a-z]|[a-z][A-Z])", word) is not None


def figure_stems(metric: str) -> Sequence[str]:
    """The metric's words in the singular, lower case."""
    return [_stem(token) for token in re.findall(r"[a-z0-9&%'/-]+", metric.lower())]


def _stem(token: str) -> str:
    token = token.removesuffix("'s").strip("'").replace("isation", "ization")
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith("sses") or token.endswith("xes"):
        return token[:-2]
    return token[:-1] if token.endswith("s") and not token.endswith("ss") and len(token) > 3 else token


def _has_figure_noun(metric: str) -> bool:
    nouns = (
        lexicon.CURRENCY_HEADS
        | lexicon.PERCENT_WORDS
        | lexicon.COUNT_HEADS
        | lexicon.BALANCE_HEADS
        | lexicon.OTHER_FIGURE_HEADS
        | {"flow", "basis", "points", "ppe"}
        | {acronym.lower() for acronym in lexicon.METRIC_ACRONYMS - {"GAAP"}}
    )
    if any(compound in metric.lower() for compound in lexicon.COMPOUND_METRICS):
        return True
    return any(stem in nouns or stem.split("-")[-1] in nouns for stem in figure_stems(metric))
