"""What the reader says: one claim about one page, and the bounds of all claims."""

from dataclasses import dataclass
from typing import Final

from doublethink.figures.v1 import figures_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink_figures import Direction, Flag

MAX_CLAIMS_PER_PAGE: Final = 256
MAX_CLAIMS: Final = 1_024
MAX_QUOTE_BYTES: Final = 4_000
MAX_HEADING_BYTES: Final = 1_000
MAX_HEADINGS: Final = 3
_MAX_FIELD_BYTES: Final = {"value": 64, "scale": 32, "unit": 40, "period": 200}

_DIRECTIONS: Final = {
    Direction.NONE: figures_pb2.DIRECTION_NONE,
    Direction.INCREASE: figures_pb2.DIRECTION_INCREASE,
    Direction.DECREASE: figures_pb2.DIRECTION_DECREASE,
}
_FLAGS: Final = {
    Flag.ABOUT: figures_pb2.FLAG_ABOUT,
    Flag.GUIDANCE: figures_pb2.FLAG_GUIDANCE,
    Flag.NON_GAAP: figures_pb2.FLAG_NON_GAAP,
    Flag.PRO_FORMA: figures_pb2.FLAG_PRO_FORMA,
    Flag.RESTATED: figures_pb2.FLAG_RESTATED,
    Flag.HYPOTHETICAL: figures_pb2.FLAG_HYPOTHETICAL,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that the reader saw.

    `offset` is where the quote starts in bytes, -1 if the reader cannot say.
    """

    page_id: str
    quote: str
    headings: tuple[str, ...]
    offset: int
    value: str
    scale: str
    unit: str
    period: str
    direction: Direction = Direction.NONE
    flags: frozenset[Flag] = frozenset()


def to_message(claim: Claim) -> reading_pb2.ReadResponse | None:
    """The message that carries a claim; None for one that the contract cannot hold, which no one could
    prove either.
    """
    fields = {"value": claim.value, "scale": claim.scale, "unit": claim.unit, "period": claim.period}
    if any(len(text.encode()) > _MAX_FIELD_BYTES[name] for name, text in fields.items()):
        return None
    if not claim.value or not claim.unit or not 0 < len(claim.quote.encode()) <= MAX_QUOTE_BYTES:
        return None
    headings = [h for h in claim.headings if h][:MAX_HEADINGS]
    if any(len(h.encode()) > MAX_HEADING_BYTES for h in headings) or Flag.NEGATED in claim.flags:
        return None
    return reading_pb2.ReadResponse(
        claim=reading_pb2.Claim(
            page_id=claim.page_id,
            quote=claim.quote,
            heading_quotes=headings,
            quote_offset=claim.offset,
            direction=_DIRECTIONS[claim.direction],
            flags=sorted(_FLAGS[flag] for flag in claim.flags),
            **fields,
        )
    )
