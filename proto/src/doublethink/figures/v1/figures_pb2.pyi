from doublethink.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Measure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEASURE_UNSPECIFIED: _ClassVar[Measure]
    MEASURE_PERCENT: _ClassVar[Measure]
    MEASURE_PERCENTAGE_POINTS: _ClassVar[Measure]
    MEASURE_BASIS_POINTS: _ClassVar[Measure]
    MEASURE_MULTIPLE: _ClassVar[Measure]
    MEASURE_COUNT: _ClassVar[Measure]
    MEASURE_SHARE: _ClassVar[Measure]
    MEASURE_EMPLOYEE: _ClassVar[Measure]
    MEASURE_TONNE: _ClassVar[Measure]
    MEASURE_BARREL: _ClassVar[Measure]
    MEASURE_YEAR: _ClassVar[Measure]
    MEASURE_UNKNOWN_DOLLAR: _ClassVar[Measure]
    MEASURE_UNIT: _ClassVar[Measure]
    MEASURE_USD: _ClassVar[Measure]
    MEASURE_EUR: _ClassVar[Measure]
    MEASURE_GBP: _ClassVar[Measure]
    MEASURE_CHF: _ClassVar[Measure]
    MEASURE_JPY: _ClassVar[Measure]
    MEASURE_CNY: _ClassVar[Measure]
    MEASURE_SEK: _ClassVar[Measure]
    MEASURE_NOK: _ClassVar[Measure]
    MEASURE_DKK: _ClassVar[Measure]
    MEASURE_CAD: _ClassVar[Measure]
    MEASURE_AUD: _ClassVar[Measure]
    MEASURE_HKD: _ClassVar[Measure]
    MEASURE_INR: _ClassVar[Measure]
    MEASURE_KRW: _ClassVar[Measure]
    MEASURE_BRL: _ClassVar[Measure]
    MEASURE_MXN: _ClassVar[Measure]
    MEASURE_PLN: _ClassVar[Measure]
    MEASURE_SGD: _ClassVar[Measure]
    MEASURE_NZD: _ClassVar[Measure]
    MEASURE_ZAR: _ClassVar[Measure]
    MEASURE_CZK: _ClassVar[Measure]
    MEASURE_HUF: _ClassVar[Measure]
    MEASURE_ILS: _ClassVar[Measure]
    MEASURE_TRY: _ClassVar[Measure]
    MEASURE_TWD: _ClassVar[Measure]
    MEASURE_THB: _ClassVar[Measure]
    MEASURE_RUB: _ClassVar[Measure]
    MEASURE_SAR: _ClassVar[Measure]
    MEASURE_AED: _ClassVar[Measure]

class UnitClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNIT_CLASS_UNSPECIFIED: _ClassVar[UnitClass]
    UNIT_CLASS_CURRENCY: _ClassVar[UnitClass]
    UNIT_CLASS_CURRENCY_PER: _ClassVar[UnitClass]
    UNIT_CLASS_PERCENT: _ClassVar[UnitClass]
    UNIT_CLASS_PERCENTAGE_POINTS: _ClassVar[UnitClass]
    UNIT_CLASS_BASIS_POINTS: _ClassVar[UnitClass]
    UNIT_CLASS_MULTIPLE: _ClassVar[UnitClass]
    UNIT_CLASS_COUNT: _ClassVar[UnitClass]

class PeriodKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PERIOD_KIND_UNSPECIFIED: _ClassVar[PeriodKind]
    PERIOD_KIND_CALENDAR: _ClassVar[PeriodKind]
    PERIOD_KIND_FISCAL: _ClassVar[PeriodKind]
    PERIOD_KIND_INSTANT: _ClassVar[PeriodKind]
    PERIOD_KIND_TRAILING: _ClassVar[PeriodKind]
    PERIOD_KIND_YEAR_LABEL: _ClassVar[PeriodKind]

class PeriodPart(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PERIOD_PART_UNSPECIFIED: _ClassVar[PeriodPart]
    PERIOD_PART_YEAR: _ClassVar[PeriodPart]
    PERIOD_PART_Q1: _ClassVar[PeriodPart]
    PERIOD_PART_Q2: _ClassVar[PeriodPart]
    PERIOD_PART_Q3: _ClassVar[PeriodPart]
    PERIOD_PART_Q4: _ClassVar[PeriodPart]
    PERIOD_PART_H1: _ClassVar[PeriodPart]
    PERIOD_PART_H2: _ClassVar[PeriodPart]
    PERIOD_PART_THREE_MONTHS: _ClassVar[PeriodPart]
    PERIOD_PART_SIX_MONTHS: _ClassVar[PeriodPart]
    PERIOD_PART_NINE_MONTHS: _ClassVar[PeriodPart]
    PERIOD_PART_TWELVE_MONTHS: _ClassVar[PeriodPart]
    PERIOD_PART_YEAR_TO_DATE: _ClassVar[PeriodPart]
    PERIOD_PART_DAY: _ClassVar[PeriodPart]
    PERIOD_PART_MONTH: _ClassVar[PeriodPart]

class Flag(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FLAG_UNSPECIFIED: _ClassVar[Flag]
    FLAG_ABOUT: _ClassVar[Flag]
    FLAG_GUIDANCE: _ClassVar[Flag]
    FLAG_NON_GAAP: _ClassVar[Flag]
    FLAG_PRO_FORMA: _ClassVar[Flag]
    FLAG_RESTATED: _ClassVar[Flag]
    FLAG_HYPOTHETICAL: _ClassVar[Flag]

class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIRECTION_UNSPECIFIED: _ClassVar[Direction]
    DIRECTION_NONE: _ClassVar[Direction]
    DIRECTION_INCREASE: _ClassVar[Direction]
    DIRECTION_DECREASE: _ClassVar[Direction]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_FOUND: _ClassVar[Verdict]
    VERDICT_NOT_FOUND: _ClassVar[Verdict]
    VERDICT_CANNOT_CHECK: _ClassVar[Verdict]

class SourceClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SOURCE_CLASS_UNSPECIFIED: _ClassVar[SourceClass]
    SOURCE_CLASS_REGULATOR: _ClassVar[SourceClass]
    SOURCE_CLASS_COMPANY: _ClassVar[SourceClass]
    SOURCE_CLASS_NEWS: _ClassVar[SourceClass]
    SOURCE_CLASS_ENCYCLOPEDIA: _ClassVar[SourceClass]
    SOURCE_CLASS_OTHER: _ClassVar[SourceClass]

class OperationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPERATION_KIND_UNSPECIFIED: _ClassVar[OperationKind]
    OPERATION_KIND_SUM: _ClassVar[OperationKind]
    OPERATION_KIND_DIFFERENCE: _ClassVar[OperationKind]
    OPERATION_KIND_RATIO: _ClassVar[OperationKind]
    OPERATION_KIND_GROWTH: _ClassVar[OperationKind]
    OPERATION_KIND_CAGR: _ClassVar[OperationKind]
    OPERATION_KIND_MEDIAN: _ClassVar[OperationKind]
    OPERATION_KIND_MEAN: _ClassVar[OperationKind]
    OPERATION_KIND_MIN: _ClassVar[OperationKind]
    OPERATION_KIND_MAX: _ClassVar[OperationKind]
    OPERATION_KIND_SHARE: _ClassVar[OperationKind]
MEASURE_UNSPECIFIED: Measure
MEASURE_PERCENT: Measure
MEASURE_PERCENTAGE_POINTS: Measure
MEASURE_BASIS_POINTS: Measure
MEASURE_MULTIPLE: Measure
MEASURE_COUNT: Measure
MEASURE_SHARE: Measure
MEASURE_EMPLOYEE: Measure
MEASURE_TONNE: Measure
MEASURE_BARREL: Measure
MEASURE_YEAR: Measure
MEASURE_UNKNOWN_DOLLAR: Measure
MEASURE_UNIT: Measure
MEASURE_USD: Measure
MEASURE_EUR: Measure
MEASURE_GBP: Measure
MEASURE_CHF: Measure
MEASURE_JPY: Measure
MEASURE_CNY: Measure
MEASURE_SEK: Measure
MEASURE_NOK: Measure
MEASURE_DKK: Measure
MEASURE_CAD: Measure
MEASURE_AUD: Measure
MEASURE_HKD: Measure
MEASURE_INR: Measure
MEASURE_KRW: Measure
MEASURE_BRL: Measure
MEASURE_MXN: Measure
MEASURE_PLN: Measure
MEASURE_SGD: Measure
MEASURE_NZD: Measure
MEASURE_ZAR: Measure
MEASURE_CZK: Measure
MEASURE_HUF: Measure
MEASURE_ILS: Measure
MEASURE_TRY: Measure
MEASURE_TWD: Measure
MEASURE_THB: Measure
MEASURE_RUB: Measure
MEASURE_SAR: Measure
MEASURE_AED: Measure
UNIT_CLASS_UNSPECIFIED: UnitClass
UNIT_CLASS_CURRENCY: UnitClass
UNIT_CLASS_CURRENCY_PER: UnitClass
UNIT_CLASS_PERCENT: UnitClass
UNIT_CLASS_PERCENTAGE_POINTS: UnitClass
UNIT_CLASS_BASIS_POINTS: UnitClass
UNIT_CLASS_MULTIPLE: UnitClass
UNIT_CLASS_COUNT: UnitClass
PERIOD_KIND_UNSPECIFIED: PeriodKind
PERIOD_KIND_CALENDAR: PeriodKind
PERIOD_KIND_FISCAL: PeriodKind
PERIOD_KIND_INSTANT: PeriodKind
PERIOD_KIND_TRAILING: PeriodKind
PERIOD_KIND_YEAR_LABEL: PeriodKind
PERIOD_PART_UNSPECIFIED: PeriodPart
PERIOD_PART_YEAR: PeriodPart
PERIOD_PART_Q1: PeriodPart
PERIOD_PART_Q2: PeriodPart
PERIOD_PART_Q3: PeriodPart
PERIOD_PART_Q4: PeriodPart
PERIOD_PART_H1: PeriodPart
PERIOD_PART_H2: PeriodPart
PERIOD_PART_THREE_MONTHS: PeriodPart
PERIOD_PART_SIX_MONTHS: PeriodPart
PERIOD_PART_NINE_MONTHS: PeriodPart
PERIOD_PART_TWELVE_MONTHS: PeriodPart
PERIOD_PART_YEAR_TO_DATE: PeriodPart
PERIOD_PART_DAY: PeriodPart
PERIOD_PART_MONTH: PeriodPart
FLAG_UNSPECIFIED: Flag
FLAG_ABOUT: Flag
FLAG_GUIDANCE: Flag
FLAG_NON_GAAP: Flag
FLAG_PRO_FORMA: Flag
FLAG_RESTATED: Flag
FLAG_HYPOTHETICAL: Flag
DIRECTION_UNSPECIFIED: Direction
DIRECTION_NONE: Direction
DIRECTION_INCREASE: Direction
DIRECTION_DECREASE: Direction
VERDICT_UNSPECIFIED: Verdict
VERDICT_FOUND: Verdict
VERDICT_NOT_FOUND: Verdict
VERDICT_CANNOT_CHECK: Verdict
SOURCE_CLASS_UNSPECIFIED: SourceClass
SOURCE_CLASS_REGULATOR: SourceClass
SOURCE_CLASS_COMPANY: SourceClass
SOURCE_CLASS_NEWS: SourceClass
SOURCE_CLASS_ENCYCLOPEDIA: SourceClass
SOURCE_CLASS_OTHER: SourceClass
OPERATION_KIND_UNSPECIFIED: OperationKind
OPERATION_KIND_SUM: OperationKind
OPERATION_KIND_DIFFERENCE: OperationKind
OPERATION_KIND_RATIO: OperationKind
OPERATION_KIND_GROWTH: OperationKind
OPERATION_KIND_CAGR: OperationKind
OPERATION_KIND_MEDIAN: OperationKind
OPERATION_KIND_MEAN: OperationKind
OPERATION_KIND_MIN: OperationKind
OPERATION_KIND_MAX: OperationKind
OPERATION_KIND_SHARE: OperationKind

class Decimal(_message.Message):
    __slots__ = ("mantissa", "exponent")
    MANTISSA_FIELD_NUMBER: _ClassVar[int]
    EXPONENT_FIELD_NUMBER: _ClassVar[int]
    mantissa: int
    exponent: int
    def __init__(self, mantissa: _Optional[int] = ..., exponent: _Optional[int] = ...) -> None: ...

class Unit(_message.Message):
    __slots__ = ("measure", "per")
    MEASURE_FIELD_NUMBER: _ClassVar[int]
    PER_FIELD_NUMBER: _ClassVar[int]
    measure: Measure
    per: Measure
    def __init__(self, measure: _Optional[_Union[Measure, str]] = ..., per: _Optional[_Union[Measure, str]] = ...) -> None: ...

class Date(_message.Message):
    __slots__ = ("year", "month", "day")
    YEAR_FIELD_NUMBER: _ClassVar[int]
    MONTH_FIELD_NUMBER: _ClassVar[int]
    DAY_FIELD_NUMBER: _ClassVar[int]
    year: int
    month: int
    day: int
    def __init__(self, year: _Optional[int] = ..., month: _Optional[int] = ..., day: _Optional[int] = ...) -> None: ...

class Period(_message.Message):
    __slots__ = ("kind", "year", "part", "end")
    KIND_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    kind: PeriodKind
    year: int
    part: PeriodPart
    end: Date
    def __init__(self, kind: _Optional[_Union[PeriodKind, str]] = ..., year: _Optional[int] = ..., part: _Optional[_Union[PeriodPart, str]] = ..., end: _Optional[_Union[Date, _Mapping]] = ...) -> None: ...
