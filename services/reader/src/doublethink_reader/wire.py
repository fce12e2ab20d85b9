"""From the contract's messages to the library's values."""

from datetime import date
from typing import Final

from doublethink.figures.v1 import figures_pb2 as pb
from doublethink_figures import Part, Period, PeriodKind, UnitClass

_KINDS: Final = {
    pb.PERIOD_KIND_CALENDAR: PeriodKind.CALENDAR,
    pb.PERIOD_KIND_FISCAL: PeriodKind.FISCAL,
    pb.PERIOD_KIND_INSTANT: PeriodKind.INSTANT,
    pb.PERIOD_KIND_TRAILING: PeriodKind.TRAILING,
    pb.PERIOD_KIND_YEAR_LABEL: PeriodKind.UNSPECIFIED_YEAR,
}
_PARTS: Final = {
    number: Part[name.removeprefix("PERIOD_PART_").replace("YEAR_TO_DATE", "YTD")]
    for name, number in pb.PeriodPart.items()
    if number
}
_CLASSES: Final = {
    number: UnitClass[name.removeprefix("UNIT_CLASS_")] for name, number in pb.UnitClass.items() if number
}


def unit_class_in(value: pb.UnitClass) -> UnitClass | None:
    """The class of unit that is wanted, None if any."""
    return _CLASSES.get(value)


def period_in(message: pb.Period) -> Period | None:
    """The period that is wanted, None if any. Raises `ValueError` for one that contradicts itself."""
    if message == pb.Period():
        return None
    kind, part = _KINDS.get(message.kind), _PARTS.get(message.part)
    if kind is None or part is None:
        raise ValueError("a period has a kind and a part")
    end = date(message.end.year, message.end.month, message.end.day) if message.HasField("end") else None
    return Period(kind, message.year or None, part, end)
