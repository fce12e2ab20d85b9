"""What an answer cost: tokens as the vendor counts them, and money by the policy's dated table of prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from doublethink_ledger import BodyValue

from doublethink_gate.policy import ModelPrice

_MOST: Final = 10**9
_PER_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer. All four are billed; the whole input is the sum of the first and the last two."""

    input: int
    output: int
    cache_write: int = 0
    cache_read: int = 0

    @property
    def total(self) -> int:
        """All tokens, which is what the session's budget counts."""
        return self.input + self.output + self.cache_write + self.cache_read

    def cost_micros(self, price: ModelPrice) -> int:
        """The cost in millionths of a US dollar, rounded up."""
        picos = (
            self.input * price.input
            + self.output * price.output
            + self.cache_write * price.cache_write
            + self.cache_read * price.cache_read
        )
        return -(-picos // _PER_MILLION)

    def keys(self, price: ModelPrice | None) -> dict[str, BodyValue]:
        """The keys of an outcome row. Without a price there is no cost, which is not the same as none."""
        keys: dict[str, BodyValue] = {
            "input_tokens": self.input,
            "output_tokens": self.output,
            "cache_write_tokens": self.cache_write,
            "cache_read_tokens": self.cache_read,
        }
        if price is not None:
            keys["cost_micros"] = self.cost_micros(price)
        return keys


def read_usage(value: object) -> Usage | None:
    """The `usage` of a message; None where it does not have the published form.

    Anthropic's reference: `input_tokens` and `output_tokens` are integers; `cache_creation_input_tokens` and
    `cache_read_input_tokens` are integers or null.
    """
    if not isinstance(value, dict):
        return None
    counts = (
        _count(value.get("input_tokens")),
        _count(value.get("output_tokens")),
        _count(value.get("cache_creation_input_tokens") or 0),
        _count(value.get("cache_read_input_tokens") or 0),
    )
    if any(count is None for count in counts):
        return None
    return Usage(*(count or 0 for count in counts))


def _count(value: Any) -> int | None:
    # A boolean is an integer to Python and not to JSON.
    return value if type(value) is int and 0 <= value <= _MOST else None
