"""Units: what a figure measures, and per what.

Currencies are ISO 4217 codes. A dollar sign whose country nobody states is a measure of its own
(`unknown_dollar`, written "$") that equals no currency.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from .errors import UnitError


class Measure(Enum):
    """What is measured, or (the last group) the noun after "per". The value is the name used in files."""

    AED = "AED"
    ARS = "ARS"
    AUD = "AUD"
    BRL = "BRL"
    CAD = "CAD"
    CHF = "CHF"
    CLP = "CLP"
    CNY = "CNY"
    COP = "COP"
    CZK = "CZK"
    DKK = "DKK"
    EUR = "EUR"
    GBP = "GBP"
    HKD = "HKD"
    HUF = "HUF"
    IDR = "IDR"
    ILS = "ILS"
    INR = "INR"
    ISK = "ISK"
    JPY = "JPY"
    KRW = "KRW"
    MXN = "MXN"
    MYR = "MYR"
    NGN = "NGN"
    NOK = "NOK"
    NZD = "NZD"
    PHP = "PHP"
    PLN = "PLN"
    QAR = "QAR"
    RON = "RON"
    RUB = "RUB"
    SAR = "SAR"
    SEK = "SEK"
    SGD = "SGD"
    THB = "THB"
    TRY = "TRY"
    TWD = "TWD"
    UAH = "UAH"
    USD = "USD"
    VND = "VND"
    ZAR = "ZAR"
    UNKNOWN_DOLLAR = "$"

    PERCENT = "percent"
    PERCENTAGE_POINTS = "percentage_points"
    BASIS_POINTS = "basis_points"
    MULTIPLE = "multiple"
    COUNT = "count"

    SHARE = "share"
    UNIT = "unit"
    TONNE = "tonne"
    BARREL = "barrel"
    OUNCE = "ounce"
    EMPLOYEE = "employee"
    CUSTOMER = "customer"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    HOUR = "hour"


class UnitClass(Enum):
    """Classes that never convert into one another."""

    CURRENCY = "currency"
    CURRENCY_PER = "currency_per"
    PERCENT = "percent"
    PERCENTAGE_POINTS = "percentage_points"
    BASIS_POINTS = "basis_points"
    MULTIPLE = "multiple"
    COUNT = "count"


PER_NOUNS: Final = frozenset(
    {
        Measure.SHARE,
        Measure.UNIT,
        Measure.TONNE,
        Measure.BARREL,
        Measure.OUNCE,
        Measure.EMPLOYEE,
        Measure.CUSTOMER,
        Measure.YEAR,
        Measure.MONTH,
        Measure.DAY,
        Measure.HOUR,
    }
)
"""Measures that stand only after "per"."""

CURRENCIES: Final = frozenset(m for m in Measure if len(m.value) == 3 and m.value.isupper()) | {
    Measure.UNKNOWN_DOLLAR
}
"""Every currency, the unknown dollar included."""

_PLAIN_CLASSES: Final = {
    Measure.PERCENT: UnitClass.PERCENT,
    Measure.PERCENTAGE_POINTS: UnitClass.PERCENTAGE_POINTS,
    Measure.BASIS_POINTS: UnitClass.BASIS_POINTS,
    Measure.MULTIPLE: UnitClass.MULTIPLE,
    Measure.COUNT: UnitClass.COUNT,
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A measure, and for some currencies and counts the noun it is counted per.

    Raises `UnitError` when `measure` is a per noun, when `per` is not one, or when a class that takes no
    "per" (percent, points, multiple) is given one.
    """

    measure: Measure
    per: Measure | None = None

    def __post_init__(self) -> None:
        if self.measure in PER_NOUNS:
            raise UnitError(f"{self.measure.value!r} stands only after 'per'")
        if self.per is None:
            return
        if self.per not in PER_NOUNS:
            raise UnitError(f"{self.per.value!r} cannot stand after 'per'")
        if self.measure not in CURRENCIES and self.measure is not Measure.COUNT:
            raise UnitError(f"{self.measure.value!r} takes no 'per'")

    @property
    def unit_class(self) -> UnitClass:
        """The class; figures of two classes are never compared."""
        if self.measure in CURRENCIES:
            return UnitClass.CURRENCY if self.per is None else UnitClass.CURRENCY_PER
        return _PLAIN_CLASSES[self.measure]

    @classmethod
    def parse(cls, name: str) -> "Unit":
        """The unit called `name` ("USD", "$", "USD_per_share"); raises `UnitError` for any other."""
        measure, separator, per = name.partition("_per_")
        try:
            return cls(Measure(measure), Measure(per) if separator else None)
        except ValueError as error:
            if isinstance(error, UnitError):
                raise
            raise UnitError(
                "a unit is an ISO 4217 code, $, percent, percentage_points, basis_points, multiple, count"
                " or X_per_Y"
            ) from None

    def __str__(self) -> str:
        return self.measure.value if self.per is None else f"{self.measure.value}_per_{self.per.value}"


PERCENT: Final = Unit(Measure.PERCENT)
PERCENTAGE_POINTS: Final = Unit(Measure.PERCENTAGE_POINTS)
BASIS_POINTS: Final = Unit(Measure.BASIS_POINTS)
MULTIPLE: Final = Unit(Measure.MULTIPLE)
COUNT: Final = Unit(Measure.COUNT)
