"""The words and signs that figures are made of: currencies, scales, nouns.

Everything here is a fact about usage. What one spelling can mean is a tuple: one member is certain, several
are not.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from .units import CURRENCIES, Measure

CURRENCY_SIGNS: Final[Mapping[str, tuple[Measure, ...]]] = {
    "US$": (Measure.USD,),
    "U.S.$": (Measure.USD,),
    "U.S. $": (Measure.USD,),
    "USD$": (Measure.USD,),
    "A$": (Measure.AUD,),
    "AU$": (Measure.AUD,),
    "C$": (Measure.CAD,),
    "CA$": (Measure.CAD,),
    "Cdn$": (Measure.CAD,),
    "CDN$": (Measure.CAD,),
    "HK$": (Measure.HKD,),
    "NZ$": (Measure.NZD,),
    "S$": (Measure.SGD,),
    "SG$": (Measure.SGD,),
    "NT$": (Measure.TWD,),
    "R$": (Measure.BRL,),
    "MX$": (Measure.MXN,),
    "Mex$": (Measure.MXN,),
    "$": (Measure.UNKNOWN_DOLLAR,),
    "€": (Measure.EUR,),
    "£": (Measure.GBP,),
    "¥": (Measure.JPY, Measure.CNY),
    "円": (Measure.JPY,),
    "元": (Measure.CNY,),
    "₹": (Measure.INR,),
    "₩": (Measure.KRW,),
    "₽": (Measure.RUB,),
    "₺": (Measure.TRY,),
    "₪": (Measure.ILS,),
    "₫": (Measure.VND,),
    "₴": (Measure.UAH,),
    "฿": (Measure.THB,),
    "zł": (Measure.PLN,),
    "Kč": (Measure.CZK,),
    "RMB": (Measure.CNY,),
    "Rs.": (Measure.INR,),
    "Rs": (Measure.INR,),
    "Fr.": (Measure.CHF,),
    "SFr.": (Measure.CHF,),
    "kr": (Measure.SEK, Measure.NOK, Measure.DKK, Measure.ISK),
}
"""Signs and abbreviations, case-sensitive. Several measures: the sign alone does not say which."""

CURRENCY_CODES: Final[Mapping[str, Measure]] = {
    measure.value: measure for measure in CURRENCIES if measure is not Measure.UNKNOWN_DOLLAR
}

CURRENCY_WORDS: Final[Mapping[str, tuple[Measure, ...]]] = {
    "us dollar": (Measure.USD,),
    "u.s. dollar": (Measure.USD,),
    "united states dollar": (Measure.USD,),
    "american dollar": (Measure.USD,),
    "australian dollar": (Measure.AUD,),
    "canadian dollar": (Measure.CAD,),
    "hong kong dollar": (Measure.HKD,),
    "singapore dollar": (Measure.SGD,),
    "new zealand dollar": (Measure.NZD,),
    "taiwan dollar": (Measure.TWD,),
    "dollar": (Measure.UNKNOWN_DOLLAR,),
    "buck": (Measure.UNKNOWN_DOLLAR,),
    "euro": (Measure.EUR,),
    "pound sterling": (Measure.GBP,),
    "pounds sterling": (Measure.GBP,),
    "british pound": (Measure.GBP,),
    "sterling": (Measure.GBP,),
    "quid": (Measure.GBP,),
    "yen": (Measure.JPY,),
    "yuan": (Measure.CNY,),
    "renminbi": (Measure.CNY,),
    "swiss franc": (Measure.CHF,),
    "swedish krona": (Measure.SEK,),
    "swedish kronor": (Measure.SEK,),
    "kronor": (Measure.SEK,),
    "norwegian krone": (Measure.NOK,),
    "norwegian kroner": (Measure.NOK,),
    "danish krone": (Measure.DKK,),
    "danish kroner": (Measure.DKK,),
    "kroner": (Measure.NOK, Measure.DKK),
    "indian rupee": (Measure.INR,),
    "rupee": (Measure.INR, Measure.IDR),
    "korean won": (Measure.KRW,),
    "brazilian real": (Measure.BRL,),
    "reais": (Measure.BRL,),
    "mexican peso": (Measure.MXN,),
    "zloty": (Measure.PLN,),
    "zlotys": (Measure.PLN,),
    "rand": (Measure.ZAR,),
    "franc": (Measure.CHF,),
    "franken": (Measure.CHF,),
}
"""Words, folded to lower case, singular; "s" may follow. "pounds" alone is missing on purpose: it is also a
weight.
"""

UNCERTAIN_CURRENCY_WORDS: Final = frozenset({"franc", "kroner", "rupee", "quid", "buck"})
"""Words that the one reading does not take for a currency it could name."""

MINOR_UNITS: Final[Mapping[str, tuple[Measure, ...]]] = {
    "cents": (Measure.UNKNOWN_DOLLAR,),
    "cent": (Measure.UNKNOWN_DOLLAR,),
    "¢": (Measure.UNKNOWN_DOLLAR,),
    "pence": (Measure.GBP,),
    "penny": (Measure.GBP,),
    "p": (Measure.GBP,),
    "GBX": (Measure.GBP,),
    "GBp": (Measure.GBP,),
}
"""Hundredths of a currency. "p" counts only glued to the number."""

THOUSAND: Final = Decimal(1_000)
MILLION: Final = Decimal(1_000_000)
BILLION: Final = Decimal(1_000_000_000)
TRILLION: Final = Decimal(1_000_000_000_000)
QUADRILLION: Final = Decimal(10) ** 15
QUINTILLION: Final = Decimal(10) ** 18

SCALE_WORDS: Final[Mapping[str, tuple[Decimal, ...]]] = {
    "hundred": (Decimal(100),),
    "thousand": (THOUSAND,),
    "thousands": (THOUSAND,),
    "tsd": (THOUSAND,),
    "tausend": (THOUSAND,),
    "mille": (THOUSAND,),
    "million": (MILLION,),
    "millions": (MILLION,),
    "mln": (MILLION,),
    "mio": (MILLION,),
    "mill": (MILLION,),
    "mil": (MILLION, THOUSAND),
    "mn": (MILLION,),
    "millionen": (MILLION,),
    "milliard": (BILLION,),
    "milliards": (BILLION,),
    "milliarde": (BILLION,),
    "milliarden": (BILLION,),
    "mrd": (BILLION,),
    "mrds": (BILLION,),
    "mia": (BILLION,),
    "md": (BILLION,),
    "mds": (BILLION,),
    "billion": (BILLION, TRILLION),
    "billions": (BILLION, TRILLION),
    "bn": (BILLION,),
    "bln": (BILLION,),
    "bil": (BILLION,),
    "billionen": (TRILLION,),
    "trillion": (TRILLION, QUINTILLION),
    "trillions": (TRILLION, QUINTILLION),
    "tn": (TRILLION,),
    "trn": (TRILLION,),
    "trln": (TRILLION,),
    "quadrillion": (QUADRILLION,),
    "lakh": (Decimal(100_000),),
    "lakhs": (Decimal(100_000),),
    "lac": (Decimal(100_000),),
    "lacs": (Decimal(100_000),),
    "crore": (Decimal(10_000_000),),
    "crores": (Decimal(10_000_000),),
    "dozen": (Decimal(12),),
}
"""Scale words, folded to lower case, English sense first: German and French billion is 10^12."""

SCALE_LETTERS: Final[Mapping[str, tuple[Decimal, ...]]] = {
    "k": (THOUSAND,),
    "K": (THOUSAND,),
    "m": (MILLION,),
    "M": (MILLION,),
    "mm": (MILLION,),
    "MM": (MILLION,),
    "b": (BILLION,),
    "B": (BILLION,),
    "t": (TRILLION,),
    "T": (TRILLION,),
    "cr": (Decimal(10_000_000),),
    "Cr": (Decimal(10_000_000),),
}
"""Letters that are a scale beside a currency, and something else (metres, minutes, bits, credit) without one.
"""

CERTAIN_SCALE_LETTERS: Final = frozenset({"K", "MM"})
"""Letters that are a scale directly after a number even without a currency ("12K users")."""

CJK_SCALES: Final[Mapping[str, Decimal]] = {
    "十": Decimal(10),
    "百": Decimal(100),
    "千": THOUSAND,
    "万": Decimal(10_000),
    "萬": Decimal(10_000),
    "億": Decimal(10) ** 8,
    "亿": Decimal(10) ** 8,
    "兆": TRILLION,
}

COUNTED_NOUNS: Final = (
    "accounts?",
    "acquisitions?",
    "aircraft",
    "branches",
    "clients?",
    "companies",
    "countries",
    "customers?",
    "deliveries",
    "employees?",
    "facilities",
    "hotels?",
    "households?",
    "locations?",
    "members?",
    "offices?",
    "partners?",
    "patents?",
    "patients?",
    "people",
    "persons?",
    "plants?",
    "properties",
    "restaurants?",
    "rooms?",
    "shareholders?",
    "shares?",
    "sites?",
    "staff",
    "stores?",
    "subscribers?",
    "subscriptions?",
    "suppliers?",
    "transactions?",
    "units?",
    "users?",
    "vehicles?",
    "vessels?",
    "votes?",
    "warrants?",
    "workers?",
)
"""Nouns that make the number before them a count."""

PER_WORDS: Final[Mapping[str, Measure]] = {
    "share": Measure.SHARE,
    "unit": Measure.UNIT,
    "tonne": Measure.TONNE,
    "metric ton": Measure.TONNE,
    "metric tonne": Measure.TONNE,
    "barrel": Measure.BARREL,
    "bbl": Measure.BARREL,
    "ounce": Measure.OUNCE,
    "employee": Measure.EMPLOYEE,
    "customer": Measure.CUSTOMER,
    "year": Measure.YEAR,
    "annum": Measure.YEAR,
    "month": Measure.MONTH,
    "day": Measure.DAY,
    "hour": Measure.HOUR,
}


def alternation(words: Iterable[str]) -> str:
    """A regular expression of the given strings, longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
