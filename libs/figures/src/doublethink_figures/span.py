"""A stretch of a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `start` (included) to `end` (excluded) of the given text, counted in code points."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError("a span starts at 0 or later and does not end before it starts")

    def of(self, text: str) -> str:
        """The characters this span covers in `text`."""
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share at least one character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Span") -> bool:
        """Whether `other` lies completely inside this span."""
        return self.start <= other.start and other.end <= self.end

    def shifted(self, by: int) -> "Span":
        """The same stretch in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)
